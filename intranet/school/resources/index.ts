import { once } from '@campus/engine/base/once'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import type { Subscribing } from '../../oauth/applications/webhooks.ts'
import type { Sealer } from '../../services/sealing/sealer.ts'
import { modelsOf } from '../../webhooks/applications/models.ts'
import { createSealing } from '../../webhooks/sealing.ts'
import { accreditations, accreditationsUsers } from './accreditations.ts'
import { achievements, achievementsUsers } from './achievements.ts'
import { announcements } from './announcements.ts'
import { antiGravUnits, antiGravUnitsUsers } from './anti_grav_units.ts'
import { apps } from './apps.ts'
import { attachments } from './attachments.ts'
import { blocDeadlines, blocs } from './blocs.ts'
import { broadcasts } from './broadcasts.ts'
import { callbacks } from './callbacks.ts'
import { campus } from './campus.ts'
import { campusUsers } from './campus_users.ts'
import { certificates, certificatesUsers } from './certificates.ts'
import { changelogs } from './changelogs.ts'
import { closes } from './closes.ts'
import { clusters } from './clusters.ts'
import { coalitions, coalitionsUsers } from './coalitions.ts'
import { communityServices } from './community_services.ts'
import { correctionPointHistorics } from './correction_point_historics.ts'
import { cursus } from './cursus.ts'
import { cursusUsers } from './cursus_users.ts'
import { dashes, dashesUsers } from './dashes.ts'
import { deliveries } from './deliveries.ts'
import { endpoints } from './endpoints.ts'
import { evaluations, uploads } from './evaluations.ts'
import { events } from './events.ts'
import { eventsUsers } from './events_users.ts'
import { exams, examsUsers } from './exams.ts'
import { experiences } from './experiences.ts'
import { expertises, expertisesUsers } from './expertises.ts'
import { feedbackDetails, feedbacks } from './feedbacks.ts'
import { flags } from './flags.ts'
import { flashes, flashUsers } from './flashes.ts'
import { groups, groupsUsers } from './groups.ts'
import { internships } from './internships.ts'
import { journals } from './journals.ts'
import { languages } from './languages.ts'
import { languagesUsers } from './languages_users.ts'
import { levels } from './levels.ts'
import { locations } from './locations.ts'
import { messages, openingMessages } from './messages.ts'
import { notions } from './notions.ts'
import { offers, offersUsers } from './offers.ts'
import { partnerships, partnershipsSkills, partnershipsUsers } from './partnerships.ts'
import { patronages } from './patronages.ts'
import { balances, pools } from './pools.ts'
import { campusProducts, commands, products } from './products.ts'
import { projectData } from './project_data.ts'
import { projectSessions } from './project_sessions.ts'
import { paramsProjectSessionsRules, projectSessionsRules } from './project_sessions_rules.ts'
import { projectSessionsSkills } from './project_sessions_skills.ts'
import { projects } from './projects.ts'
import { projectsUsers } from './projects_users.ts'
import { quests, questsUsers } from './quests.ts'
import { roles, rolesUsers } from './roles.ts'
import { params, rules } from './rules.ts'
import { answers, scaleTeams } from './scale_teams.ts'
import { scales } from './scales.ts'
import { scores } from './scores.ts'
import { questions, questionsSkills, sections } from './sections.ts'
import { cursusUsersSkills, skills } from './skills.ts'
import { slots } from './slots.ts'
import { squads, squadsUsers } from './squads.ts'
import { subnotionAttachments } from './subnotion_attachments.ts'
import { subnotions } from './subnotions.ts'
import { tags, tagsUsers } from './tags.ts'
import { teams } from './teams.ts'
import { teamsUploads } from './teams_uploads.ts'
import { teamMembers, teamsUsers } from './teams_users.ts'
import { eventsThemes, themes } from './themes.ts'
import { titles, titlesUsers } from './titles.ts'
import { topics } from './topics.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'
import { votes } from './votes.ts'
import { waitlists } from './waitlists.ts'
import { webhooks } from './webhooks.ts'

/** Resources by subject, in reading order. A string names a group of operations without a resource. */
export const subjects = (
  sealer: Sealer,
  sealing = createSealing(),
  capture: Subscribing['capture'] = async () => {},
): Readonly<Record<string, readonly (Resource | string)[]>> => ({
  Access: [
    'oauth',
    apps,
    webhooks({ models: once(() => modelsOf(resources(sealer, sealing))), sealer, capture }),
    roles,
    rolesUsers,
  ],
  People: [
    users(sealing),
    groups,
    groupsUsers,
    titles,
    titlesUsers,
    achievements,
    achievementsUsers,
    expertises,
    expertisesUsers,
    languages,
    languagesUsers,
    accreditations,
    accreditationsUsers,
    journals,
    patronages,
    closes,
    communityServices,
    antiGravUnits,
    antiGravUnitsUsers,
  ],
  Campuses: [
    campus,
    campusUsers,
    locations,
    clusters,
    events,
    eventsUsers,
    waitlists,
    themes,
    eventsThemes,
    announcements,
    broadcasts,
    products,
    campusProducts,
    commands,
  ],
  Cursus: [
    cursus,
    cursusUsers,
    skills,
    cursusUsersSkills,
    levels,
    experiences,
    quests,
    questsUsers,
    exams,
    examsUsers,
    certificates,
    certificatesUsers,
  ],
  Projects: [
    projects,
    projectsUsers,
    projectData,
    projectSessions,
    projectSessionsRules,
    paramsProjectSessionsRules,
    projectSessionsSkills,
    rules,
    params,
    teams,
    teamsUsers,
    teamMembers,
    teamsUploads,
    attachments,
    'files',
  ],
  Evaluations: [
    scaleTeams,
    scales,
    sections,
    questions,
    questionsSkills,
    answers,
    flags,
    slots,
    evaluations,
    uploads,
    feedbacks,
    feedbackDetails,
    correctionPointHistorics,
    pools,
    balances,
    transactions,
  ],
  Coalitions: [blocs, blocDeadlines, coalitions, coalitionsUsers, scores, squads, squadsUsers],
  'Material and forum': [
    notions,
    subnotions,
    subnotionAttachments,
    tags,
    tagsUsers,
    topics,
    messages,
    openingMessages,
    votes,
    dashes,
    dashesUsers,
    flashes,
    flashUsers,
  ],
  Companies: [offers, offersUsers, internships, partnerships, partnershipsSkills, partnershipsUsers],
  'The service': [endpoints(sealer), deliveries, callbacks, changelogs, 'service'],
})

export const resourcesOf = (bySubject: ReturnType<typeof subjects>): readonly Resource[] =>
  Object.values(bySubject).flatMap((entries) => entries.filter((entry) => typeof entry !== 'string'))

export const resources = (
  sealer: Sealer,
  sealing = createSealing(),
  capture?: Subscribing['capture'],
): readonly Resource[] => resourcesOf(subjects(sealer, sealing, capture))
