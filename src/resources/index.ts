import type { Sealer } from '../base/sealer.ts'
import type { Resource } from '../rest/declare/declaration.ts'
import { createSealing } from '../webhooks/sealing.ts'
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

/** The API's table of contents. */
export const resources = (sealer: Sealer, sealing = createSealing()): readonly Resource[] => [
  campus,
  languages,
  cursus,
  skills,
  cursusUsersSkills,
  projects,
  expertises,
  achievements,
  titles,
  groups,
  roles,
  partnerships,
  partnershipsSkills,

  users(sealing),
  campusUsers,
  cursusUsers,
  projectsUsers,
  languagesUsers,
  expertisesUsers,
  achievementsUsers,
  titlesUsers,
  groupsUsers,
  rolesUsers,
  partnershipsUsers,
  patronages,
  locations,
  clusters,
  levels,
  experiences,
  journals,

  closes,
  communityServices,
  antiGravUnits,
  antiGravUnitsUsers,
  events,
  eventsUsers,
  themes,
  eventsThemes,
  waitlists,
  exams,
  examsUsers,
  quests,
  questsUsers,
  blocs,
  blocDeadlines,
  coalitions,
  coalitionsUsers,
  scores,
  squads,
  squadsUsers,
  dashes,
  dashesUsers,
  accreditations,
  accreditationsUsers,

  announcements,
  broadcasts,
  tags,
  tagsUsers,
  topics,
  messages,
  openingMessages,
  votes,
  notions,
  subnotions,
  subnotionAttachments,
  attachments,
  apps,
  projectSessions,
  projectSessionsRules,
  paramsProjectSessionsRules,
  projectSessionsSkills,
  rules,
  params,
  evaluations,
  uploads,
  scales,
  sections,
  questions,
  questionsSkills,
  flags,

  teams,
  teamsUsers,
  teamMembers,
  teamsUploads,
  scaleTeams,
  answers,
  slots,
  correctionPointHistorics,
  pools,
  balances,
  transactions,
  products,
  campusProducts,
  commands,
  feedbacks,
  feedbackDetails,

  offers,
  offersUsers,
  internships,
  flashes,
  flashUsers,
  certificates,
  certificatesUsers,
  projectData,

  changelogs,
  endpoints(sealer),
  callbacks,
  deliveries,
]
