import Fast42Module from '@codam/fast42'
import { defaultOf, program } from '../program.ts'

const Fast42 = defaultOf(Fast42Module)

/** Calls the library as the programs of the Codam campus do: paced by the rate limits, whole lists, writes as JSON. */
await program(async ({ uid, secret, school }) => {
  const api = await new Fast42([{ client_id: uid, client_secret: secret }]).init()
  const read = async (answer: Response) => ({ status: answer.status, json: await answer.json().catch(() => null) })
  const pages = await api.getAllPages(`/campus/${school.campus}/users`, { sort: 'login', 'page[size]': '7' })
  const people = await Promise.all(pages.map(async (page: Promise<Response>) => (await page).json()))
  const second = await read(await api.getPage('/users', '2', { sort: 'id', 'page[size]': '10' }))
  const titled = { titles_user: { title_id: school.title, user_id: school.user } }
  const made = await read(await api.post('/titles_users', titled))
  const path = `/titles_users/${made.json.id}`
  const changed = await read(await api.patch(path, { titles_user: { selected: false } }))
  const put = await read(await api.put(path, { titles_user: { title_id: school.otherTitle } }))
  const removed = await read(await api.delete(path, {}))
  const signedUp = { events_user: { event_id: school.event, user_id: school.person } }
  const going = await read(await api.postWithUserAccessToken(school.personToken, '/events_users', signedUp))
  await api.disconnect()
  return {
    logins: people.flat().map(({ login }) => login),
    second: second.json.map(({ id }: { id: number }) => id),
    made: made.status,
    changed: [changed.status, put.status, removed.status],
    going: [going.status, going.json.event.id, going.json.user.id],
  }
})
