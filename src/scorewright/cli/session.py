"""`scorewright session`: durable rounds from the terminal, one command per step, one store file by default."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scorewright import document
from scorewright.cli import screen
from scorewright.cli.conversation import read_report
from scorewright.cli.learn import read_setting
from scorewright.errors import DocumentError, InvalidInputError

if TYPE_CHECKING:
    from scorewright.session import Round, Session, Standing, Store

app = typer.Typer(
    help="Durable rounds: ask for an offer, tell the answer, settle when the state is known.", no_args_is_help=False
)

StoreOption = Annotated[
    str,
    typer.Option("--store", metavar="STORE", envvar="SCOREWRIGHT_STORE", help="A file, or postgresql+psycopg://…"),
]
SessionOption = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="Its id or name; not needed where there is only one.")
]
KeyOption = Annotated[
    str | None, typer.Option("--key", help="Idempotency key: the same command again with it does nothing new.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
RoundArgument = Annotated[int, typer.Argument(metavar="ROUND", help="The round's number.")]

STORE = "scorewright.db"


@app.command("new")
def new(
    setting: Annotated[Path, typer.Argument(metavar="SETTING", help="A setting in JSON; a game does as well.")],
    store: StoreOption = STORE,
    name: Annotated[str, typer.Option(help="A label for people.")] = "",
    learner: Annotated[str, typer.Option(help="Who decides what to offer, by name.")] = "haggler",
    options: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The learner's options in JSON, such as its oracle.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the learner.")] = 0,
    unit: Annotated[float | None, typer.Option(help="Payments are whole multiples of this.")] = None,
    attester: Annotated[
        str, typer.Option(help="Who says which effort was made: principal, meter, agent.")
    ] = "principal",
    pacer: Annotated[str, typer.Option(help="Who may open the next round: agent or principal.")] = "agent",
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Begin a session."""
    from scorewright.session import Session, make_learner

    known = read_setting(setting)
    given = {} if options is None else document.read(options)
    if not isinstance(given, dict):
        raise DocumentError(f"{options}: the learner's options must be a JSON object")
    player = make_learner(learner, known, given, seed=seed)
    with _store(store, create=True) as kept:
        made = Session.create(
            kept,
            player,
            name=name,
            unit=unit,
            attester=attester,
            pacer=pacer,
            key=key,
        )
    if as_json:
        screen.say_json({"session": made.config.id, "store": kept.where, "unit": made.config.unit})
        return
    screen.say("Session ", (made.config.id, "bold"), f" begun in {kept.where}. Next: scorewright session ask")


@app.command("ask")
def ask(
    about: Annotated[str | None, typer.Option(help="What the round is about.")] = None,
    store: StoreOption = STORE,
    session: SessionOption = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open the next round, or show the open one."""
    with _session(store, session) as found:
        _say_round(found.ask(about, key=key), found, as_json)


@app.command("tell")
def tell(
    number: RoundArgument,
    effort: Annotated[str | None, typer.Option(help="The effort made, by number or label.")] = None,
    report: Annotated[str | None, typer.Option(help="A belief's number, or probabilities: '0.7 0.3'.")] = None,
    store: StoreOption = STORE,
    session: SessionOption = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how the open round was answered: the effort, the report, or both."""
    with _session(store, session) as found:
        said = None if report is None else read_report(report, found.round(number).rule)
        if said == "back":
            raise InvalidInputError("report 'back' is neither the number of a belief nor probabilities")
        _say_round(found.tell(number, effort=_number(effort), report=said, key=key), found, as_json)


@app.command("settle")
def settle(
    number: RoundArgument,
    state: Annotated[str, typer.Argument(metavar="STATE", help="The state that came, by number or label.")],
    store: StoreOption = STORE,
    session: SessionOption = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say which state came: this fixes decision, utility and payment."""
    with _session(store, session) as found:
        named = found.config.setting.terms.states or ()
        _say_round(found.settle(number, state if state in named else _number(state), key=key), found, as_json)


@app.command("abandon")
def abandon(
    number: RoundArgument,
    reason: Annotated[str | None, typer.Option(help="Why.")] = None,
    store: StoreOption = STORE,
    session: SessionOption = None,
    key: KeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Give a round up, open or answered: it is never paid."""
    with _session(store, session) as found:
        _say_round(found.abandon(number, reason, key=key), found, as_json)


@app.command("status")
def status(store: StoreOption = STORE, session: SessionOption = None, as_json: JsonOption = False) -> None:
    """Show where a session stands."""
    with _session(store, session) as found:
        standing = found.standing()
        if as_json:
            screen.say_json(_facts(standing))
        else:
            _say_standing(standing)


@app.command("list")
def list_sessions(store: StoreOption = STORE, as_json: JsonOption = False) -> None:
    """List the sessions of a store."""
    from scorewright.session import catalogue

    with _store(store) as kept:
        entries = catalogue(kept)
    if as_json:
        screen.say_json([{"session": one.id, "name": one.name, "created": one.created} for one in entries])
        return
    made = screen.table("session", "name", "begun", "events", right=3)
    for one in entries:
        made.add_row(one.id, one.name, one.created, f"{one.sequence:,}")
    screen.show(made)


@app.command("export")
def export_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to: JSON Lines.")],
    store: StoreOption = STORE,
    session: SessionOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a session's whole log to a file."""
    from scorewright.session import export

    with _session(store, session) as found:
        written = export(found, file)
    if as_json:
        screen.say_json({"session": found.config.id, "file": str(file), "events": written})
    else:
        screen.say(f"{written:,} events of session {found.config.id} written to {file}.")


@app.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that export wrote.")],
    store: StoreOption = STORE,
    as_json: JsonOption = False,
) -> None:
    """Read a session's log into a store, checking every line and every payment."""
    from scorewright.session import import_session

    with _store(store, create=True) as kept, screen.progress("import", wanted=True) as tick:
        found = import_session(kept, file, progress=tick)
        standing = found.standing()
    if as_json:
        screen.say_json(_facts(standing))
    else:
        screen.say(f"Session {found.config.id} is in {kept.where}: {standing.rounds:,} rounds, every payment checked.")


@app.command("token")
def token(
    role: Annotated[str, typer.Argument(metavar="ROLE", help="principal, agent, meter or monitor.")],
    store: StoreOption = STORE,
    session: SessionOption = None,
    name: Annotated[str, typer.Option(help="Whose it is.")] = "",
    days: Annotated[float, typer.Option(help="How long it is good for.")] = 90.0,
    as_json: JsonOption = False,
) -> None:
    """Make a token for the service; it is shown once."""
    from scorewright.service import issue
    from scorewright.session import find

    with _store(store, create=True) as kept:
        which = find(kept, session) if role in ("agent", "meter") or session is not None else None
        made, secret = issue(kept, role, session=which, name=name, days=days)
    if as_json:
        screen.say_json({"id": made.id, "role": made.role, "session": made.session, "token": secret})
    else:
        screen.say((secret or "", "bold"), f"\nToken {made.id} of a {made.role}, good until {made.expires}. "
                   f"Keep it: it is not shown again.")  # fmt: skip


@app.command("revoke")
def revoke(
    token: Annotated[str, typer.Argument(metavar="TOKEN", help="The token's id.")],
    store: StoreOption = STORE,
    as_json: JsonOption = False,
) -> None:
    """Make a token useless from now on."""
    from scorewright import service

    with _store(store) as kept:
        made = service.revoke(kept, token)
    if as_json:
        screen.say_json({"id": made.id, "revoked": made.revoked})
    else:
        screen.say(f"Token {made.id} was revoked at {made.revoked}.")


# -- where it is kept ------------------------------------------------------------------------------------------------


@contextmanager
def _store(where: str, *, create: bool = False) -> Iterator[Store]:
    from scorewright.session import open_store

    with open_store(where, create=create) as kept:
        yield kept


@contextmanager
def _session(where: str, wanted: str | None) -> Iterator[Session]:
    from scorewright.session import Session, find

    with _store(where) as kept:
        yield Session.open(kept, find(kept, wanted))


def _number(text: str | None) -> int | str | None:
    return int(text) if text is not None and re.fullmatch(r"[+-]?[0-9]{1,18}", text) else text


# -- what is shown ---------------------------------------------------------------------------------------------------


def _say_round(one: Round, session: Session, as_json: bool) -> None:
    if as_json:
        screen.say_json(_round_facts(one))
        return
    setting = session.config.setting
    amount, states = screen.money(setting.terms.bound), screen.state_names(setting.terms)
    about = "" if one.about is None else f", {one.about}"
    screen.say((f"Round {one.number:,}", "bold"), f"{about}: {one.status}.")
    if one.status == "open":
        screen.say(f"Why: {one.why}")
        screen.show(screen.payments_table(setting.terms, one.rule))
        screen.say(f"Then: scorewright session tell {one.number} --effort … --report …")
    if one.row is not None and one.status in ("open", "answered"):
        screen.say(f"The report counts as {one.row} ({screen.belief_words(one.rule.beliefs[one.row], states)}).")
    if one.status == "answered":
        screen.say(f"Then, when the state is known: scorewright session settle {one.number} STATE")
    if one.status == "settled" and one.state is not None and one.decision is not None:
        chosen = f"decision {one.decision}" if setting.decisions is None else f"“{setting.decisions[one.decision]}”"
        screen.say(f"State {states[one.state]}, {chosen}: worth {amount(one.utility or 0.0)}. ",
                   ("Pay ", "bold"), (amount(one.payment or 0.0), "bold"), ".")  # fmt: skip


def _say_standing(standing: Standing) -> None:
    config, amount = standing.config, screen.money(standing.config.setting.terms.bound)
    screen.say("Session ", (f"{config.id} {config.name}".strip(), "bold"),
               f": {config.learner}, begun {config.created}, in units of {config.unit:g}.")  # fmt: skip
    screen.say(f"{standing.rounds:,} rounds: {standing.settled:,} settled, {standing.awaiting:,} await settlement, "
               f"{standing.abandoned:,} abandoned.")  # fmt: skip
    screen.say(f"Worth {amount(standing.utility)}, paid {amount(standing.paid)}, "
               f"kept {amount(standing.utility - standing.paid)}.")  # fmt: skip
    if standing.open is not None:
        screen.say(f"Round {standing.open.number:,} is open.")
    if standing.oldest:
        screen.say(f"Oldest that await settlement: {', '.join(map(str, standing.oldest[:10]))}")


def _facts(standing: Standing) -> dict[str, Any]:
    counts = ("rounds", "answered", "settled", "abandoned", "awaiting", "missed", "paid", "utility")
    return {
        "session": standing.config.id,
        "name": standing.config.name,
        "learner": standing.config.learner,
        "unit": standing.config.unit,
        "events": standing.sequence,
        **{name: getattr(standing, name) for name in counts},
        "open": None if standing.open is None else _round_facts(standing.open),
    }


def _round_facts(one: Round) -> dict[str, Any]:
    names = ("status", "about", "target", "phase", "why", "effort", "report", "row", "state", "decision", "utility",
             "payment", "reason")  # fmt: skip
    return {"round": one.number, "payments": one.rule.payments.tolist()} | {name: getattr(one, name) for name in names}
