"""An AI agent at the service: any function that maps an offer to an effort and a report.

    python examples/ai_agent.py [--rounds 30]

It starts a service of its own, with a session about questions that a model can answer with more or less thinking, and
plays all three sides: the principal settles, the agent is `answer_with_model`, and the meter attests the tokens that
the model has used. `stand_in_model` is a local stand-in for a language model: with more votes it is right more often,
and dearer. Put your own in its place; `Adapter` stays as it is.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import scorewright as sw
from scorewright.client import AgentClient, MeterClient, PrincipalClient, rule_of
from scorewright.service import issue, serve
from scorewright.session import open_store

VOTES = (1, 5, 15)
"""Efforts: how many answers the model gives before it makes up its mind."""

RIGHT = 0.65
"""How often one answer of the model is right."""

PRICE = 0.008
"""What one answer costs, in compute."""


@dataclass(frozen=True)
class Answer:
    """What an agent does with an offer: the effort it made, by number, and its report, a distribution."""

    effort: int
    report: list[float]


def stand_in_model(truth: int, rng: np.random.Generator) -> int:
    """Answer a yes-or-no question, rightly more often than not. A real model is asked the question instead."""
    return truth if rng.random() < RIGHT else 1 - truth


def confidence(votes: int) -> list[tuple[int, float, float]]:
    """Return for each number of yes votes: how likely it is, and how sure one may be that the answer is yes."""
    counts = np.arange(votes + 1)
    ways = np.array([float(np.prod([(votes - i) / (i + 1) for i in range(n)])) for n in counts])
    yes, no = (ways * p**counts * (1 - p) ** (votes - counts) / 2 for p in (RIGHT, 1 - RIGHT))
    return [(int(n), float(yes[n] + no[n]), float(yes[n] / (yes[n] + no[n]))) for n in counts]


def make_setting() -> sw.Setting:
    """Return what the principal knows: which reports can come, and what being right is worth to her."""
    sure = sorted({round(p, 12) for votes in VOTES for _, _, p in confidence(votes)})
    terms = sw.Terms([[1 - p, p] for p in sure], 1.0, efforts=[f"{n} votes" for n in VOTES], states=["no", "yes"])
    return sw.Setting(terms, [[1, 0], [0, 1]], decisions=["say no", "say yes"])


def answer_with_model(rule: sw.Rule, ask: Callable[[], int]) -> Answer:
    """Choose how long to think by what the offer pays for it, think, and say how sure one is."""

    def worth(votes: int) -> float:
        return sum(p * float(rule.expected[rule.row([1 - q, q])]) for _, p, q in confidence(votes)) - PRICE * votes

    effort = int(np.argmax([worth(votes) for votes in VOTES]))
    yes = sum(ask() for _ in range(VOTES[effort]))
    sure = confidence(VOTES[effort])[yes][2]
    return Answer(effort, [1 - sure, sure])


class Adapter:
    """Connects a function from offers to answers with the service.

    Parameters
    ----------
    agent, meter : clients
    think : callable
        Maps the rule of an offer and a way to ask the model to an `Answer`.
    """

    def __init__(self, agent: AgentClient, meter: MeterClient, think: Callable[..., Answer]) -> None:
        self.agent, self.meter, self.think = agent, meter, think

    def play(self, ask: Callable[[], int]) -> tuple[int, Answer]:
        """Answer the open offer; return the round and the answer."""
        offer = self.agent.ask()
        used = 0

        def metered() -> int:
            nonlocal used
            used += 1
            return ask()

        answer = self.think(rule_of(offer), metered)
        self.agent.answer(offer.round, report=answer.report)
        self.meter.attest(offer.round, f"{used} votes")  # what was used, whatever the agent says
        return offer.round, answer


def main() -> None:
    """Play, and say what was learned."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "ai.db")) as store:
        secret = issue(store, "principal")[1] or ""
        listening, address = threading.Event(), []

        def ready(url: str) -> None:
            address.append(url)
            listening.set()

        threading.Thread(target=serve, args=(store,), kwargs={"port": 0, "ready": ready}, daemon=True).start()
        listening.wait()
        with PrincipalClient(address[0], secret) as principal:
            session = principal.create_session(make_setting(), name="questions", attester="meter", pacer="principal").id
            made = [principal.make_token(role, session).token or "" for role in ("agent", "meter")]
            with AgentClient(address[0], made[0]) as agent, MeterClient(address[0], made[1]) as meter:
                adapter = Adapter(agent, meter, answer_with_model)
                for number in range(asked.rounds):
                    principal.ask(session, about=f"question {number + 1}")
                    truth = int(rng.integers(2))
                    played, answer = adapter.play(lambda truth=truth: stand_in_model(truth, rng))
                    done = principal.settle(session, played, truth)
                    said = f"{VOTES[answer.effort]} votes, {answer.report[1]:.0%} yes"
                    print(f"round {played}: {said}; pays {done.payment}")
                paid = sum(one.payment or 0.0 for one in agent.payments(most=1000))
            standing, best = principal.session(session), principal.learned(session).recommendation
            print(f"{standing.settled} settled; paid {standing.paid:.4f}, the agent says {paid:.4f}")
            print("settle on: nothing yet" if best is None else f"settle on: {VOTES[best.effort]} votes")


if __name__ == "__main__":
    main()
