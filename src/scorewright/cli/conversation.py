"""Both ways to talk about a round: in words with people, in JSON Lines with programs."""

from __future__ import annotations

import json
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from scorewright.cli import screen
from scorewright.errors import AnswerError, InvalidInputError, UnknownNameError
from scorewright.learn import Learner, Offer
from scorewright.rules import Rule
from scorewright.validation import index

IMPOSSIBLE = (AnswerError, InvalidInputError, UnknownNameError)
"""What a learner says of an answer that it can't take; it is asked again."""

Meant = TypeVar("Meant")


class Answer(NamedTuple):
    """What the agent did: the effort (number or label) and the report (belief number or distribution)."""

    effort: Any
    report: Any


class Conversation(ABC):
    """Show an offer, take the answer.

    Parameters
    ----------
    learner : Learner
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.terms = learner.setting.terms
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    @abstractmethod
    def begin(self, kept: str, rounds: int) -> None:
        """Say where things stand: the file, and how many rounds it holds."""

    @abstractmethod
    def show(self, offer: Offer) -> None:
        """Show what to offer the agent."""

    @abstractmethod
    def answer(self, offer: Offer) -> Answer | None:
        """Return the next answer, or None to stop."""

    @abstractmethod
    def refuse(self, why: str) -> None:
        """Say why an answer can't be."""

    @abstractmethod
    def heard(self, offer: Offer, answer: Answer) -> None:
        """Say that an answer was kept."""

    @abstractmethod
    def end(self, kept: str, rounds: int, again: str) -> None:
        """Say goodbye, and how to go on: the file, the rounds it holds, the command."""


class Programs(Conversation):
    """One JSON object per line, both ways."""

    def begin(self, kept: str, rounds: int) -> None:
        """Say nothing: the number of the first offer says it all."""

    def show(self, offer: Offer) -> None:
        """Print the offer."""
        screen.say_line(
            {
                "round": offer.number,
                "payments": offer.rule.payments.tolist(),
                "target": offer.target,
                "phase": offer.phase,
                "why": offer.why,
            }
        )

    def answer(self, offer: Offer) -> Answer | None:
        """Read lines until one is an answer to this offer."""
        while line := sys.stdin.readline() if sys.stdin else "":
            if not line.strip():
                continue
            try:
                return _parsed(line, offer)
            except InvalidInputError as problem:
                self.refuse(str(problem))
        return None

    def refuse(self, why: str) -> None:
        """Print the reason."""
        screen.say_line({"error": why})

    def heard(self, offer: Offer, answer: Answer) -> None:
        """Say nothing: the next line does."""

    def end(self, kept: str, rounds: int, again: str) -> None:
        """Print how many rounds are kept, and where."""
        screen.say_line({"answered": rounds, "state": kept, "again": again})


class People(Conversation):
    """Tables and questions."""

    def begin(self, kept: str, rounds: int) -> None:
        """Say what goes on, and how to answer."""
        if rounds:
            screen.say(f"Going on from {kept}: {rounds:,} {'round' if rounds == 1 else 'rounds'} answered so far.")
        screen.say("Offer the agent each table; then say what it did. ? explains, an empty line ends.")

    def show(self, offer: Offer) -> None:
        """Print the payment table with its reason."""
        screen.say((f"\nRound {offer.number:,}", "bold"), f": {offer.why}")
        screen.show(screen.payments_table(self.terms, offer.rule))
        if len(offer.rule.beliefs) > screen.MOST_ROWS:
            screen.say(f"… and {len(offer.rule.beliefs) - screen.MOST_ROWS} more reports: --json gives them all.")

    def answer(self, offer: Offer) -> Answer | None:
        """Ask for the effort, then for the report."""
        while (effort := self._ask("effort: ", self._effort, self.terms.efforts or ())) is not None:
            report = self._ask("report: ", lambda text: read_report(text, offer.rule))
            if report != "back":
                return None if report is None else Answer(effort, report)
        return None

    def refuse(self, why: str) -> None:
        """Print the reason on a line of its own."""
        screen.say(("Not possible: ", "bold"), " ".join(why.split()))

    def heard(self, offer: Offer, answer: Answer) -> None:
        """Say what the report counts as: what to decide now and what to pay later."""
        row, setting = offer.rule.row(answer.report), self.learner.setting
        amount, states = screen.money(self.terms.bound), screen.state_names(self.terms)
        decision = int(setting.decision[row])
        chosen = f"decision {decision}" if setting.decisions is None else f"“{setting.decisions[decision]}”"
        pay = ", ".join(
            f"{amount(float(payment))} if {state}"
            for payment, state in zip(offer.rule.payments[row], states, strict=True)
        )
        screen.say(f"Kept. It counts as report {row} ({screen.belief_words(offer.rule.beliefs[row], states)}): "
                   f"best decision {chosen}; pay {pay}.")  # fmt: skip

    def end(self, kept: str, rounds: int, again: str) -> None:
        """Say goodbye."""
        screen.say(f"\nStopped with {rounds:,} {'round' if rounds == 1 else 'rounds'} answered, kept in {kept}. "
                   f"To go on: {again}")  # fmt: skip

    # -- one question ------------------------------------------------------------------------------------------------

    def _ask(self, prompt: str, read: Callable[[str], Meant], words: tuple[str, ...] = ()) -> Meant | None:
        """Ask until the answer makes sense; None if whoever is asked would rather stop."""
        while (text := _line(prompt)) and (text in words or text.lower() != "quit"):
            if text not in words and text.lower() in ("?", "help"):
                self._explain()
                continue
            try:
                return read(text)
            except IMPOSSIBLE as problem:
                self.refuse(str(problem))
        return None

    def _effort(self, text: str) -> int | str:
        known = self.terms.efforts
        meant: int | str = int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else text
        if known is not None:
            alike = [label for label in known if label.casefold() == text.casefold()]
            exact = text if text in known else alike[0] if len(alike) == 1 else meant
            return index(exact, "effort", known, len(known))
        met = self.learner.state()["discovered"]
        is_new = meant not in met if isinstance(meant, str) else meant >= self.learner.efforts
        if is_new and not _agreed(f"{text!r:.60} is new here. Count it as an effort of its own? (yes or no) "):
            raise InvalidInputError(f"no new effort then; met so far: {self._met(met)}")
        return meant

    def _met(self, labels: dict[str, int]) -> str:
        names = {number: label for label, number in labels.items()}
        return ", ".join(f"{k} {names[k]}" if k in names else str(k) for k in range(self.learner.efforts)) or "none"

    def _explain(self) -> None:
        known, states = self.terms.efforts, screen.state_names(self.terms)
        efforts = (
            ", ".join(f"{number} {label}" for number, label in enumerate(known))
            if known
            else f"any; met so far: {self._met(self.learner.state()['discovered'])}"
        )
        screen.say(
            "The table says what the agent is paid for each report once the state is known. Show it; the agent works, "
            "and reports.\n"
            f"  effort  how hard it worked, by number or name: {efforts}\n"
            f"  report  the number (#) of a line, or the probabilities of {', '.join(states)}: "
            f"{' '.join(_example(len(states)))}\n"
            "  back    at the report: correct the effort\n"
            "  quit    or an empty line: stop here; every answer is kept, and the open offer too"
        )


def _line(prompt: str) -> str | None:
    """One line from whoever is there, without the space around it; None when there is no more."""
    if sys.stdin is None:
        return None
    try:
        return input(prompt).strip()
    except EOFError:
        return None


def _agreed(question: str) -> bool:
    return (_line(question) or "").lower() in ("y", "yes")


def _example(states: int) -> list[str]:
    return [f"{1 / states:.3g}"] * states if states in (1, 2, 4, 5, 8, 10) else ["1", *["0"] * (states - 1)]


def read_report(text: str, rule: Rule) -> int | list[float] | str:
    """A belief number, or probabilities apart by spaces or commas, also in percent."""
    if text.lower() == "back":
        return "back"
    report: int | list[float]
    if re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        report = int(text)
    else:
        words = re.split(r"[\s,;]+", text.strip("[]() "))
        try:
            report = [float(word.removesuffix("%")) / (100 if word.endswith("%") else 1) for word in words]
        except ValueError:
            example = " ".join(_example(rule.beliefs.shape[1]))
            raise InvalidInputError(
                f"report {text[:60]!r} is neither the number of a line nor probabilities such as {example}"
            ) from None
        if len(words) != (states := rule.beliefs.shape[1]):
            raise InvalidInputError(f"report needs {states} probabilities, one per state, not {len(words)}")
    rule.row(report)
    return report


def _parsed(line: str, offer: Offer) -> Answer:
    """The answer on one line of JSON."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise InvalidInputError(f"this line is not JSON: {problem}") from None
    if not isinstance(said, dict) or not {"effort", "report"} <= set(said) <= {"effort", "report", "round"}:
        raise InvalidInputError(
            'an answer is one object per line: {"effort": ..., "report": ...}, and "round" if you like'
        )
    if said.get("round", offer.number) != offer.number:
        raise InvalidInputError(f"round {offer.number} is open, and this answers round {said['round']!r:.40}")
    return Answer(said["effort"], said["report"])
