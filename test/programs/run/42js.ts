import library from '42.js'
import { defaultOf, program } from '../program.ts'

const { Client } = defaultOf(library)

/** Its sign-on is under /v2, its paths have doubled slashes and stray blanks, and it serves the way back itself. */
await program(async ({ uid, secret, redirectUri, allow, school }) => {
  const client = new Client(uid, secret)
  const user = await client.users.get(school.login)
  const students = await client.users.fetch({ limit: 12, params: ['filter[kind]=student', 'sort=login'] })
  const campus = await client.campus.get(school.campus)
  const cursus = await client.cursus.get(school.cursusSlug)
  const project = await client.projects.get(school.projectSlug)
  const events = await client.events_users.fetch(school.pastEvent, { limit: 3, params: [] })
  const evaluations = await user.fetchScale_teams({ limit: 5, params: ['sort=id'] }, 1)
  const port = Number(new URL(redirectUri).port)
  const signedIn = Promise.withResolvers()
  const server = { port, callback_function: signedIn.resolve }
  const auth = await client.auth_manager.init_auth_process(redirectUri, ['public', 'projects'], server)
  const answer = await fetch(await allow(auth.url))
  // biome-ignore lint/suspicious/noExplicitAny: what the library makes of a person
  const person = (await signedIn.promise) as any
  const offered = await person.post_slot(new Date(school.slot[0]), new Date(school.slot[1]))
  const mine = await person.get_corrector_slots()
  const withdrawn = await person.delete_slot(offered[0])
  const others = await person.get_slots_for_project(school.project)
  await client.auth_manager.stop_auth_process(auth.id)
  return {
    user: [user.login, user.displayname],
    students: students.map(({ login }: { login: string }) => login),
    campus: [campus.id, campus.name, campus.time_zone],
    cursus: [cursus.id, cursus.slug],
    project: [project.id, project.slug],
    events: events.map((one: { event: { id: number } }) => one.event.id),
    evaluations: evaluations.map((one: { corrector: { id: number } }) => one.corrector.id),
    callback: answer.status,
    person: person.login,
    offered: offered.map((slot: { begin_at: Date }) => slot.begin_at.toISOString()),
    mine: mine.length,
    withdrawn,
    others: Array.isArray(others),
  }
})
