"""Every claim in PAPER.md's table, and the experiments behind it."""

from scorewright.study.claims import confidence, footnotes, impossibility, oracle_cost, rates, settling
from scorewright.study.claims.claim import VERDICTS, Claim, Experiment, Finding, Line

EXPERIMENTS: tuple[Experiment, ...] = (
    confidence.EXPERIMENT,
    rates.RATE,
    rates.DEPENDENCE,
    impossibility.EXPERIMENT,
    oracle_cost.EXPERIMENT,
    settling.EXPERIMENT,
    footnotes.EXPERIMENT,
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "coverage",
        "At round t, with probability at least 1 - 1/t, every information estimate is within I_q and every cost gap "
        "within I_c of the truth.",
        "OSRL-UCB on random games (K 2 to 6, W 2 to 4, M up to 10); after every round all estimates are compared "
        "with the "
        "truth.",
        "confidence",
        confidence.coverage,
    ),
    Claim(
        "optimism",
        "On the good event the index of the best effort is never below the optimal profit h*.",
        "The same runs; every optimise round in which all estimates are within their radii.",
        "confidence",
        confidence.optimism,
    ),
    Claim(
        "compliance",
        "The agent makes the targeted effort whenever alpha_t >= Delta_t.",
        "The same runs; in every optimise round the premise is evaluated with the true oracle margin, and the answer "
        "compared with the target. One game is chosen such that the premise can hold.",
        "confidence",
        confidence.compliance,
    ),
    Claim(
        "search depth",
        "A search whose smallest radius met is r takes at most floor(log2(1/r)) + 1 rounds.",
        "The same runs; every search that ended, with the radii frozen when it began.",
        "confidence",
        confidence.depth,
    ),
    Claim(
        "rate",
        "Regret grows like T^(2/3), up to logarithms; mixing in the oracle rule alone costs about 1.5 K T^(2/3) "
        "times the "
        "oracle's gap.",
        "OSRL-UCB with best-margin oracle on three games, radii as printed and x 0.1; slope of log regret in log "
        "T over the "
        "last decade. PAPER.md's estimate of the onset says whether the rate can show at all.",
        "rate",
        rates.rate,
    ),
    Claim(
        "states do not matter",
        "The bound does not depend on W, the number of states.",
        "Regret at fixed K and M against W: on random games, and on one game whose states are split into parts "
        "that make "
        "no difference.",
        "dependence",
        rates.states,
    ),
    Claim(
        "efforts and observations",
        "Regret grows no faster than K^2 and than C_O, the number of observations.",
        "Regret on random games with an oracle margin of 0.003, against K at three observations per effort and against "
        "observations at three efforts.",
        "dependence",
        rates.sizes,
    ),
    Claim(
        "impossibility",
        "Without an oracle no algorithm has sublinear regret on the hard instance.",
        "OSRL-UCB with random sampling for an oracle on the hard instance; and the chance that a random rule finds the "
        "region, against its width.",
        "impossibility",
        impossibility.impossibility,
    ),
    Claim(
        "oracle cost",
        "Random sampling finds an oracle in O(M K log K / eta) rounds, the linear search in O(K log 1/epsilon).",
        "Both, on random games that meet their assumption (eta is measured by drawing 100 rules); constants left out.",
        "oracle_cost",
        oracle_cost.oracle_cost,
    ),
    Claim(
        "PAC",
        "A zeta-optimal rule is found in a number of rounds of order zeta^-3.",
        "OSRL-UCB is asked for its recommendation along the way; rounds from which it stays within zeta of the "
        "optimum.",
        "settling",
        settling.pac,
    ),
    Claim(
        "footnotes",
        "Hidden efforts can be told apart by the supports of their beliefs; an unknown utility can be learned.",
        "Random games with supports apart, the effort hidden: how often the effort named is the true one. The "
        "three-effort "
        "game with noisy utilities: the error of u against the looks taken.",
        "footnotes",
        footnotes.footnotes,
    ),
)

__all__ = ["CLAIMS", "EXPERIMENTS", "VERDICTS", "Claim", "Experiment", "Finding", "Line"]
