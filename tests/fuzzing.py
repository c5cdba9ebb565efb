"""Schemathesis over the OpenAPI document, against a real server, with every role's token."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
)


@dataclass(frozen=True)
class Place:
    """Where to knock, and with what."""

    url: str
    tokens: tuple[str | None, ...]
    session: str
    spare: str
    """The id of a token that may be revoked."""


def fuzz(place: Place, cases: int, *, start: int = 0, tick: Callable[[int], None] | None = None) -> Counter[int]:
    """Send so many generated requests; raise at the first answer that the document does not describe."""
    schema = schemathesis.openapi.from_url(f"{place.url}/openapi.json")
    operations = [found.ok() for found in schema.get_all_operations()]
    seen: Counter[int] = Counter()
    for number, operation in enumerate(operations):
        share = cases * (number + 1) // len(operations) - cases * number // len(operations)
        _knock(place, operation, share, start + number, seen)
        if tick is not None:
            tick(seen.total())
    return seen


def _knock(place: Place, operation: Any, cases: int, number: int, seen: Counter[int]) -> None:
    wanted = seen.total() + cases
    with requests.Session() as http:

        @seed(number)
        @settings(
            max_examples=cases,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(
            case=st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in schemathesis.GenerationMode)),
            token=st.sampled_from(place.tokens),
            real=st.booleans(),
            at=st.integers(1, 5),
        )
        def knock(case: Any, token: str | None, real: bool, at: int) -> None:
            if case.path_parameters and real:
                parameters = dict(case.path_parameters)
                parameters |= {"session": place.session} if "session" in parameters else {}
                parameters |= {"number": at} if "number" in parameters else {}
                parameters |= {"token": place.spare} if "token" in parameters else {}
                case.path_parameters = parameters
            if operation.path.endswith("/events"):  # a stream that goes on has no end to check
                case.query = dict(case.query or {}) | {"follow": "false"}
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            answer = case.call(base_url=place.url, session=http, headers=headers)
            seen[answer.status_code] += 1
            case.validate_response(answer, checks=list(CHECKS))

        while seen.total() < wanted:  # a small operation has few different requests: send them again
            before = seen.total()
            knock()
            if seen.total() == before:
                return
