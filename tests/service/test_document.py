"""The OpenAPI document and the service agree: schemathesis, briefly; benchmarks/fuzz.py sends twenty thousand."""

from __future__ import annotations

import warnings

from fuzzing import Place, fuzz


def test_no_undocumented_answer(service):
    """Generated requests, good and bad, with every role's token: no 5xx, and nothing that the document does not say."""
    session = service.session()
    tokens = (service.token, service.token, service.secret("agent", session), service.secret("meter", session), None)
    spare = service.principal.make_token("monitor").id
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # schemathesis and what it stands on
        seen = fuzz(Place(service.url, tokens, session, spare), 150)
    assert seen.total() >= 150
    assert {200, 401, 403, 422} <= set(seen)
    assert max(seen) < 500
