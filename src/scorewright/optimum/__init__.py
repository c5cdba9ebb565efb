"""The known game: the optimal rule and its proof, margins, bounds, prices, contracts."""

from scorewright.optimum.bounds import LeastBound, least_bound
from scorewright.optimum.certificate import Certificate, Multipliers
from scorewright.optimum.contracts import BestContract, best_contract, contract_of, rule_of
from scorewright.optimum.margins import Margin, margin
from scorewright.optimum.scaling import Scaled, best_scale, cheapest_scale, classic_shapes, classics
from scorewright.optimum.solution import Induced, Prices, Reason, Solution
from scorewright.optimum.solving import solve
from scorewright.optimum.uncertainty import Doubtful, RobustlyInduced, RobustSolution, Uncertainty
from scorewright.optimum.units import Payable, payable

__all__ = [
    "BestContract",
    "Certificate",
    "Doubtful",
    "Induced",
    "LeastBound",
    "Margin",
    "Multipliers",
    "Payable",
    "Prices",
    "Reason",
    "RobustSolution",
    "RobustlyInduced",
    "Scaled",
    "Solution",
    "Uncertainty",
    "best_contract",
    "best_scale",
    "cheapest_scale",
    "classic_shapes",
    "classics",
    "contract_of",
    "least_bound",
    "margin",
    "payable",
    "rule_of",
    "solve",
]
