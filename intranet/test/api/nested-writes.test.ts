import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus as openCampus, type World } from '@campus/test/support/campus'
import { FormData, type Response } from '@campus/test/support/client'
import { rowCounts } from '@campus/test/support/database-contents'

type Values = Readonly<Record<string, unknown>>

let world: World
let piscine: number
let long: number

before(async () => {
  world = await openCampus()
  piscine = await world.build.cursus({ slug: 'piscine' })
  long = await world.build.cursus({ slug: 'long' })
})
after(() => world.close())

let people = 0
const person = () => {
  people += 1
  return { email: `p${people}@campus.test`, first_name: 'P', last_name: 'Erson', kind: 'student' }
}

const create = (user: Values) => world.director.post('/v2/users', { user: { ...person(), ...user } })
const update = (id: number, user: Values) => world.director.patch(`/v2/users/${id}`, { user })

async function created(user: Values): Promise<number> {
  const { status, json, text } = await create(user)
  assert.equal(status, 201, text)
  return json.id
}

const read = async (id: number) => (await world.director.get(`/v2/users/${id}`)).json
const cursusOf = async (id: number) =>
  (await read(id)).cursus_users.map((part: Values) => [part.cursus_id, part.begin_at, part.end_at])

/** Refused with 422, and no row of any table has come, gone or changed. */
async function assertRefused(call: () => Promise<Response>, id?: number) {
  const former = id === undefined ? undefined : await read(id)
  const untouched = await rowCounts(world.database)
  const { status, text, json } = await call()
  assert.equal(status, 422, text)
  assert.notEqual(Object.keys(json.errors).length, 0)
  assert.deepEqual(await rowCounts(world.database), untouched)
  if (id !== undefined) assert.deepEqual(await read(id), former)
}

describe('cursus_users_attributes', () => {
  const [from, to] = ['2026-01-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z']
  const both = () => [
    { cursus_id: piscine, begin_at: from, end_at: to },
    { cursus_id: String(long), begin_at: '2026-01-01 00:00:00 UTC', end_at: '' },
  ]
  const expected = () => [
    [piscine, from, to],
    [long, from, null],
  ]

  it('create along with the user', async () => {
    assert.deepEqual(await cursusOf(await created({ cursus_users_attributes: both() })), expected())
  })

  it('may be an object with numbers for names', async () => {
    const [first, second] = both()
    const id = await created({ cursus_users_attributes: { 0: first, 1: second } })
    assert.deepEqual(await cursusOf(id), expected())
  })

  it('may be a single element by itself', async () => {
    const [first] = both()
    assert.deepEqual(await cursusOf(await created({ cursus_users_attributes: first })), expected().slice(0, 1))
  })

  const pairs = (key: string) =>
    both().flatMap((part, index) =>
      Object.entries(part).map(([name, value]) => [
        `user[cursus_users_attributes]${key ? `[${index}]` : '[]'}[${name}]`,
        value,
      ]),
    ) as [string, string][]

  for (const [what, key] of [
    ['empty brackets', ''],
    ['numbers', 'numbers'],
  ] as const) {
    it(`may be a form with ${what} between`, async () => {
      const fields = [...Object.entries(person()).map(([name, value]) => [`user[${name}]`, value]), ...pairs(key)]
      const { status, json, text } = await world.director.post(
        '/v2/users',
        fields.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&'),
        { 'content-type': 'application/x-www-form-urlencoded' },
      )
      assert.equal(status, 201, text)
      assert.deepEqual(await cursusOf(json.id), expected())
    })

    it(`may be multipart with ${what} between`, async () => {
      const body = new FormData()
      for (const [name, value] of Object.entries(person())) body.append(`user[${name}]`, value)
      for (const [name, value] of pairs(key)) body.append(name, String(value))
      const { status, json, text } = await world.director.post('/v2/users', body)
      assert.equal(status, 201, text)
      assert.deepEqual(await cursusOf(json.id), expected())
    })
  }

  it('add, change and remove in one update', async () => {
    const id = await created({ cursus_users_attributes: both() })
    const [first, second] = (await read(id)).cursus_users
    const third = await world.build.cursus()
    const changes = [
      { id: String(first.id), end_at: null, level: '3.5' },
      { id: second.id, _destroy: '1' },
      { cursus_id: third, begin_at: to },
    ]
    assert.equal((await update(id, { cursus_users_attributes: changes })).status, 204)
    assert.deepEqual(await cursusOf(id), [
      [piscine, from, null],
      [third, to, null],
    ])
    assert.equal((await read(id)).cursus_users[0].level, 3.5)
    assert.equal((await read(id)).cursus_users[0].id, first.id)
  })

  it('with _destroy false change and do not remove', async () => {
    const id = await created({ cursus_users_attributes: both() })
    const [first] = (await read(id)).cursus_users
    const changes = [{ id: first.id, _destroy: 'false', grade: 'Learner' }]
    assert.equal((await update(id, { cursus_users_attributes: changes })).status, 204)
    assert.deepEqual([(await cursusOf(id)).length, (await read(id)).cursus_users[0].grade], [2, 'Learner'])
  })

  it('with _destroy and no id make nothing', async () => {
    const id = await created({ cursus_users_attributes: [{ cursus_id: piscine, _destroy: true }] })
    assert.deepEqual(await cursusOf(id), [])
  })

  it('that are empty change nothing', async () => {
    const id = await created({ cursus_users_attributes: both() })
    for (const none of [[], {}]) assert.equal((await update(id, { cursus_users_attributes: none })).status, 204)
    assert.deepEqual(await cursusOf(id), expected())
  })

  it('that name a part of somebody else are refused', async () => {
    const [id, other] = [await created({}), await created({ cursus_users_attributes: both() })]
    const [foreign] = (await read(other)).cursus_users
    const othersOwn = await cursusOf(other)
    for (const change of [
      { id: foreign.id, end_at: to },
      { id: foreign.id, _destroy: true },
    ]) {
      await assertRefused(() => update(id, { cursus_users_attributes: [change] }), id)
    }
    assert.deepEqual(await cursusOf(other), othersOwn)
  })

  it('cannot be moved to somebody else', async () => {
    const [id, other] = [await created({ cursus_users_attributes: both() }), await created({})]
    await update(id, { cursus_users_attributes: [{ cursus_id: await world.build.cursus(), user_id: other }] })
    assert.deepEqual(await cursusOf(other), [])
  })

  it('stay with their user when an element says another one', async () => {
    const [id, other] = [await created({ cursus_users_attributes: both() }), await created({})]
    const [first] = (await read(id)).cursus_users
    await update(id, { cursus_users_attributes: [{ id: first.id, user_id: other }] })
    assert.deepEqual(await cursusOf(other), [])
  })

  for (const [what, element] of [
    ['names no cursus', { begin_at: from }],
    ['names a cursus that does not exist', { cursus_id: 2_147_483_647 }],
    ['ends before it begins', { cursus_id: 1, begin_at: to, end_at: from }],
    ['has a field that nobody knows', { cursus_id: 1, shoe_size: 43 }],
    ['has an id that is none', { id: 'first' }],
    ['has the id of nothing', { id: 2_147_483_647 }],
    ['has a _destroy that is neither yes nor no', { cursus_id: 1, _destroy: 'perhaps' }],
  ] as const) {
    it(`of which one ${what} are refused with everything beside it`, async () => {
      await assertRefused(() => create({ cursus_users_attributes: [{ cursus_id: long }, element] }))
      const id = await created({})
      const changes = { first_name: 'Changed', cursus_users_attributes: [{ cursus_id: long }, element] }
      await assertRefused(() => update(id, changes), id)
    })
  }

  it('that name one cursus twice are refused', async () => {
    await assertRefused(() => create({ cursus_users_attributes: [{ cursus_id: long }, { cursus_id: long }] }))
  })

  it('are not created where the user is refused', async () => {
    await assertRefused(() => create({ email: 'nobody', cursus_users_attributes: both() }))
  })

  it('that are refused are named by their place in the list', async () => {
    const { json } = await create({ cursus_users_attributes: [{ cursus_id: long }, { begin_at: from }] })
    assert.deepEqual(json.errors, { 'cursus_users_attributes[1].cursus_id': ["can't be blank"] })
  })
})

describe('languages_users_attributes', () => {
  it('create, change and remove along with the user', async () => {
    const [french, german] = [await world.build.language(), await world.build.language()]
    const id = await created({
      languages_users_attributes: [
        { language_id: french, position: '2' },
        { language_id: german, position: 1 },
      ],
    })
    const languages = async () =>
      (await read(id)).languages_users.map((part: Values) => [part.language_id, part.position, part.user_id])
    assert.deepEqual(await languages(), [
      [german, 1, id],
      [french, 2, id],
    ])
    const [first, second] = (await read(id)).languages_users
    const changes = [
      { id: first.id, _destroy: 'true' },
      { id: second.id, position: 1 },
    ]
    assert.equal((await update(id, { languages_users_attributes: changes })).status, 204)
    assert.deepEqual(await languages(), [[french, 1, id]])
  })
})

describe('skill_ids of a cursus', () => {
  const skillsOf = async (cursus: number) =>
    (await world.director.get(`/v2/cursus/${cursus}/skills?sort=id`)).json.map(({ id }: { id: number }) => id)
  let skills: number[]
  let cursus: number
  before(async () => {
    skills = []
    for (const slug of ['one', 'two', 'three']) skills.push(await world.build.record('skills', { name: slug, slug }))
    const payload = { cursus: { name: 'With skills', skill_ids: skills.slice(0, 2) } }
    const { status, json, text } = await world.director.post('/v2/cursus', payload)
    assert.equal(status, 201, text)
    cursus = json.id
  })

  it('associate it with the skills', async () => assert.deepEqual(await skillsOf(cursus), skills.slice(0, 2)))

  it('are left as they are by an update that does not name them', async () => {
    await world.director.patch(`/v2/cursus/${cursus}`, { cursus: { kind: 'test' } })
    assert.deepEqual(await skillsOf(cursus), skills.slice(0, 2))
  })

  for (const [what, sent, retained] of [
    ['replaced by another list', () => skills.slice(1), () => skills.slice(1)],
    ['replaced by texts', () => skills.map(String), () => skills],
    ['replaced by one text with commas between', () => `${skills[0]},${skills[2]}`, () => [skills[0], skills[2]]],
    ['the same where one is named twice', () => [skills[1], skills[1]], () => [skills[1]]],
    ['gone after an empty list', () => [], () => []],
    ['gone after the blank that forms send for an empty list', () => [''], () => []],
  ] as const) {
    it(`are ${what}`, async () => {
      assert.equal((await world.director.patch(`/v2/cursus/${cursus}`, { cursus: { skill_ids: sent() } })).status, 204)
      assert.deepEqual(await skillsOf(cursus), retained())
    })
  }

  it('are gone after null, which is what blank means', async () => {
    await world.director.patch(`/v2/cursus/${cursus}`, { cursus: { skill_ids: skills } })
    assert.equal((await world.director.patch(`/v2/cursus/${cursus}`, { cursus: { skill_ids: null } })).status, 204)
    assert.deepEqual(await skillsOf(cursus), [])
  })

  it('that name nothing are refused, and leave the others', async () => {
    await world.director.patch(`/v2/cursus/${cursus}`, { cursus: { skill_ids: skills } })
    const ids = [skills[0], 2_147_483_647]
    const { status } = await world.director.patch(`/v2/cursus/${cursus}`, { cursus: { skill_ids: ids } })
    assert.equal(status, 422)
    assert.deepEqual(await skillsOf(cursus), skills)
  })

  it('that name nothing are named as they were sent', async () => {
    const { json } = await world.director.patch(`/v2/cursus/${cursus}`, { cursus: { skill_ids: [2_147_483_647] } })
    assert.deepEqual(json.errors, { skill_ids: ['must exist'] })
  })
})

describe('skills_attributes of a cursus_user', () => {
  let grown = 0
  const newSkill = () => {
    grown += 1
    return world.build.record('skills', { name: `Grown ${grown}`, slug: `grown-${grown}` })
  }

  it('set, change and take away levels by the ids of the skills', async () => {
    const [first, second] = [await newSkill(), await newSkill()]
    const user_id = await world.build.user()
    const skills_attributes = [
      { id: first, level: 1.5 },
      { id: String(second), level: '2' },
    ]
    const cursus_user = { user_id, cursus_id: piscine, begin_at: '2026-01-01', skills_attributes }
    const { status, json, text } = await world.director.post('/v2/cursus_users', { cursus_user })
    assert.equal(status, 201, text)
    const levels = async () =>
      (await world.visitor.get(`/v2/cursus_users/${json.id}`)).json.skills.map(
        (skill: { id: number; level: number }) => [skill.id, skill.level],
      )
    const change = (...elements: object[]) =>
      world.director.patch(`/v2/cursus_users/${json.id}`, { cursus_user: { skills_attributes: elements } })
    assert.deepEqual(await levels(), [
      [first, 1.5],
      [second, 2],
    ])
    assert.equal((await change({ id: second, level: 2.25 }, { id: first, _destroy: true })).status, 204)
    assert.deepEqual(await levels(), [[second, 2.25]])
    assert.equal((await change({ id: first, _destroy: true })).status, 204)
    assert.equal((await change({ id: first, level: 0.5 })).status, 204)
    assert.deepEqual(await levels(), [
      [first, 0.5],
      [second, 2.25],
    ])
    for (const [element, field] of [
      [{ id: 2_000_000, level: 1 }, 'skill_id'],
      [{ id: await newSkill() }, 'level'],
      [{ level: 1 }, 'id'],
      [{ id: first, level: 'high' }, 'level'],
    ] as const) {
      const refused = await change(element)
      assert.deepEqual([refused.status, Object.keys(refused.json.errors)], [422, [`skills_attributes[0].${field}`]])
    }
    assert.deepEqual(await levels(), [
      [first, 0.5],
      [second, 2.25],
    ])
    const other = await world.build.user()
    const othersOwn = {
      user: { cursus_users_attributes: [{ cursus_id: piscine, skills_attributes: [{ id: first, level: 3 }] }] },
    }
    assert.equal((await world.director.patch(`/v2/users/${other}`, othersOwn)).status, 204)
    const [shown] = (await world.visitor.get(`/v2/users/${other}/cursus_users`)).json
    assert.equal(shown.skills[0].level, 3)
  })
})
