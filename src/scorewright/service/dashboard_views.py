"""What the dashboard's own endpoints send and see; all of it is the principal's."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field, FiniteFloat

from scorewright.service.views import RoundFacts
from scorewright.service.what_if import WhatIf
from scorewright.service.wire import Sent
from scorewright.session import Book, Round


class HistoryView(BaseModel):
    """Running sums along the way: at most a few hundred points, however long the session is."""

    settled: list[int] = Field(description="Rounds settled, from 0 to all of them.")
    paid: list[float] = Field(description="What they were paid, in all.")
    utility: list[float] = Field(description="What they were worth, in all.")

    @classmethod
    def of(cls, book: Book) -> HistoryView:
        """Return the view of a book's history, up to now."""
        points = [(0, 0, 0.0), *book.history.points]
        if points[-1][0] < book.settled:
            points.append((book.settled, book.paid, book.utility))
        return cls(
            settled=[settled for settled, _, _ in points],
            paid=[book.amount(paid) for _, paid, _ in points],
            utility=[utility for _, _, utility in points],
        )


class RoundLine(RoundFacts):
    """A round in a list, without its whole rule."""

    pays: list[float] | None = Field(description="What the report pays in each state.")

    @classmethod
    def of(cls, one: Round) -> RoundLine:
        """Return the line of a round."""
        same = set(cls.model_fields) - {"round", "pays"}
        entries: dict[str, Any] = {name: getattr(one, name) for name in same}
        return cls(round=one.number, pays=None if one.row is None else one.rule.payments[one.row].tolist(), **entries)


class WhatIfSent(Sent):
    """What to change; nothing: the best rule as things are."""

    utility: list[list[FiniteFloat]] | None = Field(
        None, description="By decision and state.", examples=[[[1, 0], [0, 2]]]
    )
    bound: FiniteFloat | None = Field(None, description="The largest payment.", ge=0, examples=[2])
    penalty: FiniteFloat | None = Field(None, description="The largest fine.", ge=0, examples=[0])


class InducedView(BaseModel):
    """What it takes to get one effort."""

    effort: int
    profit: float | None = Field(description="Her best expected profit with it; null where it can't be induced.")
    payment: float | None = Field(description="The expected payment then.")
    reason: str | None = Field(description="Why it can't be induced.")


class WhatIfView(BaseModel):
    """The best rule, were the estimates so far exact. It is not issued."""

    payments: list[list[float]]
    effort: int
    profit: float
    payment: float
    by_effort: list[InducedView] = Field(description="Of the efforts whose information and cost something is known.")

    @classmethod
    def of(cls, found: WhatIf) -> WhatIfView:
        """Return the view of an answer."""
        best = found.solution
        return cls(
            payments=best.rule.payments.tolist(),
            effort=found.efforts[best.effort],
            profit=best.profit,
            payment=best.payment,
            by_effort=sorted(
                (
                    InducedView(
                        effort=effort,
                        profit=None if way is None else way.profit,
                        payment=None if way is None else way.payment,
                        reason=None if why is None else str(why),
                    )
                    for effort, way, why in zip(found.efforts, best.by_effort, best.reasons, strict=True)
                ),
                key=lambda one: one.effort,
            ),
        )
