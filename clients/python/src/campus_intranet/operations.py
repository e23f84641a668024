# Made from the OpenAPI document by "npm run generate:python"; changes here are lost.
"""One method for each action of the API, named as the OpenAPI document names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from .calls import Calls

if TYPE_CHECKING:
    from . import types as t
    from .listing import Listing


class Operations(Calls):
    def list_resources(
        self,
    ) -> t.ListResourcesAnswer:
        """List the resources. Needs no token."""
        answer: t.ListResourcesAnswer = self._call("GET", "/v2")
        return answer

    def get_openapi_document(
        self,
    ) -> dict[str, Any]:
        """Get this document. Needs no token."""
        answer: dict[str, Any] = self._call("GET", "/v2/openapi.json")
        return answer

    def list_campus(
        self,
        *,
        query: t.ListCampusQuery | None = None,
    ) -> Listing[t.Campus]:
        """List campus. Needs any token."""
        answer: Listing[t.Campus] = self._list("/v2/campus", query=query)
        return answer

    def create_campus(
        self,
        *,
        body: t.CampusCreate,
    ) -> t.Campus:
        """Create one campus. Needs the role Advanced Staff."""
        answer: t.Campus = self._call("POST", "/v2/campus", body=body)
        return answer

    def get_campus(
        self,
        id: t.Id,
        /,
    ) -> t.Campus:
        """Get one campus. Needs any token."""
        answer: t.Campus = self._call("GET", "/v2/campus/{id}", {"id": id})
        return answer

    def update_campus(
        self,
        id: t.Id,
        /,
        *,
        body: t.CampusUpdate,
    ) -> None:
        """Change one campus. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/campus/{id}", {"id": id}, body=body)

    def delete_campus(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one campus. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/campus/{id}", {"id": id})

    def end_all_locations_campus(
        self,
        id: t.Id,
        /,
    ) -> None:
        """End all locations of one campus. Ends every open location of the campus. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/campus/{id}/locations/end_all", {"id": id})

    def get_stats_of_campus(
        self,
        id: t.Id,
        /,
    ) -> t.GetStatsOfCampusAnswer:
        """Get the stats of one campus. Tells how many people a campus has, and what goes on there. Needs the role Basic Staff."""
        answer: t.GetStatsOfCampusAnswer = self._call("GET", "/v2/campus/{id}/stats", {"id": id})
        return answer

    def list_languages(
        self,
        *,
        query: t.ListLanguagesQuery | None = None,
    ) -> Listing[t.LanguageShort]:
        """List languages. Needs any token."""
        answer: Listing[t.LanguageShort] = self._list("/v2/languages", query=query)
        return answer

    def create_language(
        self,
        *,
        body: t.LanguageCreate,
    ) -> t.LanguageShort:
        """Create one language. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.LanguageShort = self._call("POST", "/v2/languages", body=body)
        return answer

    def graph_languages(
        self,
        *,
        query: t.GraphLanguagesQuery | None = None,
    ) -> dict[str, int]:
        """Count languages over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/languages/graph", query=query)
        return answer

    def graph_languages_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphLanguagesQuery | None = None,
    ) -> dict[str, int]:
        """Count languages over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/languages/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_languages_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphLanguagesQuery | None = None,
    ) -> dict[str, int]:
        """Count languages over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/languages/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_language(
        self,
        id: t.Id,
        /,
    ) -> t.LanguageShort:
        """Get one language. Needs any token."""
        answer: t.LanguageShort = self._call("GET", "/v2/languages/{id}", {"id": id})
        return answer

    def update_language(
        self,
        id: t.Id,
        /,
        *,
        body: t.LanguageUpdate,
    ) -> None:
        """Change one language. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/languages/{id}", {"id": id}, body=body)

    def delete_language(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one language. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("DELETE", "/v2/languages/{id}", {"id": id})

    def list_cursus(
        self,
        *,
        query: t.ListCursusQuery | None = None,
    ) -> Listing[t.Cursus]:
        """List cursus. Needs any token."""
        answer: Listing[t.Cursus] = self._list("/v2/cursus", query=query)
        return answer

    def create_cursus(
        self,
        *,
        body: t.CursusCreate,
    ) -> t.Cursus:
        """Create one cursus. Needs the role Advanced Staff."""
        answer: t.Cursus = self._call("POST", "/v2/cursus", body=body)
        return answer

    def get_cursus(
        self,
        id: t.Id,
        /,
    ) -> t.Cursus:
        """Get one cursus. Needs any token."""
        answer: t.Cursus = self._call("GET", "/v2/cursus/{id}", {"id": id})
        return answer

    def update_cursus(
        self,
        id: t.Id,
        /,
        *,
        body: t.CursusUpdate,
    ) -> None:
        """Change one cursus. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/cursus/{id}", {"id": id}, body=body)

    def delete_cursus(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one cursus. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/cursus/{id}", {"id": id})

    def list_skills(
        self,
        *,
        query: t.ListSkillsQuery | None = None,
    ) -> Listing[t.Skill]:
        """List skills. Needs any token."""
        answer: Listing[t.Skill] = self._list("/v2/skills", query=query)
        return answer

    def create_skill(
        self,
        *,
        body: t.SkillCreate,
    ) -> t.Skill:
        """Create one skill. Needs the role Advanced Staff."""
        answer: t.Skill = self._call("POST", "/v2/skills", body=body)
        return answer

    def get_skill(
        self,
        id: t.Id,
        /,
    ) -> t.Skill:
        """Get one skill. Needs any token."""
        answer: t.Skill = self._call("GET", "/v2/skills/{id}", {"id": id})
        return answer

    def update_skill(
        self,
        id: t.Id,
        /,
        *,
        body: t.SkillUpdate,
    ) -> None:
        """Change one skill. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/skills/{id}", {"id": id}, body=body)

    def delete_skill(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one skill. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/skills/{id}", {"id": id})

    def list_skills_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListSkillsQuery | None = None,
    ) -> Listing[t.Skill]:
        """List skills of one cursus. Needs any token."""
        answer: Listing[t.Skill] = self._list("/v2/cursus/{cursus_id}/skills", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_projects(
        self,
        *,
        query: t.ListProjectsQuery | None = None,
    ) -> Listing[t.Project]:
        """List projects. Needs any token."""
        answer: Listing[t.Project] = self._list("/v2/projects", query=query)
        return answer

    def create_project(
        self,
        *,
        body: t.ProjectCreate,
    ) -> t.Project:
        """Create one project. Needs the role Advanced Staff."""
        answer: t.Project = self._call("POST", "/v2/projects", body=body)
        return answer

    def get_project(
        self,
        id: t.Id,
        /,
    ) -> t.Project:
        """Get one project. Needs any token."""
        answer: t.Project = self._call("GET", "/v2/projects/{id}", {"id": id})
        return answer

    def update_project(
        self,
        id: t.Id,
        /,
        *,
        body: t.ProjectUpdate,
    ) -> None:
        """Change one project. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/projects/{id}", {"id": id}, body=body)

    def delete_project(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one project. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/projects/{id}", {"id": id})

    def retry_project(
        self,
        id: t.Id,
        /,
        *,
        body: t.RetryProjectBody | None = None,
    ) -> None:
        """Retry one project. Begins another try of a user: a new team that the user leads. Needs the role Advanced Tutor, or the role Advanced Staff, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/projects/{id}/retry", {"id": id}, body=body)

    def search_projects(
        self,
        *,
        body: t.ProjectSearch | None = None,
        query: t.SearchProjectsQuery | None = None,
    ) -> list[t.ProjectMinimal]:
        """Search projects. Needs the role 42network."""
        answer: list[t.ProjectMinimal] = self._call("POST", "/v2/search/projects", body=body, query=query)
        return answer

    def list_projects_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListProjectsQuery | None = None,
    ) -> Listing[t.Project]:
        """List projects of one cursus. Needs any token."""
        answer: Listing[t.Project] = self._list("/v2/cursus/{cursus_id}/projects", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_projects_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListProjectsQuery | None = None,
    ) -> Listing[t.Project]:
        """List projects of one campus. Needs any token."""
        answer: Listing[t.Project] = self._list("/v2/campus/{campus_id}/projects", {"campus_id": campus_id}, query=query)
        return answer

    def list_projects_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListProjectsQuery | None = None,
    ) -> Listing[t.Project]:
        """List projects of one project. Needs any token."""
        answer: Listing[t.Project] = self._list("/v2/projects/{project_id}/projects", {"project_id": project_id}, query=query)
        return answer

    def list_projects_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListProjectsQuery | None = None,
    ) -> Listing[t.Project]:
        """List projects of one user. Needs any token."""
        answer: Listing[t.Project] = self._list("/v2/users/{user_id}/projects", {"user_id": user_id}, query=query)
        return answer

    def list_my_projects(
        self,
        *,
        query: t.ListProjectsQuery | None = None,
    ) -> Listing[t.Project]:
        """List projects of the token's resource owner. Needs any token."""
        answer: Listing[t.Project] = self._list("/v2/me/projects", query=query)
        return answer

    def list_projects_users_registration_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListProjectsQuery | None = None,
    ) -> Listing[t.ProjectInRegistration]:
        """List projects of one user. Those that the user may register for now, each with the session that it would be in. Needs any token."""
        answer: Listing[t.ProjectInRegistration] = self._list("/v2/users/{user_id}/projects_users/registration", {"user_id": user_id}, query=query)
        return answer

    def list_expertises(
        self,
        *,
        query: t.ListExpertisesQuery | None = None,
    ) -> Listing[t.Expertise]:
        """List expertises. Needs any token."""
        answer: Listing[t.Expertise] = self._list("/v2/expertises", query=query)
        return answer

    def create_expertise(
        self,
        *,
        body: t.ExpertiseCreate,
    ) -> t.Expertise:
        """Create one expertise. Needs the role Advanced Staff."""
        answer: t.Expertise = self._call("POST", "/v2/expertises", body=body)
        return answer

    def get_expertise(
        self,
        id: t.Id,
        /,
    ) -> t.Expertise:
        """Get one expertise. Needs any token."""
        answer: t.Expertise = self._call("GET", "/v2/expertises/{id}", {"id": id})
        return answer

    def update_expertise(
        self,
        id: t.Id,
        /,
        *,
        body: t.ExpertiseUpdate,
    ) -> None:
        """Change one expertise. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/expertises/{id}", {"id": id}, body=body)

    def delete_expertise(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one expertise. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/expertises/{id}", {"id": id})

    def list_achievements(
        self,
        *,
        query: t.ListAchievementsQuery | None = None,
    ) -> Listing[t.Achievement]:
        """List achievements. Needs any token."""
        answer: Listing[t.Achievement] = self._list("/v2/achievements", query=query)
        return answer

    def create_achievement(
        self,
        *,
        body: t.AchievementCreate,
    ) -> t.Achievement:
        """Create one achievement. Needs the role Advanced Staff."""
        answer: t.Achievement = self._call("POST", "/v2/achievements", body=body)
        return answer

    def get_achievement(
        self,
        id: t.Id,
        /,
    ) -> t.Achievement:
        """Get one achievement. Needs any token."""
        answer: t.Achievement = self._call("GET", "/v2/achievements/{id}", {"id": id})
        return answer

    def update_achievement(
        self,
        id: t.Id,
        /,
        *,
        body: t.AchievementUpdate,
    ) -> None:
        """Change one achievement. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/achievements/{id}", {"id": id}, body=body)

    def delete_achievement(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one achievement. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/achievements/{id}", {"id": id})

    def list_achievements_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListAchievementsQuery | None = None,
    ) -> Listing[t.Achievement]:
        """List achievements of one campus. Needs any token."""
        answer: Listing[t.Achievement] = self._list("/v2/campus/{campus_id}/achievements", {"campus_id": campus_id}, query=query)
        return answer

    def list_achievements_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListAchievementsQuery | None = None,
    ) -> Listing[t.Achievement]:
        """List achievements of one user. Needs any token."""
        answer: Listing[t.Achievement] = self._list("/v2/users/{user_id}/achievements", {"user_id": user_id}, query=query)
        return answer

    def list_achievements_of_title(
        self,
        title_id: t.Id,
        /,
        *,
        query: t.ListAchievementsQuery | None = None,
    ) -> Listing[t.Achievement]:
        """List achievements of one title. Needs any token."""
        answer: Listing[t.Achievement] = self._list("/v2/titles/{title_id}/achievements", {"title_id": title_id}, query=query)
        return answer

    def list_titles(
        self,
        *,
        query: t.ListTitlesQuery | None = None,
    ) -> Listing[t.Title]:
        """List titles. Needs any token."""
        answer: Listing[t.Title] = self._list("/v2/titles", query=query)
        return answer

    def create_title(
        self,
        *,
        body: t.TitleCreate,
    ) -> t.Title:
        """Create one title. Needs the role Advanced Staff."""
        answer: t.Title = self._call("POST", "/v2/titles", body=body)
        return answer

    def get_title(
        self,
        id: t.Id,
        /,
    ) -> t.Title:
        """Get one title. Needs any token."""
        answer: t.Title = self._call("GET", "/v2/titles/{id}", {"id": id})
        return answer

    def update_title(
        self,
        id: t.Id,
        /,
        *,
        body: t.TitleUpdate,
    ) -> None:
        """Change one title. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/titles/{id}", {"id": id}, body=body)

    def delete_title(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one title. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/titles/{id}", {"id": id})

    def list_titles_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTitlesQuery | None = None,
    ) -> Listing[t.Title]:
        """List titles of one user. Needs any token."""
        answer: Listing[t.Title] = self._list("/v2/users/{user_id}/titles", {"user_id": user_id}, query=query)
        return answer

    def list_groups(
        self,
        *,
        query: t.ListTitlesQuery | None = None,
    ) -> Listing[t.Group]:
        """List groups. Needs any token."""
        answer: Listing[t.Group] = self._list("/v2/groups", query=query)
        return answer

    def create_group(
        self,
        *,
        body: t.GroupCreate,
    ) -> t.Group:
        """Create one group. Needs the role Advanced Staff."""
        answer: t.Group = self._call("POST", "/v2/groups", body=body)
        return answer

    def get_group(
        self,
        id: t.Id,
        /,
    ) -> t.Group:
        """Get one group. Needs any token."""
        answer: t.Group = self._call("GET", "/v2/groups/{id}", {"id": id})
        return answer

    def update_group(
        self,
        id: t.Id,
        /,
        *,
        body: t.GroupUpdate,
    ) -> None:
        """Change one group. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/groups/{id}", {"id": id}, body=body)

    def delete_group(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one group. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/groups/{id}", {"id": id})

    def list_groups_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTitlesQuery | None = None,
    ) -> Listing[t.Group]:
        """List groups of one user. Needs any token."""
        answer: Listing[t.Group] = self._list("/v2/users/{user_id}/groups", {"user_id": user_id}, query=query)
        return answer

    def list_roles(
        self,
        *,
        query: t.ListRolesQuery | None = None,
    ) -> Listing[t.Role]:
        """List roles. Needs any token."""
        answer: Listing[t.Role] = self._list("/v2/roles", query=query)
        return answer

    def create_role(
        self,
        *,
        body: t.RoleCreate,
    ) -> t.Role:
        """Create one role. Needs the role Advanced Staff."""
        answer: t.Role = self._call("POST", "/v2/roles", body=body)
        return answer

    def get_role(
        self,
        id: t.Id,
        /,
    ) -> t.Role:
        """Get one role. Needs any token."""
        answer: t.Role = self._call("GET", "/v2/roles/{id}", {"id": id})
        return answer

    def update_role(
        self,
        id: t.Id,
        /,
        *,
        body: t.RoleUpdate,
    ) -> None:
        """Change one role. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/roles/{id}", {"id": id}, body=body)

    def delete_role(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one role. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/roles/{id}", {"id": id})

    def list_roles_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListRolesQuery | None = None,
    ) -> Listing[t.Role]:
        """List roles of one user. Needs any token."""
        answer: Listing[t.Role] = self._list("/v2/users/{user_id}/roles", {"user_id": user_id}, query=query)
        return answer

    def list_partnerships(
        self,
        *,
        query: t.ListPartnershipsQuery | None = None,
    ) -> Listing[t.Partnership]:
        """List partnerships. Needs any token."""
        answer: Listing[t.Partnership] = self._list("/v2/partnerships", query=query)
        return answer

    def create_partnership(
        self,
        *,
        body: t.PartnershipCreate,
    ) -> t.Partnership:
        """Create one partnership. Needs the scope projects and the role Advanced Tutor."""
        answer: t.Partnership = self._call("POST", "/v2/partnerships", body=body)
        return answer

    def get_partnership(
        self,
        id: t.Id,
        /,
    ) -> t.Partnership:
        """Get one partnership. Needs any token."""
        answer: t.Partnership = self._call("GET", "/v2/partnerships/{id}", {"id": id})
        return answer

    def update_partnership(
        self,
        id: t.Id,
        /,
        *,
        body: t.PartnershipUpdate,
    ) -> None:
        """Change one partnership. Needs the scope projects and the role Advanced Tutor."""
        self._call("PATCH", "/v2/partnerships/{id}", {"id": id}, body=body)

    def delete_partnership(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one partnership. Needs the scope projects and the role Advanced Tutor."""
        self._call("DELETE", "/v2/partnerships/{id}", {"id": id})

    def list_users(
        self,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/users", query=query)
        return answer

    def create_user(
        self,
        *,
        body: t.UserCreate,
    ) -> t.UserReference:
        """Create one user. Needs the role Advanced Tutor."""
        answer: t.UserReference = self._call("POST", "/v2/users", body=body)
        return answer

    def graph_users(
        self,
        *,
        query: t.GraphUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/graph", query=query)
        return answer

    def graph_users_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_users_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_me(
        self,
    ) -> t.User:
        """Get the user that the token stands for. Needs any token."""
        answer: t.User = self._call("GET", "/v2/me")
        return answer

    def get_user(
        self,
        id: t.Id,
        /,
    ) -> t.User:
        """Get one user. Needs any token. A record whose `closed_at` is set needs the role Basic Staff."""
        answer: t.User = self._call("GET", "/v2/users/{id}", {"id": id})
        return answer

    def update_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.UserUpdate,
    ) -> None:
        """Change one user. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/users/{id}", {"id": id}, body=body)

    def add_correction_points_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.AddCorrectionPointsUserBody,
    ) -> t.UserShort:
        """Add correction points of one user. Gives evaluation points, by an entry of the ledger, and tells the user. Needs the role Advanced Tutor."""
        answer: t.UserShort = self._call("POST", "/v2/users/{id}/correction_points/add", {"id": id}, body=body)
        return answer

    def remove_correction_points_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.RemoveCorrectionPointsUserBody,
    ) -> t.UserShort:
        """Remove correction points of one user. Takes evaluation points, by an entry of the ledger, and tells the user. Needs the role Advanced Tutor."""
        answer: t.UserShort = self._call("DELETE", "/v2/users/{id}/correction_points/remove", {"id": id}, body=body)
        return answer

    def free_past_agu_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.FreePastAguUserBody,
    ) -> t.AntiGravUnitsUser:
        """Free past agu one user. Gives a free pause in the past, by which the black hole moves away. Needs the role Advanced Staff."""
        answer: t.AntiGravUnitsUser = self._call("POST", "/v2/users/{id}/free_past_agu", {"id": id}, body=body)
        return answer

    def unfreeze_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Unfreeze one user. Ends the pauses that go on. Needs the role Advanced Staff."""
        self._call("POST", "/v2/users/{id}/unfreeze", {"id": id})

    def set_primary_campus_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.SetPrimaryCampusUserBody,
    ) -> None:
        """Set primary campus one user. Makes a campus the primary one of the user. Needs the role Advanced Staff."""
        self._call("POST", "/v2/users/{id}/set_primary_campus", {"id": id}, body=body)

    def alumnize_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Alumnize one user. Makes the user an alumnus. Needs the role Advanced Staff."""
        self._call("POST", "/v2/users/{id}/alumnize", {"id": id})

    def dealumnize_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Dealumnize one user. Makes the user no alumnus any more. Needs the role Advanced Staff."""
        self._call("POST", "/v2/users/{id}/dealumnize", {"id": id})

    def remove_otp_settings_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Remove otp settings of one user. Switches the second factor of the user off. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/users/{id}/otp_settings/remove", {"id": id})

    def get_exam_of_user(
        self,
        id: t.Id,
        /,
    ) -> t.GetExamOfUserAnswer:
        """Get the exam of one user. Tells whether the user is registered for an exam or sits in one now. Needs the role Basic Tutor, or a token of the record's own user."""
        answer: t.GetExamOfUserAnswer = self._call("GET", "/v2/users/{id}/exam", {"id": id})
        return answer

    def get_locations_stats_of_user(
        self,
        id: t.Id,
        /,
        *,
        query: t.GetLocationsStatsOfUserQuery | None = None,
    ) -> dict[str, str]:
        """Get the locations stats of one user. Tells how long the user was logged in on each day. Needs any token."""
        answer: dict[str, str] = self._call("GET", "/v2/users/{id}/locations_stats", {"id": id}, query=query)
        return answer

    def list_staff(
        self,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users. Those of which staff? is true. Needs the role Basic Staff, or the role 42network."""
        answer: Listing[t.UserShort] = self._list("/v2/staff", query=query)
        return answer

    def list_alumnized_users(
        self,
        *,
        query: t.ListAlumnizedUsersQuery,
    ) -> Listing[t.UserShort]:
        """List users. Those of which alumni? is true. Needs the role Advanced Tutor."""
        answer: Listing[t.UserShort] = self._list("/v2/alumnized_users", query=query)
        return answer

    def search_users(
        self,
        *,
        body: t.UserSearch | None = None,
        query: t.SearchProjectsQuery | None = None,
    ) -> list[t.UserMinimal]:
        """Search users. Needs the role 42network."""
        answer: list[t.UserMinimal] = self._call("POST", "/v2/search/users", body=body, query=query)
        return answer

    def list_users_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one campus. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/campus/{campus_id}/users", {"campus_id": campus_id}, query=query)
        return answer

    def graph_users_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.GraphUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count users of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/users/graph", {"campus_id": campus_id}, query=query)
        return answer

    def graph_users_of_campus_on_field(
        self,
        campus_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count users of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/users/graph/on/{field}", {"campus_id": campus_id, "field": field}, query=query)
        return answer

    def graph_users_of_campus_on_field_by_interval(
        self,
        campus_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count users of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/users/graph/on/{field}/by/{interval}", {"campus_id": campus_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_users_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserInCursus]:
        """List users of one cursus. Needs any token."""
        answer: Listing[t.UserInCursus] = self._list("/v2/cursus/{cursus_id}/users", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_users_of_achievement(
        self,
        achievement_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one achievement. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/achievements/{achievement_id}/users", {"achievement_id": achievement_id}, query=query)
        return answer

    def list_users_of_title(
        self,
        title_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one title. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/titles/{title_id}/users", {"title_id": title_id}, query=query)
        return answer

    def list_users_of_group(
        self,
        group_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one group. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/groups/{group_id}/users", {"group_id": group_id}, query=query)
        return answer

    def list_users_of_expertise(
        self,
        expertise_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one expertise. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/expertises/{expertise_id}/users", {"expertise_id": expertise_id}, query=query)
        return answer

    def list_users_of_partnership(
        self,
        partnership_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one partnership. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/partnerships/{partnership_id}/users", {"partnership_id": partnership_id}, query=query)
        return answer

    def list_users_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one project. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/projects/{project_id}/users", {"project_id": project_id}, query=query)
        return answer

    def list_users_of_coalition(
        self,
        coalition_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one coalition. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/coalitions/{coalition_id}/users", {"coalition_id": coalition_id}, query=query)
        return answer

    def list_users_of_dash(
        self,
        dash_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one dash. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/dashes/{dash_id}/users", {"dash_id": dash_id}, query=query)
        return answer

    def list_users_of_event(
        self,
        event_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one event. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/events/{event_id}/users", {"event_id": event_id}, query=query)
        return answer

    def list_users_of_accreditation(
        self,
        accreditation_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one accreditation. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/accreditations/{accreditation_id}/users", {"accreditation_id": accreditation_id}, query=query)
        return answer

    def list_users_of_quest(
        self,
        quest_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one quest. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/quests/{quest_id}/users", {"quest_id": quest_id}, query=query)
        return answer

    def list_users_of_team(
        self,
        team_id: t.Id,
        /,
        *,
        query: t.ListUsersQuery | None = None,
    ) -> Listing[t.UserShort]:
        """List users of one team. Needs any token."""
        answer: Listing[t.UserShort] = self._list("/v2/teams/{team_id}/users", {"team_id": team_id}, query=query)
        return answer

    def list_campus_users(
        self,
        *,
        query: t.ListCampusUsersQuery | None = None,
    ) -> Listing[t.CampusUser]:
        """List campus users. Needs any token."""
        answer: Listing[t.CampusUser] = self._list("/v2/campus_users", query=query)
        return answer

    def create_campus_user(
        self,
        *,
        body: t.CampusUserCreate,
    ) -> t.CampusUser:
        """Create one campus user. Needs the role Advanced Staff."""
        answer: t.CampusUser = self._call("POST", "/v2/campus_users", body=body)
        return answer

    def get_campus_user(
        self,
        id: t.Id,
        /,
    ) -> t.CampusUser:
        """Get one campus user. Needs any token."""
        answer: t.CampusUser = self._call("GET", "/v2/campus_users/{id}", {"id": id})
        return answer

    def update_campus_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.CampusUserUpdate,
    ) -> None:
        """Change one campus user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/campus_users/{id}", {"id": id}, body=body)

    def delete_campus_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one campus user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/campus_users/{id}", {"id": id})

    def set_as_primary_campus_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Set as primary one campus user. Makes the campus the primary one of the user. Needs the role Advanced Staff."""
        self._call("POST", "/v2/campus_users/{id}/set_as_primary", {"id": id})

    def list_campus_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListCampusUsersQuery | None = None,
    ) -> Listing[t.CampusUser]:
        """List campus users of one user. Needs any token."""
        answer: Listing[t.CampusUser] = self._list("/v2/users/{user_id}/campus_users", {"user_id": user_id}, query=query)
        return answer

    def create_campus_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.CampusUserCreateBelowUser,
    ) -> t.CampusUser:
        """Create one campus user of one user. Needs the role Advanced Staff."""
        answer: t.CampusUser = self._call("POST", "/v2/users/{user_id}/campus_users", {"user_id": user_id}, body=body)
        return answer

    def list_campus_users_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListCampusUsersQuery | None = None,
    ) -> Listing[t.CampusUser]:
        """List campus users of one campus. Needs any token."""
        answer: Listing[t.CampusUser] = self._list("/v2/campus/{campus_id}/campus_users", {"campus_id": campus_id}, query=query)
        return answer

    def list_cursus_users(
        self,
        *,
        query: t.ListCursusUsersQuery | None = None,
    ) -> Listing[t.CursusUser]:
        """List cursus users. Needs any token."""
        answer: Listing[t.CursusUser] = self._list("/v2/cursus_users", query=query)
        return answer

    def create_cursus_user(
        self,
        *,
        body: t.CursusUserCreate,
    ) -> t.CursusUser:
        """Create one cursus user. Needs the role Advanced Staff."""
        answer: t.CursusUser = self._call("POST", "/v2/cursus_users", body=body)
        return answer

    def graph_cursus_users(
        self,
        *,
        query: t.GraphCursusUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count cursus users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus_users/graph", query=query)
        return answer

    def graph_cursus_users_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphCursusUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count cursus users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus_users/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_cursus_users_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphCursusUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count cursus users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus_users/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_cursus_user(
        self,
        id: t.Id,
        /,
    ) -> t.CursusUser:
        """Get one cursus user. Needs any token."""
        answer: t.CursusUser = self._call("GET", "/v2/cursus_users/{id}", {"id": id})
        return answer

    def update_cursus_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.CursusUserUpdate,
    ) -> None:
        """Change one cursus user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/cursus_users/{id}", {"id": id}, body=body)

    def delete_cursus_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one cursus user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/cursus_users/{id}", {"id": id})

    def list_cursus_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListCursusUsersQuery | None = None,
    ) -> Listing[t.CursusUser]:
        """List cursus users of one user. Needs any token."""
        answer: Listing[t.CursusUser] = self._list("/v2/users/{user_id}/cursus_users", {"user_id": user_id}, query=query)
        return answer

    def create_cursus_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.CursusUserCreateBelowUser,
    ) -> t.CursusUser:
        """Create one cursus user of one user. Needs the role Advanced Staff."""
        answer: t.CursusUser = self._call("POST", "/v2/users/{user_id}/cursus_users", {"user_id": user_id}, body=body)
        return answer

    def list_cursus_users_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListCursusUsersQuery | None = None,
    ) -> Listing[t.CursusUser]:
        """List cursus users of one cursus. Needs any token."""
        answer: Listing[t.CursusUser] = self._list("/v2/cursus/{cursus_id}/cursus_users", {"cursus_id": cursus_id}, query=query)
        return answer

    def graph_cursus_users_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.GraphCursusUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count cursus users of one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus/{cursus_id}/cursus_users/graph", {"cursus_id": cursus_id}, query=query)
        return answer

    def graph_cursus_users_of_cursus_on_field(
        self,
        cursus_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphCursusUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count cursus users of one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus/{cursus_id}/cursus_users/graph/on/{field}", {"cursus_id": cursus_id, "field": field}, query=query)
        return answer

    def graph_cursus_users_of_cursus_on_field_by_interval(
        self,
        cursus_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphCursusUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count cursus users of one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus/{cursus_id}/cursus_users/graph/on/{field}/by/{interval}", {"cursus_id": cursus_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_projects_users(
        self,
        *,
        query: t.ListProjectsUsersQuery | None = None,
    ) -> Listing[t.ProjectsUser]:
        """List projects users. Needs any token."""
        answer: Listing[t.ProjectsUser] = self._list("/v2/projects_users", query=query)
        return answer

    def create_projects_user(
        self,
        *,
        body: t.ProjectsUserCreate,
    ) -> t.ProjectsUser:
        """Create one projects user. Needs the role Advanced Staff, or the scope projects and a token of the record's own user."""
        answer: t.ProjectsUser = self._call("POST", "/v2/projects_users", body=body)
        return answer

    def graph_projects_users(
        self,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects_users/graph", query=query)
        return answer

    def graph_projects_users_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects_users/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_projects_users_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects_users/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_projects_user(
        self,
        id: t.Id,
        /,
    ) -> t.ProjectsUser:
        """Get one projects user. Needs any token."""
        answer: t.ProjectsUser = self._call("GET", "/v2/projects_users/{id}", {"id": id})
        return answer

    def update_projects_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.ProjectsUserUpdate,
    ) -> None:
        """Change one projects user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/projects_users/{id}", {"id": id}, body=body)

    def delete_projects_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one projects user. Needs the role Advanced Staff, or the scope projects and a token of the record's own user."""
        self._call("DELETE", "/v2/projects_users/{id}", {"id": id})

    def retry_projects_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.RetryProjectsUserBody | None = None,
    ) -> None:
        """Retry one projects user. Begins another try: a new team that the user leads. Needs the role Advanced Tutor, or the role Advanced Staff, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/projects_users/{id}/retry", {"id": id}, body=body)

    def compile_projects_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Compile one projects user. Works out anew what it says, from the latest team and its evaluations. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/projects_users/{id}/compile", {"id": id})

    def scale_projects_user(
        self,
        *,
        body: t.ScaleProjectsUserBody,
    ) -> t.ScaleProjectsUserAnswer:
        """Scale one projects user. Gives the latest try its mark. Needs the role Advanced Staff."""
        answer: t.ScaleProjectsUserAnswer = self._call("PATCH", "/v2/projects_users/scale", body=body)
        return answer

    def reset_projects_user(
        self,
        *,
        body: t.ResetProjectsUserBody,
    ) -> list[Literal["Success"]]:
        """Reset one projects user. Lets the user begin as if they had never tried. Needs the role Advanced Staff."""
        answer: list[Literal["Success"]] = self._call("DELETE", "/v2/projects_users/reset", body=body)
        return answer

    def list_projects_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListProjectsUsersQuery | None = None,
    ) -> Listing[t.ProjectsUser]:
        """List projects users of one user. Needs any token."""
        answer: Listing[t.ProjectsUser] = self._list("/v2/users/{user_id}/projects_users", {"user_id": user_id}, query=query)
        return answer

    def graph_projects_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/projects_users/graph", {"user_id": user_id}, query=query)
        return answer

    def graph_projects_users_of_user_on_field(
        self,
        user_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/projects_users/graph/on/{field}", {"user_id": user_id, "field": field}, query=query)
        return answer

    def graph_projects_users_of_user_on_field_by_interval(
        self,
        user_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/projects_users/graph/on/{field}/by/{interval}", {"user_id": user_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_projects_users_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListProjectsUsersQuery | None = None,
    ) -> Listing[t.ProjectsUser]:
        """List projects users of one project. Needs any token."""
        answer: Listing[t.ProjectsUser] = self._list("/v2/projects/{project_id}/projects_users", {"project_id": project_id}, query=query)
        return answer

    def graph_projects_users_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/projects_users/graph", {"project_id": project_id}, query=query)
        return answer

    def graph_projects_users_of_project_on_field(
        self,
        project_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/projects_users/graph/on/{field}", {"project_id": project_id, "field": field}, query=query)
        return answer

    def graph_projects_users_of_project_on_field_by_interval(
        self,
        project_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphProjectsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count projects users of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/projects_users/graph/on/{field}/by/{interval}", {"project_id": project_id, "field": field, "interval": interval}, query=query)
        return answer

    def register_projects_user_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        body: t.ProjectsUserCreateBelowProject,
    ) -> t.ProjectsUser:
        """Register one projects user of one project. Needs the role Advanced Staff, or the scope projects and a token of the record's own user."""
        answer: t.ProjectsUser = self._call("POST", "/v2/projects/{project_id}/register", {"project_id": project_id}, body=body)
        return answer

    def list_languages_users(
        self,
        *,
        query: t.ListLanguagesUsersQuery | None = None,
    ) -> Listing[t.LanguagesUser]:
        """List languages users. Needs any token."""
        answer: Listing[t.LanguagesUser] = self._list("/v2/languages_users", query=query)
        return answer

    def create_languages_user(
        self,
        *,
        body: t.LanguagesUserCreate,
    ) -> t.LanguagesUser:
        """Create one languages user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.LanguagesUser = self._call("POST", "/v2/languages_users", body=body)
        return answer

    def graph_languages_users(
        self,
        *,
        query: t.GraphLanguagesUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count languages users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/languages_users/graph", query=query)
        return answer

    def graph_languages_users_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphLanguagesUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count languages users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/languages_users/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_languages_users_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphLanguagesUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count languages users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/languages_users/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_languages_user(
        self,
        id: t.Id,
        /,
    ) -> t.LanguagesUser:
        """Get one languages user. Needs any token."""
        answer: t.LanguagesUser = self._call("GET", "/v2/languages_users/{id}", {"id": id})
        return answer

    def update_languages_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.LanguagesUserUpdate,
    ) -> None:
        """Change one languages user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/languages_users/{id}", {"id": id}, body=body)

    def delete_languages_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one languages user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("DELETE", "/v2/languages_users/{id}", {"id": id})

    def list_languages_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListLanguagesUsersQuery | None = None,
    ) -> Listing[t.LanguagesUser]:
        """List languages users of one user. Needs any token."""
        answer: Listing[t.LanguagesUser] = self._list("/v2/users/{user_id}/languages_users", {"user_id": user_id}, query=query)
        return answer

    def create_languages_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.LanguagesUserCreateBelowUser,
    ) -> t.LanguagesUser:
        """Create one languages user of one user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.LanguagesUser = self._call("POST", "/v2/users/{user_id}/languages_users", {"user_id": user_id}, body=body)
        return answer

    def list_expertises_users(
        self,
        *,
        query: t.ListExpertisesUsersQuery | None = None,
    ) -> Listing[t.ExpertisesUser]:
        """List expertises users. Needs any token."""
        answer: Listing[t.ExpertisesUser] = self._list("/v2/expertises_users", query=query)
        return answer

    def create_expertises_user(
        self,
        *,
        body: t.ExpertisesUserCreate,
    ) -> t.ExpertisesUser:
        """Create one expertises user. Needs the role Advanced Tutor, or the scope profile and a token of the record's own user."""
        answer: t.ExpertisesUser = self._call("POST", "/v2/expertises_users", body=body)
        return answer

    def get_expertises_user(
        self,
        id: t.Id,
        /,
    ) -> t.ExpertisesUser:
        """Get one expertises user. Needs any token."""
        answer: t.ExpertisesUser = self._call("GET", "/v2/expertises_users/{id}", {"id": id})
        return answer

    def update_expertises_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.ExpertisesUserUpdate,
    ) -> None:
        """Change one expertises user. Needs the role Advanced Tutor, or the scope profile and a token of the record's own user."""
        self._call("PATCH", "/v2/expertises_users/{id}", {"id": id}, body=body)

    def delete_expertises_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one expertises user. Needs the role Advanced Tutor, or the scope profile and a token of the record's own user."""
        self._call("DELETE", "/v2/expertises_users/{id}", {"id": id})

    def list_expertises_users_of_expertise(
        self,
        expertise_id: t.Id,
        /,
        *,
        query: t.ListExpertisesUsersQuery | None = None,
    ) -> Listing[t.ExpertisesUser]:
        """List expertises users of one expertise. Needs any token."""
        answer: Listing[t.ExpertisesUser] = self._list("/v2/expertises/{expertise_id}/expertises_users", {"expertise_id": expertise_id}, query=query)
        return answer

    def create_expertises_user_of_expertise(
        self,
        expertise_id: t.Id,
        /,
        *,
        body: t.ExpertisesUserCreateBelowExpertise,
    ) -> t.ExpertisesUser:
        """Create one expertises user of one expertise. Needs the role Advanced Tutor, or the scope profile and a token of the record's own user."""
        answer: t.ExpertisesUser = self._call("POST", "/v2/expertises/{expertise_id}/expertises_users", {"expertise_id": expertise_id}, body=body)
        return answer

    def list_expertises_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListExpertisesUsersQuery | None = None,
    ) -> Listing[t.ExpertisesUser]:
        """List expertises users of one user. Needs any token."""
        answer: Listing[t.ExpertisesUser] = self._list("/v2/users/{user_id}/expertises_users", {"user_id": user_id}, query=query)
        return answer

    def create_expertises_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.ExpertisesUserCreateBelowUser,
    ) -> t.ExpertisesUser:
        """Create one expertises user of one user. Needs the role Advanced Tutor, or the scope profile and a token of the record's own user."""
        answer: t.ExpertisesUser = self._call("POST", "/v2/users/{user_id}/expertises_users", {"user_id": user_id}, body=body)
        return answer

    def list_achievements_users(
        self,
        *,
        query: t.ListAchievementsUsersQuery | None = None,
    ) -> Listing[t.AchievementsUser]:
        """List achievements users. Needs any token."""
        answer: Listing[t.AchievementsUser] = self._list("/v2/achievements_users", query=query)
        return answer

    def create_achievements_user(
        self,
        *,
        body: t.AchievementsUserCreate,
    ) -> t.AchievementsUser:
        """Create one achievements user. Needs the role Achievements Manager, or the role Advanced Staff."""
        answer: t.AchievementsUser = self._call("POST", "/v2/achievements_users", body=body)
        return answer

    def get_achievements_user(
        self,
        id: t.Id,
        /,
    ) -> t.AchievementsUser:
        """Get one achievements user. Needs any token."""
        answer: t.AchievementsUser = self._call("GET", "/v2/achievements_users/{id}", {"id": id})
        return answer

    def update_achievements_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.AchievementsUserUpdate,
    ) -> None:
        """Change one achievements user. Needs the role Achievements Manager, or the role Advanced Staff."""
        self._call("PATCH", "/v2/achievements_users/{id}", {"id": id}, body=body)

    def delete_achievements_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one achievements user. Needs the role Achievements Manager, or the role Advanced Staff."""
        self._call("DELETE", "/v2/achievements_users/{id}", {"id": id})

    def list_achievements_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListAchievementsUsersQuery | None = None,
    ) -> Listing[t.AchievementsUser]:
        """List achievements users of one user. Needs any token."""
        answer: Listing[t.AchievementsUser] = self._list("/v2/users/{user_id}/achievements_users", {"user_id": user_id}, query=query)
        return answer

    def create_achievements_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.AchievementsUserCreateBelowUser,
    ) -> t.AchievementsUser:
        """Create one achievements user of one user. Needs the role Achievements Manager, or the role Advanced Staff."""
        answer: t.AchievementsUser = self._call("POST", "/v2/users/{user_id}/achievements_users", {"user_id": user_id}, body=body)
        return answer

    def list_achievements_users_of_achievement(
        self,
        achievement_id: t.Id,
        /,
        *,
        query: t.ListAchievementsUsersQuery | None = None,
    ) -> Listing[t.AchievementsUser]:
        """List achievements users of one achievement. Needs any token."""
        answer: Listing[t.AchievementsUser] = self._list("/v2/achievements/{achievement_id}/achievements_users", {"achievement_id": achievement_id}, query=query)
        return answer

    def create_achievements_user_of_achievement(
        self,
        achievement_id: t.Id,
        /,
        *,
        body: t.AchievementsUserCreateBelowAchievement,
    ) -> t.AchievementsUser:
        """Create one achievements user of one achievement. Needs the role Achievements Manager, or the role Advanced Staff."""
        answer: t.AchievementsUser = self._call("POST", "/v2/achievements/{achievement_id}/achievements_users", {"achievement_id": achievement_id}, body=body)
        return answer

    def list_titles_users(
        self,
        *,
        query: t.ListTitlesUsersQuery | None = None,
    ) -> Listing[t.TitlesUser]:
        """List titles users. Needs any token."""
        answer: Listing[t.TitlesUser] = self._list("/v2/titles_users", query=query)
        return answer

    def create_titles_user(
        self,
        *,
        body: t.TitlesUserCreate,
    ) -> t.TitlesUser:
        """Create one titles user. Needs the role Advanced Staff."""
        answer: t.TitlesUser = self._call("POST", "/v2/titles_users", body=body)
        return answer

    def get_titles_user(
        self,
        id: t.Id,
        /,
    ) -> t.TitlesUser:
        """Get one titles user. Needs any token."""
        answer: t.TitlesUser = self._call("GET", "/v2/titles_users/{id}", {"id": id})
        return answer

    def update_titles_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.TitlesUserUpdate,
    ) -> None:
        """Change one titles user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/titles_users/{id}", {"id": id}, body=body)

    def delete_titles_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one titles user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/titles_users/{id}", {"id": id})

    def list_titles_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTitlesUsersQuery | None = None,
    ) -> Listing[t.TitlesUser]:
        """List titles users of one user. Needs any token."""
        answer: Listing[t.TitlesUser] = self._list("/v2/users/{user_id}/titles_users", {"user_id": user_id}, query=query)
        return answer

    def create_titles_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.TitlesUserCreateBelowUser,
    ) -> t.TitlesUser:
        """Create one titles user of one user. Needs the role Advanced Staff."""
        answer: t.TitlesUser = self._call("POST", "/v2/users/{user_id}/titles_users", {"user_id": user_id}, body=body)
        return answer

    def list_titles_users_of_title(
        self,
        title_id: t.Id,
        /,
        *,
        query: t.ListTitlesUsersQuery | None = None,
    ) -> Listing[t.TitlesUser]:
        """List titles users of one title. Needs any token."""
        answer: Listing[t.TitlesUser] = self._list("/v2/titles/{title_id}/titles_users", {"title_id": title_id}, query=query)
        return answer

    def create_titles_user_of_title(
        self,
        title_id: t.Id,
        /,
        *,
        body: t.TitlesUserCreateBelowTitle,
    ) -> t.TitlesUser:
        """Create one titles user of one title. Needs the role Advanced Staff."""
        answer: t.TitlesUser = self._call("POST", "/v2/titles/{title_id}/titles_users", {"title_id": title_id}, body=body)
        return answer

    def list_groups_users(
        self,
        *,
        query: t.ListGroupsUsersQuery | None = None,
    ) -> Listing[t.GroupsUser]:
        """List groups users. Needs any token."""
        answer: Listing[t.GroupsUser] = self._list("/v2/groups_users", query=query)
        return answer

    def create_groups_user(
        self,
        *,
        body: t.GroupsUserCreate,
    ) -> t.GroupsUser:
        """Create one groups user. Needs the role Advanced Staff."""
        answer: t.GroupsUser = self._call("POST", "/v2/groups_users", body=body)
        return answer

    def get_groups_user(
        self,
        id: t.Id,
        /,
    ) -> t.GroupsUser:
        """Get one groups user. Needs any token."""
        answer: t.GroupsUser = self._call("GET", "/v2/groups_users/{id}", {"id": id})
        return answer

    def update_groups_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.GroupsUserUpdate,
    ) -> None:
        """Change one groups user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/groups_users/{id}", {"id": id}, body=body)

    def delete_groups_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one groups user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/groups_users/{id}", {"id": id})

    def list_groups_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListGroupsUsersQuery | None = None,
    ) -> Listing[t.GroupsUser]:
        """List groups users of one user. Needs any token."""
        answer: Listing[t.GroupsUser] = self._list("/v2/users/{user_id}/groups_users", {"user_id": user_id}, query=query)
        return answer

    def create_groups_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.GroupsUserCreateBelowUser,
    ) -> t.GroupsUser:
        """Create one groups user of one user. Needs the role Advanced Staff."""
        answer: t.GroupsUser = self._call("POST", "/v2/users/{user_id}/groups_users", {"user_id": user_id}, body=body)
        return answer

    def list_groups_users_of_group(
        self,
        group_id: t.Id,
        /,
        *,
        query: t.ListGroupsUsersQuery | None = None,
    ) -> Listing[t.GroupsUser]:
        """List groups users of one group. Needs any token."""
        answer: Listing[t.GroupsUser] = self._list("/v2/groups/{group_id}/groups_users", {"group_id": group_id}, query=query)
        return answer

    def create_groups_user_of_group(
        self,
        group_id: t.Id,
        /,
        *,
        body: t.GroupsUserCreateBelowGroup,
    ) -> t.GroupsUser:
        """Create one groups user of one group. Needs the role Advanced Staff."""
        answer: t.GroupsUser = self._call("POST", "/v2/groups/{group_id}/groups_users", {"group_id": group_id}, body=body)
        return answer

    def list_roles_users(
        self,
        *,
        query: t.ListRolesUsersQuery | None = None,
    ) -> Listing[t.RolesUser]:
        """List roles users. Needs any token."""
        answer: Listing[t.RolesUser] = self._list("/v2/roles_users", query=query)
        return answer

    def create_roles_user(
        self,
        *,
        body: t.RolesUserCreate,
    ) -> t.RolesUser:
        """Create one roles user. Needs the role Advanced Staff."""
        answer: t.RolesUser = self._call("POST", "/v2/roles_users", body=body)
        return answer

    def get_roles_user(
        self,
        id: t.Id,
        /,
    ) -> t.RolesUser:
        """Get one roles user. Needs any token."""
        answer: t.RolesUser = self._call("GET", "/v2/roles_users/{id}", {"id": id})
        return answer

    def update_roles_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.RolesUserUpdate,
    ) -> None:
        """Change one roles user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/roles_users/{id}", {"id": id}, body=body)

    def delete_roles_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one roles user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/roles_users/{id}", {"id": id})

    def list_roles_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListRolesUsersQuery | None = None,
    ) -> Listing[t.RolesUser]:
        """List roles users of one user. Needs any token."""
        answer: Listing[t.RolesUser] = self._list("/v2/users/{user_id}/roles_users", {"user_id": user_id}, query=query)
        return answer

    def create_roles_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.RolesUserCreateBelowUser,
    ) -> t.RolesUser:
        """Create one roles user of one user. Needs the role Advanced Staff."""
        answer: t.RolesUser = self._call("POST", "/v2/users/{user_id}/roles_users", {"user_id": user_id}, body=body)
        return answer

    def list_roles_users_of_role(
        self,
        role_id: t.Id,
        /,
        *,
        query: t.ListRolesUsersQuery | None = None,
    ) -> Listing[t.RolesUser]:
        """List roles users of one role. Needs any token."""
        answer: Listing[t.RolesUser] = self._list("/v2/roles/{role_id}/roles_users", {"role_id": role_id}, query=query)
        return answer

    def create_roles_user_of_role(
        self,
        role_id: t.Id,
        /,
        *,
        body: t.RolesUserCreateBelowRole,
    ) -> t.RolesUser:
        """Create one roles user of one role. Needs the role Advanced Staff."""
        answer: t.RolesUser = self._call("POST", "/v2/roles/{role_id}/roles_users", {"role_id": role_id}, body=body)
        return answer

    def list_partnerships_users(
        self,
        *,
        query: t.ListPartnershipsUsersQuery | None = None,
    ) -> Listing[t.PartnershipsUser]:
        """List partnerships users. Needs any token."""
        answer: Listing[t.PartnershipsUser] = self._list("/v2/partnerships_users", query=query)
        return answer

    def create_partnerships_user(
        self,
        *,
        body: t.PartnershipsUserCreate,
    ) -> t.PartnershipsUser:
        """Create one partnerships user. Needs the scope projects and the role Advanced Tutor."""
        answer: t.PartnershipsUser = self._call("POST", "/v2/partnerships_users", body=body)
        return answer

    def get_partnerships_user(
        self,
        id: t.Id,
        /,
    ) -> t.PartnershipsUser:
        """Get one partnerships user. Needs any token."""
        answer: t.PartnershipsUser = self._call("GET", "/v2/partnerships_users/{id}", {"id": id})
        return answer

    def update_partnerships_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.PartnershipsUserUpdate,
    ) -> None:
        """Change one partnerships user. Needs the scope projects and the role Advanced Tutor."""
        self._call("PATCH", "/v2/partnerships_users/{id}", {"id": id}, body=body)

    def delete_partnerships_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one partnerships user. Needs the scope projects and the role Advanced Tutor."""
        self._call("DELETE", "/v2/partnerships_users/{id}", {"id": id})

    def list_partnerships_users_of_partnership(
        self,
        partnership_id: t.Id,
        /,
        *,
        query: t.ListPartnershipsUsersQuery | None = None,
    ) -> Listing[t.PartnershipsUser]:
        """List partnerships users of one partnership. Needs any token."""
        answer: Listing[t.PartnershipsUser] = self._list("/v2/partnerships/{partnership_id}/partnerships_users", {"partnership_id": partnership_id}, query=query)
        return answer

    def create_partnerships_user_of_partnership(
        self,
        partnership_id: t.Id,
        /,
        *,
        body: t.PartnershipsUserCreateBelowPartnership,
    ) -> t.PartnershipsUser:
        """Create one partnerships user of one partnership. Needs the scope projects and the role Advanced Tutor."""
        answer: t.PartnershipsUser = self._call("POST", "/v2/partnerships/{partnership_id}/partnerships_users", {"partnership_id": partnership_id}, body=body)
        return answer

    def list_partnerships_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListPartnershipsUsersQuery | None = None,
    ) -> Listing[t.PartnershipsUser]:
        """List partnerships users of one user. Needs any token."""
        answer: Listing[t.PartnershipsUser] = self._list("/v2/users/{user_id}/partnerships_users", {"user_id": user_id}, query=query)
        return answer

    def list_patronages(
        self,
        *,
        query: t.ListPatronagesQuery | None = None,
    ) -> Listing[t.Patronage]:
        """List patronages. Needs the role Basic Tutor."""
        answer: Listing[t.Patronage] = self._list("/v2/patronages", query=query)
        return answer

    def create_patronage(
        self,
        *,
        body: t.PatronageCreate,
    ) -> t.Patronage:
        """Create one patronage. Needs the role Advanced Tutor."""
        answer: t.Patronage = self._call("POST", "/v2/patronages", body=body)
        return answer

    def get_patronage(
        self,
        id: t.Id,
        /,
    ) -> t.Patronage:
        """Get one patronage. Needs the role Basic Tutor."""
        answer: t.Patronage = self._call("GET", "/v2/patronages/{id}", {"id": id})
        return answer

    def update_patronage(
        self,
        id: t.Id,
        /,
        *,
        body: t.PatronageUpdate,
    ) -> None:
        """Change one patronage. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/patronages/{id}", {"id": id}, body=body)

    def delete_patronage(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one patronage. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/patronages/{id}", {"id": id})

    def list_patronages_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListPatronagesQuery | None = None,
    ) -> Listing[t.Patronage]:
        """List patronages of one user. Needs the role Basic Tutor."""
        answer: Listing[t.Patronage] = self._list("/v2/users/{user_id}/patronages", {"user_id": user_id}, query=query)
        return answer

    def create_patronage_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.PatronageCreateBelowUser,
    ) -> t.Patronage:
        """Create one patronage of one user. Needs the role Advanced Tutor."""
        answer: t.Patronage = self._call("POST", "/v2/users/{user_id}/patronages", {"user_id": user_id}, body=body)
        return answer

    def list_locations(
        self,
        *,
        query: t.ListLocationsQuery | None = None,
    ) -> Listing[t.Location]:
        """List locations. Needs any token."""
        answer: Listing[t.Location] = self._list("/v2/locations", query=query)
        return answer

    def create_location(
        self,
        *,
        body: t.LocationCreate,
    ) -> t.Location:
        """Create one location. Needs the role Basic Staff."""
        answer: t.Location = self._call("POST", "/v2/locations", body=body)
        return answer

    def graph_locations(
        self,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/locations/graph", query=query)
        return answer

    def graph_locations_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/locations/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_locations_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/locations/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_location(
        self,
        id: t.Id,
        /,
    ) -> t.Location:
        """Get one location. Needs any token."""
        answer: t.Location = self._call("GET", "/v2/locations/{id}", {"id": id})
        return answer

    def update_location(
        self,
        id: t.Id,
        /,
        *,
        body: t.LocationUpdate,
    ) -> None:
        """Change one location. Needs the role Basic Staff."""
        self._call("PATCH", "/v2/locations/{id}", {"id": id}, body=body)

    def delete_location(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one location. Needs the role Basic Staff."""
        self._call("DELETE", "/v2/locations/{id}", {"id": id})

    def list_locations_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListLocationsQuery | None = None,
    ) -> Listing[t.Location]:
        """List locations of one user. Needs any token."""
        answer: Listing[t.Location] = self._list("/v2/users/{user_id}/locations", {"user_id": user_id}, query=query)
        return answer

    def create_location_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.LocationCreateBelowUser,
    ) -> t.Location:
        """Create one location of one user. Needs the role Basic Staff."""
        answer: t.Location = self._call("POST", "/v2/users/{user_id}/locations", {"user_id": user_id}, body=body)
        return answer

    def graph_locations_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/locations/graph", {"user_id": user_id}, query=query)
        return answer

    def graph_locations_of_user_on_field(
        self,
        user_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/locations/graph/on/{field}", {"user_id": user_id, "field": field}, query=query)
        return answer

    def graph_locations_of_user_on_field_by_interval(
        self,
        user_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/locations/graph/on/{field}/by/{interval}", {"user_id": user_id, "field": field, "interval": interval}, query=query)
        return answer

    def update_location_of_user(
        self,
        user_id: t.Id,
        id: t.Id,
        /,
        *,
        body: t.LocationUpdate,
    ) -> None:
        """Change one location of one user. Needs the role Basic Staff."""
        self._call("PATCH", "/v2/users/{user_id}/locations/{id}", {"user_id": user_id, "id": id}, body=body)

    def list_locations_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListLocationsQuery | None = None,
    ) -> Listing[t.Location]:
        """List locations of one campus. Needs any token."""
        answer: Listing[t.Location] = self._list("/v2/campus/{campus_id}/locations", {"campus_id": campus_id}, query=query)
        return answer

    def graph_locations_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/locations/graph", {"campus_id": campus_id}, query=query)
        return answer

    def graph_locations_of_campus_on_field(
        self,
        campus_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/locations/graph/on/{field}", {"campus_id": campus_id, "field": field}, query=query)
        return answer

    def graph_locations_of_campus_on_field_by_interval(
        self,
        campus_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphLocationsQuery | None = None,
    ) -> dict[str, int]:
        """Count locations of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/locations/graph/on/{field}/by/{interval}", {"campus_id": campus_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_clusters(
        self,
        *,
        query: t.ListClustersQuery | None = None,
    ) -> Listing[t.Cluster]:
        """List clusters. Needs the role Basic Staff."""
        answer: Listing[t.Cluster] = self._list("/v2/clusters", query=query)
        return answer

    def create_cluster(
        self,
        *,
        body: t.ClusterCreate,
    ) -> t.Cluster:
        """Create one cluster. Needs the role Advanced Staff."""
        answer: t.Cluster = self._call("POST", "/v2/clusters", body=body)
        return answer

    def get_cluster(
        self,
        id: t.Id,
        /,
    ) -> t.Cluster:
        """Get one cluster. Needs the role Basic Staff."""
        answer: t.Cluster = self._call("GET", "/v2/clusters/{id}", {"id": id})
        return answer

    def update_cluster(
        self,
        id: t.Id,
        /,
        *,
        body: t.ClusterUpdate,
    ) -> None:
        """Change one cluster. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/clusters/{id}", {"id": id}, body=body)

    def delete_cluster(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one cluster. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/clusters/{id}", {"id": id})

    def list_levels(
        self,
        *,
        query: t.ListLevelsQuery | None = None,
    ) -> Listing[t.Level]:
        """List levels. Needs the role Basic Staff."""
        answer: Listing[t.Level] = self._list("/v2/levels", query=query)
        return answer

    def create_level(
        self,
        *,
        body: t.LevelCreate,
    ) -> t.Level:
        """Create one level. Needs the role Advanced Staff."""
        answer: t.Level = self._call("POST", "/v2/levels", body=body)
        return answer

    def get_level(
        self,
        id: t.Id,
        /,
    ) -> t.Level:
        """Get one level. Needs the role Basic Staff."""
        answer: t.Level = self._call("GET", "/v2/levels/{id}", {"id": id})
        return answer

    def update_level(
        self,
        id: t.Id,
        /,
        *,
        body: t.LevelUpdate,
    ) -> None:
        """Change one level. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/levels/{id}", {"id": id}, body=body)

    def delete_level(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one level. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/levels/{id}", {"id": id})

    def list_levels_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListLevelsQuery | None = None,
    ) -> Listing[t.Level]:
        """List levels of one cursus. Needs the role Basic Staff."""
        answer: Listing[t.Level] = self._list("/v2/cursus/{cursus_id}/levels", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_experiences(
        self,
        *,
        query: t.ListExperiencesQuery | None = None,
    ) -> Listing[t.Experience]:
        """List experiences. Needs the role Basic Staff."""
        answer: Listing[t.Experience] = self._list("/v2/experiences", query=query)
        return answer

    def create_experience(
        self,
        *,
        body: t.ExperienceCreate,
    ) -> t.Experience:
        """Create one experience. Needs the role Advanced Tutor."""
        answer: t.Experience = self._call("POST", "/v2/experiences", body=body)
        return answer

    def get_experience(
        self,
        id: t.Id,
        /,
    ) -> t.Experience:
        """Get one experience. Needs the role Basic Staff."""
        answer: t.Experience = self._call("GET", "/v2/experiences/{id}", {"id": id})
        return answer

    def update_experience(
        self,
        id: t.Id,
        /,
        *,
        body: t.ExperienceUpdate,
    ) -> None:
        """Change one experience. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/experiences/{id}", {"id": id}, body=body)

    def delete_experience(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one experience. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/experiences/{id}", {"id": id})

    def list_experiences_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListExperiencesQuery | None = None,
    ) -> Listing[t.Experience]:
        """List experiences of one campus. Needs the role Basic Staff."""
        answer: Listing[t.Experience] = self._list("/v2/campus/{campus_id}/experiences", {"campus_id": campus_id}, query=query)
        return answer

    def list_experiences_of_projects_user(
        self,
        projects_user_id: t.Id,
        /,
        *,
        query: t.ListExperiencesQuery | None = None,
    ) -> Listing[t.Experience]:
        """List experiences of one projects user. Needs the role Basic Staff."""
        answer: Listing[t.Experience] = self._list("/v2/projects_users/{projects_user_id}/experiences", {"projects_user_id": projects_user_id}, query=query)
        return answer

    def list_experiences_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListExperiencesQuery | None = None,
    ) -> Listing[t.Experience]:
        """List experiences of one user. Needs the role Basic Staff."""
        answer: Listing[t.Experience] = self._list("/v2/users/{user_id}/experiences", {"user_id": user_id}, query=query)
        return answer

    def list_experiences_of_skill(
        self,
        skill_id: t.Id,
        /,
        *,
        query: t.ListExperiencesQuery | None = None,
    ) -> Listing[t.Experience]:
        """List experiences of one skill. Needs the role Basic Staff."""
        answer: Listing[t.Experience] = self._list("/v2/skills/{skill_id}/experiences", {"skill_id": skill_id}, query=query)
        return answer

    def list_experiences_of_partnerships_user(
        self,
        partnerships_user_id: t.Id,
        /,
        *,
        query: t.ListExperiencesQuery | None = None,
    ) -> Listing[t.Experience]:
        """List experiences of one partnerships user. Needs the role Basic Staff."""
        answer: Listing[t.Experience] = self._list("/v2/partnerships_users/{partnerships_user_id}/experiences", {"partnerships_user_id": partnerships_user_id}, query=query)
        return answer

    def list_journals(
        self,
        *,
        query: t.ListJournalsQuery | None = None,
    ) -> Listing[t.Journal]:
        """List journals. Needs the role Advanced Staff."""
        answer: Listing[t.Journal] = self._list("/v2/journals", query=query)
        return answer

    def get_journal(
        self,
        id: t.Id,
        /,
    ) -> t.Journal:
        """Get one journal. Needs the role Advanced Staff."""
        answer: t.Journal = self._call("GET", "/v2/journals/{id}", {"id": id})
        return answer

    def list_journals_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListJournalsOfCampusQuery,
    ) -> Listing[t.Journal]:
        """List journals of one campus. Needs the role Advanced Staff."""
        answer: Listing[t.Journal] = self._list("/v2/campus/{campus_id}/journals", {"campus_id": campus_id}, query=query)
        return answer

    def list_closes(
        self,
        *,
        query: t.ListClosesQuery | None = None,
    ) -> Listing[t.Close]:
        """List closes. Needs the scope tig and the role Basic Staff."""
        answer: Listing[t.Close] = self._list("/v2/closes", query=query)
        return answer

    def create_close(
        self,
        *,
        body: t.CloseCreate,
    ) -> t.Close:
        """Create one close. Needs the scope tig and the role Basic Staff."""
        answer: t.Close = self._call("POST", "/v2/closes", body=body)
        return answer

    def get_close(
        self,
        id: t.Id,
        /,
    ) -> t.Close:
        """Get one close. Needs the scope tig and the role Basic Staff."""
        answer: t.Close = self._call("GET", "/v2/closes/{id}", {"id": id})
        return answer

    def update_close(
        self,
        id: t.Id,
        /,
        *,
        body: t.CloseUpdate,
    ) -> None:
        """Change one close. Needs the scope tig and the role Basic Staff."""
        self._call("PATCH", "/v2/closes/{id}", {"id": id}, body=body)

    def delete_close(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one close. Needs the scope tig and the role Advanced Staff."""
        self._call("DELETE", "/v2/closes/{id}", {"id": id})

    def close_close(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Close one close. Puts a lifted close in force again, which shuts the user out. Needs the scope tig and the role Basic Staff."""
        self._call("PATCH", "/v2/closes/{id}/close", {"id": id})

    def unclose_close(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Unclose one close. Lifts the close; the user may sign on again once no other one stands. Needs the scope tig and the role Basic Staff."""
        self._call("PATCH", "/v2/closes/{id}/unclose", {"id": id})

    def list_closes_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListClosesQuery | None = None,
    ) -> Listing[t.Close]:
        """List closes of one user. Needs the scope tig and the role Basic Staff."""
        answer: Listing[t.Close] = self._list("/v2/users/{user_id}/closes", {"user_id": user_id}, query=query)
        return answer

    def create_close_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.CloseCreateBelowUser,
    ) -> t.Close:
        """Create one close of one user. Needs the scope tig and the role Basic Staff."""
        answer: t.Close = self._call("POST", "/v2/users/{user_id}/closes", {"user_id": user_id}, body=body)
        return answer

    def list_community_services(
        self,
        *,
        query: t.ListCommunityServicesQuery | None = None,
    ) -> Listing[t.CommunityService]:
        """List community services. Needs the scope tig."""
        answer: Listing[t.CommunityService] = self._list("/v2/community_services", query=query)
        return answer

    def create_community_service(
        self,
        *,
        body: t.CommunityServiceCreate,
    ) -> t.CommunityService:
        """Create one community service. Needs the scope tig and the role Basic Staff."""
        answer: t.CommunityService = self._call("POST", "/v2/community_services", body=body)
        return answer

    def graph_community_services(
        self,
        *,
        query: t.GraphCommunityServicesQuery | None = None,
    ) -> dict[str, int]:
        """Count community services over time. Needs the scope tig."""
        answer: dict[str, int] = self._call("GET", "/v2/community_services/graph", query=query)
        return answer

    def graph_community_services_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphCommunityServicesQuery | None = None,
    ) -> dict[str, int]:
        """Count community services over time. Needs the scope tig."""
        answer: dict[str, int] = self._call("GET", "/v2/community_services/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_community_services_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphCommunityServicesQuery | None = None,
    ) -> dict[str, int]:
        """Count community services over time. Needs the scope tig."""
        answer: dict[str, int] = self._call("GET", "/v2/community_services/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_community_service(
        self,
        id: t.Id,
        /,
    ) -> t.CommunityService:
        """Get one community service. Needs the scope tig."""
        answer: t.CommunityService = self._call("GET", "/v2/community_services/{id}", {"id": id})
        return answer

    def update_community_service(
        self,
        id: t.Id,
        /,
        *,
        body: t.CommunityServiceUpdate,
    ) -> None:
        """Change one community service. Needs the scope tig and the role Basic Staff."""
        self._call("PATCH", "/v2/community_services/{id}", {"id": id}, body=body)

    def delete_community_service(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one community service. Needs the scope tig and the role Basic Staff."""
        self._call("DELETE", "/v2/community_services/{id}", {"id": id})

    def validate_community_service(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Validate one community service. Notes that the work was done. Needs the scope tig and the role Basic Staff."""
        self._call("PATCH", "/v2/community_services/{id}/validate", {"id": id})

    def invalidate_community_service(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Invalidate one community service. Notes that the work was not done. Needs the scope tig and the role Basic Staff."""
        self._call("PATCH", "/v2/community_services/{id}/invalidate", {"id": id})

    def list_community_services_of_close(
        self,
        close_id: t.Id,
        /,
        *,
        query: t.ListCommunityServicesQuery | None = None,
    ) -> Listing[t.CommunityService]:
        """List community services of one close. Needs the scope tig."""
        answer: Listing[t.CommunityService] = self._list("/v2/closes/{close_id}/community_services", {"close_id": close_id}, query=query)
        return answer

    def list_anti_grav_units(
        self,
        *,
        query: t.ListTitlesQuery | None = None,
    ) -> Listing[t.AntiGravUnit]:
        """List anti grav units. Needs the role Advanced Staff."""
        answer: Listing[t.AntiGravUnit] = self._list("/v2/anti_grav_units", query=query)
        return answer

    def create_anti_grav_unit(
        self,
        *,
        body: t.AntiGravUnitCreate,
    ) -> t.AntiGravUnit:
        """Create one anti grav unit. Needs the role Advanced Staff."""
        answer: t.AntiGravUnit = self._call("POST", "/v2/anti_grav_units", body=body)
        return answer

    def get_anti_grav_unit(
        self,
        id: t.Id,
        /,
    ) -> t.AntiGravUnit:
        """Get one anti grav unit. Needs the role Advanced Staff."""
        answer: t.AntiGravUnit = self._call("GET", "/v2/anti_grav_units/{id}", {"id": id})
        return answer

    def update_anti_grav_unit(
        self,
        id: t.Id,
        /,
        *,
        body: t.AntiGravUnitUpdate,
    ) -> None:
        """Change one anti grav unit. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/anti_grav_units/{id}", {"id": id}, body=body)

    def delete_anti_grav_unit(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one anti grav unit. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/anti_grav_units/{id}", {"id": id})

    def list_anti_grav_units_users(
        self,
        *,
        query: t.ListAntiGravUnitsUsersQuery | None = None,
    ) -> Listing[t.AntiGravUnitsUser]:
        """List anti grav units users. Needs the role Advanced Staff."""
        answer: Listing[t.AntiGravUnitsUser] = self._list("/v2/anti_grav_units_users", query=query)
        return answer

    def create_anti_grav_units_user(
        self,
        *,
        body: t.AntiGravUnitsUserCreate,
    ) -> t.AntiGravUnitsUser:
        """Create one anti grav units user. Needs the role Advanced Staff."""
        answer: t.AntiGravUnitsUser = self._call("POST", "/v2/anti_grav_units_users", body=body)
        return answer

    def get_anti_grav_units_user(
        self,
        id: t.Id,
        /,
    ) -> t.AntiGravUnitsUser:
        """Get one anti grav units user. Needs the role Advanced Staff."""
        answer: t.AntiGravUnitsUser = self._call("GET", "/v2/anti_grav_units_users/{id}", {"id": id})
        return answer

    def update_anti_grav_units_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.AntiGravUnitsUserUpdate,
    ) -> None:
        """Change one anti grav units user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/anti_grav_units_users/{id}", {"id": id}, body=body)

    def delete_anti_grav_units_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one anti grav units user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/anti_grav_units_users/{id}", {"id": id})

    def list_anti_grav_units_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListAntiGravUnitsUsersQuery | None = None,
    ) -> Listing[t.AntiGravUnitsUser]:
        """List anti grav units users of one user. Needs the role Advanced Staff."""
        answer: Listing[t.AntiGravUnitsUser] = self._list("/v2/users/{user_id}/anti_grav_units_users", {"user_id": user_id}, query=query)
        return answer

    def list_anti_grav_units_users_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListAntiGravUnitsUsersQuery | None = None,
    ) -> Listing[t.AntiGravUnitsUser]:
        """List anti grav units users of one campus. Needs the role Advanced Staff."""
        answer: Listing[t.AntiGravUnitsUser] = self._list("/v2/campus/{campus_id}/anti_grav_units_users", {"campus_id": campus_id}, query=query)
        return answer

    def list_events(
        self,
        *,
        query: t.ListEventsQuery | None = None,
    ) -> Listing[t.Event]:
        """List events. Needs any token."""
        answer: Listing[t.Event] = self._list("/v2/events", query=query)
        return answer

    def create_event(
        self,
        *,
        body: t.EventCreate,
    ) -> t.Event:
        """Create one event. Needs the role Advanced Staff, or the role Events manager."""
        answer: t.Event = self._call("POST", "/v2/events", body=body)
        return answer

    def graph_events(
        self,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/events/graph", query=query)
        return answer

    def graph_events_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/events/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_events_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/events/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_event(
        self,
        id: t.Id,
        /,
    ) -> t.Event:
        """Get one event. Needs any token."""
        answer: t.Event = self._call("GET", "/v2/events/{id}", {"id": id})
        return answer

    def update_event(
        self,
        id: t.Id,
        /,
        *,
        body: t.EventUpdate,
    ) -> None:
        """Change one event. Needs the role Advanced Staff, or the role Events manager."""
        self._call("PATCH", "/v2/events/{id}", {"id": id}, body=body)

    def delete_event(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one event. Needs the role Advanced Staff, or the role Events manager."""
        self._call("DELETE", "/v2/events/{id}", {"id": id})

    def list_events_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListEventsQuery | None = None,
    ) -> Listing[t.Event]:
        """List events of one cursus. Needs any token."""
        answer: Listing[t.Event] = self._list("/v2/cursus/{cursus_id}/events", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_events_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListEventsQuery | None = None,
    ) -> Listing[t.Event]:
        """List events of one campus. Needs any token."""
        answer: Listing[t.Event] = self._list("/v2/campus/{campus_id}/events", {"campus_id": campus_id}, query=query)
        return answer

    def graph_events_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/events/graph", {"campus_id": campus_id}, query=query)
        return answer

    def graph_events_of_campus_on_field(
        self,
        campus_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/events/graph/on/{field}", {"campus_id": campus_id, "field": field}, query=query)
        return answer

    def graph_events_of_campus_on_field_by_interval(
        self,
        campus_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/events/graph/on/{field}/by/{interval}", {"campus_id": campus_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_events_of_campus_and_cursus(
        self,
        campus_id: t.Id,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListEventsQuery | None = None,
    ) -> Listing[t.Event]:
        """List events of one campus and one cursus. Needs any token."""
        answer: Listing[t.Event] = self._list("/v2/campus/{campus_id}/cursus/{cursus_id}/events", {"campus_id": campus_id, "cursus_id": cursus_id}, query=query)
        return answer

    def graph_events_of_campus_and_cursus(
        self,
        campus_id: t.Id,
        cursus_id: t.Id,
        /,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events of one campus and one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/cursus/{cursus_id}/events/graph", {"campus_id": campus_id, "cursus_id": cursus_id}, query=query)
        return answer

    def graph_events_of_campus_and_cursus_on_field(
        self,
        campus_id: t.Id,
        cursus_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events of one campus and one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/cursus/{cursus_id}/events/graph/on/{field}", {"campus_id": campus_id, "cursus_id": cursus_id, "field": field}, query=query)
        return answer

    def graph_events_of_campus_and_cursus_on_field_by_interval(
        self,
        campus_id: t.Id,
        cursus_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphEventsQuery | None = None,
    ) -> dict[str, int]:
        """Count events of one campus and one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/cursus/{cursus_id}/events/graph/on/{field}/by/{interval}", {"campus_id": campus_id, "cursus_id": cursus_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_events_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListEventsQuery | None = None,
    ) -> Listing[t.Event]:
        """List events of one user. Needs any token."""
        answer: Listing[t.Event] = self._list("/v2/users/{user_id}/events", {"user_id": user_id}, query=query)
        return answer

    def list_events_users(
        self,
        *,
        query: t.ListEventsUsersQuery | None = None,
    ) -> Listing[t.EventsUser]:
        """List events users. Needs any token."""
        answer: Listing[t.EventsUser] = self._list("/v2/events_users", query=query)
        return answer

    def create_events_user(
        self,
        *,
        body: t.EventsUserCreate,
    ) -> t.EventsUser:
        """Create one events user. Needs the role Advanced Staff, or the role Events manager, or the scope profile and a token of the record's own user."""
        answer: t.EventsUser = self._call("POST", "/v2/events_users", body=body)
        return answer

    def get_events_user(
        self,
        id: t.Id,
        /,
    ) -> t.EventsUser:
        """Get one events user. Needs any token."""
        answer: t.EventsUser = self._call("GET", "/v2/events_users/{id}", {"id": id})
        return answer

    def update_events_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.EventsUserUpdate,
    ) -> None:
        """Change one events user. Needs the role Advanced Staff, or the role Events manager, or the scope profile and a token of the record's own user."""
        self._call("PATCH", "/v2/events_users/{id}", {"id": id}, body=body)

    def delete_events_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one events user. Needs the role Advanced Staff, or the role Events manager, or the scope profile and a token of the record's own user."""
        self._call("DELETE", "/v2/events_users/{id}", {"id": id})

    def list_events_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListEventsUsersQuery | None = None,
    ) -> Listing[t.EventsUser]:
        """List events users of one user. Needs any token."""
        answer: Listing[t.EventsUser] = self._list("/v2/users/{user_id}/events_users", {"user_id": user_id}, query=query)
        return answer

    def list_events_users_of_event(
        self,
        event_id: t.Id,
        /,
        *,
        query: t.ListEventsUsersQuery | None = None,
    ) -> Listing[t.EventsUser]:
        """List events users of one event. Needs any token."""
        answer: Listing[t.EventsUser] = self._list("/v2/events/{event_id}/events_users", {"event_id": event_id}, query=query)
        return answer

    def list_themes(
        self,
        *,
        query: t.ListTitlesQuery | None = None,
    ) -> Listing[t.Theme]:
        """List themes. Needs any token."""
        answer: Listing[t.Theme] = self._list("/v2/themes", query=query)
        return answer

    def create_theme(
        self,
        *,
        body: t.ThemeCreate,
    ) -> t.Theme:
        """Create one theme. Needs the role Advanced Staff."""
        answer: t.Theme = self._call("POST", "/v2/themes", body=body)
        return answer

    def get_theme(
        self,
        id: t.Id,
        /,
    ) -> t.Theme:
        """Get one theme. Needs any token."""
        answer: t.Theme = self._call("GET", "/v2/themes/{id}", {"id": id})
        return answer

    def update_theme(
        self,
        id: t.Id,
        /,
        *,
        body: t.ThemeUpdate,
    ) -> None:
        """Change one theme. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/themes/{id}", {"id": id}, body=body)

    def delete_theme(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one theme. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/themes/{id}", {"id": id})

    def list_waitlists(
        self,
        *,
        query: t.ListWaitlistsQuery | None = None,
    ) -> Listing[t.WaitlistListed]:
        """List waitlists. Needs the role Advanced Staff, or the role Events manager."""
        answer: Listing[t.WaitlistListed] = self._list("/v2/waitlists", query=query)
        return answer

    def get_waitlist(
        self,
        id: t.Id,
        /,
    ) -> t.WaitlistListed:
        """Get one waitlist. Needs the role Advanced Staff, or the role Events manager."""
        answer: t.WaitlistListed = self._call("GET", "/v2/waitlists/{id}", {"id": id})
        return answer

    def delete_waitlist(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one waitlist. Needs the role Advanced Staff, or the role Events manager."""
        self._call("DELETE", "/v2/waitlists/{id}", {"id": id})

    def get_waitlist_of_event(
        self,
        event_id: t.Id,
        /,
    ) -> t.WaitlistListed:
        """Get one waitlist of one event. Needs the role Advanced Staff, or the role Events manager."""
        answer: t.WaitlistListed = self._call("GET", "/v2/events/{event_id}/waitlist", {"event_id": event_id})
        return answer

    def get_waitlist_of_exam(
        self,
        exam_id: t.Id,
        /,
    ) -> t.WaitlistListed:
        """Get one waitlist of one exam. Needs the role Advanced Staff, or the role Events manager."""
        answer: t.WaitlistListed = self._call("GET", "/v2/exams/{exam_id}/waitlist", {"exam_id": exam_id})
        return answer

    def list_exams(
        self,
        *,
        query: t.ListExamsQuery | None = None,
    ) -> Listing[t.Exam]:
        """List exams. Needs any token."""
        answer: Listing[t.Exam] = self._list("/v2/exams", query=query)
        return answer

    def create_exam(
        self,
        *,
        body: t.ExamCreate,
    ) -> t.Exam:
        """Create one exam. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.Exam = self._call("POST", "/v2/exams", body=body)
        return answer

    def graph_exams(
        self,
        *,
        query: t.GraphExamsQuery | None = None,
    ) -> dict[str, int]:
        """Count exams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/exams/graph", query=query)
        return answer

    def graph_exams_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphExamsQuery | None = None,
    ) -> dict[str, int]:
        """Count exams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/exams/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_exams_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphExamsQuery | None = None,
    ) -> dict[str, int]:
        """Count exams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/exams/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_exam(
        self,
        id: t.Id,
        /,
    ) -> t.Exam:
        """Get one exam. Needs any token."""
        answer: t.Exam = self._call("GET", "/v2/exams/{id}", {"id": id})
        return answer

    def update_exam(
        self,
        id: t.Id,
        /,
        *,
        body: t.ExamUpdate,
    ) -> None:
        """Change one exam. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/exams/{id}", {"id": id}, body=body)

    def delete_exam(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one exam. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("DELETE", "/v2/exams/{id}", {"id": id})

    def list_exams_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListExamsQuery | None = None,
    ) -> Listing[t.Exam]:
        """List exams of one campus. Needs any token."""
        answer: Listing[t.Exam] = self._list("/v2/campus/{campus_id}/exams", {"campus_id": campus_id}, query=query)
        return answer

    def graph_exams_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.GraphExamsQuery | None = None,
    ) -> dict[str, int]:
        """Count exams of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/exams/graph", {"campus_id": campus_id}, query=query)
        return answer

    def graph_exams_of_campus_on_field(
        self,
        campus_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphExamsQuery | None = None,
    ) -> dict[str, int]:
        """Count exams of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/exams/graph/on/{field}", {"campus_id": campus_id, "field": field}, query=query)
        return answer

    def graph_exams_of_campus_on_field_by_interval(
        self,
        campus_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphExamsQuery | None = None,
    ) -> dict[str, int]:
        """Count exams of one campus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/campus/{campus_id}/exams/graph/on/{field}/by/{interval}", {"campus_id": campus_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_exams_of_campus_and_cursus(
        self,
        campus_id: t.Id,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListExamsQuery | None = None,
    ) -> Listing[t.Exam]:
        """List exams of one campus and one cursus. Needs any token."""
        answer: Listing[t.Exam] = self._list("/v2/campus/{campus_id}/cursus/{cursus_id}/exams", {"campus_id": campus_id, "cursus_id": cursus_id}, query=query)
        return answer

    def list_exams_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListExamsQuery | None = None,
    ) -> Listing[t.Exam]:
        """List exams of one cursus. Needs any token."""
        answer: Listing[t.Exam] = self._list("/v2/cursus/{cursus_id}/exams", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_exams_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListExamsQuery | None = None,
    ) -> Listing[t.Exam]:
        """List exams of one project. Needs any token."""
        answer: Listing[t.Exam] = self._list("/v2/projects/{project_id}/exams", {"project_id": project_id}, query=query)
        return answer

    def list_exams_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListExamsQuery | None = None,
    ) -> Listing[t.Exam]:
        """List exams of one user. Needs any token."""
        answer: Listing[t.Exam] = self._list("/v2/users/{user_id}/exams", {"user_id": user_id}, query=query)
        return answer

    def list_exams_users(
        self,
        *,
        query: t.ListExamsUsersQuery | None = None,
    ) -> Listing[t.ExamsUser]:
        """List exams users. Needs the role Basic Staff, or the role Advanced Tutor."""
        answer: Listing[t.ExamsUser] = self._list("/v2/exams_users", query=query)
        return answer

    def create_exams_user(
        self,
        *,
        body: t.ExamsUserCreate,
    ) -> t.ExamsUser:
        """Create one exams user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.ExamsUser = self._call("POST", "/v2/exams_users", body=body)
        return answer

    def get_exams_user(
        self,
        id: t.Id,
        /,
    ) -> t.ExamsUser:
        """Get one exams user. Needs the role Basic Staff, or the role Advanced Tutor."""
        answer: t.ExamsUser = self._call("GET", "/v2/exams_users/{id}", {"id": id})
        return answer

    def update_exams_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.ExamsUserUpdate,
    ) -> None:
        """Change one exams user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/exams_users/{id}", {"id": id}, body=body)

    def delete_exams_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one exams user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("DELETE", "/v2/exams_users/{id}", {"id": id})

    def list_exams_users_of_exam(
        self,
        exam_id: t.Id,
        /,
        *,
        query: t.ListExamsUsersQuery | None = None,
    ) -> Listing[t.ExamsUser]:
        """List exams users of one exam. Needs the role Basic Staff, or the role Advanced Tutor."""
        answer: Listing[t.ExamsUser] = self._list("/v2/exams/{exam_id}/exams_users", {"exam_id": exam_id}, query=query)
        return answer

    def create_exams_user_of_exam(
        self,
        exam_id: t.Id,
        /,
        *,
        body: t.ExamsUserCreateBelowExam,
    ) -> t.ExamsUser:
        """Create one exams user of one exam. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.ExamsUser = self._call("POST", "/v2/exams/{exam_id}/exams_users", {"exam_id": exam_id}, body=body)
        return answer

    def get_exams_user_of_exam(
        self,
        exam_id: t.Id,
        id: t.Id,
        /,
    ) -> t.ExamsUser:
        """Get one exams user of one exam. Needs the role Basic Staff, or the role Advanced Tutor."""
        answer: t.ExamsUser = self._call("GET", "/v2/exams/{exam_id}/exams_users/{id}", {"exam_id": exam_id, "id": id})
        return answer

    def update_exams_user_of_exam(
        self,
        exam_id: t.Id,
        id: t.Id,
        /,
        *,
        body: t.ExamsUserUpdate,
    ) -> None:
        """Change one exams user of one exam. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/exams/{exam_id}/exams_users/{id}", {"exam_id": exam_id, "id": id}, body=body)

    def delete_exams_user_of_exam(
        self,
        exam_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Delete one exams user of one exam. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("DELETE", "/v2/exams/{exam_id}/exams_users/{id}", {"exam_id": exam_id, "id": id})

    def list_exams_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListExamsUsersQuery | None = None,
    ) -> Listing[t.ExamsUser]:
        """List exams users of one user. Needs the role Basic Staff, or the role Advanced Tutor."""
        answer: Listing[t.ExamsUser] = self._list("/v2/users/{user_id}/exams_users", {"user_id": user_id}, query=query)
        return answer

    def list_quests(
        self,
        *,
        query: t.ListQuestsQuery | None = None,
    ) -> Listing[t.Quest]:
        """List quests. Needs any token."""
        answer: Listing[t.Quest] = self._list("/v2/quests", query=query)
        return answer

    def create_quest(
        self,
        *,
        body: t.QuestCreate,
    ) -> t.QuestCreated:
        """Create one quest. Needs the role Advanced Staff."""
        answer: t.QuestCreated = self._call("POST", "/v2/quests", body=body)
        return answer

    def get_quest(
        self,
        id: t.Id,
        /,
    ) -> t.Quest:
        """Get one quest. Needs any token."""
        answer: t.Quest = self._call("GET", "/v2/quests/{id}", {"id": id})
        return answer

    def update_quest(
        self,
        id: t.Id,
        /,
        *,
        body: t.QuestUpdate,
    ) -> None:
        """Change one quest. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/quests/{id}", {"id": id}, body=body)

    def delete_quest(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one quest. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/quests/{id}", {"id": id})

    def list_quests_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListQuestsQuery | None = None,
    ) -> Listing[t.Quest]:
        """List quests of one cursus. Needs any token."""
        answer: Listing[t.Quest] = self._list("/v2/cursus/{cursus_id}/quests", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_quests_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListQuestsQuery | None = None,
    ) -> Listing[t.Quest]:
        """List quests of one campus. Needs any token."""
        answer: Listing[t.Quest] = self._list("/v2/campus/{campus_id}/quests", {"campus_id": campus_id}, query=query)
        return answer

    def list_quests_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListQuestsQuery | None = None,
    ) -> Listing[t.Quest]:
        """List quests of one user. Needs any token."""
        answer: Listing[t.Quest] = self._list("/v2/users/{user_id}/quests", {"user_id": user_id}, query=query)
        return answer

    def list_quests_users(
        self,
        *,
        query: t.ListQuestsUsersQuery | None = None,
    ) -> Listing[t.QuestsUser]:
        """List quests users. Needs any token."""
        answer: Listing[t.QuestsUser] = self._list("/v2/quests_users", query=query)
        return answer

    def create_quests_user(
        self,
        *,
        body: t.QuestsUserCreate,
    ) -> t.QuestsUser:
        """Create one quests user. Needs the role Advanced Staff."""
        answer: t.QuestsUser = self._call("POST", "/v2/quests_users", body=body)
        return answer

    def graph_quests_users(
        self,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/quests_users/graph", query=query)
        return answer

    def graph_quests_users_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/quests_users/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_quests_users_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/quests_users/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_quests_user(
        self,
        id: t.Id,
        /,
    ) -> t.QuestsUser:
        """Get one quests user. Needs any token."""
        answer: t.QuestsUser = self._call("GET", "/v2/quests_users/{id}", {"id": id})
        return answer

    def update_quests_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.QuestsUserUpdate,
    ) -> None:
        """Change one quests user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/quests_users/{id}", {"id": id}, body=body)

    def delete_quests_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one quests user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/quests_users/{id}", {"id": id})

    def list_quests_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListQuestsUsersQuery | None = None,
    ) -> Listing[t.QuestsUser]:
        """List quests users of one user. Needs any token."""
        answer: Listing[t.QuestsUser] = self._list("/v2/users/{user_id}/quests_users", {"user_id": user_id}, query=query)
        return answer

    def create_quests_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.QuestsUserCreateBelowUser,
    ) -> t.QuestsUser:
        """Create one quests user of one user. Needs the role Advanced Staff."""
        answer: t.QuestsUser = self._call("POST", "/v2/users/{user_id}/quests_users", {"user_id": user_id}, body=body)
        return answer

    def graph_quests_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/quests_users/graph", {"user_id": user_id}, query=query)
        return answer

    def graph_quests_users_of_user_on_field(
        self,
        user_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/quests_users/graph/on/{field}", {"user_id": user_id, "field": field}, query=query)
        return answer

    def graph_quests_users_of_user_on_field_by_interval(
        self,
        user_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/quests_users/graph/on/{field}/by/{interval}", {"user_id": user_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_quests_users_of_quest(
        self,
        quest_id: t.Id,
        /,
        *,
        query: t.ListQuestsUsersQuery | None = None,
    ) -> Listing[t.QuestsUser]:
        """List quests users of one quest. Needs any token."""
        answer: Listing[t.QuestsUser] = self._list("/v2/quests/{quest_id}/quests_users", {"quest_id": quest_id}, query=query)
        return answer

    def create_quests_user_of_quest(
        self,
        quest_id: t.Id,
        /,
        *,
        body: t.QuestsUserCreateBelowQuest,
    ) -> t.QuestsUser:
        """Create one quests user of one quest. Needs the role Advanced Staff."""
        answer: t.QuestsUser = self._call("POST", "/v2/quests/{quest_id}/quests_users", {"quest_id": quest_id}, body=body)
        return answer

    def graph_quests_users_of_quest(
        self,
        quest_id: t.Id,
        /,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users of one quest over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/quests/{quest_id}/quests_users/graph", {"quest_id": quest_id}, query=query)
        return answer

    def graph_quests_users_of_quest_on_field(
        self,
        quest_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users of one quest over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/quests/{quest_id}/quests_users/graph/on/{field}", {"quest_id": quest_id, "field": field}, query=query)
        return answer

    def graph_quests_users_of_quest_on_field_by_interval(
        self,
        quest_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphQuestsUsersQuery | None = None,
    ) -> dict[str, int]:
        """Count quests users of one quest over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/quests/{quest_id}/quests_users/graph/on/{field}/by/{interval}", {"quest_id": quest_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_blocs(
        self,
        *,
        query: t.ListBlocsQuery | None = None,
    ) -> Listing[t.Bloc]:
        """List blocs. Needs any token."""
        answer: Listing[t.Bloc] = self._list("/v2/blocs", query=query)
        return answer

    def create_bloc(
        self,
        *,
        body: t.BlocCreate,
    ) -> t.Bloc:
        """Create one bloc. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.Bloc = self._call("POST", "/v2/blocs", body=body)
        return answer

    def get_bloc(
        self,
        id: t.Id,
        /,
    ) -> t.Bloc:
        """Get one bloc. Needs any token."""
        answer: t.Bloc = self._call("GET", "/v2/blocs/{id}", {"id": id})
        return answer

    def update_bloc(
        self,
        id: t.Id,
        /,
        *,
        body: t.BlocUpdate,
    ) -> None:
        """Change one bloc. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/blocs/{id}", {"id": id}, body=body)

    def delete_bloc(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one bloc. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("DELETE", "/v2/blocs/{id}", {"id": id})

    def list_bloc_deadlines(
        self,
        *,
        query: t.ListBlocDeadlinesQuery | None = None,
    ) -> Listing[t.BlocDeadline]:
        """List bloc deadlines. Needs the role Advanced Tutor."""
        answer: Listing[t.BlocDeadline] = self._list("/v2/bloc_deadlines", query=query)
        return answer

    def create_bloc_deadline(
        self,
        *,
        body: t.BlocDeadlineCreate,
    ) -> t.BlocDeadline:
        """Create one bloc deadline. Needs the role Advanced Tutor."""
        answer: t.BlocDeadline = self._call("POST", "/v2/bloc_deadlines", body=body)
        return answer

    def get_bloc_deadline(
        self,
        id: t.Id,
        /,
    ) -> t.BlocDeadline:
        """Get one bloc deadline. Needs the role Advanced Tutor."""
        answer: t.BlocDeadline = self._call("GET", "/v2/bloc_deadlines/{id}", {"id": id})
        return answer

    def update_bloc_deadline(
        self,
        id: t.Id,
        /,
        *,
        body: t.BlocDeadlineUpdate,
    ) -> None:
        """Change one bloc deadline. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/bloc_deadlines/{id}", {"id": id}, body=body)

    def list_bloc_deadlines_of_bloc(
        self,
        bloc_id: t.Id,
        /,
        *,
        query: t.ListBlocDeadlinesQuery | None = None,
    ) -> Listing[t.BlocDeadline]:
        """List bloc deadlines of one bloc. Needs the role Advanced Tutor."""
        answer: Listing[t.BlocDeadline] = self._list("/v2/blocs/{bloc_id}/bloc_deadlines", {"bloc_id": bloc_id}, query=query)
        return answer

    def list_coalitions(
        self,
        *,
        query: t.ListCoalitionsQuery | None = None,
    ) -> Listing[t.Coalition]:
        """List coalitions. Needs any token."""
        answer: Listing[t.Coalition] = self._list("/v2/coalitions", query=query)
        return answer

    def create_coalition(
        self,
        *,
        body: t.CoalitionCreate,
    ) -> t.Coalition:
        """Create one coalition. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.Coalition = self._call("POST", "/v2/coalitions", body=body)
        return answer

    def get_coalition(
        self,
        id: t.Id,
        /,
    ) -> t.Coalition:
        """Get one coalition. Needs any token."""
        answer: t.Coalition = self._call("GET", "/v2/coalitions/{id}", {"id": id})
        return answer

    def update_coalition(
        self,
        id: t.Id,
        /,
        *,
        body: t.CoalitionUpdate,
    ) -> None:
        """Change one coalition. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/coalitions/{id}", {"id": id}, body=body)

    def delete_coalition(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one coalition. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("DELETE", "/v2/coalitions/{id}", {"id": id})

    def list_coalitions_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListCoalitionsOfUserQuery | None = None,
    ) -> Listing[t.Coalition]:
        """List coalitions of one user. Needs any token."""
        answer: Listing[t.Coalition] = self._list("/v2/users/{user_id}/coalitions", {"user_id": user_id}, query=query)
        return answer

    def list_coalitions_of_bloc(
        self,
        bloc_id: t.Id,
        /,
        *,
        query: t.ListCoalitionsOfUserQuery | None = None,
    ) -> Listing[t.Coalition]:
        """List coalitions of one bloc. Needs any token."""
        answer: Listing[t.Coalition] = self._list("/v2/blocs/{bloc_id}/coalitions", {"bloc_id": bloc_id}, query=query)
        return answer

    def list_coalitions_users(
        self,
        *,
        query: t.ListCoalitionsUsersQuery | None = None,
    ) -> Listing[t.CoalitionsUser]:
        """List coalitions users. Needs any token."""
        answer: Listing[t.CoalitionsUser] = self._list("/v2/coalitions_users", query=query)
        return answer

    def create_coalitions_user(
        self,
        *,
        body: t.CoalitionsUserCreate,
    ) -> t.CoalitionsUser:
        """Create one coalitions user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.CoalitionsUser = self._call("POST", "/v2/coalitions_users", body=body)
        return answer

    def get_coalitions_user(
        self,
        id: t.Id,
        /,
    ) -> t.CoalitionsUser:
        """Get one coalitions user. Needs any token."""
        answer: t.CoalitionsUser = self._call("GET", "/v2/coalitions_users/{id}", {"id": id})
        return answer

    def update_coalitions_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.CoalitionsUserUpdate,
    ) -> None:
        """Change one coalitions user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("PATCH", "/v2/coalitions_users/{id}", {"id": id}, body=body)

    def delete_coalitions_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one coalitions user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        self._call("DELETE", "/v2/coalitions_users/{id}", {"id": id})

    def list_coalitions_users_of_coalition(
        self,
        coalition_id: t.Id,
        /,
        *,
        query: t.ListCoalitionsUsersQuery | None = None,
    ) -> Listing[t.CoalitionsUser]:
        """List coalitions users of one coalition. Needs any token."""
        answer: Listing[t.CoalitionsUser] = self._list("/v2/coalitions/{coalition_id}/coalitions_users", {"coalition_id": coalition_id}, query=query)
        return answer

    def create_coalitions_user_of_coalition(
        self,
        coalition_id: t.Id,
        /,
        *,
        body: t.CoalitionsUserCreateBelowCoalition,
    ) -> t.CoalitionsUser:
        """Create one coalitions user of one coalition. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.CoalitionsUser = self._call("POST", "/v2/coalitions/{coalition_id}/coalitions_users", {"coalition_id": coalition_id}, body=body)
        return answer

    def list_coalitions_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListCoalitionsUsersQuery | None = None,
    ) -> Listing[t.CoalitionsUser]:
        """List coalitions users of one user. Needs any token."""
        answer: Listing[t.CoalitionsUser] = self._list("/v2/users/{user_id}/coalitions_users", {"user_id": user_id}, query=query)
        return answer

    def create_coalitions_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.CoalitionsUserCreateBelowUser,
    ) -> t.CoalitionsUser:
        """Create one coalitions user of one user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.CoalitionsUser = self._call("POST", "/v2/users/{user_id}/coalitions_users", {"user_id": user_id}, body=body)
        return answer

    def list_scores(
        self,
        *,
        query: t.ListScoresQuery | None = None,
    ) -> Listing[t.Score]:
        """List scores. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: Listing[t.Score] = self._list("/v2/scores", query=query)
        return answer

    def get_score(
        self,
        id: t.Id,
        /,
    ) -> t.Score:
        """Get one score. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.Score = self._call("GET", "/v2/scores/{id}", {"id": id})
        return answer

    def delete_score(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one score. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/scores/{id}", {"id": id})

    def list_scores_of_coalition(
        self,
        coalition_id: t.Id,
        /,
        *,
        query: t.ListScoresQuery | None = None,
    ) -> Listing[t.Score]:
        """List scores of one coalition. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: Listing[t.Score] = self._list("/v2/coalitions/{coalition_id}/scores", {"coalition_id": coalition_id}, query=query)
        return answer

    def create_score_of_coalition(
        self,
        coalition_id: t.Id,
        /,
        *,
        body: t.ScoreCreateBelowCoalition,
    ) -> t.Score:
        """Create one score of one coalition. Needs the role Advanced Staff."""
        answer: t.Score = self._call("POST", "/v2/coalitions/{coalition_id}/scores", {"coalition_id": coalition_id}, body=body)
        return answer

    def get_score_of_coalition(
        self,
        coalition_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Score:
        """Get one score of one coalition. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.Score = self._call("GET", "/v2/coalitions/{coalition_id}/scores/{id}", {"coalition_id": coalition_id, "id": id})
        return answer

    def delete_score_of_coalition(
        self,
        coalition_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Delete one score of one coalition. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/coalitions/{coalition_id}/scores/{id}", {"coalition_id": coalition_id, "id": id})

    def list_scores_of_coalitions_user(
        self,
        coalitions_user_id: t.Id,
        /,
        *,
        query: t.ListScoresQuery | None = None,
    ) -> Listing[t.Score]:
        """List scores of one coalitions user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: Listing[t.Score] = self._list("/v2/coalitions_users/{coalitions_user_id}/scores", {"coalitions_user_id": coalitions_user_id}, query=query)
        return answer

    def get_score_of_coalitions_user(
        self,
        coalitions_user_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Score:
        """Get one score of one coalitions user. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.Score = self._call("GET", "/v2/coalitions_users/{coalitions_user_id}/scores/{id}", {"coalitions_user_id": coalitions_user_id, "id": id})
        return answer

    def list_scores_of_bloc(
        self,
        bloc_id: t.Id,
        /,
        *,
        query: t.ListScoresQuery | None = None,
    ) -> Listing[t.Score]:
        """List scores of one bloc. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: Listing[t.Score] = self._list("/v2/blocs/{bloc_id}/scores", {"bloc_id": bloc_id}, query=query)
        return answer

    def get_score_of_bloc(
        self,
        bloc_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Score:
        """Get one score of one bloc. Needs the role Advanced Tutor, or the role Advanced Staff."""
        answer: t.Score = self._call("GET", "/v2/blocs/{bloc_id}/scores/{id}", {"bloc_id": bloc_id, "id": id})
        return answer

    def list_squads(
        self,
        *,
        query: t.ListSquadsQuery | None = None,
    ) -> Listing[t.Squad]:
        """List squads. Needs the role Advanced Tutor."""
        answer: Listing[t.Squad] = self._list("/v2/squads", query=query)
        return answer

    def create_squad(
        self,
        *,
        body: t.SquadCreate,
    ) -> t.Squad:
        """Create one squad. Needs the role Advanced Tutor."""
        answer: t.Squad = self._call("POST", "/v2/squads", body=body)
        return answer

    def get_squad(
        self,
        id: t.Id,
        /,
    ) -> t.Squad:
        """Get one squad. Needs the role Advanced Tutor."""
        answer: t.Squad = self._call("GET", "/v2/squads/{id}", {"id": id})
        return answer

    def update_squad(
        self,
        id: t.Id,
        /,
        *,
        body: t.SquadUpdate,
    ) -> None:
        """Change one squad. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/squads/{id}", {"id": id}, body=body)

    def delete_squad(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one squad. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/squads/{id}", {"id": id})

    def list_squads_of_bloc(
        self,
        bloc_id: t.Id,
        /,
        *,
        query: t.ListSquadsQuery | None = None,
    ) -> Listing[t.Squad]:
        """List squads of one bloc. Needs the role Advanced Tutor."""
        answer: Listing[t.Squad] = self._list("/v2/blocs/{bloc_id}/squads", {"bloc_id": bloc_id}, query=query)
        return answer

    def create_squad_of_bloc(
        self,
        bloc_id: t.Id,
        /,
        *,
        body: t.SquadCreateBelowBloc,
    ) -> t.Squad:
        """Create one squad of one bloc. Needs the role Advanced Tutor."""
        answer: t.Squad = self._call("POST", "/v2/blocs/{bloc_id}/squads", {"bloc_id": bloc_id}, body=body)
        return answer

    def get_squad_of_bloc(
        self,
        bloc_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Squad:
        """Get one squad of one bloc. Needs the role Advanced Tutor."""
        answer: t.Squad = self._call("GET", "/v2/blocs/{bloc_id}/squads/{id}", {"bloc_id": bloc_id, "id": id})
        return answer

    def delete_squad_of_bloc(
        self,
        bloc_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Delete one squad of one bloc. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/blocs/{bloc_id}/squads/{id}", {"bloc_id": bloc_id, "id": id})

    def list_squads_users(
        self,
        *,
        query: t.ListSquadsUsersQuery | None = None,
    ) -> Listing[t.SquadsUser]:
        """List squads users. Needs the role Advanced Tutor."""
        answer: Listing[t.SquadsUser] = self._list("/v2/squads_users", query=query)
        return answer

    def create_squads_user(
        self,
        *,
        body: t.SquadsUserCreate,
    ) -> t.SquadsUser:
        """Create one squads user. Needs the role Advanced Tutor."""
        answer: t.SquadsUser = self._call("POST", "/v2/squads_users", body=body)
        return answer

    def get_squads_user(
        self,
        id: t.Id,
        /,
    ) -> t.SquadsUser:
        """Get one squads user. Needs the role Advanced Tutor."""
        answer: t.SquadsUser = self._call("GET", "/v2/squads_users/{id}", {"id": id})
        return answer

    def update_squads_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.SquadsUserUpdate,
    ) -> None:
        """Change one squads user. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/squads_users/{id}", {"id": id}, body=body)

    def delete_squads_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one squads user. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/squads_users/{id}", {"id": id})

    def list_squads_users_of_bloc(
        self,
        bloc_id: t.Id,
        /,
        *,
        query: t.ListSquadsUsersQuery | None = None,
    ) -> Listing[t.SquadsUser]:
        """List squads users of one bloc. Needs the role Advanced Tutor."""
        answer: Listing[t.SquadsUser] = self._list("/v2/blocs/{bloc_id}/squads_users", {"bloc_id": bloc_id}, query=query)
        return answer

    def create_squads_user_of_bloc(
        self,
        bloc_id: t.Id,
        /,
        *,
        body: t.SquadsUserCreate,
    ) -> t.SquadsUser:
        """Create one squads user of one bloc. Needs the role Advanced Tutor."""
        answer: t.SquadsUser = self._call("POST", "/v2/blocs/{bloc_id}/squads_users", {"bloc_id": bloc_id}, body=body)
        return answer

    def delete_squads_user_of_bloc(
        self,
        bloc_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Delete one squads user of one bloc. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/blocs/{bloc_id}/squads_users/{id}", {"bloc_id": bloc_id, "id": id})

    def list_dashes(
        self,
        *,
        query: t.ListDashesQuery | None = None,
    ) -> Listing[t.Dash]:
        """List dashes. Needs any token."""
        answer: Listing[t.Dash] = self._list("/v2/dashes", query=query)
        return answer

    def create_dash(
        self,
        *,
        body: t.DashCreate,
    ) -> t.Dash:
        """Create one dash. Needs the role Advanced Staff."""
        answer: t.Dash = self._call("POST", "/v2/dashes", body=body)
        return answer

    def get_dash(
        self,
        id: t.Id,
        /,
    ) -> t.Dash:
        """Get one dash. Needs any token."""
        answer: t.Dash = self._call("GET", "/v2/dashes/{id}", {"id": id})
        return answer

    def update_dash(
        self,
        id: t.Id,
        /,
        *,
        body: t.DashUpdate,
    ) -> None:
        """Change one dash. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/dashes/{id}", {"id": id}, body=body)

    def delete_dash(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one dash. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/dashes/{id}", {"id": id})

    def list_dashes_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListDashesQuery | None = None,
    ) -> Listing[t.Dash]:
        """List dashes of one cursus. Needs any token."""
        answer: Listing[t.Dash] = self._list("/v2/cursus/{cursus_id}/dashes", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_dashes_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListDashesQuery | None = None,
    ) -> Listing[t.Dash]:
        """List dashes of one campus. Needs any token."""
        answer: Listing[t.Dash] = self._list("/v2/campus/{campus_id}/dashes", {"campus_id": campus_id}, query=query)
        return answer

    def list_dashes_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListDashesQuery | None = None,
    ) -> Listing[t.Dash]:
        """List dashes of one user. Needs any token."""
        answer: Listing[t.Dash] = self._list("/v2/users/{user_id}/dashes", {"user_id": user_id}, query=query)
        return answer

    def list_dashes_users(
        self,
        *,
        query: t.ListDashesUsersQuery | None = None,
    ) -> Listing[t.DashesUser]:
        """List dashes users. Needs any token."""
        answer: Listing[t.DashesUser] = self._list("/v2/dashes_users", query=query)
        return answer

    def create_dashes_user(
        self,
        *,
        body: t.DashesUserCreate,
    ) -> t.DashesUser:
        """Create one dashes user. Needs the role Advanced Staff."""
        answer: t.DashesUser = self._call("POST", "/v2/dashes_users", body=body)
        return answer

    def get_dashes_user(
        self,
        id: t.Id,
        /,
    ) -> t.DashesUser:
        """Get one dashes user. Needs any token."""
        answer: t.DashesUser = self._call("GET", "/v2/dashes_users/{id}", {"id": id})
        return answer

    def update_dashes_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.DashesUserUpdate,
    ) -> None:
        """Change one dashes user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/dashes_users/{id}", {"id": id}, body=body)

    def delete_dashes_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one dashes user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/dashes_users/{id}", {"id": id})

    def list_dashes_users_of_dash(
        self,
        dash_id: t.Id,
        /,
        *,
        query: t.ListDashesUsersQuery | None = None,
    ) -> Listing[t.DashesUser]:
        """List dashes users of one dash. Needs any token."""
        answer: Listing[t.DashesUser] = self._list("/v2/dashes/{dash_id}/dashes_users", {"dash_id": dash_id}, query=query)
        return answer

    def create_dashes_user_of_dash(
        self,
        dash_id: t.Id,
        /,
        *,
        body: t.DashesUserCreateBelowDash,
    ) -> t.DashesUser:
        """Create one dashes user of one dash. Needs the role Advanced Staff."""
        answer: t.DashesUser = self._call("POST", "/v2/dashes/{dash_id}/dashes_users", {"dash_id": dash_id}, body=body)
        return answer

    def list_dashes_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListDashesUsersQuery | None = None,
    ) -> Listing[t.DashesUser]:
        """List dashes users of one user. Needs any token."""
        answer: Listing[t.DashesUser] = self._list("/v2/users/{user_id}/dashes_users", {"user_id": user_id}, query=query)
        return answer

    def create_dashes_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.DashesUserCreateBelowUser,
    ) -> t.DashesUser:
        """Create one dashes user of one user. Needs the role Advanced Staff."""
        answer: t.DashesUser = self._call("POST", "/v2/users/{user_id}/dashes_users", {"user_id": user_id}, body=body)
        return answer

    def list_accreditations(
        self,
        *,
        query: t.ListAccreditationsQuery | None = None,
    ) -> Listing[t.Accreditation]:
        """List accreditations. Needs the role Basic Tutor."""
        answer: Listing[t.Accreditation] = self._list("/v2/accreditations", query=query)
        return answer

    def create_accreditation(
        self,
        *,
        body: t.AccreditationCreate,
    ) -> t.Accreditation:
        """Create one accreditation. Needs the role Advanced Staff."""
        answer: t.Accreditation = self._call("POST", "/v2/accreditations", body=body)
        return answer

    def get_accreditation(
        self,
        id: t.Id,
        /,
    ) -> t.Accreditation:
        """Get one accreditation. Needs the role Basic Tutor."""
        answer: t.Accreditation = self._call("GET", "/v2/accreditations/{id}", {"id": id})
        return answer

    def update_accreditation(
        self,
        id: t.Id,
        /,
        *,
        body: t.AccreditationUpdate,
    ) -> None:
        """Change one accreditation. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/accreditations/{id}", {"id": id}, body=body)

    def delete_accreditation(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one accreditation. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/accreditations/{id}", {"id": id})

    def list_accreditations_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListAccreditationsQuery | None = None,
    ) -> Listing[t.Accreditation]:
        """List accreditations of one cursus. Needs the role Basic Tutor."""
        answer: Listing[t.Accreditation] = self._list("/v2/cursus/{cursus_id}/accreditations", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_accreditations_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListAccreditationsQuery | None = None,
    ) -> Listing[t.Accreditation]:
        """List accreditations of one user. Needs the role Basic Tutor."""
        answer: Listing[t.Accreditation] = self._list("/v2/users/{user_id}/accreditations", {"user_id": user_id}, query=query)
        return answer

    def list_accreditations_users(
        self,
        *,
        query: t.ListAccreditationsUsersQuery | None = None,
    ) -> Listing[t.AccreditationsUser]:
        """List accreditations users. Needs the role Basic Tutor."""
        answer: Listing[t.AccreditationsUser] = self._list("/v2/accreditations_users", query=query)
        return answer

    def create_accreditations_user(
        self,
        *,
        body: t.AccreditationsUserCreate,
    ) -> t.AccreditationsUser:
        """Create one accreditations user. Needs the role Advanced Staff."""
        answer: t.AccreditationsUser = self._call("POST", "/v2/accreditations_users", body=body)
        return answer

    def get_accreditations_user(
        self,
        id: t.Id,
        /,
    ) -> t.AccreditationsUser:
        """Get one accreditations user. Needs the role Basic Tutor."""
        answer: t.AccreditationsUser = self._call("GET", "/v2/accreditations_users/{id}", {"id": id})
        return answer

    def update_accreditations_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.AccreditationsUserUpdate,
    ) -> None:
        """Change one accreditations user. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/accreditations_users/{id}", {"id": id}, body=body)

    def delete_accreditations_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one accreditations user. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/accreditations_users/{id}", {"id": id})

    def list_accreditations_users_of_accreditation(
        self,
        accreditation_id: t.Id,
        /,
        *,
        query: t.ListAccreditationsUsersQuery | None = None,
    ) -> Listing[t.AccreditationsUser]:
        """List accreditations users of one accreditation. Needs the role Basic Tutor."""
        answer: Listing[t.AccreditationsUser] = self._list("/v2/accreditations/{accreditation_id}/accreditations_users", {"accreditation_id": accreditation_id}, query=query)
        return answer

    def create_accreditations_user_of_accreditation(
        self,
        accreditation_id: t.Id,
        /,
        *,
        body: t.AccreditationsUserCreateBelowAccreditation,
    ) -> t.AccreditationsUser:
        """Create one accreditations user of one accreditation. Needs the role Advanced Staff."""
        answer: t.AccreditationsUser = self._call("POST", "/v2/accreditations/{accreditation_id}/accreditations_users", {"accreditation_id": accreditation_id}, body=body)
        return answer

    def list_accreditations_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListAccreditationsUsersQuery | None = None,
    ) -> Listing[t.AccreditationsUser]:
        """List accreditations users of one user. Needs the role Basic Tutor."""
        answer: Listing[t.AccreditationsUser] = self._list("/v2/users/{user_id}/accreditations_users", {"user_id": user_id}, query=query)
        return answer

    def create_accreditations_user_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        body: t.AccreditationsUserCreateBelowUser,
    ) -> t.AccreditationsUser:
        """Create one accreditations user of one user. Needs the role Advanced Staff."""
        answer: t.AccreditationsUser = self._call("POST", "/v2/users/{user_id}/accreditations_users", {"user_id": user_id}, body=body)
        return answer

    def list_announcements(
        self,
        *,
        query: t.ListAnnouncementsQuery | None = None,
    ) -> Listing[t.Announcement]:
        """List announcements. Needs any token."""
        answer: Listing[t.Announcement] = self._list("/v2/announcements", query=query)
        return answer

    def create_announcement(
        self,
        *,
        body: t.AnnouncementCreate,
    ) -> t.Announcement:
        """Create one announcement. Needs the role Community manager, or the role Advanced Staff."""
        answer: t.Announcement = self._call("POST", "/v2/announcements", body=body)
        return answer

    def graph_announcements(
        self,
        *,
        query: t.GraphAnnouncementsQuery | None = None,
    ) -> dict[str, int]:
        """Count announcements over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/announcements/graph", query=query)
        return answer

    def graph_announcements_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphAnnouncementsQuery | None = None,
    ) -> dict[str, int]:
        """Count announcements over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/announcements/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_announcements_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphAnnouncementsQuery | None = None,
    ) -> dict[str, int]:
        """Count announcements over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/announcements/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_announcement(
        self,
        id: t.Id,
        /,
    ) -> t.Announcement:
        """Get one announcement. Needs any token."""
        answer: t.Announcement = self._call("GET", "/v2/announcements/{id}", {"id": id})
        return answer

    def update_announcement(
        self,
        id: t.Id,
        /,
        *,
        body: t.AnnouncementUpdate,
    ) -> None:
        """Change one announcement. Needs the role Community manager, or the role Advanced Staff."""
        self._call("PATCH", "/v2/announcements/{id}", {"id": id}, body=body)

    def delete_announcement(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one announcement. Needs the role Community manager, or the role Advanced Staff."""
        self._call("DELETE", "/v2/announcements/{id}", {"id": id})

    def list_announcements_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListAnnouncementsQuery | None = None,
    ) -> Listing[t.Announcement]:
        """List announcements of one cursus. Needs any token."""
        answer: Listing[t.Announcement] = self._list("/v2/cursus/{cursus_id}/announcements", {"cursus_id": cursus_id}, query=query)
        return answer

    def create_announcement_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        body: t.AnnouncementCreate,
    ) -> t.Announcement:
        """Create one announcement of one cursus. Needs the role Community manager, or the role Advanced Staff."""
        answer: t.Announcement = self._call("POST", "/v2/cursus/{cursus_id}/announcements", {"cursus_id": cursus_id}, body=body)
        return answer

    def list_broadcasts(
        self,
        *,
        query: t.ListBroadcastsQuery | None = None,
    ) -> Listing[t.Broadcast]:
        """List broadcasts. Needs a token that stands for a person, or the role Advanced Staff."""
        answer: Listing[t.Broadcast] = self._list("/v2/broadcasts", query=query)
        return answer

    def create_broadcast(
        self,
        *,
        body: t.BroadcastCreate,
    ) -> t.Broadcast:
        """Create one broadcast. Needs the role Advanced Staff."""
        answer: t.Broadcast = self._call("POST", "/v2/broadcasts", body=body)
        return answer

    def get_broadcast(
        self,
        id: t.Id,
        /,
    ) -> t.Broadcast:
        """Get one broadcast. Needs a token that stands for a person, or the role Advanced Staff."""
        answer: t.Broadcast = self._call("GET", "/v2/broadcasts/{id}", {"id": id})
        return answer

    def update_broadcast(
        self,
        id: t.Id,
        /,
        *,
        body: t.BroadcastUpdate,
    ) -> None:
        """Change one broadcast. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/broadcasts/{id}", {"id": id}, body=body)

    def delete_broadcast(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one broadcast. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/broadcasts/{id}", {"id": id})

    def list_broadcasts_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListBroadcastsQuery | None = None,
    ) -> Listing[t.Broadcast]:
        """List broadcasts of one campus. Needs a token that stands for a person, or the role Advanced Staff."""
        answer: Listing[t.Broadcast] = self._list("/v2/campus/{campus_id}/broadcasts", {"campus_id": campus_id}, query=query)
        return answer

    def list_tags(
        self,
        *,
        query: t.ListTagsQuery | None = None,
    ) -> Listing[t.Tag]:
        """List tags. Needs any token."""
        answer: Listing[t.Tag] = self._list("/v2/tags", query=query)
        return answer

    def create_tag(
        self,
        *,
        body: t.TagCreate,
    ) -> t.Tag:
        """Create one tag. Needs the role Advanced Staff."""
        answer: t.Tag = self._call("POST", "/v2/tags", body=body)
        return answer

    def get_tag(
        self,
        id: t.Id,
        /,
    ) -> t.Tag:
        """Get one tag. Needs any token."""
        answer: t.Tag = self._call("GET", "/v2/tags/{id}", {"id": id})
        return answer

    def update_tag(
        self,
        id: t.Id,
        /,
        *,
        body: t.TagUpdate,
    ) -> None:
        """Change one tag. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/tags/{id}", {"id": id}, body=body)

    def delete_tag(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one tag. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/tags/{id}", {"id": id})

    def list_tags_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTagsQuery | None = None,
    ) -> Listing[t.Tag]:
        """List tags of one user. Needs any token."""
        answer: Listing[t.Tag] = self._list("/v2/users/{user_id}/tags", {"user_id": user_id}, query=query)
        return answer

    def list_tags_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListTagsQuery | None = None,
    ) -> Listing[t.Tag]:
        """List tags of one cursus. Needs any token."""
        answer: Listing[t.Tag] = self._list("/v2/cursus/{cursus_id}/tags", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_tags_users(
        self,
        *,
        query: t.ListTagsUsersQuery | None = None,
    ) -> Listing[t.TagsUser]:
        """List tags users. Needs any token."""
        answer: Listing[t.TagsUser] = self._list("/v2/tags_users", query=query)
        return answer

    def create_tags_user(
        self,
        *,
        body: t.TagsUserCreate,
    ) -> t.TagsUser:
        """Create one tags user. Needs the role Advanced Tutor."""
        answer: t.TagsUser = self._call("POST", "/v2/tags_users", body=body)
        return answer

    def get_tags_user(
        self,
        id: t.Id,
        /,
    ) -> t.TagsUser:
        """Get one tags user. Needs any token."""
        answer: t.TagsUser = self._call("GET", "/v2/tags_users/{id}", {"id": id})
        return answer

    def update_tags_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.TagsUserUpdate,
    ) -> None:
        """Change one tags user. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/tags_users/{id}", {"id": id}, body=body)

    def delete_tags_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one tags user. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/tags_users/{id}", {"id": id})

    def list_tags_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTagsUsersQuery | None = None,
    ) -> Listing[t.TagsUser]:
        """List tags users of one user. Needs any token."""
        answer: Listing[t.TagsUser] = self._list("/v2/users/{user_id}/tags_users", {"user_id": user_id}, query=query)
        return answer

    def list_tags_users_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListTagsUsersQuery | None = None,
    ) -> Listing[t.TagsUser]:
        """List tags users of one cursus. Needs any token."""
        answer: Listing[t.TagsUser] = self._list("/v2/cursus/{cursus_id}/tags_users", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_tags_users_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListTagsUsersQuery | None = None,
    ) -> Listing[t.TagsUser]:
        """List tags users of one campus. Needs any token."""
        answer: Listing[t.TagsUser] = self._list("/v2/campus/{campus_id}/tags_users", {"campus_id": campus_id}, query=query)
        return answer

    def list_tags_users_of_tag(
        self,
        tag_id: t.Id,
        /,
        *,
        query: t.ListTagsUsersQuery | None = None,
    ) -> Listing[t.TagsUser]:
        """List tags users of one tag. Needs any token."""
        answer: Listing[t.TagsUser] = self._list("/v2/tags/{tag_id}/tags_users", {"tag_id": tag_id}, query=query)
        return answer

    def list_topics(
        self,
        *,
        query: t.ListTopicsQuery | None = None,
    ) -> Listing[t.Topic]:
        """List topics. Needs the scope forum."""
        answer: Listing[t.Topic] = self._list("/v2/topics", query=query)
        return answer

    def create_topic(
        self,
        *,
        body: t.TopicCreate,
    ) -> t.Topic:
        """Create one topic. Needs the scope forum and either the role Moderator or the role Basic Staff or a token of the record's own user."""
        answer: t.Topic = self._call("POST", "/v2/topics", body=body)
        return answer

    def get_topic(
        self,
        id: t.Id,
        /,
    ) -> t.Topic:
        """Get one topic. Needs the scope forum."""
        answer: t.Topic = self._call("GET", "/v2/topics/{id}", {"id": id})
        return answer

    def update_topic(
        self,
        id: t.Id,
        /,
        *,
        body: t.TopicUpdate,
    ) -> None:
        """Change one topic. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        self._call("PATCH", "/v2/topics/{id}", {"id": id}, body=body)

    def delete_topic(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one topic. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        self._call("DELETE", "/v2/topics/{id}", {"id": id})

    def list_topics_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListTopicsQuery | None = None,
    ) -> Listing[t.Topic]:
        """List topics of one cursus. Needs the scope forum."""
        answer: Listing[t.Topic] = self._list("/v2/cursus/{cursus_id}/topics", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_topics_of_tag(
        self,
        tag_id: t.Id,
        /,
        *,
        query: t.ListTopicsQuery | None = None,
    ) -> Listing[t.Topic]:
        """List topics of one tag. Needs the scope forum."""
        answer: Listing[t.Topic] = self._list("/v2/tags/{tag_id}/topics", {"tag_id": tag_id}, query=query)
        return answer

    def list_topics_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTopicsQuery | None = None,
    ) -> Listing[t.Topic]:
        """List topics of one user. Needs the scope forum."""
        answer: Listing[t.Topic] = self._list("/v2/users/{user_id}/topics", {"user_id": user_id}, query=query)
        return answer

    def list_my_topics(
        self,
        *,
        query: t.ListTopicsQuery | None = None,
    ) -> Listing[t.Topic]:
        """List topics of the token's resource owner. Needs the scope forum."""
        answer: Listing[t.Topic] = self._list("/v2/me/topics", query=query)
        return answer

    def list_messages(
        self,
        *,
        query: t.ListMessagesQuery | None = None,
    ) -> Listing[t.Message]:
        """List messages. Needs the scope forum."""
        answer: Listing[t.Message] = self._list("/v2/messages", query=query)
        return answer

    def create_message(
        self,
        *,
        body: t.MessageCreate,
    ) -> t.Message:
        """Create one message. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        answer: t.Message = self._call("POST", "/v2/messages", body=body)
        return answer

    def get_message(
        self,
        id: t.Id,
        /,
    ) -> t.Message:
        """Get one message. Needs the scope forum."""
        answer: t.Message = self._call("GET", "/v2/messages/{id}", {"id": id})
        return answer

    def update_message(
        self,
        id: t.Id,
        /,
        *,
        body: t.MessageUpdate,
    ) -> None:
        """Change one message. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        self._call("PATCH", "/v2/messages/{id}", {"id": id}, body=body)

    def delete_message(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one message. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        self._call("DELETE", "/v2/messages/{id}", {"id": id})

    def list_messages_of_topic(
        self,
        topic_id: t.Id,
        /,
        *,
        query: t.ListMessagesQuery | None = None,
    ) -> Listing[t.Message]:
        """List messages of one topic. Those of which is_root is true. Needs the scope forum."""
        answer: Listing[t.Message] = self._list("/v2/topics/{topic_id}/messages", {"topic_id": topic_id}, query=query)
        return answer

    def create_message_of_topic(
        self,
        topic_id: t.Id,
        /,
        *,
        body: t.MessageCreate,
    ) -> t.Message:
        """Create one message of one topic. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        answer: t.Message = self._call("POST", "/v2/topics/{topic_id}/messages", {"topic_id": topic_id}, body=body)
        return answer

    def list_messages_of_topic_and_message(
        self,
        topic_id: t.Id,
        message_id: t.Id,
        /,
        *,
        query: t.ListMessagesQuery | None = None,
    ) -> Listing[t.Message]:
        """List messages of one topic and one message. Needs the scope forum."""
        answer: Listing[t.Message] = self._list("/v2/topics/{topic_id}/messages/{message_id}/messages", {"topic_id": topic_id, "message_id": message_id}, query=query)
        return answer

    def create_message_of_topic_and_message(
        self,
        topic_id: t.Id,
        message_id: t.Id,
        /,
        *,
        body: t.MessageCreate,
    ) -> t.Message:
        """Create one message of one topic and one message. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        answer: t.Message = self._call("POST", "/v2/topics/{topic_id}/messages/{message_id}/messages", {"topic_id": topic_id, "message_id": message_id}, body=body)
        return answer

    def list_messages_of_message(
        self,
        message_id: t.Id,
        /,
        *,
        query: t.ListMessagesQuery | None = None,
    ) -> Listing[t.Message]:
        """List messages of one message. Needs the scope forum."""
        answer: Listing[t.Message] = self._list("/v2/messages/{message_id}/messages", {"message_id": message_id}, query=query)
        return answer

    def create_message_of_message(
        self,
        message_id: t.Id,
        /,
        *,
        body: t.MessageCreate,
    ) -> t.Message:
        """Create one message of one message. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        answer: t.Message = self._call("POST", "/v2/messages/{message_id}/messages", {"message_id": message_id}, body=body)
        return answer

    def list_messages_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListMessagesQuery | None = None,
    ) -> Listing[t.Message]:
        """List messages of one user. Needs the scope forum."""
        answer: Listing[t.Message] = self._list("/v2/users/{user_id}/messages", {"user_id": user_id}, query=query)
        return answer

    def list_my_messages(
        self,
        *,
        query: t.ListMessagesQuery | None = None,
    ) -> Listing[t.Message]:
        """List messages of the token's resource owner. Needs the scope forum."""
        answer: Listing[t.Message] = self._list("/v2/me/messages", query=query)
        return answer

    def list_votes(
        self,
        *,
        query: t.ListVotesQuery | None = None,
    ) -> Listing[t.Vote]:
        """List votes. Needs the scope forum."""
        answer: Listing[t.Vote] = self._list("/v2/votes", query=query)
        return answer

    def create_vote(
        self,
        *,
        body: t.VoteCreate,
    ) -> t.Vote:
        """Create one vote. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        answer: t.Vote = self._call("POST", "/v2/votes", body=body)
        return answer

    def get_vote(
        self,
        id: t.Id,
        /,
    ) -> t.Vote:
        """Get one vote. Needs the scope forum."""
        answer: t.Vote = self._call("GET", "/v2/votes/{id}", {"id": id})
        return answer

    def delete_vote(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one vote. Needs the scope forum and either the role Moderator or a token of the record's own user."""
        self._call("DELETE", "/v2/votes/{id}", {"id": id})

    def list_notions(
        self,
        *,
        query: t.ListNotionsQuery | None = None,
    ) -> Listing[t.Notion]:
        """List notions. Needs any token."""
        answer: Listing[t.Notion] = self._list("/v2/notions", query=query)
        return answer

    def create_notion(
        self,
        *,
        body: t.NotionCreate,
    ) -> t.Notion:
        """Create one notion. Needs the role Advanced Tutor, or the role Video manager."""
        answer: t.Notion = self._call("POST", "/v2/notions", body=body)
        return answer

    def get_notion(
        self,
        id: t.Id,
        /,
    ) -> t.Notion:
        """Get one notion. Needs any token."""
        answer: t.Notion = self._call("GET", "/v2/notions/{id}", {"id": id})
        return answer

    def update_notion(
        self,
        id: t.Id,
        /,
        *,
        body: t.NotionUpdate,
    ) -> None:
        """Change one notion. Needs the role Advanced Tutor, or the role Video manager."""
        self._call("PATCH", "/v2/notions/{id}", {"id": id}, body=body)

    def delete_notion(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one notion. Needs the role Advanced Tutor, or the role Video manager."""
        self._call("DELETE", "/v2/notions/{id}", {"id": id})

    def list_notions_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListNotionsQuery | None = None,
    ) -> Listing[t.Notion]:
        """List notions of one cursus. Needs any token."""
        answer: Listing[t.Notion] = self._list("/v2/cursus/{cursus_id}/notions", {"cursus_id": cursus_id}, query=query)
        return answer

    def list_notions_of_tag(
        self,
        tag_id: t.Id,
        /,
        *,
        query: t.ListNotionsQuery | None = None,
    ) -> Listing[t.Notion]:
        """List notions of one tag. Needs any token."""
        answer: Listing[t.Notion] = self._list("/v2/tags/{tag_id}/notions", {"tag_id": tag_id}, query=query)
        return answer

    def list_subnotions(
        self,
        *,
        query: t.ListSubnotionsQuery | None = None,
    ) -> Listing[t.Subnotion]:
        """List subnotions. Needs any token."""
        answer: Listing[t.Subnotion] = self._list("/v2/subnotions", query=query)
        return answer

    def create_subnotion(
        self,
        *,
        body: t.SubnotionCreate,
    ) -> t.Subnotion:
        """Create one subnotion. Needs the role Advanced Tutor, or the role Video manager."""
        answer: t.Subnotion = self._call("POST", "/v2/subnotions", body=body)
        return answer

    def get_subnotion(
        self,
        id: t.Id,
        /,
    ) -> t.Subnotion:
        """Get one subnotion. Needs any token."""
        answer: t.Subnotion = self._call("GET", "/v2/subnotions/{id}", {"id": id})
        return answer

    def update_subnotion(
        self,
        id: t.Id,
        /,
        *,
        body: t.SubnotionUpdate,
    ) -> None:
        """Change one subnotion. Needs the role Advanced Tutor, or the role Video manager."""
        self._call("PATCH", "/v2/subnotions/{id}", {"id": id}, body=body)

    def delete_subnotion(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one subnotion. Needs the role Advanced Tutor, or the role Video manager."""
        self._call("DELETE", "/v2/subnotions/{id}", {"id": id})

    def list_subnotions_of_notion(
        self,
        notion_id: t.Id,
        /,
        *,
        query: t.ListSubnotionsQuery | None = None,
    ) -> Listing[t.Subnotion]:
        """List subnotions of one notion. Needs any token."""
        answer: Listing[t.Subnotion] = self._list("/v2/notions/{notion_id}/subnotions", {"notion_id": notion_id}, query=query)
        return answer

    def list_attachments(
        self,
        *,
        query: t.ListAttachmentsQuery | None = None,
    ) -> Listing[t.Attachment]:
        """List attachments. Needs any token."""
        answer: Listing[t.Attachment] = self._list("/v2/attachments", query=query)
        return answer

    def get_attachment(
        self,
        id: t.Id,
        /,
    ) -> t.Attachment:
        """Get one attachment. Needs any token."""
        answer: t.Attachment = self._call("GET", "/v2/attachments/{id}", {"id": id})
        return answer

    def update_attachment(
        self,
        id: t.Id,
        /,
        *,
        body: t.AttachmentUpdate,
    ) -> None:
        """Change one attachment. Needs the role Advanced Tutor and the scope projects."""
        self._call("PATCH", "/v2/attachments/{id}", {"id": id}, body=body)

    def delete_attachment(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one attachment. Needs the role Advanced Tutor and the scope projects."""
        self._call("DELETE", "/v2/attachments/{id}", {"id": id})

    def list_attachments_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListAttachmentsQuery | None = None,
    ) -> Listing[t.Attachment]:
        """List attachments of one project. Needs any token."""
        answer: Listing[t.Attachment] = self._list("/v2/projects/{project_id}/attachments", {"project_id": project_id}, query=query)
        return answer

    def create_attachment_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        body: t.AttachmentCreate,
    ) -> t.Attachment:
        """Create one attachment of one project. Needs the role Advanced Tutor and the scope projects."""
        answer: t.Attachment = self._call("POST", "/v2/projects/{project_id}/attachments", {"project_id": project_id}, body=body)
        return answer

    def list_attachments_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        query: t.ListAttachmentsQuery | None = None,
    ) -> Listing[t.Attachment]:
        """List attachments of one project session. Needs any token."""
        answer: Listing[t.Attachment] = self._list("/v2/project_sessions/{project_session_id}/attachments", {"project_session_id": project_session_id}, query=query)
        return answer

    def create_attachment_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        body: t.AttachmentCreate,
    ) -> t.Attachment:
        """Create one attachment of one project session. Needs the role Advanced Tutor and the scope projects."""
        answer: t.Attachment = self._call("POST", "/v2/project_sessions/{project_session_id}/attachments", {"project_session_id": project_session_id}, body=body)
        return answer

    def get_attachment_of_project_session(
        self,
        project_session_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Attachment:
        """Get one attachment of one project session. Needs any token."""
        answer: t.Attachment = self._call("GET", "/v2/project_sessions/{project_session_id}/attachments/{id}", {"project_session_id": project_session_id, "id": id})
        return answer

    def list_apps(
        self,
        *,
        query: t.ListAppsQuery | None = None,
    ) -> Listing[t.App]:
        """List apps. Needs any token."""
        answer: Listing[t.App] = self._list("/v2/apps", query=query)
        return answer

    def create_app(
        self,
        *,
        body: t.AppCreate,
    ) -> t.CreateAppAnswer:
        """Create one app. Needs the role Advanced Staff."""
        answer: t.CreateAppAnswer = self._call("POST", "/v2/apps", body=body)
        return answer

    def get_app(
        self,
        id: t.Id,
        /,
    ) -> t.App:
        """Get one app. Needs any token."""
        answer: t.App = self._call("GET", "/v2/apps/{id}", {"id": id})
        return answer

    def update_app(
        self,
        id: t.Id,
        /,
        *,
        body: t.AppUpdate,
    ) -> None:
        """Change one app. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/apps/{id}", {"id": id}, body=body)

    def delete_app(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one app. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/apps/{id}", {"id": id})

    def list_apps_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListAppsQuery | None = None,
    ) -> Listing[t.App]:
        """List apps of one user. Needs any token."""
        answer: Listing[t.App] = self._list("/v2/users/{user_id}/apps", {"user_id": user_id}, query=query)
        return answer

    def list_project_sessions(
        self,
        *,
        query: t.ListProjectSessionsQuery | None = None,
    ) -> Listing[t.ProjectSession]:
        """List project sessions. Needs any token."""
        answer: Listing[t.ProjectSession] = self._list("/v2/project_sessions", query=query)
        return answer

    def create_project_session(
        self,
        *,
        body: t.ProjectSessionCreate,
    ) -> t.ProjectSessionCreated:
        """Create one project session. Needs the scope projects and the role Advanced Tutor."""
        answer: t.ProjectSessionCreated = self._call("POST", "/v2/project_sessions", body=body)
        return answer

    def graph_project_sessions(
        self,
        *,
        query: t.GraphProjectSessionsQuery | None = None,
    ) -> dict[str, int]:
        """Count project sessions over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/project_sessions/graph", query=query)
        return answer

    def graph_project_sessions_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphProjectSessionsQuery | None = None,
    ) -> dict[str, int]:
        """Count project sessions over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/project_sessions/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_project_sessions_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphProjectSessionsQuery | None = None,
    ) -> dict[str, int]:
        """Count project sessions over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/project_sessions/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_project_session(
        self,
        id: t.Id,
        /,
    ) -> t.ProjectSession:
        """Get one project session. Needs any token."""
        answer: t.ProjectSession = self._call("GET", "/v2/project_sessions/{id}", {"id": id})
        return answer

    def update_project_session(
        self,
        id: t.Id,
        /,
        *,
        body: t.ProjectSessionUpdate,
    ) -> None:
        """Change one project session. Needs the scope projects and the role Advanced Tutor."""
        self._call("PATCH", "/v2/project_sessions/{id}", {"id": id}, body=body)

    def delete_project_session(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one project session. Needs the scope projects and the role Advanced Tutor."""
        self._call("DELETE", "/v2/project_sessions/{id}", {"id": id})

    def list_project_sessions_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListProjectSessionsQuery | None = None,
    ) -> Listing[t.ProjectSession]:
        """List project sessions of one project. Needs any token."""
        answer: Listing[t.ProjectSession] = self._list("/v2/projects/{project_id}/project_sessions", {"project_id": project_id}, query=query)
        return answer

    def graph_project_sessions_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.GraphProjectSessionsQuery | None = None,
    ) -> dict[str, int]:
        """Count project sessions of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/project_sessions/graph", {"project_id": project_id}, query=query)
        return answer

    def graph_project_sessions_of_project_on_field(
        self,
        project_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphProjectSessionsQuery | None = None,
    ) -> dict[str, int]:
        """Count project sessions of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/project_sessions/graph/on/{field}", {"project_id": project_id, "field": field}, query=query)
        return answer

    def graph_project_sessions_of_project_on_field_by_interval(
        self,
        project_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphProjectSessionsQuery | None = None,
    ) -> dict[str, int]:
        """Count project sessions of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/project_sessions/graph/on/{field}/by/{interval}", {"project_id": project_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_project_sessions_rules(
        self,
        *,
        query: t.ListProjectSessionsRulesQuery | None = None,
    ) -> Listing[t.ProjectSessionsRule]:
        """List project sessions rules. Needs the role Basic Tutor."""
        answer: Listing[t.ProjectSessionsRule] = self._list("/v2/project_sessions_rules", query=query)
        return answer

    def create_project_sessions_rule(
        self,
        *,
        body: t.ProjectSessionsRuleCreate,
    ) -> t.ProjectSessionsRule:
        """Create one project sessions rule. Needs the scope projects and the role Advanced Tutor."""
        answer: t.ProjectSessionsRule = self._call("POST", "/v2/project_sessions_rules", body=body)
        return answer

    def get_project_sessions_rule(
        self,
        id: t.Id,
        /,
    ) -> t.ProjectSessionsRule:
        """Get one project sessions rule. Needs the role Basic Tutor."""
        answer: t.ProjectSessionsRule = self._call("GET", "/v2/project_sessions_rules/{id}", {"id": id})
        return answer

    def update_project_sessions_rule(
        self,
        id: t.Id,
        /,
        *,
        body: t.ProjectSessionsRuleUpdate,
    ) -> None:
        """Change one project sessions rule. Needs the scope projects and the role Advanced Tutor."""
        self._call("PATCH", "/v2/project_sessions_rules/{id}", {"id": id}, body=body)

    def delete_project_sessions_rule(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one project sessions rule. Needs the scope projects and the role Advanced Tutor."""
        self._call("DELETE", "/v2/project_sessions_rules/{id}", {"id": id})

    def list_project_sessions_rules_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        query: t.ListProjectSessionsRulesQuery | None = None,
    ) -> Listing[t.ProjectSessionsRule]:
        """List project sessions rules of one project session. Needs the role Basic Tutor."""
        answer: Listing[t.ProjectSessionsRule] = self._list("/v2/project_sessions/{project_session_id}/project_sessions_rules", {"project_session_id": project_session_id}, query=query)
        return answer

    def create_project_sessions_rule_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        body: t.ProjectSessionsRuleCreateBelowProjectSession,
    ) -> t.ProjectSessionsRule:
        """Create one project sessions rule of one project session. Needs the scope projects and the role Advanced Tutor."""
        answer: t.ProjectSessionsRule = self._call("POST", "/v2/project_sessions/{project_session_id}/project_sessions_rules", {"project_session_id": project_session_id}, body=body)
        return answer

    def list_project_sessions_skills(
        self,
        *,
        query: t.ListProjectSessionsSkillsQuery | None = None,
    ) -> Listing[t.ProjectSessionsSkill]:
        """List project sessions skills. Needs any token."""
        answer: Listing[t.ProjectSessionsSkill] = self._list("/v2/project_sessions_skills", query=query)
        return answer

    def get_project_sessions_skill(
        self,
        id: t.Id,
        /,
    ) -> t.ProjectSessionsSkill:
        """Get one project sessions skill. Needs any token."""
        answer: t.ProjectSessionsSkill = self._call("GET", "/v2/project_sessions_skills/{id}", {"id": id})
        return answer

    def list_project_sessions_skills_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        query: t.ListProjectSessionsSkillsQuery | None = None,
    ) -> Listing[t.ProjectSessionsSkill]:
        """List project sessions skills of one project session. Needs any token."""
        answer: Listing[t.ProjectSessionsSkill] = self._list("/v2/project_sessions/{project_session_id}/project_sessions_skills", {"project_session_id": project_session_id}, query=query)
        return answer

    def get_project_sessions_skill_of_project_session(
        self,
        project_session_id: t.Id,
        id: t.Id,
        /,
    ) -> t.ProjectSessionsSkill:
        """Get one project sessions skill of one project session. Needs any token."""
        answer: t.ProjectSessionsSkill = self._call("GET", "/v2/project_sessions/{project_session_id}/project_sessions_skills/{id}", {"project_session_id": project_session_id, "id": id})
        return answer

    def list_project_sessions_skills_of_skill(
        self,
        skill_id: t.Id,
        /,
        *,
        query: t.ListProjectSessionsSkillsQuery | None = None,
    ) -> Listing[t.ProjectSessionsSkill]:
        """List project sessions skills of one skill. Needs any token."""
        answer: Listing[t.ProjectSessionsSkill] = self._list("/v2/skills/{skill_id}/project_sessions_skills", {"skill_id": skill_id}, query=query)
        return answer

    def list_rules(
        self,
        *,
        query: t.ListRulesQuery | None = None,
    ) -> Listing[t.Rule]:
        """List rules. Needs the role Basic Tutor."""
        answer: Listing[t.Rule] = self._list("/v2/rules", query=query)
        return answer

    def create_rule(
        self,
        *,
        body: t.RuleCreate,
    ) -> t.Rule:
        """Create one rule. Needs the role Advanced Staff."""
        answer: t.Rule = self._call("POST", "/v2/rules", body=body)
        return answer

    def get_rule(
        self,
        id: t.Id,
        /,
    ) -> t.Rule:
        """Get one rule. Needs the role Basic Tutor."""
        answer: t.Rule = self._call("GET", "/v2/rules/{id}", {"id": id})
        return answer

    def update_rule(
        self,
        id: t.Id,
        /,
        *,
        body: t.RuleUpdate,
    ) -> None:
        """Change one rule. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/rules/{id}", {"id": id}, body=body)

    def delete_rule(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one rule. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/rules/{id}", {"id": id})

    def list_evaluations(
        self,
        *,
        query: t.ListEvaluationsQuery | None = None,
    ) -> Listing[t.Evaluation]:
        """List evaluations. Needs the role Basic Tutor."""
        answer: Listing[t.Evaluation] = self._list("/v2/evaluations", query=query)
        return answer

    def create_evaluation(
        self,
        *,
        body: t.EvaluationCreate,
    ) -> t.Evaluation:
        """Create one evaluation. Needs the role Advanced Tutor."""
        answer: t.Evaluation = self._call("POST", "/v2/evaluations", body=body)
        return answer

    def get_evaluation(
        self,
        id: t.Id,
        /,
    ) -> t.Evaluation:
        """Get one evaluation. Needs the role Basic Tutor."""
        answer: t.Evaluation = self._call("GET", "/v2/evaluations/{id}", {"id": id})
        return answer

    def update_evaluation(
        self,
        id: t.Id,
        /,
        *,
        body: t.EvaluationUpdate,
    ) -> None:
        """Change one evaluation. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/evaluations/{id}", {"id": id}, body=body)

    def delete_evaluation(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one evaluation. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/evaluations/{id}", {"id": id})

    def list_evaluations_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListEvaluationsQuery | None = None,
    ) -> Listing[t.Evaluation]:
        """List evaluations of one project. Needs the role Basic Tutor."""
        answer: Listing[t.Evaluation] = self._list("/v2/projects/{project_id}/evaluations", {"project_id": project_id}, query=query)
        return answer

    def list_evaluations_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        query: t.ListEvaluationsQuery | None = None,
    ) -> Listing[t.Evaluation]:
        """List evaluations of one project session. Needs the role Basic Tutor."""
        answer: Listing[t.Evaluation] = self._list("/v2/project_sessions/{project_session_id}/evaluations", {"project_session_id": project_session_id}, query=query)
        return answer

    def list_scales(
        self,
        *,
        query: t.ListScalesQuery | None = None,
    ) -> Listing[t.Scale]:
        """List scales. Needs the role Basic Tutor."""
        answer: Listing[t.Scale] = self._list("/v2/scales", query=query)
        return answer

    def create_scale(
        self,
        *,
        body: t.ScaleCreate,
    ) -> t.Scale:
        """Create one scale. Needs the role Basic Tutor."""
        answer: t.Scale = self._call("POST", "/v2/scales", body=body)
        return answer

    def get_scale(
        self,
        id: t.Id,
        /,
    ) -> t.Scale:
        """Get one scale. Needs the role Basic Tutor."""
        answer: t.Scale = self._call("GET", "/v2/scales/{id}", {"id": id})
        return answer

    def update_scale(
        self,
        id: t.Id,
        /,
        *,
        body: t.ScaleUpdate,
    ) -> None:
        """Change one scale. Needs the role Basic Tutor."""
        self._call("PATCH", "/v2/scales/{id}", {"id": id}, body=body)

    def delete_scale(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one scale. Needs the role Basic Tutor."""
        self._call("DELETE", "/v2/scales/{id}", {"id": id})

    def list_scales_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        query: t.ListScalesQuery | None = None,
    ) -> Listing[t.Scale]:
        """List scales of one project session. Needs the role Basic Tutor."""
        answer: Listing[t.Scale] = self._list("/v2/project_sessions/{project_session_id}/scales", {"project_session_id": project_session_id}, query=query)
        return answer

    def list_flags(
        self,
        *,
        query: t.ListFlagsQuery | None = None,
    ) -> Listing[t.Flag]:
        """List flags. Needs any token."""
        answer: Listing[t.Flag] = self._list("/v2/flags", query=query)
        return answer

    def create_flag(
        self,
        *,
        body: t.FlagCreate,
    ) -> t.Flag:
        """Create one flag. Needs the role Advanced Staff."""
        answer: t.Flag = self._call("POST", "/v2/flags", body=body)
        return answer

    def get_flag(
        self,
        id: t.Id,
        /,
    ) -> t.Flag:
        """Get one flag. Needs any token."""
        answer: t.Flag = self._call("GET", "/v2/flags/{id}", {"id": id})
        return answer

    def update_flag(
        self,
        id: t.Id,
        /,
        *,
        body: t.FlagUpdate,
    ) -> None:
        """Change one flag. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/flags/{id}", {"id": id}, body=body)

    def delete_flag(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one flag. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/flags/{id}", {"id": id})

    def list_teams(
        self,
        *,
        query: t.ListTeamsQuery | None = None,
    ) -> Listing[t.Team]:
        """List teams. Needs any token."""
        answer: Listing[t.Team] = self._list("/v2/teams", query=query)
        return answer

    def create_team(
        self,
        *,
        body: t.TeamCreate,
    ) -> t.Team:
        """Create one team. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        answer: t.Team = self._call("POST", "/v2/teams", body=body)
        return answer

    def graph_teams(
        self,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/teams/graph", query=query)
        return answer

    def graph_teams_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/teams/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_teams_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/teams/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_team(
        self,
        id: t.Id,
        /,
    ) -> t.Team:
        """Get one team. Needs any token."""
        answer: t.Team = self._call("GET", "/v2/teams/{id}", {"id": id})
        return answer

    def update_team(
        self,
        id: t.Id,
        /,
        *,
        body: t.TeamUpdate,
    ) -> None:
        """Change one team. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/teams/{id}", {"id": id}, body=body)

    def delete_team(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one team. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("DELETE", "/v2/teams/{id}", {"id": id})

    def reset_team_uploads_team(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Reset team uploads one team. Takes back what programs say of the work. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("POST", "/v2/teams/{id}/reset_team_uploads", {"id": id})

    def list_teams_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.ListTeamsQuery | None = None,
    ) -> Listing[t.Team]:
        """List teams of one cursus. Needs any token."""
        answer: Listing[t.Team] = self._list("/v2/cursus/{cursus_id}/teams", {"cursus_id": cursus_id}, query=query)
        return answer

    def graph_teams_of_cursus(
        self,
        cursus_id: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus/{cursus_id}/teams/graph", {"cursus_id": cursus_id}, query=query)
        return answer

    def graph_teams_of_cursus_on_field(
        self,
        cursus_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus/{cursus_id}/teams/graph/on/{field}", {"cursus_id": cursus_id, "field": field}, query=query)
        return answer

    def graph_teams_of_cursus_on_field_by_interval(
        self,
        cursus_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one cursus over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/cursus/{cursus_id}/teams/graph/on/{field}/by/{interval}", {"cursus_id": cursus_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_teams_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTeamsQuery | None = None,
    ) -> Listing[t.Team]:
        """List teams of one user. Needs any token."""
        answer: Listing[t.Team] = self._list("/v2/users/{user_id}/teams", {"user_id": user_id}, query=query)
        return answer

    def graph_teams_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/teams/graph", {"user_id": user_id}, query=query)
        return answer

    def graph_teams_of_user_on_field(
        self,
        user_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/teams/graph/on/{field}", {"user_id": user_id, "field": field}, query=query)
        return answer

    def graph_teams_of_user_on_field_by_interval(
        self,
        user_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/teams/graph/on/{field}/by/{interval}", {"user_id": user_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_my_teams(
        self,
        *,
        query: t.ListTeamsQuery | None = None,
    ) -> Listing[t.Team]:
        """List teams of the token's resource owner. Needs any token."""
        answer: Listing[t.Team] = self._list("/v2/me/teams", query=query)
        return answer

    def graph_my_teams(
        self,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of the token's resource owner over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/me/teams/graph", query=query)
        return answer

    def graph_my_teams_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of the token's resource owner over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/me/teams/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_my_teams_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of the token's resource owner over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/me/teams/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def list_teams_of_user_and_project(
        self,
        user_id: t.Id,
        project_id: t.Id,
        /,
        *,
        query: t.ListTeamsQuery | None = None,
    ) -> Listing[t.Team]:
        """List teams of one user and one project. Needs any token."""
        answer: Listing[t.Team] = self._list("/v2/users/{user_id}/projects/{project_id}/teams", {"user_id": user_id, "project_id": project_id}, query=query)
        return answer

    def graph_teams_of_user_and_project(
        self,
        user_id: t.Id,
        project_id: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one user and one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/projects/{project_id}/teams/graph", {"user_id": user_id, "project_id": project_id}, query=query)
        return answer

    def graph_teams_of_user_and_project_on_field(
        self,
        user_id: t.Id,
        project_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one user and one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/projects/{project_id}/teams/graph/on/{field}", {"user_id": user_id, "project_id": project_id, "field": field}, query=query)
        return answer

    def graph_teams_of_user_and_project_on_field_by_interval(
        self,
        user_id: t.Id,
        project_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one user and one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/projects/{project_id}/teams/graph/on/{field}/by/{interval}", {"user_id": user_id, "project_id": project_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_teams_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListTeamsQuery | None = None,
    ) -> Listing[t.Team]:
        """List teams of one project. Needs any token."""
        answer: Listing[t.Team] = self._list("/v2/projects/{project_id}/teams", {"project_id": project_id}, query=query)
        return answer

    def graph_teams_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/teams/graph", {"project_id": project_id}, query=query)
        return answer

    def graph_teams_of_project_on_field(
        self,
        project_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/teams/graph/on/{field}", {"project_id": project_id, "field": field}, query=query)
        return answer

    def graph_teams_of_project_on_field_by_interval(
        self,
        project_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count teams of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/teams/graph/on/{field}/by/{interval}", {"project_id": project_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_teams_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        query: t.ListTeamsQuery | None = None,
    ) -> Listing[t.Team]:
        """List teams of one project session. Needs any token."""
        answer: Listing[t.Team] = self._list("/v2/project_sessions/{project_session_id}/teams", {"project_session_id": project_session_id}, query=query)
        return answer

    def list_teams_users(
        self,
        *,
        query: t.ListTeamsUsersQuery | None = None,
    ) -> Listing[t.TeamsUser]:
        """List teams users. Needs any token."""
        answer: Listing[t.TeamsUser] = self._list("/v2/teams_users", query=query)
        return answer

    def create_teams_user(
        self,
        *,
        body: t.TeamsUserCreate,
    ) -> t.TeamsUser:
        """Create one teams user. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        answer: t.TeamsUser = self._call("POST", "/v2/teams_users", body=body)
        return answer

    def get_teams_user(
        self,
        id: t.Id,
        /,
    ) -> t.TeamsUser:
        """Get one teams user. Needs any token."""
        answer: t.TeamsUser = self._call("GET", "/v2/teams_users/{id}", {"id": id})
        return answer

    def update_teams_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.TeamsUserUpdate,
    ) -> None:
        """Change one teams user. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/teams_users/{id}", {"id": id}, body=body)

    def delete_teams_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one teams user. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("DELETE", "/v2/teams_users/{id}", {"id": id})

    def list_teams_users_of_team(
        self,
        team_id: t.Id,
        /,
        *,
        query: t.ListTeamsUsersQuery | None = None,
    ) -> Listing[t.TeamsUser]:
        """List teams users of one team. Needs any token."""
        answer: Listing[t.TeamsUser] = self._list("/v2/teams/{team_id}/teams_users", {"team_id": team_id}, query=query)
        return answer

    def list_teams_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTeamsUsersQuery | None = None,
    ) -> Listing[t.TeamsUser]:
        """List teams users of one user. Needs any token."""
        answer: Listing[t.TeamsUser] = self._list("/v2/users/{user_id}/teams_users", {"user_id": user_id}, query=query)
        return answer

    def list_my_teams_users(
        self,
        *,
        query: t.ListTeamsUsersQuery | None = None,
    ) -> Listing[t.TeamsUser]:
        """List teams users of the token's resource owner. Needs any token."""
        answer: Listing[t.TeamsUser] = self._list("/v2/me/teams_users", query=query)
        return answer

    def list_teams_uploads(
        self,
        *,
        query: t.ListTeamsUploadsQuery | None = None,
    ) -> Listing[t.TeamsUpload]:
        """List teams uploads. Needs any token."""
        answer: Listing[t.TeamsUpload] = self._list("/v2/teams_uploads", query=query)
        return answer

    def create_teams_upload(
        self,
        *,
        body: t.TeamsUploadCreate,
    ) -> t.TeamsUpload:
        """Create one teams upload. Needs the role Advanced Tutor."""
        answer: t.TeamsUpload = self._call("POST", "/v2/teams_uploads", body=body)
        return answer

    def get_teams_upload(
        self,
        id: t.Id,
        /,
    ) -> t.TeamsUpload:
        """Get one teams upload. Needs any token."""
        answer: t.TeamsUpload = self._call("GET", "/v2/teams_uploads/{id}", {"id": id})
        return answer

    def update_teams_upload(
        self,
        id: t.Id,
        /,
        *,
        body: t.TeamsUploadUpdate,
    ) -> None:
        """Change one teams upload. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/teams_uploads/{id}", {"id": id}, body=body)

    def delete_teams_upload(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one teams upload. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/teams_uploads/{id}", {"id": id})

    def create_teams_uploads(
        self,
        *,
        body: t.TeamsUploadBulk,
    ) -> list[t.TeamsUpload]:
        """Create several teams uploads. Needs the role Advanced Tutor and the scope projects."""
        answer: list[t.TeamsUpload] = self._call("POST", "/v2/teams_uploads/multiple_create", body=body)
        return answer

    def list_teams_uploads_of_team(
        self,
        team_id: t.Id,
        /,
        *,
        query: t.ListTeamsUploadsQuery | None = None,
    ) -> Listing[t.TeamsUpload]:
        """List teams uploads of one team. Needs any token."""
        answer: Listing[t.TeamsUpload] = self._list("/v2/teams/{team_id}/teams_uploads", {"team_id": team_id}, query=query)
        return answer

    def create_teams_upload_of_team(
        self,
        team_id: t.Id,
        /,
        *,
        body: t.TeamsUploadCreateBelowTeam,
    ) -> t.TeamsUpload:
        """Create one teams upload of one team. Needs the role Advanced Tutor."""
        answer: t.TeamsUpload = self._call("POST", "/v2/teams/{team_id}/teams_uploads", {"team_id": team_id}, body=body)
        return answer

    def list_scale_teams(
        self,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/scale_teams", query=query)
        return answer

    def create_scale_team(
        self,
        *,
        body: t.ScaleTeamCreate,
    ) -> t.ScaleTeam:
        """Create one scale team. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        answer: t.ScaleTeam = self._call("POST", "/v2/scale_teams", body=body)
        return answer

    def graph_scale_teams(
        self,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/scale_teams/graph", query=query)
        return answer

    def graph_scale_teams_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/scale_teams/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_scale_teams_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/scale_teams/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_scale_team(
        self,
        id: t.Id,
        /,
    ) -> t.ScaleTeam:
        """Get one scale team. Needs any token."""
        answer: t.ScaleTeam = self._call("GET", "/v2/scale_teams/{id}", {"id": id})
        return answer

    def update_scale_team(
        self,
        id: t.Id,
        /,
        *,
        body: t.ScaleTeamUpdate,
    ) -> None:
        """Change one scale team. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/scale_teams/{id}", {"id": id}, body=body)

    def delete_scale_team(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one scale team. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("DELETE", "/v2/scale_teams/{id}", {"id": id})

    def create_scale_teams(
        self,
        *,
        body: t.ScaleTeamBulk,
    ) -> list[t.ScaleTeam]:
        """Create several scale teams. Needs the role Advanced Tutor and the scope projects."""
        answer: list[t.ScaleTeam] = self._call("POST", "/v2/scale_teams/multiple_create", body=body)
        return answer

    def list_scale_teams_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams of one project. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/projects/{project_id}/scale_teams", {"project_id": project_id}, query=query)
        return answer

    def graph_scale_teams_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/scale_teams/graph", {"project_id": project_id}, query=query)
        return answer

    def graph_scale_teams_of_project_on_field(
        self,
        project_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/scale_teams/graph/on/{field}", {"project_id": project_id, "field": field}, query=query)
        return answer

    def graph_scale_teams_of_project_on_field_by_interval(
        self,
        project_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/scale_teams/graph/on/{field}/by/{interval}", {"project_id": project_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_scale_teams_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams of one project session. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/project_sessions/{project_session_id}/scale_teams", {"project_session_id": project_session_id}, query=query)
        return answer

    def list_scale_teams_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams of one user. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/users/{user_id}/scale_teams", {"user_id": user_id}, query=query)
        return answer

    def graph_scale_teams_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/scale_teams/graph", {"user_id": user_id}, query=query)
        return answer

    def graph_scale_teams_of_user_on_field(
        self,
        user_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/scale_teams/graph/on/{field}", {"user_id": user_id, "field": field}, query=query)
        return answer

    def graph_scale_teams_of_user_on_field_by_interval(
        self,
        user_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/scale_teams/graph/on/{field}/by/{interval}", {"user_id": user_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_my_scale_teams(
        self,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams of the token's resource owner. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/me/scale_teams", query=query)
        return answer

    def graph_my_scale_teams(
        self,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of the token's resource owner over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/me/scale_teams/graph", query=query)
        return answer

    def graph_my_scale_teams_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of the token's resource owner over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/me/scale_teams/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_my_scale_teams_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphScaleTeamsQuery | None = None,
    ) -> dict[str, int]:
        """Count scale teams of the token's resource owner over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/me/scale_teams/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def list_scale_teams_of_user_as_corrector(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams of one user. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/users/{user_id}/scale_teams/as_corrector", {"user_id": user_id}, query=query)
        return answer

    def list_my_scale_teams_as_corrector(
        self,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams of the token's resource owner. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/me/scale_teams/as_corrector", query=query)
        return answer

    def list_scale_teams_of_user_as_corrected(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams of one user. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/users/{user_id}/scale_teams/as_corrected", {"user_id": user_id}, query=query)
        return answer

    def list_my_scale_teams_as_corrected(
        self,
        *,
        query: t.ListScaleTeamsQuery | None = None,
    ) -> Listing[t.ScaleTeam]:
        """List scale teams of the token's resource owner. Needs any token."""
        answer: Listing[t.ScaleTeam] = self._list("/v2/me/scale_teams/as_corrected", query=query)
        return answer

    def list_slots(
        self,
        *,
        query: t.ListSlotsQuery | None = None,
    ) -> Listing[t.Slot]:
        """List slots. Needs the role Basic Tutor, or the role Basic Staff, or the scope projects and a token that stands for a person."""
        answer: Listing[t.Slot] = self._list("/v2/slots", query=query)
        return answer

    def create_slot(
        self,
        *,
        body: t.SlotCreate,
    ) -> list[t.Slot]:
        """Create one slot. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        answer: list[t.Slot] = self._call("POST", "/v2/slots", body=body)
        return answer

    def graph_slots(
        self,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/slots/graph", query=query)
        return answer

    def graph_slots_on_field(
        self,
        field: t.Id,
        /,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/slots/graph/on/{field}", {"field": field}, query=query)
        return answer

    def graph_slots_on_field_by_interval(
        self,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/slots/graph/on/{field}/by/{interval}", {"field": field, "interval": interval}, query=query)
        return answer

    def get_slot(
        self,
        id: t.Id,
        /,
    ) -> t.Slot:
        """Get one slot. Needs the role Basic Tutor, or the role Basic Staff, or the scope projects and a token that stands for a person."""
        answer: t.Slot = self._call("GET", "/v2/slots/{id}", {"id": id})
        return answer

    def update_slot(
        self,
        id: t.Id,
        /,
        *,
        body: t.SlotUpdate,
    ) -> None:
        """Change one slot. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/slots/{id}", {"id": id}, body=body)

    def delete_slot(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one slot. Needs the role Advanced Tutor, or the scope projects and a token of the record's own user."""
        self._call("DELETE", "/v2/slots/{id}", {"id": id})

    def list_slots_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListSlotsQuery | None = None,
    ) -> Listing[t.Slot]:
        """List slots of one user. Needs the role Basic Tutor, or the role Basic Staff, or the scope projects and a token that stands for a person."""
        answer: Listing[t.Slot] = self._list("/v2/users/{user_id}/slots", {"user_id": user_id}, query=query)
        return answer

    def graph_slots_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/slots/graph", {"user_id": user_id}, query=query)
        return answer

    def graph_slots_of_user_on_field(
        self,
        user_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/slots/graph/on/{field}", {"user_id": user_id, "field": field}, query=query)
        return answer

    def graph_slots_of_user_on_field_by_interval(
        self,
        user_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots of one user over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/users/{user_id}/slots/graph/on/{field}/by/{interval}", {"user_id": user_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_my_slots(
        self,
        *,
        query: t.ListSlotsQuery | None = None,
    ) -> Listing[t.Slot]:
        """List slots of the token's resource owner. Needs the role Basic Tutor, or the role Basic Staff, or the scope projects and a token that stands for a person."""
        answer: Listing[t.Slot] = self._list("/v2/me/slots", query=query)
        return answer

    def list_slots_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.ListSlotsQuery | None = None,
    ) -> Listing[t.Slot]:
        """List slots of one project. With a token that stands for a person, those of which available is true. Needs the role Basic Tutor, or the role Basic Staff, or the scope projects and a token that stands for a person."""
        answer: Listing[t.Slot] = self._list("/v2/projects/{project_id}/slots", {"project_id": project_id}, query=query)
        return answer

    def graph_slots_of_project(
        self,
        project_id: t.Id,
        /,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/slots/graph", {"project_id": project_id}, query=query)
        return answer

    def graph_slots_of_project_on_field(
        self,
        project_id: t.Id,
        field: t.Id,
        /,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/slots/graph/on/{field}", {"project_id": project_id, "field": field}, query=query)
        return answer

    def graph_slots_of_project_on_field_by_interval(
        self,
        project_id: t.Id,
        field: t.Id,
        interval: t.Id,
        /,
        *,
        query: t.GraphSlotsQuery | None = None,
    ) -> dict[str, int]:
        """Count slots of one project over time. Needs any token."""
        answer: dict[str, int] = self._call("GET", "/v2/projects/{project_id}/slots/graph/on/{field}/by/{interval}", {"project_id": project_id, "field": field, "interval": interval}, query=query)
        return answer

    def list_correction_point_historics(
        self,
        *,
        query: t.ListCorrectionPointHistoricsQuery | None = None,
    ) -> Listing[t.CorrectionPointHistoric]:
        """List correction point historics. Needs any token."""
        answer: Listing[t.CorrectionPointHistoric] = self._list("/v2/correction_point_historics", query=query)
        return answer

    def get_correction_point_historic(
        self,
        id: t.Id,
        /,
    ) -> t.CorrectionPointHistoric:
        """Get one correction point historic. Needs any token."""
        answer: t.CorrectionPointHistoric = self._call("GET", "/v2/correction_point_historics/{id}", {"id": id})
        return answer

    def list_correction_point_historics_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListCorrectionPointHistoricsQuery | None = None,
    ) -> Listing[t.CorrectionPointHistoric]:
        """List correction point historics of one user. Needs any token."""
        answer: Listing[t.CorrectionPointHistoric] = self._list("/v2/users/{user_id}/correction_point_historics", {"user_id": user_id}, query=query)
        return answer

    def list_pools(
        self,
        *,
        query: t.ListPoolsQuery | None = None,
    ) -> Listing[t.Pool]:
        """List pools. Needs the role Advanced Tutor."""
        answer: Listing[t.Pool] = self._list("/v2/pools", query=query)
        return answer

    def create_pool(
        self,
        *,
        body: t.PoolCreate,
    ) -> t.Pool:
        """Create one pool. Needs the role Advanced Tutor."""
        answer: t.Pool = self._call("POST", "/v2/pools", body=body)
        return answer

    def get_pool(
        self,
        id: t.Id,
        /,
    ) -> t.Pool:
        """Get one pool. Needs the role Advanced Tutor."""
        answer: t.Pool = self._call("GET", "/v2/pools/{id}", {"id": id})
        return answer

    def update_pool(
        self,
        id: t.Id,
        /,
        *,
        body: t.PoolUpdate,
    ) -> None:
        """Change one pool. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/pools/{id}", {"id": id}, body=body)

    def delete_pool(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one pool. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/pools/{id}", {"id": id})

    def add_points_pool(
        self,
        id: t.Id,
        /,
        *,
        body: t.AddPointsPoolBody,
    ) -> t.Pool:
        """Add points of one pool. Puts points into it, or takes them out where they are below 0, and tells the pool. Needs the role Advanced Tutor."""
        answer: t.Pool = self._call("POST", "/v2/pools/{id}/points/add", {"id": id}, body=body)
        return answer

    def remove_points_pool(
        self,
        id: t.Id,
        /,
        *,
        body: t.RemovePointsPoolBody,
    ) -> t.Pool:
        """Remove points of one pool. Takes points out of it, whatever their sign, and tells the pool. Needs the role Advanced Tutor."""
        answer: t.Pool = self._call("DELETE", "/v2/pools/{id}/points/remove", {"id": id}, body=body)
        return answer

    def list_balances(
        self,
        *,
        query: t.ListBalancesQuery | None = None,
    ) -> Listing[t.Balance]:
        """List balances. Needs the role Advanced Tutor."""
        answer: Listing[t.Balance] = self._list("/v2/balances", query=query)
        return answer

    def create_balance(
        self,
        *,
        body: t.BalanceCreate,
    ) -> t.Balance:
        """Create one balance. Needs the role Advanced Tutor."""
        answer: t.Balance = self._call("POST", "/v2/balances", body=body)
        return answer

    def get_balance(
        self,
        id: t.Id,
        /,
    ) -> t.Balance:
        """Get one balance. Needs the role Advanced Tutor."""
        answer: t.Balance = self._call("GET", "/v2/balances/{id}", {"id": id})
        return answer

    def update_balance(
        self,
        id: t.Id,
        /,
        *,
        body: t.BalanceUpdate,
    ) -> None:
        """Change one balance. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/balances/{id}", {"id": id}, body=body)

    def delete_balance(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one balance. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/balances/{id}", {"id": id})

    def list_balances_of_pool(
        self,
        pool_id: t.Id,
        /,
        *,
        query: t.ListBalancesQuery | None = None,
    ) -> Listing[t.Balance]:
        """List balances of one pool. Needs the role Advanced Tutor."""
        answer: Listing[t.Balance] = self._list("/v2/pools/{pool_id}/balances", {"pool_id": pool_id}, query=query)
        return answer

    def create_balance_of_pool(
        self,
        pool_id: t.Id,
        /,
        *,
        body: t.BalanceCreateBelowPool,
    ) -> t.Balance:
        """Create one balance of one pool. Needs the role Advanced Tutor."""
        answer: t.Balance = self._call("POST", "/v2/pools/{pool_id}/balances", {"pool_id": pool_id}, body=body)
        return answer

    def get_balance_of_pool(
        self,
        pool_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Balance:
        """Get one balance of one pool. Needs the role Advanced Tutor."""
        answer: t.Balance = self._call("GET", "/v2/pools/{pool_id}/balances/{id}", {"pool_id": pool_id, "id": id})
        return answer

    def update_balance_of_pool(
        self,
        pool_id: t.Id,
        id: t.Id,
        /,
        *,
        body: t.BalanceUpdate,
    ) -> None:
        """Change one balance of one pool. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/pools/{pool_id}/balances/{id}", {"pool_id": pool_id, "id": id}, body=body)

    def delete_balance_of_pool(
        self,
        pool_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Delete one balance of one pool. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/pools/{pool_id}/balances/{id}", {"pool_id": pool_id, "id": id})

    def list_transactions(
        self,
        *,
        query: t.ListTransactionsQuery | None = None,
    ) -> Listing[t.Transaction]:
        """List transactions. Needs the role Transactions manager."""
        answer: Listing[t.Transaction] = self._list("/v2/transactions", query=query)
        return answer

    def create_transaction(
        self,
        *,
        body: t.TransactionCreate,
    ) -> t.Transaction:
        """Create one transaction. Needs the role Transactions manager."""
        answer: t.Transaction = self._call("POST", "/v2/transactions", body=body)
        return answer

    def get_transaction(
        self,
        id: t.Id,
        /,
    ) -> t.Transaction:
        """Get one transaction. Needs the role Transactions manager."""
        answer: t.Transaction = self._call("GET", "/v2/transactions/{id}", {"id": id})
        return answer

    def delete_transaction(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one transaction. Needs the role Transactions manager."""
        self._call("DELETE", "/v2/transactions/{id}", {"id": id})

    def list_transactions_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListTransactionsQuery | None = None,
    ) -> Listing[t.Transaction]:
        """List transactions of one user. Needs the role Transactions manager."""
        answer: Listing[t.Transaction] = self._list("/v2/users/{user_id}/transactions", {"user_id": user_id}, query=query)
        return answer

    def list_products(
        self,
        *,
        query: t.ListProductsQuery | None = None,
    ) -> Listing[t.Product]:
        """List products. Needs any token."""
        answer: Listing[t.Product] = self._list("/v2/products", query=query)
        return answer

    def create_product(
        self,
        *,
        body: t.ProductCreate,
    ) -> t.Product:
        """Create one product. Needs the role Shop manager, or the role Advanced Tutor."""
        answer: t.Product = self._call("POST", "/v2/products", body=body)
        return answer

    def get_product(
        self,
        id: t.Id,
        /,
    ) -> t.Product:
        """Get one product. Needs any token."""
        answer: t.Product = self._call("GET", "/v2/products/{id}", {"id": id})
        return answer

    def update_product(
        self,
        id: t.Id,
        /,
        *,
        body: t.ProductUpdate,
    ) -> None:
        """Change one product. Needs the role Shop manager, or the role Advanced Tutor."""
        self._call("PATCH", "/v2/products/{id}", {"id": id}, body=body)

    def delete_product(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one product. Needs the role Shop manager, or the role Advanced Tutor."""
        self._call("DELETE", "/v2/products/{id}", {"id": id})

    def list_products_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        query: t.ListProductsQuery | None = None,
    ) -> Listing[t.ProductAtCampus]:
        """List products of one campus. Needs any token."""
        answer: Listing[t.ProductAtCampus] = self._list("/v2/campus/{campus_id}/products", {"campus_id": campus_id}, query=query)
        return answer

    def create_product_of_campus(
        self,
        campus_id: t.Id,
        /,
        *,
        body: t.ProductCreate,
    ) -> t.Product:
        """Create one product of one campus. Needs the role Shop manager, or the role Advanced Tutor."""
        answer: t.Product = self._call("POST", "/v2/campus/{campus_id}/products", {"campus_id": campus_id}, body=body)
        return answer

    def get_product_of_campus(
        self,
        campus_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Product:
        """Get one product of one campus. Needs any token."""
        answer: t.Product = self._call("GET", "/v2/campus/{campus_id}/products/{id}", {"campus_id": campus_id, "id": id})
        return answer

    def update_product_of_campus(
        self,
        campus_id: t.Id,
        id: t.Id,
        /,
        *,
        body: t.ProductUpdate,
    ) -> None:
        """Change one product of one campus. Needs the role Shop manager, or the role Advanced Tutor."""
        self._call("PATCH", "/v2/campus/{campus_id}/products/{id}", {"campus_id": campus_id, "id": id}, body=body)

    def delete_product_of_campus(
        self,
        campus_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Delete one product of one campus. Needs the role Shop manager, or the role Advanced Tutor."""
        self._call("DELETE", "/v2/campus/{campus_id}/products/{id}", {"campus_id": campus_id, "id": id})

    def list_commands(
        self,
        *,
        query: t.ListCommandsQuery | None = None,
    ) -> Listing[t.Command]:
        """List commands. Needs any token."""
        answer: Listing[t.Command] = self._list("/v2/commands", query=query)
        return answer

    def get_command(
        self,
        id: t.Id,
        /,
    ) -> t.Command:
        """Get one command. Needs any token."""
        answer: t.Command = self._call("GET", "/v2/commands/{id}", {"id": id})
        return answer

    def list_commands_of_product(
        self,
        product_id: t.Id,
        /,
        *,
        query: t.ListCommandsQuery | None = None,
    ) -> Listing[t.Command]:
        """List commands of one product. Needs any token."""
        answer: Listing[t.Command] = self._list("/v2/products/{product_id}/commands", {"product_id": product_id}, query=query)
        return answer

    def list_commands_of_campus_and_product(
        self,
        campus_id: t.Id,
        product_id: t.Id,
        /,
        *,
        query: t.ListCommandsQuery | None = None,
    ) -> Listing[t.Command]:
        """List commands of one campus and one product. Needs any token."""
        answer: Listing[t.Command] = self._list("/v2/campus/{campus_id}/products/{product_id}/commands", {"campus_id": campus_id, "product_id": product_id}, query=query)
        return answer

    def list_feedbacks(
        self,
        *,
        query: t.ListFeedbacksQuery | None = None,
    ) -> Listing[t.Feedback]:
        """List feedbacks. Needs any token."""
        answer: Listing[t.Feedback] = self._list("/v2/feedbacks", query=query)
        return answer

    def create_feedback(
        self,
        *,
        body: t.FeedbackCreate,
    ) -> t.Feedback:
        """Create one feedback. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        answer: t.Feedback = self._call("POST", "/v2/feedbacks", body=body)
        return answer

    def get_feedback(
        self,
        id: t.Id,
        /,
    ) -> t.Feedback:
        """Get one feedback. Needs any token."""
        answer: t.Feedback = self._call("GET", "/v2/feedbacks/{id}", {"id": id})
        return answer

    def update_feedback(
        self,
        id: t.Id,
        /,
        *,
        body: t.FeedbackUpdate,
    ) -> None:
        """Change one feedback. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/feedbacks/{id}", {"id": id}, body=body)

    def delete_feedback(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one feedback. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        self._call("DELETE", "/v2/feedbacks/{id}", {"id": id})

    def list_feedbacks_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListFeedbacksQuery | None = None,
    ) -> Listing[t.Feedback]:
        """List feedbacks of one user. Needs any token."""
        answer: Listing[t.Feedback] = self._list("/v2/users/{user_id}/feedbacks", {"user_id": user_id}, query=query)
        return answer

    def list_feedbacks_of_event(
        self,
        event_id: t.Id,
        /,
        *,
        query: t.ListFeedbacksQuery | None = None,
    ) -> Listing[t.Feedback]:
        """List feedbacks of one event. Needs any token."""
        answer: Listing[t.Feedback] = self._list("/v2/events/{event_id}/feedbacks", {"event_id": event_id}, query=query)
        return answer

    def create_feedback_of_event(
        self,
        event_id: t.Id,
        /,
        *,
        body: t.FeedbackCreate,
    ) -> t.Feedback:
        """Create one feedback of one event. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        answer: t.Feedback = self._call("POST", "/v2/events/{event_id}/feedbacks", {"event_id": event_id}, body=body)
        return answer

    def get_feedback_of_event(
        self,
        event_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Feedback:
        """Get one feedback of one event. Needs any token."""
        answer: t.Feedback = self._call("GET", "/v2/events/{event_id}/feedbacks/{id}", {"event_id": event_id, "id": id})
        return answer

    def update_feedback_of_event(
        self,
        event_id: t.Id,
        id: t.Id,
        /,
        *,
        body: t.FeedbackUpdate,
    ) -> None:
        """Change one feedback of one event. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/events/{event_id}/feedbacks/{id}", {"event_id": event_id, "id": id}, body=body)

    def delete_feedback_of_event(
        self,
        event_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Delete one feedback of one event. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        self._call("DELETE", "/v2/events/{event_id}/feedbacks/{id}", {"event_id": event_id, "id": id})

    def list_feedbacks_of_scale_team(
        self,
        scale_team_id: t.Id,
        /,
        *,
        query: t.ListFeedbacksQuery | None = None,
    ) -> Listing[t.Feedback]:
        """List feedbacks of one scale team. Needs any token."""
        answer: Listing[t.Feedback] = self._list("/v2/scale_teams/{scale_team_id}/feedbacks", {"scale_team_id": scale_team_id}, query=query)
        return answer

    def create_feedback_of_scale_team(
        self,
        scale_team_id: t.Id,
        /,
        *,
        body: t.FeedbackCreate,
    ) -> t.Feedback:
        """Create one feedback of one scale team. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        answer: t.Feedback = self._call("POST", "/v2/scale_teams/{scale_team_id}/feedbacks", {"scale_team_id": scale_team_id}, body=body)
        return answer

    def get_feedback_of_scale_team(
        self,
        scale_team_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Feedback:
        """Get one feedback of one scale team. Needs any token."""
        answer: t.Feedback = self._call("GET", "/v2/scale_teams/{scale_team_id}/feedbacks/{id}", {"scale_team_id": scale_team_id, "id": id})
        return answer

    def update_feedback_of_scale_team(
        self,
        scale_team_id: t.Id,
        id: t.Id,
        /,
        *,
        body: t.FeedbackUpdate,
    ) -> None:
        """Change one feedback of one scale team. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        self._call("PATCH", "/v2/scale_teams/{scale_team_id}/feedbacks/{id}", {"scale_team_id": scale_team_id, "id": id}, body=body)

    def delete_feedback_of_scale_team(
        self,
        scale_team_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Delete one feedback of one scale team. Needs the role Basic Staff, or the scope projects and a token of the record's own user."""
        self._call("DELETE", "/v2/scale_teams/{scale_team_id}/feedbacks/{id}", {"scale_team_id": scale_team_id, "id": id})

    def list_offers(
        self,
        *,
        query: t.ListOffersQuery | None = None,
    ) -> Listing[t.Offer]:
        """List offers. Needs any token."""
        answer: Listing[t.Offer] = self._list("/v2/offers", query=query)
        return answer

    def create_offer(
        self,
        *,
        body: t.OfferCreate,
    ) -> t.Offer:
        """Create one offer. Needs the role Companies Manager."""
        answer: t.Offer = self._call("POST", "/v2/offers", body=body)
        return answer

    def get_offer(
        self,
        id: t.Id,
        /,
    ) -> t.Offer:
        """Get one offer. Needs any token."""
        answer: t.Offer = self._call("GET", "/v2/offers/{id}", {"id": id})
        return answer

    def update_offer(
        self,
        id: t.Id,
        /,
        *,
        body: t.OfferUpdate,
    ) -> None:
        """Change one offer. Needs the role Companies Manager."""
        self._call("PATCH", "/v2/offers/{id}", {"id": id}, body=body)

    def delete_offer(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one offer. Needs the role Companies Manager."""
        self._call("DELETE", "/v2/offers/{id}", {"id": id})

    def list_offers_users(
        self,
        *,
        query: t.ListOffersUsersQuery | None = None,
    ) -> Listing[t.OffersUser]:
        """List offers users. Needs the role Companies Manager."""
        answer: Listing[t.OffersUser] = self._list("/v2/offers_users", query=query)
        return answer

    def create_offers_user(
        self,
        *,
        body: t.OffersUserCreate,
    ) -> t.OffersUser:
        """Create one offers user. Needs the role Companies Manager."""
        answer: t.OffersUser = self._call("POST", "/v2/offers_users", body=body)
        return answer

    def get_offers_user(
        self,
        id: t.Id,
        /,
    ) -> t.OffersUser:
        """Get one offers user. Needs the role Companies Manager."""
        answer: t.OffersUser = self._call("GET", "/v2/offers_users/{id}", {"id": id})
        return answer

    def update_offers_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.OffersUserUpdate,
    ) -> None:
        """Change one offers user. Needs the role Companies Manager."""
        self._call("PATCH", "/v2/offers_users/{id}", {"id": id}, body=body)

    def delete_offers_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one offers user. Needs the role Companies Manager."""
        self._call("DELETE", "/v2/offers_users/{id}", {"id": id})

    def list_offers_users_of_offer(
        self,
        offer_id: t.Id,
        /,
        *,
        query: t.ListOffersUsersQuery | None = None,
    ) -> Listing[t.OffersUser]:
        """List offers users of one offer. Needs the role Companies Manager."""
        answer: Listing[t.OffersUser] = self._list("/v2/offers/{offer_id}/offers_users", {"offer_id": offer_id}, query=query)
        return answer

    def list_offers_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListOffersUsersQuery | None = None,
    ) -> Listing[t.OffersUser]:
        """List offers users of one user. Needs the role Companies Manager."""
        answer: Listing[t.OffersUser] = self._list("/v2/users/{user_id}/offers_users", {"user_id": user_id}, query=query)
        return answer

    def list_internships(
        self,
        *,
        query: t.ListInternshipsQuery | None = None,
    ) -> Listing[t.Internship]:
        """List internships. Needs the role Companies Manager."""
        answer: Listing[t.Internship] = self._list("/v2/internships", query=query)
        return answer

    def create_internship(
        self,
        *,
        body: t.InternshipCreate,
    ) -> t.Internship:
        """Create one internship. Needs the role Companies Manager."""
        answer: t.Internship = self._call("POST", "/v2/internships", body=body)
        return answer

    def get_internship(
        self,
        id: t.Id,
        /,
    ) -> t.Internship:
        """Get one internship. Needs the role Companies Manager."""
        answer: t.Internship = self._call("GET", "/v2/internships/{id}", {"id": id})
        return answer

    def update_internship(
        self,
        id: t.Id,
        /,
        *,
        body: t.InternshipUpdate,
    ) -> None:
        """Change one internship. Needs the role Companies Manager."""
        self._call("PATCH", "/v2/internships/{id}", {"id": id}, body=body)

    def delete_internship(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one internship. Needs the role Companies Manager."""
        self._call("DELETE", "/v2/internships/{id}", {"id": id})

    def list_internships_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListInternshipsQuery | None = None,
    ) -> Listing[t.Internship]:
        """List internships of one user. Needs the role Companies Manager."""
        answer: Listing[t.Internship] = self._list("/v2/users/{user_id}/internships", {"user_id": user_id}, query=query)
        return answer

    def list_internships_of_offer(
        self,
        offer_id: t.Id,
        /,
        *,
        query: t.ListInternshipsQuery | None = None,
    ) -> Listing[t.Internship]:
        """List internships of one offer. Needs the role Companies Manager."""
        answer: Listing[t.Internship] = self._list("/v2/offers/{offer_id}/internships", {"offer_id": offer_id}, query=query)
        return answer

    def list_flashes(
        self,
        *,
        query: t.ListFlashesQuery | None = None,
    ) -> Listing[t.Flash]:
        """List flashes. Needs the role Advanced Tutor."""
        answer: Listing[t.Flash] = self._list("/v2/flashes", query=query)
        return answer

    def create_flash(
        self,
        *,
        body: t.FlashCreate,
    ) -> t.Flash:
        """Create one flash. Needs the role Advanced Tutor."""
        answer: t.Flash = self._call("POST", "/v2/flashes", body=body)
        return answer

    def get_flash(
        self,
        id: t.Id,
        /,
    ) -> t.Flash:
        """Get one flash. Needs the role Advanced Tutor."""
        answer: t.Flash = self._call("GET", "/v2/flashes/{id}", {"id": id})
        return answer

    def update_flash(
        self,
        id: t.Id,
        /,
        *,
        body: t.FlashUpdate,
    ) -> None:
        """Change one flash. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/flashes/{id}", {"id": id}, body=body)

    def delete_flash(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one flash. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/flashes/{id}", {"id": id})

    def list_flash_users(
        self,
        *,
        query: t.ListFlashUsersQuery | None = None,
    ) -> Listing[t.FlashUser]:
        """List flash users. Needs the role Advanced Tutor."""
        answer: Listing[t.FlashUser] = self._list("/v2/flash_users", query=query)
        return answer

    def create_flash_user(
        self,
        *,
        body: t.FlashUserCreate,
    ) -> t.FlashUser:
        """Create one flash user. Needs the role Advanced Tutor."""
        answer: t.FlashUser = self._call("POST", "/v2/flash_users", body=body)
        return answer

    def get_flash_user(
        self,
        id: t.Id,
        /,
    ) -> t.FlashUser:
        """Get one flash user. Needs the role Advanced Tutor."""
        answer: t.FlashUser = self._call("GET", "/v2/flash_users/{id}", {"id": id})
        return answer

    def update_flash_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.FlashUserUpdate,
    ) -> None:
        """Change one flash user. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/flash_users/{id}", {"id": id}, body=body)

    def delete_flash_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one flash user. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/flash_users/{id}", {"id": id})

    def list_flash_users_of_flash(
        self,
        flash_id: t.Id,
        /,
        *,
        query: t.ListFlashUsersQuery | None = None,
    ) -> Listing[t.FlashUser]:
        """List flash users of one flash. Needs the role Advanced Tutor."""
        answer: Listing[t.FlashUser] = self._list("/v2/flashes/{flash_id}/flash_users", {"flash_id": flash_id}, query=query)
        return answer

    def create_flash_user_of_flash(
        self,
        flash_id: t.Id,
        /,
        *,
        body: t.FlashUserCreateBelowFlash,
    ) -> t.FlashUser:
        """Create one flash user of one flash. Needs the role Advanced Tutor."""
        answer: t.FlashUser = self._call("POST", "/v2/flashes/{flash_id}/flash_users", {"flash_id": flash_id}, body=body)
        return answer

    def get_flash_user_of_flash(
        self,
        flash_id: t.Id,
        id: t.Id,
        /,
    ) -> t.FlashUser:
        """Get one flash user of one flash. Needs the role Advanced Tutor."""
        answer: t.FlashUser = self._call("GET", "/v2/flashes/{flash_id}/flash_users/{id}", {"flash_id": flash_id, "id": id})
        return answer

    def list_certificates(
        self,
        *,
        query: t.ListCertificatesQuery | None = None,
    ) -> Listing[t.Certificate]:
        """List certificates. Needs the role Advanced Tutor."""
        answer: Listing[t.Certificate] = self._list("/v2/certificates", query=query)
        return answer

    def create_certificate(
        self,
        *,
        body: t.CertificateCreate,
    ) -> t.Certificate:
        """Create one certificate. Needs the role Advanced Tutor."""
        answer: t.Certificate = self._call("POST", "/v2/certificates", body=body)
        return answer

    def get_certificate(
        self,
        id: t.Id,
        /,
    ) -> t.Certificate:
        """Get one certificate. Needs the role Advanced Tutor."""
        answer: t.Certificate = self._call("GET", "/v2/certificates/{id}", {"id": id})
        return answer

    def update_certificate(
        self,
        id: t.Id,
        /,
        *,
        body: t.CertificateUpdate,
    ) -> None:
        """Change one certificate. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/certificates/{id}", {"id": id}, body=body)

    def delete_certificate(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one certificate. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/certificates/{id}", {"id": id})

    def list_certificates_users(
        self,
        *,
        query: t.ListCertificatesUsersQuery | None = None,
    ) -> Listing[t.CertificatesUser]:
        """List certificates users. Needs the role Advanced Tutor."""
        answer: Listing[t.CertificatesUser] = self._list("/v2/certificates_users", query=query)
        return answer

    def create_certificates_user(
        self,
        *,
        body: t.CertificatesUserCreate,
    ) -> t.CertificatesUser:
        """Create one certificates user. Needs the role Advanced Tutor."""
        answer: t.CertificatesUser = self._call("POST", "/v2/certificates_users", body=body)
        return answer

    def get_certificates_user(
        self,
        id: t.Id,
        /,
    ) -> t.CertificatesUser:
        """Get one certificates user. Needs the role Advanced Tutor."""
        answer: t.CertificatesUser = self._call("GET", "/v2/certificates_users/{id}", {"id": id})
        return answer

    def update_certificates_user(
        self,
        id: t.Id,
        /,
        *,
        body: t.CertificatesUserUpdate,
    ) -> None:
        """Change one certificates user. Needs the role Advanced Tutor."""
        self._call("PATCH", "/v2/certificates_users/{id}", {"id": id}, body=body)

    def delete_certificates_user(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one certificates user. Needs the role Advanced Tutor."""
        self._call("DELETE", "/v2/certificates_users/{id}", {"id": id})

    def list_certificates_users_of_certificate(
        self,
        certificate_id: t.Id,
        /,
        *,
        query: t.ListCertificatesUsersQuery | None = None,
    ) -> Listing[t.CertificatesUser]:
        """List certificates users of one certificate. Needs the role Advanced Tutor."""
        answer: Listing[t.CertificatesUser] = self._list("/v2/certificates/{certificate_id}/certificates_users", {"certificate_id": certificate_id}, query=query)
        return answer

    def list_certificates_users_of_user(
        self,
        user_id: t.Id,
        /,
        *,
        query: t.ListCertificatesUsersQuery | None = None,
    ) -> Listing[t.CertificatesUser]:
        """List certificates users of one user. Needs the role Advanced Tutor."""
        answer: Listing[t.CertificatesUser] = self._list("/v2/users/{user_id}/certificates_users", {"user_id": user_id}, query=query)
        return answer

    def list_project_data(
        self,
        *,
        query: t.ListProjectDataQuery | None = None,
    ) -> Listing[t.ProjectData]:
        """List project data. Needs any token."""
        answer: Listing[t.ProjectData] = self._list("/v2/project_data", query=query)
        return answer

    def create_project_data(
        self,
        *,
        body: t.ProjectDataCreate,
    ) -> t.ProjectData:
        """Create one project data. Needs the scope projects and the role Advanced Tutor."""
        answer: t.ProjectData = self._call("POST", "/v2/project_data", body=body)
        return answer

    def get_project_data(
        self,
        id: t.Id,
        /,
    ) -> t.ProjectData:
        """Get one project data. Needs any token."""
        answer: t.ProjectData = self._call("GET", "/v2/project_data/{id}", {"id": id})
        return answer

    def update_project_data(
        self,
        id: t.Id,
        /,
        *,
        body: t.ProjectDataUpdate,
    ) -> None:
        """Change one project data. Needs the scope projects and the role Advanced Tutor."""
        self._call("PATCH", "/v2/project_data/{id}", {"id": id}, body=body)

    def delete_project_data(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one project data. Needs the scope projects and the role Advanced Tutor."""
        self._call("DELETE", "/v2/project_data/{id}", {"id": id})

    def list_project_data_of_project_session(
        self,
        project_session_id: t.Id,
        /,
        *,
        query: t.ListProjectDataQuery | None = None,
    ) -> Listing[t.ProjectData]:
        """List project data of one project session. Needs any token."""
        answer: Listing[t.ProjectData] = self._list("/v2/project_sessions/{project_session_id}/project_data", {"project_session_id": project_session_id}, query=query)
        return answer

    def list_changelogs(
        self,
        *,
        query: t.ListChangelogsQuery | None = None,
    ) -> Listing[t.Changelog]:
        """List changelogs. Needs any token."""
        answer: Listing[t.Changelog] = self._list("/v2/changelogs", query=query)
        return answer

    def create_changelog(
        self,
        *,
        body: t.ChangelogCreate,
    ) -> t.Changelog:
        """Create one changelog. Needs the role Moderator."""
        answer: t.Changelog = self._call("POST", "/v2/changelogs", body=body)
        return answer

    def get_changelog(
        self,
        id: t.Id,
        /,
    ) -> t.Changelog:
        """Get one changelog. Needs any token."""
        answer: t.Changelog = self._call("GET", "/v2/changelogs/{id}", {"id": id})
        return answer

    def update_changelog(
        self,
        id: t.Id,
        /,
        *,
        body: t.ChangelogUpdate,
    ) -> None:
        """Change one changelog. Needs the role Moderator."""
        self._call("PATCH", "/v2/changelogs/{id}", {"id": id}, body=body)

    def delete_changelog(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one changelog. Needs the role Moderator."""
        self._call("DELETE", "/v2/changelogs/{id}", {"id": id})

    def list_endpoints(
        self,
        *,
        query: t.ListEndpointsQuery | None = None,
    ) -> Listing[t.Endpoint]:
        """List endpoints. Needs the role Basic Staff."""
        answer: Listing[t.Endpoint] = self._list("/v2/endpoints", query=query)
        return answer

    def create_endpoint(
        self,
        *,
        body: t.EndpointCreate,
    ) -> t.Endpoint:
        """Create one endpoint. Needs the role Basic Staff."""
        answer: t.Endpoint = self._call("POST", "/v2/endpoints", body=body)
        return answer

    def get_endpoint(
        self,
        id: t.Id,
        /,
    ) -> t.Endpoint:
        """Get one endpoint. Needs the role Basic Staff."""
        answer: t.Endpoint = self._call("GET", "/v2/endpoints/{id}", {"id": id})
        return answer

    def update_endpoint(
        self,
        id: t.Id,
        /,
        *,
        body: t.EndpointUpdate,
    ) -> None:
        """Change one endpoint. Needs the role Advanced Staff."""
        self._call("PATCH", "/v2/endpoints/{id}", {"id": id}, body=body)

    def delete_endpoint(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Delete one endpoint. Needs the role Advanced Staff."""
        self._call("DELETE", "/v2/endpoints/{id}", {"id": id})

    def callback_endpoint(
        self,
        id: t.Id,
        /,
        *,
        body: t.CallbackEndpointBody,
    ) -> t.Callback:
        """Callback one endpoint. Reports what the webservice answered to an earlier call. Needs the role Advanced Staff."""
        answer: t.Callback = self._call("POST", "/v2/endpoints/{id}/callback", {"id": id}, body=body)
        return answer

    def replay_endpoint(
        self,
        id: t.Id,
        /,
        *,
        body: t.ReplayEndpointBody | None = None,
    ) -> t.ReplayEndpointAnswer:
        """Replay one endpoint. Sends the deliveries of a span of time again. Needs the role Basic Staff."""
        answer: t.ReplayEndpointAnswer = self._call("POST", "/v2/endpoints/{id}/replay", {"id": id}, body=body)
        return answer

    def get_status_of_endpoint(
        self,
        id: t.Id,
        /,
    ) -> t.GetStatusOfEndpointAnswer:
        """Get the status of one endpoint. Tells whether it is switched on, since when not and why, and how its deliveries went. Needs the role Basic Staff."""
        answer: t.GetStatusOfEndpointAnswer = self._call("GET", "/v2/endpoints/{id}/status", {"id": id})
        return answer

    def list_callbacks(
        self,
        *,
        query: t.ListCallbacksQuery | None = None,
    ) -> Listing[t.Callback]:
        """List callbacks. Needs the role Basic Staff."""
        answer: Listing[t.Callback] = self._list("/v2/callbacks", query=query)
        return answer

    def get_callback(
        self,
        id: t.Id,
        /,
    ) -> t.Callback:
        """Get one callback. Needs the role Basic Staff."""
        answer: t.Callback = self._call("GET", "/v2/callbacks/{id}", {"id": id})
        return answer

    def list_callbacks_of_endpoint(
        self,
        endpoint_id: t.Id,
        /,
        *,
        query: t.ListCallbacksQuery | None = None,
    ) -> Listing[t.Callback]:
        """List callbacks of one endpoint. Needs the role Basic Staff."""
        answer: Listing[t.Callback] = self._list("/v2/endpoints/{endpoint_id}/callbacks", {"endpoint_id": endpoint_id}, query=query)
        return answer

    def list_deliveries(
        self,
        *,
        query: t.ListDeliveriesQuery | None = None,
    ) -> Listing[t.DeliveryShort]:
        """List deliveries. Needs the role Basic Staff."""
        answer: Listing[t.DeliveryShort] = self._list("/v2/deliveries", query=query)
        return answer

    def get_delivery(
        self,
        id: t.Id,
        /,
    ) -> t.Delivery:
        """Get one delivery. Needs the role Basic Staff."""
        answer: t.Delivery = self._call("GET", "/v2/deliveries/{id}", {"id": id})
        return answer

    def replay_delivery(
        self,
        id: t.Id,
        /,
    ) -> None:
        """Replay one delivery. Sends it again, with the same id and body but without secrets. Needs the role Basic Staff."""
        self._call("POST", "/v2/deliveries/{id}/replay", {"id": id})

    def list_deliveries_of_endpoint(
        self,
        endpoint_id: t.Id,
        /,
        *,
        query: t.ListDeliveriesQuery | None = None,
    ) -> Listing[t.DeliveryShort]:
        """List deliveries of one endpoint. Needs the role Basic Staff."""
        answer: Listing[t.DeliveryShort] = self._list("/v2/endpoints/{endpoint_id}/deliveries", {"endpoint_id": endpoint_id}, query=query)
        return answer

    def get_delivery_of_endpoint(
        self,
        endpoint_id: t.Id,
        id: t.Id,
        /,
    ) -> t.Delivery:
        """Get one delivery of one endpoint. Needs the role Basic Staff."""
        answer: t.Delivery = self._call("GET", "/v2/endpoints/{endpoint_id}/deliveries/{id}", {"endpoint_id": endpoint_id, "id": id})
        return answer

    def replay_delivery_of_endpoint(
        self,
        endpoint_id: t.Id,
        id: t.Id,
        /,
    ) -> None:
        """Replay one delivery of one endpoint. Sends it again, with the same id and body but without secrets. Needs the role Basic Staff."""
        self._call("POST", "/v2/endpoints/{endpoint_id}/deliveries/{id}/replay", {"endpoint_id": endpoint_id, "id": id})
