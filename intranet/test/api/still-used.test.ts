import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { campus, type World } from '@campus/test/support/campus'
import { rowCounts } from '@campus/test/support/database-contents'
import { openProject } from '@campus/test/support/projects'
import { createRecordFactory, type RecordFactory } from '@campus/test/support/record-factory'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()

describe('what is still in use', () => {
  let world: World
  let factory: RecordFactory

  before(async () => {
    world = await campus()
    factory = await createRecordFactory(world, registry)
  })
  after(() => world.close())

  type Key = { readonly name: string; readonly parent: string; readonly deletion: string }

  const foreignKeys = async (): Promise<readonly Key[]> => {
    const rows = await world.database.rows(
      `select conrelid::regclass || '.' || attname, confrelid::regclass::text, confdeltype from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = conkey[1] where contype = 'f'`,
    )
    return rows.map(([name, parent, deletion]) => ({ name, parent, deletion }) as Key)
  }

  const namesOf = (keys: readonly Key[], deletion: string) =>
    keys.filter((key) => key.deletion === deletion).map(({ name }) => name)

  it('is decided for every foreign key, in the declaration of what it points at', async () => {
    const keys = await foreignKeys()
    assert.ok(keys.every(({ deletion }) => ['a', 'c', 'n'].includes(deletion)))
    // Starts with the resources that the API can delete, and follows their cascades. Other resources have no dependents
    // to check.
    const seen = new Set<string>()
    const left = registry.resources.filter(({ actions }) => actions !== embeddedOnly && actions.destroy)
    for (let resource = left.pop(); resource; resource = left.pop()) {
      const { table } = resource
      if (seen.has(table)) continue
      seen.add(table)
      const pointing = keys.filter(({ parent }) => parent === table)
      const declared = declaredFor(table)
      assert.deepEqual([...declared.deleted].sort(), namesOf(pointing, 'c').sort(), `deleted along with ${table}`)
      assert.deepEqual([...declared.released].sort(), namesOf(pointing, 'n').sort(), `released by ${table}`)
      for (const name of declared.deleted) {
        left.push(...registry.resources.filter((child) => child.table === name.split('.')[0]))
      }
    }
    assert.ok(seen.has('sections'), 'what goes with others is looked at too')
  })

  /** Several resources may share a table. One of them declares the dependents. */
  const declaredFor = (table: string) => {
    const declared = registry.resources.flatMap((one: Resource) => (one.table === table ? (one.dependents ?? []) : []))
    assert.ok(declared.length < 2, `${table} is declared twice`)
    return { deleted: declared[0]?.deleted ?? [], released: declared[0]?.released ?? [] }
  }

  const refused = async (path: string, text: string) => {
    const before = await rowCounts(world.database)
    const { status, json } = await factory.administrator.delete(path)
    assert.deepEqual([status, json?.errors], [422, { base: [`is still used by ${text}`] }], path)
    assert.deepEqual(await rowCounts(world.database), before)
  }

  it('is not destroyed, and the refusal says what hangs on it and how much', async () => {
    const quest = await factory.make('quests')
    for (let count = 0; count < 3; count += 1) await factory.make('quests_users', { quest_id: quest })
    await refused(`/v2/quests/${quest}`, '3 quests_users')

    const campus = await world.build.campus()
    for (const user_id of [await world.build.user(), await world.build.user()]) {
      await world.build.record('campus_users', { user_id, campus_id: campus, is_primary: true })
      await world.build.location({ user_id, campus_id: campus })
    }
    await factory.make('exams', { campus_id: campus })
    await refused(`/v2/campus/${campus}`, '2 campus_users, 1 exams and 2 locations')
  })

  it('is found through what would be deleted along with it', async () => {
    const { cursus, project, session, scale } = await openProject(world)
    await refused(`/v2/cursus/${cursus}`, '1 projects_cursus')
    const user_id = await world.build.user()
    const team_id = await world.build.record('teams', {
      name: 'Ours',
      project_id: project,
      project_session_id: session,
      repo_uuid: 'still-used',
    })
    await world.build.record('scale_teams', { team_id, scale_id: scale, user_id })
    await refused(`/v2/scales/${scale}`, '1 scale_teams')
    await refused(`/v2/teams/${team_id}`, '1 scale_teams')
    await refused(`/v2/project_sessions/${session}`, '1 scale_teams and 1 teams')
    await refused(`/v2/projects/${project}`, '1 scale_teams and 1 teams')
  })

  it('no more, goes with what belongs to it alone', async () => {
    const project = await factory.make('projects')
    const session = await factory.make('project_sessions', { project_id: project })
    assert.equal((await factory.administrator.delete(`/v2/projects/${project}`)).status, 204)
    assert.equal((await factory.administrator.get(`/v2/project_sessions/${session}`)).status, 404)
  })

  it('is not destroyed as an element of another record', async () => {
    const user = await factory.make('users')
    const cursus = await world.build.cursus()
    await factory.administrator.patch(`/v2/users/${user}`, {
      user: { cursus_users_attributes: [{ cursus_id: cursus }] },
    })
    const [part] = (await factory.get(`/v2/users/${user}`)).cursus_users
    const element = { id: part.id, _destroy: true }
    const gone = await factory.administrator.patch(`/v2/users/${user}`, {
      user: { cursus_users_attributes: [element] },
    })
    assert.equal(gone.status, 204, gone.text)

    const session = await factory.make('project_sessions')
    const { evaluations } = await factory.get(`/v2/project_sessions/${session}`)
    const upload_id = await world.build.record('uploads', { name: 'Robot', evaluation_id: evaluations[0].id })
    await world.build.record('teams_uploads', { team_id: await factory.make('teams'), upload_id, final_mark: 3 })
    const evaluations_attributes = [{ id: evaluations[0].id, _destroy: true }]
    const retained = await factory.administrator.patch(`/v2/project_sessions/${session}`, {
      project_session: { evaluations_attributes },
    })
    assert.deepEqual(retained.json.errors, { 'evaluations_attributes[0]': ['is still used by 1 teams_uploads'] })
  })
})
