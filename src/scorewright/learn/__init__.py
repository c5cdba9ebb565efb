"""The unknown game: learners that ask and are told."""

from scorewright.learn.audit import Audit, audit
from scorewright.learn.estimates import Estimates
from scorewright.learn.learner import Learner
from scorewright.learn.offer import Offer
from scorewright.learn.osrl_ucb import OsrlUcb
from scorewright.learn.recommendation import Recommendation
from scorewright.learn.strategies import Mixing, Radius, Stop

__all__ = ["Audit", "Estimates", "Learner", "Mixing", "Offer", "OsrlUcb", "Radius", "Recommendation", "Stop", "audit"]
