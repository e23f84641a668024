"""A typed client for the API of Campus Intranet."""

from .client import Campus
from .errors import (
    BadRequestError,
    CampusError,
    CertificateError,
    ConflictError,
    ConnectionError,
    ForbiddenError,
    NotFoundError,
    RateLimitError,
    UnauthorizedError,
    UnavailableError,
    ValidationError,
)
from .listing import Listing, Page
from .timer import Timer
from .tokens import TokenAnswer
from .transport import Answer, Ask, Transport
from .watch import Change, DestroyChange, PageChange, RecordChange, ResetChange

__all__ = [
    "Answer",
    "Ask",
    "BadRequestError",
    "Campus",
    "CampusError",
    "CertificateError",
    "Change",
    "ConflictError",
    "ConnectionError",
    "DestroyChange",
    "ForbiddenError",
    "Listing",
    "NotFoundError",
    "Page",
    "PageChange",
    "RateLimitError",
    "RecordChange",
    "ResetChange",
    "Timer",
    "TokenAnswer",
    "Transport",
    "UnauthorizedError",
    "UnavailableError",
    "ValidationError",
]
