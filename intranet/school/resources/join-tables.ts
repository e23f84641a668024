import { joinTable, through } from '@campus/engine/rest/declare/association'

// Tables that join two resources. Many of them are resources themselves.

export const accreditationsUsers = joinTable('accreditations_users', {
  accreditations: 'accreditation_id',
  users: 'user_id',
})
export const achievementsCampus = joinTable('achievements_campus', {
  achievements: 'achievement_id',
  campus: 'campus_id',
})
export const achievementsUsers = joinTable('achievements_users', { achievements: 'achievement_id', users: 'user_id' })
export const announcementsCampus = joinTable('announcements_campus', {
  announcements: 'announcement_id',
  campus: 'campus_id',
})
export const announcementsCursus = joinTable('announcements_cursus', {
  announcements: 'announcement_id',
  cursus: 'cursus_id',
})
export const campusProducts = joinTable('campus_products', { campus: 'campus_id', products: 'product_id' })
export const campusUsers = joinTable('campus_users', { campus: 'campus_id', users: 'user_id' })
export const certificatesUsers = joinTable('certificates_users', { certificates: 'certificate_id', users: 'user_id' })
export const coalitionsUsers = joinTable('coalitions_users', { coalitions: 'coalition_id', users: 'user_id' })
export const cursusSkills = joinTable('cursus_skills', { cursus: 'cursus_id', skills: 'skill_id' })
export const cursusUsers = joinTable('cursus_users', { cursus: 'cursus_id', users: 'user_id' })
export const dashesUsers = joinTable('dashes_users', { dashes: 'dash_id', users: 'user_id' })
export const eventsCampus = joinTable('events_campus', { events: 'event_id', campus: 'campus_id' })
export const eventsCursus = joinTable('events_cursus', { events: 'event_id', cursus: 'cursus_id' })
export const eventsThemes = joinTable('events_themes', { events: 'event_id', themes: 'theme_id' })
export const eventsUsers = joinTable('events_users', { events: 'event_id', users: 'user_id' })
export const examsCursus = joinTable('exams_cursus', { exams: 'exam_id', cursus: 'cursus_id' })
export const examsProjects = joinTable('exams_projects', { exams: 'exam_id', projects: 'project_id' })
export const examsUsers = joinTable('exams_users', { exams: 'exam_id', users: 'user_id' })
export const expertisesUsers = joinTable('expertises_users', { expertises: 'expertise_id', users: 'user_id' })
export const groupsUsers = joinTable('groups_users', { groups: 'group_id', users: 'user_id' })
export const offersCampus = joinTable('offers_campus', { offers: 'offer_id', campus: 'campus_id' })
export const offersExpertises = joinTable('offers_expertises', { offers: 'offer_id', expertises: 'expertise_id' })
export const offersUsers = joinTable('offers_users', { offers: 'offer_id', users: 'user_id' })
export const notionsCursus = joinTable('notions_cursus', { notions: 'notion_id', cursus: 'cursus_id' })
export const notionsTags = joinTable('notions_tags', { notions: 'notion_id', tags: 'tag_id' })
export const partnershipsUsers = joinTable('partnerships_users', { partnerships: 'partnership_id', users: 'user_id' })
export const projectsCampus = joinTable('projects_campus', { projects: 'project_id', campus: 'campus_id' })
export const projectsCursus = joinTable('projects_cursus', { projects: 'project_id', cursus: 'cursus_id' })
export const projectsUsers = joinTable('projects_users', { projects: 'project_id', users: 'user_id' })
export const questsUsers = joinTable('quests_users', { quests: 'quest_id', users: 'user_id' })
export const rolesUsers = joinTable('roles_users', { roles: 'role_id', users: 'user_id' })
export const scalesFlags = joinTable('scales_flags', { scales: 'scale_id', flags: 'flag_id' })
export const scalesLanguages = joinTable('scales_languages', { scales: 'scale_id', languages: 'language_id' })
export const tagsCursus = joinTable('tags_cursus', { tags: 'tag_id', cursus: 'cursus_id' })
export const tagsUsers = joinTable('tags_users', { tags: 'tag_id', users: 'user_id' })
export const teamsUsers = joinTable('teams_users', { teams: 'team_id', users: 'user_id' })
export const titlesUsers = joinTable('titles_users', { titles: 'title_id', users: 'user_id' })
export const topicsCursus = joinTable('topics_cursus', { topics: 'topic_id', cursus: 'cursus_id' })
export const topicsTags = joinTable('topics_tags', { topics: 'topic_id', tags: 'tag_id' })

/** Excludes registrations on the waitlist. */
export const attendees = { ...eventsUsers, unless: 'waiting' }
export const examinees = { ...examsUsers, unless: 'waiting' }

export const primaryCampusUsers = { ...campusUsers, only: 'is_primary' }

/** Excludes invited users, who are not members yet. */
export const teamMembers = { ...teamsUsers, only: 'validated' }
export const teamLeaders = { ...teamsUsers, only: 'leader' }

export const teamsOfProjectsUsers = joinTable('teams_users', { teams: 'team_id', projects_users: 'projects_user_id' })

export const campusOfUser = through(campusUsers, 'campus', { by: 'user_id' })

export const primaryCampusOfUser = { ...campusOfUser, only: 'is_primary' }

export const cursusOfProject = through(projectsCursus, 'cursus', { by: 'project_id' })

export const membersOfTeam = through(teamMembers, 'users', { by: 'team_id' })

export const tagsOfNotion = through(notionsTags, 'tags', { by: 'notion_id' })
