import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { openProject, type Project, student } from '@campus/test/support/projects'

// Sends the requests that published programs send, and checks the fields that they read.

let world: World
let place: Project
let ada: Awaited<ReturnType<typeof student>>
before(async () => {
  world = await campus()
  place = await openProject(world, { session: { minimum_mark: 80 } })
  ada = await student(world, place)
})
after(() => world.close())

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
const read = async (path: string, client = world.visitor): Promise<any> => {
  const { status, json, text } = await client.get(path)
  assert.equal(status, 200, `${path}: ${text.slice(0, 300)}`)
  return json
}
const idsAt = async (path: string, client = world.visitor) =>
  (await read(path, client)).map(({ id }: { id: number }) => id)

describe('a membership', () => {
  it('of a group shows the group, and may be written in the query', async () => {
    const group = await world.build.record('groups', { name: 'Robotics' })
    const query = `groups_user[group_id]=${group}&groups_user[user_id]=${ada.id}`
    const { status, json } = await world.director.post(`/v2/groups_users?${query}`)
    assert.deepEqual([status, json.group], [201, { id: group, name: 'Robotics' }])
    const paths = ['/v2/groups_users', `/v2/groups/${group}/groups_users`, `/v2/users/${ada.id}/groups_users`]
    for (const path of paths) assert.deepEqual((await read(path))[0], json, path)
  })

  it('of a team shows the team without its evaluations and uploads', async () => {
    const { json: team } = await ada.client.post('/v2/teams', { team: { project_id: place.project } })
    const { scale_teams: _, teams_uploads: __, ...shown } = await read(`/v2/teams/${team.id}`)
    const paths = ['/v2/teams_users', `/v2/users/${ada.id}/teams_users`, `/v2/teams/${team.id}/teams_users`]
    for (const path of paths) assert.deepEqual((await read(path))[0].team, shown, path)
  })

  it('of those who have won an achievement has exactly these keys', async () => {
    const achievement_id = await world.build.record('achievements', { name: 'First', slug: 'first', description: 'x' })
    const manager = await world.caller({ roles: ['Achievements Manager'] })
    const { status, json } = await manager.post('/v2/achievements_users', {
      achievements_user: { achievement_id, user_id: ada.id, nbr_of_success: '3', rewarded: true },
    })
    const [login] = (await world.database.rows('select login from users where id = $1', [ada.id]))[0] ?? []
    const now = world.clock.now().toISOString()
    assert.deepEqual(
      [status, json],
      [
        201,
        {
          id: json.id,
          achievement_id,
          user_id: ada.id,
          login,
          nbr_of_success: 3,
          url: `${world.url}/v2/users/${login}`,
          created_at: now,
          updated_at: now,
        },
      ],
    )
    const path = '/v2/achievements/first/achievements_users?filter[rewarded]=true&range[nbr_of_success]=3,3'
    assert.deepEqual(await read(path), [json])
    const again = { achievements_user: { achievement_id, user_id: ada.id } }
    assert.equal((await manager.post('/v2/achievements_users', again)).status, 422)
  })
})

describe('an achievement', () => {
  it('that is not visible is shown to people and staff, and comes with the others to them', async () => {
    const hidden = { name: 'Hidden', slug: 'hidden', description: 'x', visible: false, reward: 5, position: 2 }
    const id = await world.build.record('achievements', hidden)
    for (const [client, isShown] of [
      [world.visitor, false],
      [await world.caller({ roles: ['Advanced Tutor'] }), false],
      [world.staff, true],
      [ada.client, true],
    ] as const) {
      assert.equal((await client.get(`/v2/achievements/${id}`)).status, isShown ? 200 : 404)
      const found = await idsAt('/v2/achievements?sort=-reward,position,slug', client)
      assert.equal(found.includes(id), isShown)
    }
    const ids = await idsAt('/v2/achievements', ada.client)
    assert.deepEqual(
      ids,
      ids.toSorted((one: number, other: number) => one - other),
    )
  })
})

describe('a project', () => {
  it('shows what it is about and the minimum mark of its sessions, whatever a show is filtered by', async () => {
    const project = { description: 'Write a library', objectives: ['Unix', 'C'] }
    assert.equal((await world.director.patch(`/v2/projects/${place.project}`, { project })).status, 204)
    const shown = await read(`/v2/projects/${place.project}?filter[cursus_id]=${place.cursus}`)
    assert.deepEqual([shown.description, shown.objectives], ['Write a library', ['Unix', 'C']])
    assert.equal(shown.project_sessions[0].minimum_mark, 80)
  })

  it('is found by parts of its name or slug, and by its columns', async () => {
    const [parent, child] = [
      await world.build.record('projects', { name: 'Libft', slug: '42-lib', difficulty: 300, description: 'Unique' }),
      await world.build.record('projects', { name: 'Other', slug: 'other', visible: false }),
    ]
    await world.database.rows('update projects set parent_id = $1 where id = $2', [parent, child])
    await world.build.record('projects_cursus', { project_id: parent, cursus_id: place.cursus })
    const [[slug] = []] = await world.database.rows('select slug from cursus where id = $1', [place.cursus])
    for (const [query, found] of [
      ['search[name]=LIBF', [parent]],
      ['search[name]=42-li', [parent]],
      ['filter[visible]=false', [child]],
      [`filter[parent_id]=${parent}`, [child]],
      ['filter[description]=Unique', [parent]],
      ['range[difficulty]=200,400', [parent]],
      ['range[description]=Uni,Unx', [parent]],
    ] as const) {
      assert.deepEqual(await idsAt(`/v2/projects?${query}`), found, query)
    }
    assert.deepEqual(await idsAt(`/v2/cursus/${slug}/projects?search[name]=lib`), [parent])
    for (const name of ['exam', 'has_git', 'has_mark', 'inherited_team', 'position', 'repository', 'git_id', 'slug'])
      await read(`/v2/projects/${parent}/projects?filter[${name}]=`)
  })

  it("is one of the token's own person where they have a part in it", async () => {
    await ada.client.post('/v2/projects_users', { projects_user: { project_id: place.project } })
    assert.deepEqual(await idsAt('/v2/me/projects', ada.client), [place.project])
    assert.equal((await world.visitor.get('/v2/me/projects')).status, 404)
  })
})

describe('users', () => {
  it('are searched by each name, sorted by when they became alumni and filtered by what they are', async () => {
    const id = await world.build.user({
      login: 'kmcnulty',
      first_name: 'Kay',
      last_name: 'McNulty',
      kind: 'admin',
      alumnized_at: '2026-01-01T00:00:00Z',
    })
    for (const query of [
      'search[login]=mcnu',
      'search[first_name]=kay',
      'search[last_name]=nulty',
      'filter[alumni?]=true',
      'filter[staff?]=true',
      'sort=alumnized_at&page[size]=1',
    ]) {
      assert.deepEqual(await idsAt(`/v2/users?${query}`), [id], query)
    }
  })
})

describe('the duration of a scale', () => {
  it('is written in quarters of an hour and read in seconds, and may be sent back as it was read', async () => {
    const prefer = { prefer: 'return=representation' }
    const change = async (duration: unknown) =>
      (await world.director.patch(`/v2/scales/${place.scale}`, { scale: { duration } }, prefer)).json
    for (const [sent, shown] of [
      [2, 1800],
      ['1', 900],
      [96, 86_400],
      [1800, 1800],
      [97, 97],
    ]) {
      assert.equal((await change(sent)).duration, shown)
    }
    assert.deepEqual((await change(0)).errors, { duration: ['must be from 60 to 86400 seconds'] })
    assert.deepEqual((await change(86_401)).errors, { duration: ['must be from 60 to 86400 seconds'] })
    const tutor = await world.caller({ roles: ['Basic Tutor'] })
    assert.deepEqual(await idsAt('/v2/scales?filter[duration]=97', tutor), [place.scale])
  })
})

describe('an exam', () => {
  it('that is not visible is for staff, tutors and who is registered', async () => {
    const tutor = await world.caller({ roles: ['Advanced Tutor'] })
    const times = { begin_at: '2026-03-09T10:00:00Z', end_at: '2026-03-09T14:00:00Z' }
    const exam = { name: 'Rank 02', ...times, visible: false, campus_id: place.campus, project_ids: [place.project] }
    const created = await tutor.post('/v2/exams', { exam: { ...exam, activate_waitlist: true } })
    assert.equal(created.status, 201, created.text)
    const { id } = created.json
    assert.ok(!('visible' in created.json))
    await world.director.post('/v2/exams', { exam: { name: 'Open', ...times, cursus_ids: [place.cursus] } })
    const eve = await student(world, place)
    const registered = await tutor.post(`/v2/exams/${id}/exams_users`, { exams_user: { user_id: ada.id } })
    assert.deepEqual([registered.status, registered.json.exam.id], [201, id])
    for (const [client, isShown] of [
      [world.visitor, false],
      [eve.client, false],
      [ada.client, true],
      [tutor, true],
      [world.staff, true],
    ] as const) {
      assert.equal((await client.get(`/v2/exams/${id}`)).status, isShown ? 200 : 404)
      const lists = ['/v2/exams', `/v2/campus/${place.campus}/exams`, `/v2/users/${ada.id}/exams`]
      for (const path of lists) assert.equal((await idsAt(path, client)).includes(id), isShown, path)
      const visible = await idsAt('/v2/exams?filter[visible]=true&sort=visible&range[visible]=true,true', client)
      assert.deepEqual([visible.length, visible.includes(id)], [1, false])
    }
    assert.deepEqual(await idsAt(`/v2/exams/${id}/exams_users`, world.staff), [registered.json.id])
    assert.equal((await ada.client.get('/v2/exams_users')).status, 403)
    assert.equal((await tutor.delete(`/v2/exams/${id}/exams_users/${registered.json.id}`)).status, 204)
  })

  it('is listed below a cursus at a campus', async () => {
    const times = { begin_at: '2026-04-09T10:00:00Z', end_at: '2026-04-09T14:00:00Z' }
    const id = await world.build.record('exams', { name: 'Both', campus_id: place.campus, ...times })
    await world.build.record('exams_cursus', { exam_id: id, cursus_id: place.cursus })
    assert.deepEqual(await idsAt(`/v2/campus/${place.campus}/cursus/${place.cursus}/exams`), [id])
    assert.deepEqual(await idsAt(`/v2/campus/${await world.build.campus()}/cursus/${place.cursus}/exams`), [])
  })
})

describe('applications', () => {
  it('are listed with the newest first: the public ones and those of the person', async () => {
    const [{ id: owned = 0 } = {}] = await world.database.kysely
      .insertInto('applications')
      .values({ name: 'Mine', uid: 'u-mine', secret_digest: Buffer.alloc(32), owner_id: ada.id, scopes: ['public'] })
      .returning('id')
      .execute()
    for (const query of ['sort=-user_id', 'filter[uid]=u-mine', `filter[owner_id]=${ada.id}`]) {
      assert.deepEqual((await idsAt(`/v2/apps?${query}`, ada.client))[0], owned, query)
      assert.ok(!(await idsAt(`/v2/apps?${query}`)).includes(owned), query)
    }
    assert.deepEqual(await idsAt(`/v2/users/${ada.id}/apps`), [])
  })
})

describe('an application without roles', () => {
  it('reads what existing programs read without one, and no more', async () => {
    const open = ['quests', 'partnerships', 'roles', 'expertises', 'attachments', 'teams', 'tags', 'projects']
    for (const name of open) await read(`/v2/${name}`)
    for (const name of ['evaluations', 'scales', 'slots']) {
      assert.equal((await world.visitor.get(`/v2/${name}`)).status, 403, name)
    }
    assert.equal((await world.visitor.get('/v2/me')).status, 404)
  })
})

describe('a part in a cursus', () => {
  it('is found by user and cursus, and ended by an update', async () => {
    const path = `/v2/cursus_users?filter[user_id]=${ada.id}&filter[cursus_id]=${place.cursus}`
    const [part] = await read(path)
    const cursus_user = { has_coalition: false, end_at: '2026-12-31 00:00:00 UTC' }
    assert.equal((await world.director.patch(`/v2/cursus_users/${part.id}`, { cursus_user })).status, 204)
    const [{ has_coalition, end_at }] = await read(path)
    assert.deepEqual([has_coalition, end_at], [false, '2026-12-31T00:00:00.000Z'])
  })
})

describe('an event', () => {
  it('is found by its name and kinds, with blanks after commas', async () => {
    const times = { begin_at: '2026-05-01T10:00:00Z', end_at: '2026-05-01T12:00:00Z' }
    const id = await world.build.record('events', { name: 'Rush', description: 'x', kind: 'rush', ...times })
    for (const query of [
      'filter[name]=Rush',
      'filter[kind]=rush,hackathon',
      'range[begin_at]=2026-01-01, 2026-12-31',
      'range[end_at]=2026-05-01 12:00:00  0000,2026-05-01T14:00:00 02:00',
    ]) {
      const events = await read(`/v2/events?${query.replaceAll(' ', '%20')}`)
      assert.deepEqual([events[0].id, 'duration' in events[0]], [id, false], query)
    }
  })
})
