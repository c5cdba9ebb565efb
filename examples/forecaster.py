"""A forecaster bot: it weighs what each effort would earn it against what it costs, works, and reports what it found.

    python examples/forecaster.py URL --agent TOKEN --meter TOKEN [--rounds 10]

It plays the analyst of `scorewright serve --demo`, beside the demo's own bot. What the analyst knows and the principal
does not, costs and what each effort reveals, is in the game here; of the principal's side it sees the offer and nothing
else. The work itself is drawn at random; the meter, which in earnest is the system that bills the hours, is played here
too.
"""

from __future__ import annotations

import argparse

import numpy as np

import scorewright as sw
from scorewright.client import AgentClient, MeterClient, ServiceError, rule_of


def choose(game: sw.Game, rule: sw.Rule) -> int:
    """Return the effort that leaves most after its cost."""
    return int(np.argmax(game.information @ rule.expected - game.costs))


def main() -> None:
    """Answer some offers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--agent", required=True, help="the agent's token")
    parser.add_argument("--meter", required=True, help="the meter's token")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    game, rng = sw.families.analyst(), np.random.default_rng(asked.seed)
    with AgentClient(asked.url, asked.agent) as agent, MeterClient(asked.url, asked.meter) as meter:
        for _ in range(asked.rounds):
            offer = agent.ask()
            effort = choose(game, rule_of(offer))
            found = int(rng.choice(len(game.beliefs), p=game.information[effort]))
            try:
                meter.attest(offer.round, game.name(effort))
                answer = agent.answer(offer.round, report=found)
            except ServiceError as problem:
                if problem.status != 409:
                    raise
                print(f"round {offer.round}: somebody else was faster")
                continue
            pays = ", ".join(f"{pay:g} if {state}" for pay, state in zip(answer.pays, game.states or (), strict=True))
            print(f"round {offer.round}: “{game.name(effort)}”, reports {found}; paid {pays}")


if __name__ == "__main__":
    main()
