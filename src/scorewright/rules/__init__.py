"""What is paid: rules over a belief support, properness, mixing, the classic rules, sampling, revelation."""

from scorewright.rules.classic import linear, logarithmic, quadratic, spherical, v_shaped
from scorewright.rules.polytope import Polytope
from scorewright.rules.revelation import reveal
from scorewright.rules.rule import Rule
from scorewright.rules.sampling import Sampler, sample
from scorewright.rules.units import Rounding, rounding

__all__ = [
    "Polytope",
    "Rounding",
    "Rule",
    "Sampler",
    "linear",
    "logarithmic",
    "quadratic",
    "reveal",
    "rounding",
    "sample",
    "spherical",
    "v_shaped",
]
