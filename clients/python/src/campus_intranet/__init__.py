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
    PreconditionFailedError,
    RateLimitError,
    TimeoutError,
    UnauthorizedError,
    UnavailableError,
    ValidationError,
)
from .events import Change, DestroyChange, PageChange, RecordChange, ResetChange
from .grant import TokenAnswer
from .page import Page
from .record import etag_of
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
    "PreconditionFailedError",
    "RateLimitError",
    "RecordChange",
    "ResetChange",
    "TimeoutError",
    "Timer",
    "TokenAnswer",
    "UnauthorizedError",
    "UnavailableError",
    "ValidationError",
    "etag_of",
]
