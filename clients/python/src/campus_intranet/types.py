# Made from the OpenAPI document by "npm run generate:python"; changes here are lost.
"""What the API answers and takes: records, payloads and queries."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Literal, NotRequired, Required, TypedDict, TypeVar, Union

T = TypeVar("T")

Id = Union[int, str]
"""A number, or where the API knows one the login or slug."""
Time = Union[datetime, date]
Asked = Union[T, Literal[""], Sequence[Union[T, Literal[""]]]]
"""A value or several; an empty text stands for null in a filter, and for an open end in a range."""


class Accreditation(TypedDict):
    """What the school attests that users are able to do."""

    id: int
    """Id of the accreditation."""
    name: str
    """What the accreditation is called."""
    user_id: int | None
    """Id of the user who is responsible for it; null where nobody is named."""
    cursus_id: int | None
    """Id of the cursus; null where there is none."""
    validated: bool
    """Whether it has been confirmed."""
    difficulty: int | None
    """How hard it is to get."""


class AccreditationCreate(TypedDict):
    """What is to be created."""

    accreditation: AccreditationCreateAccreditation


class AccreditationCreateAccreditation(TypedDict):
    name: str
    """What the accreditation is called."""
    user_id: NotRequired[int | None]
    """Id of the user who is responsible for it; null where nobody is named."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus; null where there is none."""
    validated: NotRequired[bool | None]
    """Whether it has been confirmed."""
    difficulty: NotRequired[int | None]
    """How hard it is to get."""


class AccreditationUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    accreditation: AccreditationUpdateAccreditation


class AccreditationUpdateAccreditation(TypedDict):
    name: NotRequired[str]
    """What the accreditation is called."""
    user_id: NotRequired[int | None]
    """Id of the user who is responsible for it; null where nobody is named."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus; null where there is none."""
    validated: NotRequired[bool]
    """Whether it has been confirmed."""
    difficulty: NotRequired[int | None]
    """How hard it is to get."""


class AccreditationsUser(TypedDict):
    """A user has an accreditation."""

    id: int
    """Id of the accreditations user."""
    accreditation_id: int
    """Id of the accreditation."""
    user_id: int
    """Id of the user."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class AccreditationsUserCreate(TypedDict):
    """What is to be created."""

    accreditations_user: AccreditationsUserCreateAccreditationsUser


class AccreditationsUserCreateAccreditationsUser(TypedDict):
    accreditation_id: int
    """Id of the accreditation."""
    user_id: int
    """Id of the user."""


class AccreditationsUserCreateBelowAccreditation(TypedDict):
    """What is to be created."""

    accreditations_user: AccreditationsUserCreateBelowAccreditationAccreditationsUser


class AccreditationsUserCreateBelowAccreditationAccreditationsUser(TypedDict):
    accreditation_id: NotRequired[int | None]
    """Id of the accreditation."""
    user_id: int
    """Id of the user."""


class AccreditationsUserCreateBelowUser(TypedDict):
    """What is to be created."""

    accreditations_user: AccreditationsUserCreateBelowUserAccreditationsUser


class AccreditationsUserCreateBelowUserAccreditationsUser(TypedDict):
    accreditation_id: int
    """Id of the accreditation."""
    user_id: NotRequired[int | None]
    """Id of the user."""


class AccreditationsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    accreditations_user: AccreditationsUserUpdateAccreditationsUser


class AccreditationsUserUpdateAccreditationsUser(TypedDict):
    accreditation_id: NotRequired[int]
    """Id of the accreditation."""
    user_id: NotRequired[int]
    """Id of the user."""


class Achievement(TypedDict):
    """Something that users win by what they do."""

    id: int
    """Id of the achievement."""
    name: str
    """What the achievement is called."""
    description: str
    """What it is won by."""
    tier: Literal["none", "easy", "medium", "hard", "challenge"]
    """How hard it is to win."""
    kind: Literal["project", "social", "scolarity", "pedagogy"]
    """What part of school life it belongs to."""
    visible: bool
    """Whether it is meant to be shown to everybody."""
    image: str | None
    """Address of its picture."""
    nbr_of_success: int | None
    """How many successes it takes; null where that is not counted."""
    users_url: str
    """Address of the list of users who have won it."""
    achievements: list[AchievementEmbedded]
    """Achievements that follow on it."""
    parent: AchievementEmbedded | None
    """Achievement that it follows on; null where it is the first."""
    title: Title | None
    """Title that comes with it; null where none does."""
    campus: list[str]
    """Names of the campuses where it can be won."""


class AchievementCreate(TypedDict):
    """What is to be created."""

    achievement: AchievementCreateAchievement


class AchievementCreateAchievement(TypedDict):
    name: str
    """What the achievement is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    description: str
    """What it is won by."""
    tier: NotRequired[Literal["none", "easy", "medium", "hard", "challenge"] | None]
    """How hard it is to win."""
    kind: NotRequired[Literal["project", "social", "scolarity", "pedagogy"] | None]
    """What part of school life it belongs to."""
    visible: NotRequired[bool | None]
    """Whether it is meant to be shown to everybody."""
    image: NotRequired[str | None]
    """Address of its picture."""
    nbr_of_success: NotRequired[int | None]
    """How many successes it takes; null where that is not counted."""
    parent_id: NotRequired[int | None]
    """Id of the achievement that it follows on; null where it is the first."""
    title_id: NotRequired[int | None]
    """Id of the title that comes with it; null where none does."""
    reward: NotRequired[int | None]
    """Points that come with it."""
    position: NotRequired[int | None]
    """Place in lists of achievements, lowest first."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (achievements_campus); others are untied."""


class AchievementEmbedded(TypedDict):
    """Something that users win by what they do."""

    id: int
    """Id of the achievement."""
    name: str
    """What the achievement is called."""
    description: str
    """What it is won by."""
    tier: Literal["none", "easy", "medium", "hard", "challenge"]
    """How hard it is to win."""
    kind: Literal["project", "social", "scolarity", "pedagogy"]
    """What part of school life it belongs to."""
    visible: bool
    """Whether it is meant to be shown to everybody."""
    image: str | None
    """Address of its picture."""
    nbr_of_success: int | None
    """How many successes it takes; null where that is not counted."""
    users_url: str
    """Address of the list of users who have won it."""


class AchievementUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    achievement: AchievementUpdateAchievement


class AchievementUpdateAchievement(TypedDict):
    name: NotRequired[str]
    """What the achievement is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    description: NotRequired[str]
    """What it is won by."""
    tier: NotRequired[Literal["none", "easy", "medium", "hard", "challenge"]]
    """How hard it is to win."""
    kind: NotRequired[Literal["project", "social", "scolarity", "pedagogy"]]
    """What part of school life it belongs to."""
    visible: NotRequired[bool]
    """Whether it is meant to be shown to everybody."""
    image: NotRequired[str | None]
    """Address of its picture."""
    nbr_of_success: NotRequired[int | None]
    """How many successes it takes; null where that is not counted."""
    parent_id: NotRequired[int | None]
    """Id of the achievement that it follows on; null where it is the first."""
    title_id: NotRequired[int | None]
    """Id of the title that comes with it; null where none does."""
    reward: NotRequired[int]
    """Points that come with it."""
    position: NotRequired[int]
    """Place in lists of achievements, lowest first."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (achievements_campus); others are untied."""


class AchievementsUser(TypedDict):
    """A user has won an achievement."""

    id: int
    """Id of the achievements user."""
    achievement_id: int
    """Id of the achievement."""
    user_id: int
    """Id of the user."""
    login: str
    """Login of the user."""
    nbr_of_success: int | None
    """How many successes the user had; null where that is not counted."""
    url: str
    """Address of the user in this API."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class AchievementsUserCreate(TypedDict):
    """What is to be created."""

    achievements_user: AchievementsUserCreateAchievementsUser


class AchievementsUserCreateAchievementsUser(TypedDict):
    achievement_id: int
    """Id of the achievement."""
    user_id: int
    """Id of the user."""
    nbr_of_success: NotRequired[int | None]
    """How many successes the user had; null where that is not counted."""
    rewarded: NotRequired[bool | None]
    """Whether the user got the points that come with it."""


class AchievementsUserCreateBelowAchievement(TypedDict):
    """What is to be created."""

    achievements_user: AchievementsUserCreateBelowAchievementAchievementsUser


class AchievementsUserCreateBelowAchievementAchievementsUser(TypedDict):
    achievement_id: NotRequired[int | None]
    """Id of the achievement."""
    user_id: int
    """Id of the user."""
    nbr_of_success: NotRequired[int | None]
    """How many successes the user had; null where that is not counted."""
    rewarded: NotRequired[bool | None]
    """Whether the user got the points that come with it."""


class AchievementsUserCreateBelowUser(TypedDict):
    """What is to be created."""

    achievements_user: AchievementsUserCreateBelowUserAchievementsUser


class AchievementsUserCreateBelowUserAchievementsUser(TypedDict):
    achievement_id: int
    """Id of the achievement."""
    user_id: NotRequired[int | None]
    """Id of the user."""
    nbr_of_success: NotRequired[int | None]
    """How many successes the user had; null where that is not counted."""
    rewarded: NotRequired[bool | None]
    """Whether the user got the points that come with it."""


class AchievementsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    achievements_user: AchievementsUserUpdateAchievementsUser


class AchievementsUserUpdateAchievementsUser(TypedDict):
    achievement_id: NotRequired[int]
    """Id of the achievement."""
    user_id: NotRequired[int]
    """Id of the user."""
    nbr_of_success: NotRequired[int | None]
    """How many successes the user had; null where that is not counted."""
    rewarded: NotRequired[bool]
    """Whether the user got the points that come with it."""


class AddCorrectionPointsUserBody(TypedDict):
    reason: str
    """Why, in the words of the entry."""
    amount: NotRequired[int | None]
    """How many points; 1 where nothing is sent."""


class AddPointsPoolBody(TypedDict):
    points: int
    """How many points."""


class Announcement(TypedDict):
    """What the school tells everybody, or those of some campuses and cursus."""

    id: int
    """Id of the announcement."""
    author: str
    """Who tells it, as a text."""
    title: str
    """Heading that it is shown under."""
    text: str
    """What there is to tell."""
    kind: str
    """What sort of news it is, such as `global`."""
    link: str | None
    """Address to read on at; null where there is none."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    expire_at: str
    """When it is no longer news."""


class AnnouncementCreate(TypedDict):
    """What is to be created."""

    announcement: AnnouncementCreateAnnouncement


class AnnouncementCreateAnnouncement(TypedDict):
    author: str
    """Who tells it, as a text."""
    title: str
    """Heading that it is shown under."""
    text: str
    """What there is to tell."""
    kind: NotRequired[str | None]
    """What sort of news it is, such as `global`."""
    link: NotRequired[str | None]
    """Address to read on at; null where there is none."""
    image: NotRequired[str | None]
    """Address of a picture; null where there is none."""
    expire_at: str
    """When it is no longer news."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (announcements_cursus); others are untied."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (announcements_campus); others are untied."""


class AnnouncementUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    announcement: AnnouncementUpdateAnnouncement


class AnnouncementUpdateAnnouncement(TypedDict):
    author: NotRequired[str]
    """Who tells it, as a text."""
    title: NotRequired[str]
    """Heading that it is shown under."""
    text: NotRequired[str]
    """What there is to tell."""
    kind: NotRequired[str]
    """What sort of news it is, such as `global`."""
    link: NotRequired[str | None]
    """Address to read on at; null where there is none."""
    image: NotRequired[str | None]
    """Address of a picture; null where there is none."""
    expire_at: NotRequired[str]
    """When it is no longer news."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (announcements_cursus); others are untied."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (announcements_campus); others are untied."""


class Answer(TypedDict):
    """What the corrector answered to one question of the scale."""

    id: int
    """Id of the answer."""
    question_id: int
    """Id of the question."""
    value: int | None
    """Points for the question; null where it was not answered."""
    question: QuestionEmbedded
    """The question whose id is `question_id`."""


# What the corrector answered to one question of the scale. A new one needs question_id.
AnswerAttributes = TypedDict(
    "AnswerAttributes",
    {
        # Id of the question.
        "question_id": "NotRequired[int]",
        # Points for the question; null where it was not answered.
        "value": "NotRequired[int | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class AntiGravUnit(TypedDict):
    """A sort of pause for which a student may be kept from the black hole."""

    id: int
    """Id of the anti grav unit."""
    name: str
    """What the anti grav unit is called."""
    description: str | None
    """What the pause is for."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class AntiGravUnitCreate(TypedDict):
    """What is to be created."""

    anti_grav_unit: AntiGravUnitCreateAntiGravUnit


class AntiGravUnitCreateAntiGravUnit(TypedDict):
    name: str
    """What the anti grav unit is called."""
    description: NotRequired[str | None]
    """What the pause is for."""


class AntiGravUnitUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    anti_grav_unit: AntiGravUnitUpdateAntiGravUnit


class AntiGravUnitUpdateAntiGravUnit(TypedDict):
    name: NotRequired[str]
    """What the anti grav unit is called."""
    description: NotRequired[str | None]
    """What the pause is for."""


class AntiGravUnitsUser(TypedDict):
    """A user pauses: from when, until when, and why."""

    anti_grav_units_user: AntiGravUnitsUserAntiGravUnitsUser


class AntiGravUnitsUserAntiGravUnitsUser(TypedDict):
    id: int
    """Id of the anti grav units user."""
    user_id: int
    """Id of the user."""
    anti_grav_unit_id: int | None
    """Id of the sort of pause; null where none is named."""
    begin_date: str
    """First day of the pause."""
    expected_end_date: str | None
    """Day on which it is expected to end."""
    end_date: str | None
    """Day on which it ended; null while it goes on."""
    reason: str | None
    """Why the user pauses."""
    is_free: bool
    """Whether it is granted outside the usual allowance."""
    close_id: int | None
    """Id of the close that came with it; null where there is none."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class AntiGravUnitsUserCreate(TypedDict):
    """What is to be created."""

    anti_grav_units_user: AntiGravUnitsUserCreateAntiGravUnitsUser


class AntiGravUnitsUserCreateAntiGravUnitsUser(TypedDict):
    user_id: int
    """Id of the user."""
    anti_grav_unit_id: NotRequired[int | None]
    """Id of the sort of pause; null where none is named."""
    begin_date: NotRequired[str | None]
    """First day of the pause."""
    expected_end_date: NotRequired[str | None]
    """Day on which it is expected to end."""
    end_date: NotRequired[str | None]
    """Day on which it ended; null while it goes on."""
    reason: NotRequired[str | None]
    """Why the user pauses."""
    is_free: NotRequired[bool | None]
    """Whether it is granted outside the usual allowance."""
    close_id: NotRequired[int | None]
    """Id of the close that came with it; null where there is none."""


class AntiGravUnitsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    anti_grav_units_user: AntiGravUnitsUserUpdateAntiGravUnitsUser


class AntiGravUnitsUserUpdateAntiGravUnitsUser(TypedDict):
    user_id: NotRequired[int]
    """Id of the user."""
    anti_grav_unit_id: NotRequired[int | None]
    """Id of the sort of pause; null where none is named."""
    begin_date: NotRequired[str]
    """First day of the pause."""
    expected_end_date: NotRequired[str | None]
    """Day on which it is expected to end."""
    end_date: NotRequired[str | None]
    """Day on which it ended; null while it goes on."""
    reason: NotRequired[str | None]
    """Why the user pauses."""
    is_free: NotRequired[bool]
    """Whether it is granted outside the usual allowance."""
    close_id: NotRequired[int | None]
    """Id of the close that came with it; null where there is none."""


class App(TypedDict):
    """An application that calls this service; those that are not public are seen by their owners and by staff."""

    id: int
    """Id of the app."""
    name: str
    """What the app is called."""
    description: str | None
    """What it does, in the words of its owner."""
    image: str | None
    """Address of its logo."""
    website: str | None
    """Address of its website."""
    public: bool
    """Whether everybody sees it in lists."""
    scopes: list[str]
    """What its tokens may be asked for."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    owner: UserShort | dict[str, Any]
    """Who is responsible for it; `{}` where nobody is."""
    rate_limit: int
    """Requests that it may make in an hour."""
    roles: list[RoleEmbedded]
    """Roles that staff gave it."""


class AppCreate(TypedDict):
    """What is to be created."""

    app: AppCreateApp


class AppCreateApp(TypedDict):
    name: str
    """What the app is called."""
    description: NotRequired[str | None]
    """What it does, in the words of its owner."""
    image: NotRequired[str | None]
    """Address of its logo."""
    website: NotRequired[str | None]
    """Address of its website."""
    public: NotRequired[bool | None]
    """Whether everybody sees it in lists."""
    owner_id: NotRequired[int | None]
    """Id of the user who is responsible for it; null where nobody is."""
    scopes: NotRequired[list[str] | None]
    """Names of the scopes that it may ask for."""
    redirect_uris: NotRequired[list[str] | None]
    """Addresses to which people may come back from signing on."""
    role_ids: NotRequired[list[int] | None]
    """Ids of its roles; others are taken away."""
    rate_per_second: NotRequired[int | None]
    """Requests a second; null for the usual rate of its roles."""
    rate_per_hour: NotRequired[int | None]
    """Requests an hour; null for the usual rate of its roles."""
    confidential: NotRequired[bool | None]
    """Whether it can keep a secret; said once, at creation."""
    authorization_response_iss: NotRequired[bool | None]
    """Whether `iss` is told when people come back from signing on (RFC 9207)."""


class AppUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    app: AppUpdateApp


class AppUpdateApp(TypedDict):
    name: NotRequired[str]
    """What the app is called."""
    description: NotRequired[str | None]
    """What it does, in the words of its owner."""
    image: NotRequired[str | None]
    """Address of its logo."""
    website: NotRequired[str | None]
    """Address of its website."""
    public: NotRequired[bool]
    """Whether everybody sees it in lists."""
    owner_id: NotRequired[int | None]
    """Id of the user who is responsible for it; null where nobody is."""
    scopes: NotRequired[list[str] | None]
    """Names of the scopes that it may ask for."""
    redirect_uris: NotRequired[list[str] | None]
    """Addresses to which people may come back from signing on."""
    role_ids: NotRequired[list[int] | None]
    """Ids of its roles; others are taken away."""
    rate_per_second: NotRequired[int | None]
    """Requests a second; null for the usual rate of its roles."""
    rate_per_hour: NotRequired[int | None]
    """Requests an hour; null for the usual rate of its roles."""
    confidential: NotRequired[bool | None]
    """Whether it can keep a secret; said once, at creation."""
    authorization_response_iss: NotRequired[bool]
    """Whether `iss` is told when people come back from signing on (RFC 9207)."""


class Attachment(TypedDict):
    """A document of a project, of a session of one or of a subnotion, each translation a record of its own."""

    id: int
    """Id of the attachment."""
    name: str
    """What the attachment is called."""
    pdf: AttachmentPdf
    """Addresses of the PDF; null in them for other sorts."""
    page_count: int
    """Number of pages of a PDF, else 0."""
    created_at: str
    """When it was created."""
    pdf_processing: bool
    """Whether the PDF is still being read."""
    slug: str
    """Its name, made fit for addresses."""
    url: str | None
    """Address of the file, which opens without a token for a while, or of the link."""
    thumb_url: str | None
    """Address of a small picture of it; null where there is none."""
    base_id: int
    """Id of the attachment that it translates; its own where it translates none."""
    language: LanguageShort | None
    """Language that it is in; null where none is named."""
    type: str
    """Sort of attachment, as the name of a class: `Pdf`, `Link`."""


# A document of a project, of a session of one or of a subnotion, each translation a record of its own. A new one needs kind.
AttachmentAttributes = TypedDict(
    "AttachmentAttributes",
    {
        # Sort of attachment, as payloads name it.
        "kind": "NotRequired[Literal[\"code\", \"pdf\", \"link\", \"document\", \"video\"]]",
        # Id of the language that it is in; null where none is named.
        "language_id": "NotRequired[int | None]",
        # Whether it may have no translations.
        "untranslatable": "NotRequired[bool | None]",
        # Files or links to attach, each with a name.
        "attachable_attributes": "NotRequired[list[AttachmentAttributesAttachableAttributesItem] | None]",
        # Id of the attachment that the new one translates.
        "base_id": "NotRequired[int | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class AttachmentAttributesAttachableAttributesItem(TypedDict):
    """A new one needs name and attachable_type."""

    name: NotRequired[str]
    attachable_type: NotRequired[Literal["code", "pdf", "link", "document", "video"]]
    """Must be the kind, and match the file."""
    pdf: NotRequired[str | None]
    """The file of a pdf. In multipart/form-data only."""
    video: NotRequired[str | None]
    """The file of a video. In multipart/form-data only."""
    code: NotRequired[str | None]
    """The file of code: text or an archive. In multipart/form-data only."""
    document: NotRequired[str | None]
    """The file of a document: PDF, office, text or picture. In multipart/form-data only."""
    url: NotRequired[str | None]
    """Where a link leads."""


class AttachmentCreate(TypedDict):
    """What is to be created."""

    attachment: AttachmentCreateAttachment


class AttachmentCreateAttachment(TypedDict):
    kind: Literal["code", "pdf", "link", "document", "video"]
    """Sort of attachment, as payloads name it."""
    language_id: NotRequired[int | None]
    """Id of the language that it is in; null where none is named."""
    untranslatable: NotRequired[bool | None]
    """Whether it may have no translations."""
    attachable_attributes: list[AttachmentCreateAttachmentAttachableAttributesItem]
    """Files or links to attach, each with a name."""
    base_id: NotRequired[int | None]
    """Id of the attachment that the new one translates."""


class AttachmentCreateAttachmentAttachableAttributesItem(TypedDict):
    """A new one needs name and attachable_type."""

    name: NotRequired[str]
    attachable_type: NotRequired[Literal["code", "pdf", "link", "document", "video"]]
    """Must be the kind, and match the file."""
    pdf: NotRequired[str | None]
    """The file of a pdf. In multipart/form-data only."""
    video: NotRequired[str | None]
    """The file of a video. In multipart/form-data only."""
    code: NotRequired[str | None]
    """The file of code: text or an archive. In multipart/form-data only."""
    document: NotRequired[str | None]
    """The file of a document: PDF, office, text or picture. In multipart/form-data only."""
    url: NotRequired[str | None]
    """Where a link leads."""


class AttachmentEmbedded(TypedDict):
    """A document of a project, of a session of one or of a subnotion, each translation a record of its own."""

    id: int
    """Id of the attachment."""
    name: str
    """What the attachment is called."""
    base_id: int
    """Id of the attachment that it translates; its own where it translates none."""
    created_at: str
    """When it was created."""
    kind: Literal["code", "pdf", "link", "document", "video"]
    """Sort of attachment, as payloads name it."""
    type: str
    """Sort of attachment, as the name of a class: `Pdf`, `Link`."""
    language: LanguageShort | None
    """Language that it is in; null where none is named."""
    page_count: int
    """Number of pages of a PDF, else 0."""
    pdf: AttachmentEmbeddedPdf
    """Addresses of the PDF; null in them for other sorts."""
    pdf_processing: bool
    """Whether the PDF is still being read."""
    slug: str
    """Its name, made fit for addresses."""
    thumb_url: str | None
    """Address of a small picture of it; null where there is none."""
    url: str | None
    """Address of the file, which opens without a token for a while, or of the link."""


class AttachmentEmbeddedPdf(TypedDict):
    """Addresses of the PDF; null in them for other sorts."""

    pdf: AttachmentEmbeddedPdfPdf


class AttachmentEmbeddedPdfPdf(TypedDict):
    url: str | None
    thumb: AttachmentEmbeddedPdfPdfThumb


class AttachmentEmbeddedPdfPdfThumb(TypedDict):
    url: str | None


class AttachmentPdf(TypedDict):
    """Addresses of the PDF; null in them for other sorts."""

    pdf: AttachmentPdfPdf


class AttachmentPdfPdf(TypedDict):
    url: str | None
    thumb: AttachmentPdfPdfThumb


class AttachmentPdfPdfThumb(TypedDict):
    url: str | None


class AttachmentUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    attachment: AttachmentUpdateAttachment


class AttachmentUpdateAttachment(TypedDict):
    kind: NotRequired[Literal["code", "pdf", "link", "document", "video"]]
    """Sort of attachment, as payloads name it."""
    language_id: NotRequired[int | None]
    """Id of the language that it is in; null where none is named."""
    untranslatable: NotRequired[bool | None]
    """Whether it may have no translations."""
    attachable_attributes: NotRequired[list[AttachmentUpdateAttachmentAttachableAttributesItem]]
    """Files or links to attach, each with a name."""
    base_id: NotRequired[int | None]
    """Id of the attachment that the new one translates."""


class AttachmentUpdateAttachmentAttachableAttributesItem(TypedDict):
    """A new one needs name and attachable_type."""

    name: NotRequired[str]
    attachable_type: NotRequired[Literal["code", "pdf", "link", "document", "video"]]
    """Must be the kind, and match the file."""
    pdf: NotRequired[str | None]
    """The file of a pdf. In multipart/form-data only."""
    video: NotRequired[str | None]
    """The file of a video. In multipart/form-data only."""
    code: NotRequired[str | None]
    """The file of code: text or an archive. In multipart/form-data only."""
    document: NotRequired[str | None]
    """The file of a document: PDF, office, text or picture. In multipart/form-data only."""
    url: NotRequired[str | None]
    """Where a link leads."""


class Balance(TypedDict):
    """A sale: a time in which a pool is paid out for evaluations."""

    id: int
    """Id of the balance."""
    pool_id: int
    """Id of the pool."""
    begin_at: str
    """When it begins."""
    end_at: str | None
    """When it ends; null while no end is set."""


class BalanceCreate(TypedDict):
    """What is to be created."""

    balance: BalanceCreateBalance


class BalanceCreateBalance(TypedDict):
    begin_at: str
    """When it begins."""
    end_at: NotRequired[str | None]
    """When it ends; null while no end is set."""
    pool_id: int
    """Id of the pool."""


class BalanceCreateBelowPool(TypedDict):
    """What is to be created."""

    balance: BalanceCreateBelowPoolBalance


class BalanceCreateBelowPoolBalance(TypedDict):
    begin_at: str
    """When it begins."""
    end_at: NotRequired[str | None]
    """When it ends; null while no end is set."""
    pool_id: NotRequired[int | None]
    """Id of the pool."""


class BalanceUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    balance: BalanceUpdateBalance


class BalanceUpdateBalance(TypedDict):
    begin_at: NotRequired[str]
    """When it begins."""
    end_at: NotRequired[str | None]
    """When it ends; null while no end is set."""
    pool_id: NotRequired[int]
    """Id of the pool."""


class Bloc(TypedDict):
    """The coalitions of a campus and cursus that stand against each other."""

    id: int
    """Id of the bloc."""
    campus_id: int
    """Id of the campus."""
    cursus_id: int
    """Id of the cursus."""
    squad_size: int
    """How many users a squad of it has."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    coalitions: list[Coalition]
    """Coalitions that stand in it."""


class BlocCreate(TypedDict):
    """What is to be created."""

    bloc: BlocCreateBloc


class BlocCreateBloc(TypedDict):
    campus_id: int
    """Id of the campus."""
    cursus_id: int
    """Id of the cursus."""
    squad_size: NotRequired[int | None]
    """How many users a squad of it has."""
    coalition_delay: NotRequired[int | None]
    """Days until a new user belongs to a coalition; null where that is not said."""
    repeat_deadline_delay: NotRequired[int | None]
    """Days from the end of a season to that of the next; null where that is not said."""


class BlocDeadline(TypedDict):
    """One season of a bloc, and who won it."""

    id: int
    """Id of the bloc deadline."""
    bloc_id: int
    """Id of the bloc."""
    coalition_id: int | None
    """Id of the coalition that won; null while nobody has."""
    begin_at: str
    """When the season begins."""
    end_at: str
    """When it ends."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class BlocDeadlineCreate(TypedDict):
    """What is to be created."""

    bloc_deadline: BlocDeadlineCreateBlocDeadline


class BlocDeadlineCreateBlocDeadline(TypedDict):
    bloc_id: int
    """Id of the bloc."""
    coalition_id: NotRequired[int | None]
    """Id of the coalition that won; null while nobody has."""
    begin_at: str
    """When the season begins."""
    end_at: str
    """When it ends."""


class BlocDeadlineUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    bloc_deadline: BlocDeadlineUpdateBlocDeadline


class BlocDeadlineUpdateBlocDeadline(TypedDict):
    bloc_id: NotRequired[int]
    """Id of the bloc."""
    coalition_id: NotRequired[int | None]
    """Id of the coalition that won; null while nobody has."""
    begin_at: NotRequired[str]
    """When the season begins."""
    end_at: NotRequired[str]
    """When it ends."""


class BlocEmbedded(TypedDict):
    """The coalitions of a campus and cursus that stand against each other."""

    id: int
    """Id of the bloc."""
    campus_id: int
    """Id of the campus."""
    cursus_id: int
    """Id of the cursus."""
    squad_size: int
    """How many users a squad of it has."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class BlocUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    bloc: BlocUpdateBloc


class BlocUpdateBloc(TypedDict):
    campus_id: NotRequired[int]
    """Id of the campus."""
    cursus_id: NotRequired[int]
    """Id of the cursus."""
    squad_size: NotRequired[int]
    """How many users a squad of it has."""
    coalition_delay: NotRequired[int | None]
    """Days until a new user belongs to a coalition; null where that is not said."""
    repeat_deadline_delay: NotRequired[int | None]
    """Days from the end of a season to that of the next; null where that is not said."""


class Broadcast(TypedDict):
    """A few words from a campus to those who come by."""

    id: int
    """Id of the broadcast."""
    campus_id: int
    """Id of the campus."""
    tag_id: int | None
    """Id of the word under which it belongs; null for none."""
    content: str
    """What there is to say, in Markdown."""
    pinned_until: str | None
    """Until when it stays on top; null where it does not."""
    hidden_at: str | None
    """When it was hidden; null while it is shown."""
    url: str | None
    """Address to read on at; null where there is none."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    content_html: str | None
    """Always null; Markdown is not rendered."""
    position: int
    """Place among others, from 0."""


class BroadcastCreate(TypedDict):
    """What is to be created."""

    broadcast: BroadcastCreateBroadcast


class BroadcastCreateBroadcast(TypedDict):
    campus_id: int
    """Id of the campus."""
    tag_id: NotRequired[int | None]
    """Id of the word under which it belongs; null for none."""
    content: str
    """What there is to say, in Markdown."""
    pinned_until: NotRequired[str | None]
    """Until when it stays on top; null where it does not."""
    hidden_at: NotRequired[str | None]
    """When it was hidden; null while it is shown."""
    url: NotRequired[str | None]
    """Address to read on at; null where there is none."""
    position: NotRequired[int | None]
    """Place among others, from 0."""
    content_html: NotRequired[str | None]
    """Ignored; HTML of clients is not repeated."""


class BroadcastUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    broadcast: BroadcastUpdateBroadcast


class BroadcastUpdateBroadcast(TypedDict):
    campus_id: NotRequired[int]
    """Id of the campus."""
    tag_id: NotRequired[int | None]
    """Id of the word under which it belongs; null for none."""
    content: NotRequired[str]
    """What there is to say, in Markdown."""
    pinned_until: NotRequired[str | None]
    """Until when it stays on top; null where it does not."""
    hidden_at: NotRequired[str | None]
    """When it was hidden; null while it is shown."""
    url: NotRequired[str | None]
    """Address to read on at; null where there is none."""
    position: NotRequired[int]
    """Place among others, from 0."""
    content_html: NotRequired[str | None]
    """Ignored; HTML of clients is not repeated."""


class Callback(TypedDict):
    """What a webservice answered to an earlier call, as it was reported later."""

    id: int
    """Id of the callback."""
    endpoint_id: int
    """Id of the endpoint."""
    user_id: int
    """Id of the user whom the call told of."""
    url: str
    """Address that was called."""
    initial_data: dict[str, Any]
    """What was sent, without secrets."""
    response_data: dict[str, Any]
    """What was answered, without secrets."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class CallbackEndpointBody(TypedDict):
    url: str
    """Address that was called."""
    user_id: int
    """Id of the user whom the call told of."""
    initial_data: dict[str, Any]
    """What was sent."""
    response_data: dict[str, Any]
    """What was answered."""


class Campus(TypedDict):
    """A place of the school: its people, its seats, its time zone and language."""

    id: int
    """Id of the campus."""
    name: str
    """What the campus is called."""
    time_zone: str
    """IANA name of the time zone that its days are counted in."""
    language: Language
    """The language whose id is `language_id`."""
    users_count: int
    """Number of users who belong to it."""
    vogsphere_id: int | None
    """Id of its Git server; null where it has none."""
    country: str | None
    """Country of its postal address."""
    address: str | None
    """Street and number of its postal address."""
    zip: str | None
    """Postal code of its address."""
    city: str | None
    """Town of its postal address."""
    website: str | None
    """Address of its own website."""
    facebook: str | None
    """Its page on Facebook."""
    twitter: str | None
    """Its account on Twitter."""
    active: bool
    """Whether it is in use."""
    public: bool
    """Whether it is meant to be shown to everybody."""
    email_extension: str | None
    """Domain of its e-mail addresses, without the @."""
    default_hidden_phone: bool
    """Whether phone numbers of its users begin hidden."""
    endpoint: EndpointEmbedded | None
    """The endpoint whose id is `endpoint_id`."""


class CampusCreate(TypedDict):
    """What is to be created."""

    campus: CampusCreateCampus


class CampusCreateCampus(TypedDict):
    name: str
    """What the campus is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    time_zone: str
    """IANA name of the time zone that its days are counted in."""
    language_id: int
    """Id of the language."""
    endpoint_id: NotRequired[int | None]
    """Id of the endpoint; null where there is none."""
    vogsphere_id: NotRequired[int | None]
    """Id of its Git server; null where it has none."""
    country: NotRequired[str | None]
    """Country of its postal address."""
    address: NotRequired[str | None]
    """Street and number of its postal address."""
    zip: NotRequired[str | None]
    """Postal code of its address."""
    city: NotRequired[str | None]
    """Town of its postal address."""
    website: NotRequired[str | None]
    """Address of its own website."""
    facebook: NotRequired[str | None]
    """Its page on Facebook."""
    twitter: NotRequired[str | None]
    """Its account on Twitter."""
    active: NotRequired[bool | None]
    """Whether it is in use."""
    public: NotRequired[bool | None]
    """Whether it is meant to be shown to everybody."""
    email_extension: NotRequired[str | None]
    """Domain of its e-mail addresses, without the @."""
    default_hidden_phone: NotRequired[bool | None]
    """Whether phone numbers of its users begin hidden."""
    main_email: NotRequired[str | None]
    """E-mail address for general questions."""
    content_email: NotRequired[str | None]
    """E-mail address for questions on content."""
    time_of_community_service_started: NotRequired[str | None]
    """Time of day at which community services begin."""
    companies_mail: NotRequired[str | None]
    """E-mail address for companies."""
    pro_needs_validation: NotRequired[bool | None]
    """Whether companies must be validated before they post offers."""
    logo: NotRequired[str | None]
    """Address of its logo."""
    display_name: NotRequired[str | None]
    """Name that is shown to people, where it is not `name`."""
    help_url: NotRequired[str | None]
    """Address of its help pages."""
    open_to_job_offers: NotRequired[bool | None]
    """Whether its students may be shown job offers."""
    tig_email: NotRequired[str | None]
    """E-mail address for community services."""
    minimum_slot_duration: NotRequired[int | None]
    """Shortest time that users may offer for evaluations, in minutes."""
    alumni_system: NotRequired[bool | None]
    """Whether its students become alumni."""
    manual_alumnization_before_first_internship: NotRequired[bool | None]
    """Whether staff may make alumni of students before their first internship."""


class CampusEmbedded(TypedDict):
    """A place of the school: its people, its seats, its time zone and language."""

    id: int
    """Id of the campus."""
    name: str
    """What the campus is called."""
    time_zone: str
    """IANA name of the time zone that its days are counted in."""
    language: Language
    """The language whose id is `language_id`."""
    users_count: int
    """Number of users who belong to it."""
    vogsphere_id: int | None
    """Id of its Git server; null where it has none."""
    country: str | None
    """Country of its postal address."""
    address: str | None
    """Street and number of its postal address."""
    zip: str | None
    """Postal code of its address."""
    city: str | None
    """Town of its postal address."""
    website: str | None
    """Address of its own website."""
    facebook: str | None
    """Its page on Facebook."""
    twitter: str | None
    """Its account on Twitter."""
    active: bool
    """Whether it is in use."""
    public: bool
    """Whether it is meant to be shown to everybody."""
    email_extension: str | None
    """Domain of its e-mail addresses, without the @."""
    default_hidden_phone: bool
    """Whether phone numbers of its users begin hidden."""


# A product is sold at a campus. A new one needs campus_id.
CampusProductAttributes = TypedDict(
    "CampusProductAttributes",
    {
        # Id of the campus.
        "campus_id": "NotRequired[int]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class CampusShort(TypedDict):
    """A place of the school: its people, its seats, its time zone and language."""

    id: int
    """Id of the campus."""
    name: str
    """What the campus is called."""
    time_zone: str
    """IANA name of the time zone that its days are counted in."""
    language: Language
    """The language whose id is `language_id`."""
    users_count: int
    """Number of users who belong to it."""


class CampusUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    campus: CampusUpdateCampus


class CampusUpdateCampus(TypedDict):
    name: NotRequired[str]
    """What the campus is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    time_zone: NotRequired[str]
    """IANA name of the time zone that its days are counted in."""
    language_id: NotRequired[int]
    """Id of the language."""
    endpoint_id: NotRequired[int | None]
    """Id of the endpoint; null where there is none."""
    vogsphere_id: NotRequired[int | None]
    """Id of its Git server; null where it has none."""
    country: NotRequired[str | None]
    """Country of its postal address."""
    address: NotRequired[str | None]
    """Street and number of its postal address."""
    zip: NotRequired[str | None]
    """Postal code of its address."""
    city: NotRequired[str | None]
    """Town of its postal address."""
    website: NotRequired[str | None]
    """Address of its own website."""
    facebook: NotRequired[str | None]
    """Its page on Facebook."""
    twitter: NotRequired[str | None]
    """Its account on Twitter."""
    active: NotRequired[bool]
    """Whether it is in use."""
    public: NotRequired[bool]
    """Whether it is meant to be shown to everybody."""
    email_extension: NotRequired[str | None]
    """Domain of its e-mail addresses, without the @."""
    default_hidden_phone: NotRequired[bool]
    """Whether phone numbers of its users begin hidden."""
    main_email: NotRequired[str | None]
    """E-mail address for general questions."""
    content_email: NotRequired[str | None]
    """E-mail address for questions on content."""
    time_of_community_service_started: NotRequired[str | None]
    """Time of day at which community services begin."""
    companies_mail: NotRequired[str | None]
    """E-mail address for companies."""
    pro_needs_validation: NotRequired[bool]
    """Whether companies must be validated before they post offers."""
    logo: NotRequired[str | None]
    """Address of its logo."""
    display_name: NotRequired[str | None]
    """Name that is shown to people, where it is not `name`."""
    help_url: NotRequired[str | None]
    """Address of its help pages."""
    open_to_job_offers: NotRequired[bool]
    """Whether its students may be shown job offers."""
    tig_email: NotRequired[str | None]
    """E-mail address for community services."""
    minimum_slot_duration: NotRequired[int | None]
    """Shortest time that users may offer for evaluations, in minutes."""
    alumni_system: NotRequired[bool]
    """Whether its students become alumni."""
    manual_alumnization_before_first_internship: NotRequired[bool]
    """Whether staff may make alumni of students before their first internship."""


class CampusUser(TypedDict):
    """A user belongs to a campus; one of theirs is the primary one."""

    id: int
    """Id of the campus user."""
    user_id: int
    """Id of the user."""
    campus_id: int
    """Id of the campus."""
    is_primary: bool
    """Whether it is the primary campus of the user; one is."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


# A user belongs to a campus; one of theirs is the primary one. A new one needs campus_id.
CampusUserAttributes = TypedDict(
    "CampusUserAttributes",
    {
        # Id of the campus.
        "campus_id": "NotRequired[int]",
        # Whether it is the primary campus of the user; one is.
        "is_primary": "NotRequired[bool | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class CampusUserCreate(TypedDict):
    """What is to be created."""

    campus_user: CampusUserCreateCampusUser


class CampusUserCreateBelowUser(TypedDict):
    """What is to be created."""

    campus_user: CampusUserCreateBelowUserCampusUser


class CampusUserCreateBelowUserCampusUser(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user."""
    campus_id: int
    """Id of the campus."""
    is_primary: NotRequired[bool | None]
    """Whether it is the primary campus of the user; one is."""


class CampusUserCreateCampusUser(TypedDict):
    user_id: int
    """Id of the user."""
    campus_id: int
    """Id of the campus."""
    is_primary: NotRequired[bool | None]
    """Whether it is the primary campus of the user; one is."""


class CampusUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    campus_user: CampusUserUpdateCampusUser


class CampusUserUpdateCampusUser(TypedDict):
    user_id: NotRequired[int]
    """Id of the user."""
    campus_id: NotRequired[int]
    """Id of the campus."""
    is_primary: NotRequired[bool]
    """Whether it is the primary campus of the user; one is."""


class Certificate(TypedDict):
    """A certificate that the school gives to users for what they have done."""

    id: int
    """Id of the certificate."""
    name: str
    """What the certificate is called."""
    content: str | None
    """What it certifies."""
    total_certificate_number: int
    """Number of users who have it."""
    image: str | None
    """Address of the picture on it."""
    cursus_id: int | None
    """Id of the cursus that it is for; null for none."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class CertificateCreate(TypedDict):
    """What is to be created."""

    certificate: CertificateCreateCertificate


class CertificateCreateCertificate(TypedDict):
    name: str
    """What the certificate is called."""
    content: NotRequired[str | None]
    """What it certifies."""
    image: NotRequired[str | None]
    """Address of the picture on it."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus that it is for; null for none."""


class CertificateEmbedded(TypedDict):
    """A certificate that the school gives to users for what they have done."""

    id: int
    """Id of the certificate."""
    name: str
    """What the certificate is called."""


class CertificateUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    certificate: CertificateUpdateCertificate


class CertificateUpdateCertificate(TypedDict):
    name: NotRequired[str]
    """What the certificate is called."""
    content: NotRequired[str | None]
    """What it certifies."""
    image: NotRequired[str | None]
    """Address of the picture on it."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus that it is for; null for none."""


class CertificatesUser(TypedDict):
    """A user has a certificate."""

    id: int
    """Id of the certificates user."""
    certificate_id: int
    """Id of the certificate."""
    user_id: int
    """Id of the user."""
    certificate_number: int
    """Number on it, from 1 on for each certificate."""
    qrcode: str | None
    """Address of the code that leads to a proof of it."""
    pdf: str | None
    """Address of it as a file."""
    certified_at: str
    """When it was given."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    certificate: CertificateEmbedded
    """The certificate whose id is `certificate_id`."""
    user: UserReference
    """The user whose id is `user_id`."""


class CertificatesUserCreate(TypedDict):
    """What is to be created."""

    certificates_user: CertificatesUserCreateCertificatesUser


class CertificatesUserCreateCertificatesUser(TypedDict):
    certificate_id: int
    """Id of the certificate."""
    user_id: int
    """Id of the user."""
    certificate_number: NotRequired[int | None]
    """Number on it, from 1 on for each certificate."""
    qrcode: NotRequired[str | None]
    """Address of the code that leads to a proof of it."""
    pdf: NotRequired[str | None]
    """Address of it as a file."""
    certified_at: NotRequired[str | None]
    """When it was given."""


class CertificatesUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    certificates_user: CertificatesUserUpdateCertificatesUser


class CertificatesUserUpdateCertificatesUser(TypedDict):
    certificate_id: NotRequired[int]
    """Id of the certificate."""
    user_id: NotRequired[int]
    """Id of the user."""
    certificate_number: NotRequired[int]
    """Number on it, from 1 on for each certificate."""
    qrcode: NotRequired[str | None]
    """Address of the code that leads to a proof of it."""
    pdf: NotRequired[str | None]
    """Address of it as a file."""
    certified_at: NotRequired[str]
    """When it was given."""


class Changelog(TypedDict):
    """What is new in a version of the intranet, in Markdown."""

    id: int
    """Id of the changelog."""
    version: str
    """Version that it is about."""
    name: str | None
    """Title of the news; null where there is none."""
    content: str
    """What is new, in Markdown."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ChangelogCreate(TypedDict):
    """What is to be created."""

    changelog: ChangelogCreateChangelog


class ChangelogCreateChangelog(TypedDict):
    version: str
    """Version that it is about."""
    name: NotRequired[str | None]
    """Title of the news; null where there is none."""
    content: str
    """What is new, in Markdown."""


class ChangelogUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    changelog: ChangelogUpdateChangelog


class ChangelogUpdateChangelog(TypedDict):
    version: NotRequired[str]
    """Version that it is about."""
    name: NotRequired[str | None]
    """Title of the news; null where there is none."""
    content: NotRequired[str]
    """What is new, in Markdown."""


class Close(TypedDict):
    """The closing of an account: while one of theirs stands, a user is shut out."""

    id: int
    """Id of the close."""
    reason: str | None
    """Why the account was closed; null for those who may not see closes."""
    state: Literal["close", "unclose"]
    """`close` while it shuts the user out, `unclose` once it is lifted."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    end_at: str | None
    """Until when it is meant to last; lifts nothing by itself."""
    kind: Literal["agu", "other", "deserter", "black_hole", "serious_misconduct", "social_security", "non_admitted", "pace_unknown"]
    """What sort of reason it has."""
    community_services: list[CommunityServiceEmbedded]
    """Work by which the user makes up for it."""
    user: UserShort
    """User who is shut out."""
    closer: UserShort | dict[str, Any]
    """User who closed the account; `{}` where nobody is named."""


class CloseCreate(TypedDict):
    """What is to be created."""

    close: CloseCreateClose


class CloseCreateBelowUser(TypedDict):
    """What is to be created."""

    close: CloseCreateBelowUserClose


class CloseCreateBelowUserClose(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user who is shut out."""
    kind: Literal["agu", "other", "deserter", "black_hole", "serious_misconduct", "social_security", "non_admitted", "pace_unknown"]
    """What sort of reason it has."""
    reason: str
    """Why the account was closed; null for those who may not see closes."""
    closer_id: NotRequired[int | None]
    """Id of the user who closed the account; null where nobody is named."""
    state: NotRequired[Literal["close", "unclose"] | None]
    """`close` while it shuts the user out, `unclose` once it is lifted."""
    end_at: NotRequired[str | None]
    """Until when it is meant to last; lifts nothing by itself."""
    community_services_attributes: NotRequired[list[CommunityServiceAttributes]]
    """Community services to create, change or remove along with it."""


class CloseCreateClose(TypedDict):
    user_id: int
    """Id of the user who is shut out."""
    kind: Literal["agu", "other", "deserter", "black_hole", "serious_misconduct", "social_security", "non_admitted", "pace_unknown"]
    """What sort of reason it has."""
    reason: str
    """Why the account was closed; null for those who may not see closes."""
    closer_id: NotRequired[int | None]
    """Id of the user who closed the account; null where nobody is named."""
    state: NotRequired[Literal["close", "unclose"] | None]
    """`close` while it shuts the user out, `unclose` once it is lifted."""
    end_at: NotRequired[str | None]
    """Until when it is meant to last; lifts nothing by itself."""
    community_services_attributes: NotRequired[list[CommunityServiceAttributes]]
    """Community services to create, change or remove along with it."""


class CloseEmbedded(TypedDict):
    """The closing of an account: while one of theirs stands, a user is shut out."""

    id: int
    """Id of the close."""
    reason: str | None
    """Why the account was closed; null for those who may not see closes."""
    state: Literal["close", "unclose"]
    """`close` while it shuts the user out, `unclose` once it is lifted."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class CloseUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    close: CloseUpdateClose


class CloseUpdateClose(TypedDict):
    user_id: NotRequired[int]
    """Id of the user who is shut out."""
    kind: NotRequired[Literal["agu", "other", "deserter", "black_hole", "serious_misconduct", "social_security", "non_admitted", "pace_unknown"]]
    """What sort of reason it has."""
    reason: NotRequired[str]
    """Why the account was closed; null for those who may not see closes."""
    closer_id: NotRequired[int | None]
    """Id of the user who closed the account; null where nobody is named."""
    state: NotRequired[Literal["close", "unclose"]]
    """`close` while it shuts the user out, `unclose` once it is lifted."""
    end_at: NotRequired[str | None]
    """Until when it is meant to last; lifts nothing by itself."""
    community_services_attributes: NotRequired[list[CommunityServiceAttributes]]
    """Community services to create, change or remove along with it."""


class Cluster(TypedDict):
    """A room of a campus with seats at computers."""

    id: int
    """Id of the cluster."""
    name: str
    """What the cluster is called."""
    image: str | None
    """Address of a plan of it; null where there is none."""
    cdn_link: None
    """Always null, for clients that expect it."""
    campus: CampusEmbedded
    """The campus whose id is `campus_id`."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ClusterCreate(TypedDict):
    """What is to be created."""

    cluster: ClusterCreateCluster


class ClusterCreateCluster(TypedDict):
    name: str
    """What the cluster is called."""
    campus_id: int
    """Id of the campus."""
    image: NotRequired[str | None]
    """Address of a plan of it; null where there is none."""


class ClusterUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    cluster: ClusterUpdateCluster


class ClusterUpdateCluster(TypedDict):
    name: NotRequired[str]
    """What the cluster is called."""
    campus_id: NotRequired[int]
    """Id of the campus."""
    image: NotRequired[str | None]
    """Address of a plan of it; null where there is none."""


class Coalition(TypedDict):
    """One of the houses of a bloc, which gather points against each other."""

    id: int
    """Id of the coalition."""
    name: str
    """What the coalition is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    image_url: str | None
    """Address of its coat of arms."""
    cover_url: str | None
    """Address of its background picture."""
    color: str | None
    """Its colour, as `#a1b2c3`."""
    score: int
    """Points that it has gathered."""
    user_id: int | None
    """Id of the user who leads it; null where nobody does."""


class CoalitionCreate(TypedDict):
    """What is to be created."""

    coalition: CoalitionCreateCoalition


class CoalitionCreateCoalition(TypedDict):
    bloc_id: int
    """Id of the bloc in which it stands; null for one from before there were blocs."""
    user_id: NotRequired[int | None]
    """Id of the user who leads it; null where nobody does."""
    name: str
    """What the coalition is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    image_url: NotRequired[str | None]
    """Address of its coat of arms."""
    cover_url: NotRequired[str | None]
    """Address of its background picture."""
    color: str
    """Its colour, as `#a1b2c3`."""
    score: NotRequired[int | None]
    """Points that it has gathered."""
    image: NotRequired[str | None]
    """File of its coat of arms; null takes it away."""
    cover: NotRequired[str | None]
    """File of its background picture; null takes it away."""


class CoalitionUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    coalition: CoalitionUpdateCoalition


class CoalitionUpdateCoalition(TypedDict):
    bloc_id: NotRequired[int]
    """Id of the bloc in which it stands; null for one from before there were blocs."""
    user_id: NotRequired[int | None]
    """Id of the user who leads it; null where nobody does."""
    name: NotRequired[str]
    """What the coalition is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    image_url: NotRequired[str | None]
    """Address of its coat of arms."""
    cover_url: NotRequired[str | None]
    """Address of its background picture."""
    color: NotRequired[str]
    """Its colour, as `#a1b2c3`."""
    score: NotRequired[int]
    """Points that it has gathered."""
    image: NotRequired[str | None]
    """File of its coat of arms; null takes it away."""
    cover: NotRequired[str | None]
    """File of its background picture; null takes it away."""


class CoalitionsUser(TypedDict):
    """A user belongs to a coalition, with the points that they brought it."""

    id: int
    """Id of the coalitions user."""
    coalition_id: int
    """Id of the coalition."""
    user_id: int
    """Id of the user."""
    score: int
    """Points that the user brought it."""
    rank: int
    """Place of the user in the coalition by points, 1 for the most; those with the same points share it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class CoalitionsUserCreate(TypedDict):
    """What is to be created."""

    coalitions_user: CoalitionsUserCreateCoalitionsUser


class CoalitionsUserCreateBelowCoalition(TypedDict):
    """What is to be created."""

    coalitions_user: CoalitionsUserCreateBelowCoalitionCoalitionsUser


class CoalitionsUserCreateBelowCoalitionCoalitionsUser(TypedDict):
    coalition_id: NotRequired[int | None]
    """Id of the coalition."""
    user_id: int
    """Id of the user."""
    score: NotRequired[int | None]
    """Points that the user brought it."""
    this_year_score: NotRequired[int | None]
    """Points that the user brought it, as `score`."""
    this_year_score_updated_at: NotRequired[str | None]
    """When points were last counted; null before."""


class CoalitionsUserCreateBelowUser(TypedDict):
    """What is to be created."""

    coalitions_user: CoalitionsUserCreateBelowUserCoalitionsUser


class CoalitionsUserCreateBelowUserCoalitionsUser(TypedDict):
    coalition_id: int
    """Id of the coalition."""
    user_id: NotRequired[int | None]
    """Id of the user."""
    score: NotRequired[int | None]
    """Points that the user brought it."""
    this_year_score: NotRequired[int | None]
    """Points that the user brought it, as `score`."""
    this_year_score_updated_at: NotRequired[str | None]
    """When points were last counted; null before."""


class CoalitionsUserCreateCoalitionsUser(TypedDict):
    coalition_id: int
    """Id of the coalition."""
    user_id: int
    """Id of the user."""
    score: NotRequired[int | None]
    """Points that the user brought it."""
    this_year_score: NotRequired[int | None]
    """Points that the user brought it, as `score`."""
    this_year_score_updated_at: NotRequired[str | None]
    """When points were last counted; null before."""


class CoalitionsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    coalitions_user: CoalitionsUserUpdateCoalitionsUser


class CoalitionsUserUpdateCoalitionsUser(TypedDict):
    coalition_id: NotRequired[int]
    """Id of the coalition."""
    user_id: NotRequired[int]
    """Id of the user."""
    score: NotRequired[int]
    """Points that the user brought it."""
    this_year_score: NotRequired[int]
    """Points that the user brought it, as `score`."""
    this_year_score_updated_at: NotRequired[str | None]
    """When points were last counted; null before."""


class Command(TypedDict):
    """An order of a product."""

    id: int
    """Id of the command."""
    product_id: int
    """Id of the product."""
    user_id: int
    """Id of the user who ordered it."""
    owner_id: int | None
    """Id of the user whose it is; null for nobody."""
    used: bool
    """Whether it has been used up."""
    validator_id: int | None
    """Id of the user who handed it over; null before."""
    validated_at: str | None
    """When it was handed over; null before."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class CommunityService(TypedDict):
    """Hours of work for the campus, by which a user makes up for what led to a close."""

    id: int
    """Id of the community service."""
    duration: Literal[7200, 14400, 28800]
    """How long the work takes, in seconds."""
    schedule_at: str | None
    """When the work is to be done; null until it is planned."""
    occupation: str | None
    """What is to be done."""
    state: Literal["schedule", "validated", "invalidated"]
    """`schedule` until staff find the work done or not done."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    close: CloseEmbedded | None
    """Close that the work makes up for; null where there is none."""


# Hours of work for the campus, by which a user makes up for what led to a close. A new one needs duration.
CommunityServiceAttributes = TypedDict(
    "CommunityServiceAttributes",
    {
        # How long the work takes, in seconds.
        "duration": "NotRequired[Literal[7200, 14400, 28800]]",
        # What is to be done.
        "occupation": "NotRequired[str | None]",
        # When the work is to be done; null until it is planned.
        "schedule_at": "NotRequired[str | None]",
        # Id of the user who oversees the work; null where nobody is named.
        "tiger_id": "NotRequired[int | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class CommunityServiceCreate(TypedDict):
    """What is to be created."""

    community_service: CommunityServiceCreateCommunityService


class CommunityServiceCreateCommunityService(TypedDict):
    duration: Literal[7200, 14400, 28800]
    """How long the work takes, in seconds."""
    occupation: NotRequired[str | None]
    """What is to be done."""
    schedule_at: NotRequired[str | None]
    """When the work is to be done; null until it is planned."""
    close_id: NotRequired[int | None]
    """Id of the close; null where there is none."""
    tiger_id: NotRequired[int | None]
    """Id of the user who oversees the work; null where nobody is named."""


class CommunityServiceEmbedded(TypedDict):
    """Hours of work for the campus, by which a user makes up for what led to a close."""

    id: int
    """Id of the community service."""
    duration: Literal[7200, 14400, 28800]
    """How long the work takes, in seconds."""
    schedule_at: str | None
    """When the work is to be done; null until it is planned."""
    occupation: str | None
    """What is to be done."""
    state: Literal["schedule", "validated", "invalidated"]
    """`schedule` until staff find the work done or not done."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class CommunityServiceUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    community_service: CommunityServiceUpdateCommunityService


class CommunityServiceUpdateCommunityService(TypedDict):
    duration: NotRequired[Literal[7200, 14400, 28800]]
    """How long the work takes, in seconds."""
    occupation: NotRequired[str | None]
    """What is to be done."""
    schedule_at: NotRequired[str | None]
    """When the work is to be done; null until it is planned."""
    close_id: NotRequired[int | None]
    """Id of the close; null where there is none."""
    tiger_id: NotRequired[int | None]
    """Id of the user who oversees the work; null where nobody is named."""


class CorrectionPointHistoric(TypedDict):
    """A change of the evaluation points of a user. What they have is the sum of all."""

    id: int
    """Id of the correction point historic."""
    scale_team_id: int | None | None
    """Id of the evaluation that it was for; null for none, and once the evaluation is gone."""
    reason: str
    """Why points came or went: `Defense plannification`, `Earning after defense` and others."""
    sum: int
    """Points that came; negative where they went."""
    total: int
    """Points that the user had afterwards."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class CreateAppAnswer(TypedDict):
    id: int
    """Id of the app."""
    name: str
    """What the app is called."""
    description: str | None
    """What it does, in the words of its owner."""
    image: str | None
    """Address of its logo."""
    website: str | None
    """Address of its website."""
    public: bool
    """Whether everybody sees it in lists."""
    scopes: list[str]
    """What its tokens may be asked for."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    owner: UserShort | dict[str, Any]
    """Who is responsible for it; `{}` where nobody is."""
    rate_limit: int
    """Requests that it may make in an hour."""
    roles: list[RoleEmbedded]
    """Roles that staff gave it."""
    uid: str | None
    """The id with which the application signs on."""
    secret: str | None
    """Its secret, which is not kept and never shown again; null for an application that cannot keep one."""


class Cursus(TypedDict):
    """A course of study that users take part in, each with a level of their own."""

    id: int
    """Id of the cursus."""
    created_at: str
    """When it was created."""
    name: str
    """What the cursus is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    kind: Literal["main", "main_deprecated", "piscine", "piscine_deprecated", "piscine_community", "test", "external", "external_deprecated", "professional_training", "professional_training_deprecated"]
    """What sort of course it is, such as `piscine`."""
    users_count: int
    """Number of users who take or took part in it."""
    users_url: str
    """Address of the list of its users."""
    projects_url: str
    """Address of the list of its projects."""
    topics_url: str
    """Address of the list of its topics."""


class CursusCreate(TypedDict):
    """What is to be created."""

    cursus: CursusCreateCursus


class CursusCreateCursus(TypedDict):
    name: str
    """What the cursus is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    kind: NotRequired[Literal["main", "main_deprecated", "piscine", "piscine_deprecated", "piscine_community", "test", "external", "external_deprecated", "professional_training", "professional_training_deprecated"] | None]
    """What sort of course it is, such as `piscine`."""
    restricted: NotRequired[bool | None]
    """Whether it is for some users only."""
    is_subscriptable: NotRequired[bool | None]
    """Whether users may enter it."""
    skill_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (cursus_skills); others are untied."""


class CursusEmbedded(TypedDict):
    """A course of study that users take part in, each with a level of their own."""

    id: int
    """Id of the cursus."""
    created_at: str
    """When it was created."""
    name: str
    """What the cursus is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    kind: Literal["main", "main_deprecated", "piscine", "piscine_deprecated", "piscine_community", "test", "external", "external_deprecated", "professional_training", "professional_training_deprecated"]
    """What sort of course it is, such as `piscine`."""


class CursusUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    cursus: CursusUpdateCursus


class CursusUpdateCursus(TypedDict):
    name: NotRequired[str]
    """What the cursus is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    kind: NotRequired[Literal["main", "main_deprecated", "piscine", "piscine_deprecated", "piscine_community", "test", "external", "external_deprecated", "professional_training", "professional_training_deprecated"]]
    """What sort of course it is, such as `piscine`."""
    restricted: NotRequired[bool]
    """Whether it is for some users only."""
    is_subscriptable: NotRequired[bool]
    """Whether users may enter it."""
    skill_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (cursus_skills); others are untied."""


class CursusUser(TypedDict):
    """A user takes part in a cursus, from a day on, with a level and skills of their own."""

    id: int
    """Id of the cursus user."""
    begin_at: str
    """When the user entered the cursus."""
    end_at: str | None
    """When the user left or leaves it; null while no end is set."""
    grade: str | None
    """Rank reached in the cursus; null before the first."""
    level: float
    """Level reached, from 0; the decimals are the way to the next."""
    skills: list[CursusUsersSkill]
    """Levels of the user in the skills of the cursus."""
    cursus_id: int
    """Id of the cursus."""
    has_coalition: bool
    """Whether the user has a coalition in the cursus."""
    blackholed_at: str | None
    """When the time of the user runs out; null where it does not."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    user: UserShort
    """The user whose id is `user_id`."""
    cursus: CursusEmbedded
    """The cursus whose id is `cursus_id`."""


# A user takes part in a cursus, from a day on, with a level and skills of their own. A new one needs cursus_id.
CursusUserAttributes = TypedDict(
    "CursusUserAttributes",
    {
        # Id of the cursus.
        "cursus_id": "NotRequired[int]",
        # When the user entered the cursus.
        "begin_at": "NotRequired[str | None]",
        # When the user left or leaves it; null while no end is set.
        "end_at": "NotRequired[str | None]",
        # Whether the user has a coalition in the cursus.
        "has_coalition": "NotRequired[bool | None]",
        # Rank reached in the cursus; null before the first.
        "grade": "NotRequired[str | None]",
        # Level reached, from 0; the decimals are the way to the next.
        "level": "NotRequired[float | None]",
        # When the time of the user runs out; null where it does not.
        "blackholed_at": "NotRequired[str | None]",
        # Ignored; any begin is allowed.
        "skip_begin_validation": "NotRequired[bool | None]",
        # Cursus users skills to create, change or remove along with it.
        "skills_attributes": "NotRequired[list[CursusUsersSkillAttributes]]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class CursusUserCreate(TypedDict):
    """What is to be created."""

    cursus_user: CursusUserCreateCursusUser


class CursusUserCreateBelowUser(TypedDict):
    """What is to be created."""

    cursus_user: CursusUserCreateBelowUserCursusUser


class CursusUserCreateBelowUserCursusUser(TypedDict):
    cursus_id: int
    """Id of the cursus."""
    user_id: NotRequired[int | None]
    """Id of the user."""
    begin_at: NotRequired[str | None]
    """When the user entered the cursus."""
    end_at: NotRequired[str | None]
    """When the user left or leaves it; null while no end is set."""
    has_coalition: NotRequired[bool | None]
    """Whether the user has a coalition in the cursus."""
    grade: NotRequired[str | None]
    """Rank reached in the cursus; null before the first."""
    level: NotRequired[float | None]
    """Level reached, from 0; the decimals are the way to the next."""
    blackholed_at: NotRequired[str | None]
    """When the time of the user runs out; null where it does not."""
    skip_begin_validation: NotRequired[bool | None]
    """Ignored; any begin is allowed."""
    skills_attributes: NotRequired[list[CursusUsersSkillAttributes]]
    """Cursus users skills to create, change or remove along with it."""


class CursusUserCreateCursusUser(TypedDict):
    cursus_id: int
    """Id of the cursus."""
    user_id: int
    """Id of the user."""
    begin_at: NotRequired[str | None]
    """When the user entered the cursus."""
    end_at: NotRequired[str | None]
    """When the user left or leaves it; null while no end is set."""
    has_coalition: NotRequired[bool | None]
    """Whether the user has a coalition in the cursus."""
    grade: NotRequired[str | None]
    """Rank reached in the cursus; null before the first."""
    level: NotRequired[float | None]
    """Level reached, from 0; the decimals are the way to the next."""
    blackholed_at: NotRequired[str | None]
    """When the time of the user runs out; null where it does not."""
    skip_begin_validation: NotRequired[bool | None]
    """Ignored; any begin is allowed."""
    skills_attributes: NotRequired[list[CursusUsersSkillAttributes]]
    """Cursus users skills to create, change or remove along with it."""


class CursusUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    cursus_user: CursusUserUpdateCursusUser


class CursusUserUpdateCursusUser(TypedDict):
    cursus_id: NotRequired[int]
    """Id of the cursus."""
    user_id: NotRequired[int]
    """Id of the user."""
    begin_at: NotRequired[str]
    """When the user entered the cursus."""
    end_at: NotRequired[str | None]
    """When the user left or leaves it; null while no end is set."""
    has_coalition: NotRequired[bool]
    """Whether the user has a coalition in the cursus."""
    grade: NotRequired[str | None]
    """Rank reached in the cursus; null before the first."""
    level: NotRequired[float]
    """Level reached, from 0; the decimals are the way to the next."""
    blackholed_at: NotRequired[str | None]
    """When the time of the user runs out; null where it does not."""
    skip_begin_validation: NotRequired[bool | None]
    """Ignored; any begin is allowed."""
    skills_attributes: NotRequired[list[CursusUsersSkillAttributes]]
    """Cursus users skills to create, change or remove along with it."""


class CursusUsersSkill(TypedDict):
    """The level of a user in one skill of a cursus."""

    id: int
    """Id of the skill."""
    name: str
    """What the skill is called."""
    level: float
    """Level of the user in the skill, from 0."""


# The level of a user in one skill of a cursus. A new one needs id, level.
CursusUsersSkillAttributes = TypedDict(
    "CursusUsersSkillAttributes",
    {
        # What the element is about; it changes where it is there already, and is new where it is not.
        "id": "NotRequired[int]",
        # Level of the user in the skill, from 0.
        "level": "NotRequired[float]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class Dash(TypedDict):
    """A contest of a few hours or days that gives experience in a skill."""

    id: int
    """Id of the dash."""
    name: str
    """What the dash is called."""
    description: str | None
    """What is to be done."""
    slug: str
    """Name in addresses, which stands for the id."""
    cursus_id: int | None
    """Id of the cursus; null where there is none."""
    campus_id: int | None
    """Id of the campus; null where there is none."""
    skill_id: int | None
    """Id of the skill that it gives experience in."""
    nbr_xp: str | None
    """Experience that it gives, as text."""
    begin_at: str | None
    """When it begins; null while that is open."""
    end_at: str | None
    """When it ends; null while that is open."""


class DashCreate(TypedDict):
    """What is to be created."""

    dash: DashCreateDash


class DashCreateDash(TypedDict):
    name: str
    """What the dash is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    description: NotRequired[str | None]
    """What is to be done."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus; null where there is none."""
    campus_id: NotRequired[int | None]
    """Id of the campus; null where there is none."""
    skill_id: NotRequired[int | None]
    """Id of the skill that it gives experience in."""
    nbr_xp: NotRequired[str | None]
    """Experience that it gives, as text."""
    begin_at: NotRequired[str | None]
    """When it begins; null while that is open."""
    end_at: NotRequired[str | None]
    """When it ends; null while that is open."""


class DashUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    dash: DashUpdateDash


class DashUpdateDash(TypedDict):
    name: NotRequired[str]
    """What the dash is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    description: NotRequired[str | None]
    """What is to be done."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus; null where there is none."""
    campus_id: NotRequired[int | None]
    """Id of the campus; null where there is none."""
    skill_id: NotRequired[int | None]
    """Id of the skill that it gives experience in."""
    nbr_xp: NotRequired[str | None]
    """Experience that it gives, as text."""
    begin_at: NotRequired[str | None]
    """When it begins; null while that is open."""
    end_at: NotRequired[str | None]
    """When it ends; null while that is open."""


class DashesUser(TypedDict):
    """A user takes part in a dash."""

    id: int
    """Id of the dashes user."""
    dash_id: int
    """Id of the dash."""
    user_id: int
    """Id of the user."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class DashesUserCreate(TypedDict):
    """What is to be created."""

    dashes_user: DashesUserCreateDashesUser


class DashesUserCreateBelowDash(TypedDict):
    """What is to be created."""

    dashes_user: DashesUserCreateBelowDashDashesUser


class DashesUserCreateBelowDashDashesUser(TypedDict):
    dash_id: NotRequired[int | None]
    """Id of the dash."""
    user_id: int
    """Id of the user."""


class DashesUserCreateBelowUser(TypedDict):
    """What is to be created."""

    dashes_user: DashesUserCreateBelowUserDashesUser


class DashesUserCreateBelowUserDashesUser(TypedDict):
    dash_id: int
    """Id of the dash."""
    user_id: NotRequired[int | None]
    """Id of the user."""


class DashesUserCreateDashesUser(TypedDict):
    dash_id: int
    """Id of the dash."""
    user_id: int
    """Id of the user."""


class DashesUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    dashes_user: DashesUserUpdateDashesUser


class DashesUserUpdateDashesUser(TypedDict):
    dash_id: NotRequired[int]
    """Id of the dash."""
    user_id: NotRequired[int]
    """Id of the user."""


class Delivery(TypedDict):
    """The delivery of a webhook event to an endpoint: its record, every attempt and the result."""

    id: int
    """Id of the delivery."""
    webhook_id: str
    """Id that all tries of the call carry, by which a receiver knows repeats."""
    endpoint_id: int
    """Id of the endpoint."""
    user_id: int
    """Id of the user whom it tells of."""
    login: str
    """Login of the user whom it tells of."""
    event: Literal["created", "updated", "closed", "unclosed"]
    """What happened to the user."""
    state: Literal["pending", "delivered", "rejected", "dead"]
    """`pending` until it is decided."""
    tries: int
    """How often it was tried."""
    next_try_at: str | None
    """When it is tried next; null once it is decided."""
    last_try_at: str | None
    """When it was tried last; null before the first try."""
    status: int | None
    """HTTP status of the last answer; null without one."""
    error: str | None
    """What went wrong at the last try; null where nothing did."""
    milliseconds: int | None
    """How long the last try took; null before the first."""
    secrets: Literal["none", "sealed", "sent", "lost", "erased"]
    """What became of the password and meta that went along."""
    decided_at: str | None
    """When it was delivered or given up; null before."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    record: dict[str, Any]
    """What is told, without secrets."""
    answer: str | None
    """Beginning of the last answer; null without one."""
    attempts: list[DeliveryAttemptsItem]
    """Every try, with what came of it."""


class DeliveryAttemptsItem(TypedDict):
    at: str
    """When it was tried."""
    status: int | None
    """HTTP status of the answer; null without one."""
    error: str | None
    """What went wrong; null where nothing did."""
    milliseconds: int
    """How long it took."""


class DeliveryShort(TypedDict):
    """The delivery of a webhook event to an endpoint: its record, every attempt and the result."""

    id: int
    """Id of the delivery."""
    webhook_id: str
    """Id that all tries of the call carry, by which a receiver knows repeats."""
    endpoint_id: int
    """Id of the endpoint."""
    user_id: int
    """Id of the user whom it tells of."""
    login: str
    """Login of the user whom it tells of."""
    event: Literal["created", "updated", "closed", "unclosed"]
    """What happened to the user."""
    state: Literal["pending", "delivered", "rejected", "dead"]
    """`pending` until it is decided."""
    tries: int
    """How often it was tried."""
    next_try_at: str | None
    """When it is tried next; null once it is decided."""
    last_try_at: str | None
    """When it was tried last; null before the first try."""
    status: int | None
    """HTTP status of the last answer; null without one."""
    error: str | None
    """What went wrong at the last try; null where nothing did."""
    milliseconds: int | None
    """How long the last try took; null before the first."""
    secrets: Literal["none", "sealed", "sent", "lost", "erased"]
    """What became of the password and meta that went along."""
    decided_at: str | None
    """When it was delivered or given up; null before."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class Endpoint(TypedDict):
    """The webservice of one or more campuses: it gets a webhook when an account is created, changed, closed or opened again."""

    id: int
    """Id of the endpoint."""
    url: str
    """Address of the webservice, over HTTPS."""
    description: str | None
    """What it is for, in the words of staff."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    campus: list[CampusShort]
    """Campuses whose users it is told of."""


class EndpointCreate(TypedDict):
    """What is to be created."""

    endpoint: EndpointCreateEndpoint


class EndpointCreateEndpoint(TypedDict):
    id: NotRequired[int | None]
    """Id of the endpoint."""
    url: str
    """Address of the webservice, over HTTPS."""
    secret: NotRequired[str | None]
    """Secret that goes along as `key`; null where none does."""
    description: NotRequired[str | None]
    """What it is for, in the words of staff."""
    created_at: NotRequired[str | None]
    """When it was created."""
    updated_at: NotRequired[str | None]
    """When it was last changed."""
    active: NotRequired[bool | None]
    """Whether it is switched on."""


class EndpointEmbedded(TypedDict):
    """The webservice of one or more campuses: it gets a webhook when an account is created, changed, closed or opened again."""

    id: int
    """Id of the endpoint."""
    url: str
    """Address of the webservice, over HTTPS."""
    description: str | None
    """What it is for, in the words of staff."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class EndpointUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    endpoint: EndpointUpdateEndpoint


class EndpointUpdateEndpoint(TypedDict):
    id: NotRequired[int]
    """Id of the endpoint."""
    url: NotRequired[str]
    """Address of the webservice, over HTTPS."""
    secret: NotRequired[str | None]
    """Secret that goes along as `key`; null where none does."""
    description: NotRequired[str | None]
    """What it is for, in the words of staff."""
    created_at: NotRequired[str]
    """When it was created."""
    updated_at: NotRequired[str]
    """When it was last changed."""
    active: NotRequired[bool]
    """Whether it is switched on."""


class Evaluation(TypedDict):
    """One of the ways in which a project session is evaluated: by people with a scale, or by an upload."""

    id: int
    """Id of the evaluation."""
    kind: Literal["scale", "upload"]
    """`scale` by people, `upload` by a program."""
    position: int
    """Place among the evaluations of the session, lowest first."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


# One of the ways in which a project session is evaluated: by people with a scale, or by an upload. A new one needs kind.
EvaluationAttributes = TypedDict(
    "EvaluationAttributes",
    {
        # `scale` by people, `upload` by a program.
        "kind": "NotRequired[Literal[\"scale\", \"upload\"]]",
        # Place among the evaluations of the session, lowest first.
        "position": "NotRequired[int | None]",
        # Scales to create, change or remove along with it.
        "scales_attributes": "NotRequired[list[ScaleAttributes]]",
        # Uploads to create, change or remove along with it.
        "uploads_attributes": "NotRequired[list[UploadAttributes]]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class EvaluationCreate(TypedDict):
    """What is to be created."""

    evaluation: EvaluationCreateEvaluation


class EvaluationCreateEvaluation(TypedDict):
    kind: Literal["scale", "upload"]
    """`scale` by people, `upload` by a program."""
    position: NotRequired[int | None]
    """Place among the evaluations of the session, lowest first."""
    project_session_id: NotRequired[int | None]
    """Id of the project session; null where there is none."""
    scales_attributes: NotRequired[list[ScaleAttributes]]
    """Scales to create, change or remove along with it."""
    uploads_attributes: NotRequired[list[UploadAttributes]]
    """Uploads to create, change or remove along with it."""


class EvaluationEmbedded(TypedDict):
    """One of the ways in which a project session is evaluated: by people with a scale, or by an upload."""

    id: int
    """Id of the evaluation."""
    kind: Literal["scale", "upload"]
    """`scale` by people, `upload` by a program."""


class EvaluationUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    evaluation: EvaluationUpdateEvaluation


class EvaluationUpdateEvaluation(TypedDict):
    kind: NotRequired[Literal["scale", "upload"]]
    """`scale` by people, `upload` by a program."""
    position: NotRequired[int]
    """Place among the evaluations of the session, lowest first."""
    project_session_id: NotRequired[int | None]
    """Id of the project session; null where there is none."""
    scales_attributes: NotRequired[list[ScaleAttributes]]
    """Scales to create, change or remove along with it."""
    uploads_attributes: NotRequired[list[UploadAttributes]]
    """Uploads to create, change or remove along with it."""


class Event(TypedDict):
    """Something that takes place at a campus, and that users may register for."""

    id: int
    """Id of the event."""
    name: str
    """What the event is called."""
    description: str
    """What it is about, in Markdown."""
    location: str | None
    """Where it takes place."""
    kind: Literal["pedago", "rush", "piscine", "partnership", "meet", "conference", "meet_up", "event", "association", "speed_working", "hackathon", "workshop", "challenge", "atelier", "other", "extern"]
    """What sort of event it is."""
    max_people: int | None
    """Number of places; null where there is no limit."""
    nbr_subscribers: int
    """Number of users who have a place."""
    begin_at: str
    """When it begins."""
    end_at: str
    """When it ends."""
    campus_ids: list[int]
    """Ids of the campuses that it is for."""
    cursus_ids: list[int]
    """Ids of the cursus that it is for."""
    themes: list[Theme]
    """What it is about."""
    waitlist: Waitlist | None
    """Line of those who wait for a place; null where there is none."""
    prohibition_of_cancellation: int | None
    """Hours before the begin from which nobody may cancel; null where they always may."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class EventCreate(TypedDict):
    """What is to be created."""

    event: EventCreateEvent


class EventCreateEvent(TypedDict):
    name: str
    """What the event is called."""
    begin_at: str
    """When it begins."""
    end_at: str
    """When it ends."""
    description: str
    """What it is about, in Markdown."""
    kind: Literal["pedago", "rush", "piscine", "partnership", "meet", "conference", "meet_up", "event", "association", "speed_working", "hackathon", "workshop", "challenge", "atelier", "other", "extern"]
    """What sort of event it is."""
    location: NotRequired[str | None]
    """Where it takes place."""
    max_people: NotRequired[int | None]
    """Number of places; null where there is no limit."""
    prohibition_of_cancellation: NotRequired[int | None]
    """Hours before the begin from which nobody may cancel; null where they always may."""
    difficulty: NotRequired[int | None]
    """How hard it is; a larger number is harder."""
    remote: NotRequired[bool | None]
    """Whether users take part from afar."""
    activate_waitlist: NotRequired[bool | None]
    """Whether users may wait for a place once it is full."""
    events_themes_attributes: NotRequired[list[EventsThemeAttributes]]
    """Events themes to create, change or remove along with it."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (events_cursus); others are untied."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (events_campus); others are untied."""


class EventUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    event: EventUpdateEvent


class EventUpdateEvent(TypedDict):
    name: NotRequired[str]
    """What the event is called."""
    begin_at: NotRequired[str]
    """When it begins."""
    end_at: NotRequired[str]
    """When it ends."""
    description: NotRequired[str]
    """What it is about, in Markdown."""
    kind: NotRequired[Literal["pedago", "rush", "piscine", "partnership", "meet", "conference", "meet_up", "event", "association", "speed_working", "hackathon", "workshop", "challenge", "atelier", "other", "extern"]]
    """What sort of event it is."""
    location: NotRequired[str | None]
    """Where it takes place."""
    max_people: NotRequired[int | None]
    """Number of places; null where there is no limit."""
    prohibition_of_cancellation: NotRequired[int | None]
    """Hours before the begin from which nobody may cancel; null where they always may."""
    difficulty: NotRequired[int | None]
    """How hard it is; a larger number is harder."""
    remote: NotRequired[bool]
    """Whether users take part from afar."""
    activate_waitlist: NotRequired[bool | None]
    """Whether users may wait for a place once it is full."""
    events_themes_attributes: NotRequired[list[EventsThemeAttributes]]
    """Events themes to create, change or remove along with it."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (events_cursus); others are untied."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (events_campus); others are untied."""


# An event is about a theme.
EventsThemeAttributes = TypedDict(
    "EventsThemeAttributes",
    {
        # Id of the theme.
        "theme_id": "NotRequired[int | None]",
        # A new theme to create along with it.
        "theme_attributes": "NotRequired[ThemeNew]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class EventsUser(TypedDict):
    """A user is registered for an event, or waits for a place at it."""

    id: int
    """Id of the events user."""
    event_id: int
    """Id of the event."""
    user_id: int
    """Id of the user."""
    user: UserShort
    """The user whose id is `user_id`."""
    event: Event
    """The event whose id is `event_id`."""


class EventsUserCreate(TypedDict):
    """What is to be created."""

    events_user: EventsUserCreateEventsUser


class EventsUserCreateEventsUser(TypedDict):
    event_id: int
    """Id of the event."""
    user_id: int
    """Id of the user."""


class EventsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    events_user: EventsUserUpdateEventsUser


class EventsUserUpdateEventsUser(TypedDict):
    event_id: NotRequired[int]
    """Id of the event."""
    user_id: NotRequired[int]
    """Id of the user."""


class Exam(TypedDict):
    """Some hours at a campus in which registered users work alone and are marked for it."""

    id: int
    """Id of the exam."""
    ip_range: str | None
    """Networks from which it is written, in CIDR notation."""
    begin_at: str
    """When it begins."""
    end_at: str
    """When it ends."""
    location: str | None
    """Rooms that it is written in."""
    max_people: int | None
    """Number of places; null where there is no limit."""
    nbr_subscribers: int
    """Number of users who have a place."""
    name: str
    """What the exam is called."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    campus: CampusEmbedded | None
    """Campus where it is written; null for no particular one."""
    cursus: list[CursusEmbedded]
    """Courses that it is for."""
    projects: list[ProjectEmbedded]
    """Projects that can be done in it."""


class ExamCreate(TypedDict):
    """What is to be created."""

    exam: ExamCreateExam


class ExamCreateExam(TypedDict):
    name: str
    """What the exam is called."""
    begin_at: str
    """When it begins."""
    end_at: str
    """When it ends."""
    location: NotRequired[str | None]
    """Rooms that it is written in."""
    ip_range: NotRequired[str | None]
    """Networks from which it is written, in CIDR notation."""
    max_people: NotRequired[int | None]
    """Number of places; null where there is no limit."""
    campus_id: NotRequired[int | None]
    """Id of the campus where it is written; null for no particular one."""
    validated_at: NotRequired[str | None]
    """When staff validated it; null before."""
    visible: NotRequired[bool | None]
    """Whether it is shown to everybody."""
    validator_id: NotRequired[int | None]
    """Id of the user who validated it; null before."""
    prohibition_of_cancellation: NotRequired[int | None]
    """Hours before the begin from which places are no longer given up, for programs that take them back; null for none."""
    activate_waitlist: NotRequired[bool | None]
    """Whether users may wait for a place once it is full."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (exams_cursus); others are untied."""
    project_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (exams_projects); others are untied."""


class ExamUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    exam: ExamUpdateExam


class ExamUpdateExam(TypedDict):
    name: NotRequired[str]
    """What the exam is called."""
    begin_at: NotRequired[str]
    """When it begins."""
    end_at: NotRequired[str]
    """When it ends."""
    location: NotRequired[str | None]
    """Rooms that it is written in."""
    ip_range: NotRequired[str | None]
    """Networks from which it is written, in CIDR notation."""
    max_people: NotRequired[int | None]
    """Number of places; null where there is no limit."""
    campus_id: NotRequired[int | None]
    """Id of the campus where it is written; null for no particular one."""
    validated_at: NotRequired[str | None]
    """When staff validated it; null before."""
    visible: NotRequired[bool]
    """Whether it is shown to everybody."""
    validator_id: NotRequired[int | None]
    """Id of the user who validated it; null before."""
    prohibition_of_cancellation: NotRequired[int | None]
    """Hours before the begin from which places are no longer given up, for programs that take them back; null for none."""
    activate_waitlist: NotRequired[bool | None]
    """Whether users may wait for a place once it is full."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (exams_cursus); others are untied."""
    project_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (exams_projects); others are untied."""


class ExamsUser(TypedDict):
    """A user is registered for an exam, or waits for a place at it."""

    id: int
    """Id of the exams user."""
    exam_id: int
    """Id of the exam."""
    user_id: int
    """Id of the user."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    user: UserShort
    """The user whose id is `user_id`."""
    exam: Exam
    """The exam whose id is `exam_id`."""


class ExamsUserCreate(TypedDict):
    """What is to be created."""

    exams_user: ExamsUserCreateExamsUser


class ExamsUserCreateBelowExam(TypedDict):
    """What is to be created."""

    exams_user: ExamsUserCreateBelowExamExamsUser


class ExamsUserCreateBelowExamExamsUser(TypedDict):
    exam_id: NotRequired[int | None]
    """Id of the exam."""
    user_id: int
    """Id of the user."""


class ExamsUserCreateExamsUser(TypedDict):
    exam_id: int
    """Id of the exam."""
    user_id: int
    """Id of the user."""


class ExamsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    exams_user: ExamsUserUpdateExamsUser


class ExamsUserUpdateExamsUser(TypedDict):
    exam_id: NotRequired[int]
    """Id of the exam."""
    user_id: NotRequired[int]
    """Id of the user."""


class Experience(TypedDict):
    """What a user has earned in a skill by a project or a partnership."""

    id: int
    """Id of the experience."""
    user_id: int
    """Id of the user who has earned it."""
    skill_id: int
    """Id of the skill that it is earned in."""
    cursus_id: int
    """Id of the course that it counts in."""
    experiancable_id: int
    """Id of the part in the project or partnership that it is earned by."""
    experiancable_type: Literal["ProjectsUser", "PartnershipsUser"]
    """Whether it is earned by a project or a partnership."""
    experience: int
    """How much is earned, in points."""
    is_bonus: bool
    """Whether it is earned beside what counts."""
    created_at: str
    """When it was created."""
    experiancable: ProjectsUserInExperience | None | PartnershipsUserInExperience | None
    """Part in the project or partnership that it is earned by."""


class ExperienceCreate(TypedDict):
    """What is to be created."""

    experience: ExperienceCreateExperience


class ExperienceCreateExperience(TypedDict):
    user_id: int
    """Id of the user who has earned it."""
    skill_id: int
    """Id of the skill that it is earned in."""
    cursus_id: int
    """Id of the course that it counts in."""
    experiancable_id: int
    """Id of the part in the project or partnership that it is earned by."""
    experiancable_type: NotRequired[Literal["ProjectsUser", "PartnershipsUser"] | None]
    """Whether it is earned by a project or a partnership."""
    experience: int
    """How much is earned, in points."""
    is_bonus: NotRequired[bool | None]
    """Whether it is earned beside what counts."""
    created_at: NotRequired[str | None]
    """When it was created."""


class ExperienceUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    experience: ExperienceUpdateExperience


class ExperienceUpdateExperience(TypedDict):
    user_id: NotRequired[int]
    """Id of the user who has earned it."""
    skill_id: NotRequired[int]
    """Id of the skill that it is earned in."""
    cursus_id: NotRequired[int]
    """Id of the course that it counts in."""
    experiancable_id: NotRequired[int]
    """Id of the part in the project or partnership that it is earned by."""
    experiancable_type: NotRequired[Literal["ProjectsUser", "PartnershipsUser"]]
    """Whether it is earned by a project or a partnership."""
    experience: NotRequired[int]
    """How much is earned, in points."""
    is_bonus: NotRequired[bool]
    """Whether it is earned beside what counts."""
    created_at: NotRequired[str]
    """When it was created."""


class Expertise(TypedDict):
    """A language, a framework or another craft that users may know."""

    id: int
    """Id of the expertise."""
    name: str
    """What the expertise is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    url: str
    """Address of the expertise in this API."""
    kind: Literal["languages", "frameworks", "databases", "admin_sys", "other"]
    """What sort of craft it is."""
    created_at: str
    """When it was created."""
    expertises_users_url: str
    """Address of the list of users who know it."""


class ExpertiseCreate(TypedDict):
    """What is to be created."""

    expertise: ExpertiseCreateExpertise


class ExpertiseCreateExpertise(TypedDict):
    name: str
    """What the expertise is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    kind: NotRequired[Literal["languages", "frameworks", "databases", "admin_sys", "other"] | None]
    """What sort of craft it is."""


class ExpertiseUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    expertise: ExpertiseUpdateExpertise


class ExpertiseUpdateExpertise(TypedDict):
    name: NotRequired[str]
    """What the expertise is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    kind: NotRequired[Literal["languages", "frameworks", "databases", "admin_sys", "other"]]
    """What sort of craft it is."""


class ExpertisesUser(TypedDict):
    """How well a user knows an expertise, and whether others may ask them about it."""

    id: int
    """Id of the expertises user."""
    expertise_id: int
    """Id of the expertise."""
    interested: bool
    """Whether the user would like to learn more."""
    value: int
    """How well the user knows it, by their own judgement."""
    contact_me: bool
    """Whether others may ask the user about it."""
    created_at: str
    """When it was created."""
    user_id: int
    """Id of the user."""
    expertise: Expertise
    """The expertise whose id is `expertise_id`."""
    user: UserShort
    """The user whose id is `user_id`."""


class ExpertisesUserCreate(TypedDict):
    """What is to be created."""

    expertises_user: ExpertisesUserCreateExpertisesUser


class ExpertisesUserCreateBelowExpertise(TypedDict):
    """What is to be created."""

    expertises_user: ExpertisesUserCreateBelowExpertiseExpertisesUser


class ExpertisesUserCreateBelowExpertiseExpertisesUser(TypedDict):
    expertise_id: NotRequired[int | None]
    """Id of the expertise."""
    user_id: int
    """Id of the user."""
    value: int
    """How well the user knows it, by their own judgement."""
    interested: NotRequired[bool | None]
    """Whether the user would like to learn more."""
    contact_me: NotRequired[bool | None]
    """Whether others may ask the user about it."""


class ExpertisesUserCreateBelowUser(TypedDict):
    """What is to be created."""

    expertises_user: ExpertisesUserCreateBelowUserExpertisesUser


class ExpertisesUserCreateBelowUserExpertisesUser(TypedDict):
    expertise_id: int
    """Id of the expertise."""
    user_id: NotRequired[int | None]
    """Id of the user."""
    value: int
    """How well the user knows it, by their own judgement."""
    interested: NotRequired[bool | None]
    """Whether the user would like to learn more."""
    contact_me: NotRequired[bool | None]
    """Whether others may ask the user about it."""


class ExpertisesUserCreateExpertisesUser(TypedDict):
    expertise_id: int
    """Id of the expertise."""
    user_id: int
    """Id of the user."""
    value: int
    """How well the user knows it, by their own judgement."""
    interested: NotRequired[bool | None]
    """Whether the user would like to learn more."""
    contact_me: NotRequired[bool | None]
    """Whether others may ask the user about it."""


class ExpertisesUserEmbedded(TypedDict):
    """How well a user knows an expertise, and whether others may ask them about it."""

    id: int
    """Id of the expertises user."""
    expertise_id: int
    """Id of the expertise."""
    interested: bool
    """Whether the user would like to learn more."""
    value: int
    """How well the user knows it, by their own judgement."""
    contact_me: bool
    """Whether others may ask the user about it."""
    created_at: str
    """When it was created."""
    user_id: int
    """Id of the user."""


class ExpertisesUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    expertises_user: ExpertisesUserUpdateExpertisesUser


class ExpertisesUserUpdateExpertisesUser(TypedDict):
    expertise_id: NotRequired[int]
    """Id of the expertise."""
    user_id: NotRequired[int]
    """Id of the user."""
    value: NotRequired[int]
    """How well the user knows it, by their own judgement."""
    interested: NotRequired[bool]
    """Whether the user would like to learn more."""
    contact_me: NotRequired[bool]
    """Whether others may ask the user about it."""


class Feedback(TypedDict):
    """What a user thought of an evaluation or an event that they went through."""

    id: int
    """Id of the feedback."""
    user: UserByLogin
    """Who gives it."""
    feedbackable_type: Literal["ScaleTeam", "Event"]
    """Whether it is on an evaluation or an event."""
    feedbackable_id: int
    """Id of the evaluation or event that it is on."""
    comment: str
    """What the user says."""
    rating: int | None
    """Stars, from 0 to 5."""
    created_at: str
    """When it was created."""
    feedback_details: list[FeedbackDetail]
    """Ratings of single sides."""


class FeedbackCreate(TypedDict):
    """What is to be created."""

    feedback: FeedbackCreateFeedback


class FeedbackCreateFeedback(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user who gives it."""
    feedbackable_type: NotRequired[Literal["ScaleTeam", "Event"] | None]
    """Whether it is on an evaluation or an event."""
    feedbackable_id: NotRequired[int | None]
    """Id of the evaluation or event that it is on."""
    comment: str
    """What the user says."""
    rating: NotRequired[int | None]
    """Stars, from 0 to 5."""
    feedback_details_attributes: NotRequired[list[FeedbackDetailAttributes]]
    """Feedback details to create, change or remove along with it."""


class FeedbackDetail(TypedDict):
    """One side of a feedback."""

    id: int
    """Id of the feedback detail."""
    rate: int
    """Points, from 0 to 4."""
    kind: Literal["nice", "rigorous", "interested", "punctuality", "pertinent", "quality", "interesting", "accuracy"]
    """Side that is rated."""


# One side of a feedback. A new one needs kind, rate.
FeedbackDetailAttributes = TypedDict(
    "FeedbackDetailAttributes",
    {
        # Side that is rated.
        "kind": "NotRequired[Literal[\"nice\", \"rigorous\", \"interested\", \"punctuality\", \"pertinent\", \"quality\", \"interesting\", \"accuracy\"]]",
        # Points, from 0 to 4.
        "rate": "NotRequired[int]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class FeedbackUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    feedback: FeedbackUpdateFeedback


class FeedbackUpdateFeedback(TypedDict):
    user_id: NotRequired[int]
    """Id of the user who gives it."""
    feedbackable_type: NotRequired[Literal["ScaleTeam", "Event"]]
    """Whether it is on an evaluation or an event."""
    feedbackable_id: NotRequired[int]
    """Id of the evaluation or event that it is on."""
    comment: NotRequired[str]
    """What the user says."""
    rating: NotRequired[int | None]
    """Stars, from 0 to 5."""
    feedback_details_attributes: NotRequired[list[FeedbackDetailAttributes]]
    """Feedback details to create, change or remove along with it."""


class Flag(TypedDict):
    """The gist of an evaluation; one that is not positive counts as a mark of 0."""

    id: int
    """Id of the flag."""
    name: str
    """What the flag is called."""
    positive: bool
    """Whether the mark counts; where not, it is 0."""
    icon: str
    """Name of its icon."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class FlagCreate(TypedDict):
    """What is to be created."""

    flag: FlagCreateFlag


class FlagCreateFlag(TypedDict):
    name: str
    """What the flag is called."""
    positive: NotRequired[bool | None]
    """Whether the mark counts; where not, it is 0."""
    icon: str
    """Name of its icon."""


class FlagUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    flag: FlagUpdateFlag


class FlagUpdateFlag(TypedDict):
    name: NotRequired[str]
    """What the flag is called."""
    positive: NotRequired[bool]
    """Whether the mark counts; where not, it is 0."""
    icon: NotRequired[str]
    """Name of its icon."""


class Flash(TypedDict):
    """A message that is shown on the screen of the users that it is for."""

    id: int
    """Id of the flash."""
    title: str
    """What stands above it."""
    content: str
    """What it says, in HTML."""
    identifier: str
    """Word by which programs know it."""
    duration: int
    """How long it is shown, in seconds."""
    selector: str
    """CSS selector of what it points at; an empty text for nothing."""


class FlashCreate(TypedDict):
    """What is to be created."""

    flash: FlashCreateFlash


class FlashCreateFlash(TypedDict):
    content: str
    """What it says, in HTML."""
    identifier: str
    """Word by which programs know it."""
    title: str
    """What stands above it."""
    duration: int
    """How long it is shown, in seconds."""
    selector: NotRequired[str | None]
    """CSS selector of what it points at; an empty text for nothing."""
    url: NotRequired[str | None]
    """Address of the page that it is shown on; null for all."""


class FlashUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    flash: FlashUpdateFlash


class FlashUpdateFlash(TypedDict):
    content: NotRequired[str]
    """What it says, in HTML."""
    identifier: NotRequired[str]
    """Word by which programs know it."""
    title: NotRequired[str]
    """What stands above it."""
    duration: NotRequired[int]
    """How long it is shown, in seconds."""
    selector: NotRequired[str | None]
    """CSS selector of what it points at; an empty text for nothing."""
    url: NotRequired[str | None]
    """Address of the page that it is shown on; null for all."""


class FlashUser(TypedDict):
    """A message on the screen is for a user, who may have seen it."""

    id: int
    """Id of the flash user."""
    flash_id: int
    """Id of the flash."""
    seen: bool
    """Whether the user has seen it."""
    end_at: str | None
    """From when it is no longer shown; null without an end."""
    user: UserReference
    """The user whose id is `user_id`."""


class FlashUserCreate(TypedDict):
    """What is to be created."""

    flash_user: FlashUserCreateFlashUser


class FlashUserCreateBelowFlash(TypedDict):
    """What is to be created."""

    flash_user: FlashUserCreateBelowFlashFlashUser


class FlashUserCreateBelowFlashFlashUser(TypedDict):
    user_id: int
    """Id of the user."""
    flash_id: NotRequired[int | None]
    """Id of the flash."""
    seen: NotRequired[bool | None]
    """Whether the user has seen it."""
    end_at: NotRequired[str | None]
    """From when it is no longer shown; null without an end."""


class FlashUserCreateFlashUser(TypedDict):
    user_id: int
    """Id of the user."""
    flash_id: int
    """Id of the flash."""
    seen: NotRequired[bool | None]
    """Whether the user has seen it."""
    end_at: NotRequired[str | None]
    """From when it is no longer shown; null without an end."""


class FlashUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    flash_user: FlashUserUpdateFlashUser


class FlashUserUpdateFlashUser(TypedDict):
    user_id: NotRequired[int]
    """Id of the user."""
    flash_id: NotRequired[int]
    """Id of the flash."""
    seen: NotRequired[bool]
    """Whether the user has seen it."""
    end_at: NotRequired[str | None]
    """From when it is no longer shown; null without an end."""


class FreePastAguUserBody(TypedDict):
    duration: int
    """Days by which the black hole moves away."""
    reason: NotRequired[str | None]
    """Why it is given."""


class GetExamOfUserAnswer(TypedDict):
    status: Literal["none", "registered", "in_progress", "finished"]
    """Where the user stands with the exam."""
    exam: Exam | None
    """Exam that is meant; null where there is none."""
    begin_at: str | None
    """When the exam begins; null without one."""
    end_at: str | None
    """When the exam ends; null without one."""


GetLocationsStatsOfUserQuery = TypedDict(
    "GetLocationsStatsOfUserQuery",
    {
        "begin_at": str,
        "end_at": str,
        "time_zone": str,
    },
    total=False,
)


class GetStatsOfCampusAnswer(TypedDict):
    campus_id: int
    """Id of the campus."""
    users: GetStatsOfCampusAnswerUsers
    logged_in: int
    """Users who sit at a computer of the campus now."""
    events_to_come: int
    """Events of the campus that have not begun."""
    exams_to_come: int
    """Exams of the campus that have not begun."""
    cursus: list[GetStatsOfCampusAnswerCursusItem]
    """Courses that users of the campus follow now."""


class GetStatsOfCampusAnswerCursusItem(TypedDict):
    id: int
    """Id of the course."""
    name: str
    """What it is called."""
    slug: str
    """Its name in addresses."""
    users: int
    """Users of the campus who follow it now."""


class GetStatsOfCampusAnswerUsers(TypedDict):
    total: int
    """Everybody who belongs to the campus."""
    students: int
    """Those who study."""
    staff: int
    """Those who are staff."""
    externals: int
    """Those from outside."""
    alumni: int
    """Those who are alumni."""
    closed: int
    """Those whose account is closed."""


class GetStatusOfEndpointAnswer(TypedDict):
    active: bool
    """Whether the webservice is called."""
    switched_off_at: str | None
    """When it was switched off; null while it is called."""
    switched_off_because: str | None
    """Why it was switched off."""
    failing_since: str | None
    """Since when no call succeeds; null while they do."""
    failed_calls: int
    """How many calls failed since then."""
    pending: int
    """How many calls wait."""
    oldest_pending_at: str | None
    """When the oldest of them was recorded; null without any."""
    delivered: int
    """How many calls were delivered."""
    rejected: int
    """How many calls the webservice refused."""
    dead: int
    """How many calls were given up."""


GraphAnnouncementsQuery = TypedDict(
    "GraphAnnouncementsQuery",
    {
        "filter[id]": Asked[int],
        "filter[author]": Asked[str],
        "filter[title]": Asked[str],
        "filter[text]": Asked[str],
        "filter[kind]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[image]": Asked[str],
        "filter[expire_at]": Asked[str | Time],
        "filter[link]": Asked[str],
        "filter[notificable_id]": Asked[int],
        "filter[notificable_type]": Asked[str],
        "filter[expire]": bool,
        "range[id]": Asked[int],
        "range[author]": Asked[str],
        "range[title]": Asked[str],
        "range[text]": Asked[str],
        "range[kind]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[image]": Asked[str],
        "range[expire_at]": Asked[str | Time],
        "range[link]": Asked[str],
        "range[notificable_id]": Asked[int],
        "range[notificable_type]": Asked[str],
        "time_zone": str,
    },
    total=False,
)


GraphCommunityServicesQuery = TypedDict(
    "GraphCommunityServicesQuery",
    {
        "filter[id]": Asked[int],
        "filter[close_id]": Asked[int],
        "filter[tiger_id]": Asked[int],
        "filter[duration]": Asked[Literal[7200, 14400, 28800]],
        "filter[schedule_at]": Asked[str | Time],
        "filter[occupation]": Asked[str],
        "filter[token]": Asked[str],
        "filter[state]": Asked[Literal["schedule", "validated", "invalidated"]],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[schedule]": bool,
        "range[id]": Asked[int],
        "range[close_id]": Asked[int],
        "range[tiger_id]": Asked[int],
        "range[duration]": Asked[Literal[7200, 14400, 28800]],
        "range[schedule_at]": Asked[str | Time],
        "range[occupation]": Asked[str],
        "range[token]": Asked[str],
        "range[state]": Asked[Literal["schedule", "validated", "invalidated"]],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "time_zone": str,
    },
    total=False,
)


GraphCursusUsersQuery = TypedDict(
    "GraphCursusUsersQuery",
    {
        "filter[id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[begin_at]": Asked[str | Time],
        "filter[has_coalition]": Asked[bool],
        "filter[blackholed_at]": Asked[str | Time],
        "filter[level]": Asked[float],
        "filter[active]": bool,
        "filter[campus_id]": Asked[int],
        "filter[end]": bool,
        "filter[future]": bool,
        "filter[blackholed]": bool,
        "range[id]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[begin_at]": Asked[str | Time],
        "range[has_coalition]": Asked[bool],
        "range[blackholed_at]": Asked[str | Time],
        "range[level]": Asked[float],
        "time_zone": str,
    },
    total=False,
)


GraphEventsQuery = TypedDict(
    "GraphEventsQuery",
    {
        "filter[id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[location]": Asked[str],
        "filter[kind]": Asked[Literal["pedago", "rush", "piscine", "partnership", "meet", "conference", "meet_up", "event", "association", "speed_working", "hackathon", "workshop", "challenge", "atelier", "other", "extern"]],
        "filter[max_people]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[prohibition_of_cancellation]": Asked[int],
        "filter[difficulty]": Asked[int],
        "filter[remote]": Asked[bool],
        "filter[future]": bool,
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[name]": Asked[str],
        "range[description]": Asked[str],
        "range[location]": Asked[str],
        "range[kind]": Asked[Literal["pedago", "rush", "piscine", "partnership", "meet", "conference", "meet_up", "event", "association", "speed_working", "hackathon", "workshop", "challenge", "atelier", "other", "extern"]],
        "range[max_people]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[prohibition_of_cancellation]": Asked[int],
        "range[difficulty]": Asked[int],
        "range[remote]": Asked[bool],
        "time_zone": str,
    },
    total=False,
)


GraphExamsQuery = TypedDict(
    "GraphExamsQuery",
    {
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[location]": Asked[str],
        "filter[ip_range]": Asked[str],
        "filter[max_people]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[validated_at]": Asked[str | Time],
        "filter[visible]": Asked[bool],
        "filter[validator_id]": Asked[int],
        "filter[prohibition_of_cancellation]": Asked[int],
        "filter[future]": bool,
        "filter[end]": bool,
        "filter[validated]": bool,
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[location]": Asked[str],
        "range[ip_range]": Asked[str],
        "range[max_people]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[validated_at]": Asked[str | Time],
        "range[visible]": Asked[bool],
        "range[validator_id]": Asked[int],
        "range[prohibition_of_cancellation]": Asked[int],
        "time_zone": str,
    },
    total=False,
)


GraphLanguagesQuery = TypedDict(
    "GraphLanguagesQuery",
    {
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[identifier]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[identifier]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "time_zone": str,
    },
    total=False,
)


GraphLanguagesUsersQuery = TypedDict(
    "GraphLanguagesUsersQuery",
    {
        "filter[id]": Asked[int],
        "filter[language_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[position]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[language_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[position]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "time_zone": str,
    },
    total=False,
)


GraphLocationsQuery = TypedDict(
    "GraphLocationsQuery",
    {
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[primary]": Asked[bool],
        "filter[host]": Asked[str],
        "filter[campus_id]": Asked[int],
        "filter[active]": bool,
        "filter[inactive]": bool,
        "filter[future]": bool,
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[primary]": Asked[bool],
        "range[host]": Asked[str],
        "range[campus_id]": Asked[int],
        "time_zone": str,
    },
    total=False,
)


GraphProjectSessionsQuery = TypedDict(
    "GraphProjectSessionsQuery",
    {
        "filter[id]": Asked[int],
        "filter[project_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[estimate_time]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[max_people]": Asked[int],
        "filter[duration_days]": Asked[int],
        "filter[terminating_after]": Asked[int],
        "filter[solo]": Asked[bool],
        "filter[is_subscriptable]": Asked[bool],
        "filter[team_behaviour]": Asked[Literal["user", "upload", "by_rule", "none"]],
        "filter[difficulty]": Asked[int],
        "filter[future]": bool,
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[project_id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[estimate_time]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[max_people]": Asked[int],
        "range[duration_days]": Asked[int],
        "range[terminating_after]": Asked[int],
        "range[solo]": Asked[bool],
        "range[is_subscriptable]": Asked[bool],
        "range[team_behaviour]": Asked[Literal["user", "upload", "by_rule", "none"]],
        "range[difficulty]": Asked[int],
        "range[minimum_mark]": Asked[int],
        "range[commit]": Asked[str],
        "range[description]": Asked[str],
        "range[objectives]": Asked[list[str]],
        "range[divisor]": Asked[int],
        "time_zone": str,
    },
    total=False,
)


GraphProjectsUsersQuery = TypedDict(
    "GraphProjectsUsersQuery",
    {
        "filter[id]": Asked[int],
        "filter[project_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[occurrence]": Asked[int],
        "filter[final_mark]": Asked[int],
        "filter[retriable_at]": Asked[str | Time],
        "filter[marked_at]": Asked[str | Time],
        "filter[status]": Asked[Literal["creating_group", "searching_a_group", "in_progress", "waiting_for_correction", "finished", "parent"]],
        "filter[cursus]": Asked[int],
        "filter[campus]": Asked[int],
        "filter[retriable]": bool,
        "filter[marked]": bool,
        "range[id]": Asked[int],
        "range[project_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[occurrence]": Asked[int],
        "range[final_mark]": Asked[int],
        "range[retriable_at]": Asked[str | Time],
        "range[marked_at]": Asked[str | Time],
        "range[status]": Asked[Literal["creating_group", "searching_a_group", "in_progress", "waiting_for_correction", "finished", "parent"]],
        "time_zone": str,
    },
    total=False,
)


GraphQuestsUsersQuery = TypedDict(
    "GraphQuestsUsersQuery",
    {
        "filter[id]": Asked[int],
        "filter[quest_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[end_at]": Asked[str | Time],
        "filter[validated_at]": Asked[str | Time],
        "filter[prct]": Asked[int],
        "filter[advancement]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[end]": bool,
        "filter[validated]": bool,
        "range[id]": Asked[int],
        "range[quest_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[end_at]": Asked[str | Time],
        "range[validated_at]": Asked[str | Time],
        "range[prct]": Asked[int],
        "range[advancement]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "time_zone": str,
    },
    total=False,
)


GraphScaleTeamsQuery = TypedDict(
    "GraphScaleTeamsQuery",
    {
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[scale_id]": Asked[int],
        "filter[team_id]": Asked[int],
        "filter[comment]": Asked[str],
        "filter[old_feedback]": Asked[str],
        "filter[feedback_rating]": Asked[int],
        "filter[final_mark]": Asked[int],
        "filter[truant_id]": Asked[int],
        "filter[flag_id]": Asked[int],
        "filter[token]": Asked[str],
        "filter[ip]": Asked[str],
        "filter[internship_id]": Asked[int],
        "filter[filled_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[future]": bool,
        "filter[filled]": bool,
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[scale_id]": Asked[int],
        "range[team_id]": Asked[int],
        "range[comment]": Asked[str],
        "range[old_feedback]": Asked[str],
        "range[feedback_rating]": Asked[int],
        "range[final_mark]": Asked[int],
        "range[truant_id]": Asked[int],
        "range[flag_id]": Asked[int],
        "range[token]": Asked[str],
        "range[ip]": Asked[str],
        "range[internship_id]": Asked[int],
        "range[filled_at]": Asked[str | Time],
        "time_zone": str,
    },
    total=False,
)


GraphSlotsQuery = TypedDict(
    "GraphSlotsQuery",
    {
        "filter[id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[future]": bool,
        "filter[end]": bool,
        "filter[available]": bool,
        "range[id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "time_zone": str,
    },
    total=False,
)


GraphTeamsQuery = TypedDict(
    "GraphTeamsQuery",
    {
        "filter[id]": Asked[int],
        "filter[project_id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[locked_at]": Asked[str | Time],
        "filter[closed_at]": Asked[str | Time],
        "filter[final_mark]": Asked[int],
        "filter[repo_url]": Asked[str],
        "filter[repo_uuid]": Asked[str],
        "filter[deadline_at]": Asked[str | Time],
        "filter[terminating_at]": Asked[str | Time],
        "filter[project_session_id]": Asked[int],
        "filter[status]": Asked[Literal["creating_group", "searching_a_group", "in_progress", "waiting_for_correction", "finished", "parent"]],
        "filter[cursus]": Asked[int],
        "filter[active_cursus]": Asked[int],
        "filter[campus]": Asked[int],
        "filter[primary_campus]": Asked[int],
        "filter[locked]": bool,
        "filter[closed]": bool,
        "filter[deadline]": bool,
        "filter[terminating]": bool,
        "filter[with_mark]": bool,
        "range[id]": Asked[int],
        "range[project_id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[locked_at]": Asked[str | Time],
        "range[closed_at]": Asked[str | Time],
        "range[final_mark]": Asked[int],
        "range[repo_url]": Asked[str],
        "range[repo_uuid]": Asked[str],
        "range[deadline_at]": Asked[str | Time],
        "range[terminating_at]": Asked[str | Time],
        "range[project_session_id]": Asked[int],
        "range[status]": Asked[Literal["creating_group", "searching_a_group", "in_progress", "waiting_for_correction", "finished", "parent"]],
        "time_zone": str,
    },
    total=False,
)


GraphUsersQuery = TypedDict(
    "GraphUsersQuery",
    {
        "filter[id]": Asked[int],
        "filter[login]": Asked[str],
        "filter[email]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[pool_year]": Asked[str],
        "filter[pool_month]": Asked[Literal["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]],
        "filter[kind]": Asked[Literal["student", "admin", "external"]],
        "filter[status]": Asked[str],
        "filter[first_name]": Asked[str],
        "filter[last_name]": Asked[str],
        "filter[primary_campus_id]": Asked[int],
        "filter[alumni?]": bool,
        "filter[staff?]": bool,
        "range[id]": Asked[int],
        "range[login]": Asked[str],
        "range[email]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[pool_year]": Asked[str],
        "range[pool_month]": Asked[Literal["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]],
        "range[kind]": Asked[Literal["student", "admin", "external"]],
        "range[status]": Asked[str],
        "search[login]": str,
        "search[name]": str,
        "search[first_name]": str,
        "search[last_name]": str,
        "search": str,
        "time_zone": str,
    },
    total=False,
)


class Group(TypedDict):
    """A label under which staff gather users."""

    id: int
    """Id of the group."""
    name: str
    """What the group is called."""


class GroupCreate(TypedDict):
    """What is to be created."""

    group: GroupCreateGroup


class GroupCreateGroup(TypedDict):
    name: str
    """What the group is called."""
    color: NotRequired[str | None]
    """Colour in which it is shown, as `#rrggbb`."""
    kind: NotRequired[Literal["important", "normal", "hidden"] | None]
    """How it is shown."""


class GroupUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    group: GroupUpdateGroup


class GroupUpdateGroup(TypedDict):
    name: NotRequired[str]
    """What the group is called."""
    color: NotRequired[str | None]
    """Colour in which it is shown, as `#rrggbb`."""
    kind: NotRequired[Literal["important", "normal", "hidden"]]
    """How it is shown."""


class GroupsUser(TypedDict):
    """A user belongs to a group."""

    id: int
    """Id of the groups user."""
    user_id: int
    """Id of the user."""
    group_id: int
    """Id of the group."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    group: Group
    """The group whose id is `group_id`."""


class GroupsUserCreate(TypedDict):
    """What is to be created."""

    groups_user: GroupsUserCreateGroupsUser


class GroupsUserCreateBelowGroup(TypedDict):
    """What is to be created."""

    groups_user: GroupsUserCreateBelowGroupGroupsUser


class GroupsUserCreateBelowGroupGroupsUser(TypedDict):
    user_id: int
    """Id of the user."""
    group_id: NotRequired[int | None]
    """Id of the group."""


class GroupsUserCreateBelowUser(TypedDict):
    """What is to be created."""

    groups_user: GroupsUserCreateBelowUserGroupsUser


class GroupsUserCreateBelowUserGroupsUser(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user."""
    group_id: int
    """Id of the group."""


class GroupsUserCreateGroupsUser(TypedDict):
    user_id: int
    """Id of the user."""
    group_id: int
    """Id of the group."""


class GroupsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    groups_user: GroupsUserUpdateGroupsUser


class GroupsUserUpdateGroupsUser(TypedDict):
    user_id: NotRequired[int]
    """Id of the user."""
    group_id: NotRequired[int]
    """Id of the group."""


class Internship(TypedDict):
    """Some months that a student works at a company, with what its agreement says."""

    id: int
    """Id of the internship."""
    administration_id: int | None
    """Id of the administration that looks after it, at the school’s companies."""
    offer_id: int | None
    """Id of the offer that it came from; null where there was none."""
    language_id: int | None
    """Id of the language of its agreement."""
    state: Literal["none", "need_validation", "invalidated", "generated", "uploaded", "ended", "broke", "canceled"]
    """How far its agreement is."""
    days: str | None
    """Working days and hours, as JSON text."""
    user_address: str | None
    """Street and number of the student."""
    user_postal: str | None
    """Postal code of the student."""
    user_city: str | None
    """City of the student."""
    user_country: str | None
    """Country of the student."""
    company_name: str | None
    """What the company is called."""
    company_boss_user_first_name: str | None
    """First name of who signs for the company."""
    company_boss_user_last_name: str | None
    """Family name of who signs for the company."""
    company_boss_user_email: str | None
    """E-mail address of who signs for the company."""
    company_boss_user_phone: str | None
    """Telephone number of who signs for the company."""
    company_user_first_name: str | None
    """First name of the tutor at the company."""
    company_user_last_name: str | None
    """Family name of the tutor at the company."""
    company_user_post: str | None
    """Position of the tutor at the company."""
    company_user_email: str | None
    """E-mail address of the tutor at the company."""
    company_user_phone: str | None
    """Telephone number of the tutor at the company."""
    company_address: str | None
    """Street and number of the company."""
    company_postal: str | None
    """Postal code of the company."""
    company_city: str | None
    """City of the company."""
    company_country: str | None
    """Country of the company."""
    company_siret: str | None
    """Number of the company in the register."""
    internship_address: str | None
    """Street and number of the place of work."""
    internship_postal: str | None
    """Postal code of the place of work."""
    internship_city: str | None
    """City of the place of work."""
    internship_country: str | None
    """Country of the place of work."""
    contract_type: str | None
    """What sort of contract it is."""
    subject: str | None
    """What is worked on."""
    start_at: str
    """When it begins."""
    end_at: str
    """When it ends."""
    duration: int | None
    """How long it lasts, in months."""
    nb_days: int | None
    """Number of working days."""
    nb_hours: int | None
    """Number of working hours."""
    movement: str | None
    """Travelling that it asks for."""
    salary: float | None
    """What it pays in a month, in the currency."""
    currency: str | None
    """Currency of the salary."""
    breach_at: str | None
    """When it was broken off; null where it was not."""
    convention: InternshipConvention
    """Agreement of the three sides."""
    user: UserReference
    """The user whose id is `user_id`."""


class InternshipConvention(TypedDict):
    """Agreement of the three sides."""

    convention: InternshipConventionConvention
    """File of the agreement."""


class InternshipConventionConvention(TypedDict):
    """File of the agreement."""

    url: str | None
    """Address of the file."""


class InternshipCreate(TypedDict):
    """What is to be created."""

    internship: InternshipCreateInternship


class InternshipCreateInternship(TypedDict):
    user_id: int
    """Id of the user."""
    administration_id: NotRequired[int | None]
    """Id of the administration that looks after it, at the school’s companies."""
    offer_id: NotRequired[int | None]
    """Id of the offer that it came from; null where there was none."""
    language_id: NotRequired[int | None]
    """Id of the language of its agreement."""
    state: NotRequired[Literal["none", "need_validation", "invalidated", "generated", "uploaded", "ended", "broke", "canceled"] | None]
    """How far its agreement is."""
    days: NotRequired[str | None]
    """Working days and hours, as JSON text."""
    user_address: NotRequired[str | None]
    """Street and number of the student."""
    user_postal: NotRequired[str | None]
    """Postal code of the student."""
    user_city: NotRequired[str | None]
    """City of the student."""
    user_country: NotRequired[str | None]
    """Country of the student."""
    company_name: NotRequired[str | None]
    """What the company is called."""
    company_boss_user_first_name: NotRequired[str | None]
    """First name of who signs for the company."""
    company_boss_user_last_name: NotRequired[str | None]
    """Family name of who signs for the company."""
    company_boss_user_email: NotRequired[str | None]
    """E-mail address of who signs for the company."""
    company_boss_user_phone: NotRequired[str | None]
    """Telephone number of who signs for the company."""
    company_user_first_name: NotRequired[str | None]
    """First name of the tutor at the company."""
    company_user_last_name: NotRequired[str | None]
    """Family name of the tutor at the company."""
    company_user_post: NotRequired[str | None]
    """Position of the tutor at the company."""
    company_user_email: NotRequired[str | None]
    """E-mail address of the tutor at the company."""
    company_user_phone: NotRequired[str | None]
    """Telephone number of the tutor at the company."""
    company_address: NotRequired[str | None]
    """Street and number of the company."""
    company_postal: NotRequired[str | None]
    """Postal code of the company."""
    company_city: NotRequired[str | None]
    """City of the company."""
    company_country: NotRequired[str | None]
    """Country of the company."""
    company_siret: NotRequired[str | None]
    """Number of the company in the register."""
    internship_address: NotRequired[str | None]
    """Street and number of the place of work."""
    internship_postal: NotRequired[str | None]
    """Postal code of the place of work."""
    internship_city: NotRequired[str | None]
    """City of the place of work."""
    internship_country: NotRequired[str | None]
    """Country of the place of work."""
    contract_type: NotRequired[str | None]
    """What sort of contract it is."""
    subject: NotRequired[str | None]
    """What is worked on."""
    start_at: str
    """When it begins."""
    end_at: str
    """When it ends."""
    duration: NotRequired[int | None]
    """How long it lasts, in months."""
    nb_days: NotRequired[int | None]
    """Number of working days."""
    nb_hours: NotRequired[int | None]
    """Number of working hours."""
    movement: NotRequired[str | None]
    """Travelling that it asks for."""
    salary: NotRequired[float | None]
    """What it pays in a month, in the currency."""
    currency: NotRequired[str | None]
    """Currency of the salary."""
    breach_at: NotRequired[str | None]
    """When it was broken off; null where it was not."""
    convention_url: NotRequired[str | None]
    """Address of the agreement."""


class InternshipUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    internship: InternshipUpdateInternship


class InternshipUpdateInternship(TypedDict):
    user_id: NotRequired[int]
    """Id of the user."""
    administration_id: NotRequired[int | None]
    """Id of the administration that looks after it, at the school’s companies."""
    offer_id: NotRequired[int | None]
    """Id of the offer that it came from; null where there was none."""
    language_id: NotRequired[int | None]
    """Id of the language of its agreement."""
    state: NotRequired[Literal["none", "need_validation", "invalidated", "generated", "uploaded", "ended", "broke", "canceled"]]
    """How far its agreement is."""
    days: NotRequired[str | None]
    """Working days and hours, as JSON text."""
    user_address: NotRequired[str | None]
    """Street and number of the student."""
    user_postal: NotRequired[str | None]
    """Postal code of the student."""
    user_city: NotRequired[str | None]
    """City of the student."""
    user_country: NotRequired[str | None]
    """Country of the student."""
    company_name: NotRequired[str | None]
    """What the company is called."""
    company_boss_user_first_name: NotRequired[str | None]
    """First name of who signs for the company."""
    company_boss_user_last_name: NotRequired[str | None]
    """Family name of who signs for the company."""
    company_boss_user_email: NotRequired[str | None]
    """E-mail address of who signs for the company."""
    company_boss_user_phone: NotRequired[str | None]
    """Telephone number of who signs for the company."""
    company_user_first_name: NotRequired[str | None]
    """First name of the tutor at the company."""
    company_user_last_name: NotRequired[str | None]
    """Family name of the tutor at the company."""
    company_user_post: NotRequired[str | None]
    """Position of the tutor at the company."""
    company_user_email: NotRequired[str | None]
    """E-mail address of the tutor at the company."""
    company_user_phone: NotRequired[str | None]
    """Telephone number of the tutor at the company."""
    company_address: NotRequired[str | None]
    """Street and number of the company."""
    company_postal: NotRequired[str | None]
    """Postal code of the company."""
    company_city: NotRequired[str | None]
    """City of the company."""
    company_country: NotRequired[str | None]
    """Country of the company."""
    company_siret: NotRequired[str | None]
    """Number of the company in the register."""
    internship_address: NotRequired[str | None]
    """Street and number of the place of work."""
    internship_postal: NotRequired[str | None]
    """Postal code of the place of work."""
    internship_city: NotRequired[str | None]
    """City of the place of work."""
    internship_country: NotRequired[str | None]
    """Country of the place of work."""
    contract_type: NotRequired[str | None]
    """What sort of contract it is."""
    subject: NotRequired[str | None]
    """What is worked on."""
    start_at: NotRequired[str]
    """When it begins."""
    end_at: NotRequired[str]
    """When it ends."""
    duration: NotRequired[int | None]
    """How long it lasts, in months."""
    nb_days: NotRequired[int | None]
    """Number of working days."""
    nb_hours: NotRequired[int | None]
    """Number of working hours."""
    movement: NotRequired[str | None]
    """Travelling that it asks for."""
    salary: NotRequired[float | None]
    """What it pays in a month, in the currency."""
    currency: NotRequired[str | None]
    """Currency of the salary."""
    breach_at: NotRequired[str | None]
    """When it was broken off; null where it was not."""
    convention_url: NotRequired[str | None]
    """Address of the agreement."""


class Journal(TypedDict):
    """Something that happened to a user of a campus, written down by the service itself."""

    id: int
    """Id of the journal."""
    user_id: int
    """Id of the user to whom it happened."""
    item_type: str
    """Sort of what it is about, as the name of a class: `User`, `ScaleTeam`."""
    item_id: int
    """Id of what it is about, which may be gone."""
    cursus_id: int | None
    """Id of the course that the user followed; null where there was none."""
    campus_id: int
    """Id of the primary campus that the user had."""
    reason: str
    """What happened: `created`, `closed`, `corrected`."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    event_at: str
    """When it happened."""
    alumni: bool
    """Whether the user was an alumnus then."""
    closed: bool
    """Whether the account of the user was closed then."""


class Language(TypedDict):
    """A language that campuses work in, users speak and documents are written in."""

    id: int
    """Id of the language."""
    name: str
    """What the language is called."""
    identifier: str
    """Short code of the language, such as `en`."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class LanguageCreate(TypedDict):
    """What is to be created."""

    language: LanguageCreateLanguage


class LanguageCreateLanguage(TypedDict):
    name: str
    """What the language is called."""
    identifier: str
    """Short code of the language, such as `en`."""


class LanguageShort(TypedDict):
    """A language that campuses work in, users speak and documents are written in."""

    id: int
    """Id of the language."""
    name: str
    """What the language is called."""
    identifier: str
    """Short code of the language, such as `en`."""


class LanguageUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    language: LanguageUpdateLanguage


class LanguageUpdateLanguage(TypedDict):
    name: NotRequired[str]
    """What the language is called."""
    identifier: NotRequired[str]
    """Short code of the language, such as `en`."""


class LanguagesUser(TypedDict):
    """A language that a user speaks, in the order of preference."""

    id: int
    """Id of the languages user."""
    language_id: int
    """Id of the language."""
    user_id: int
    """Id of the user."""
    position: int
    """Place in the order of preference, lowest first."""
    created_at: str
    """When it was created."""


# A language that a user speaks, in the order of preference. A new one needs language_id.
LanguagesUserAttributes = TypedDict(
    "LanguagesUserAttributes",
    {
        # Id of the language.
        "language_id": "NotRequired[int]",
        # Place in the order of preference, lowest first.
        "position": "NotRequired[int | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class LanguagesUserCreate(TypedDict):
    """What is to be created."""

    languages_user: LanguagesUserCreateLanguagesUser


class LanguagesUserCreateBelowUser(TypedDict):
    """What is to be created."""

    languages_user: LanguagesUserCreateBelowUserLanguagesUser


class LanguagesUserCreateBelowUserLanguagesUser(TypedDict):
    language_id: int
    """Id of the language."""
    user_id: NotRequired[int | None]
    """Id of the user."""
    position: NotRequired[int | None]
    """Place in the order of preference, lowest first."""


class LanguagesUserCreateLanguagesUser(TypedDict):
    language_id: int
    """Id of the language."""
    user_id: int
    """Id of the user."""
    position: NotRequired[int | None]
    """Place in the order of preference, lowest first."""


class LanguagesUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    languages_user: LanguagesUserUpdateLanguagesUser


class LanguagesUserUpdateLanguagesUser(TypedDict):
    language_id: NotRequired[int]
    """Id of the language."""
    user_id: NotRequired[int]
    """Id of the user."""
    position: NotRequired[int]
    """Place in the order of preference, lowest first."""


class Level(TypedDict):
    """How much experience a level of a cursus takes."""

    id: int
    """Id of the level."""
    lvl: int
    """Number of the level."""
    xp: int
    """Experience from which on one has it."""
    cursus_id: int
    """Id of the cursus."""
    created_at: str
    """When it was created."""


class LevelCreate(TypedDict):
    """What is to be created."""

    level: LevelCreateLevel


class LevelCreateLevel(TypedDict):
    lvl: int
    """Number of the level."""
    xp: int
    """Experience from which on one has it."""
    cursus_id: int
    """Id of the cursus."""


class LevelUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    level: LevelUpdateLevel


class LevelUpdateLevel(TypedDict):
    lvl: NotRequired[int]
    """Number of the level."""
    xp: NotRequired[int]
    """Experience from which on one has it."""
    cursus_id: NotRequired[int]
    """Id of the cursus."""


ListAccreditationsQuery = TypedDict(
    "ListAccreditationsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "user_id", "-user_id", "cursus_id", "-cursus_id", "validated", "-validated", "difficulty", "-difficulty", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[user_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[validated]": Asked[bool],
        "filter[difficulty]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[user_id]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[validated]": Asked[bool],
        "range[difficulty]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListAccreditationsUsersQuery = TypedDict(
    "ListAccreditationsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "accreditation_id", "-accreditation_id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[accreditation_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[accreditation_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListAchievementsQuery = TypedDict(
    "ListAchievementsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at", "kind", "-kind", "tier", "-tier", "visible", "-visible", "nbr_of_success", "-nbr_of_success", "slug", "-slug", "parent_id", "-parent_id", "title_id", "-title_id", "reward", "-reward", "position", "-position"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[kind]": Asked[Literal["project", "social", "scolarity", "pedagogy"]],
        "filter[tier]": Asked[Literal["none", "easy", "medium", "hard", "challenge"]],
        "filter[visible]": Asked[bool],
        "filter[nbr_of_success]": Asked[int],
        "filter[slug]": Asked[str],
        "filter[parent_id]": Asked[int],
        "filter[title_id]": Asked[int],
        "filter[reward]": Asked[int],
        "filter[position]": Asked[int],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[kind]": Asked[Literal["project", "social", "scolarity", "pedagogy"]],
        "range[tier]": Asked[Literal["none", "easy", "medium", "hard", "challenge"]],
        "range[visible]": Asked[bool],
        "range[nbr_of_success]": Asked[int],
        "range[slug]": Asked[str],
        "range[parent_id]": Asked[int],
        "range[title_id]": Asked[int],
        "range[reward]": Asked[int],
        "range[position]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListAchievementsUsersQuery = TypedDict(
    "ListAchievementsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "achievement_id", "-achievement_id", "nbr_of_success", "-nbr_of_success", "created_at", "-created_at", "updated_at", "-updated_at", "rewarded", "-rewarded"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[achievement_id]": Asked[int],
        "filter[nbr_of_success]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[rewarded]": Asked[bool],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[achievement_id]": Asked[int],
        "range[nbr_of_success]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[rewarded]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListAlumnizedUsersQuery = TypedDict(
    "ListAlumnizedUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "login", "-login", "email", "-email", "created_at", "-created_at", "updated_at", "-updated_at", "image", "-image", "first_name", "-first_name", "last_name", "-last_name", "pool_year", "-pool_year", "pool_month", "-pool_month", "kind", "-kind", "status", "-status", "usual_first_name", "-usual_first_name", "last_seen_at", "-last_seen_at", "alumnized_at", "-alumnized_at", "anonymized_at", "-anonymized_at"]],
        "filter[id]": Asked[int],
        "filter[login]": Asked[str],
        "filter[email]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[pool_year]": Asked[str],
        "filter[pool_month]": Asked[Literal["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]],
        "filter[kind]": Asked[Literal["student", "admin", "external"]],
        "filter[status]": Asked[str],
        "filter[first_name]": Asked[str],
        "filter[last_name]": Asked[str],
        "filter[primary_campus_id]": Asked[int],
        "filter[alumni?]": bool,
        "filter[staff?]": bool,
        "range[id]": Asked[int],
        "range[login]": Asked[str],
        "range[email]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[pool_year]": Asked[str],
        "range[pool_month]": Asked[Literal["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]],
        "range[kind]": Asked[Literal["student", "admin", "external"]],
        "range[status]": Asked[str],
        "search[login]": str,
        "search[name]": str,
        "search[first_name]": str,
        "search[last_name]": str,
        "search": str,
        "page": int,
        "per_page": int,
        "campus_id": Required[int],
        "alumnized_since": str | Time,
    },
    total=False,
)


ListAnnouncementsQuery = TypedDict(
    "ListAnnouncementsQuery",
    {
        "sort": Asked[Literal["id", "-id", "author", "-author", "title", "-title", "text", "-text", "kind", "-kind", "created_at", "-created_at", "updated_at", "-updated_at", "image", "-image", "expire_at", "-expire_at", "link", "-link", "notificable_id", "-notificable_id", "notificable_type", "-notificable_type", "begin_at", "-begin_at"]],
        "filter[id]": Asked[int],
        "filter[author]": Asked[str],
        "filter[title]": Asked[str],
        "filter[text]": Asked[str],
        "filter[kind]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[image]": Asked[str],
        "filter[expire_at]": Asked[str | Time],
        "filter[link]": Asked[str],
        "filter[notificable_id]": Asked[int],
        "filter[notificable_type]": Asked[str],
        "filter[expire]": bool,
        "range[id]": Asked[int],
        "range[author]": Asked[str],
        "range[title]": Asked[str],
        "range[text]": Asked[str],
        "range[kind]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[image]": Asked[str],
        "range[expire_at]": Asked[str | Time],
        "range[link]": Asked[str],
        "range[notificable_id]": Asked[int],
        "range[notificable_type]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListAntiGravUnitsUsersQuery = TypedDict(
    "ListAntiGravUnitsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at", "close_id", "-close_id", "is_free", "-is_free", "reason", "-reason", "end_date", "-end_date", "expected_end_date", "-expected_end_date", "begin_date", "-begin_date", "anti_grav_unit_id", "-anti_grav_unit_id", "internship_id", "-internship_id"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[close_id]": Asked[int],
        "filter[is_free]": Asked[bool],
        "filter[reason]": Asked[str],
        "filter[end_date]": Asked[str | Time],
        "filter[expected_end_date]": Asked[str | Time],
        "filter[begin_date]": Asked[str | Time],
        "filter[anti_grav_unit_id]": Asked[int],
        "filter[internship_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[active]": bool,
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[close_id]": Asked[int],
        "range[is_free]": Asked[bool],
        "range[reason]": Asked[str],
        "range[end_date]": Asked[str | Time],
        "range[expected_end_date]": Asked[str | Time],
        "range[begin_date]": Asked[str | Time],
        "range[anti_grav_unit_id]": Asked[int],
        "range[internship_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListAppsQuery = TypedDict(
    "ListAppsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "description", "-description", "image", "-image", "website", "-website", "public", "-public", "owner_id", "-owner_id", "created_at", "-created_at", "updated_at", "-updated_at", "user_id", "-user_id"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[image]": Asked[str],
        "filter[website]": Asked[str],
        "filter[public]": Asked[bool],
        "filter[owner_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[uid]": Asked[str],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[description]": Asked[str],
        "range[image]": Asked[str],
        "range[website]": Asked[str],
        "range[public]": Asked[bool],
        "range[owner_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[uid]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListAttachmentsQuery = TypedDict(
    "ListAttachmentsQuery",
    {
        "sort": Asked[Literal["id", "-id", "attachable_id", "-attachable_id", "attachable_type", "-attachable_type", "kind", "-kind", "created_at", "-created_at", "updated_at", "-updated_at", "language_id", "-language_id", "user_id", "-user_id", "default", "-default", "up_to_date", "-up_to_date", "container_id", "-container_id", "container_type", "-container_type", "base_id", "-base_id", "untranslatable", "-untranslatable", "attachments_structure_id", "-attachments_structure_id"]],
        "filter[id]": Asked[int],
        "filter[attachable_id]": Asked[int],
        "filter[attachable_type]": Asked[str],
        "filter[kind]": Asked[Literal["code", "pdf", "link", "document", "video"]],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[language_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[default]": Asked[bool],
        "filter[up_to_date]": Asked[bool],
        "filter[container_id]": Asked[int],
        "filter[container_type]": Asked[str],
        "filter[base_id]": Asked[int],
        "filter[untranslatable]": Asked[bool],
        "filter[attachments_structure_id]": Asked[int],
        "range[id]": Asked[int],
        "range[attachable_id]": Asked[int],
        "range[attachable_type]": Asked[str],
        "range[kind]": Asked[Literal["code", "pdf", "link", "document", "video"]],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[language_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[default]": Asked[bool],
        "range[up_to_date]": Asked[bool],
        "range[container_id]": Asked[int],
        "range[container_type]": Asked[str],
        "range[base_id]": Asked[int],
        "range[untranslatable]": Asked[bool],
        "range[attachments_structure_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListBalancesQuery = TypedDict(
    "ListBalancesQuery",
    {
        "sort": Asked[Literal["id", "-id", "begin_at", "-begin_at", "end_at", "-end_at", "created_at", "-created_at", "updated_at", "-updated_at", "pool_id", "-pool_id"]],
        "filter[id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[pool_id]": Asked[int],
        "filter[future]": bool,
        "filter[end]": bool,
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListBlocDeadlinesQuery = TypedDict(
    "ListBlocDeadlinesQuery",
    {
        "sort": Asked[Literal["id", "-id", "bloc_id", "-bloc_id", "begin_at", "-begin_at", "end_at", "-end_at", "created_at", "-created_at", "updated_at", "-updated_at", "coalition_id", "-coalition_id"]],
        "filter[id]": Asked[int],
        "filter[bloc_id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[coalition_id]": Asked[int],
        "range[id]": Asked[int],
        "range[bloc_id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[coalition_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListBlocsQuery = TypedDict(
    "ListBlocsQuery",
    {
        "sort": Asked[Literal["id", "-id", "cursus_id", "-cursus_id", "campus_id", "-campus_id", "squad_size", "-squad_size", "created_at", "-created_at", "updated_at", "-updated_at", "coalition_delay", "-coalition_delay", "repeat_deadline_delay", "-repeat_deadline_delay"]],
        "filter[id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[squad_size]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[coalition_delay]": Asked[int],
        "filter[repeat_deadline_delay]": Asked[int],
        "range[id]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[squad_size]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[coalition_delay]": Asked[int],
        "range[repeat_deadline_delay]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListBroadcastsQuery = TypedDict(
    "ListBroadcastsQuery",
    {
        "sort": Asked[Literal["id", "-id", "campus_id", "-campus_id", "tag_id", "-tag_id", "content", "-content", "pinned_until", "-pinned_until", "hidden_at", "-hidden_at", "url", "-url", "created_at", "-created_at", "updated_at", "-updated_at", "content_html", "-content_html", "position", "-position"]],
        "filter[id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[tag_id]": Asked[int],
        "filter[content]": Asked[str],
        "filter[pinned_until]": Asked[str | Time],
        "filter[hidden_at]": Asked[str | Time],
        "filter[url]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[content_html]": Asked[str],
        "filter[position]": Asked[int],
        "filter[hidden]": bool,
        "range[id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[tag_id]": Asked[int],
        "range[content]": Asked[str],
        "range[pinned_until]": Asked[str | Time],
        "range[hidden_at]": Asked[str | Time],
        "range[url]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[content_html]": Asked[str],
        "range[position]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCallbacksQuery = TypedDict(
    "ListCallbacksQuery",
    {
        "sort": Asked[Literal["id", "-id", "endpoint_id", "-endpoint_id", "user_id", "-user_id", "url", "-url", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[endpoint_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[url]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[endpoint_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[url]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCampusQuery = TypedDict(
    "ListCampusQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at", "time_zone", "-time_zone", "language_id", "-language_id", "slug", "-slug", "main_email", "-main_email", "endpoint_id", "-endpoint_id", "vogsphere_id", "-vogsphere_id", "content_email", "-content_email", "time_of_community_service_started", "-time_of_community_service_started", "companies_mail", "-companies_mail", "address", "-address", "zip", "-zip", "city", "-city", "country", "-country", "pro_needs_validation", "-pro_needs_validation", "logo", "-logo", "website", "-website", "facebook", "-facebook", "twitter", "-twitter", "display_name", "-display_name", "email_extension", "-email_extension", "help_url", "-help_url", "active", "-active", "open_to_job_offers", "-open_to_job_offers", "default_hidden_phone", "-default_hidden_phone", "tig_email", "-tig_email", "minimum_slot_duration", "-minimum_slot_duration", "alumni_system", "-alumni_system", "manual_alumnization_before_first_internship", "-manual_alumnization_before_first_internship", "public", "-public"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[time_zone]": Asked[str],
        "filter[language_id]": Asked[int],
        "filter[slug]": Asked[str],
        "filter[main_email]": Asked[str],
        "filter[endpoint_id]": Asked[int],
        "filter[vogsphere_id]": Asked[int],
        "filter[content_email]": Asked[str],
        "filter[time_of_community_service_started]": Asked[str],
        "filter[companies_mail]": Asked[str],
        "filter[address]": Asked[str],
        "filter[zip]": Asked[str],
        "filter[city]": Asked[str],
        "filter[country]": Asked[str],
        "filter[pro_needs_validation]": Asked[bool],
        "filter[logo]": Asked[str],
        "filter[website]": Asked[str],
        "filter[facebook]": Asked[str],
        "filter[twitter]": Asked[str],
        "filter[display_name]": Asked[str],
        "filter[email_extension]": Asked[str],
        "filter[help_url]": Asked[str],
        "filter[active]": Asked[bool],
        "filter[open_to_job_offers]": Asked[bool],
        "filter[default_hidden_phone]": Asked[bool],
        "filter[tig_email]": Asked[str],
        "filter[minimum_slot_duration]": Asked[int],
        "filter[alumni_system]": Asked[bool],
        "filter[manual_alumnization_before_first_internship]": Asked[bool],
        "filter[public]": Asked[bool],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[time_zone]": Asked[str],
        "range[language_id]": Asked[int],
        "range[slug]": Asked[str],
        "range[main_email]": Asked[str],
        "range[endpoint_id]": Asked[int],
        "range[vogsphere_id]": Asked[int],
        "range[content_email]": Asked[str],
        "range[time_of_community_service_started]": Asked[str],
        "range[companies_mail]": Asked[str],
        "range[address]": Asked[str],
        "range[zip]": Asked[str],
        "range[city]": Asked[str],
        "range[country]": Asked[str],
        "range[pro_needs_validation]": Asked[bool],
        "range[logo]": Asked[str],
        "range[website]": Asked[str],
        "range[facebook]": Asked[str],
        "range[twitter]": Asked[str],
        "range[display_name]": Asked[str],
        "range[email_extension]": Asked[str],
        "range[help_url]": Asked[str],
        "range[active]": Asked[bool],
        "range[open_to_job_offers]": Asked[bool],
        "range[default_hidden_phone]": Asked[bool],
        "range[tig_email]": Asked[str],
        "range[minimum_slot_duration]": Asked[int],
        "range[alumni_system]": Asked[bool],
        "range[manual_alumnization_before_first_internship]": Asked[bool],
        "range[public]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCampusUsersQuery = TypedDict(
    "ListCampusUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "campus_id", "-campus_id", "is_primary", "-is_primary", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[is_primary]": Asked[bool],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[is_primary]": Asked[bool],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCertificatesQuery = TypedDict(
    "ListCertificatesQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "content", "-content", "image", "-image", "cursus_id", "-cursus_id", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[content]": Asked[str],
        "filter[image]": Asked[str],
        "filter[cursus_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[content]": Asked[str],
        "range[image]": Asked[str],
        "range[cursus_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCertificatesUsersQuery = TypedDict(
    "ListCertificatesUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "certificate_id", "-certificate_id", "user_id", "-user_id", "certificate_number", "-certificate_number", "certified_at", "-certified_at", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[certificate_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[certificate_number]": Asked[int],
        "filter[certified_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[certificate_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[certificate_number]": Asked[int],
        "range[certified_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListChangelogsQuery = TypedDict(
    "ListChangelogsQuery",
    {
        "sort": Asked[Literal["id", "-id", "version", "-version", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[version]": Asked[str],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[version]": Asked[str],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListClosesQuery = TypedDict(
    "ListClosesQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "closer_id", "-closer_id", "reason", "-reason", "state", "-state", "created_at", "-created_at", "updated_at", "-updated_at", "kind", "-kind", "end_at", "-end_at", "jid", "-jid"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[closer_id]": Asked[int],
        "filter[reason]": Asked[str],
        "filter[state]": Asked[Literal["close", "unclose"]],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[kind]": Asked[Literal["agu", "other", "deserter", "black_hole", "serious_misconduct", "social_security", "non_admitted", "pace_unknown"]],
        "filter[end_at]": Asked[str | Time],
        "filter[jid]": Asked[str],
        "filter[campus_id]": Asked[int],
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[closer_id]": Asked[int],
        "range[reason]": Asked[str],
        "range[state]": Asked[Literal["close", "unclose"]],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[kind]": Asked[Literal["agu", "other", "deserter", "black_hole", "serious_misconduct", "social_security", "non_admitted", "pace_unknown"]],
        "range[end_at]": Asked[str | Time],
        "range[jid]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListClustersQuery = TypedDict(
    "ListClustersQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "campus_id", "-campus_id", "created_at", "-created_at", "updated_at", "-updated_at", "image", "-image"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[campus_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[image]": Asked[str],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[campus_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[image]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCoalitionsOfUserQuery = TypedDict(
    "ListCoalitionsOfUserQuery",
    {
        "sort": Asked[Literal["id", "-id", "bloc_id", "-bloc_id", "user_id", "-user_id", "name", "-name", "image", "-image", "slug", "-slug", "created_at", "-created_at", "updated_at", "-updated_at", "color", "-color", "cover", "-cover", "image_url", "-image_url", "cover_url", "-cover_url", "score", "-score"]],
        "filter[id]": Asked[int],
        "filter[bloc_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[image]": Asked[str],
        "filter[slug]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[color]": Asked[str],
        "filter[cover]": Asked[str],
        "filter[image_url]": Asked[str],
        "filter[cover_url]": Asked[str],
        "filter[score]": Asked[int],
        "range[id]": Asked[int],
        "range[bloc_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[name]": Asked[str],
        "range[image]": Asked[str],
        "range[slug]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[color]": Asked[str],
        "range[cover]": Asked[str],
        "range[image_url]": Asked[str],
        "range[cover_url]": Asked[str],
        "range[score]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCoalitionsQuery = TypedDict(
    "ListCoalitionsQuery",
    {
        "sort": Asked[Literal["id", "-id", "bloc_id", "-bloc_id", "user_id", "-user_id", "name", "-name", "image", "-image", "slug", "-slug", "created_at", "-created_at", "updated_at", "-updated_at", "color", "-color", "cover", "-cover", "image_url", "-image_url", "cover_url", "-cover_url", "score", "-score"]],
        "filter[id]": Asked[int],
        "filter[bloc_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[image]": Asked[str],
        "filter[slug]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[color]": Asked[str],
        "filter[cover]": Asked[str],
        "filter[image_url]": Asked[str],
        "filter[cover_url]": Asked[str],
        "filter[score]": Asked[int],
        "range[id]": Asked[int],
        "range[bloc_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[name]": Asked[str],
        "range[image]": Asked[str],
        "range[slug]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[color]": Asked[str],
        "range[cover]": Asked[str],
        "range[image_url]": Asked[str],
        "range[cover_url]": Asked[str],
        "range[score]": Asked[int],
        "page": int,
        "per_page": int,
        "user_id": str,
        "bloc_id": str,
    },
    total=False,
)


ListCoalitionsUsersQuery = TypedDict(
    "ListCoalitionsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "coalition_id", "-coalition_id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at", "this_year_score", "-this_year_score", "this_year_score_updated_at", "-this_year_score_updated_at", "score", "-score"]],
        "filter[id]": Asked[int],
        "filter[coalition_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[this_year_score]": Asked[int],
        "filter[this_year_score_updated_at]": Asked[str | Time],
        "filter[score]": Asked[int],
        "filter[this_year_score_updated]": bool,
        "range[id]": Asked[int],
        "range[coalition_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[this_year_score]": Asked[int],
        "range[this_year_score_updated_at]": Asked[str | Time],
        "range[score]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCommandsQuery = TypedDict(
    "ListCommandsQuery",
    {
        "sort": Asked[Literal["id", "-id", "created_at", "-created_at", "updated_at", "-updated_at", "product_id", "-product_id", "user_id", "-user_id", "owner_id", "-owner_id", "used", "-used", "validator_id", "-validator_id", "validated_at", "-validated_at"]],
        "filter[id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[product_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[owner_id]": Asked[int],
        "filter[used]": Asked[bool],
        "filter[validator_id]": Asked[int],
        "filter[validated_at]": Asked[str | Time],
        "filter[validated]": bool,
        "range[id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[product_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[owner_id]": Asked[int],
        "range[used]": Asked[bool],
        "range[validator_id]": Asked[int],
        "range[validated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCommunityServicesQuery = TypedDict(
    "ListCommunityServicesQuery",
    {
        "sort": Asked[Literal["id", "-id", "close_id", "-close_id", "tiger_id", "-tiger_id", "duration", "-duration", "schedule_at", "-schedule_at", "occupation", "-occupation", "token", "-token", "state", "-state", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[close_id]": Asked[int],
        "filter[tiger_id]": Asked[int],
        "filter[duration]": Asked[Literal[7200, 14400, 28800]],
        "filter[schedule_at]": Asked[str | Time],
        "filter[occupation]": Asked[str],
        "filter[token]": Asked[str],
        "filter[state]": Asked[Literal["schedule", "validated", "invalidated"]],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[schedule]": bool,
        "range[id]": Asked[int],
        "range[close_id]": Asked[int],
        "range[tiger_id]": Asked[int],
        "range[duration]": Asked[Literal[7200, 14400, 28800]],
        "range[schedule_at]": Asked[str | Time],
        "range[occupation]": Asked[str],
        "range[token]": Asked[str],
        "range[state]": Asked[Literal["schedule", "validated", "invalidated"]],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCorrectionPointHistoricsQuery = TypedDict(
    "ListCorrectionPointHistoricsQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_data_id", "-user_data_id", "scale_team_id", "-scale_team_id", "reason", "-reason", "sum", "-sum", "created_at", "-created_at", "updated_at", "-updated_at", "total", "-total"]],
        "filter[id]": Asked[int],
        "filter[user_data_id]": Asked[int],
        "filter[scale_team_id]": Asked[int],
        "filter[reason]": Asked[str],
        "filter[sum]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[total]": Asked[int],
        "range[id]": Asked[int],
        "range[user_data_id]": Asked[int],
        "range[scale_team_id]": Asked[int],
        "range[reason]": Asked[str],
        "range[sum]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[total]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCursusQuery = TypedDict(
    "ListCursusQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at", "slug", "-slug", "kind", "-kind", "restricted", "-restricted", "is_subscriptable", "-is_subscriptable"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[slug]": Asked[str],
        "filter[kind]": Asked[Literal["main", "main_deprecated", "piscine", "piscine_deprecated", "piscine_community", "test", "external", "external_deprecated", "professional_training", "professional_training_deprecated"]],
        "filter[restricted]": Asked[bool],
        "filter[is_subscriptable]": Asked[bool],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[slug]": Asked[str],
        "range[kind]": Asked[Literal["main", "main_deprecated", "piscine", "piscine_deprecated", "piscine_community", "test", "external", "external_deprecated", "professional_training", "professional_training_deprecated"]],
        "range[restricted]": Asked[bool],
        "range[is_subscriptable]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListCursusUsersQuery = TypedDict(
    "ListCursusUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "cursus_id", "-cursus_id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at", "end_at", "-end_at", "begin_at", "-begin_at", "has_coalition", "-has_coalition", "blackholed_at", "-blackholed_at", "level", "-level"]],
        "filter[id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[begin_at]": Asked[str | Time],
        "filter[has_coalition]": Asked[bool],
        "filter[blackholed_at]": Asked[str | Time],
        "filter[level]": Asked[float],
        "filter[active]": bool,
        "filter[campus_id]": Asked[int],
        "filter[end]": bool,
        "filter[future]": bool,
        "filter[blackholed]": bool,
        "range[id]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[begin_at]": Asked[str | Time],
        "range[has_coalition]": Asked[bool],
        "range[blackholed_at]": Asked[str | Time],
        "range[level]": Asked[float],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListDashesQuery = TypedDict(
    "ListDashesQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "description", "-description", "slug", "-slug", "cursus_id", "-cursus_id", "campus_id", "-campus_id", "skill_id", "-skill_id", "nbr_xp", "-nbr_xp", "begin_at", "-begin_at", "end_at", "-end_at", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[slug]": Asked[str],
        "filter[cursus_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[skill_id]": Asked[int],
        "filter[nbr_xp]": Asked[str],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[description]": Asked[str],
        "range[slug]": Asked[str],
        "range[cursus_id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[skill_id]": Asked[int],
        "range[nbr_xp]": Asked[str],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListDashesUsersQuery = TypedDict(
    "ListDashesUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "dash_id", "-dash_id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[dash_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[dash_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListDeliveriesQuery = TypedDict(
    "ListDeliveriesQuery",
    {
        "sort": Asked[Literal["id", "-id", "created_at", "-created_at", "updated_at", "-updated_at", "decided_at", "-decided_at", "next_try_at", "-next_try_at", "last_try_at", "-last_try_at", "tries", "-tries", "milliseconds", "-milliseconds"]],
        "filter[id]": Asked[int],
        "filter[webhook_id]": Asked[str],
        "filter[endpoint_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[login]": Asked[str],
        "filter[event]": Asked[Literal["created", "updated", "closed", "unclosed"]],
        "filter[state]": Asked[Literal["pending", "delivered", "rejected", "dead"]],
        "filter[status]": Asked[int],
        "filter[tries]": Asked[int],
        "filter[secrets]": Asked[Literal["none", "sealed", "sent", "lost", "erased"]],
        "filter[user]": Asked[str],
        "range[id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[decided_at]": Asked[str | Time],
        "range[next_try_at]": Asked[str | Time],
        "range[last_try_at]": Asked[str | Time],
        "range[tries]": Asked[int],
        "range[milliseconds]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListEndpointsQuery = TypedDict(
    "ListEndpointsQuery",
    {
        "sort": Asked[Literal["id", "-id", "url", "-url", "secret", "-secret", "description", "-description", "created_at", "-created_at", "updated_at", "-updated_at", "active", "-active"]],
        "filter[id]": Asked[int],
        "filter[url]": Asked[str],
        "filter[secret]": Asked[str],
        "filter[description]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[active]": Asked[bool],
        "range[id]": Asked[int],
        "range[url]": Asked[str],
        "range[secret]": Asked[str],
        "range[description]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[active]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListEvaluationsQuery = TypedDict(
    "ListEvaluationsQuery",
    {
        "sort": Asked[Literal["id", "-id", "position", "-position", "kind", "-kind", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[position]": Asked[int],
        "filter[kind]": Asked[Literal["scale", "upload"]],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "range[id]": Asked[int],
        "range[position]": Asked[int],
        "range[kind]": Asked[Literal["scale", "upload"]],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListEventsQuery = TypedDict(
    "ListEventsQuery",
    {
        "sort": Asked[Literal["id", "-id", "begin_at", "-begin_at", "end_at", "-end_at", "name", "-name", "description", "-description", "location", "-location", "kind", "-kind", "max_people", "-max_people", "created_at", "-created_at", "updated_at", "-updated_at", "prohibition_of_cancellation", "-prohibition_of_cancellation", "difficulty", "-difficulty", "remote", "-remote"]],
        "filter[id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[location]": Asked[str],
        "filter[kind]": Asked[Literal["pedago", "rush", "piscine", "partnership", "meet", "conference", "meet_up", "event", "association", "speed_working", "hackathon", "workshop", "challenge", "atelier", "other", "extern"]],
        "filter[max_people]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[prohibition_of_cancellation]": Asked[int],
        "filter[difficulty]": Asked[int],
        "filter[remote]": Asked[bool],
        "filter[future]": bool,
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[name]": Asked[str],
        "range[description]": Asked[str],
        "range[location]": Asked[str],
        "range[kind]": Asked[Literal["pedago", "rush", "piscine", "partnership", "meet", "conference", "meet_up", "event", "association", "speed_working", "hackathon", "workshop", "challenge", "atelier", "other", "extern"]],
        "range[max_people]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[prohibition_of_cancellation]": Asked[int],
        "range[difficulty]": Asked[int],
        "range[remote]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListEventsUsersQuery = TypedDict(
    "ListEventsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "event_id", "-event_id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[event_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[waiting]": bool,
        "range[id]": Asked[int],
        "range[event_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListExamsQuery = TypedDict(
    "ListExamsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "begin_at", "-begin_at", "end_at", "-end_at", "location", "-location", "ip_range", "-ip_range", "max_people", "-max_people", "campus_id", "-campus_id", "created_at", "-created_at", "updated_at", "-updated_at", "validated_at", "-validated_at", "visible", "-visible", "validator_id", "-validator_id", "prohibition_of_cancellation", "-prohibition_of_cancellation"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[location]": Asked[str],
        "filter[ip_range]": Asked[str],
        "filter[max_people]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[validated_at]": Asked[str | Time],
        "filter[visible]": Asked[bool],
        "filter[validator_id]": Asked[int],
        "filter[prohibition_of_cancellation]": Asked[int],
        "filter[future]": bool,
        "filter[end]": bool,
        "filter[validated]": bool,
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[location]": Asked[str],
        "range[ip_range]": Asked[str],
        "range[max_people]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[validated_at]": Asked[str | Time],
        "range[visible]": Asked[bool],
        "range[validator_id]": Asked[int],
        "range[prohibition_of_cancellation]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListExamsUsersQuery = TypedDict(
    "ListExamsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "exam_id", "-exam_id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[exam_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[waiting]": bool,
        "range[id]": Asked[int],
        "range[exam_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListExperiencesQuery = TypedDict(
    "ListExperiencesQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "skill_id", "-skill_id", "experiancable_id", "-experiancable_id", "experiancable_type", "-experiancable_type", "experience", "-experience", "created_at", "-created_at", "cursus_id", "-cursus_id", "is_bonus", "-is_bonus"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[skill_id]": Asked[int],
        "filter[experiancable_id]": Asked[int],
        "filter[experiancable_type]": Asked[Literal["ProjectsUser", "PartnershipsUser"]],
        "filter[experience]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[cursus_id]": Asked[int],
        "filter[is_bonus]": Asked[bool],
        "filter[campus_id]": Asked[int],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[skill_id]": Asked[int],
        "range[experiancable_id]": Asked[int],
        "range[experiancable_type]": Asked[Literal["ProjectsUser", "PartnershipsUser"]],
        "range[experience]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[cursus_id]": Asked[int],
        "range[is_bonus]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListExpertisesQuery = TypedDict(
    "ListExpertisesQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "slug", "-slug", "created_at", "-created_at", "updated_at", "-updated_at", "kind", "-kind"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[slug]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[kind]": Asked[Literal["languages", "frameworks", "databases", "admin_sys", "other"]],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[slug]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[kind]": Asked[Literal["languages", "frameworks", "databases", "admin_sys", "other"]],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListExpertisesUsersQuery = TypedDict(
    "ListExpertisesUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "expertise_id", "-expertise_id", "user_id", "-user_id", "interested", "-interested", "value", "-value", "created_at", "-created_at", "updated_at", "-updated_at", "contact_me", "-contact_me"]],
        "filter[id]": Asked[int],
        "filter[expertise_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[interested]": Asked[bool],
        "filter[value]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[contact_me]": Asked[bool],
        "range[id]": Asked[int],
        "range[expertise_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[interested]": Asked[bool],
        "range[value]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[contact_me]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListFeedbacksQuery = TypedDict(
    "ListFeedbacksQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "feedbackable_type", "-feedbackable_type", "feedbackable_id", "-feedbackable_id", "comment", "-comment", "rating", "-rating", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[feedbackable_type]": Asked[Literal["ScaleTeam", "Event"]],
        "filter[feedbackable_id]": Asked[int],
        "filter[comment]": Asked[str],
        "filter[rating]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[feedbackable_type]": Asked[Literal["ScaleTeam", "Event"]],
        "range[feedbackable_id]": Asked[int],
        "range[comment]": Asked[str],
        "range[rating]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListFlagsQuery = TypedDict(
    "ListFlagsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "positive", "-positive", "icon", "-icon", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[positive]": Asked[bool],
        "filter[icon]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[positive]": Asked[bool],
        "range[icon]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListFlashUsersQuery = TypedDict(
    "ListFlashUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "flash_id", "-flash_id", "user_id", "-user_id", "seen", "-seen", "end_at", "-end_at", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[flash_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[seen]": Asked[bool],
        "filter[end_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[flash_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[seen]": Asked[bool],
        "range[end_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListFlashesQuery = TypedDict(
    "ListFlashesQuery",
    {
        "sort": Asked[Literal["id", "-id", "content", "-content", "selector", "-selector", "created_at", "-created_at", "updated_at", "-updated_at", "identifier", "-identifier", "title", "-title", "url", "-url", "duration", "-duration"]],
        "filter[id]": Asked[int],
        "filter[content]": Asked[str],
        "filter[selector]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[identifier]": Asked[str],
        "filter[title]": Asked[str],
        "filter[url]": Asked[str],
        "filter[duration]": Asked[int],
        "range[id]": Asked[int],
        "range[content]": Asked[str],
        "range[selector]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[identifier]": Asked[str],
        "range[title]": Asked[str],
        "range[url]": Asked[str],
        "range[duration]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListGroupsUsersQuery = TypedDict(
    "ListGroupsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "group_id", "-group_id", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[group_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[group_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListInternshipsQuery = TypedDict(
    "ListInternshipsQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "offer_id", "-offer_id", "administration_id", "-administration_id", "language_id", "-language_id", "state", "-state", "company_name", "-company_name", "contract_type", "-contract_type", "start_at", "-start_at", "end_at", "-end_at", "duration", "-duration", "breach_at", "-breach_at", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[offer_id]": Asked[int],
        "filter[administration_id]": Asked[int],
        "filter[language_id]": Asked[int],
        "filter[state]": Asked[Literal["none", "need_validation", "invalidated", "generated", "uploaded", "ended", "broke", "canceled"]],
        "filter[company_name]": Asked[str],
        "filter[contract_type]": Asked[str],
        "filter[start_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[duration]": Asked[int],
        "filter[breach_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[offer_id]": Asked[int],
        "range[administration_id]": Asked[int],
        "range[language_id]": Asked[int],
        "range[state]": Asked[Literal["none", "need_validation", "invalidated", "generated", "uploaded", "ended", "broke", "canceled"]],
        "range[company_name]": Asked[str],
        "range[contract_type]": Asked[str],
        "range[start_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[duration]": Asked[int],
        "range[breach_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListJournalsOfCampusQuery = TypedDict(
    "ListJournalsOfCampusQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "item_type", "-item_type", "item_id", "-item_id", "cursus_id", "-cursus_id", "campus_id", "-campus_id", "reason", "-reason", "created_at", "-created_at", "updated_at", "-updated_at", "event_at", "-event_at", "alumni", "-alumni", "closed", "-closed"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[item_type]": Asked[str],
        "filter[item_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[reason]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[event_at]": Asked[str | Time],
        "filter[alumni]": Asked[bool],
        "filter[closed]": Asked[bool],
        "filter[event]": bool,
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[item_type]": Asked[str],
        "range[item_id]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[reason]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[event_at]": Asked[str | Time],
        "range[alumni]": Asked[bool],
        "range[closed]": Asked[bool],
        "page": int,
        "per_page": int,
        "begin_at": Required[str | Time],
        "end_at": Required[str | Time],
        "user_id": int,
    },
    total=False,
)


ListJournalsQuery = TypedDict(
    "ListJournalsQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "item_type", "-item_type", "item_id", "-item_id", "cursus_id", "-cursus_id", "campus_id", "-campus_id", "reason", "-reason", "created_at", "-created_at", "updated_at", "-updated_at", "event_at", "-event_at", "alumni", "-alumni", "closed", "-closed"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[item_type]": Asked[str],
        "filter[item_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[reason]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[event_at]": Asked[str | Time],
        "filter[alumni]": Asked[bool],
        "filter[closed]": Asked[bool],
        "filter[event]": bool,
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[item_type]": Asked[str],
        "range[item_id]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[reason]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[event_at]": Asked[str | Time],
        "range[alumni]": Asked[bool],
        "range[closed]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListLanguagesQuery = TypedDict(
    "ListLanguagesQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "identifier", "-identifier", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[identifier]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[identifier]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListLanguagesUsersQuery = TypedDict(
    "ListLanguagesUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "language_id", "-language_id", "user_id", "-user_id", "position", "-position", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[language_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[position]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[language_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[position]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListLevelsQuery = TypedDict(
    "ListLevelsQuery",
    {
        "sort": Asked[Literal["id", "-id", "lvl", "-lvl", "xp", "-xp", "cursus_id", "-cursus_id", "created_at", "-created_at"]],
        "filter[id]": Asked[int],
        "filter[lvl]": Asked[int],
        "filter[xp]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[lvl]": Asked[int],
        "range[xp]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListLocationsQuery = TypedDict(
    "ListLocationsQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "begin_at", "-begin_at", "end_at", "-end_at", "primary", "-primary", "host", "-host", "campus_id", "-campus_id"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[primary]": Asked[bool],
        "filter[host]": Asked[str],
        "filter[campus_id]": Asked[int],
        "filter[active]": bool,
        "filter[inactive]": bool,
        "filter[future]": bool,
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[primary]": Asked[bool],
        "range[host]": Asked[str],
        "range[campus_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListMessagesQuery = TypedDict(
    "ListMessagesQuery",
    {
        "sort": Asked[Literal["id", "-id", "author_id", "-author_id", "content", "-content", "content_html", "-content_html", "parent_id", "-parent_id", "created_at", "-created_at", "updated_at", "-updated_at", "reference_id", "-reference_id", "deleted_at", "-deleted_at", "is_root", "-is_root", "messageable_type", "-messageable_type", "messageable_id", "-messageable_id", "write_at", "-write_at", "readings_count", "-readings_count"]],
        "filter[id]": Asked[int],
        "filter[author_id]": Asked[int],
        "filter[content]": Asked[str],
        "filter[content_html]": Asked[str],
        "filter[parent_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[reference_id]": Asked[int],
        "filter[deleted_at]": Asked[str | Time],
        "filter[is_root]": Asked[bool],
        "filter[messageable_type]": Asked[Literal["Topic"]],
        "filter[messageable_id]": Asked[int],
        "filter[write_at]": Asked[str | Time],
        "filter[readings_count]": Asked[int],
        "filter[deleted]": bool,
        "filter[write]": bool,
        "range[id]": Asked[int],
        "range[author_id]": Asked[int],
        "range[content]": Asked[str],
        "range[content_html]": Asked[str],
        "range[parent_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[reference_id]": Asked[int],
        "range[deleted_at]": Asked[str | Time],
        "range[is_root]": Asked[bool],
        "range[messageable_type]": Asked[Literal["Topic"]],
        "range[messageable_id]": Asked[int],
        "range[write_at]": Asked[str | Time],
        "range[readings_count]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListNotionsQuery = TypedDict(
    "ListNotionsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at", "slug", "-slug"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[slug]": Asked[str],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[slug]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListOffersQuery = TypedDict(
    "ListOffersQuery",
    {
        "sort": Asked[Literal["id", "-id", "title", "-title", "little_description", "-little_description", "big_description", "-big_description", "salary", "-salary", "contract_type", "-contract_type", "email", "-email", "address", "-address", "city", "-city", "zip", "-zip", "country", "-country", "latitude", "-latitude", "longitude", "-longitude", "valid_at", "-valid_at", "invalid_at", "-invalid_at", "min_duration", "-min_duration", "max_duration", "-max_duration", "document", "-document", "slug", "-slug", "created_at", "-created_at", "updated_at", "-updated_at", "pro_id", "-pro_id", "company_id", "-company_id", "target", "-target"]],
        "filter[id]": Asked[int],
        "filter[title]": Asked[str],
        "filter[little_description]": Asked[str],
        "filter[big_description]": Asked[str],
        "filter[salary]": Asked[str],
        "filter[contract_type]": Asked[Literal["freelance", "apprentice_ship", "cdd", "cdi", "stage", "cdd_partiel", "cdi_partiel", "stage_partiel", "crea_startup"]],
        "filter[email]": Asked[str],
        "filter[address]": Asked[str],
        "filter[city]": Asked[str],
        "filter[zip]": Asked[str],
        "filter[country]": Asked[str],
        "filter[latitude]": Asked[float],
        "filter[longitude]": Asked[float],
        "filter[valid_at]": Asked[str | Time],
        "filter[invalid_at]": Asked[str | Time],
        "filter[min_duration]": Asked[int],
        "filter[max_duration]": Asked[int],
        "filter[document]": Asked[str],
        "filter[slug]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[pro_id]": Asked[int],
        "filter[company_id]": Asked[int],
        "filter[target]": Asked[Literal["student", "student_and_alumni"]],
        "filter[expertise_id]": Asked[int],
        "filter[expertise]": Asked[str],
        "filter[campus_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[reported]": bool,
        "filter[valid]": bool,
        "filter[invalid]": bool,
        "range[id]": Asked[int],
        "range[title]": Asked[str],
        "range[little_description]": Asked[str],
        "range[big_description]": Asked[str],
        "range[salary]": Asked[str],
        "range[contract_type]": Asked[Literal["freelance", "apprentice_ship", "cdd", "cdi", "stage", "cdd_partiel", "cdi_partiel", "stage_partiel", "crea_startup"]],
        "range[email]": Asked[str],
        "range[address]": Asked[str],
        "range[city]": Asked[str],
        "range[zip]": Asked[str],
        "range[country]": Asked[str],
        "range[latitude]": Asked[float],
        "range[longitude]": Asked[float],
        "range[valid_at]": Asked[str | Time],
        "range[invalid_at]": Asked[str | Time],
        "range[min_duration]": Asked[int],
        "range[max_duration]": Asked[int],
        "range[document]": Asked[str],
        "range[slug]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[pro_id]": Asked[int],
        "range[company_id]": Asked[int],
        "range[target]": Asked[Literal["student", "student_and_alumni"]],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListOffersUsersQuery = TypedDict(
    "ListOffersUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "offer_id", "-offer_id", "user_id", "-user_id", "validated_at", "-validated_at", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[offer_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[validated_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[validated]": bool,
        "range[id]": Asked[int],
        "range[offer_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[validated_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListPartnershipsQuery = TypedDict(
    "ListPartnershipsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "description", "-description", "difficulty", "-difficulty", "created_at", "-created_at", "updated_at", "-updated_at", "slug", "-slug", "file", "-file", "cursus_id", "-cursus_id"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[difficulty]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[slug]": Asked[str],
        "filter[file]": Asked[str],
        "filter[cursus_id]": Asked[int],
        "filter[tier]": Asked[int],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[description]": Asked[str],
        "range[difficulty]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[slug]": Asked[str],
        "range[file]": Asked[str],
        "range[cursus_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListPartnershipsUsersQuery = TypedDict(
    "ListPartnershipsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "partnership_id", "-partnership_id", "user_id", "-user_id", "final_mark", "-final_mark", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[partnership_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[final_mark]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[partnership_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[final_mark]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListPatronagesQuery = TypedDict(
    "ListPatronagesQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "godfather_id", "-godfather_id", "ongoing", "-ongoing", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[godfather_id]": Asked[int],
        "filter[ongoing]": Asked[bool],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[godfather_id]": Asked[int],
        "range[ongoing]": Asked[bool],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListPoolsQuery = TypedDict(
    "ListPoolsQuery",
    {
        "sort": Asked[Literal["id", "-id", "current_points", "-current_points", "max_points", "-max_points", "created_at", "-created_at", "updated_at", "-updated_at", "cursus_id", "-cursus_id", "campus_id", "-campus_id"]],
        "filter[id]": Asked[int],
        "filter[current_points]": Asked[int],
        "filter[max_points]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[cursus_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListProductsQuery = TypedDict(
    "ListProductsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "description", "-description", "price", "-price", "quantity", "-quantity", "begin_at", "-begin_at", "end_at", "-end_at", "category_id", "-category_id", "created_at", "-created_at", "updated_at", "-updated_at", "kind", "-kind", "slug", "-slug", "image", "-image", "is_uniq", "-is_uniq", "one_time_purchase", "-one_time_purchase"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[price]": Asked[int],
        "filter[quantity]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[category_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[kind]": Asked[Literal["user", "manager", "auto"]],
        "filter[slug]": Asked[str],
        "filter[image]": Asked[str],
        "filter[is_uniq]": Asked[bool],
        "filter[one_time_purchase]": Asked[bool],
        "filter[future]": bool,
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[description]": Asked[str],
        "range[price]": Asked[int],
        "range[quantity]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[category_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[kind]": Asked[Literal["user", "manager", "auto"]],
        "range[slug]": Asked[str],
        "range[image]": Asked[str],
        "range[is_uniq]": Asked[bool],
        "range[one_time_purchase]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListProjectDataQuery = TypedDict(
    "ListProjectDataQuery",
    {
        "sort": Asked[Literal["id", "-id", "coordinates", "-coordinates", "created_at", "-created_at", "updated_at", "-updated_at", "by", "-by", "kind", "-kind", "project_session_id", "-project_session_id"]],
        "filter[id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[kind]": Asked[Literal["project", "rush", "exam", "first_internship", "second_internship", "big_project", "piscine", "part_time"]],
        "filter[project_session_id]": Asked[int],
        "filter[coordinates]": Asked[str],
        "filter[by]": Asked[str],
        "range[id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[kind]": Asked[Literal["project", "rush", "exam", "first_internship", "second_internship", "big_project", "piscine", "part_time"]],
        "range[project_session_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListProjectSessionsQuery = TypedDict(
    "ListProjectSessionsQuery",
    {
        "sort": Asked[Literal["id", "-id", "project_id", "-project_id", "campus_id", "-campus_id", "cursus_id", "-cursus_id", "estimate_time", "-estimate_time", "created_at", "-created_at", "updated_at", "-updated_at", "begin_at", "-begin_at", "end_at", "-end_at", "max_people", "-max_people", "duration_days", "-duration_days", "terminating_after", "-terminating_after", "solo", "-solo", "is_subscriptable", "-is_subscriptable", "team_behaviour", "-team_behaviour", "difficulty", "-difficulty", "minimum_mark", "-minimum_mark", "commit", "-commit", "description", "-description", "objectives", "-objectives", "divisor", "-divisor"]],
        "filter[id]": Asked[int],
        "filter[project_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[estimate_time]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[max_people]": Asked[int],
        "filter[duration_days]": Asked[int],
        "filter[terminating_after]": Asked[int],
        "filter[solo]": Asked[bool],
        "filter[is_subscriptable]": Asked[bool],
        "filter[team_behaviour]": Asked[Literal["user", "upload", "by_rule", "none"]],
        "filter[difficulty]": Asked[int],
        "filter[future]": bool,
        "filter[end]": bool,
        "range[id]": Asked[int],
        "range[project_id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[cursus_id]": Asked[int],
        "range[estimate_time]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[max_people]": Asked[int],
        "range[duration_days]": Asked[int],
        "range[terminating_after]": Asked[int],
        "range[solo]": Asked[bool],
        "range[is_subscriptable]": Asked[bool],
        "range[team_behaviour]": Asked[Literal["user", "upload", "by_rule", "none"]],
        "range[difficulty]": Asked[int],
        "range[minimum_mark]": Asked[int],
        "range[commit]": Asked[str],
        "range[description]": Asked[str],
        "range[objectives]": Asked[list[str]],
        "range[divisor]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListProjectSessionsRulesQuery = TypedDict(
    "ListProjectSessionsRulesQuery",
    {
        "sort": Asked[Literal["id", "-id", "rule_id", "-rule_id", "created_at", "-created_at", "updated_at", "-updated_at", "required", "-required", "position", "-position", "project_session_id", "-project_session_id"]],
        "filter[id]": Asked[int],
        "filter[rule_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[required]": Asked[bool],
        "filter[position]": Asked[int],
        "filter[project_session_id]": Asked[int],
        "range[id]": Asked[int],
        "range[rule_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[required]": Asked[bool],
        "range[position]": Asked[int],
        "range[project_session_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListProjectSessionsSkillsQuery = TypedDict(
    "ListProjectSessionsSkillsQuery",
    {
        "sort": Asked[Literal["id", "-id", "project_session_id", "-project_session_id", "skill_id", "-skill_id", "value", "-value", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[project_session_id]": Asked[int],
        "filter[skill_id]": Asked[int],
        "filter[value]": Asked[float],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[project_session_id]": Asked[int],
        "range[skill_id]": Asked[int],
        "range[value]": Asked[float],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListProjectsQuery = TypedDict(
    "ListProjectsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at", "visible", "-visible", "exam", "-exam", "parent_id", "-parent_id", "slug", "-slug", "inherited_team", "-inherited_team", "position", "-position", "has_git", "-has_git", "has_mark", "-has_mark", "repository", "-repository", "git_id", "-git_id", "cached_repository_path", "-cached_repository_path"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[visible]": Asked[bool],
        "filter[exam]": Asked[bool],
        "filter[parent_id]": Asked[int],
        "filter[slug]": Asked[str],
        "filter[inherited_team]": Asked[bool],
        "filter[position]": Asked[int],
        "filter[has_git]": Asked[bool],
        "filter[has_mark]": Asked[bool],
        "filter[repository]": Asked[str],
        "filter[git_id]": Asked[int],
        "filter[cached_repository_path]": Asked[str],
        "filter[description]": Asked[str],
        "filter[difficulty]": Asked[int],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[visible]": Asked[bool],
        "range[exam]": Asked[bool],
        "range[parent_id]": Asked[int],
        "range[slug]": Asked[str],
        "range[inherited_team]": Asked[bool],
        "range[position]": Asked[int],
        "range[has_git]": Asked[bool],
        "range[has_mark]": Asked[bool],
        "range[repository]": Asked[str],
        "range[git_id]": Asked[int],
        "range[cached_repository_path]": Asked[str],
        "range[description]": Asked[str],
        "range[difficulty]": Asked[int],
        "search[name]": str,
        "search[slug]": str,
        "search": str,
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListProjectsUsersQuery = TypedDict(
    "ListProjectsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "project_id", "-project_id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at", "occurrence", "-occurrence", "final_mark", "-final_mark", "retriable_at", "-retriable_at", "marked_at", "-marked_at", "status", "-status"]],
        "filter[id]": Asked[int],
        "filter[project_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[occurrence]": Asked[int],
        "filter[final_mark]": Asked[int],
        "filter[retriable_at]": Asked[str | Time],
        "filter[marked_at]": Asked[str | Time],
        "filter[status]": Asked[Literal["creating_group", "searching_a_group", "in_progress", "waiting_for_correction", "finished", "parent"]],
        "filter[cursus]": Asked[int],
        "filter[campus]": Asked[int],
        "filter[retriable]": bool,
        "filter[marked]": bool,
        "range[id]": Asked[int],
        "range[project_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[occurrence]": Asked[int],
        "range[final_mark]": Asked[int],
        "range[retriable_at]": Asked[str | Time],
        "range[marked_at]": Asked[str | Time],
        "range[status]": Asked[Literal["creating_group", "searching_a_group", "in_progress", "waiting_for_correction", "finished", "parent"]],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListQuestsQuery = TypedDict(
    "ListQuestsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "slug", "-slug", "kind", "-kind", "internal_name", "-internal_name", "description", "-description", "cursus_id", "-cursus_id", "campus_id", "-campus_id", "created_at", "-created_at", "updated_at", "-updated_at", "grade_id", "-grade_id", "position", "-position", "guild_size", "-guild_size", "guild_prct", "-guild_prct", "mails", "-mails", "duration", "-duration", "ancestry", "-ancestry", "certificate_id", "-certificate_id", "unlock_all_projects", "-unlock_all_projects", "tries_number", "-tries_number", "success_number", "-success_number", "close_on_fail", "-close_on_fail", "mails_from", "-mails_from"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[slug]": Asked[str],
        "filter[kind]": Asked[Literal["main", "optional", "mandatory", "repeatable", "cursus_version"]],
        "filter[internal_name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[cursus_id]": Asked[int],
        "filter[campus_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[grade_id]": Asked[int],
        "filter[position]": Asked[int],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[slug]": Asked[str],
        "range[kind]": Asked[Literal["main", "optional", "mandatory", "repeatable", "cursus_version"]],
        "range[internal_name]": Asked[str],
        "range[description]": Asked[str],
        "range[cursus_id]": Asked[int],
        "range[campus_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[grade_id]": Asked[int],
        "range[position]": Asked[int],
        "range[guild_size]": Asked[int],
        "range[guild_prct]": Asked[int],
        "range[mails]": Asked[str],
        "range[duration]": Asked[int],
        "range[ancestry]": Asked[str],
        "range[certificate_id]": Asked[int],
        "range[unlock_all_projects]": Asked[bool],
        "range[tries_number]": Asked[int],
        "range[success_number]": Asked[int],
        "range[close_on_fail]": Asked[bool],
        "range[mails_from]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListQuestsUsersQuery = TypedDict(
    "ListQuestsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "quest_id", "-quest_id", "user_id", "-user_id", "end_at", "-end_at", "validated_at", "-validated_at", "prct", "-prct", "advancement", "-advancement", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[quest_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[end_at]": Asked[str | Time],
        "filter[validated_at]": Asked[str | Time],
        "filter[prct]": Asked[int],
        "filter[advancement]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[end]": bool,
        "filter[validated]": bool,
        "range[id]": Asked[int],
        "range[quest_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[end_at]": Asked[str | Time],
        "range[validated_at]": Asked[str | Time],
        "range[prct]": Asked[int],
        "range[advancement]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


class ListResourcesAnswer(TypedDict):
    version: str
    documentation: str
    openapi: str
    resources: dict[str, str]


ListRolesQuery = TypedDict(
    "ListRolesQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "description", "-description", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[description]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListRolesUsersQuery = TypedDict(
    "ListRolesUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "role_id", "-role_id", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[role_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[role_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListRulesQuery = TypedDict(
    "ListRulesQuery",
    {
        "sort": Asked[Literal["id", "-id", "kind", "-kind", "name", "-name", "description", "-description", "created_at", "-created_at", "updated_at", "-updated_at", "slug", "-slug", "internal_name", "-internal_name"]],
        "filter[id]": Asked[int],
        "filter[kind]": Asked[Literal["inscription", "retry_inscription", "correction", "final_compilation", "eval_compilation", "retriable", "group_validation", "team_generation", "experience_modification"]],
        "filter[name]": Asked[str],
        "filter[description]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[slug]": Asked[str],
        "filter[internal_name]": Asked[str],
        "range[id]": Asked[int],
        "range[kind]": Asked[Literal["inscription", "retry_inscription", "correction", "final_compilation", "eval_compilation", "retriable", "group_validation", "team_generation", "experience_modification"]],
        "range[name]": Asked[str],
        "range[description]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[slug]": Asked[str],
        "range[internal_name]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListScaleTeamsQuery = TypedDict(
    "ListScaleTeamsQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "begin_at", "-begin_at", "created_at", "-created_at", "updated_at", "-updated_at", "scale_id", "-scale_id", "team_id", "-team_id", "comment", "-comment", "old_feedback", "-old_feedback", "feedback_rating", "-feedback_rating", "final_mark", "-final_mark", "truant_id", "-truant_id", "flag_id", "-flag_id", "token", "-token", "ip", "-ip", "internship_id", "-internship_id", "filled_at", "-filled_at"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[scale_id]": Asked[int],
        "filter[team_id]": Asked[int],
        "filter[comment]": Asked[str],
        "filter[old_feedback]": Asked[str],
        "filter[feedback_rating]": Asked[int],
        "filter[final_mark]": Asked[int],
        "filter[truant_id]": Asked[int],
        "filter[flag_id]": Asked[int],
        "filter[token]": Asked[str],
        "filter[ip]": Asked[str],
        "filter[internship_id]": Asked[int],
        "filter[filled_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "filter[future]": bool,
        "filter[filled]": bool,
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[scale_id]": Asked[int],
        "range[team_id]": Asked[int],
        "range[comment]": Asked[str],
        "range[old_feedback]": Asked[str],
        "range[feedback_rating]": Asked[int],
        "range[final_mark]": Asked[int],
        "range[truant_id]": Asked[int],
        "range[flag_id]": Asked[int],
        "range[token]": Asked[str],
        "range[ip]": Asked[str],
        "range[internship_id]": Asked[int],
        "range[filled_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListScalesQuery = TypedDict(
    "ListScalesQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "comment", "-comment", "introduction_md", "-introduction_md", "disclaimer_md", "-disclaimer_md", "guidelines_md", "-guidelines_md", "created_at", "-created_at", "updated_at", "-updated_at", "evaluation_id", "-evaluation_id", "is_primary", "-is_primary", "correction_number", "-correction_number", "duration", "-duration", "manual_subscription", "-manual_subscription", "is_external", "-is_external", "free", "-free"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[comment]": Asked[str],
        "filter[introduction_md]": Asked[str],
        "filter[disclaimer_md]": Asked[str],
        "filter[guidelines_md]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[evaluation_id]": Asked[int],
        "filter[is_primary]": Asked[bool],
        "filter[correction_number]": Asked[int],
        "filter[duration]": Asked[int],
        "filter[manual_subscription]": Asked[bool],
        "filter[is_external]": Asked[bool],
        "filter[free]": Asked[bool],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[comment]": Asked[str],
        "range[introduction_md]": Asked[str],
        "range[disclaimer_md]": Asked[str],
        "range[guidelines_md]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[evaluation_id]": Asked[int],
        "range[is_primary]": Asked[bool],
        "range[correction_number]": Asked[int],
        "range[duration]": Asked[int],
        "range[manual_subscription]": Asked[bool],
        "range[is_external]": Asked[bool],
        "range[free]": Asked[bool],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListScoresQuery = TypedDict(
    "ListScoresQuery",
    {
        "sort": Asked[Literal["id", "-id", "coalitions_user_id", "-coalitions_user_id", "calculation_id", "-calculation_id", "reason", "-reason", "created_at", "-created_at", "updated_at", "-updated_at", "coalition_id", "-coalition_id", "scoreable_id", "-scoreable_id", "scoreable_type", "-scoreable_type", "value", "-value"]],
        "filter[id]": Asked[int],
        "filter[coalitions_user_id]": Asked[int],
        "filter[calculation_id]": Asked[int],
        "filter[reason]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[coalition_id]": Asked[int],
        "filter[scoreable_id]": Asked[int],
        "filter[scoreable_type]": Asked[str],
        "filter[value]": Asked[int],
        "range[id]": Asked[int],
        "range[coalitions_user_id]": Asked[int],
        "range[calculation_id]": Asked[int],
        "range[reason]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[coalition_id]": Asked[int],
        "range[scoreable_id]": Asked[int],
        "range[scoreable_type]": Asked[str],
        "range[value]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListSkillsQuery = TypedDict(
    "ListSkillsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "slug", "-slug", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[slug]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[slug]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListSlotsQuery = TypedDict(
    "ListSlotsQuery",
    {
        "sort": Asked[Literal["id", "-id", "begin_at", "-begin_at", "end_at", "-end_at", "created_at", "-created_at", "user_id", "-user_id", "scale_team_id", "-scale_team_id"]],
        "filter[id]": Asked[int],
        "filter[begin_at]": Asked[str | Time],
        "filter[end_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[future]": bool,
        "filter[end]": bool,
        "filter[available]": bool,
        "range[id]": Asked[int],
        "range[begin_at]": Asked[str | Time],
        "range[end_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListSquadsQuery = TypedDict(
    "ListSquadsQuery",
    {
        "sort": Asked[Literal["id", "-id", "bloc_id", "-bloc_id", "locked_at", "-locked_at", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[bloc_id]": Asked[int],
        "filter[locked_at]": Asked[str | Time],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[locked]": bool,
        "range[id]": Asked[int],
        "range[bloc_id]": Asked[int],
        "range[locked_at]": Asked[str | Time],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListSquadsUsersQuery = TypedDict(
    "ListSquadsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "squad_id", "-squad_id", "user_id", "-user_id", "leader", "-leader", "validated", "-validated", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[squad_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[leader]": Asked[bool],
        "filter[validated]": Asked[bool],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[squad_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[leader]": Asked[bool],
        "range[validated]": Asked[bool],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListSubnotionsQuery = TypedDict(
    "ListSubnotionsQuery",
    {
        "sort": Asked[Literal["id", "-id", "notion_id", "-notion_id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at", "slug", "-slug", "position", "-position"]],
        "filter[id]": Asked[int],
        "filter[notion_id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[slug]": Asked[str],
        "filter[position]": Asked[int],
        "range[id]": Asked[int],
        "range[notion_id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[slug]": Asked[str],
        "range[position]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTagsQuery = TypedDict(
    "ListTagsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at", "pinner_id", "-pinner_id", "kind", "-kind", "description", "-description"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[pinner_id]": Asked[int],
        "filter[kind]": Asked[Literal["project", "general", "archived"]],
        "filter[description]": Asked[str],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[pinner_id]": Asked[int],
        "range[kind]": Asked[Literal["project", "general", "archived"]],
        "range[description]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTagsUsersQuery = TypedDict(
    "ListTagsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "tag_id", "-tag_id", "user_id", "-user_id", "created_at", "-created_at", "updated_at", "-updated_at", "campus_id", "-campus_id"]],
        "filter[id]": Asked[int],
        "filter[tag_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[campus_id]": Asked[int],
        "filter[cursus_id]": Asked[int],
        "range[id]": Asked[int],
        "range[tag_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[campus_id]": Asked[int],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTeamsQuery = TypedDict(
    "ListTeamsQuery",
    {
        "sort": Asked[Literal["id", "-id", "project_id", "-project_id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at", "locked_at", "-locked_at", "closed_at", "-closed_at", "final_mark", "-final_mark", "repo_url", "-repo_url", "repo_uuid", "-repo_uuid", "deadline_at", "-deadline_at", "terminating_at", "-terminating_at", "project_session_id", "-project_session_id", "status", "-status"]],
        "filter[id]": Asked[int],
        "filter[project_id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[locked_at]": Asked[str | Time],
        "filter[closed_at]": Asked[str | Time],
        "filter[final_mark]": Asked[int],
        "filter[repo_url]": Asked[str],
        "filter[repo_uuid]": Asked[str],
        "filter[deadline_at]": Asked[str | Time],
        "filter[terminating_at]": Asked[str | Time],
        "filter[project_session_id]": Asked[int],
        "filter[status]": Asked[Literal["creating_group", "searching_a_group", "in_progress", "waiting_for_correction", "finished", "parent"]],
        "filter[cursus]": Asked[int],
        "filter[active_cursus]": Asked[int],
        "filter[campus]": Asked[int],
        "filter[primary_campus]": Asked[int],
        "filter[locked]": bool,
        "filter[closed]": bool,
        "filter[deadline]": bool,
        "filter[terminating]": bool,
        "filter[with_mark]": bool,
        "range[id]": Asked[int],
        "range[project_id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[locked_at]": Asked[str | Time],
        "range[closed_at]": Asked[str | Time],
        "range[final_mark]": Asked[int],
        "range[repo_url]": Asked[str],
        "range[repo_uuid]": Asked[str],
        "range[deadline_at]": Asked[str | Time],
        "range[terminating_at]": Asked[str | Time],
        "range[project_session_id]": Asked[int],
        "range[status]": Asked[Literal["creating_group", "searching_a_group", "in_progress", "waiting_for_correction", "finished", "parent"]],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTeamsUploadsQuery = TypedDict(
    "ListTeamsUploadsQuery",
    {
        "sort": Asked[Literal["id", "-id", "team_id", "-team_id", "upload_id", "-upload_id", "final_mark", "-final_mark", "comment", "-comment", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[team_id]": Asked[int],
        "filter[upload_id]": Asked[int],
        "filter[final_mark]": Asked[int],
        "filter[comment]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[team_id]": Asked[int],
        "range[upload_id]": Asked[int],
        "range[final_mark]": Asked[int],
        "range[comment]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTeamsUsersQuery = TypedDict(
    "ListTeamsUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "team_id", "-team_id", "user_id", "-user_id", "leader", "-leader", "occurrence", "-occurrence", "validated", "-validated", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[team_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[leader]": Asked[bool],
        "filter[occurrence]": Asked[int],
        "filter[validated]": Asked[bool],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[team_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[leader]": Asked[bool],
        "range[occurrence]": Asked[int],
        "range[validated]": Asked[bool],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTitlesQuery = TypedDict(
    "ListTitlesQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTitlesUsersQuery = TypedDict(
    "ListTitlesUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "user_id", "-user_id", "title_id", "-title_id", "selected", "-selected", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[title_id]": Asked[int],
        "filter[selected]": Asked[bool],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[title_id]": Asked[int],
        "range[selected]": Asked[bool],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTopicsQuery = TypedDict(
    "ListTopicsQuery",
    {
        "sort": Asked[Literal["id", "-id", "name", "-name", "author_id", "-author_id", "kind", "-kind", "created_at", "-created_at", "updated_at", "-updated_at", "pinned_at", "-pinned_at", "locked_at", "-locked_at", "pinner_id", "-pinner_id", "locker_id", "-locker_id", "language_id", "-language_id", "write_at", "-write_at", "message_id", "-message_id", "answer_id", "-answer_id"]],
        "filter[id]": Asked[int],
        "filter[name]": Asked[str],
        "filter[author_id]": Asked[int],
        "filter[kind]": Asked[Literal["normal", "survey", "stack_overflow"]],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[pinned_at]": Asked[str | Time],
        "filter[locked_at]": Asked[str | Time],
        "filter[pinner_id]": Asked[int],
        "filter[locker_id]": Asked[int],
        "filter[language_id]": Asked[int],
        "filter[write_at]": Asked[str | Time],
        "filter[message_id]": Asked[int],
        "filter[answer_id]": Asked[int],
        "filter[pinned]": bool,
        "filter[locked]": bool,
        "filter[write]": bool,
        "range[id]": Asked[int],
        "range[name]": Asked[str],
        "range[author_id]": Asked[int],
        "range[kind]": Asked[Literal["normal", "survey", "stack_overflow"]],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[pinned_at]": Asked[str | Time],
        "range[locked_at]": Asked[str | Time],
        "range[pinner_id]": Asked[int],
        "range[locker_id]": Asked[int],
        "range[language_id]": Asked[int],
        "range[write_at]": Asked[str | Time],
        "range[message_id]": Asked[int],
        "range[answer_id]": Asked[int],
        "search[name]": str,
        "search": str,
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListTransactionsQuery = TypedDict(
    "ListTransactionsQuery",
    {
        "sort": Asked[Literal["id", "-id", "value", "-value", "user_id", "-user_id", "transactable_id", "-transactable_id", "transactable_type", "-transactable_type", "created_at", "-created_at", "reason", "-reason"]],
        "filter[id]": Asked[int],
        "filter[value]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[transactable_id]": Asked[int],
        "filter[transactable_type]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[reason]": Asked[str],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListUsersQuery = TypedDict(
    "ListUsersQuery",
    {
        "sort": Asked[Literal["id", "-id", "login", "-login", "email", "-email", "created_at", "-created_at", "updated_at", "-updated_at", "image", "-image", "first_name", "-first_name", "last_name", "-last_name", "pool_year", "-pool_year", "pool_month", "-pool_month", "kind", "-kind", "status", "-status", "usual_first_name", "-usual_first_name", "last_seen_at", "-last_seen_at", "alumnized_at", "-alumnized_at", "anonymized_at", "-anonymized_at"]],
        "filter[id]": Asked[int],
        "filter[login]": Asked[str],
        "filter[email]": Asked[str],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "filter[pool_year]": Asked[str],
        "filter[pool_month]": Asked[Literal["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]],
        "filter[kind]": Asked[Literal["student", "admin", "external"]],
        "filter[status]": Asked[str],
        "filter[first_name]": Asked[str],
        "filter[last_name]": Asked[str],
        "filter[primary_campus_id]": Asked[int],
        "filter[alumni?]": bool,
        "filter[staff?]": bool,
        "range[id]": Asked[int],
        "range[login]": Asked[str],
        "range[email]": Asked[str],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "range[pool_year]": Asked[str],
        "range[pool_month]": Asked[Literal["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]],
        "range[kind]": Asked[Literal["student", "admin", "external"]],
        "range[status]": Asked[str],
        "search[login]": str,
        "search[name]": str,
        "search[first_name]": str,
        "search[last_name]": str,
        "search": str,
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListVotesQuery = TypedDict(
    "ListVotesQuery",
    {
        "sort": Asked[Literal["id", "-id", "message_id", "-message_id", "user_id", "-user_id", "kind", "-kind", "created_at", "-created_at"]],
        "filter[id]": Asked[int],
        "filter[message_id]": Asked[int],
        "filter[user_id]": Asked[int],
        "filter[kind]": Asked[Literal["upvote", "downvote", "trollvote", "problem"]],
        "filter[created_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[message_id]": Asked[int],
        "range[user_id]": Asked[int],
        "range[kind]": Asked[Literal["upvote", "downvote", "trollvote", "problem"]],
        "range[created_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


ListWaitlistsQuery = TypedDict(
    "ListWaitlistsQuery",
    {
        "sort": Asked[Literal["id", "-id", "waitlistable_id", "-waitlistable_id", "waitlistable_type", "-waitlistable_type", "created_at", "-created_at", "updated_at", "-updated_at"]],
        "filter[id]": Asked[int],
        "filter[waitlistable_id]": Asked[int],
        "filter[waitlistable_type]": Asked[Literal["Event", "Exam"]],
        "filter[created_at]": Asked[str | Time],
        "filter[updated_at]": Asked[str | Time],
        "range[id]": Asked[int],
        "range[waitlistable_id]": Asked[int],
        "range[waitlistable_type]": Asked[Literal["Event", "Exam"]],
        "range[created_at]": Asked[str | Time],
        "range[updated_at]": Asked[str | Time],
        "page": int,
        "per_page": int,
    },
    total=False,
)


class Location(TypedDict):
    """A user sits, or sat, at a seat of a campus; open while they are logged in."""

    id: int
    """Id of the location."""
    begin_at: str
    """When the user logged in."""
    end_at: str | None
    """When the user logged out; null while they are logged in."""
    primary: bool
    """Whether it is the main place of the user at that time."""
    floor: str | None
    """Floor of the seat."""
    row: str | None
    """Row of the seat on its floor."""
    post: str | None
    """Number of the seat in its row."""
    host: str
    """Name of the computer."""
    campus_id: int
    """Id of the campus."""
    user: UserShort
    """The user whose id is `user_id`."""


class LocationCreate(TypedDict):
    """What is to be created."""

    location: LocationCreateLocation


class LocationCreateBelowUser(TypedDict):
    """What is to be created."""

    location: LocationCreateBelowUserLocation


class LocationCreateBelowUserLocation(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user."""
    host: str
    """Name of the computer."""
    campus_id: int
    """Id of the campus."""
    begin_at: NotRequired[str | None]
    """When the user logged in."""
    end_at: NotRequired[str | None]
    """When the user logged out; null while they are logged in."""
    primary: NotRequired[bool | None]
    """Whether it is the main place of the user at that time."""
    floor: NotRequired[str | None]
    """Floor of the seat."""
    row: NotRequired[str | None]
    """Row of the seat on its floor."""
    post: NotRequired[str | None]
    """Number of the seat in its row."""


class LocationCreateLocation(TypedDict):
    user_id: int
    """Id of the user."""
    host: str
    """Name of the computer."""
    campus_id: int
    """Id of the campus."""
    begin_at: NotRequired[str | None]
    """When the user logged in."""
    end_at: NotRequired[str | None]
    """When the user logged out; null while they are logged in."""
    primary: NotRequired[bool | None]
    """Whether it is the main place of the user at that time."""
    floor: NotRequired[str | None]
    """Floor of the seat."""
    row: NotRequired[str | None]
    """Row of the seat on its floor."""
    post: NotRequired[str | None]
    """Number of the seat in its row."""


class LocationUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    location: LocationUpdateLocation


class LocationUpdateLocation(TypedDict):
    user_id: NotRequired[int]
    """Id of the user."""
    host: NotRequired[str]
    """Name of the computer."""
    campus_id: NotRequired[int]
    """Id of the campus."""
    begin_at: NotRequired[str]
    """When the user logged in."""
    end_at: NotRequired[str | None]
    """When the user logged out; null while they are logged in."""
    primary: NotRequired[bool]
    """Whether it is the main place of the user at that time."""
    floor: NotRequired[str | None]
    """Floor of the seat."""
    row: NotRequired[str | None]
    """Row of the seat on its floor."""
    post: NotRequired[str | None]
    """Number of the seat in its row."""


class Message(TypedDict):
    """What somebody wrote about a topic, or in reply to another message."""

    id: int
    """Id of the message."""
    author: UserShort | dict[str, Any]
    """Who wrote it; `{}` where the author is gone."""
    content: str
    """The text, in Markdown; empty once it is deleted."""
    content_html: str | None
    """Always null; Markdown is not rendered."""
    replies: list[Message]
    """Messages that reply to it, with their own replies."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    parent_id: int | None
    """Id of the message that it replies to; null where it replies to none."""
    is_root: bool
    """Whether it replies to no other message."""
    messageable_id: int
    """Id of the topic that it is about."""
    messageable_type: Literal["Topic"]
    """What it is about, always `Topic`."""
    votes_count: MessageVotesCount
    """How many users voted on it, by kind of vote."""
    user_votes: MessageUserVotes
    """Ids of the votes of the caller on it; false where there is none."""
    readings: int
    """How many users have read it."""


class MessageCreate(TypedDict):
    """What is to be created."""

    message: MessageCreateMessage


class MessageCreateMessage(TypedDict):
    author_id: NotRequired[int | None]
    """Id of the user who wrote it; null where the author is gone."""
    content: str
    """The text, in Markdown; empty once it is deleted."""
    parent_id: NotRequired[int | None]
    """Id of the message that it replies to; null where it replies to none."""
    reference_id: NotRequired[int | None]
    """Id of another message that it speaks of."""
    messageable_type: NotRequired[Literal["Topic"] | None]
    """What it is about, always `Topic`."""
    messageable_id: NotRequired[int | None]
    """Id of the topic that it is about."""
    deleted_at: NotRequired[str | None]
    """When it was deleted; null while it stands."""
    write_at: NotRequired[str | None]
    """When it was written, where moderators say so."""
    readings_count: NotRequired[int | None]
    """How many users have read it, as a column."""
    content_html: NotRequired[str | None]
    """Ignored; HTML of clients is not repeated."""
    is_root: NotRequired[bool | None]
    """Ignored; it follows from `parent_id`."""


class MessageUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    message: MessageUpdateMessage


class MessageUpdateMessage(TypedDict):
    author_id: NotRequired[int | None]
    """Id of the user who wrote it; null where the author is gone."""
    content: NotRequired[str]
    """The text, in Markdown; empty once it is deleted."""
    parent_id: NotRequired[int | None]
    """Id of the message that it replies to; null where it replies to none."""
    reference_id: NotRequired[int | None]
    """Id of another message that it speaks of."""
    messageable_type: NotRequired[Literal["Topic"]]
    """What it is about, always `Topic`."""
    messageable_id: NotRequired[int]
    """Id of the topic that it is about."""
    deleted_at: NotRequired[str | None]
    """When it was deleted; null while it stands."""
    write_at: NotRequired[str | None]
    """When it was written, where moderators say so."""
    readings_count: NotRequired[int]
    """How many users have read it, as a column."""
    content_html: NotRequired[str | None]
    """Ignored; HTML of clients is not repeated."""
    is_root: NotRequired[bool | None]
    """Ignored; it follows from `parent_id`."""


class MessageUserVotes(TypedDict):
    """Ids of the votes of the caller on it; false where there is none."""

    upvote: int | Literal[False]
    """Id of the upvote of the caller, or false."""
    downvote: int | Literal[False]
    """Id of the downvote of the caller, or false."""
    trollvote: int | Literal[False]
    """Id of the trollvote of the caller, or false."""
    problem: int | Literal[False]
    """Id of the problem of the caller, or false."""


class MessageVotesCount(TypedDict):
    """How many users voted on it, by kind of vote."""

    upvote: int
    """Votes for it."""
    downvote: int
    """Votes against it."""
    trollvote: int
    """Votes that call it trolling."""
    problem: int
    """Votes that report a problem."""


class Notion(TypedDict):
    """A subject of the course material, in parts."""

    id: int
    """Id of the notion."""
    name: str
    """What the notion is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    created_at: str
    """When it was created."""
    subnotions: list[SubnotionInNotion]
    """Its parts, in their order."""
    tags: list[TagEmbedded]
    """Words under which it is found."""
    cursus: list[CursusEmbedded]
    """Courses that it is taught in."""


class NotionCreate(TypedDict):
    """What is to be created."""

    notion: NotionCreateNotion


class NotionCreateNotion(TypedDict):
    name: str
    """What the notion is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    subnotions_attributes: NotRequired[list[SubnotionAttributes]]
    """Subnotions to create, change or remove along with it."""
    tag_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (notions_tags); others are untied."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (notions_cursus); others are untied."""


class NotionEmbedded(TypedDict):
    """A subject of the course material, in parts."""

    id: int
    """Id of the notion."""
    name: str
    """What the notion is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    created_at: str
    """When it was created."""


class NotionUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    notion: NotionUpdateNotion


class NotionUpdateNotion(TypedDict):
    name: NotRequired[str]
    """What the notion is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    subnotions_attributes: NotRequired[list[SubnotionAttributes]]
    """Subnotions to create, change or remove along with it."""
    tag_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (notions_tags); others are untied."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (notions_cursus); others are untied."""


class Offer(TypedDict):
    """Work that a company offers to students and alumni."""

    id: int
    """Id of the offer."""
    title: str
    """What the work is called."""
    little_description: str
    """What it is about, in a sentence."""
    big_description: str
    """What it is about, at length."""
    salary: str
    """What it pays, in words; an empty text where nothing is said."""
    contract_type: Literal["freelance", "apprentice_ship", "cdd", "cdi", "stage", "cdd_partiel", "cdi_partiel", "stage_partiel", "crea_startup"]
    """What sort of contract it is."""
    email: str
    """Where to apply."""
    full_address: str
    """Address of the work on one line."""
    address: str
    """Street and number of the work."""
    city: str
    """City of the work."""
    zip: str
    """Postal code of the work."""
    country: str
    """Country of the work."""
    latitude: float | None
    """Degrees north of the equator."""
    longitude: float | None
    """Degrees east of Greenwich."""
    valid_at: str
    """When it begins to be shown."""
    invalid_at: str
    """When it ends to be shown."""
    min_duration: int
    """Shortest time that it lasts, in months."""
    max_duration: int | None
    """Longest time that it lasts, in months; null without an end."""
    document: str | None
    """Address of a document about it."""
    slug: str
    """Its title in plain letters; several offers may have the same."""
    target: Literal["student", "student_and_alumni"]
    """Whom it is for."""
    pro_id: int | None
    """Id of the professional who offers it, at the school’s companies."""
    company_id: int | None
    """Id of the company that offers it, at the school’s companies."""
    expertise_ids: list[int]
    """Ids of the crafts that it asks for."""
    campus_ids: list[int]
    """Ids of the campuses that it is shown at; empty for all."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class OfferCreate(TypedDict):
    """What is to be created."""

    offer: OfferCreateOffer


class OfferCreateOffer(TypedDict):
    title: str
    """What the work is called."""
    little_description: str
    """What it is about, in a sentence."""
    big_description: str
    """What it is about, at length."""
    salary: NotRequired[str | None]
    """What it pays, in words; an empty text where nothing is said."""
    contract_type: Literal["freelance", "apprentice_ship", "cdd", "cdi", "stage", "cdd_partiel", "cdi_partiel", "stage_partiel", "crea_startup"]
    """What sort of contract it is."""
    email: str
    """Where to apply."""
    address: str
    """Street and number of the work."""
    city: str
    """City of the work."""
    zip: str
    """Postal code of the work."""
    country: str
    """Country of the work."""
    latitude: NotRequired[float | None]
    """Degrees north of the equator."""
    longitude: NotRequired[float | None]
    """Degrees east of Greenwich."""
    valid_at: str
    """When it begins to be shown."""
    invalid_at: str
    """When it ends to be shown."""
    min_duration: int
    """Shortest time that it lasts, in months."""
    max_duration: NotRequired[int | None]
    """Longest time that it lasts, in months; null without an end."""
    document: NotRequired[str | None]
    """Address of a document about it."""
    slug: NotRequired[str | None]
    """Its title in plain letters; several offers may have the same."""
    target: Literal["student", "student_and_alumni"]
    """Whom it is for."""
    pro_id: NotRequired[int | None]
    """Id of the professional who offers it, at the school’s companies."""
    company_id: NotRequired[int | None]
    """Id of the company that offers it, at the school’s companies."""
    reported: NotRequired[bool | None]
    """Whether somebody found fault with it."""
    expertise_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (offers_expertises); others are untied."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (offers_campus); others are untied."""


class OfferEmbedded(TypedDict):
    """Work that a company offers to students and alumni."""

    id: int
    """Id of the offer."""
    title: str
    """What the work is called."""
    little_description: str
    """What it is about, in a sentence."""
    contract_type: Literal["freelance", "apprentice_ship", "cdd", "cdi", "stage", "cdd_partiel", "cdi_partiel", "stage_partiel", "crea_startup"]
    """What sort of contract it is."""
    slug: str
    """Its title in plain letters; several offers may have the same."""
    valid_at: str
    """When it begins to be shown."""
    invalid_at: str
    """When it ends to be shown."""


class OfferUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    offer: OfferUpdateOffer


class OfferUpdateOffer(TypedDict):
    title: NotRequired[str]
    """What the work is called."""
    little_description: NotRequired[str]
    """What it is about, in a sentence."""
    big_description: NotRequired[str]
    """What it is about, at length."""
    salary: NotRequired[str | None]
    """What it pays, in words; an empty text where nothing is said."""
    contract_type: NotRequired[Literal["freelance", "apprentice_ship", "cdd", "cdi", "stage", "cdd_partiel", "cdi_partiel", "stage_partiel", "crea_startup"]]
    """What sort of contract it is."""
    email: NotRequired[str]
    """Where to apply."""
    address: NotRequired[str]
    """Street and number of the work."""
    city: NotRequired[str]
    """City of the work."""
    zip: NotRequired[str]
    """Postal code of the work."""
    country: NotRequired[str]
    """Country of the work."""
    latitude: NotRequired[float | None]
    """Degrees north of the equator."""
    longitude: NotRequired[float | None]
    """Degrees east of Greenwich."""
    valid_at: NotRequired[str]
    """When it begins to be shown."""
    invalid_at: NotRequired[str]
    """When it ends to be shown."""
    min_duration: NotRequired[int]
    """Shortest time that it lasts, in months."""
    max_duration: NotRequired[int | None]
    """Longest time that it lasts, in months; null without an end."""
    document: NotRequired[str | None]
    """Address of a document about it."""
    slug: NotRequired[str]
    """Its title in plain letters; several offers may have the same."""
    target: NotRequired[Literal["student", "student_and_alumni"]]
    """Whom it is for."""
    pro_id: NotRequired[int | None]
    """Id of the professional who offers it, at the school’s companies."""
    company_id: NotRequired[int | None]
    """Id of the company that offers it, at the school’s companies."""
    reported: NotRequired[bool]
    """Whether somebody found fault with it."""
    expertise_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (offers_expertises); others are untied."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (offers_campus); others are untied."""


class OffersUser(TypedDict):
    """A user has applied for an offer."""

    id: int
    """Id of the offers user."""
    offer_id: int
    """Id of the offer."""
    user_id: int
    """Id of the user."""
    validated_at: str | None
    """When the application was let through to the company; null before."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    user: UserReference
    """The user whose id is `user_id`."""
    offer: OfferEmbedded
    """The offer whose id is `offer_id`."""


class OffersUserCreate(TypedDict):
    """What is to be created."""

    offers_user: OffersUserCreateOffersUser


class OffersUserCreateOffersUser(TypedDict):
    offer_id: int
    """Id of the offer."""
    user_id: int
    """Id of the user."""
    validated_at: NotRequired[str | None]
    """When the application was let through to the company; null before."""


class OffersUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    offers_user: OffersUserUpdateOffersUser


class OffersUserUpdateOffersUser(TypedDict):
    offer_id: NotRequired[int]
    """Id of the offer."""
    user_id: NotRequired[int]
    """Id of the user."""
    validated_at: NotRequired[str | None]
    """When the application was let through to the company; null before."""


class OpeningMessage(TypedDict):
    """The message that opens a topic."""

    id: int
    """Id of the opening message."""
    content: OpeningMessageContent
    """The text, in Markdown and as HTML."""


# The message that opens a topic. A new one needs content.
OpeningMessageAttributes = TypedDict(
    "OpeningMessageAttributes",
    {
        # The text, in Markdown and as HTML.
        "content": "NotRequired[str]",
        # Id of the user who wrote it; null where the author is gone.
        "author_id": "NotRequired[int | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class OpeningMessageContent(TypedDict):
    """The text, in Markdown and as HTML."""

    markdown: str
    """The text as it was written."""
    html: str | None
    """Always null; Markdown is not rendered."""


class Param(TypedDict):
    """What a rule can be told in each project session."""

    id: int
    """Id of the param."""
    name: str
    """What the param is called."""
    default_value: str | None
    """Value where a session gives none."""
    rule_id: int
    """Id of the rule."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    data_type: Literal["string", "parsed_string", "integer", "array"]
    """How the value is read."""


# What a rule can be told in each project session. A new one needs name.
ParamAttributes = TypedDict(
    "ParamAttributes",
    {
        # What the param is called.
        "name": "NotRequired[str]",
        # Value where a session gives none.
        "default_value": "NotRequired[str | None]",
        # How the value is read.
        "data_type": "NotRequired[Literal[\"string\", \"parsed_string\", \"integer\", \"array\"] | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class ParamsProjectSessionsRule(TypedDict):
    """The value of a param of a rule in one project session."""

    id: int
    """Id of the params project sessions rule."""
    param_id: int
    """Id of the param."""
    project_sessions_rule_id: int
    """Id of the project sessions rule."""
    value: str | None
    """Value of the param; null for its default."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


# The value of a param of a rule in one project session. A new one needs param_id.
ParamsProjectSessionsRuleAttributes = TypedDict(
    "ParamsProjectSessionsRuleAttributes",
    {
        # Id of the param.
        "param_id": "NotRequired[int]",
        # Value of the param; null for its default.
        "value": "NotRequired[str | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class Partnership(TypedDict):
    """Pedagogic work with a partner outside the school."""

    id: int
    """Id of the partnership."""
    name: str
    """What the partnership is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    difficulty: int | None
    """How hard it is; a larger number is harder."""
    url: str
    """Address of the partnership in this API."""
    partnerships_users_url: str
    """Address of the list of users who work on it."""
    partnerships_skills: list[PartnershipsSkill]
    """What it teaches, and how much of it."""


class PartnershipCreate(TypedDict):
    """What is to be created."""

    partnership: PartnershipCreatePartnership


class PartnershipCreatePartnership(TypedDict):
    name: str
    """What the partnership is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    description: str
    """What is to be done, in a few words."""
    difficulty: int
    """How hard it is; a larger number is harder."""
    cursus_id: int
    """Id of the cursus; null where there is none."""
    file: NotRequired[str | None]
    """Address of a document about it."""
    partnerships_skills_attributes: NotRequired[list[PartnershipsSkillAttributes]]
    """Partnerships skills to create, change or remove along with it."""
    user_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (partnerships_users); others are untied."""


class PartnershipUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    partnership: PartnershipUpdatePartnership


class PartnershipUpdatePartnership(TypedDict):
    name: NotRequired[str]
    """What the partnership is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    description: NotRequired[str]
    """What is to be done, in a few words."""
    difficulty: NotRequired[int]
    """How hard it is; a larger number is harder."""
    cursus_id: NotRequired[int]
    """Id of the cursus; null where there is none."""
    file: NotRequired[str | None]
    """Address of a document about it."""
    partnerships_skills_attributes: NotRequired[list[PartnershipsSkillAttributes]]
    """Partnerships skills to create, change or remove along with it."""
    user_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (partnerships_users); others are untied."""


class PartnershipsSkill(TypedDict):
    """What a partnership teaches, and how much of it."""

    id: int
    """Id of the partnerships skill."""
    partnership_id: int
    """Id of the partnership."""
    skill_id: int
    """Id of the skill."""
    value: float
    """Share of the experience that goes into the skill."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


# What a partnership teaches, and how much of it. A new one needs skill_id.
PartnershipsSkillAttributes = TypedDict(
    "PartnershipsSkillAttributes",
    {
        # Id of the skill.
        "skill_id": "NotRequired[int]",
        # Share of the experience that goes into the skill.
        "value": "NotRequired[float | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class PartnershipsUser(TypedDict):
    """A user works on a partnership."""

    id: int
    """Id of the partnerships user."""
    partnership_id: int
    """Id of the partnership."""
    final_mark: int | None
    """Mark of the work, 100 for all that was asked; null until it is marked."""
    user: UserShort
    """The user whose id is `user_id`."""


class PartnershipsUserCreate(TypedDict):
    """What is to be created."""

    partnerships_user: PartnershipsUserCreatePartnershipsUser


class PartnershipsUserCreateBelowPartnership(TypedDict):
    """What is to be created."""

    partnerships_user: PartnershipsUserCreateBelowPartnershipPartnershipsUser


class PartnershipsUserCreateBelowPartnershipPartnershipsUser(TypedDict):
    partnership_id: NotRequired[int | None]
    """Id of the partnership."""
    user_id: int
    """Id of the user."""
    final_mark: NotRequired[int | None]
    """Mark of the work, 100 for all that was asked; null until it is marked."""


class PartnershipsUserCreatePartnershipsUser(TypedDict):
    partnership_id: int
    """Id of the partnership."""
    user_id: int
    """Id of the user."""
    final_mark: NotRequired[int | None]
    """Mark of the work, 100 for all that was asked; null until it is marked."""


class PartnershipsUserInExperience(TypedDict):
    """A user works on a partnership."""

    id: int
    """Id of the partnerships user."""
    partnership_id: int
    """Id of the partnership."""


class PartnershipsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    partnerships_user: PartnershipsUserUpdatePartnershipsUser


class PartnershipsUserUpdatePartnershipsUser(TypedDict):
    partnership_id: NotRequired[int]
    """Id of the partnership."""
    user_id: NotRequired[int]
    """Id of the user."""
    final_mark: NotRequired[int | None]
    """Mark of the work, 100 for all that was asked; null until it is marked."""


class Patronage(TypedDict):
    """An older student, the godfather, looks after a younger one."""

    id: int
    """Id of the patronage."""
    user_id: int
    """Id of the user who is looked after."""
    godfather_id: int
    """Id of the user who looks after the other."""
    ongoing: bool
    """Whether it still goes on."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    user: UserShort
    """User who is looked after."""
    godfather: UserShort
    """User who looks after the other."""


class PatronageCreate(TypedDict):
    """What is to be created."""

    patronage: PatronageCreatePatronage


class PatronageCreateBelowUser(TypedDict):
    """What is to be created."""

    patronage: PatronageCreateBelowUserPatronage


class PatronageCreateBelowUserPatronage(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user who is looked after."""
    godfather_id: int
    """Id of the user who looks after the other."""
    ongoing: NotRequired[bool | None]
    """Whether it still goes on."""


class PatronageCreatePatronage(TypedDict):
    user_id: int
    """Id of the user who is looked after."""
    godfather_id: int
    """Id of the user who looks after the other."""
    ongoing: NotRequired[bool | None]
    """Whether it still goes on."""


class PatronageEmbedded(TypedDict):
    """An older student, the godfather, looks after a younger one."""

    id: int
    """Id of the patronage."""
    user_id: int
    """Id of the user who is looked after."""
    godfather_id: int
    """Id of the user who looks after the other."""
    ongoing: bool
    """Whether it still goes on."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class PatronageUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    patronage: PatronageUpdatePatronage


class PatronageUpdatePatronage(TypedDict):
    user_id: NotRequired[int]
    """Id of the user who is looked after."""
    godfather_id: NotRequired[int]
    """Id of the user who looks after the other."""
    ongoing: NotRequired[bool]
    """Whether it still goes on."""


class Pool(TypedDict):
    """Evaluation points that belong to all who follow a cursus at a campus."""

    id: int
    """Id of the pool."""
    current_points: int
    """Points that it holds."""
    max_points: int
    """Points with which it is full; it may hold more."""
    cursus_id: int
    """Id of the cursus."""
    campus_id: int
    """Id of the campus."""


class PoolCreate(TypedDict):
    """What is to be created."""

    pool: PoolCreatePool


class PoolCreatePool(TypedDict):
    current_points: NotRequired[int | None]
    """Points that it holds."""
    max_points: int
    """Points with which it is full; it may hold more."""
    cursus_id: int
    """Id of the cursus."""
    campus_id: int
    """Id of the campus."""


class PoolUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    pool: PoolUpdatePool


class PoolUpdatePool(TypedDict):
    current_points: NotRequired[int]
    """Points that it holds."""
    max_points: NotRequired[int]
    """Points with which it is full; it may hold more."""
    cursus_id: NotRequired[int]
    """Id of the cursus."""
    campus_id: NotRequired[int]
    """Id of the campus."""


class Product(TypedDict):
    """Something that users may buy in the shop."""

    id: int
    """Id of the product."""
    name: str
    """What the product is called."""
    description: str
    """What it is."""
    price: int
    """What it costs."""
    quantity: int | None
    """How many there are; null where they are not counted."""
    begin_at: str | None
    """From when on it is sold; null for ever since."""
    end_at: str | None
    """Until when it is sold; null for ever."""
    category_id: int
    """Id of the part of the shop that it is in."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    kind: Literal["user", "manager", "auto"]
    """Who hands it over: users, managers of the shop or the service."""
    slug: str
    """Name in addresses, which stands for the id."""
    image: ProductImage
    """Address of its picture."""
    is_uniq: bool | None
    """Whether a user may have only one of it at a time."""
    one_time_purchase: bool | None
    """Whether a user may buy it only once."""


class ProductAtCampus(TypedDict):
    """Something that users may buy in the shop."""

    id: int
    """Id of the product."""
    name: str
    """What the product is called."""
    description: str
    """What it is."""
    price: int
    """What it costs."""
    quantity: int | None
    """How many there are; null where they are not counted."""
    begin_at: str | None
    """From when on it is sold; null for ever since."""
    end_at: str | None
    """Until when it is sold; null for ever."""
    category_id: int
    """Id of the part of the shop that it is in."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    kind: Literal["user", "manager", "auto"]
    """Who hands it over: users, managers of the shop or the service."""
    slug: str
    """Name in addresses, which stands for the id."""
    image: ProductAtCampusImage
    """Address of its picture."""
    is_uniq: bool | None
    """Whether a user may have only one of it at a time."""
    one_time_purchase: bool | None
    """Whether a user may buy it only once."""
    campus_id: int
    """Id of the campus of the list."""
    campus_name: str
    """Name of the campus of the list."""


class ProductAtCampusImage(TypedDict):
    """Address of its picture."""

    url: str | None
    thumb: ProductAtCampusImageThumb


class ProductAtCampusImageThumb(TypedDict):
    url: None
    """Always null, for clients that expect it."""


class ProductCreate(TypedDict):
    """What is to be created."""

    product: ProductCreateProduct


class ProductCreateProduct(TypedDict):
    name: str
    """What the product is called."""
    description: str
    """What it is."""
    price: int
    """What it costs."""
    quantity: NotRequired[int | None]
    """How many there are; null where they are not counted."""
    begin_at: NotRequired[str | None]
    """From when on it is sold; null for ever since."""
    end_at: NotRequired[str | None]
    """Until when it is sold; null for ever."""
    category_id: int
    """Id of the part of the shop that it is in."""
    kind: Literal["user", "manager", "auto"]
    """Who hands it over: users, managers of the shop or the service."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    image: str
    """Address of its picture."""
    is_uniq: NotRequired[bool | None]
    """Whether a user may have only one of it at a time."""
    one_time_purchase: NotRequired[bool | None]
    """Whether a user may buy it only once."""
    campus_products_attributes: NotRequired[list[CampusProductAttributes]]
    """Campus products to create, change or remove along with it."""


class ProductImage(TypedDict):
    """Address of its picture."""

    url: str | None
    thumb: ProductImageThumb


class ProductImageThumb(TypedDict):
    url: None
    """Always null, for clients that expect it."""


class ProductUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    product: ProductUpdateProduct


class ProductUpdateProduct(TypedDict):
    name: NotRequired[str]
    """What the product is called."""
    description: NotRequired[str]
    """What it is."""
    price: NotRequired[int]
    """What it costs."""
    quantity: NotRequired[int | None]
    """How many there are; null where they are not counted."""
    begin_at: NotRequired[str | None]
    """From when on it is sold; null for ever since."""
    end_at: NotRequired[str | None]
    """Until when it is sold; null for ever."""
    category_id: NotRequired[int]
    """Id of the part of the shop that it is in."""
    kind: NotRequired[Literal["user", "manager", "auto"]]
    """Who hands it over: users, managers of the shop or the service."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    image: NotRequired[str]
    """Address of its picture."""
    is_uniq: NotRequired[bool | None]
    """Whether a user may have only one of it at a time."""
    one_time_purchase: NotRequired[bool | None]
    """Whether a user may buy it only once."""
    campus_products_attributes: NotRequired[list[CampusProductAttributes]]
    """Campus products to create, change or remove along with it."""


class Project(TypedDict):
    """A piece of work that users do, alone or in teams, and that others evaluate."""

    id: int
    """Id of the project."""
    name: str
    """What the project is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    difficulty: int | None
    """How hard it is; a larger number is harder."""
    parent: ProjectReference | None
    """Project that it is a part of; null where there is none."""
    children: list[ProjectReference]
    """Projects that are parts of it."""
    attachments: list[AttachmentEmbedded]
    """Attachments of the project."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    exam: bool
    """Whether it is done in exams."""
    git_id: int | None
    """Id of its repository on the Git server."""
    repository: str | None
    """Path of its repository on the Git server."""
    description: str | None
    """What is to be done, in a few words."""
    objectives: list[str]
    """What is learnt."""
    cursus: list[CursusEmbedded]
    """Courses of study that it belongs to."""
    campus: list[CampusEmbedded]
    """Campuses that offer it."""
    videos: list[Any]
    """Always empty, for clients that expect it."""
    project_sessions: list[ProjectSessionInProject]
    """How it goes in each cursus and at each campus."""


class ProjectCreate(TypedDict):
    """What is to be created."""

    project: ProjectCreateProject


class ProjectCreateProject(TypedDict):
    name: str
    """What the project is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    difficulty: NotRequired[int | None]
    """How hard it is; a larger number is harder."""
    description: NotRequired[str | None]
    """What is to be done, in a few words."""
    objectives: NotRequired[list[str] | None]
    """What is learnt."""
    parent_id: NotRequired[int | None]
    """Id of the project that it is a part of; null where there is none."""
    exam: NotRequired[bool | None]
    """Whether it is done in exams."""
    visible: NotRequired[bool | None]
    """Whether it is offered for registration."""
    position: NotRequired[int | None]
    """Place in lists of projects, lowest first."""
    inherited_team: NotRequired[bool | None]
    """Whether it is done by the team of the parent project."""
    has_git: NotRequired[bool | None]
    """Whether its teams get a repository."""
    has_mark: NotRequired[bool | None]
    """Whether it is marked."""
    git_id: NotRequired[int | None]
    """Id of its repository on the Git server."""
    repository: NotRequired[str | None]
    """Path of its repository on the Git server."""
    cached_repository_path: NotRequired[str | None]
    """Path of the copy of its repository."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (projects_cursus); others are untied."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (projects_campus); others are untied."""


class ProjectData(TypedDict):
    """Where a session of a project is drawn on the map of a cursus."""

    id: int
    """Id of the project data."""
    coordinates: list[float]
    """Place on the map, as x and y; in a payload as JSON text, too."""
    by: list[list[float]]
    """Lines that lead there, each as `[project_id, x1, y1, x2, y2]`; in a payload as JSON text, too."""
    kind: Literal["project", "rush", "exam", "first_internship", "second_internship", "big_project", "piscine", "part_time"]
    """How it is drawn."""
    project_session_id: int
    """Id of the project session."""


class ProjectDataCreate(TypedDict):
    """What is to be created."""

    project_data: ProjectDataCreateProjectData


class ProjectDataCreateProjectData(TypedDict):
    coordinates: list[float]
    """Place on the map, as x and y; in a payload as JSON text, too."""
    by: NotRequired[list[list[float]] | None]
    """Lines that lead there, each as `[project_id, x1, y1, x2, y2]`; in a payload as JSON text, too."""
    kind: Literal["project", "rush", "exam", "first_internship", "second_internship", "big_project", "piscine", "part_time"]
    """How it is drawn."""
    project_session_id: int
    """Id of the project session."""


class ProjectDataUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    project_data: ProjectDataUpdateProjectData


class ProjectDataUpdateProjectData(TypedDict):
    coordinates: NotRequired[list[float]]
    """Place on the map, as x and y; in a payload as JSON text, too."""
    by: NotRequired[list[list[float]]]
    """Lines that lead there, each as `[project_id, x1, y1, x2, y2]`; in a payload as JSON text, too."""
    kind: NotRequired[Literal["project", "rush", "exam", "first_internship", "second_internship", "big_project", "piscine", "part_time"]]
    """How it is drawn."""
    project_session_id: NotRequired[int]
    """Id of the project session."""


class ProjectEmbedded(TypedDict):
    """A piece of work that users do, alone or in teams, and that others evaluate."""

    id: int
    """Id of the project."""
    name: str
    """What the project is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    parent_id: int | None
    """Id of the project that it is a part of; null where there is none."""


class ProjectInRegistration(TypedDict):
    """A piece of work that users do, alone or in teams, and that others evaluate."""

    id: int
    """Id of the project."""
    name: str
    """What the project is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    difficulty: int | None
    """How hard it is; a larger number is harder."""
    parent: ProjectReference | None
    """Project that it is a part of; null where there is none."""
    children: list[ProjectReference]
    """Projects that are parts of it."""
    attachments: list[AttachmentEmbedded]
    """Attachments of the project."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    exam: bool
    """Whether it is done in exams."""
    git_id: int | None
    """Id of its repository on the Git server."""
    repository: str | None
    """Path of its repository on the Git server."""
    description: str | None
    """What is to be done, in a few words."""
    objectives: list[str]
    """What is learnt."""
    cursus: list[CursusEmbedded]
    """Courses of study that it belongs to."""
    campus: list[CampusEmbedded]
    """Campuses that offer it."""
    videos: list[Any]
    """Always empty, for clients that expect it."""
    project_sessions: list[ProjectSessionInProject]
    """How it goes in each cursus and at each campus."""
    project_session_id: int
    """Id of the session under which the user would register."""


class ProjectInSession(TypedDict):
    """A piece of work that users do, alone or in teams, and that others evaluate."""

    id: int
    """Id of the project."""
    name: str
    """What the project is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    difficulty: int | None
    """How hard it is; a larger number is harder."""
    parent: ProjectReference | None
    """Project that it is a part of; null where there is none."""
    children: list[ProjectReference]
    """Projects that are parts of it."""
    attachments: list[AttachmentEmbedded]
    """Attachments of the project."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    exam: bool
    """Whether it is done in exams."""
    git_id: int | None
    """Id of its repository on the Git server."""
    repository: str | None
    """Path of its repository on the Git server."""


class ProjectMinimal(TypedDict):
    """A piece of work that users do, alone or in teams, and that others evaluate."""

    id: int
    """Id of the project."""
    name: str
    """What the project is called."""
    slug: str
    """Name in addresses, which stands for the id."""


class ProjectReference(TypedDict):
    """A piece of work that users do, alone or in teams, and that others evaluate."""

    name: str
    """What the project is called."""
    id: int
    """Id of the project."""
    slug: str
    """Name in addresses, which stands for the id."""
    url: str
    """Address of the project in this API."""


class ProjectSearch(TypedDict):
    """What is sought; all of it is optional."""

    query: NotRequired[str]
    """Only records that hold each word of this text, in any case and with any accents, in `name` or `slug`."""
    filter: NotRequired[ProjectSearchFilter]
    """Only records of which all of this is so; several values as a list, or with commas."""
    range: NotRequired[ProjectSearchRange]
    """Only records that lie within all of this; both ends with a comma between."""
    search: NotRequired[ProjectSearchSearch]
    """Words that are sought in one field; as a text, `in:<field> words`."""
    sort: NotRequired[str]
    """Fields to sort by, the first one first; descending with a minus sign.

- `id`: id of the project
- `name`: what the project is called
- `created_at`: when it was created
- `updated_at`: when it was last changed
- `visible`: whether it is offered for registration
- `exam`: whether it is done in exams
- `parent_id`: id of the project that it is a part of; null where there is none
- `slug`: name in addresses, which stands for the id
- `inherited_team`: whether it is done by the team of the parent project
- `position`: place in lists of projects, lowest first
- `has_git`: whether its teams get a repository
- `has_mark`: whether it is marked
- `repository`: path of its repository on the Git server
- `git_id`: id of its repository on the Git server
- `cached_repository_path`: path of the copy of its repository"""
    page: NotRequired[ProjectSearchPage]
    """Which page."""


class ProjectSearchFilter(TypedDict):
    """Only records of which all of this is so; several values as a list, or with commas."""

    id: NotRequired[int | list[int]]
    """Id of the project. Only records whose `id` is one of these values; an empty one stands for null."""
    name: NotRequired[str | list[str]]
    """What the project is called. Only records whose `name` is one of these values; an empty one stands for null."""
    created_at: NotRequired[str | list[str]]
    """When it was created. Only records whose `created_at` is one of these values; an empty one stands for null."""
    updated_at: NotRequired[str | list[str]]
    """When it was last changed. Only records whose `updated_at` is one of these values; an empty one stands for null."""
    visible: NotRequired[bool | list[bool]]
    """Whether it is offered for registration. Only records whose `visible` is one of these values; an empty one stands for null."""
    exam: NotRequired[bool | list[bool]]
    """Whether it is done in exams. Only records whose `exam` is one of these values; an empty one stands for null."""
    parent_id: NotRequired[int | list[int]]
    """Id of the project that it is a part of; null where there is none. Only records whose `parent_id` is one of these values; an empty one stands for null."""
    slug: NotRequired[str | list[str]]
    """Name in addresses, which stands for the id. Only records whose `slug` is one of these values; an empty one stands for null."""
    inherited_team: NotRequired[bool | list[bool]]
    """Whether it is done by the team of the parent project. Only records whose `inherited_team` is one of these values; an empty one stands for null."""
    position: NotRequired[int | list[int]]
    """Place in lists of projects, lowest first. Only records whose `position` is one of these values; an empty one stands for null."""
    has_git: NotRequired[bool | list[bool]]
    """Whether its teams get a repository. Only records whose `has_git` is one of these values; an empty one stands for null."""
    has_mark: NotRequired[bool | list[bool]]
    """Whether it is marked. Only records whose `has_mark` is one of these values; an empty one stands for null."""
    repository: NotRequired[str | list[str]]
    """Path of its repository on the Git server. Only records whose `repository` is one of these values; an empty one stands for null."""
    git_id: NotRequired[int | list[int]]
    """Id of its repository on the Git server. Only records whose `git_id` is one of these values; an empty one stands for null."""
    cached_repository_path: NotRequired[str | list[str]]
    """Path of the copy of its repository. Only records whose `cached_repository_path` is one of these values; an empty one stands for null."""
    description: NotRequired[str | list[str]]
    """Only records whose `description` is one of these; an empty one stands for none."""
    difficulty: NotRequired[int | list[int]]
    """Only records whose `difficulty` is one of these; an empty one stands for none."""


class ProjectSearchPage(TypedDict):
    """Which page."""

    number: NotRequired[int]
    size: NotRequired[int]


class ProjectSearchRange(TypedDict):
    """Only records that lie within all of this; both ends with a comma between."""

    id: NotRequired[str]
    """Id of the project. Only records whose `id` lies between both values, or is one of them; either may be left empty."""
    name: NotRequired[str]
    """What the project is called. Only records whose `name` lies between both values, or is one of them; either may be left empty."""
    created_at: NotRequired[str]
    """When it was created. Only records whose `created_at` lies between both values, or is one of them; either may be left empty."""
    updated_at: NotRequired[str]
    """When it was last changed. Only records whose `updated_at` lies between both values, or is one of them; either may be left empty."""
    visible: NotRequired[str]
    """Whether it is offered for registration. Only records whose `visible` lies between both values, or is one of them; either may be left empty."""
    exam: NotRequired[str]
    """Whether it is done in exams. Only records whose `exam` lies between both values, or is one of them; either may be left empty."""
    parent_id: NotRequired[str]
    """Id of the project that it is a part of; null where there is none. Only records whose `parent_id` lies between both values, or is one of them; either may be left empty."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id. Only records whose `slug` lies between both values, or is one of them; either may be left empty."""
    inherited_team: NotRequired[str]
    """Whether it is done by the team of the parent project. Only records whose `inherited_team` lies between both values, or is one of them; either may be left empty."""
    position: NotRequired[str]
    """Place in lists of projects, lowest first. Only records whose `position` lies between both values, or is one of them; either may be left empty."""
    has_git: NotRequired[str]
    """Whether its teams get a repository. Only records whose `has_git` lies between both values, or is one of them; either may be left empty."""
    has_mark: NotRequired[str]
    """Whether it is marked. Only records whose `has_mark` lies between both values, or is one of them; either may be left empty."""
    repository: NotRequired[str]
    """Path of its repository on the Git server. Only records whose `repository` lies between both values, or is one of them; either may be left empty."""
    git_id: NotRequired[str]
    """Id of its repository on the Git server. Only records whose `git_id` lies between both values, or is one of them; either may be left empty."""
    cached_repository_path: NotRequired[str]
    """Path of the copy of its repository. Only records whose `cached_repository_path` lies between both values, or is one of them; either may be left empty."""
    description: NotRequired[str]
    """What is to be done, in a few words. Only records whose `description` lies between both values, or is one of them; either may be left empty."""
    difficulty: NotRequired[str]
    """How hard it is; a larger number is harder. Only records whose `difficulty` lies between both values, or is one of them; either may be left empty."""


class ProjectSearchSearch(TypedDict):
    """Words that are sought in one field; as a text, `in:<field> words`."""

    name: NotRequired[str]
    """Only records that hold each word of this text, in any case and with any accents, in `name` or `slug`."""
    slug: NotRequired[str]
    """Only records that hold each word of this text, in any case and with any accents, in `slug`."""


class ProjectSession(TypedDict):
    """How a project goes in one cursus, at one campus, or wherever no other session says otherwise."""

    id: int
    """Id of the project session."""
    solo: bool | None
    """Whether it is done alone; null where that is open."""
    begin_at: str | None
    """From when users may register; null where they always may."""
    end_at: str | None
    """Until when users may register; null where there is no end."""
    estimate_time: str | None
    """How long it should take, as text: `7 days`."""
    difficulty: int | None
    """How hard it is; a larger number is harder."""
    objectives: list[str]
    """What is learnt."""
    description: str | None
    """What is to be done."""
    duration_days: int | None
    """Days that a team has; null where there is no limit."""
    terminating_after: int | None
    """Days after which a team is ended; null where none is."""
    project_id: int
    """Id of the project."""
    campus_id: int | None
    """Id of the campus that it is for; null for every campus."""
    cursus_id: int | None
    """Id of the cursus that it is for; null for every cursus."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    max_people: int | None
    """Most members of a team; null where there is no limit."""
    is_subscriptable: bool
    """Whether users may register."""
    scales: list[ScaleInSession]
    """Scales by which teams are evaluated."""
    uploads: list[Upload]
    """Programs that mark what teams hand in."""
    team_behaviour: Literal["user", "upload", "by_rule", "none"]
    """How teams come to be."""
    commit: str | None
    """Commit of the subject that holds."""
    project: ProjectInSession
    """The project whose id is `project_id`."""
    campus: CampusEmbedded | None
    """Campus that it is for; null for every campus."""
    cursus: CursusEmbedded | None
    """Cursus that it is for; null for every cursus."""
    evaluations: list[EvaluationEmbedded]
    """Ways in which teams are evaluated."""
    project_sessions_rules: list[ProjectSessionsRuleEmbedded]
    """Rules that hold for users and teams."""


class ProjectSessionCreate(TypedDict):
    """What is to be created."""

    project_session: ProjectSessionCreateProjectSession


class ProjectSessionCreateProjectSession(TypedDict):
    project_id: int
    """Id of the project."""
    campus_id: NotRequired[int | None]
    """Id of the campus that it is for; null for every campus."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus that it is for; null for every cursus."""
    estimate_time: NotRequired[str | None]
    """How long it should take, as text: `7 days`."""
    begin_at: NotRequired[str | None]
    """From when users may register; null where they always may."""
    end_at: NotRequired[str | None]
    """Until when users may register; null where there is no end."""
    max_people: NotRequired[int | None]
    """Most members of a team; null where there is no limit."""
    duration_days: NotRequired[int | None]
    """Days that a team has; null where there is no limit."""
    terminating_after: NotRequired[int | None]
    """Days after which a team is ended; null where none is."""
    solo: NotRequired[bool | None]
    """Whether it is done alone; null where that is open."""
    is_subscriptable: NotRequired[bool | None]
    """Whether users may register."""
    minimum_mark: int
    """Mark from which a team has validated the project."""
    team_behaviour: Literal["user", "upload", "by_rule", "none"]
    """How teams come to be."""
    difficulty: NotRequired[int | None]
    """How hard it is; a larger number is harder."""
    objectives: NotRequired[list[str] | None]
    """What is learnt."""
    description: NotRequired[str | None]
    """What is to be done."""
    commit: NotRequired[str | None]
    """Commit of the subject that holds."""
    divisor: NotRequired[int | None]
    """Number that marks are divided by."""
    evaluations_attributes: NotRequired[list[EvaluationAttributes]]
    """Evaluations to create, change or remove along with it."""
    project_sessions_rules_attributes: NotRequired[list[ProjectSessionsRuleAttributes]]
    """Project sessions rules to create, change or remove along with it."""
    project_sessions_skills_attributes: NotRequired[list[ProjectSessionsSkillAttributes]]
    """Project sessions skills to create, change or remove along with it."""


class ProjectSessionCreated(TypedDict):
    """How a project goes in one cursus, at one campus, or wherever no other session says otherwise."""

    id: int
    """Id of the project session."""
    solo: bool | None
    """Whether it is done alone; null where that is open."""
    begin_at: str | None
    """From when users may register; null where they always may."""
    end_at: str | None
    """Until when users may register; null where there is no end."""
    estimate_time: str | None
    """How long it should take, as text: `7 days`."""
    difficulty: int | None
    """How hard it is; a larger number is harder."""
    objectives: list[str]
    """What is learnt."""
    description: str | None
    """What is to be done."""
    duration_days: int | None
    """Days that a team has; null where there is no limit."""
    terminating_after: int | None
    """Days after which a team is ended; null where none is."""
    project_id: int
    """Id of the project."""
    campus_id: int | None
    """Id of the campus that it is for; null for every campus."""
    cursus_id: int | None
    """Id of the cursus that it is for; null for every cursus."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    max_people: int | None
    """Most members of a team; null where there is no limit."""
    is_subscriptable: bool
    """Whether users may register."""
    scales: list[ScaleInSession]
    """Scales by which teams are evaluated."""
    uploads: list[Upload]
    """Programs that mark what teams hand in."""
    team_behaviour: Literal["user", "upload", "by_rule", "none"]
    """How teams come to be."""
    commit: str | None
    """Commit of the subject that holds."""
    minimum_mark: int
    """Mark from which a team has validated the project."""
    project: ProjectInSession
    """The project whose id is `project_id`."""
    campus: CampusEmbedded | None
    """Campus that it is for; null for every campus."""
    cursus: CursusEmbedded | None
    """Cursus that it is for; null for every cursus."""
    evaluations: list[EvaluationEmbedded]
    """Ways in which teams are evaluated."""
    project_sessions_rules: list[ProjectSessionsRuleEmbedded]
    """Rules that hold for users and teams."""


class ProjectSessionInProject(TypedDict):
    """How a project goes in one cursus, at one campus, or wherever no other session says otherwise."""

    id: int
    """Id of the project session."""
    solo: bool | None
    """Whether it is done alone; null where that is open."""
    begin_at: str | None
    """From when users may register; null where they always may."""
    end_at: str | None
    """Until when users may register; null where there is no end."""
    estimate_time: str | None
    """How long it should take, as text: `7 days`."""
    difficulty: int | None
    """How hard it is; a larger number is harder."""
    objectives: list[str]
    """What is learnt."""
    description: str | None
    """What is to be done."""
    duration_days: int | None
    """Days that a team has; null where there is no limit."""
    terminating_after: int | None
    """Days after which a team is ended; null where none is."""
    project_id: int
    """Id of the project."""
    campus_id: int | None
    """Id of the campus that it is for; null for every campus."""
    cursus_id: int | None
    """Id of the cursus that it is for; null for every cursus."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    max_people: int | None
    """Most members of a team; null where there is no limit."""
    is_subscriptable: bool
    """Whether users may register."""
    scales: list[ScaleInSession]
    """Scales by which teams are evaluated."""
    uploads: list[Upload]
    """Programs that mark what teams hand in."""
    team_behaviour: Literal["user", "upload", "by_rule", "none"]
    """How teams come to be."""
    commit: str | None
    """Commit of the subject that holds."""
    minimum_mark: int
    """Mark from which a team has validated the project."""
    campus: CampusEmbedded | None
    """Campus that it is for; null for every campus."""
    cursus: CursusEmbedded | None
    """Cursus that it is for; null for every cursus."""
    evaluations: list[EvaluationEmbedded]
    """Ways in which teams are evaluated."""
    project_sessions_rules: list[ProjectSessionsRuleEmbedded]
    """Rules that hold for users and teams."""


class ProjectSessionUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    project_session: ProjectSessionUpdateProjectSession


class ProjectSessionUpdateProjectSession(TypedDict):
    project_id: NotRequired[int]
    """Id of the project."""
    campus_id: NotRequired[int | None]
    """Id of the campus that it is for; null for every campus."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus that it is for; null for every cursus."""
    estimate_time: NotRequired[str | None]
    """How long it should take, as text: `7 days`."""
    begin_at: NotRequired[str | None]
    """From when users may register; null where they always may."""
    end_at: NotRequired[str | None]
    """Until when users may register; null where there is no end."""
    max_people: NotRequired[int | None]
    """Most members of a team; null where there is no limit."""
    duration_days: NotRequired[int | None]
    """Days that a team has; null where there is no limit."""
    terminating_after: NotRequired[int | None]
    """Days after which a team is ended; null where none is."""
    solo: NotRequired[bool | None]
    """Whether it is done alone; null where that is open."""
    is_subscriptable: NotRequired[bool]
    """Whether users may register."""
    minimum_mark: NotRequired[int]
    """Mark from which a team has validated the project."""
    team_behaviour: NotRequired[Literal["user", "upload", "by_rule", "none"]]
    """How teams come to be."""
    difficulty: NotRequired[int | None]
    """How hard it is; a larger number is harder."""
    objectives: NotRequired[list[str]]
    """What is learnt."""
    description: NotRequired[str | None]
    """What is to be done."""
    commit: NotRequired[str | None]
    """Commit of the subject that holds."""
    divisor: NotRequired[int | None]
    """Number that marks are divided by."""
    evaluations_attributes: NotRequired[list[EvaluationAttributes]]
    """Evaluations to create, change or remove along with it."""
    project_sessions_rules_attributes: NotRequired[list[ProjectSessionsRuleAttributes]]
    """Project sessions rules to create, change or remove along with it."""
    project_sessions_skills_attributes: NotRequired[list[ProjectSessionsSkillAttributes]]
    """Project sessions skills to create, change or remove along with it."""


class ProjectSessionsRule(TypedDict):
    """A rule holds in a project session, with values of its own."""

    id: int
    """Id of the project sessions rule."""
    required: bool
    """Whether the rule must be kept."""
    position: int
    """Place among the rules, lowest first."""
    params: list[ParamsProjectSessionsRule]
    """Values of the params of the rule."""
    rule: RuleEmbedded
    """The rule whose id is `rule_id`."""
    project_session_id: int
    """Id of the project session."""


# A rule holds in a project session, with values of its own. A new one needs rule_id.
ProjectSessionsRuleAttributes = TypedDict(
    "ProjectSessionsRuleAttributes",
    {
        # Id of the rule.
        "rule_id": "NotRequired[int]",
        # Whether the rule must be kept.
        "required": "NotRequired[bool | None]",
        # Place among the rules, lowest first.
        "position": "NotRequired[int | None]",
        # Params project sessions rules to create, change or remove along with it.
        "params_project_sessions_rules_attributes": "NotRequired[list[ParamsProjectSessionsRuleAttributes]]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class ProjectSessionsRuleCreate(TypedDict):
    """What is to be created."""

    project_sessions_rule: ProjectSessionsRuleCreateProjectSessionsRule


class ProjectSessionsRuleCreateBelowProjectSession(TypedDict):
    """What is to be created."""

    project_sessions_rule: ProjectSessionsRuleCreateBelowProjectSessionProjectSessionsRule


class ProjectSessionsRuleCreateBelowProjectSessionProjectSessionsRule(TypedDict):
    rule_id: int
    """Id of the rule."""
    project_session_id: NotRequired[int | None]
    """Id of the project session."""
    required: NotRequired[bool | None]
    """Whether the rule must be kept."""
    position: NotRequired[int | None]
    """Place among the rules, lowest first."""
    params_project_sessions_rules_attributes: NotRequired[list[ParamsProjectSessionsRuleAttributes]]
    """Params project sessions rules to create, change or remove along with it."""


class ProjectSessionsRuleCreateProjectSessionsRule(TypedDict):
    rule_id: int
    """Id of the rule."""
    project_session_id: int
    """Id of the project session."""
    required: NotRequired[bool | None]
    """Whether the rule must be kept."""
    position: NotRequired[int | None]
    """Place among the rules, lowest first."""
    params_project_sessions_rules_attributes: NotRequired[list[ParamsProjectSessionsRuleAttributes]]
    """Params project sessions rules to create, change or remove along with it."""


class ProjectSessionsRuleEmbedded(TypedDict):
    """A rule holds in a project session, with values of its own."""

    id: int
    """Id of the project sessions rule."""
    required: bool
    """Whether the rule must be kept."""
    position: int
    """Place among the rules, lowest first."""
    params: list[ParamsProjectSessionsRule]
    """Values of the params of the rule."""
    rule: RuleEmbedded
    """The rule whose id is `rule_id`."""


class ProjectSessionsRuleUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    project_sessions_rule: ProjectSessionsRuleUpdateProjectSessionsRule


class ProjectSessionsRuleUpdateProjectSessionsRule(TypedDict):
    rule_id: NotRequired[int]
    """Id of the rule."""
    project_session_id: NotRequired[int]
    """Id of the project session."""
    required: NotRequired[bool]
    """Whether the rule must be kept."""
    position: NotRequired[int]
    """Place among the rules, lowest first."""
    params_project_sessions_rules_attributes: NotRequired[list[ParamsProjectSessionsRuleAttributes]]
    """Params project sessions rules to create, change or remove along with it."""


class ProjectSessionsSkill(TypedDict):
    """How much a project session adds to a skill; written as part of the session."""

    id: int
    """Id of the project sessions skill."""
    project_session_id: int
    """Id of the project session."""
    skill_id: int
    """Id of the skill."""
    value: float
    """Share of the experience that goes into the skill."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


# How much a project session adds to a skill; written as part of the session. A new one needs skill_id.
ProjectSessionsSkillAttributes = TypedDict(
    "ProjectSessionsSkillAttributes",
    {
        # Id of the skill.
        "skill_id": "NotRequired[int]",
        # Share of the experience that goes into the skill.
        "value": "NotRequired[float | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class ProjectUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    project: ProjectUpdateProject


class ProjectUpdateProject(TypedDict):
    name: NotRequired[str]
    """What the project is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    difficulty: NotRequired[int | None]
    """How hard it is; a larger number is harder."""
    description: NotRequired[str | None]
    """What is to be done, in a few words."""
    objectives: NotRequired[list[str]]
    """What is learnt."""
    parent_id: NotRequired[int | None]
    """Id of the project that it is a part of; null where there is none."""
    exam: NotRequired[bool]
    """Whether it is done in exams."""
    visible: NotRequired[bool]
    """Whether it is offered for registration."""
    position: NotRequired[int]
    """Place in lists of projects, lowest first."""
    inherited_team: NotRequired[bool]
    """Whether it is done by the team of the parent project."""
    has_git: NotRequired[bool]
    """Whether its teams get a repository."""
    has_mark: NotRequired[bool]
    """Whether it is marked."""
    git_id: NotRequired[int | None]
    """Id of its repository on the Git server."""
    repository: NotRequired[str | None]
    """Path of its repository on the Git server."""
    cached_repository_path: NotRequired[str | None]
    """Path of the copy of its repository."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (projects_cursus); others are untied."""
    campus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (projects_campus); others are untied."""


# How far a user is with a project.
ProjectsUser = TypedDict(
    "ProjectsUser",
    {
        # Id of the projects user.
        "id": "int",
        # How many tries came before the current one.
        "occurrence": "int",
        # Mark of the current try, 100 for all that was asked; null until it is marked.
        "final_mark": "int | None",
        # How far the current try is; `parent` for a project of several parts.
        "status": "Literal[\"creating_group\", \"searching_a_group\", \"in_progress\", \"waiting_for_correction\", \"finished\", \"parent\"]",
        # Whether the mark is high enough; null until it is marked.
        "validated?": "bool | None",
        # Id of the latest team; null before there is one.
        "current_team_id": "int | None",
        # The project whose id is `project_id`.
        "project": "ProjectEmbedded",
        # Ids of the courses that the project belongs to.
        "cursus_ids": "list[int]",
        # When the current try was marked; null before.
        "marked_at": "str | None",
        # Whether `marked_at` is set.
        "marked": "bool",
        # From when the next try may begin; null where no time is set.
        "retriable_at": "str | None",
        # When it was created.
        "created_at": "str",
        # When it was last changed.
        "updated_at": "str",
        # The user whose id is `user_id`.
        "user": "UserShort",
        # Teams of the user on the project, one for each try.
        "teams": "list[TeamInProjectsUser]",
    },
)


class ProjectsUserCreate(TypedDict):
    """What is to be created."""

    projects_user: ProjectsUserCreateProjectsUser


class ProjectsUserCreateBelowProject(TypedDict):
    """What is to be created."""

    projects_user: ProjectsUserCreateBelowProjectProjectsUser


ProjectsUserCreateBelowProjectProjectsUser = TypedDict(
    "ProjectsUserCreateBelowProjectProjectsUser",
    {
        # Id of the project.
        "project_id": "NotRequired[int | None]",
        # Id of the user.
        "user_id": "int",
        # How many tries came before the current one.
        "occurrence": "NotRequired[int | None]",
        # Mark of the current try, 100 for all that was asked; null until it is marked.
        "final_mark": "NotRequired[int | None]",
        # How far the current try is; `parent` for a project of several parts.
        "status": "NotRequired[Literal[\"creating_group\", \"searching_a_group\", \"in_progress\", \"waiting_for_correction\", \"finished\", \"parent\"] | None]",
        # Whether the mark is high enough; null until it is marked.
        "validated?": "NotRequired[bool | None]",
        # When the current try was marked; null before.
        "marked_at": "NotRequired[str | None]",
        # From when the next try may begin; null where no time is set.
        "retriable_at": "NotRequired[str | None]",
    },
)


ProjectsUserCreateProjectsUser = TypedDict(
    "ProjectsUserCreateProjectsUser",
    {
        # Id of the project.
        "project_id": "int",
        # Id of the user.
        "user_id": "int",
        # How many tries came before the current one.
        "occurrence": "NotRequired[int | None]",
        # Mark of the current try, 100 for all that was asked; null until it is marked.
        "final_mark": "NotRequired[int | None]",
        # How far the current try is; `parent` for a project of several parts.
        "status": "NotRequired[Literal[\"creating_group\", \"searching_a_group\", \"in_progress\", \"waiting_for_correction\", \"finished\", \"parent\"] | None]",
        # Whether the mark is high enough; null until it is marked.
        "validated?": "NotRequired[bool | None]",
        # When the current try was marked; null before.
        "marked_at": "NotRequired[str | None]",
        # From when the next try may begin; null where no time is set.
        "retriable_at": "NotRequired[str | None]",
    },
)


# How far a user is with a project.
ProjectsUserEmbedded = TypedDict(
    "ProjectsUserEmbedded",
    {
        # Id of the projects user.
        "id": "int",
        # How many tries came before the current one.
        "occurrence": "int",
        # Mark of the current try, 100 for all that was asked; null until it is marked.
        "final_mark": "int | None",
        # How far the current try is; `parent` for a project of several parts.
        "status": "Literal[\"creating_group\", \"searching_a_group\", \"in_progress\", \"waiting_for_correction\", \"finished\", \"parent\"]",
        # Whether the mark is high enough; null until it is marked.
        "validated?": "bool | None",
        # Id of the latest team; null before there is one.
        "current_team_id": "int | None",
        # The project whose id is `project_id`.
        "project": "ProjectEmbedded",
        # Ids of the courses that the project belongs to.
        "cursus_ids": "list[int]",
        # When the current try was marked; null before.
        "marked_at": "str | None",
        # Whether `marked_at` is set.
        "marked": "bool",
        # From when the next try may begin; null where no time is set.
        "retriable_at": "str | None",
        # When it was created.
        "created_at": "str",
        # When it was last changed.
        "updated_at": "str",
    },
)


class ProjectsUserInExperience(TypedDict):
    """How far a user is with a project."""

    id: int
    """Id of the projects user."""
    project: ProjectEmbedded
    """The project whose id is `project_id`."""


class ProjectsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    projects_user: ProjectsUserUpdateProjectsUser


ProjectsUserUpdateProjectsUser = TypedDict(
    "ProjectsUserUpdateProjectsUser",
    {
        # Id of the project.
        "project_id": "NotRequired[int]",
        # Id of the user.
        "user_id": "NotRequired[int]",
        # How many tries came before the current one.
        "occurrence": "NotRequired[int]",
        # Mark of the current try, 100 for all that was asked; null until it is marked.
        "final_mark": "NotRequired[int | None]",
        # How far the current try is; `parent` for a project of several parts.
        "status": "NotRequired[Literal[\"creating_group\", \"searching_a_group\", \"in_progress\", \"waiting_for_correction\", \"finished\", \"parent\"]]",
        # Whether the mark is high enough; null until it is marked.
        "validated?": "NotRequired[bool | None]",
        # When the current try was marked; null before.
        "marked_at": "NotRequired[str | None]",
        # From when the next try may begin; null where no time is set.
        "retriable_at": "NotRequired[str | None]",
    },
)


class Quest(TypedDict):
    """A goal of a cursus that a user reaches over months, as a grade."""

    id: int
    """Id of the quest."""
    name: str
    """What the quest is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    kind: Literal["main", "optional", "mandatory", "repeatable", "cursus_version"]
    """How it counts for the cursus."""
    internal_name: str | None
    """Name for programs."""
    description: str
    """What is to be reached."""
    cursus_id: int | None
    """Id of the cursus; null where there is none."""
    campus_id: int | None
    """Id of the campus; null where there is none."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    grade_id: int | None
    """Id of the grade that it leads to."""
    position: int
    """Place in the cursus, lowest first."""
    grade: None
    """Always null, for clients that expect it."""
    cursus: CursusEmbedded | None
    """The cursus whose id is `cursus_id`."""
    campus: CampusEmbedded | None
    """The campus whose id is `campus_id`."""


class QuestCreate(TypedDict):
    """What is to be created."""

    quest: QuestCreateQuest


class QuestCreateQuest(TypedDict):
    name: str
    """What the quest is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    kind: Literal["main", "optional", "mandatory", "repeatable", "cursus_version"]
    """How it counts for the cursus."""
    internal_name: NotRequired[str | None]
    """Name for programs."""
    description: NotRequired[str | None]
    """What is to be reached."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus; null where there is none."""
    campus_id: NotRequired[int | None]
    """Id of the campus; null where there is none."""
    grade_id: NotRequired[int | None]
    """Id of the grade that it leads to."""
    position: NotRequired[int | None]
    """Place in the cursus, lowest first."""
    guild_size: NotRequired[int | None]
    """How many users make a guild."""
    guild_prct: NotRequired[int | None]
    """Share of a guild that must succeed, in percent."""
    mails: NotRequired[str | None]
    """Texts of its e-mails."""
    duration: NotRequired[int | None]
    """How long users may take for it."""
    mails_from: NotRequired[str | None]
    """Sender of its e-mails."""
    certificate_id: NotRequired[int | None]
    """Id of the certificate that comes with it."""
    unlock_all_projects: NotRequired[bool | None]
    """Whether it opens all projects of the cursus."""
    tries_number: NotRequired[int | None]
    """How many tries a user has."""
    success_number: NotRequired[int | None]
    """How many successes it takes."""
    close_on_fail: NotRequired[bool | None]
    """Whether failing it closes the account."""


class QuestCreated(TypedDict):
    """A goal of a cursus that a user reaches over months, as a grade."""

    id: int
    """Id of the quest."""
    name: str
    """What the quest is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    kind: Literal["main", "optional", "mandatory", "repeatable", "cursus_version"]
    """How it counts for the cursus."""
    internal_name: str | None
    """Name for programs."""
    description: str
    """What is to be reached."""
    cursus_id: int | None
    """Id of the cursus; null where there is none."""
    campus_id: int | None
    """Id of the campus; null where there is none."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    grade_id: int | None
    """Id of the grade that it leads to."""
    position: int
    """Place in the cursus, lowest first."""
    grade: None
    """Always null, for clients that expect it."""
    cursus: CursusEmbedded | None
    """The cursus whose id is `cursus_id`."""
    campus: CampusEmbedded | None
    """The campus whose id is `campus_id`."""
    guild_size: int | None
    """How many users make a guild."""
    guild_prct: int | None
    """Share of a guild that must succeed, in percent."""
    mails: str | None
    """Texts of its e-mails."""
    duration: int | None
    """How long users may take for it."""
    ancestry: str | None
    """Path of the quests above it; never filled."""


class QuestEmbedded(TypedDict):
    """A goal of a cursus that a user reaches over months, as a grade."""

    id: int
    """Id of the quest."""
    name: str
    """What the quest is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    kind: Literal["main", "optional", "mandatory", "repeatable", "cursus_version"]
    """How it counts for the cursus."""
    internal_name: str | None
    """Name for programs."""
    description: str
    """What is to be reached."""
    cursus_id: int | None
    """Id of the cursus; null where there is none."""
    campus_id: int | None
    """Id of the campus; null where there is none."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    grade_id: int | None
    """Id of the grade that it leads to."""
    position: int
    """Place in the cursus, lowest first."""
    grade: None
    """Always null, for clients that expect it."""


class QuestUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    quest: QuestUpdateQuest


class QuestUpdateQuest(TypedDict):
    name: NotRequired[str]
    """What the quest is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    kind: NotRequired[Literal["main", "optional", "mandatory", "repeatable", "cursus_version"]]
    """How it counts for the cursus."""
    internal_name: NotRequired[str | None]
    """Name for programs."""
    description: NotRequired[str]
    """What is to be reached."""
    cursus_id: NotRequired[int | None]
    """Id of the cursus; null where there is none."""
    campus_id: NotRequired[int | None]
    """Id of the campus; null where there is none."""
    grade_id: NotRequired[int | None]
    """Id of the grade that it leads to."""
    position: NotRequired[int]
    """Place in the cursus, lowest first."""
    guild_size: NotRequired[int | None]
    """How many users make a guild."""
    guild_prct: NotRequired[int | None]
    """Share of a guild that must succeed, in percent."""
    mails: NotRequired[str | None]
    """Texts of its e-mails."""
    duration: NotRequired[int | None]
    """How long users may take for it."""
    mails_from: NotRequired[str | None]
    """Sender of its e-mails."""
    certificate_id: NotRequired[int | None]
    """Id of the certificate that comes with it."""
    unlock_all_projects: NotRequired[bool]
    """Whether it opens all projects of the cursus."""
    tries_number: NotRequired[int | None]
    """How many tries a user has."""
    success_number: NotRequired[int | None]
    """How many successes it takes."""
    close_on_fail: NotRequired[bool]
    """Whether failing it closes the account."""


class Question(TypedDict):
    """A question of a scale, answered by a rating or by yes and no."""

    id: int
    """Id of the question."""
    name: str
    """What the question is called."""
    guidelines: str | None
    """How to answer it."""
    rating: bool
    """Whether it is answered by a number, not by yes or no."""
    kind: str
    """What sort of question it is, such as `standard`."""
    questions_skills: list[QuestionsSkill]
    """How much it says about each skill."""


# A question of a scale, answered by a rating or by yes and no. A new one needs name.
QuestionAttributes = TypedDict(
    "QuestionAttributes",
    {
        # What the question is called.
        "name": "NotRequired[str]",
        # How to answer it.
        "guidelines": "NotRequired[str | None]",
        # Whether it is answered by a number, not by yes or no.
        "rating": "NotRequired[bool | None]",
        # What sort of question it is, such as `standard`.
        "kind": "NotRequired[str | None]",
        # Place in its section, lowest first.
        "position": "NotRequired[int | None]",
        # Questions skills to create, change or remove along with it.
        "questions_skills_attributes": "NotRequired[list[QuestionsSkillAttributes]]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class QuestionEmbedded(TypedDict):
    """A question of a scale, answered by a rating or by yes and no."""

    id: int
    """Id of the question."""
    name: str
    """What the question is called."""
    guidelines: str | None
    """How to answer it."""
    rating: bool
    """Whether it is answered by a number, not by yes or no."""
    kind: str
    """What sort of question it is, such as `standard`."""


class QuestionsSkill(TypedDict):
    """How much a question of a scale says about a skill."""

    id: int
    """Id of the questions skill."""
    question_id: int
    """Id of the question."""
    skill_id: int
    """Id of the skill."""
    percentage: float
    """Weight of the question for the skill, in percent."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


# How much a question of a scale says about a skill. A new one needs skill_id.
QuestionsSkillAttributes = TypedDict(
    "QuestionsSkillAttributes",
    {
        # Id of the skill.
        "skill_id": "NotRequired[int]",
        # Weight of the question for the skill, in percent.
        "percentage": "NotRequired[float | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class QuestsUser(TypedDict):
    """How far a user is with a quest."""

    id: int
    """Id of the quests user."""
    end_at: str | None
    """Until when the user has time; null where there is no limit."""
    quest_id: int
    """Id of the quest."""
    validated_at: str | None
    """When the user reached it; null before."""
    prct: int | None
    """Share that is done, in percent."""
    advancement: str | None
    """How far the user is, in words."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    user: UserShort
    """The user whose id is `user_id`."""
    quest: QuestEmbedded
    """The quest whose id is `quest_id`."""


class QuestsUserCreate(TypedDict):
    """What is to be created."""

    quests_user: QuestsUserCreateQuestsUser


class QuestsUserCreateBelowQuest(TypedDict):
    """What is to be created."""

    quests_user: QuestsUserCreateBelowQuestQuestsUser


class QuestsUserCreateBelowQuestQuestsUser(TypedDict):
    quest_id: NotRequired[int | None]
    """Id of the quest."""
    user_id: int
    """Id of the user."""
    end_at: NotRequired[str | None]
    """Until when the user has time; null where there is no limit."""
    validated_at: NotRequired[str | None]
    """When the user reached it; null before."""
    prct: NotRequired[int | None]
    """Share that is done, in percent."""
    advancement: NotRequired[str | None]
    """How far the user is, in words."""


class QuestsUserCreateBelowUser(TypedDict):
    """What is to be created."""

    quests_user: QuestsUserCreateBelowUserQuestsUser


class QuestsUserCreateBelowUserQuestsUser(TypedDict):
    quest_id: int
    """Id of the quest."""
    user_id: NotRequired[int | None]
    """Id of the user."""
    end_at: NotRequired[str | None]
    """Until when the user has time; null where there is no limit."""
    validated_at: NotRequired[str | None]
    """When the user reached it; null before."""
    prct: NotRequired[int | None]
    """Share that is done, in percent."""
    advancement: NotRequired[str | None]
    """How far the user is, in words."""


class QuestsUserCreateQuestsUser(TypedDict):
    quest_id: int
    """Id of the quest."""
    user_id: int
    """Id of the user."""
    end_at: NotRequired[str | None]
    """Until when the user has time; null where there is no limit."""
    validated_at: NotRequired[str | None]
    """When the user reached it; null before."""
    prct: NotRequired[int | None]
    """Share that is done, in percent."""
    advancement: NotRequired[str | None]
    """How far the user is, in words."""


class QuestsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    quests_user: QuestsUserUpdateQuestsUser


class QuestsUserUpdateQuestsUser(TypedDict):
    quest_id: NotRequired[int]
    """Id of the quest."""
    user_id: NotRequired[int]
    """Id of the user."""
    end_at: NotRequired[str | None]
    """Until when the user has time; null where there is no limit."""
    validated_at: NotRequired[str | None]
    """When the user reached it; null before."""
    prct: NotRequired[int | None]
    """Share that is done, in percent."""
    advancement: NotRequired[str | None]
    """How far the user is, in words."""


class RemoveCorrectionPointsUserBody(TypedDict):
    reason: str
    """Why, in the words of the entry."""
    amount: NotRequired[int | None]
    """How many points; 1 where nothing is sent."""


class RemovePointsPoolBody(TypedDict):
    points: int
    """How many points."""


class ReplayEndpointAnswer(TypedDict):
    replayed: int
    """How many deliveries are sent again."""


class ReplayEndpointBody(TypedDict):
    endpoint: NotRequired[ReplayEndpointBodyEndpoint]


ReplayEndpointBodyEndpoint = TypedDict(
    "ReplayEndpointBodyEndpoint",
    {
        # When the first of them was recorded; null for no limit.
        "from": "NotRequired[str | None]",
        # When the last of them was recorded; null for no limit.
        "to": "NotRequired[str | None]",
        # What came of them; `dead` unless said.
        "state": "NotRequired[Literal[\"delivered\", \"rejected\", \"dead\"] | None]",
        # What they told of; null for everything.
        "event": "NotRequired[Literal[\"created\", \"updated\", \"closed\", \"unclosed\"] | None]",
    },
)


class ResetProjectsUserBody(TypedDict):
    user_id: int
    """Id of the user."""
    project_id: int
    """Id of the project."""


class RetryProjectBody(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user; the person of the token unless said."""
    force: NotRequired[bool | None]
    """Whether the rules on who may try again are left out; for tutors and staff."""


class RetryProjectsUserBody(TypedDict):
    force: NotRequired[bool | None]
    """Whether the rules on who may try again are left out; for tutors and staff."""


class Role(TypedDict):
    """A privilege that staff grant to applications and people."""

    id: int
    """Id of the role."""
    name: str
    """What the role is called."""
    description: str | None
    """What it lets an application do."""


class RoleCreate(TypedDict):
    """What is to be created."""

    role: RoleCreateRole


class RoleCreateRole(TypedDict):
    name: str
    """What the role is called."""
    description: NotRequired[str | None]
    """What it lets an application do."""


class RoleEmbedded(TypedDict):
    """A privilege that staff grant to applications and people."""

    id: int
    """Id of the role."""
    name: str
    """What the role is called."""


class RoleUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    role: RoleUpdateRole


class RoleUpdateRole(TypedDict):
    name: NotRequired[str]
    """What the role is called."""
    description: NotRequired[str | None]
    """What it lets an application do."""


class RolesUser(TypedDict):
    """A user has a role at the school; it opens nothing by itself, since applications have roles of their own."""

    id: int
    """Id of the roles user."""
    user_id: int
    """Id of the user."""
    role_id: int
    """Id of the role."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class RolesUserCreate(TypedDict):
    """What is to be created."""

    roles_user: RolesUserCreateRolesUser


class RolesUserCreateBelowRole(TypedDict):
    """What is to be created."""

    roles_user: RolesUserCreateBelowRoleRolesUser


class RolesUserCreateBelowRoleRolesUser(TypedDict):
    user_id: int
    """Id of the user."""
    role_id: NotRequired[int | None]
    """Id of the role."""


class RolesUserCreateBelowUser(TypedDict):
    """What is to be created."""

    roles_user: RolesUserCreateBelowUserRolesUser


class RolesUserCreateBelowUserRolesUser(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user."""
    role_id: int
    """Id of the role."""


class RolesUserCreateRolesUser(TypedDict):
    user_id: int
    """Id of the user."""
    role_id: int
    """Id of the role."""


class RolesUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    roles_user: RolesUserUpdateRolesUser


class RolesUserUpdateRolesUser(TypedDict):
    user_id: NotRequired[int]
    """Id of the user."""
    role_id: NotRequired[int]
    """Id of the role."""


class Rule(TypedDict):
    """Something that may be asked in a project session, as of those who register."""

    id: int
    """Id of the rule."""
    kind: Literal["inscription", "retry_inscription", "correction", "final_compilation", "eval_compilation", "retriable", "group_validation", "team_generation", "experience_modification"]
    """At what moment it is asked."""
    name: str
    """What the rule is called."""
    description: str | None
    """What it asks, for people."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    slug: str
    """Name in addresses, which stands for the id."""
    internal_name: str
    """Name by which the service knows how to judge it."""
    params: list[Param]
    """What it can be told in each session."""


class RuleCreate(TypedDict):
    """What is to be created."""

    rule: RuleCreateRule


class RuleCreateRule(TypedDict):
    kind: Literal["inscription", "retry_inscription", "correction", "final_compilation", "eval_compilation", "retriable", "group_validation", "team_generation", "experience_modification"]
    """At what moment it is asked."""
    name: str
    """What the rule is called."""
    description: NotRequired[str | None]
    """What it asks, for people."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    internal_name: str
    """Name by which the service knows how to judge it."""
    params_attributes: NotRequired[list[ParamAttributes]]
    """Params to create, change or remove along with it."""


class RuleEmbedded(TypedDict):
    """Something that may be asked in a project session, as of those who register."""

    id: int
    """Id of the rule."""
    kind: Literal["inscription", "retry_inscription", "correction", "final_compilation", "eval_compilation", "retriable", "group_validation", "team_generation", "experience_modification"]
    """At what moment it is asked."""
    name: str
    """What the rule is called."""
    description: str | None
    """What it asks, for people."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    slug: str
    """Name in addresses, which stands for the id."""
    internal_name: str
    """Name by which the service knows how to judge it."""


class RuleUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    rule: RuleUpdateRule


class RuleUpdateRule(TypedDict):
    kind: NotRequired[Literal["inscription", "retry_inscription", "correction", "final_compilation", "eval_compilation", "retriable", "group_validation", "team_generation", "experience_modification"]]
    """At what moment it is asked."""
    name: NotRequired[str]
    """What the rule is called."""
    description: NotRequired[str | None]
    """What it asks, for people."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    internal_name: NotRequired[str]
    """Name by which the service knows how to judge it."""
    params_attributes: NotRequired[list[ParamAttributes]]
    """Params to create, change or remove along with it."""


class Scale(TypedDict):
    """What a corrector goes through with a team, how long it takes, and how many times a team goes through it."""

    id: int
    """Id of the scale."""
    evaluation_id: int
    """Id of the evaluation."""
    name: str
    """What the scale is called."""
    is_primary: bool
    """Whether it is the one that is used where none is named."""
    comment: str | None
    """What staff note about it."""
    introduction_md: str | None
    """What correctors read first, in Markdown."""
    disclaimer_md: str | None
    """What both sides must heed, in Markdown."""
    guidelines_md: str | None
    """How to evaluate, in Markdown."""
    created_at: str
    """When it was created."""
    correction_number: int
    """How many evaluations a team needs."""
    duration: int
    """How long an evaluation takes, in seconds; written in quarters of an hour, or in seconds where that is more than 96."""
    manual_subscription: bool
    """Whether teams book evaluations themselves."""
    is_external: bool
    """Whether people from outside evaluate."""
    free: bool
    """Whether it costs no evaluation points."""
    languages: list[Language]
    """Languages that it is written in."""
    flags: list[Flag]
    """Verdicts that a corrector may give."""
    sections: list[Section]
    """Its parts, with their questions."""
    evaluation: EvaluationEmbedded
    """The evaluation whose id is `evaluation_id`."""


# What a corrector goes through with a team, how long it takes, and how many times a team goes through it. A new one needs name.
ScaleAttributes = TypedDict(
    "ScaleAttributes",
    {
        # What the scale is called.
        "name": "NotRequired[str]",
        # Whether it is the one that is used where none is named.
        "is_primary": "NotRequired[bool | None]",
        # What staff note about it.
        "comment": "NotRequired[str | None]",
        # What correctors read first, in Markdown.
        "introduction_md": "NotRequired[str | None]",
        # What both sides must heed, in Markdown.
        "disclaimer_md": "NotRequired[str | None]",
        # How to evaluate, in Markdown.
        "guidelines_md": "NotRequired[str | None]",
        # How many evaluations a team needs.
        "correction_number": "NotRequired[int | None]",
        # How long an evaluation takes, in seconds; written in quarters of an hour, or in seconds where that is more than 96.
        "duration": "NotRequired[int | None]",
        # Whether teams book evaluations themselves.
        "manual_subscription": "NotRequired[bool | None]",
        # Whether people from outside evaluate.
        "is_external": "NotRequired[bool | None]",
        # Whether it costs no evaluation points.
        "free": "NotRequired[bool | None]",
        # Sections to create, change or remove along with it.
        "sections_attributes": "NotRequired[list[SectionAttributes]]",
        # All the ids that are to be tied to the record (scales_flags); others are untied.
        "flag_ids": "NotRequired[list[int]]",
        # All the ids that are to be tied to the record (scales_languages); others are untied.
        "language_ids": "NotRequired[list[int]]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class ScaleCreate(TypedDict):
    """What is to be created."""

    scale: ScaleCreateScale


class ScaleCreateScale(TypedDict):
    evaluation_id: int
    """Id of the evaluation."""
    name: str
    """What the scale is called."""
    is_primary: NotRequired[bool | None]
    """Whether it is the one that is used where none is named."""
    comment: NotRequired[str | None]
    """What staff note about it."""
    introduction_md: NotRequired[str | None]
    """What correctors read first, in Markdown."""
    disclaimer_md: NotRequired[str | None]
    """What both sides must heed, in Markdown."""
    guidelines_md: NotRequired[str | None]
    """How to evaluate, in Markdown."""
    correction_number: NotRequired[int | None]
    """How many evaluations a team needs."""
    duration: NotRequired[int | None]
    """How long an evaluation takes, in seconds; written in quarters of an hour, or in seconds where that is more than 96."""
    manual_subscription: NotRequired[bool | None]
    """Whether teams book evaluations themselves."""
    is_external: NotRequired[bool | None]
    """Whether people from outside evaluate."""
    free: NotRequired[bool | None]
    """Whether it costs no evaluation points."""
    sections_attributes: NotRequired[list[SectionAttributes]]
    """Sections to create, change or remove along with it."""
    flag_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (scales_flags); others are untied."""
    language_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (scales_languages); others are untied."""


class ScaleEmbedded(TypedDict):
    """What a corrector goes through with a team, how long it takes, and how many times a team goes through it."""

    id: int
    """Id of the scale."""
    evaluation_id: int
    """Id of the evaluation."""
    name: str
    """What the scale is called."""
    is_primary: bool
    """Whether it is the one that is used where none is named."""
    comment: str | None
    """What staff note about it."""
    introduction_md: str | None
    """What correctors read first, in Markdown."""
    disclaimer_md: str | None
    """What both sides must heed, in Markdown."""
    guidelines_md: str | None
    """How to evaluate, in Markdown."""
    created_at: str
    """When it was created."""
    correction_number: int
    """How many evaluations a team needs."""
    duration: int
    """How long an evaluation takes, in seconds; written in quarters of an hour, or in seconds where that is more than 96."""
    manual_subscription: bool
    """Whether teams book evaluations themselves."""
    is_external: bool
    """Whether people from outside evaluate."""
    free: bool
    """Whether it costs no evaluation points."""
    languages: list[Language]
    """Languages that it is written in."""
    flags: list[Flag]
    """Verdicts that a corrector may give."""


class ScaleInSession(TypedDict):
    """What a corrector goes through with a team, how long it takes, and how many times a team goes through it."""

    id: int
    """Id of the scale."""
    correction_number: int
    """How many evaluations a team needs."""
    is_primary: bool
    """Whether it is the one that is used where none is named."""


ScaleProjectsUserAnswer = TypedDict(
    "ScaleProjectsUserAnswer",
    {
    },
)


class ScaleProjectsUserBody(TypedDict):
    user_id: int
    """Id of the user."""
    project_id: int
    """Id of the project."""
    scale: int
    """Mark of the try, 100 for all that was asked."""


class ScaleTeam(TypedDict):
    """A defence of a team on a project, involving a corrector."""

    id: int
    """Id of the scale team."""
    scale_id: int
    """Id of the scale."""
    comment: str | None
    """What the corrector writes about the work."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    feedback: str | None
    """What the team writes about the evaluation; the comment of the first feedback on it, where there is one."""
    feedback_rating: int | None
    """Stars that the team gives the evaluation, from 0 to 5; those of the first feedback on it, where there is one."""
    final_mark: int | None
    """Mark that the corrector gave; null until it is filled."""
    flag: Flag
    """Verdict of the corrector."""
    begin_at: str | None
    """When it takes place; null where no time is set."""
    correcteds: list[UserShort] | Literal["invisible"]
    """Members of the team; `invisible` until shortly before the begin."""
    corrector: UserShort | dict[str, Any] | Literal["invisible"]
    """Who evaluates; `{}` for nobody, `invisible` until shortly before the begin."""
    truant: UserShort | dict[str, Any]
    """Who did not come; `{}` where nobody was absent."""
    filled_at: str | None
    """When it was filled in; null before."""
    questions_with_answers: list[Answer]
    """What the corrector answered to each question."""
    scale: ScaleEmbedded
    """What the corrector goes through."""
    team: NotRequired[TeamInScaleTeam]
    """Team that is evaluated; left out while it is hidden."""
    feedbacks: list[Feedback]
    """What users thought of the evaluation."""


class ScaleTeamBulk(TypedDict):
    """What is to be created."""

    scale_teams: list[ScaleTeamBulkScaleTeamsItem]


class ScaleTeamBulkScaleTeamsItem(TypedDict):
    team_id: int
    """Id of the team that is evaluated."""
    scale_id: NotRequired[int | None]
    """Id of the scale."""
    user_id: NotRequired[int | None]
    """Id of the user who evaluates; null for nobody."""
    begin_at: NotRequired[str | None]
    """When it takes place; null where no time is set."""
    comment: NotRequired[str | None]
    """What the corrector writes about the work."""
    flag_id: NotRequired[int | None]
    """Id of the verdict of the corrector."""
    final_mark: NotRequired[int | None]
    """Mark that the corrector gave; null until it is filled."""
    truant_id: NotRequired[int | None]
    """Id of the user who did not come; null where nobody was absent."""
    feedback: NotRequired[str | None]
    """What the team writes about the evaluation; the comment of the first feedback on it, where there is one."""
    feedback_rating: NotRequired[int | None]
    """Stars that the team gives the evaluation, from 0 to 5; those of the first feedback on it, where there is one."""
    answers_attributes: NotRequired[list[AnswerAttributes]]
    """Answers to create, change or remove along with it."""


class ScaleTeamCreate(TypedDict):
    """What is to be created."""

    scale_team: ScaleTeamCreateScaleTeam


class ScaleTeamCreateScaleTeam(TypedDict):
    team_id: int
    """Id of the team that is evaluated."""
    scale_id: NotRequired[int | None]
    """Id of the scale."""
    user_id: NotRequired[int | None]
    """Id of the user who evaluates; null for nobody."""
    begin_at: NotRequired[str | None]
    """When it takes place; null where no time is set."""
    comment: NotRequired[str | None]
    """What the corrector writes about the work."""
    flag_id: NotRequired[int | None]
    """Id of the verdict of the corrector."""
    final_mark: NotRequired[int | None]
    """Mark that the corrector gave; null until it is filled."""
    truant_id: NotRequired[int | None]
    """Id of the user who did not come; null where nobody was absent."""
    feedback: NotRequired[str | None]
    """What the team writes about the evaluation; the comment of the first feedback on it, where there is one."""
    feedback_rating: NotRequired[int | None]
    """Stars that the team gives the evaluation, from 0 to 5; those of the first feedback on it, where there is one."""
    answers_attributes: NotRequired[list[AnswerAttributes]]
    """Answers to create, change or remove along with it."""


class ScaleTeamInSlot(TypedDict):
    """A defence of a team on a project, involving a corrector."""

    id: int
    """Id of the scale team."""
    scale_id: int
    """Id of the scale."""
    begin_at: str | None
    """When it takes place; null where no time is set."""
    correcteds: list[UserShort] | Literal["invisible"]
    """Members of the team; `invisible` until shortly before the begin."""
    corrector: UserShort | dict[str, Any] | Literal["invisible"]
    """Who evaluates; `{}` for nobody, `invisible` until shortly before the begin."""


class ScaleTeamInTeam(TypedDict):
    """A defence of a team on a project, involving a corrector."""

    id: int
    """Id of the scale team."""
    scale_id: int
    """Id of the scale."""
    comment: str | None
    """What the corrector writes about the work."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    feedback: str | None
    """What the team writes about the evaluation; the comment of the first feedback on it, where there is one."""
    feedback_rating: int | None
    """Stars that the team gives the evaluation, from 0 to 5; those of the first feedback on it, where there is one."""
    final_mark: int | None
    """Mark that the corrector gave; null until it is filled."""
    flag: Flag
    """Verdict of the corrector."""
    begin_at: str | None
    """When it takes place; null where no time is set."""
    correcteds: list[UserShort] | Literal["invisible"]
    """Members of the team; `invisible` until shortly before the begin."""
    corrector: UserShort | dict[str, Any] | Literal["invisible"]
    """Who evaluates; `{}` for nobody, `invisible` until shortly before the begin."""
    truant: UserShort | dict[str, Any]
    """Who did not come; `{}` where nobody was absent."""
    filled_at: str | None
    """When it was filled in; null before."""
    questions_with_answers: list[Answer]
    """What the corrector answered to each question."""


class ScaleTeamUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    scale_team: ScaleTeamUpdateScaleTeam


class ScaleTeamUpdateScaleTeam(TypedDict):
    team_id: NotRequired[int]
    """Id of the team that is evaluated."""
    scale_id: NotRequired[int]
    """Id of the scale."""
    user_id: NotRequired[int | None]
    """Id of the user who evaluates; null for nobody."""
    begin_at: NotRequired[str | None]
    """When it takes place; null where no time is set."""
    comment: NotRequired[str | None]
    """What the corrector writes about the work."""
    flag_id: NotRequired[int]
    """Id of the verdict of the corrector."""
    final_mark: NotRequired[int | None]
    """Mark that the corrector gave; null until it is filled."""
    truant_id: NotRequired[int | None]
    """Id of the user who did not come; null where nobody was absent."""
    feedback: NotRequired[str | None]
    """What the team writes about the evaluation; the comment of the first feedback on it, where there is one."""
    feedback_rating: NotRequired[int | None]
    """Stars that the team gives the evaluation, from 0 to 5; those of the first feedback on it, where there is one."""
    answers_attributes: NotRequired[list[AnswerAttributes]]
    """Answers to create, change or remove along with it."""


class ScaleUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    scale: ScaleUpdateScale


class ScaleUpdateScale(TypedDict):
    evaluation_id: NotRequired[int]
    """Id of the evaluation."""
    name: NotRequired[str]
    """What the scale is called."""
    is_primary: NotRequired[bool]
    """Whether it is the one that is used where none is named."""
    comment: NotRequired[str | None]
    """What staff note about it."""
    introduction_md: NotRequired[str | None]
    """What correctors read first, in Markdown."""
    disclaimer_md: NotRequired[str | None]
    """What both sides must heed, in Markdown."""
    guidelines_md: NotRequired[str | None]
    """How to evaluate, in Markdown."""
    correction_number: NotRequired[int]
    """How many evaluations a team needs."""
    duration: NotRequired[int]
    """How long an evaluation takes, in seconds; written in quarters of an hour, or in seconds where that is more than 96."""
    manual_subscription: NotRequired[bool]
    """Whether teams book evaluations themselves."""
    is_external: NotRequired[bool]
    """Whether people from outside evaluate."""
    free: NotRequired[bool]
    """Whether it costs no evaluation points."""
    sections_attributes: NotRequired[list[SectionAttributes]]
    """Sections to create, change or remove along with it."""
    flag_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (scales_flags); others are untied."""
    language_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (scales_languages); others are untied."""


class Score(TypedDict):
    """Points that a coalition was given, for what one of its users did or as a whole."""

    id: int
    """Id of the score."""
    coalition_id: int
    """Id of the coalition."""
    scoreable_id: int | None
    """Id of what the points are for; null for nothing in particular."""
    scoreable_type: str | None
    """What the points are for, as the name of a class such as `Location`; null for nothing in particular."""
    coalitions_user_id: int | None
    """Id of the coalitions_user who brought the points; null where they are of the coalition as a whole."""
    calculation_id: int | None
    """Id of the rule that they were reckoned by; null where none was."""
    value: int
    """How many points; below 0 where they are taken away."""
    reason: str
    """What the points are for, in words."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class ScoreCreateBelowCoalition(TypedDict):
    """What is to be created."""

    score: ScoreCreateBelowCoalitionScore


class ScoreCreateBelowCoalitionScore(TypedDict):
    coalition_id: NotRequired[int | None]
    """Id of the coalition."""
    coalitions_user_id: NotRequired[int | None]
    """Id of the coalitions_user who brought the points; null where they are of the coalition as a whole."""
    calculation_id: NotRequired[int | None]
    """Id of the rule that they were reckoned by; null where none was."""
    scoreable_id: NotRequired[int | None]
    """Id of what the points are for; null for nothing in particular."""
    scoreable_type: NotRequired[str | None]
    """What the points are for, as the name of a class such as `Location`; null for nothing in particular."""
    value: int
    """How many points; below 0 where they are taken away."""
    reason: str
    """What the points are for, in words."""


SearchProjectsQuery = TypedDict(
    "SearchProjectsQuery",
    {
        "page": int,
        "per_page": int,
    },
    total=False,
)


class Section(TypedDict):
    """A part of a scale."""

    id: int
    """Id of the section."""
    name: str
    """What the section is called."""
    description: str | None
    """What the part is about."""
    questions: list[Question]
    """What the corrector answers."""


# A part of a scale. A new one needs name.
SectionAttributes = TypedDict(
    "SectionAttributes",
    {
        # What the section is called.
        "name": "NotRequired[str]",
        # What the part is about.
        "description": "NotRequired[str | None]",
        # Place in the scale, lowest first.
        "position": "NotRequired[int | None]",
        # Questions to create, change or remove along with it.
        "questions_attributes": "NotRequired[list[QuestionAttributes]]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class SetPrimaryCampusUserBody(TypedDict):
    campus_id: int
    """Id of the campus."""


class Skill(TypedDict):
    """Something that projects teach and users grow in, level by level."""

    id: int
    """Id of the skill."""
    slug: str
    """Name in addresses, which stands for the id."""
    name: str
    """What the skill is called."""
    created_at: str
    """When it was created."""


class SkillCreate(TypedDict):
    """What is to be created."""

    skill: SkillCreateSkill


class SkillCreateSkill(TypedDict):
    name: str
    """What the skill is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""


class SkillUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    skill: SkillUpdateSkill


class SkillUpdateSkill(TypedDict):
    name: NotRequired[str]
    """What the skill is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""


class Slot(TypedDict):
    """A quarter of an hour in which a user offers to evaluate."""

    id: int
    """Id of the slot."""
    begin_at: str
    """When the quarter of an hour begins."""
    end_at: str
    """When it ends, 15 minutes later."""
    scale_team: ScaleTeamInSlot | None | Literal["invisible"]
    """Evaluation that is booked; null while the slot is free, `invisible` while hidden."""
    user: UserReference | Literal["invisible"]
    """Who offers the time; `invisible` to other users."""


class SlotCreate(TypedDict):
    """What is to be created."""

    slot: SlotCreateSlot


class SlotCreateSlot(TypedDict):
    user_id: int
    """Id of the user who offers the time."""
    begin_at: str
    """When the quarter of an hour begins."""
    end_at: str
    """When it ends, 15 minutes later."""
    scale_team_id: NotRequired[int | None]
    """Id of the evaluation that is booked; null while the slot is free."""


class SlotUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    slot: SlotUpdateSlot


class SlotUpdateSlot(TypedDict):
    user_id: NotRequired[int]
    """Id of the user who offers the time."""
    begin_at: NotRequired[str]
    """When the quarter of an hour begins."""
    end_at: NotRequired[str]
    """When it ends, 15 minutes later."""
    scale_team_id: NotRequired[int | None]
    """Id of the evaluation that is booked; null while the slot is free."""


class Squad(TypedDict):
    """A few users of a bloc who stand together."""

    id: int
    """Id of the squad."""
    bloc_id: int
    """Id of the bloc."""
    locked_at: str | None
    """Since when nobody joins it any more; null before."""
    squads_users: list[SquadsUserEmbedded]
    """Who belongs to it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    bloc: BlocEmbedded
    """The bloc whose id is `bloc_id`."""


class SquadCreate(TypedDict):
    """What is to be created."""

    squad: SquadCreateSquad


class SquadCreateBelowBloc(TypedDict):
    """What is to be created."""

    squad: SquadCreateBelowBlocSquad


class SquadCreateBelowBlocSquad(TypedDict):
    bloc_id: NotRequired[int | None]
    """Id of the bloc."""
    locked_at: NotRequired[str | None]
    """Since when nobody joins it any more; null before."""
    squads_users_attributes: NotRequired[list[SquadsUserAttributes]]
    """Squads users to create, change or remove along with it."""


class SquadCreateSquad(TypedDict):
    bloc_id: int
    """Id of the bloc."""
    locked_at: NotRequired[str | None]
    """Since when nobody joins it any more; null before."""
    squads_users_attributes: NotRequired[list[SquadsUserAttributes]]
    """Squads users to create, change or remove along with it."""


class SquadUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    squad: SquadUpdateSquad


class SquadUpdateSquad(TypedDict):
    bloc_id: NotRequired[int]
    """Id of the bloc."""
    locked_at: NotRequired[str | None]
    """Since when nobody joins it any more; null before."""
    squads_users_attributes: NotRequired[list[SquadsUserAttributes]]
    """Squads users to create, change or remove along with it."""


class SquadsUser(TypedDict):
    """A user belongs to a squad."""

    id: int
    """Id of the squads user."""
    squad_id: int
    """Id of the squad."""
    leader: bool
    """Whether the user leads the squad."""
    validated: bool
    """Whether it is settled that the user belongs to it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    user: UserMinimal
    """The user whose id is `user_id`."""


# A user belongs to a squad. A new one needs user_id.
SquadsUserAttributes = TypedDict(
    "SquadsUserAttributes",
    {
        # Id of the user.
        "user_id": "NotRequired[int]",
        # Whether the user leads the squad.
        "leader": "NotRequired[bool | None]",
        # Whether it is settled that the user belongs to it.
        "validated": "NotRequired[bool | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class SquadsUserCreate(TypedDict):
    """What is to be created."""

    squads_user: SquadsUserCreateSquadsUser


class SquadsUserCreateSquadsUser(TypedDict):
    squad_id: int
    """Id of the squad."""
    user_id: int
    """Id of the user."""
    leader: NotRequired[bool | None]
    """Whether the user leads the squad."""
    validated: NotRequired[bool | None]
    """Whether it is settled that the user belongs to it."""


class SquadsUserEmbedded(TypedDict):
    """A user belongs to a squad."""

    id: int
    """Id of the squads user."""
    squad_id: int
    """Id of the squad."""
    leader: bool
    """Whether the user leads the squad."""
    validated: bool
    """Whether it is settled that the user belongs to it."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    user: UserMinimal
    """The user whose id is `user_id`."""


class SquadsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    squads_user: SquadsUserUpdateSquadsUser


class SquadsUserUpdateSquadsUser(TypedDict):
    squad_id: NotRequired[int]
    """Id of the squad."""
    user_id: NotRequired[int]
    """Id of the user."""
    leader: NotRequired[bool]
    """Whether the user leads the squad."""
    validated: NotRequired[bool]
    """Whether it is settled that the user belongs to it."""


class Subnotion(TypedDict):
    """A part of a notion, with what there is to watch and to read."""

    id: int
    """Id of the subnotion."""
    name: str
    """What the subnotion is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    created_at: str
    """When it was created."""
    notepad: None
    """Always null, for clients that expect it."""
    attachments: list[SubnotionAttachment]
    """What there is to watch and to read."""
    notion: NotionEmbedded | None
    """Notion that it is a part of; null where it stands alone."""


class SubnotionAttachment(TypedDict):
    """Something to watch or to read in a subnotion."""

    id: int
    """Id of the subnotion attachment."""
    name: str
    """What the subnotion attachment is called."""
    created_at: str
    """When it was created."""
    slug: str
    """Its name, made fit for addresses."""
    base_id: int
    """Id of the attachment that it translates; its own where it translates none."""
    language: LanguageShort | None
    """Language that it is in."""
    type: str
    """Sort of attachment, as the name of a class: `Pdf`, `Link`."""
    attachment_id: int
    """Its id, once more."""
    url: str | None
    """Address of the file, which opens without a token for a while, or of the link."""
    duration: NotRequired[int]
    """Length of the film in seconds; 0 where it is not known."""
    video_processing: NotRequired[Literal[False]]
    """Always false, for clients that expect it."""
    urls: NotRequired[SubnotionAttachmentUrls]
    """Addresses of the film, the same for a slow line."""
    page_count: NotRequired[int]
    """Number of pages."""
    pdf: NotRequired[SubnotionAttachmentPdf]
    """Addresses of the PDF; null in them for other sorts."""
    pdf_processing: NotRequired[bool]
    """Whether the PDF is still being read."""
    thumb_url: NotRequired[str | None]
    """Address of a small picture of it; null where there is none."""


class SubnotionAttachmentPdf(TypedDict):
    """Addresses of the PDF; null in them for other sorts."""

    pdf: SubnotionAttachmentPdfPdf


class SubnotionAttachmentPdfPdf(TypedDict):
    url: str | None
    thumb: SubnotionAttachmentPdfPdfThumb


class SubnotionAttachmentPdfPdfThumb(TypedDict):
    url: str | None


class SubnotionAttachmentUrls(TypedDict):
    """Addresses of the film, the same for a slow line."""

    url: str | None
    """Address of the file, which opens without a token for a while, or of the link."""
    low_d: str | None
    """Address of the file, which opens without a token for a while, or of the link."""
    thumbs: list[Any]
    """Always empty, for clients that expect it."""


# A part of a notion, with what there is to watch and to read. A new one needs name.
SubnotionAttributes = TypedDict(
    "SubnotionAttributes",
    {
        # What the subnotion is called.
        "name": "NotRequired[str]",
        # Name in addresses, which stands for the id.
        "slug": "NotRequired[str | None]",
        # Place among the parts of its notion.
        "position": "NotRequired[int | None]",
        # Attachments to create, change or remove along with it.
        "attachments_attributes": "NotRequired[list[AttachmentAttributes]]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class SubnotionCreate(TypedDict):
    """What is to be created."""

    subnotion: SubnotionCreateSubnotion


class SubnotionCreateSubnotion(TypedDict):
    name: str
    """What the subnotion is called."""
    slug: NotRequired[str | None]
    """Name in addresses, which stands for the id."""
    notion_id: NotRequired[int | None]
    """Id of the notion that it is a part of; null where it stands alone."""
    position: NotRequired[int | None]
    """Place among the parts of its notion."""
    attachments_attributes: NotRequired[list[AttachmentAttributes]]
    """Attachments to create, change or remove along with it."""


class SubnotionInNotion(TypedDict):
    """A part of a notion, with what there is to watch and to read."""

    id: int
    """Id of the subnotion."""
    name: str
    """What the subnotion is called."""
    slug: str
    """Name in addresses, which stands for the id."""
    created_at: str
    """When it was created."""
    notepad: None
    """Always null, for clients that expect it."""


class SubnotionUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    subnotion: SubnotionUpdateSubnotion


class SubnotionUpdateSubnotion(TypedDict):
    name: NotRequired[str]
    """What the subnotion is called."""
    slug: NotRequired[str]
    """Name in addresses, which stands for the id."""
    notion_id: NotRequired[int | None]
    """Id of the notion that it is a part of; null where it stands alone."""
    position: NotRequired[int]
    """Place among the parts of its notion."""
    attachments_attributes: NotRequired[list[AttachmentAttributes]]
    """Attachments to create, change or remove along with it."""


class Tag(TypedDict):
    """A word under which topics and users are found together."""

    id: int
    """Id of the tag."""
    name: str
    """What the tag is called."""
    kind: Literal["project", "general", "archived"]
    """What it is used for."""
    users: list[UserReference]
    """Users who bear it."""
    subnotions: list[SubnotionInNotion]
    """Parts of the notions that bear it."""


class TagCreate(TypedDict):
    """What is to be created."""

    tag: TagCreateTag


class TagCreateTag(TypedDict):
    name: str
    """What the tag is called."""
    kind: NotRequired[Literal["project", "general", "archived"] | None]
    """What it is used for."""
    description: NotRequired[str | None]
    """What belongs under it."""
    pinner_id: NotRequired[int | None]
    """Id of the user who pinned it; null while it is not pinned."""
    tags_users_attributes: NotRequired[list[TagsUserAttributes]]
    """Tags users to create, change or remove along with it."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (tags_cursus); others are untied."""


class TagEmbedded(TypedDict):
    """A word under which topics and users are found together."""

    id: int
    """Id of the tag."""
    name: str
    """What the tag is called."""
    kind: Literal["project", "general", "archived"]
    """What it is used for."""


class TagUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    tag: TagUpdateTag


class TagUpdateTag(TypedDict):
    name: NotRequired[str]
    """What the tag is called."""
    kind: NotRequired[Literal["project", "general", "archived"]]
    """What it is used for."""
    description: NotRequired[str | None]
    """What belongs under it."""
    pinner_id: NotRequired[int | None]
    """Id of the user who pinned it; null while it is not pinned."""
    tags_users_attributes: NotRequired[list[TagsUserAttributes]]
    """Tags users to create, change or remove along with it."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (tags_cursus); others are untied."""


class TagsUser(TypedDict):
    """A user bears a tag, perhaps at one campus only."""

    id: int
    """Id of the tags user."""
    tag_id: int
    """Id of the tag."""
    user_id: int
    """Id of the user."""
    campus_id: int | None
    """Id of the campus where it counts; null for every campus."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    tag: TagEmbedded
    """The tag whose id is `tag_id`."""
    user: UserShort
    """The user whose id is `user_id`."""


# A user bears a tag, perhaps at one campus only. A new one needs user_id.
TagsUserAttributes = TypedDict(
    "TagsUserAttributes",
    {
        # Id of the user.
        "user_id": "NotRequired[int]",
        # Id of the campus where it counts; null for every campus.
        "campus_id": "NotRequired[int | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class TagsUserCreate(TypedDict):
    """What is to be created."""

    tags_user: TagsUserCreateTagsUser


class TagsUserCreateTagsUser(TypedDict):
    tag_id: int
    """Id of the tag."""
    user_id: int
    """Id of the user."""
    campus_id: NotRequired[int | None]
    """Id of the campus where it counts; null for every campus."""


class TagsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    tags_user: TagsUserUpdateTagsUser


class TagsUserUpdateTagsUser(TypedDict):
    tag_id: NotRequired[int]
    """Id of the tag."""
    user_id: NotRequired[int]
    """Id of the user."""
    campus_id: NotRequired[int | None]
    """Id of the campus where it counts; null for every campus."""


# One or more users who finish a project together.
Team = TypedDict(
    "Team",
    {
        # Id of the team.
        "id": "int",
        # What the team is called.
        "name": "str",
        # Address of the team in this API.
        "url": "str",
        # Mark of the team, 100 for all that was asked; null until it is marked.
        "final_mark": "int | None",
        # Id of the project.
        "project_id": "int",
        # When it was created.
        "created_at": "str",
        # When it was last changed.
        "updated_at": "str",
        # How far the team is.
        "status": "Literal[\"creating_group\", \"searching_a_group\", \"in_progress\", \"waiting_for_correction\", \"finished\", \"parent\"]",
        # When the team is to be ended; null where no time is set.
        "terminating_at": "str | None",
        # Members, and those who are invited.
        "users": "list[TeamMember]",
        # Whether `locked_at` is set.
        "locked?": "bool",
        # Whether the mark is high enough; null until it is marked.
        "validated?": "bool | None",
        # Whether `closed_at` is set.
        "closed?": "bool",
        # Address of its Git repository.
        "repo_url": "str | None",
        # Name of its repository that nobody else has.
        "repo_uuid": "str",
        # When its members were settled; null while they may change.
        "locked_at": "str | None",
        # When its work was handed in; null before.
        "closed_at": "str | None",
        # Id of the project session.
        "project_session_id": "int",
        # Path of its repository on GitLab.
        "project_gitlab_path": "str | None",
        # Evaluations of the team.
        "scale_teams": "list[ScaleTeamInTeam]",
        # Marks that programs gave the team.
        "teams_uploads": "list[TeamsUploadEmbedded]",
    },
)


class TeamCreate(TypedDict):
    """What is to be created."""

    team: TeamCreateTeam


class TeamCreateTeam(TypedDict):
    project_id: int
    """Id of the project."""
    name: NotRequired[str | None]
    """What the team is called."""
    created_at: NotRequired[str | None]
    """When it was created."""
    updated_at: NotRequired[str | None]
    """When it was last changed."""
    locked_at: NotRequired[str | None]
    """When its members were settled; null while they may change."""
    closed_at: NotRequired[str | None]
    """When its work was handed in; null before."""
    final_mark: NotRequired[int | None]
    """Mark of the team, 100 for all that was asked; null until it is marked."""
    repo_url: NotRequired[str | None]
    """Address of its Git repository."""
    repo_uuid: NotRequired[str | None]
    """Name of its repository that nobody else has."""
    deadline_at: NotRequired[str | None]
    """Until when the work is to be handed in; null where no time is set."""
    terminating_at: NotRequired[str | None]
    """When the team is to be ended; null where no time is set."""
    project_session_id: NotRequired[int | None]
    """Id of the project session."""
    teams_users_attributes: NotRequired[list[TeamsUserAttributes]]
    """Teams users to create, change or remove along with it."""


# One or more users who finish a project together.
TeamInProjectsUser = TypedDict(
    "TeamInProjectsUser",
    {
        # Id of the team.
        "id": "int",
        # What the team is called.
        "name": "str",
        # Address of the team in this API.
        "url": "str",
        # Mark of the team, 100 for all that was asked; null until it is marked.
        "final_mark": "int | None",
        # Id of the project.
        "project_id": "int",
        # When it was created.
        "created_at": "str",
        # When it was last changed.
        "updated_at": "str",
        # How far the team is.
        "status": "Literal[\"creating_group\", \"searching_a_group\", \"in_progress\", \"waiting_for_correction\", \"finished\", \"parent\"]",
        # When the team is to be ended; null where no time is set.
        "terminating_at": "str | None",
        # Members, and those who are invited.
        "users": "list[TeamMember]",
        # Whether `locked_at` is set.
        "locked?": "bool",
        # Whether the mark is high enough; null until it is marked.
        "validated?": "bool | None",
        # Whether `closed_at` is set.
        "closed?": "bool",
        # Address of its Git repository.
        "repo_url": "str | None",
        # Name of its repository that nobody else has.
        "repo_uuid": "str",
        # When its members were settled; null while they may change.
        "locked_at": "str | None",
        # When its work was handed in; null before.
        "closed_at": "str | None",
        # Id of the project session.
        "project_session_id": "int",
        # Path of its repository on GitLab.
        "project_gitlab_path": "str | None",
    },
)


# One or more users who finish a project together.
TeamInScaleTeam = TypedDict(
    "TeamInScaleTeam",
    {
        # Id of the team.
        "id": "int",
        # What the team is called.
        "name": "str",
        # Address of the team in this API.
        "url": "str",
        # Mark of the team, 100 for all that was asked; null until it is marked.
        "final_mark": "int | None",
        # Id of the project.
        "project_id": "int",
        # When it was created.
        "created_at": "str",
        # When it was last changed.
        "updated_at": "str",
        # How far the team is.
        "status": "Literal[\"creating_group\", \"searching_a_group\", \"in_progress\", \"waiting_for_correction\", \"finished\", \"parent\"]",
        # When the team is to be ended; null where no time is set.
        "terminating_at": "str | None",
        # Members, and those who are invited.
        "users": "list[TeamMember]",
        # Whether `locked_at` is set.
        "locked?": "bool",
        # Whether the mark is high enough; null until it is marked.
        "validated?": "bool | None",
        # Whether `closed_at` is set.
        "closed?": "bool",
        # Address of its Git repository.
        "repo_url": "str | None",
        # Name of its repository that nobody else has.
        "repo_uuid": "str",
        # When its members were settled; null while they may change.
        "locked_at": "str | None",
        # When its work was handed in; null before.
        "closed_at": "str | None",
        # Id of the project session.
        "project_session_id": "int",
        # Path of its repository on GitLab.
        "project_gitlab_path": "str | None",
        # Marks that programs gave the team.
        "teams_uploads": "list[TeamsUploadEmbedded]",
    },
)


class TeamMember(TypedDict):
    """A user as a member of a team."""

    id: int
    """Id of the user."""
    login: str
    """Login of the user."""
    url: str
    """Address of the user in this API."""
    leader: bool
    """Whether the user leads the team."""
    occurrence: int
    """How many teams the user had on the project before."""
    validated: bool
    """Whether the user is a member; false while only invited."""
    projects_user_id: int | None
    """Id of the user's part in the project; null while only invited."""


class TeamUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    team: TeamUpdateTeam


class TeamUpdateTeam(TypedDict):
    project_id: NotRequired[int]
    """Id of the project."""
    name: NotRequired[str]
    """What the team is called."""
    created_at: NotRequired[str]
    """When it was created."""
    updated_at: NotRequired[str]
    """When it was last changed."""
    locked_at: NotRequired[str | None]
    """When its members were settled; null while they may change."""
    closed_at: NotRequired[str | None]
    """When its work was handed in; null before."""
    final_mark: NotRequired[int | None]
    """Mark of the team, 100 for all that was asked; null until it is marked."""
    repo_url: NotRequired[str | None]
    """Address of its Git repository."""
    repo_uuid: NotRequired[str]
    """Name of its repository that nobody else has."""
    deadline_at: NotRequired[str | None]
    """Until when the work is to be handed in; null where no time is set."""
    terminating_at: NotRequired[str | None]
    """When the team is to be ended; null where no time is set."""
    project_session_id: NotRequired[int]
    """Id of the project session."""
    teams_users_attributes: NotRequired[list[TeamsUserAttributes]]
    """Teams users to create, change or remove along with it."""


class TeamsUpload(TypedDict):
    """What an upload says of the work of a team."""

    id: int
    """Id of the teams upload."""
    final_mark: int | None
    """Mark that the program gave; null until it did."""
    comment: str | None
    """What the program says of the work."""
    created_at: str
    """When it was created."""
    upload_id: int
    """Id of the upload."""
    upload: UploadWhole
    """The upload whose id is `upload_id`."""


class TeamsUploadBulk(TypedDict):
    """What is to be created."""

    teams_uploads: list[TeamsUploadBulkTeamsUploadsItem]


class TeamsUploadBulkTeamsUploadsItem(TypedDict):
    team_id: int
    """Id of the team."""
    upload_id: int
    """Id of the upload."""
    final_mark: NotRequired[int | None]
    """Mark that the program gave; null until it did."""
    comment: NotRequired[str | None]
    """What the program says of the work."""


class TeamsUploadCreate(TypedDict):
    """What is to be created."""

    teams_upload: TeamsUploadCreateTeamsUpload


class TeamsUploadCreateBelowTeam(TypedDict):
    """What is to be created."""

    teams_upload: TeamsUploadCreateBelowTeamTeamsUpload


class TeamsUploadCreateBelowTeamTeamsUpload(TypedDict):
    team_id: NotRequired[int | None]
    """Id of the team."""
    upload_id: int
    """Id of the upload."""
    final_mark: NotRequired[int | None]
    """Mark that the program gave; null until it did."""
    comment: NotRequired[str | None]
    """What the program says of the work."""


class TeamsUploadCreateTeamsUpload(TypedDict):
    team_id: int
    """Id of the team."""
    upload_id: int
    """Id of the upload."""
    final_mark: NotRequired[int | None]
    """Mark that the program gave; null until it did."""
    comment: NotRequired[str | None]
    """What the program says of the work."""


class TeamsUploadEmbedded(TypedDict):
    """What an upload says of the work of a team."""

    id: int
    """Id of the teams upload."""
    final_mark: int | None
    """Mark that the program gave; null until it did."""
    comment: str | None
    """What the program says of the work."""
    created_at: str
    """When it was created."""
    upload_id: int
    """Id of the upload."""


class TeamsUploadUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    teams_upload: TeamsUploadUpdateTeamsUpload


class TeamsUploadUpdateTeamsUpload(TypedDict):
    team_id: NotRequired[int]
    """Id of the team."""
    upload_id: NotRequired[int]
    """Id of the upload."""
    final_mark: NotRequired[int | None]
    """Mark that the program gave; null until it did."""
    comment: NotRequired[str | None]
    """What the program says of the work."""


class TeamsUser(TypedDict):
    """A user is a member of a team or, until they have validated it, invited to be one."""

    id: int
    """Id of the teams user."""
    team_id: int
    """Id of the team."""
    user_id: int
    """Id of the user."""
    leader: bool
    """Whether the user leads the team."""
    occurrence: int
    """How many teams the user had on the project before."""
    validated: bool
    """Whether the user is a member; false while only invited."""
    projects_user_id: int | None
    """Id of the user's part in the project; null while only invited."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    team: TeamInProjectsUser
    """The team whose id is `team_id`."""
    user: UserShort
    """The user whose id is `user_id`."""


# A user is a member of a team or, until they have validated it, invited to be one. A new one needs user_id.
TeamsUserAttributes = TypedDict(
    "TeamsUserAttributes",
    {
        # Id of the user.
        "user_id": "NotRequired[int]",
        # Whether the user leads the team.
        "leader": "NotRequired[bool | None]",
        # How many teams the user had on the project before.
        "occurrence": "NotRequired[int | None]",
        # Whether the user is a member; false while only invited.
        "validated": "NotRequired[bool | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class TeamsUserCreate(TypedDict):
    """What is to be created."""

    teams_user: TeamsUserCreateTeamsUser


class TeamsUserCreateTeamsUser(TypedDict):
    team_id: int
    """Id of the team."""
    user_id: int
    """Id of the user."""
    leader: NotRequired[bool | None]
    """Whether the user leads the team."""
    occurrence: NotRequired[int | None]
    """How many teams the user had on the project before."""
    validated: NotRequired[bool | None]
    """Whether the user is a member; false while only invited."""


class TeamsUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    teams_user: TeamsUserUpdateTeamsUser


class TeamsUserUpdateTeamsUser(TypedDict):
    team_id: NotRequired[int]
    """Id of the team."""
    user_id: NotRequired[int]
    """Id of the user."""
    leader: NotRequired[bool]
    """Whether the user leads the team."""
    occurrence: NotRequired[int]
    """How many teams the user had on the project before."""
    validated: NotRequired[bool]
    """Whether the user is a member; false while only invited."""


class Theme(TypedDict):
    """What an event is about."""

    created_at: str
    """When it was created."""
    id: int
    """Id of the theme."""
    name: str
    """What the theme is called."""
    updated_at: str
    """When it was last changed."""


class ThemeCreate(TypedDict):
    """What is to be created."""

    theme: ThemeCreateTheme


class ThemeCreateTheme(TypedDict):
    name: str
    """What the theme is called."""


class ThemeNew(TypedDict):
    name: str
    """What the theme is called."""


class ThemeUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    theme: ThemeUpdateTheme


class ThemeUpdateTheme(TypedDict):
    name: NotRequired[str]
    """What the theme is called."""


class Title(TypedDict):
    """Words of honour that a user may wear; %login in the name stands for theirs."""

    id: int
    """Id of the title."""
    name: str
    """Words of the title, with `%login` where the login of the user goes."""


class TitleCreate(TypedDict):
    """What is to be created."""

    title: TitleCreateTitle


class TitleCreateTitle(TypedDict):
    name: str
    """Words of the title, with `%login` where the login of the user goes."""


class TitleUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    title: TitleUpdateTitle


class TitleUpdateTitle(TypedDict):
    name: NotRequired[str]
    """Words of the title, with `%login` where the login of the user goes."""


class TitlesUser(TypedDict):
    """A user holds a title and may have selected it to be shown."""

    id: int
    """Id of the titles user."""
    user_id: int
    """Id of the user."""
    title_id: int
    """Id of the title."""
    selected: bool
    """Whether it is the title that the user wears."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


class TitlesUserCreate(TypedDict):
    """What is to be created."""

    titles_user: TitlesUserCreateTitlesUser


class TitlesUserCreateBelowTitle(TypedDict):
    """What is to be created."""

    titles_user: TitlesUserCreateBelowTitleTitlesUser


class TitlesUserCreateBelowTitleTitlesUser(TypedDict):
    user_id: int
    """Id of the user."""
    title_id: NotRequired[int | None]
    """Id of the title."""
    selected: NotRequired[bool | None]
    """Whether it is the title that the user wears."""


class TitlesUserCreateBelowUser(TypedDict):
    """What is to be created."""

    titles_user: TitlesUserCreateBelowUserTitlesUser


class TitlesUserCreateBelowUserTitlesUser(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user."""
    title_id: int
    """Id of the title."""
    selected: NotRequired[bool | None]
    """Whether it is the title that the user wears."""


class TitlesUserCreateTitlesUser(TypedDict):
    user_id: int
    """Id of the user."""
    title_id: int
    """Id of the title."""
    selected: NotRequired[bool | None]
    """Whether it is the title that the user wears."""


class TitlesUserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    titles_user: TitlesUserUpdateTitlesUser


class TitlesUserUpdateTitlesUser(TypedDict):
    user_id: NotRequired[int]
    """Id of the user."""
    title_id: NotRequired[int]
    """Id of the title."""
    selected: NotRequired[bool]
    """Whether it is the title that the user wears."""


class Topic(TypedDict):
    """A subject of the forum, with the messages about it."""

    id: int
    """Id of the topic."""
    name: str
    """What the topic is called."""
    author: UserShort | dict[str, Any]
    """Who opened it; `{}` where the author is gone."""
    kind: Literal["normal", "survey", "stack_overflow"]
    """Whether it is a plain topic, a survey or a question to be answered."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""
    pinned_at: str | None
    """When it was pinned to the top of lists; null while it is not."""
    locked_at: str | None
    """When it was locked against further messages; null while it is open."""
    pinner: UserShort | None
    """User who pinned it; null while it is not pinned."""
    locker: UserShort | None
    """User who locked it; null while it is open."""
    language: LanguageShort
    """Language that it is written in."""
    messages_url: str
    """Address of the list of its messages."""
    message: OpeningMessage | None
    """Message that opens it."""
    tags: list[TagEmbedded]
    """Words under which it is found."""


class TopicCreate(TypedDict):
    """What is to be created."""

    topic: TopicCreateTopic


class TopicCreateTopic(TypedDict):
    name: str
    """What the topic is called."""
    kind: NotRequired[Literal["normal", "survey", "stack_overflow"] | None]
    """Whether it is a plain topic, a survey or a question to be answered."""
    language_id: int
    """Id of the language that it is written in."""
    author_id: NotRequired[int | None]
    """Id of the user who opened it; null where the author is gone."""
    pinned_at: NotRequired[str | None]
    """When it was pinned to the top of lists; null while it is not."""
    locked_at: NotRequired[str | None]
    """When it was locked against further messages; null while it is open."""
    write_at: NotRequired[str | None]
    """When it was written, where moderators say so."""
    answer_id: NotRequired[int | None]
    """Id of the message that answers it; null while none does."""
    messages_attributes: NotRequired[list[OpeningMessageAttributes]]
    """Opening messages to create, change or remove along with it."""
    tag_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (topics_tags); others are untied."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (topics_cursus); others are untied."""


class TopicUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    topic: TopicUpdateTopic


class TopicUpdateTopic(TypedDict):
    name: NotRequired[str]
    """What the topic is called."""
    kind: NotRequired[Literal["normal", "survey", "stack_overflow"]]
    """Whether it is a plain topic, a survey or a question to be answered."""
    language_id: NotRequired[int]
    """Id of the language that it is written in."""
    author_id: NotRequired[int | None]
    """Id of the user who opened it; null where the author is gone."""
    pinned_at: NotRequired[str | None]
    """When it was pinned to the top of lists; null while it is not."""
    locked_at: NotRequired[str | None]
    """When it was locked against further messages; null while it is open."""
    write_at: NotRequired[str | None]
    """When it was written, where moderators say so."""
    answer_id: NotRequired[int | None]
    """Id of the message that answers it; null while none does."""
    tag_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (topics_tags); others are untied."""
    cursus_ids: NotRequired[list[int]]
    """All the ids that are to be tied to the record (topics_cursus); others are untied."""


class Transaction(TypedDict):
    """A change of the wallet of a user. What they have is the sum of all."""

    id: int
    """Id of the transaction."""
    value: int
    """What the user got; negative for what they gave."""
    user_id: int
    """Id of the user."""
    transactable_id: int | None
    """Id of what it was for; null for none."""
    transactable_type: str
    """What it was for, as `Achievement`, `Event` or any text."""
    reason: str
    """Why, in words."""
    user: UserReference
    """The user whose id is `user_id`."""
    options: None
    """Always null, for clients that expect it."""


class TransactionCreate(TypedDict):
    """What is to be created."""

    transaction: TransactionCreateTransaction


class TransactionCreateTransaction(TypedDict):
    value: int
    """What the user got; negative for what they gave."""
    user_id: int
    """Id of the user."""
    transactable_id: NotRequired[int | None]
    """Id of what it was for; null for none."""
    transactable_type: str
    """What it was for, as `Achievement`, `Event` or any text."""
    reason: str
    """Why, in words."""


class Upload(TypedDict):
    """A program that marks what teams hand in."""

    id: int
    """Id of the upload."""
    name: str
    """What the upload is called."""


# A program that marks what teams hand in. A new one needs name.
UploadAttributes = TypedDict(
    "UploadAttributes",
    {
        # What the upload is called.
        "name": "NotRequired[str]",
        # What it checks.
        "description": "NotRequired[str | None]",
        # The element that is to change; without it, a new one.
        "id": "NotRequired[int]",
        # Removes the element instead.
        "_destroy": "NotRequired[bool]",
    },
)


class UploadWhole(TypedDict):
    """A program that marks what teams hand in."""

    id: int
    """Id of the upload."""
    evaluation_id: int
    """Id of the evaluation."""
    name: str
    """What the upload is called."""
    description: str | None
    """What it checks."""
    created_at: str
    """When it was created."""
    updated_at: str
    """When it was last changed."""


# A person of the school: student, staff or guest.
User = TypedDict(
    "User",
    {
        # Id of the user.
        "id": "int",
        # E-mail address; a school’s own provider finds the account by it at the first sign-in.
        "email": "str",
        # Name by which the user signs in, which stands for the id in addresses.
        "login": "str",
        # First name as on official papers.
        "first_name": "str",
        # Family name.
        "last_name": "str",
        # Usual first name or else the first name, with the family name.
        "usual_full_name": "str",
        # First name that the user goes by; null where it is `first_name`.
        "usual_first_name": "str | None",
        # Address of the user in this API.
        "url": "str",
        # Telephone number; `hidden` where the user hides it, null where none is known.
        "phone": "str | None",
        # Name that is shown to others.
        "displayname": "str",
        # Whether the user studies, is staff or is from outside.
        "kind": "Literal[\"student\", \"admin\", \"external\"]",
        # Portrait, in full and in smaller versions.
        "image": "UserImage",
        # Whether `kind` is `admin`.
        "staff?": "bool",
        # Evaluation points that the user may spend.
        "correction_point": "int",
        # Month in which the user was in a piscine, in English.
        "pool_month": "Literal[\"january\", \"february\", \"march\", \"april\", \"may\", \"june\", \"july\", \"august\", \"september\", \"october\", \"november\", \"december\"] | None",
        # Year in which the user was in a piscine, as text.
        "pool_year": "str | None",
        # Host at which the user sits now; null while they are logged in nowhere.
        "location": "str | None",
        # Points that the user may spend in the shop.
        "wallet": "int",
        # Day on which personal data are to be made anonymous.
        "anonymize_date": "str | None",
        # Day on which personal data are to be erased.
        "data_erasure_date": "str | None",
        # When it was created.
        "created_at": "str",
        # When it was last changed.
        "updated_at": "str",
        # When the user became an alumnus; null before.
        "alumnized_at": "str | None",
        # Whether `alumnized_at` is set.
        "alumni?": "bool",
        # Whether `closed_at` is not set.
        "active?": "bool",
        # Groups that the user belongs to.
        "groups": "list[Group]",
        # Courses that the user takes or took part in.
        "cursus_users": "list[CursusUser]",
        # How far the user is with each project.
        "projects_users": "list[ProjectsUserEmbedded]",
        # Languages that the user speaks, the preferred one first.
        "languages_users": "list[LanguagesUser]",
        # Achievements that the user has won.
        "achievements": "list[AchievementEmbedded]",
        # Titles that the user holds.
        "titles": "list[Title]",
        # Which titles the user holds, and which one is selected.
        "titles_users": "list[TitlesUser]",
        # Partnerships that the user works on.
        "partnerships": "list[Partnership]",
        # Patronages in which the user is looked after.
        "patroned": "list[PatronageEmbedded]",
        # Patronages in which the user is the godfather.
        "patroning": "list[PatronageEmbedded]",
        # Crafts that the user knows, and how well.
        "expertises_users": "list[ExpertisesUserEmbedded]",
        # Roles that staff gave the user.
        "roles": "list[RoleEmbedded]",
        # Campuses that the user belongs to.
        "campus": "list[CampusEmbedded]",
        # How the user belongs to each campus, and which is the primary one.
        "campus_users": "list[CampusUser]",
    },
)


class UserByLogin(TypedDict):
    """A person of the school: student, staff or guest."""

    login: str
    """Name by which the user signs in, which stands for the id in addresses."""
    id: int
    """Id of the user."""
    url: str
    """Address of the user in this API."""


class UserCreate(TypedDict):
    """What is to be created."""

    user: UserCreateUser


class UserCreateUser(TypedDict):
    email: str
    """E-mail address; a school’s own provider finds the account by it at the first sign-in."""
    login: NotRequired[str | None]
    """Name by which the user signs in, which stands for the id in addresses."""
    first_name: str
    """First name as on official papers."""
    last_name: str
    """Family name."""
    usual_first_name: NotRequired[str | None]
    """First name that the user goes by; null where it is `first_name`."""
    pool_year: NotRequired[str | None]
    """Year in which the user was in a piscine, as text."""
    pool_month: NotRequired[Literal["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"] | None]
    """Month in which the user was in a piscine, in English."""
    kind: Literal["student", "admin", "external"]
    """Whether the user studies, is staff or is from outside."""
    status: NotRequired[str | None]
    """What staff note about where the user stands."""
    email_stop: NotRequired[bool | None]
    """Whether the user gets no e-mail from the school."""
    correction_point: NotRequired[int | None]
    """Evaluation points that the user may spend."""
    wallet: NotRequired[int | None]
    """Points that the user may spend in the shop."""
    anonymize_date: NotRequired[str | None]
    """Day on which personal data are to be made anonymous."""
    data_erasure_date: NotRequired[str | None]
    """Day on which personal data are to be erased."""
    alumnized_at: NotRequired[str | None]
    """When the user became an alumnus; null before."""
    image: NotRequired[str | None]
    """Portrait, in full and in smaller versions."""
    phone: NotRequired[str | None]
    """Telephone number; `hidden` where the user hides it, null where none is known."""
    password: NotRequired[str | None]
    """New password in clear; stored as a digest and passed on once to webservices."""
    meta: NotRequired[dict[str, Any] | None]
    """JSON that is passed on once to the webservices of the campuses and not stored."""
    campus_id: NotRequired[int | None]
    """Id of the campus that becomes the primary one of the user."""
    cursus_id: NotRequired[int | None]
    """Id of a cursus that the user enters now."""
    skip_welcome_mail: NotRequired[bool | None]
    """Ignored; the service sends no welcome mail."""
    user_candidature_attributes: NotRequired[dict[str, Any] | None]
    """Ignored; the service keeps no applications for a place."""
    cursus_users_attributes: NotRequired[list[CursusUserAttributes]]
    """Cursus users to create, change or remove along with it."""
    languages_users_attributes: NotRequired[list[LanguagesUserAttributes]]
    """Languages users to create, change or remove along with it."""
    campus_users_attributes: NotRequired[list[CampusUserAttributes]]
    """Campus users to create, change or remove along with it."""


class UserImage(TypedDict):
    """Portrait, in full and in smaller versions."""

    link: str | None
    """Address of the picture; null where there is none."""
    versions: UserImageVersions
    """Smaller ones."""


class UserImageVersions(TypedDict):
    """Smaller ones."""

    large: str | None
    """Address of the picture; null where there is none."""
    medium: str | None
    """Address of the picture; null where there is none."""
    small: str | None
    """Address of the picture; null where there is none."""
    micro: str | None
    """Address of the picture; null where there is none."""


# A person of the school: student, staff or guest.
UserInCursus = TypedDict(
    "UserInCursus",
    {
        # Id of the user.
        "id": "int",
        # E-mail address; a school’s own provider finds the account by it at the first sign-in.
        "email": "str",
        # Name by which the user signs in, which stands for the id in addresses.
        "login": "str",
        # First name as on official papers.
        "first_name": "str",
        # Family name.
        "last_name": "str",
        # Usual first name or else the first name, with the family name.
        "usual_full_name": "str",
        # First name that the user goes by; null where it is `first_name`.
        "usual_first_name": "str | None",
        # Address of the user in this API.
        "url": "str",
        # Telephone number; `hidden` where the user hides it, null where none is known.
        "phone": "str | None",
        # Name that is shown to others.
        "displayname": "str",
        # Whether the user studies, is staff or is from outside.
        "kind": "Literal[\"student\", \"admin\", \"external\"]",
        # Portrait, in full and in smaller versions.
        "image": "UserInCursusImage",
        # Whether `kind` is `admin`.
        "staff?": "bool",
        # Evaluation points that the user may spend.
        "correction_point": "int",
        # Month in which the user was in a piscine, in English.
        "pool_month": "Literal[\"january\", \"february\", \"march\", \"april\", \"may\", \"june\", \"july\", \"august\", \"september\", \"october\", \"november\", \"december\"] | None",
        # Year in which the user was in a piscine, as text.
        "pool_year": "str | None",
        # Host at which the user sits now; null while they are logged in nowhere.
        "location": "str | None",
        # Points that the user may spend in the shop.
        "wallet": "int",
        # Day on which personal data are to be made anonymous.
        "anonymize_date": "str | None",
        # Day on which personal data are to be erased.
        "data_erasure_date": "str | None",
        # When it was created.
        "created_at": "str",
        # When it was last changed.
        "updated_at": "str",
        # When the user became an alumnus; null before.
        "alumnized_at": "str | None",
        # Whether `alumnized_at` is set.
        "alumni?": "bool",
        # Whether `closed_at` is not set.
        "active?": "bool",
        # When the part in the cursus ends; null while no end is set.
        "end_at": "str | None",
    },
)


class UserInCursusImage(TypedDict):
    """Portrait, in full and in smaller versions."""

    link: str | None
    """Address of the picture; null where there is none."""
    versions: UserInCursusImageVersions
    """Smaller ones."""


class UserInCursusImageVersions(TypedDict):
    """Smaller ones."""

    large: str | None
    """Address of the picture; null where there is none."""
    medium: str | None
    """Address of the picture; null where there is none."""
    small: str | None
    """Address of the picture; null where there is none."""
    micro: str | None
    """Address of the picture; null where there is none."""


class UserMinimal(TypedDict):
    """A person of the school: student, staff or guest."""

    id: int
    """Id of the user."""
    login: str
    """Name by which the user signs in, which stands for the id in addresses."""


class UserReference(TypedDict):
    """A person of the school: student, staff or guest."""

    id: int
    """Id of the user."""
    login: str
    """Name by which the user signs in, which stands for the id in addresses."""
    url: str
    """Address of the user in this API."""


class UserSearch(TypedDict):
    """What is sought; all of it is optional."""

    query: NotRequired[str]
    """Only records that hold each word of this text, in any case and with any accents, in `login` or `first_name` or `last_name` or `usual_first_name`."""
    filter: NotRequired[UserSearchFilter]
    """Only records of which all of this is so; several values as a list, or with commas."""
    range: NotRequired[UserSearchRange]
    """Only records that lie within all of this; both ends with a comma between."""
    search: NotRequired[UserSearchSearch]
    """Words that are sought in one field; as a text, `in:<field> words`."""
    sort: NotRequired[str]
    """Fields to sort by, the first one first; descending with a minus sign.

- `id`: id of the user
- `login`: name by which the user signs in, which stands for the id in addresses
- `email`: e-mail address; a school’s own provider finds the account by it at the first sign-in
- `created_at`: when it was created
- `updated_at`: when it was last changed
- `image`: portrait, in full and in smaller versions
- `first_name`: first name as on official papers
- `last_name`: family name
- `pool_year`: year in which the user was in a piscine, as text
- `pool_month`: month in which the user was in a piscine, in English
- `kind`: whether the user studies, is staff or is from outside
- `status`: what staff note about where the user stands
- `usual_first_name`: first name that the user goes by; null where it is `first_name`
- `last_seen_at`: when the user was last seen; null where that is not known
- `alumnized_at`: when the user became an alumnus; null before
- `anonymized_at`: when personal data were made anonymous; null before"""
    page: NotRequired[UserSearchPage]
    """Which page."""


# Only records of which all of this is so; several values as a list, or with commas.
UserSearchFilter = TypedDict(
    "UserSearchFilter",
    {
        # Id of the user. Only records whose `id` is one of these values; an empty one stands for null.
        "id": "NotRequired[int | list[int]]",
        # Name by which the user signs in, which stands for the id in addresses. Only records whose `login` is one of these values; an empty one stands for null.
        "login": "NotRequired[str | list[str]]",
        # E-mail address; a school’s own provider finds the account by it at the first sign-in. Only records whose `email` is one of these values; an empty one stands for null.
        "email": "NotRequired[str | list[str]]",
        # When it was created. Only records whose `created_at` is one of these values; an empty one stands for null.
        "created_at": "NotRequired[str | list[str]]",
        # When it was last changed. Only records whose `updated_at` is one of these values; an empty one stands for null.
        "updated_at": "NotRequired[str | list[str]]",
        # Year in which the user was in a piscine, as text. Only records whose `pool_year` is one of these values; an empty one stands for null.
        "pool_year": "NotRequired[str | list[str]]",
        # Month in which the user was in a piscine, in English. Only records whose `pool_month` is one of these values; an empty one stands for null.
        "pool_month": "NotRequired[Literal[\"january\", \"february\", \"march\", \"april\", \"may\", \"june\", \"july\", \"august\", \"september\", \"october\", \"november\", \"december\"] | list[Literal[\"january\", \"february\", \"march\", \"april\", \"may\", \"june\", \"july\", \"august\", \"september\", \"october\", \"november\", \"december\"]]]",
        # Whether the user studies, is staff or is from outside. Only records whose `kind` is one of these values; an empty one stands for null.
        "kind": "NotRequired[Literal[\"student\", \"admin\", \"external\"] | list[Literal[\"student\", \"admin\", \"external\"]]]",
        # What staff note about where the user stands. Only records whose `status` is one of these values; an empty one stands for null.
        "status": "NotRequired[str | list[str]]",
        # First name as on official papers. Only records whose `first_name` is one of these values; an empty one stands for null.
        "first_name": "NotRequired[str | list[str]]",
        # Family name. Only records whose `last_name` is one of these values; an empty one stands for null.
        "last_name": "NotRequired[str | list[str]]",
        # Only records whose primary campus is one of these; an empty one stands for none.
        "primary_campus_id": "NotRequired[int | list[int]]",
        # Only records whose `alumnized_at` is set; with `false` only the others.
        "alumni?": "NotRequired[bool]",
        # Only records whose `kind` is `admin`; with `false` only the others.
        "staff?": "NotRequired[bool]",
    },
)


class UserSearchPage(TypedDict):
    """Which page."""

    number: NotRequired[int]
    size: NotRequired[int]


class UserSearchRange(TypedDict):
    """Only records that lie within all of this; both ends with a comma between."""

    id: NotRequired[str]
    """Id of the user. Only records whose `id` lies between both values, or is one of them; either may be left empty."""
    login: NotRequired[str]
    """Name by which the user signs in, which stands for the id in addresses. Only records whose `login` lies between both values, or is one of them; either may be left empty."""
    email: NotRequired[str]
    """E-mail address; a school’s own provider finds the account by it at the first sign-in. Only records whose `email` lies between both values, or is one of them; either may be left empty."""
    created_at: NotRequired[str]
    """When it was created. Only records whose `created_at` lies between both values, or is one of them; either may be left empty."""
    updated_at: NotRequired[str]
    """When it was last changed. Only records whose `updated_at` lies between both values, or is one of them; either may be left empty."""
    pool_year: NotRequired[str]
    """Year in which the user was in a piscine, as text. Only records whose `pool_year` lies between both values, or is one of them; either may be left empty."""
    pool_month: NotRequired[str]
    """Month in which the user was in a piscine, in English. Only records whose `pool_month` lies between both values, or is one of them; either may be left empty."""
    kind: NotRequired[str]
    """Whether the user studies, is staff or is from outside. Only records whose `kind` lies between both values, or is one of them; either may be left empty."""
    status: NotRequired[str]
    """What staff note about where the user stands. Only records whose `status` lies between both values, or is one of them; either may be left empty."""


class UserSearchSearch(TypedDict):
    """Words that are sought in one field; as a text, `in:<field> words`."""

    login: NotRequired[str]
    """Only records that hold each word of this text, in any case and with any accents, in `login`."""
    name: NotRequired[str]
    """Only records that hold each word of this text, in any case and with any accents, in `first_name` or `last_name` or `usual_first_name`."""
    first_name: NotRequired[str]
    """Only records that hold each word of this text, in any case and with any accents, in `first_name` or `usual_first_name`."""
    last_name: NotRequired[str]
    """Only records that hold each word of this text, in any case and with any accents, in `last_name`."""


# A person of the school: student, staff or guest.
UserShort = TypedDict(
    "UserShort",
    {
        # Id of the user.
        "id": "int",
        # E-mail address; a school’s own provider finds the account by it at the first sign-in.
        "email": "str",
        # Name by which the user signs in, which stands for the id in addresses.
        "login": "str",
        # First name as on official papers.
        "first_name": "str",
        # Family name.
        "last_name": "str",
        # Usual first name or else the first name, with the family name.
        "usual_full_name": "str",
        # First name that the user goes by; null where it is `first_name`.
        "usual_first_name": "str | None",
        # Address of the user in this API.
        "url": "str",
        # Telephone number; `hidden` where the user hides it, null where none is known.
        "phone": "str | None",
        # Name that is shown to others.
        "displayname": "str",
        # Whether the user studies, is staff or is from outside.
        "kind": "Literal[\"student\", \"admin\", \"external\"]",
        # Portrait, in full and in smaller versions.
        "image": "UserShortImage",
        # Whether `kind` is `admin`.
        "staff?": "bool",
        # Evaluation points that the user may spend.
        "correction_point": "int",
        # Month in which the user was in a piscine, in English.
        "pool_month": "Literal[\"january\", \"february\", \"march\", \"april\", \"may\", \"june\", \"july\", \"august\", \"september\", \"october\", \"november\", \"december\"] | None",
        # Year in which the user was in a piscine, as text.
        "pool_year": "str | None",
        # Host at which the user sits now; null while they are logged in nowhere.
        "location": "str | None",
        # Points that the user may spend in the shop.
        "wallet": "int",
        # Day on which personal data are to be made anonymous.
        "anonymize_date": "str | None",
        # Day on which personal data are to be erased.
        "data_erasure_date": "str | None",
        # When it was created.
        "created_at": "str",
        # When it was last changed.
        "updated_at": "str",
        # When the user became an alumnus; null before.
        "alumnized_at": "str | None",
        # Whether `alumnized_at` is set.
        "alumni?": "bool",
        # Whether `closed_at` is not set.
        "active?": "bool",
    },
)


class UserShortImage(TypedDict):
    """Portrait, in full and in smaller versions."""

    link: str | None
    """Address of the picture; null where there is none."""
    versions: UserShortImageVersions
    """Smaller ones."""


class UserShortImageVersions(TypedDict):
    """Smaller ones."""

    large: str | None
    """Address of the picture; null where there is none."""
    medium: str | None
    """Address of the picture; null where there is none."""
    small: str | None
    """Address of the picture; null where there is none."""
    micro: str | None
    """Address of the picture; null where there is none."""


class UserUpdate(TypedDict):
    """What is to change; what is left out stays as it is."""

    user: UserUpdateUser


class UserUpdateUser(TypedDict):
    email: NotRequired[str]
    """E-mail address; a school’s own provider finds the account by it at the first sign-in."""
    login: NotRequired[str]
    """Name by which the user signs in, which stands for the id in addresses."""
    first_name: NotRequired[str]
    """First name as on official papers."""
    last_name: NotRequired[str]
    """Family name."""
    usual_first_name: NotRequired[str | None]
    """First name that the user goes by; null where it is `first_name`."""
    pool_year: NotRequired[str | None]
    """Year in which the user was in a piscine, as text."""
    pool_month: NotRequired[Literal["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"] | None]
    """Month in which the user was in a piscine, in English."""
    kind: NotRequired[Literal["student", "admin", "external"]]
    """Whether the user studies, is staff or is from outside."""
    status: NotRequired[str | None]
    """What staff note about where the user stands."""
    email_stop: NotRequired[bool]
    """Whether the user gets no e-mail from the school."""
    correction_point: NotRequired[int]
    """Evaluation points that the user may spend."""
    wallet: NotRequired[int]
    """Points that the user may spend in the shop."""
    anonymize_date: NotRequired[str | None]
    """Day on which personal data are to be made anonymous."""
    data_erasure_date: NotRequired[str | None]
    """Day on which personal data are to be erased."""
    alumnized_at: NotRequired[str | None]
    """When the user became an alumnus; null before."""
    image: NotRequired[str | None]
    """Portrait, in full and in smaller versions."""
    phone: NotRequired[str | None]
    """Telephone number; `hidden` where the user hides it, null where none is known."""
    password: NotRequired[str | None]
    """New password in clear; stored as a digest and passed on once to webservices."""
    meta: NotRequired[dict[str, Any] | None]
    """JSON that is passed on once to the webservices of the campuses and not stored."""
    campus_id: NotRequired[int | None]
    """Id of the campus that becomes the primary one of the user."""
    cursus_id: NotRequired[int | None]
    """Id of a cursus that the user enters now."""
    skip_welcome_mail: NotRequired[bool | None]
    """Ignored; the service sends no welcome mail."""
    user_candidature_attributes: NotRequired[dict[str, Any] | None]
    """Ignored; the service keeps no applications for a place."""
    cursus_users_attributes: NotRequired[list[CursusUserAttributes]]
    """Cursus users to create, change or remove along with it."""
    languages_users_attributes: NotRequired[list[LanguagesUserAttributes]]
    """Languages users to create, change or remove along with it."""
    campus_users_attributes: NotRequired[list[CampusUserAttributes]]
    """Campus users to create, change or remove along with it."""


class Vote(TypedDict):
    """What a user thinks of a message: one vote of each kind."""

    id: int
    """Id of the vote."""
    kind: Literal["upvote", "downvote", "trollvote", "problem"]
    """What the user thinks of the message."""
    created_at: str
    """When it was created."""
    message: Message
    """Message that is voted on."""


class VoteCreate(TypedDict):
    """What is to be created."""

    vote: VoteCreateVote


class VoteCreateVote(TypedDict):
    user_id: NotRequired[int | None]
    """Id of the user who votes."""
    message_id: int
    """Id of the message that is voted on."""
    kind: Literal["upvote", "downvote", "trollvote", "problem"]
    """What the user thinks of the message."""


class Waitlist(TypedDict):
    """A full event or exam lets people wait for a place."""

    created_at: str
    """When it was created."""
    id: int
    """Id of the waitlist."""
    updated_at: str
    """When it was last changed."""
    waitlistable_id: int
    """Id of the event or exam that it belongs to."""
    waitlistable_type: Literal["Event", "Exam"]
    """What it belongs to."""


class WaitlistListed(TypedDict):
    """A full event or exam lets people wait for a place."""

    id: int
    """Id of the waitlist."""
    waitlistable_id: int
    """Id of the event or exam that it belongs to."""
    waitlistable_type: Literal["Event", "Exam"]
    """What it belongs to."""
    created_at: str
    """When it was created."""
