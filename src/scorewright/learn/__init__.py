"""The unknown game: learners that ask and are told."""

from scorewright.learn.audit import Audit, audit
from scorewright.learn.estimates import Estimates
from scorewright.learn.explore_then_commit import ExploreThenCommit
from scorewright.learn.fixed_rule import Clairvoyant, FixedRule
from scorewright.learn.haggler import Haggler
from scorewright.learn.hidden_effort import HiddenEffort
from scorewright.learn.informed import Informed
from scorewright.learn.learner import Learner
from scorewright.learn.offer import Offer
from scorewright.learn.osrl_ucb import OsrlUcb
from scorewright.learn.recommendation import Recommendation
from scorewright.learn.recording import RecordingLearner
from scorewright.learn.registry import find, make, names, needs, restore
from scorewright.learn.rule_bandits import OracleBandit, ScaledQuadratic
from scorewright.learn.strategies import Mixing, Radius, Stop
from scorewright.learn.unknown_utility import UnknownUtility

__all__ = [
    "Audit",
    "Clairvoyant",
    "Estimates",
    "ExploreThenCommit",
    "FixedRule",
    "Haggler",
    "HiddenEffort",
    "Informed",
    "Learner",
    "Mixing",
    "Offer",
    "OracleBandit",
    "OsrlUcb",
    "Radius",
    "Recommendation",
    "RecordingLearner",
    "ScaledQuadratic",
    "Stop",
    "UnknownUtility",
    "audit",
    "find",
    "make",
    "names",
    "needs",
    "restore",
]
