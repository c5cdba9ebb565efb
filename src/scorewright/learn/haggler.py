"""Haggler: a learner people can afford.

It keeps every rule that the agent was seen to accept, trims the payment where trimming pays for the risk, and settles.
What may be gained and risked it asks of a sample of games that agree with all answers so far (worlds.py); which rule to
offer follows from their replies (bargaining.py), and what finding out may cost from an account (account.py). Without an
oracle it begins with a few plain rules (opening.py). An agent that errs is noticed by its answers: if it slips, they
are put to the vote (votes.py); if it is torn between efforts, it is paid a margin (tremble.py). `sure` says when to
stop (certainty.py).
docs/haggler.md has the argument why it does not get stuck, and the figures.
"""

from __future__ import annotations

from dataclasses import astuple, replace
from typing import Any, Self

import numpy as np

from scorewright.errors import AnswerError, DocumentError, NothingLearnedError
from scorewright.game import Setting
from scorewright.kernel import Board, Ledger
from scorewright.learn import bargaining, tremble
from scorewright.learn.account import first_plays
from scorewright.learn.agreement import ContradictionError
from scorewright.learn.certainty import near_the_best
from scorewright.learn.foresight import Foresight
from scorewright.learn.learner import known
from scorewright.learn.move import Move
from scorewright.learn.offer import Offer
from scorewright.learn.opening import FirstPlays, Opening
from scorewright.learn.osrl_ucb import read_oracle
from scorewright.learn.prospects import Incumbent, Position
from scorewright.learn.recommendation import Recommendation, hoeffding_radius, l1_radius
from scorewright.learn.recording import RecordingLearner
from scorewright.learn.votes import Votes
from scorewright.learn.worlds import Ensemble
from scorewright.rules import Rule
from scorewright.threads import one_thread
from scorewright.tolerance import LARGEST
from scorewright.validation import Array, generator, number, whole


class Haggler(RecordingLearner):
    """Learns the best rule at a cost of a few failed offers.

    Parameters
    ----------
    setting : Setting
        What the principal knows.
    oracle : sequence of Rule or None, or {effort: Rule}, optional
        Rules known to induce efforts; they are offered first. Without it the efforts are discovered.
    horizon : int, optional
        The number of rounds, if known: no probe is made that can't pay for itself in the rounds left.
    rng
        Anything that `numpy.random.default_rng` takes.

    Examples
    --------
    >>> import scorewright as sw
    >>> game = sw.families.make("three_efforts")
    >>> learner = sw.learn.Haggler(game.setting, rng=0)
    >>> run = sw.simulate(game, learner, 300, rng=0)
    >>> bool(run.regret[-1] < 15)
    True
    """

    name = "haggler"

    def __init__(self, setting: Setting, oracle: Any = None, *, horizon: int | None = None, rng: Any = None) -> None:
        self._make(setting, oracle, horizon, int(generator(rng).integers(2**62)), None)

    def _make(self, setting: Setting, oracle: Any, horizon: int | None, seed: int, information: Array | None) -> None:
        known(setting)
        self.oracle = None if oracle is None else tuple(read_oracle(setting, oracle))
        self.horizon = None if horizon is None else whole(horizon, "horizon", least=1)
        told = len(self.oracle or ()) if information is None else len(information)
        super().__init__(setting, told)
        self.seed, self.information = seed, information
        self._ensemble = Ensemble(setting, seed, information)
        self._open_ended = setting.terms.efforts is None and self.oracle is None and information is None
        names = [self._name(effort) for effort in range(told)]
        self._opening = Opening(setting) if self.oracle is None else FirstPlays(self.oracle, names)
        self._votes = Votes(setting.terms.beliefs.shape)
        self._votes.widen(self._ensemble.efforts)
        self._spent, self._expenses = np.zeros(0), np.zeros(0)
        self._foresight = Foresight()
        self._move: Move | None = None
        self._pending: list[Move] = []
        self._until = 0
        self._refitted = 0
        self.errs = False
        """Whether the agent's answers have shown that it errs."""
        self.torn = False
        """Whether it errs because it is torn between efforts; otherwise it slips."""

    # -- offers ------------------------------------------------------------------------------------------------------

    def _propose(self, number: int) -> Offer:
        if self._move is None or number > self._until:
            self._take_up(self._next(number), number)
        assert self._move is not None
        self.memory.propose(number)
        move = self._move
        target = move.target if move.target < max(self.efforts, 1) else None
        return Offer(number, Rule(move.payments, self.setting.terms.beliefs), target, move.phase, None, move.why)

    def _take_up(self, move: Move, number: int) -> None:
        self._move, self._until = move, number + move.repeats - 1
        self.memory.set_arms([self.memory.rule(move.payments)], [move.target], 0.0, in_turn=True, phase=move.phase)

    @one_thread()
    def _next(self, number: int) -> Move:
        """Decide what to offer from round `number` on."""
        if not self._refitted:
            opening = self._opening.next()
            if opening is not None:
                return opening
        if self._pending:
            return self._pending.pop(0)
        counts = self._grown()
        if self.setting.terms.bound == 0:
            made = int(np.argmax(counts.sum(axis=1)))
            why = "exploit: nothing can be paid, so there is nothing to choose"
            return Move("exploit", made, np.zeros(self.setting.terms.beliefs.shape), 1, why)
        if self.errs and not self.torn:
            again = self._ask_again()
            if again is not None:
                return again
        if not self.errs and self._ensemble.current(counts):
            move = bargaining.decide(self._position(counts, number))
            if move.phase != "exploit":  # before it settles for a while, the worlds are moved on
                return move
        if self.torn:
            self._votes.ever *= 0.5 ** ((number - self._refitted) / tremble.HALF_LIFE) if self._refitted else 1.0
            self._ensemble.refit_noisy(counts, self._votes.ever)
        else:
            self._refit(counts)
        position = self._position(counts, number)
        if not self._refitted:
            self._expenses = first_plays(position, Incumbent.of(position))
            position = replace(position, expenses=self._expenses)
        self._refitted = number
        if self.torn:
            self._pending = tremble.decide(position, self._votes.ever.sum(axis=1))
            return self._pending.pop(0)
        move = bargaining.decide(position)
        if not self.errs:
            return move
        return replace(move, why=f"{move.why}; the agent errs, in {self._votes.slips():.1%} of rounds")

    def _ask_again(self) -> Move | None:
        """Return a rule whose answer may have been a slip and is all that is known of an effort; drop the others."""
        heard, decided, answers = self._ensemble.heard, self._votes.decided(), self._ensemble.answers
        doubtful = heard & ~decided
        for effort in np.unique(answers[doubtful]).tolist():
            if not (heard & decided & (answers == effort)).any():
                rule = int(np.flatnonzero(doubtful & (answers == effort))[-1])
                why = (
                    f"explore: the agent slips now and then, so is {self._name(effort)} really its answer to this rule?"
                )
                return Move("explore", effort, self._votes.rules[rule], 1, why)
        if doubtful.any():
            self._ensemble.ignore(doubtful)
        return None

    def _refit(self, counts: Array) -> None:
        """Move the worlds on; if none agrees with all answers, listen no longer to the less trustworthy half."""
        while True:
            try:
                return self._ensemble.refit(counts)
            except ContradictionError:
                self.errs = True
                self._ensemble.ignore(self._votes.doubtful_half(self._ensemble.heard))

    def _grown(self) -> Array:
        """Reports by effort, with a row for the effort that may yet be discovered."""
        efforts = self.efforts + self._open_ended
        self._ensemble.grow(efforts)
        counts = np.zeros((efforts, len(self.setting.terms.beliefs)))
        counts[: self.efforts] = self.memory.counts
        more = efforts - len(self._spent)
        if more > 0:
            self._spent = np.append(self._spent, np.zeros(more))
            self._expenses = np.append(self._expenses, np.zeros(more))
        self._votes.widen(efforts)
        return counts

    def _position(self, counts: Array, number: int) -> Position:
        return Position(
            self._ensemble, self.setting.value, self._votes.rules, counts, number, self.horizon, self._spent,
            self._foresight.doubt, [self._name(effort) for effort in range(len(counts))], self._votes.offered,
            {effort: rule.expected for effort, rule in enumerate(self.oracle or ()) if rule is not None},
            self._expenses,
        )  # fmt: skip

    def _name(self, effort: int) -> str:
        known = self.setting.terms.efforts
        if known is not None:
            return repr(known[effort])
        if effort >= self.efforts:
            return "an effort not seen yet"
        return next((repr(label) for label, at in self._discovered.items() if at == effort), f"effort {effort}")

    # -- answers -----------------------------------------------------------------------------------------------------

    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        if self.information is not None and effort >= len(self.information):
            raise AnswerError(f"effort {effort} is none of the {len(self.information)} that this learner was told of")
        self.memory.absorb(effort, report)
        self._learn(offer.number, effort, float(self.setting.value[report] - offer.rule.expected[report]))

    def _learn(self, number: int, effort: int, earned: float) -> None:
        """Take in who answered the move under way, and what the report was worth."""
        move = self._move
        assert move is not None
        self._opening.hear(effort)
        self._ensemble.grow(max(effort + 1, self.efforts))
        self._grown()
        votes, rule = self._votes, self._votes.number(move.payments)
        fresh = rule is None
        if rule is None:
            rule = votes.add(move.payments)
            self._ensemble.answer(np.einsum("mw,mw->m", self._ensemble.beliefs, move.payments), effort)
        votes.count(rule, effort, number)
        if self.errs:
            rounds, so_far = votes.earned[rule]
            votes.earned[rule] = rounds + 1, so_far + earned
        self._charge(move, effort)
        if self.setting.terms.bound > 0 and not self.torn:
            self._weigh(move, rule, fresh, effort)

    def _charge(self, move: Move, effort: int, rounds: int = 1) -> None:
        """Enter what rounds answered by an effort cost."""
        cost = rounds * move.cost(effort)
        if move.campaign is not None:
            self._spent[move.campaign] += cost
        if move.charged is not None:
            self._expenses[move.charged] += cost

    def _weigh(self, move: Move, rule: int, fresh: bool, effort: int) -> None:
        """See what the votes on a rule say by now, and whether to offer it again."""
        votes, ensemble = self._votes, self._ensemble
        leader = votes.leader(rule)
        if not self.errs and votes.plays[rule].sum() > votes.plays[rule, leader]:
            self.errs, self._until = True, 0
        if self.errs and effort != leader and votes.torn():
            self.torn, self._until = True, 0
            ensemble.hear_all()
            return
        if leader != ensemble.answers[rule] or not ensemble.heard[rule]:
            ensemble.amend(rule, leader)
            self._until = 0
        if move.phase != "probe" and not fresh:
            return
        if self.errs and not votes.decided()[rule]:
            self._until = max(self._until, votes.asked[rule] + 1)
            return
        self._until = 0
        if move.phase == "probe":
            self._foresight = self._foresight.after(move.chance, failed=leader != move.target)

    # -- many rounds at once -----------------------------------------------------------------------------------------

    def ready(self, efforts: int) -> bool:
        """Whether the kernel may go on alone: yes, in rounds whose answer is known."""
        del efforts
        return True

    def alone(self) -> int:
        """Return how many of the next rounds the kernel can play by itself: those that repeat a rule seen to work."""
        move, played = self._move, self._number
        if move is None or self._open is not None or self.errs or played > self._until:
            return 0
        return self._until - played + 1 if self._votes.number(move.payments) is not None else 0

    def play(self, board: Board, ledger: Ledger, draws: Array) -> None:
        """Play a round per row of `draws` with a rule whose answer is known."""
        move, before = self._move, self.memory.tally("rounds")
        assert move is not None
        super().play(board, ledger, draws)
        played = self.memory.tally("rounds") - before
        rule = self._votes.number(move.payments)
        assert rule is not None
        effort = int(self._ensemble.answers[rule])
        self._votes.count(rule, effort, before + played, played)
        self._charge(move, effort, played)

    # -- what is known -----------------------------------------------------------------------------------------------

    def recommend(self, probability: float = 0.95) -> Recommendation:
        """Return the rule to settle on: the best seen to work, with an interval and the evidence in words.

        The interval is that of any learner (recommendation.py); for an agent that errs it is Hoeffding's, from the
        rounds in which this very rule was offered, for all rules and times at once.
        """
        probability = number(probability, "probability", above=0, most=1 - 1e-12)
        if not self._votes.rules:
            raise NothingLearnedError("nothing has been learned yet: ask for an offer and tell its answer first")
        if not self._refitted:
            return super().recommend(probability)
        return self._recommend_noisy(probability) if self.errs else self._recommend_best(probability)

    def _recommend_best(self, probability: float) -> Recommendation:
        counts = self._grown()
        best = Incumbent.of(self._position(counts, self._number))
        seen, rounds = self.memory.counts[best.effort], int(self.memory.counts[best.effort].sum())
        lead = self.setting.value - self._ensemble.expected[best.rule]
        profit = float(seen @ lead) / rounds
        half = l1_radius(rounds, self.efforts, len(lead), 1 - probability) * float(np.ptp(lead)) / 2
        evidence = (
            f"offered {self._votes.offered[best.rule]:,} times and always answered with {self._name(best.effort)}, "
            f"whose reports were seen {rounds:,} times; "
            f"{self._foresight.probes:,} probes were made, {self._foresight.failures:,} failed"
        )
        rule = Rule(self._votes.rules[best.rule], self.setting.terms.beliefs)
        return Recommendation(rule, best.effort, profit, profit - half, profit + half, probability, rounds, evidence)

    def _recommend_noisy(self, probability: float) -> Recommendation:
        votes, offered = self._votes, np.array([rounds for rounds, _ in self._votes.earned])
        if offered.max() == 0 or (self.torn and not self._ensemble.noise.all()):
            return super().recommend(probability)
        position = self._position(self._grown(), self._number)
        if self.torn:
            means = tremble.profits(position, self._ensemble.expected)[0].mean(axis=0)
            error, temperature = np.median(self._ensemble.noise, axis=1)
            how = f"at random in {error:.1%} of rounds, otherwise with temperature {temperature:.2g}"
        else:
            means = np.where(self._ensemble.heard, Incumbent.of(position).profits, -np.inf)
            how = f"at random in {votes.slips():.1%} of rounds"
        rule = int(np.argmax(np.where(offered >= min(20, offered.max()), means, -np.inf)))
        rounds, earned = votes.earned[rule]
        lead = self.setting.value - self._ensemble.expected[rule]
        profit = earned / rounds
        half = hoeffding_radius(rounds, rule, 1 - probability) * float(np.ptp(lead))
        effort, shares = votes.leader(rule), (votes.ever if self.torn else votes.plays)[rule]
        evidence = (
            f"offered {rounds:,} times since it was found to err, answered with {self._name(effort)} in "
            f"{shares[effort] / shares.sum():.0%} of late; the agent errs: {how}"
        )
        settled = Rule(votes.rules[rule], self.setting.terms.beliefs)
        return Recommendation(settled, effort, profit, profit - half, profit + half, probability, rounds, evidence)

    def sure(self, gap: float, probability: float = 0.95) -> bool:
        """Whether the recommended rule is within `gap` of the best, with this probability; may be asked every round."""
        gap, probability = number(gap, "gap", above=0), number(probability, "probability", above=0, most=1 - 1e-12)
        if self.errs or not self._refitted:
            return False
        settled, counts = self._recommend_best(probability), self.memory.counts.astype(np.float64)
        heard = self._ensemble.expected, self._ensemble.answers
        return near_the_best(self.setting, counts, *heard, settled, gap)

    # -- keeping -----------------------------------------------------------------------------------------------------

    def _options(self) -> dict[str, Any]:
        rules = None if self.oracle is None else [None if one is None else one.payments.tolist() for one in self.oracle]
        told = None if self.information is None else self.information.tolist()
        return {"oracle": rules, "horizon": self.horizon, "seed": self.seed, "information": told}

    @classmethod
    def _rebuild(cls, setting: Setting, options: dict[str, Any]) -> Self:
        learner = cls.__new__(cls)
        beliefs, rules, told = setting.terms.beliefs, options["oracle"], options["information"]
        oracle = None if rules is None else [None if rows is None else Rule(rows, beliefs) for rows in rules]
        learner._make(setting, oracle, options["horizon"], options["seed"], None if told is None else np.array(told))
        return learner

    def _save(self) -> dict[str, Any]:
        return super()._save() | {
            "worlds": self._ensemble.save(),
            "votes": self._votes.save(),
            "spent": self._spent.tolist(),
            "expenses": self._expenses.tolist(),
            "probes": list(astuple(self._foresight)),
            "opening": self._opening.save(),
            "move": None if self._move is None else self._move.to_dict(),
            "pending": [move.to_dict() for move in self._pending],
            "until": self._until,
            "refitted": self._refitted,
            "errs": [self.errs, self.torn],
        }

    def _load(self, saved: dict[str, Any]) -> None:
        super()._load(saved)
        self._ensemble.load(saved["worlds"], self.efforts + self._open_ended)
        shape = self.setting.terms.beliefs.shape
        self._votes.load(saved["votes"])
        self._spent = np.array(saved["spent"], dtype=np.float64)
        self._expenses = np.array(saved["expenses"], dtype=np.float64)
        self._foresight = Foresight(*saved["probes"])
        self._opening.load(saved["opening"])
        self._move = None if saved["move"] is None else Move.from_dict(saved["move"])
        self._pending = [Move.from_dict(move) for move in saved["pending"]]
        self._until, self._refitted = int(saved["until"]), int(saved["refitted"])
        self.errs, self.torn = map(bool, saved["errs"])
        moves = [move for move in (self._move, *self._pending) if move is not None]
        entries = np.append(self._spent, self._expenses)
        kept = self._expenses.shape == self._spent.shape and ((entries >= 0) & (entries <= LARGEST)).all()
        fit = all(move.fits(shape, len(self._spent)) for move in moves)
        if not (kept and fit and len(self._votes.rules) == len(self._ensemble.answers)) or min(saved["probes"]) < 0:
            raise DocumentError("this state was not saved by this version of scorewright, or has been changed since")
