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

__all__ = [
    "Answer",
    "Ask",
    "BadRequestError",
    "Campus",
    "CampusError",
    "CertificateError",
    "ConflictError",
    "ConnectionError",
    "ForbiddenError",
    "Listing",
    "NotFoundError",
    "Page",
    "RateLimitError",
    "Timer",
    "TokenAnswer",
    "Transport",
    "UnauthorizedError",
    "UnavailableError",
    "ValidationError",
]
