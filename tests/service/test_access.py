"""Who may do what, and that nothing gets out that should not."""

from __future__ import annotations

import json
import logging
import re
import time

import httpx
import pytest
import sqlalchemy as sa

import scorewright as sw
from scorewright.client import AgentClient, PrincipalClient, ServiceError
from scorewright.errors import InvalidInputError, NotFoundError
from scorewright.service import issue, make_app, revoke
from scorewright.service.front import LARGEST
from scorewright.service.serving import check_address, is_loopback
from scorewright.service.tokens import authenticate
from scorewright.session import open_store, schema
from service.conftest import GAME

PLANTED = [1234.5671, 7654.3211, 31415.926]
"""Utilities that occur nowhere else."""

DECISIONS = ["planted-decision-one", "planted-decision-two", "planted-decision-three"]


def planted() -> sw.Setting:
    """Return the setting of a principal with something to hide."""
    return sw.Setting(GAME.setting.terms, [[PLANTED[0], 0], [0, PLANTED[1]], [1, PLANTED[2]]], DECISIONS)


def operations(store) -> list[tuple[str, str]]:
    """Return every method and path that the OpenAPI document names."""
    paths = make_app(store).openapi()["paths"]
    return [(method.upper(), path) for path, item in paths.items() for method in item]


def try_it(http: httpx.Client, method: str, path: str, session: str, number: int = 1) -> httpx.Response:
    """Send a sensible request to an operation."""
    bodies = {
        "/answer": {"report": 1},
        "/settle": {"state": 0},
        "/effort": {"effort": 1},
        "/tokens": {"role": "principal"},
        "/sessions": {"setting": planted().to_dict()},
    }
    filled = path.replace("{session}", session).replace("{number}", str(number)).replace("{token}", "0" * 16)
    body = next((content for end, content in bodies.items() if path.endswith(end)), {})
    query = {"follow": "false"} if path.endswith("/events") else {}
    return http.request(method, filled, params=query, json=body if method == "POST" else None)


def test_roles_and_operations(service):
    """Each operation is for its role: every other token, and none at all, is refused before anything is looked at."""
    mine, other = service.session(), service.session()
    tokens = {
        "principal": service.token,
        "agent": service.secret("agent", mine),
        "meter": service.secret("meter", mine),
        "monitor": service.secret("monitor"),
        None: None,
    }
    callers = {who: service.raw(token) for who, token in tokens.items()}
    for method, path in operations(service.store):
        role = path.split("/")[2] if path.startswith(("/v1/agent", "/v1/meter")) else "principal"
        allowed = {role} | ({"monitor"} if path == "/metrics" else set())
        for who, http in callers.items():
            if path == "/health" or who in allowed:
                continue
            for session in (mine, other):
                answer = try_it(http, method, path, session)
                assert answer.status_code == (401 if who is None else 403), (method, path, who)
                assert answer.headers["content-type"] == "application/problem+json"
    assert service.principal.session(mine).rounds == service.principal.session(other).rounds == 0
    assert len(service.principal.sessions()) == 2


def test_nothing_leaks_to_agents(service):
    """Planted values of the principal and of another agent are in no body, header, error or stream of an agent's."""
    principal = service.principal
    session = principal.create_session(planted(), learner="haggler", attester="meter", name="planted-name").id
    other = principal.create_session(planted(), name="planted-other").id
    rival, meter = service.agent(session, "planted-rival"), service.meter(session)
    secret = service.secret("agent", session, "me")
    me = AgentClient(service.url, secret, patience=1)
    for number in range(1, 5):
        agent = rival if number % 2 else me
        agent.answer(agent.ask().round, [0.6125, 0.3875] if number % 2 else 1)
        meter.attest(number, number % 3)
        principal.settle(session, number, 0)
    me.ask()
    heard, http = [], service.raw(secret)
    for method, path in operations(service.store):
        for which in (session, other):
            for number in (1, 2, 5, 77):
                answer = try_it(http, method, path, which, number)
                heard.append(f"{method} {path} {answer.status_code} {answer.headers} {answer.text}")
    for body in ({"report": 99}, {"report": [0.5, 0.6]}, {"report": 1, "effort": 1}, {"colour": 1}, {"report": "x"}, 7):
        answer = http.post("/v1/agent/rounds/5/answer", json=body)
        assert answer.status_code in (403, 422)
        heard.append(answer.text)
    me.close()
    text = "\n".join(heard)
    rounds = principal.rounds(session)
    hidden = [str(value) for value in PLANTED] + [str(int(value)) for value in PLANTED] + DECISIONS
    hidden += ["planted-name", "planted-other", "planted-rival", "0.6125", other, service.token[:20]]
    hidden += [one.why for one in rounds] + [f'"{name}"' for name in ("target", "why", "phase", "utility", "decision")]
    hidden += [token.id for token in principal.tokens() if token.name != "me"]
    learned = principal.learned(session)
    best = learned.recommendation
    figures = [best.profit, best.low, best.high, *(gap for row in learned.cost_gap for gap in row)]
    hidden += [text for text in (f"{figure:.6g}" for figure in figures) if len(text) > 5]
    assert len(hidden) > 25
    for value in hidden:
        assert value not in text, value
    mine = json.loads(http.get("/v1/agent/payments").text)
    assert [one["round"] for one in mine] == [2, 4, 5]
    meters = service.raw(service.secret("meter", session)).get("/v1/meter/round").text
    assert set(json.loads(meters)) == {"round", "about", "attested"}


def test_what_became_of_a_rivals_round_is_not_told(service):
    """Whether another agent's round awaits its outcome, is settled or was given up makes no difference to a refusal."""
    session = service.session()
    rival, http, principal = service.agent(session), service.raw(service.secret("agent", session)), service.principal
    said = set()
    for number in (1, 2, 3):
        rival.answer(rival.ask().round, 1)
        principal.tell(session, number, effort=0)
    principal.settle(session, 2, 0)
    principal.abandon(session, 3)
    for number in (1, 2, 3):
        for act, body in (("decline", {}), ("answer", {"report": 1})):
            answer = http.post(f"/v1/agent/rounds/{number}/{act}", json=body)
            said.add((act, answer.status_code, answer.text.replace(f"round {number}", "round")))
    assert len(said) == 2, said


def test_an_agent_has_one_session(service):
    """What an agent does is done in its own session, whatever others are called."""
    mine, other = service.session(), service.session()
    agent = service.agent(mine)
    agent.answer(agent.ask().round, 1)
    assert service.principal.session(other).rounds == 0
    assert service.principal.session(mine).rounds == 1


def test_tokens_are_hashed_expire_and_are_revoked(service, monkeypatch):
    """What opens the door is nowhere in the store; an old or revoked token opens nothing."""
    session = service.session()
    made = service.principal.make_token("agent", session, days=1)
    assert len(made.token) > 43
    with service.store.reading() as connection:
        for table in schema.metadata.sorted_tables:
            for row in connection.execute(sa.select(table)):
                assert made.token not in str(tuple(row))
                assert made.token.split("_", 2)[2] not in str(tuple(row))
    agent = AgentClient(service.url, made.token, patience=1)
    agent.ask()
    service.principal.revoke(made.id)
    assert service.principal.revoke(made.id).revoked
    with pytest.raises(ServiceError, match="revoked"):
        agent.ask()
    agent.close()
    short, secret = issue(service.store, "meter", session=session, days=0.5)
    assert authenticate(service.store, secret) == short
    monkeypatch.setattr("scorewright.service.tokens.now", lambda: "2999-01-01T00:00:00.000+00:00")
    assert authenticate(service.store, secret) is None
    with pytest.raises(NotFoundError):
        revoke(service.store, "f" * 16)


def test_streams_end_with_their_token(service):
    """A stream that follows is cut when its token is revoked."""
    session = service.session()
    made = service.principal.make_token("principal")
    watcher = PrincipalClient(service.url, made.token, patience=1)
    events = watcher.events(session)
    assert next(events).kind == "opened"
    service.principal.revoke(made.id)
    service.principal.ask(session)  # not for its eyes any more
    with pytest.raises(ServiceError) as said:
        next(events)
    assert said.value.status == 401
    watcher.close()


@pytest.mark.parametrize(
    ("role", "options", "word"),
    [
        ("agent", {}, "one session"),
        ("principal", {"session": "0" * 16}, "no session in particular"),
        ("king", {}, "unknown role"),
        ("monitor", {"days": 0}, "days"),
        ("monitor", {"days": 1e9}, "days"),
        ("monitor", {"name": "a\x00b"}, "printable"),
    ],
)
def test_tokens_that_can_not_be(role, options, word, tmp_path):
    """One clear sentence."""
    with open_store(tmp_path / "a.db") as store:
        with pytest.raises((InvalidInputError, LookupError), match=word):
            issue(store, role, **options)
        with pytest.raises(NotFoundError):
            issue(store, "agent", session="0" * 16)


def test_addresses(tmp_path):
    """A machine's own are served at once; others only behind a token."""
    for own in ("127.0.0.1", "127.1.2.3", "::1", "localhost"):
        assert is_loopback(own)
    with open_store(tmp_path / "a.db") as store:
        for public in ("0.0.0.0", "::", "192.168.1.4", "example.org"):
            with pytest.raises(InvalidInputError, match="principal's token"):
                check_address(store, public)
        token, _ = issue(store, "principal")
        check_address(store, "0.0.0.0")
        revoke(store, token.id)
        with pytest.raises(InvalidInputError):
            check_address(store, "0.0.0.0")


def test_logs_hold_no_secrets(service, caplog):
    """One line a request, with who and what, and neither tokens nor anything sent."""
    caplog.set_level(logging.INFO, "scorewright.service")
    session = service.session(name="planted-name")
    agent = service.agent(session)
    agent.answer(agent.ask().round, [0.6125, 0.3875], key="planted-key")
    service.raw(service.token).get(f"/v1/sessions/{service.token}")  # pasted into the wrong place
    service.raw("sw_agent_planted-secret").get(f"/v1/sessions/{session}", params={"planted": "query"})
    wanted = {"POST /v1/agent/offer 200 agent", "GET /v1/sessions/{session} 401 None"}
    for _ in range(100):  # a line may come after its answer
        lines = [record.facts | {"said": record.getMessage()} for record in caplog.records if hasattr(record, "facts")]
        said = {f"{line['method']} {line['route']} {line['status']} {line['role']}" for line in lines}
        if wanted <= said:
            break
        time.sleep(0.05)
    assert wanted <= said
    text = json.dumps(lines) + caplog.text
    assert not re.search(r"sw_[a-z]+_|planted|0\.6125", text)


def test_problems(service):
    """Whatever is wrong is said as problem+json, with a title, a status and a sentence."""
    http = service.raw(service.token)
    session = service.session()
    big = b'{"about": "' + b"x" * LARGEST + b'"}'

    def chunks():
        yield from (big[at : at + 2**20] for at in range(0, len(big), 2**20))

    cases = [
        (http.get("/nowhere"), 404),
        (http.put("/v1/sessions"), 405),
        (http.get(f"/v1/sessions/{'0' * 16}"), 404),
        (http.get("/v1/sessions/x"), 422),
        (http.get(f"/v1/sessions/{session}/rounds/0"), 422),
        (http.get(f"/v1/sessions/{session}/rounds/{10**30}"), 422),
        (http.post(f"/v1/sessions/{session}/rounds", content=b"{", headers={"Content-Type": "application/json"}), 422),
        (http.post(f"/v1/sessions/{session}/rounds", json={"about": "a\x00b"}), 422),
        (http.post(f"/v1/sessions/{session}/rounds", json={"about": 1}), 422),
        (http.post("/v1/sessions", json={"setting": {"schema": "scorewright/rule"}}), 422),
        (http.post("/v1/sessions", json={"setting": GAME.to_dict(), "learner": "x"}), 422),
        (http.post("/v1/sessions", json={"setting": GAME.to_dict(), "unit": 7}), 422),
        (http.post("/v1/sessions", json={"setting": GAME.to_dict(), "unit": 1e-90}), 422),
        (http.post(f"/v1/sessions/{session}/rounds", json={}, headers={"Idempotency-Key": "x" * 201}), 422),
        (http.post("/v1/tokens", json={"role": "agent", "session": "\x00"}), 422),
        (http.post("/v1/tokens", json={"role": "agent", "session": "0" * 16}), 404),
        (http.post(f"/v1/sessions/{session}/rounds", content=big), 413),
        (http.post(f"/v1/sessions/{session}/rounds", content=chunks()), 413),
        (http.get("/v1/sessions", headers={"Authorization": "Bearer nonsense"}), 401),
        (http.get("/v1/sessions", headers={"Authorization": "Basic eDp5"}), 401),
    ]
    for number, (answer, status) in enumerate(cases):
        assert answer.status_code == status, (number, answer.text)
        assert answer.headers["content-type"] == "application/problem+json"
        said = answer.json()
        assert said["status"] == status
        assert said["title"]
        assert said["detail"]
        assert said["type"].startswith("urn:scorewright:problem:")
    assert service.principal.session(session).rounds == 0


def test_health_and_metrics(service):
    """Health for anybody; metrics for monitors, without anybody's name in them."""
    assert service.raw().get("/health").json()["status"] == "ok"
    session = service.session()
    service.principal.ask(session)
    text = service.raw(service.secret("monitor")).get("/metrics").text
    assert 'scorewright_requests_total{method="POST",route="/v1/sessions/{session}/rounds",status="200"} 1.0' in text
    assert "scorewright_request_seconds_bucket" in text
    assert session not in text


def test_the_document_has_examples(service):
    """OpenAPI: every operation says which problems it can answer with, and what is sent has examples."""
    content = service.raw().get("/openapi.json").json()
    for path, item in content["paths"].items():
        for method, operation in item.items():
            assert {"422", "503"} <= set(operation["responses"]), (method, path)
            assert operation["summary"]
    for name in ("NewSession", "AgentAnswer", "StateSent", "NewToken"):
        assert "examples" in json.dumps(content["components"]["schemas"][name]), name


def test_a_store_that_fails(service, monkeypatch):
    """503 and a sentence fit for strangers; the next request is served again."""
    session = service.session()
    problem = sa.exc.OperationalError("INSERT", {}, Exception("database or disk is full: /secret/path"))
    with monkeypatch.context() as patched:
        patched.setattr(type(service.store), "lock_session", lambda *_: (_ for _ in ()).throw(problem))
        with service.raw(service.token) as http:
            answer = http.post(f"/v1/sessions/{session}/rounds", json={})
    assert answer.status_code == 503
    assert "secret" not in answer.text
    assert answer.headers["retry-after"]
    assert service.principal.ask(session).round == 1
