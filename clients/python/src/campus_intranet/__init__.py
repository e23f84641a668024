"""A typed client for the API of Campus Intranet."""

from .aio.client import AsyncCampus
from .aio.listing import AsyncListing
from .aio.timer import AsyncTimer
from .errors import (
    BadRequestError,
    CampusError,
    CertificateError,
    ConflictError,
    ConnectionError,
    ForbiddenError,
    NotFoundError,
    RateLimitError,
    TimeoutError,
    UnauthorizedError,
    UnavailableError,
    ValidationError,
)
from .events import Change, DestroyChange, PageChange, RecordChange, ResetChange
from .grant import TokenAnswer
from .page import Page
from .sync.client import Campus
from .sync.listing import Listing
from .sync.timer import Timer

__all__ = [
    "AsyncCampus",
    "AsyncListing",
    "AsyncTimer",
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
    "TimeoutError",
    "Timer",
    "TokenAnswer",
    "UnauthorizedError",
    "UnavailableError",
    "ValidationError",
]
