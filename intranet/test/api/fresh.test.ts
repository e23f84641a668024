import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'

let world: World
before(async () => {
  world = await openCampus()
})
after(() => world.close())

const atOnce = (times: number, work: (index: number) => Promise<void>) =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)))

/** Totals, tokens and small tables are cached; nothing of that may outlive a write that was answered. */
describe('what a write has answered', () => {
  it('is counted and listed by the very next answer, on whichever connection it is read', async () => {
    await atOnce(30, async (index) => {
      const identifier = `f${index}`
      const found = async () => {
        const { json, headers } = await world.visitor.get(`/v2/languages?filter[identifier]=${identifier}`)
        return [json.length, headers.get('x-total')]
      }
      assert.deepEqual(await found(), [0, '0'])
      const { json } = await world.director.post('/v2/languages', { language: { name: 'Fresh', identifier } })
      assert.deepEqual(await found(), [1, '1'])
      assert.equal((await world.director.delete(`/v2/languages/${json.id}`)).status, 204)
      assert.deepEqual(await found(), [0, '0'])
    })
    assert.equal((await world.visitor.get('/v2/languages?filter[name]=Fresh')).headers.get('x-total'), '0')
  })

  it('is said by every record that embeds it', async () => {
    const language_id = await world.build.language()
    const endpoint_id = await world.build.record('endpoints', { url: 'https://hooks.test' })
    const campus = await world.build.campus({ language_id, endpoint_id })
    const user = await world.build.user()
    const cursus = await world.build.cursus()
    await world.build.record('campus_users', { user_id: user, campus_id: campus })
    const part = await world.build.record('cursus_users', { user_id: user, cursus_id: cursus })
    const read = async (path: string) => (await world.staff.get(`/v2/${path}`)).json
    for (const name of ['One', 'Two', 'Three']) {
      await world.director.patch(`/v2/languages/${language_id}`, { language: { name } })
      await world.director.patch(`/v2/campus/${campus}`, { campus: { city: name } })
      await world.director.patch(`/v2/cursus/${cursus}`, { cursus: { name } })
      await world.director.patch(`/v2/users/${user}`, { user: { first_name: name } })
      assert.equal((await read(`campus/${campus}`)).language.name, name)
      assert.equal((await read(`endpoints/${endpoint_id}`)).campus[0].language.name, name)
      const full = await read(`users/${user}`)
      assert.deepEqual([full.campus[0].city, full.campus[0].language.name], [name, name])
      assert.deepEqual([full.cursus_users[0].cursus.name, full.cursus_users[0].user.first_name], [name, name])
      assert.equal((await read(`cursus_users/${part}`)).cursus.name, name)
    }
  })

  it('is in the counts of those that it belongs to', async () => {
    const campus = await world.build.campus()
    const cursus = await world.build.cursus()
    const counts = async () => {
      const [place, course] = await Promise.all([`campus/${campus}`, `cursus/${cursus}`].map((path) => read(path)))
      return [place.users_count, course.users_count]
    }
    const read = async (path: string) => (await world.visitor.get(`/v2/${path}`)).json
    assert.deepEqual(await counts(), [0, 0])
    const user = {
      email: 'count@campus.test',
      first_name: 'C',
      last_name: 'D',
      kind: 'student',
      campus_id: campus,
      cursus_id: cursus,
    }
    assert.equal((await world.director.post('/v2/users', { user })).status, 201)
    assert.deepEqual(await counts(), [1, 1])
    await world.director.delete(`/v2/cursus_users/${(await read(`cursus/${cursus}/cursus_users`))[0].id}`)
    assert.deepEqual(await counts(), [1, 0])
  })

  it('is embedded in the answer to the creation itself, though it is newer than what is kept', async () => {
    await world.visitor.get('/v2/campus')
    const made = await atOnceLanguages()
    for (const [language_id, campus] of made) assert.equal(campus.language.id, language_id)
  })

  /** Each campus in a language that was made a moment before. */
  async function atOnceLanguages() {
    const made: [number, { language: { id: number } }][] = []
    await atOnce(12, async (index) => {
      const language = { name: `New ${index}`, identifier: `n${index}` }
      const { id } = (await world.director.post('/v2/languages', { language })).json
      const campus = { name: `New ${index}`, time_zone: 'UTC', language_id: id }
      made.push([id, (await world.director.post('/v2/campus', { campus })).json])
    })
    return made
  }

  it('is not said by anybody when the write was refused', async () => {
    const campus = await world.build.campus({ name: 'Kept' })
    const change = { campus: { name: 'Changed', language_id: 2_147_483_647 } }
    await atOnce(8, async () => {
      assert.equal((await world.director.patch(`/v2/campus/${campus}`, change)).status, 422)
      assert.equal((await world.visitor.get(`/v2/campus/${campus}`)).json.name, 'Kept')
    })
  })
})
