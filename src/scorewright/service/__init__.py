"""Over HTTP: principals, agents and meters, each with a token and a view of its own."""

from scorewright.errors import MissingExtraError

try:
    import fastapi  # noqa: F401
    import prometheus_client  # noqa: F401
    import uvicorn  # noqa: F401
except ImportError as problem:
    raise MissingExtraError(f"the service needs {problem.name}: pip install 'scorewright[service]'") from None

from scorewright.service.app import make_app
from scorewright.service.serving import serve
from scorewright.service.tokens import Token, issue, revoke

__all__ = ["Token", "issue", "make_app", "revoke", "serve"]
