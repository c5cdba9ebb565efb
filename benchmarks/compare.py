r"""What people do instead, against the optimal rule: what each leaves to the principal, and which effort it buys.

Two groups. Those set by rule of thumb: a flat fee that covers the wanted effort's cost, the Brier and the logarithmic
rule that use up the whole bound. Those told the game, and set to the scale that earns most: Brier, logarithmic,
V-shaped, a share of the utility, a contract on the outcome, a market; and Brier as a skill score, less what the worst
report is paid in each state anyway. A market maker with the logarithmic market scoring rule pays
:math:`b \log(r_\omega / \pi_\omega)` for moving the price from the prior :math:`\pi` to the report r, prices kept
within 1% and 99%. With the least stake that the principal can give so that nobody loses money, this is a rule within
the bound; with the agent's own money it is outside the model, and is shown apart with what the agent may lose.

A share of 1 is the profit of the optimal rule, of 0 what paying nothing earns; below that one would do better to pay
nothing.

python benchmarks/compare.py [--plot docs/images/compare.svg]
"""

from __future__ import annotations

import argparse
import importlib.resources
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import scorewright as sw

REAL = ("heart-tests", "basketball", "world-cup")
TABLED = ("analyst", "three-efforts", *REAL, "contract-k4")
TICK = 0.01  # the least price of a market


@dataclass(frozen=True)
class Way:
    """A way to pay: the effort that it buys, and what is expected to be paid and left."""

    effort: int
    payment: float
    profit: float


def paying(game: sw.Game, rule: sw.Rule) -> Way:
    """What a rule comes to, once the agent has answered it."""
    effort = game.respond(rule)
    payment = float(game.information[effort] @ rule.expected)
    return Way(effort, payment, float(game.worth[effort]) - payment)


def trades(game: sw.Game) -> np.ndarray:
    """Gains (M, W) per unit of liquidity from moving the market's price to each belief."""
    before = game.prior[int(np.argmin(game.costs))]
    before = np.maximum(before, TICK) / np.maximum(before, TICK).sum()
    after = np.maximum(game.beliefs, TICK)
    after /= after.sum(axis=1, keepdims=True)
    gains = np.log(after / before)
    best = (game.beliefs @ gains.T).argmax(axis=1)  # prices that can't be reached are traded to the best that can
    return gains[best]


def own_money(game: sw.Game) -> tuple[Way, float]:
    """The market in which the agent trades with its own money, at the best liquidity, and the most that it may lose."""
    gains = trades(game)
    worth = np.einsum("mw,mw->m", game.beliefs, gains)
    paid = game.information @ worth
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = (game.costs[:, None] - game.costs[None, :]) / (paid[:, None] - paid[None, :])
    most = game.bound / (gains.max() - gains.min())  # no one moves more money than under the rules
    best: tuple[Way, float] | None = None
    for liquidity in [0.0, *crossings[np.isfinite(crossings) & (crossings > 0) & (crossings <= most)]]:
        surplus = liquidity * paid - game.costs
        near = np.flatnonzero(surplus >= surplus.max() - sw.tolerance.TIE * max(1.0, game.bound))
        effort = int(max(near, key=lambda k: game.worth[k] - liquidity * paid[k]))
        payment = float(liquidity * paid[effort])
        way = Way(effort, payment, float(game.worth[effort]) - payment)
        if best is None or way.profit > best[0].profit:
            lost = gains[game.information[effort] > 0].min() * liquidity
            best = way, float(max(0.0, -lost))
    assert best is not None
    return best


def least(payments: np.ndarray) -> np.ndarray:
    """Less what every report is paid in each state: the same incentives where effort does not move the state."""
    return payments - payments.min(axis=0)


def ways(game: sw.Game) -> dict[str, Way]:
    """Every way to pay within the bound."""
    solution = sw.solve(game)
    shape = game.beliefs.shape
    gains = trades(game)
    fee = float(game.costs[solution.effort] - game.costs.min())
    scaled = sw.optimum.classics(game)
    skill = least(sw.optimum.classic_shapes(game)["quadratic"].payments)
    contract = sw.optimum.best_contract(game)
    return {
        "optimal rule": Way(solution.effort, solution.payment, solution.profit),
        "flat fee": paying(game, sw.Rule(np.full(shape, min(fee, game.bound)), game.beliefs)),
        "Brier, whole bound": paying(game, sw.rules.quadratic(game.beliefs, game.bound)),
        "log, whole bound": paying(game, sw.rules.logarithmic(game.beliefs, game.bound)),
        **{
            name: Way(one.effort, one.payment, one.profit)
            for name, one in {
                "Brier, best scale": scaled["quadratic"],
                "log, best scale": scaled["logarithmic"],
                "Brier skill, best scale": sw.optimum.best_scale(game, sw.Rule(skill, game.beliefs)),
                "market with a stake": sw.optimum.best_scale(game, sw.Rule(least(gains), game.beliefs)),
                "V-shaped, best scale": scaled["v-shaped"],
                "share of utility": scaled["linear"],
            }.items()
        },
        "contract": Way(contract.effort, contract.payment, contract.profit),
    }


def share(way: Way, optimal: Way, nothing: float) -> float:
    """Of what the optimal rule gains over paying nothing, the share that this way gains."""
    return (way.profit - nothing) / (optimal.profit - nothing)


def games() -> dict[str, sw.Game]:
    """The games of the benchmark suite."""
    folder = importlib.resources.files("scorewright.study") / "benchmark" / "games"
    with importlib.resources.as_file(folder) as files:
        return {file.stem: sw.load(file) for file in sorted(Path(files).glob("*.json"))}


def draw(shares: dict[str, dict[str, float]], path: Path) -> None:
    """Draw a dot per game and way; what falls far below zero is put at the edge."""
    from scorewright import plot
    from scorewright.plot.canvas import COLOURS, FAINT, INK, canvas

    floor = -0.55
    real = {"marker": "D", "color": COLOURS[1], "markersize": 6.5, "markeredgewidth": 0, "zorder": 3}
    made = {"marker": "o", "color": COLOURS[0], "markersize": 4.5, "markeredgewidth": 0, "zorder": 2, "alpha": 0.45}
    names = [name for name in next(iter(shares.values())) if name != "optimal rule"][::-1]
    figure, (ax,) = canvas(7.2, 4.6)
    for at, name in enumerate(names):
        spread = np.linspace(-0.22, 0.22, len(shares))
        for lift, (game, one) in zip(spread, shares.items(), strict=True):
            ax.plot(max(one[name], floor), at if game in REAL else at + lift, **(real if game in REAL else made))
        middle = max(float(np.median([one[name] for one in shares.values()])), floor)
        ax.plot([middle, middle], [at - 0.32, at + 0.32], color=INK, linewidth=1.6, zorder=4)
    ax.axvline(1, color=FAINT, linewidth=1)
    ax.axvline(0, color=FAINT, linewidth=1, linestyle=(0, (4, 3)))
    ax.set_yticks(range(len(names)), names)
    ax.set_xlim(floor - 0.05, 1.05)
    marks = {floor: "worse", 0: "0\npaying\nnothing", 0.25: "25%", 0.5: "50%", 0.75: "75%", 1: "100%\noptimal\nrule"}
    ax.set_xticks(list(marks), list(marks.values()))
    ax.plot([], [], linestyle="", **real, label="game made from data")
    ax.plot([], [], linestyle="", **made, label="other game of the suite")
    ax.plot([], [], "|", color=INK, markersize=12, markeredgewidth=1.6, label="median of all")
    ax.legend(frameon=False, fontsize=8.5, loc="upper center", bbox_to_anchor=(0.45, -0.2), ncols=3)
    ax.set_title("What each way to pay gains, of what can be gained", fontsize=11, loc="left", color=INK, pad=10)
    plot.save(figure, path)


def say_game(name: str, game: sw.Game, found: dict[str, Way], nothing: float) -> None:
    """Print one game's ways."""

    def line(way: str, one: Way, more: str = "") -> None:
        gained = share(one, found["optimal rule"], nothing)
        bought = game.name(one.effort)
        print(f"  {way:23} {bought:20} paid {one.payment:9.4f}  left {one.profit:9.4f}  {gained:7.1%}{more}")

    print(f"\n{name}: paying nothing buys {game.name(int(np.argmin(game.costs)))} and leaves {nothing:.4f}")
    for way, one in found.items():
        line(way, one)
    own, lost = own_money(game)
    line("market, own money", own, f"  and the agent may lose {lost:.4f}")


def say_all(shares: dict[str, dict[str, float]]) -> None:
    """Print how each way does over all games."""
    print(f"  {'':23} {'median':>8} {'lowest':>9}  within 1%  within 10%  no better than nothing")
    for way in next(iter(shares.values())):
        got = np.array([one[way] for one in shares.values()])
        near, nearly, idle = (got >= 0.99).sum(), (got >= 0.9).sum(), (got <= 1e-9).sum()
        print(f"  {way:23} {np.median(got):8.1%} {got.min():9.1%}  {near:9}  {nearly:10}  {idle:22}")


def say_stakes() -> None:
    """Print what becomes of the ways when the decision is worth more, the efforts costing what they do."""
    game = sw.families.make("analyst")
    print("\nanalyst, the decision worth more times as much: share of what can be gained")
    for times in (1, 3, 10, 30, 100):
        worth = game.utility * times
        larger = sw.Game(game.beliefs, game.information, game.costs, worth, game.bound)
        found = ways(larger)
        nothing = unpaid(larger)
        told = (f"{way} {share(one, found['optimal rule'], nothing):.1%}" for way, one in found.items())
        print(f"  {times:3}: " + ", ".join(list(told)[1:]))


def unpaid(game: sw.Game) -> float:
    """What paying nothing leaves."""
    return paying(game, sw.Rule(np.zeros(game.beliefs.shape), game.beliefs)).profit


def main() -> None:
    """Print the tables; draw the picture if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plot", type=Path, metavar="FILE")
    asked = parser.parse_args()
    shares: dict[str, dict[str, float]] = {}
    idle = []
    for name, game in games().items():
        found, nothing = ways(game), unpaid(game)
        if found["optimal rule"].profit - nothing <= 1e-6 * max(1.0, game.bound):
            idle.append(name)
            continue
        shares[name] = {way: share(one, found["optimal rule"], nothing) for way, one in found.items()}
        if name in TABLED:
            say_game(name, game, found, nothing)
    print(f"\n{len(shares)} games in which there is something to gain (in {', '.join(idle)} paying nothing is best)")
    say_all(shares)
    say_stakes()
    if asked.plot is not None:
        draw(shares, asked.plot)


if __name__ == "__main__":
    main()
