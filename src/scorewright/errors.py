"""What can go wrong, by name.

Every error is a `ScorewrightError` and also the built-in that fits it, and says what was done, why it can't be,
and what to do instead.
"""

from __future__ import annotations


class ScorewrightError(Exception):
    """Root of every error that scorewright raises on purpose."""


class InvalidInputError(ScorewrightError, ValueError):
    """A value that can't describe a rule, a game or an option."""


class UnknownNameError(ScorewrightError, LookupError):
    """A label, family or option that does not exist."""


class MismatchError(ScorewrightError, ValueError):
    """A rule used with a game, or with another rule, over other beliefs."""


class NotBestResponseError(ScorewrightError, ValueError):
    """A reporting policy under which some belief would rather report something else."""


class CannotInduceError(ScorewrightError, ValueError):
    """A request for a rule that does not exist: no payment within the bound does it."""


class AnswerError(ScorewrightError, ValueError):
    """An answer that can't be taken: to another round, or different from the one given before."""


class SupportsOverlapError(ScorewrightError, ValueError):
    """Hidden efforts that reports do not tell apart."""


class NothingLearnedError(ScorewrightError, RuntimeError):
    """A recommendation asked for before any round was told."""


class SolverError(ScorewrightError, RuntimeError):
    """The linear-programming solver gave up, or its answer did not survive our check."""


class KernelError(ScorewrightError, OSError):
    """The compiled kernel is missing and can't be built."""


class DocumentError(ScorewrightError, ValueError):
    """A JSON document that is not what it should be."""


class FileError(ScorewrightError, OSError):
    """A file that can't be read or written."""


class NotFoundError(ScorewrightError, LookupError):
    """A session, round or token that is not in the store."""


class RoundError(ScorewrightError, RuntimeError):
    """A step that a round can't take: it is not open, settled already, or somebody was faster."""


class KeyReusedError(ScorewrightError, ValueError):
    """An idempotency key that came before with another request."""


class StoreError(ScorewrightError, OSError):
    """A store that can't be opened, read or written: full, read-only, gone, or not a store at all.

    Attributes
    ----------
    reason : str or None
        Why, without the place: fit for strangers.
    """

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class ServiceError(ScorewrightError, RuntimeError):
    """A refusal by the service, or no answer at all.

    Attributes
    ----------
    status : int or None
        The HTTP status; None if the service can't be reached.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class MissingExtraError(ScorewrightError, ImportError):
    """An optional dependency that is not installed."""


class ImproperRuleWarning(UserWarning):
    """Figures for a rule that is not proper: they assume truthful reports, which the agent would not make."""


class ForecastWarning(UserWarning):
    """A forecast table from which a game can be made, but one that may mislead."""
