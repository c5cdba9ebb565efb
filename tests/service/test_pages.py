"""The pages in a real browser: both roles through a whole session, every state of one, and what a hostile agent tries.

Set SCOREWRIGHT_SCREENSHOTS to a folder to keep the pictures.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scorewright as sw
from browser import chromium, visiting
from bulk import bulk_session
from scorewright.cli.bot import Bot
from scorewright.service import issue, revoke
from scorewright.service.pages import FILES
from scorewright.service.tokens import tokens
from scorewright.session import Session, open_store
from service.conftest import GAME, ORACLE, Service, running
from service.test_access import DECISIONS, PLANTED, planted
from serving import free_port

LONG = int(os.environ.get("SCOREWRIGHT_LONG", "20000"))
ANALYST = sw.families.analyst()
SCREENS = [(1280, False), (1280, True), (390, False), (390, True)]
STATES = ["empty", "open", "unsettled", "abandoned", "long"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Give Chromium."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def desk(browser, tmp_path_factory) -> Iterator[Service]:
    """Give a service with a session in every state, on SQLite."""
    del browser  # where there is none nothing need be made
    with open_store(tmp_path_factory.mktemp("pages") / "desk.db") as store, running(store) as service:
        service.sessions = {name: _made(service, name) for name in STATES}
        yield service


def _made(service: Service, name: str) -> str:
    if name == "long":
        return bulk_session(service.store, GAME, sw.learn.Haggler(GAME.setting, rng=0), LONG, name="A long session")
    learner = sw.learn.Haggler(ANALYST.setting, rng=0)
    session = Session.create(service.store, learner, name=f"The {name} session", unit=0.01)
    if name == "open":
        Bot(ANALYST).warm_up(session, 12)
        session.ask("Will the stock rise by Friday?")
    if name == "unsettled":
        for number in range(1, 31):
            session.tell(session.ask().number, effort=ANALYST.respond(session.ask().rule), report=number % 9)
    if name == "abandoned":
        for number in range(1, 4):
            session.tell(session.ask(f"question {number}").number, effort=1, report=2)
            session.abandon(number, "the market was closed")
        session.abandon(session.ask().number, "the agent declined")
    return session.config.id


def _teach(session: Session) -> int:
    """Answer and abandon rounds until an offer pays something; return the number of the last one."""
    while session.ask().rule.payments[:, 1].max() < 1:
        number = session.tell(session.ask().number, effort=0, report=4).number
        session.abandon(number)
    last = session.ask().number
    session.abandon(last)
    return last


def caught_up(page: Any, number: int) -> None:
    """Wait until a round is seen to be abandoned: from then on nothing moves under the mouse."""
    page.locator(f"tr:has(a:text-is('{number}')) .status.abandoned").wait_for()


def link(service: Service, session: str | None = None) -> str:
    """Return a principal's link, to a session's view if one is named."""
    at = "" if session is None else f"&at=/sessions/{session}"
    return f"{service.url}/principal#token={service.token}{at}"


def shown(page: Any, address: str) -> Any:
    """Open a view and wait until everything is there."""
    page.goto(address)
    page.wait_for_selector("html[data-drawn]")
    return page


def shot(page: Any, name: str) -> None:
    """Keep a picture of the whole page, if somebody wants to look."""
    folder = os.environ.get("SCOREWRIGHT_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder, f"{name}.png"), full_page=True)


def faults(page: Any) -> list[str]:
    """Return the serious accessibility faults that axe-core finds."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:150]} {node['failureSummary'][:300]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def fits(page: Any) -> bool:
    """Whether nothing sticks out of the page to the right."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_both_roles_walk_a_session(desk, browser):
    """Create, hand over the token, answer, settle, see the payment: by mouse and keyboard, without one reload."""
    with visiting(browser, desk.url) as principal, visiting(browser, desk.url, width=390) as agent:
        principal.goto(link(desk))
        assert desk.token not in principal.url
        principal.get_by_role("link", name="New session").click()
        principal.get_by_label("Name").fill("Desk 7")
        worth = principal.locator("table.grid-of-numbers input")
        figures = worth.evaluate_all("cells => cells.map((cell) => cell.value)")
        outcomes = principal.get_by_label("What can come")
        named = outcomes.input_value()
        outcomes.fill("")
        outcomes.press("Tab")
        outcomes.fill(named)
        outcomes.press("Tab")
        assert worth.evaluate_all("cells => cells.map((cell) => cell.value)") == figures
        principal.get_by_role("button", name="Begin the session").click()
        principal.wait_for_selector("h1:text('Desk 7')")
        caught_up(principal, _teach(Session.open(desk.store, principal.url.rpartition("/")[2])))
        principal.get_by_label("Whose it is").fill("Ann")
        principal.get_by_role("button", name="Make a link").click()
        address = principal.get_by_label("The link; it is shown this once").input_value()
        assert address.startswith(f"{desk.url}/agent#token=sw_agent_")

        agent.goto(address)
        assert "sw_agent_" not in agent.url
        agent.get_by_role("button", name="Ask for an offer").click()
        agent.get_by_label("60% rises").wait_for()
        agent.keyboard.press("Tab")
        for _ in range(40):  # by keyboard alone
            if agent.evaluate("document.activeElement.type") == "radio":
                break
            agent.keyboard.press("Tab")
        agent.keyboard.press("ArrowUp")  # the last of the menu: 90% rises
        words = agent.inner_text("output")
        said = re.fullmatch(
            r"Report (\d+)% rises: you get ([\d.]+) if (falls|rises), ([\d.]+) if (falls|rises)\.", words
        )
        assert said, words
        pays = {said[3]: said[2], said[5]: said[4]}["rises"]
        assert float(pays) > 0
        shot(agent, "walk-agent-offer")
        agent.keyboard.press("Enter")
        agent.get_by_text("a report has been made").wait_for()

        principal.get_by_text("waits for the effort to be attested").wait_for()  # it came by itself
        principal.get_by_label("Effort made").select_option(label="read the filings")
        principal.get_by_role("button", name="Attest the effort").click()
        number = int(principal.locator("section:has(h2:text-is('Rounds')) tbody a").first.inner_text())
        row = principal.get_by_role("form", name=f"Settle round {number}")
        row.get_by_role("button", name="Settle").click()
        assert "Choose the state" in row.get_by_role("alert").inner_text()
        row.get_by_role("combobox").select_option(label=f"rises: pays {pays}")
        shot(principal, "walk-principal-settle")
        row.get_by_role("button", name="Settle").click()
        principal.locator("section:has(h2:text-is('Rounds')) .status.settled").wait_for()

        agent.get_by_role("button", name="Ask for an offer").wait_for()
        agent.locator(f"table.listing strong:text-is('{pays}')").wait_for()  # so did this
        shot(agent, "walk-agent-paid")
        principal.locator(f".figures div:has(dt:text('Paid so far')) dd:text-is('{pays}')").wait_for()
        principal.locator(f"section:has(h2:text-is('Rounds')) a:text-is('{number}')").click()
        principal.wait_for_selector(f"h1:has-text('Round {number}')")
        trail = principal.inner_text("ol.trail")
        assert "agent “Ann”" in trail
        assert "attested the effort “read the filings”" in trail
        assert f"reported {said[1]}% rises" in trail
        assert pays in principal.inner_text("ol.reckoning")
        shot(principal, "walk-principal-audit")

        agent.get_by_role("button", name="Ask for an offer").click()
        agent.get_by_text("Decline this offer").click()
        agent.get_by_label("Reason (may be left empty)").fill("not my field")
        agent.get_by_role("button", name="Decline", exact=True).click()
        agent.get_by_text("There is no open offer").wait_for()
        principal.get_by_role("link", name="Desk 7").click()
        caught_up(principal, number + 1)
        principal.get_by_role("button", name="Sign out").click()
        principal.wait_for_selector("h1:text('Sign in')")
        assert principal.evaluate("sessionStorage.length") == 0


@pytest.mark.parametrize("state", STATES)
def test_every_state_on_every_screen(desk, browser, state):
    """Each is whole, fits, and has no serious accessibility fault, at desk and phone width, light and dark."""
    session = desk.sessions[state]
    for width, dark in SCREENS:
        with visiting(browser, desk.url, width=width, dark=dark, bypass_csp=True) as page:
            shown(page, link(desk, session))
            shot(page, f"{state}-{width}-{'dark' if dark else 'light'}")
            assert fits(page)
            assert (width > 1000) == dark or faults(page) == []
            text = page.inner_text("main")
            expected = {
                "empty": ("Nothing to settle", "No round is open", "Nothing yet", "No round has been opened yet"),
                "open": ("Will the stock rise by Friday?", "Aims at", "What it pays", "Best rule known"),
                "unsettled": ("The oldest 8 of 30 rounds", "Round 8", "What each effort reveals"),
                "abandoned": ("0 settled, 4 abandoned", "abandoned", "No round is open"),
                "long": (f"{LONG:,}", f"The oldest 8 of {LONG // 100:,} rounds", "Regret against the best rule known"),
            }[state]
            for part in expected:
                assert part in text, part
            assert page.locator(".chart polyline").count() == {"open": 6, "long": 3}.get(state, 0)


def test_other_pages(desk, browser):
    """Lists, forms, the audit trail, what-if and sign-in: whole, fitting and accessible."""
    session = desk.sessions["open"]
    places = {
        "sessions": "#/",
        "new": "#/new",
        "round": f"#/sessions/{session}/rounds/3",
        "what-if": f"#/sessions/{session}/what-if",
    }
    for width, dark in SCREENS:
        with visiting(browser, desk.url, width=width, dark=dark, bypass_csp=True) as page:
            tag = f"{width}-{'dark' if dark else 'light'}"
            page.goto(desk.url)
            page.wait_for_selector("h1")
            assert fits(page)
            assert (width > 1000) == dark or faults(page) == []
            shot(page, f"sign-in-{tag}")
            page.goto(link(desk))
            for name, place in places.items():
                page.goto(f"{desk.url}/principal{place}")
                page.wait_for_selector({"sessions": ".listing", "what-if": ".card polyline"}.get(name, ".card"))
                if name == "sessions":
                    page.locator("[data-of=profit]").filter(has_text=re.compile(r"^[^…]+$")).nth(4).wait_for()
                if name == "what-if":
                    before = page.locator("section:has(h2:text('As things are')) p").first.inner_text()
                    page.get_by_label("Most paid in a round").fill("1")
                    page.get_by_role("button", name="See the rule").click()
                    page.locator("section:has(h2:text('With your changes')) polyline").first.wait_for(state="attached")
                    after = page.locator("section:has(h2:text('With your changes')) p").first.inner_text()
                    assert "skim the headlines" in after != before
                shot(page, f"{name}-{tag}")
                assert fits(page), name
                assert (width > 1000) == dark or faults(page) == [], name


def test_the_agents_page_on_every_screen(desk, browser):
    """An open offer, a long menu and no offer at all."""
    fine = [[1 - p / 100, p / 100] for p in range(0, 101, 5)]
    terms = sw.Terms(fine, bound=10, states=["dry", "rain"])
    wide = Session.create(desk.store, sw.learn.Haggler(sw.Setting(terms, [[1, 0], [0, 1]]), rng=0), attester="agent")
    wide.ask("Rain in Oslo on Friday?")
    offers = {
        "agent-open": desk.sessions["open"],
        "agent-wide": wide.config.id,
        "agent-none": desk.sessions["empty"],
    }
    for name, session in offers.items():
        secret = desk.secret("agent", session)
        for width, dark in SCREENS:
            with visiting(browser, desk.url, width=width, dark=dark, bypass_csp=True) as page:
                shown(page, f"{desk.url}/agent#token={secret}")
                if name == "agent-open":
                    page.get_by_label("50% rises").check()
                if name == "agent-wide":
                    page.get_by_label("How likely is “rain”, in per cent?").fill("71")
                    assert re.match(r"Report 70% rain: you get [\d.]+ if", page.inner_text("output"))
                    assert "pays best at your belief: 70% rain" in page.inner_text(".chance")
                shot(page, f"{name}-{width}-{'dark' if dark else 'light'}")
                assert fits(page)
                assert (width > 1000) == dark or faults(page) == []


def test_new_rounds_appear_without_reloading(desk, browser):
    """Somebody else opens, answers and settles; the view follows, and what is being typed stays."""
    session = Session.create(desk.store, sw.learn.OsrlUcb(GAME.setting, ORACLE), name="Live")
    with visiting(browser, desk.url) as page:
        shown(page, link(desk, session.config.id))
        page.evaluate("window.here = true")
        for _ in range(3):
            session.tell(session.ask().number, effort=1, report=1)
        page.locator(".figures div:has(dt:text('To settle')) dd:text-is('3')").wait_for()
        page.get_by_role("form", name="Settle round 2").get_by_role("combobox").select_option("1")
        session.settle(1, 0)
        session.ask("the next one")
        page.get_by_text("about “the next one”").wait_for()
        page.get_by_role("form", name="Settle round 1").wait_for(state="detached")
        assert page.get_by_role("form", name="Settle round 2").get_by_role("combobox").input_value() == "1"
        assert page.evaluate("window.here")
    with visiting(browser, desk.url) as agent:
        shown(agent, f"{desk.url}/agent#token={desk.secret('agent', session.config.id)}")
        agent.get_by_text("the next one").wait_for()
        agent.wait_for_selector("[data-state=live]")
        session.abandon(4, "withdrawn")  # while the agent thinks about it
        agent.get_by_text("There is no open offer").wait_for()
        session.ask("yet another")
        agent.get_by_text("yet another").wait_for()


def test_nothing_of_the_principals_is_on_the_agents_page(desk, browser):
    """Searched as a hostile agent would: source, scripts, network, storage."""
    session = Session.create(desk.store, sw.learn.Haggler(planted(), rng=0), name="planted-name")
    for number in range(1, 6):
        session.tell(session.ask("what it is about").number, effort=number % 3, report=number % 5)
        session.settle(number, number % 2)
    why = session.ask("what it is about").why
    issue(desk.store, "agent", session=session.config.id, name="planted-rival")
    secret = desk.secret("agent", session.config.id, "me")
    heard: list[str] = []
    scripts: dict[str, str] = {}

    def listen(answer: Any) -> None:
        heard.append(f"{answer.url} {answer.all_headers()}")
        if "/site/" in answer.url:
            scripts[answer.url.rpartition("/")[2]] = answer.text()
        elif "events" not in answer.url:
            heard.append(answer.text())

    with visiting(browser, desk.url) as page:
        page.on("requestfinished", lambda asked: listen(asked.response()))
        shown(page, f"{desk.url}/agent#token={secret}")
        page.locator("input[type=radio]").first.check()
        page.get_by_role("button", name="Send this report").click()
        page.get_by_text("a report has been made").wait_for()
        page.wait_for_timeout(700)
        storage = page.evaluate("JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie])")
        heard += [page.content(), storage]
        assert page.evaluate("indexedDB.databases()") == []
        assert page.context.cookies() == []
    parts = ("agent", "api", "chart", "dom", "format", "live", "rule", "shell", "token")
    assert {name for name in scripts if name.endswith(".js")} == {f"{part}.js" for part in parts}
    text = "\n".join(heard)
    assert "what it is about" in text
    hidden = [str(value) for value in PLANTED] + [str(int(value)) for value in PLANTED] + DECISIONS
    hidden += ["planted-name", "planted-rival", why, session.config.id, "sw_principal", desk.token[:20]]
    hidden += [one.id for one in tokens(desk.store) if one.name != "me"]
    hidden += [f'"{name}"' for name in ("target", "why", "phase", "utility", "decision", "estimates", "information")]
    for value in hidden:
        assert value not in text, value
    for value in hidden[:-7]:
        assert not any(value in script for script in scripts.values()), value


def test_labels_are_only_text(desk, browser):
    """Markup in names, labels, questions and reasons is shown, not obeyed, on both sides."""
    bad = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    terms = sw.Terms(GAME.beliefs, 1, efforts=[f"e{n}{bad}" for n in range(3)], states=[f"s{n}{bad}" for n in range(2)])
    setting = sw.Setting(terms, GAME.utility, [f"d{n}{bad}" for n in range(2)])
    session = Session.create(desk.store, sw.learn.Haggler(setting, rng=0), name=bad)
    for number in range(1, 4):
        session.tell(session.ask(bad).number, effort=number - 1, report=number)
    session.settle(1, 0)
    session.abandon(2, bad)
    session.ask(bad)
    path = f"{desk.url}/principal#/sessions/{session.config.id}"
    secret = desk.secret("agent", session.config.id, bad)
    with visiting(browser, desk.url) as page, visiting(browser, desk.url) as agent:
        shown(page, link(desk, session.config.id))
        for place in ("/rounds/1", "/rounds/2", "/what-if", ""):
            page.goto(path + place)
            page.locator(".card table").first.wait_for()
            assert bad in page.inner_text("main")
            assert page.locator("main img, main script").count() == 0
            title = page.title()
            assert "owned" not in title or title.startswith(bad)
        page.goto(f"{desk.url}/principal#/")
        page.get_by_role("link", name=bad).wait_for()
        shown(agent, f"{desk.url}/agent#token={secret}")
        assert bad in agent.inner_text("main")
        assert agent.locator("main img, main script").count() == 0
        assert agent.title() == "Your offer · scorewright"


def test_efforts_found_on_the_way_and_large_sums(desk, browser):
    """Efforts are called what they were told by; sums are shown to the cent, however large."""
    terms = sw.Terms(GAME.beliefs, 1000.0)
    session = Session.create(desk.store, sw.learn.Haggler(sw.Setting(terms, [[0, 12345.67], [1, 1]]), rng=0), unit=0.01)
    for number, effort in enumerate(["skim", "dig", "skim"], start=1):
        session.settle(session.tell(session.ask().number, effort=effort, report=number).number, 1)
    session.ask()
    standing = session.standing()
    with visiting(browser, desk.url) as page:
        shown(page, link(desk, session.config.id))
        assert page.locator("ul.reveals strong").all_inner_texts() == ["skim", "dig"]
        assert "dig over skim" in page.inner_text("main")
        profit = f"{standing.utility - standing.paid:,.2f}".removesuffix(".00").removesuffix("0")
        page.locator(f".figures dd:text-is('{profit}')").wait_for()
        worth = page.locator("section:has(h2:text-is('Rounds')) td[data-name=Utility]").all_inner_texts()
        assert set(worth) <= {"–", "1", "12,345.67"}
        assert "12,345.67" in worth
        page.get_by_text("Answer for the agent").click()
        page.get_by_role("button", name="Answer", exact=True).click()
        page.get_by_text("Say which effort was made.").wait_for()
        page.get_by_label("Effort made").fill(" 1 ")  # a number, not a new effort of that name
        page.get_by_role("button", name="Answer", exact=True).click()
        page.get_by_role("button", name="Open a round").wait_for()
    assert session.round(4).effort == 1


def test_a_long_menu_of_many_states_has_no_default(desk, browser):
    """A report is only sent if one was chosen."""
    beliefs = np.random.default_rng(0).dirichlet(np.ones(5), 30)
    terms = sw.Terms(beliefs, 1.0, states=[f"{'long' * 30}{state}" for state in range(5)])
    learner = sw.learn.FixedRule(sw.Setting(terms, np.eye(5)), sw.Rule(np.zeros((30, 5)), beliefs))
    session = Session.create(desk.store, learner)
    session.ask()
    with visiting(browser, desk.url, width=390) as page:
        shown(page, f"{desk.url}/agent#token={desk.secret('agent', session.config.id)}")
        page.get_by_role("button", name="Send this report").click()
        page.get_by_role("alert").get_by_text("Choose what to report.").wait_for()
        assert fits(page)
        assert session.open_round().row is None
        page.get_by_label("What do you believe?").select_option("7")
        page.get_by_role("button", name="Send this report").click()
        page.get_by_text("a report has been made").wait_for()
    assert session.open_round().row == 7


def test_tokens_that_open_nothing(desk, browser):
    """Wrong, expired, revoked or for a program: the sign-in page says so, and the tab keeps none of it."""
    session = desk.sessions["open"]
    with visiting(browser, desk.url, forgiven="401") as page:
        for role in ("principal", "agent"):
            page.goto(f"{desk.url}/{role}#token=sw_{role}_wrong")
            page.get_by_text("unknown, expired or revoked").wait_for()
            assert page.evaluate("sessionStorage.length") == 0
        page.goto(f"{desk.url}/agent")
        page.wait_for_selector("h1:text('Sign in')")
        page.get_by_label("Token").fill("nonsense")
        page.get_by_role("button", name="Sign in").click()
        page.get_by_text("This is not a token").wait_for()
        page.get_by_label("Token").fill(desk.secret("meter", session))
        page.get_by_role("button", name="Sign in").click()
        page.get_by_text("the token of a meter").wait_for()
        page.get_by_label("Token").fill(f"  {desk.token} ")
        page.keyboard.press("Enter")
        page.wait_for_selector("h1:text('Sessions')")
        page.goto(f"{desk.url}/agent#token={desk.token}")  # a role's page takes that role's token only
        page.wait_for_selector("h1:text('Sign in')")
        made, secret = issue(desk.store, "agent", session=session)
        shown(page, f"{desk.url}/agent#token={secret}")
        page.wait_for_selector("[data-state=live]")
        revoke(desk.store, made.id)  # while it watches
        page.get_by_text("unknown, expired or revoked").wait_for()


def test_sessions_and_rounds_that_are_not_there(desk, browser):
    """A clear word, and a way on."""
    with visiting(browser, desk.url, forgiven="404") as page:
        page.goto(link(desk, "0" * 16))
        page.get_by_text("there is no session").wait_for()
        page.goto(f"{desk.url}/principal#/sessions/{desk.sessions['open']}/rounds/999")
        page.get_by_text("there is no round 999").wait_for()
        page.goto(f"{desk.url}/principal#/nowhere")
        page.wait_for_selector("h1:text('Sessions')")


def test_a_lost_connection(browser, tmp_path):
    """The page says so, sends again what was being sent, and goes on when the service is back."""
    port = free_port()
    with open_store(tmp_path / "a.db") as store:
        session = Session.create(store, sw.learn.OsrlUcb(GAME.setting, ORACLE), name="Lost")
        with running(store, port) as service:
            address, origin = link(service, session.config.id), service.url
        with visiting(browser, origin, forgiven="ERR_") as page:
            with running(store, port):
                shown(page, address)
                page.wait_for_selector("[data-state=live]")
            page.get_by_text("Connection lost").wait_for()
            session.tell(session.ask().number, effort=1, report=1)  # meanwhile, elsewhere
            with running(store, port):
                page.wait_for_selector("[data-state=live]")
                page.locator(".figures div:has(dt:text('To settle')) dd:text-is('1')").wait_for()


def test_the_policy(desk):
    """Every page and file is served under a policy that allows nothing inline and nothing from elsewhere."""
    http = desk.raw()
    addresses = ["/", "/principal", "/agent", *(f"/site/{name}" for name in FILES if not name.endswith(".html"))]
    for address in addresses:
        answer = http.get(address)
        assert answer.status_code == 200, address
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert http.get(address, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
    for name, content in FILES.items():
        text = content.decode()
        assert not re.search(r"https?://(?!www\.w3\.org)", text), name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|localStorage", text), name
        if name.endswith(".html"):
            assert not re.search(r"<style|style=|<script>| on\w+=", text), name
    for wrong in ("/site/nothing.js", "/site/index.html", "/site/..%2fpages.py", "/site/../pages.py"):
        assert http.get(wrong).status_code == 404
