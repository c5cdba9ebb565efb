"""The kinds of values that come over the wire, checked before anything looks at them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, StrictInt, StrictStr

_TEXT = r"^[^\x00-\x1f\x7f-\x9f]*$"

Numbering = Annotated[StrictInt, Field(ge=0, lt=2**53)]
Text = Annotated[str, Field(max_length=2000, pattern=_TEXT)]
Label = Annotated[StrictStr, Field(min_length=1, max_length=200, pattern=_TEXT)]
Effort = Annotated[Numbering | Label, Field(description="An effort's number or label.", examples=[1, "skim"])]
Report = Annotated[
    Numbering | list[FiniteFloat],
    Field(
        description="The number of a belief in the menu, or a distribution over the states.", examples=[3, [0.7, 0.3]]
    ),
]


class Sent(BaseModel):
    """What is sent has no entries that we do not know."""

    model_config = ConfigDict(extra="forbid")
