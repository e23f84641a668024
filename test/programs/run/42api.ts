import library from '42api'
import { defaultOf, program } from '../program.ts'

const api = defaultOf(library)

/** Asks for its token by multipart, and has two slashes in every path. */
await program(async ({ uid, secret, school }) => {
  const connection = new api.Connection(uid, secret)
  const list = { page: { number: 2, size: 5 }, sort: ['-login'] }
  const ids = (records: readonly { readonly id: number }[]) => records.map(({ id }) => id)
  return {
    users: (await api.getUsers(connection, list)).map(({ login }: { login: string }) => login),
    user: (await api.getUser(connection, school.login, {})).login,
    locations: ids(await api.getLocations(connection, { filter: { campus_id: [school.campus], active: 'true' } })),
    stays: ids(await api.getUserLocations(connection, school.login, {})),
    campuses: ids(await api.getCampuses(connection, { sort: ['id'] })),
    campus: (await api.getCampus(connection, school.campus, {})).name,
    projects: ids(await api.getProjects(connection, { filter: { exam: 'true' } })),
    project: (await api.getProject(connection, school.projectSlug, {})).slug,
    userRoles: Array.isArray(await api.getUserRoles(connection, school.login, {})),
    roles: ids(await api.getRoles(connection, {})).length > 0,
    skills: ids(await api.getSkills(connection, {})).length > 0,
    cursusSkills: ids(await api.getCursusSkills(connection, school.cursus, {})).length > 0,
    projectsUser: (await api.getUserProject(connection, school.projectsUser, {})).id,
  }
})
