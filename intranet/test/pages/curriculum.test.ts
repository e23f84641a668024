import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { curriculumGraph, withStates } from '../../pages/school/curriculum-graph.ts'

describe('the map of a cursus', () => {
  let world: World
  let ada: SignedIn
  let cursus: number
  before(async () => {
    world = await campus({ seeded: true })
    ada = await signedInOf(world, { login: 'ada' })
    cursus = Number((await world.database.rows(`select id from cursus where slug = 'core'`))[0]?.[0] ?? 1)
  })
  after(() => world.close())

  it('has every project of it once, with a list of the same by state', async () => {
    const { text, status } = await ada.browser.get(`/curriculum/${cursus}`)
    assert.equal(status, 200)
    const drawn = [...text.matchAll(/<a class="node state-([\w-]+)" href="\/projects\/(\d+)"/g)].map(([, , id]) => id)
    const [[count] = []] = await world.database.rows(
      'select count(*) from projects_cursus join projects on projects.id = project_id where cursus_id = $1 and visible',
      [cursus],
    )
    assert.equal(String(new Set(drawn).size), count)
    assert.equal(new Set(drawn).size, drawn.length)
    const listed = [...text.matchAll(/<li><a href="\/projects\/(\d+)"/g)].map(([, id]) => id)
    assert.deepEqual([...listed].sort(), [...drawn].sort())
  })

  it('shows the state of somebody else, and 404 for nobody', async () => {
    const [[login] = []] = await world.database.rows(
      `select login from users u join projects_users p on p.user_id = u.id where p.validated limit 1`,
    )
    const { text } = await ada.browser.get(`/curriculum/${cursus}?of=${login}`)
    assert.match(text, /state-done/)
    assert.doesNotMatch((await ada.browser.get(`/curriculum/${cursus}`)).text, /node state-done/)
    assert.equal((await ada.browser.get(`/curriculum/${cursus}?of=nobody`)).status, 404)
    assert.equal((await ada.browser.get('/curriculum/99999999')).status, 404)
  })

  it('of staff, who may write any place and any name, stays a drawing', async () => {
    const project = await world.build.record('projects', { name: '<b>"x" & 你好 '.repeat(12), slug: 'hostile' })
    await world.build.record('projects_cursus', { project_id: project, cursus_id: cursus })
    const session = await world.build.record('project_sessions', { project_id: project, cursus_id: cursus })
    await world.build.record('project_data', {
      project_session_id: session,
      coordinates: '[1e300, -1e300]',
      by: '[[99999999,1,2,3,4],["x"],null]',
      kind: 'project',
    })
    const { text, status } = await ada.browser.get(`/curriculum/${cursus}`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /<b>/)
    await world.database.rows(`update project_data set coordinates = '[]', by = '[]' where project_session_id = $1`, [
      session,
    ])
    assert.equal((await ada.browser.get(`/curriculum/${cursus}`)).status, 200)
  })
})

describe('a project on the map', () => {
  const project = (id: number, leads: readonly number[] = []) => ({
    ...{ id, name: `P${id}`, exam: false, difficulty: null, leads },
    place: { x: id * 100, y: 0 },
  })
  const result = (id: number, status: 'finished' | 'in_progress', validated: boolean | null = null) => ({
    ...{ status, final_mark: null, 'validated?': validated },
    project: { id, name: '', slug: '', parent_id: null },
  })

  it('is open when all that lead to it are done', () => {
    const states = withStates(
      [project(1), project(2, [1]), project(3, [1, 2]), project(4, [3]), project(5, [2])],
      [result(1, 'finished', true), result(2, 'finished', false), result(5, 'in_progress')],
    ).map(({ state }) => state)
    assert.deepEqual(states, ['done', 'failed', 'later', 'later', 'under-way'])
    assert.equal(withStates([project(3, [1])], [result(1, 'finished', true)])[0]?.state, 'open')
  })

  it('is not drawn without a place', () => {
    assert.equal(curriculumGraph(withStates([{ ...project(1), place: undefined }], [])), undefined)
    assert.match(String(curriculumGraph(withStates([project(1)], []))), /href="\/projects\/1"/)
  })
})
