"""Play it for real: any learner in durable rounds, on SQLite or PostgreSQL."""

from scorewright.errors import MissingExtraError

try:
    import sqlalchemy  # noqa: F401
except ImportError:
    raise MissingExtraError("sessions need SQLAlchemy: pip install 'scorewright[service]'") from None

from scorewright.session.book import Book
from scorewright.session.catalogue import Entry, catalogue, find, latest_sessions
from scorewright.session.config import Config
from scorewright.session.events import Event
from scorewright.session.recipe import make_learner
from scorewright.session.round import Round
from scorewright.session.session import Session
from scorewright.session.standing import Standing
from scorewright.session.store import Store, open_store
from scorewright.session.transfer import export, export_lines, import_session

__all__ = [
    "Book",
    "Config",
    "Entry",
    "Event",
    "Round",
    "Session",
    "Standing",
    "Store",
    "catalogue",
    "export",
    "export_lines",
    "find",
    "import_session",
    "latest_sessions",
    "make_learner",
    "open_store",
]
