import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'

const NOW = '2026-03-02T10:00:00.000Z'
const TIMES = { begin_at: '2026-03-10T18:00:00Z', end_at: '2026-03-10T20:00:00Z' }
const KINDS = [
  { of: 'event', type: 'Event', required: { name: 'Talk', description: 'On types', kind: 'conference', ...TIMES } },
  { of: 'exam', type: 'Exam', required: { name: 'Exam', ...TIMES } },
] as const

let world: World
let director: Client
before(async () => {
  world = await openCampus({ now: NOW })
  director = world.director
})
after(() => world.close())

for (const { of, type, required } of KINDS) {
  const [path, joined, wrapper] = [`/v2/${of}s`, `/v2/${of}s_users`, `${of}s_user`]

  const announce = async (values: object = {}): Promise<number> => {
    const { status, json, text } = await director.post(path, { [of]: { ...required, ...values } })
    assert.equal(status, 201, text)
    return json.id
  }
  const join = async (about: number, user_id?: number) =>
    director.post(joined, { [wrapper]: { [`${of}_id`]: about, user_id: user_id ?? (await world.build.user()) } })
  const joinedBy = async (about: number): Promise<number> => {
    const { status, json, text } = await join(about)
    assert.equal(status, 201, text)
    return json.id
  }
  const waiting = async (about: number, isWaiting = true): Promise<number[]> => {
    const { json } = await director.get(
      `${path}/${about}/${of}s_users?filter[waiting]=${isWaiting}&sort=id&per_page=100`,
    )
    return json.map(({ id }: { id: number }) => id)
  }
  const change = (about: number, values: object) => director.patch(`${path}/${about}`, { [of]: values })

  describe(`the waitlist of an ${of}`, () => {
    it('comes into being with activate_waitlist, and is found by itself and below what it belongs to', async () => {
      const about = await announce({ max_people: 1, activate_waitlist: true })
      const other = await announce()
      const { json: shown, status } = await director.get(`${path}/${about}/waitlist`)
      assert.equal(status, 200)
      const { id } = shown
      assert.deepEqual(shown, {
        id,
        waitlistable_id: about,
        waitlistable_type: type,
        created_at: world.clock.now().toISOString(),
      })
      assert.deepEqual((await director.get(`/v2/waitlists/${id}`)).json, shown)
      const query = `filter[waitlistable_type]=${type}&filter[waitlistable_id]=${about}`
      assert.deepEqual((await director.get(`/v2/waitlists?${query}`)).json, [shown])
      assert.equal((await director.get(`${path}/${other}/waitlist`)).status, 404)
      assert.equal((await director.get(`${path}/999999/waitlist`)).status, 404)

      await change(other, { activate_waitlist: 'true' })
      assert.equal((await director.get(`${path}/${other}/waitlist`)).json.waitlistable_id, other)
      await change(other, { activate_waitlist: false })
      assert.equal((await director.get(`${path}/${other}/waitlist`)).status, 404)
      assert.equal((await director.delete(`${path}/${other}`)).status, 204)
    })

    it('takes those for whom there is no place, who are refused where there is none', async () => {
      const [with_, without] = [
        await announce({ max_people: 1, activate_waitlist: true }),
        await announce({ max_people: 1 }),
      ]
      const first = await joinedBy(with_)
      const second = await joinedBy(with_)
      assert.deepEqual([await waiting(with_, false), await waiting(with_)], [[first], [second]])
      assert.equal((await director.get(`${path}/${with_}`)).json.nbr_subscribers, 1)
      await joinedBy(without)
      assert.deepEqual((await join(without)).json.errors, { [`${of}_id`]: ['is full'] })
      const { user_id } = (await director.get(`${joined}/${second}`)).json
      assert.deepEqual((await join(with_, user_id)).json.errors, { user_id: ['has already been taken'] })
      assert.deepEqual((await director.get(`/v2/users/${user_id}/${of}s`)).json, [])
      const moved = await director.patch(`${joined}/${second}`, { [wrapper]: { [`${of}_id`]: without } })
      assert.equal(moved.status, 422)
      assert.deepEqual(await waiting(with_), [second])
    })

    it('moves the first up when somebody leaves, goes elsewhere, or there are more places', async () => {
      const [about, empty] = [await announce({ max_people: 1, activate_waitlist: true }), await announce()]
      const ids: number[] = []
      for (let nth = 0; nth < 5; nth += 1) {
        world.clock.advance(1)
        ids.push(await joinedBy(about))
      }
      const [first, second, third, fourth, fifth] = ids as [number, number, number, number, number]
      assert.equal((await director.delete(`${joined}/${first}`)).status, 204)
      assert.deepEqual([await waiting(about, false), await waiting(about)], [[second], [third, fourth, fifth]])
      assert.equal((await director.patch(`${joined}/${second}`, { [wrapper]: { [`${of}_id`]: empty } })).status, 204)
      assert.deepEqual([await waiting(about, false), await waiting(about)], [[third], [fourth, fifth]])
      assert.equal((await director.delete(`${joined}/${fifth}`)).status, 204)
      assert.deepEqual([await waiting(about, false), await waiting(about)], [[third], [fourth]])
      await change(about, { max_people: null })
      assert.deepEqual([await waiting(about, false), await waiting(about)], [[third, fourth], []])
    })

    it('is not removed while somebody waits, neither by itself nor with activate_waitlist', async () => {
      const about = await announce({ max_people: 0, activate_waitlist: true })
      const line = await joinedBy(about)
      const { id } = (await director.get(`${path}/${about}/waitlist`)).json
      const refused = await director.delete(`/v2/waitlists/${id}`)
      assert.deepEqual(
        [refused.status, refused.json.errors],
        [422, { base: ['cannot be removed while somebody waits'] }],
      )
      assert.equal((await change(about, { activate_waitlist: false })).status, 422)
      assert.deepEqual(await waiting(about), [line])
      await director.delete(`${joined}/${line}`)
      assert.equal((await director.delete(`/v2/waitlists/${id}`)).status, 204)
      assert.equal((await director.get(`/v2/waitlists/${id}`)).status, 404)
      assert.deepEqual((await join(about)).json.errors, { [`${of}_id`]: ['is full'] })
    })

    it('leaves no place empty and gives none twice, however many come and leave at once', async () => {
      const about = await announce({ max_people: 4, activate_waitlist: true })
      const places: number[] = []
      for (let nth = 0; nth < 8; nth += 1) places.push(await joinedBy(about))
      const leaving = places.slice(0, 4).map((id) => director.delete(`${joined}/${id}`))
      const coming = Array.from({ length: 6 }, () => join(about))
      const answers = await Promise.all([...leaving, ...coming])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [...Array(4).fill(204), ...Array(6).fill(201)],
      )
      const [taken, line] = [await waiting(about, false), await waiting(about)]
      assert.deepEqual([taken.length, line.length], [4, 6])
    })

    it('is for staff and events managers', async () => {
      const about = await announce({ activate_waitlist: true })
      const { id } = (await director.get(`${path}/${about}/waitlist`)).json
      const own = await world.caller({ user: await world.build.user(), scopes: ['public', 'profile'] })
      for (const caller of [own, world.visitor, world.staff]) {
        for (const address of ['/v2/waitlists', `/v2/waitlists/${id}`, `${path}/${about}/waitlist`])
          assert.equal((await caller.get(address)).status, 403, address)
        assert.equal((await caller.delete(`/v2/waitlists/${id}`)).status, 403)
      }
      const manager = await world.caller({ roles: ['Events manager'] })
      assert.equal((await manager.get(`${path}/${about}/waitlist`)).status, 200)
      assert.equal((await manager.delete(`/v2/waitlists/${id}`)).status, 204)
    })
  })
}

it('an exam for which somebody only waits is not theirs to sit', async () => {
  const { json: exam } = await director.post('/v2/exams', {
    exam: { name: 'E', ...TIMES, max_people: 0, activate_waitlist: true },
  })
  const user_id = await world.build.user()
  await director.post('/v2/exams_users', { exams_user: { exam_id: exam.id, user_id } })
  assert.equal((await director.get(`/v2/users/${user_id}/exam`)).json.status, 'none')
  await director.patch(`/v2/exams/${exam.id}`, { exam: { max_people: 1 } })
  assert.equal((await director.get(`/v2/users/${user_id}/exam`)).json.status, 'registered')
})

it('what has a waitlist already is not changed by asking for one', async () => {
  const { json: exam } = await director.post('/v2/exams', { exam: { name: 'E', ...TIMES, activate_waitlist: true } })
  world.clock.advance(60)
  assert.equal((await director.patch(`/v2/exams/${exam.id}`, { exam: { activate_waitlist: true } })).status, 204)
  assert.equal((await director.get(`/v2/exams/${exam.id}`)).json.updated_at, exam.updated_at)
})
