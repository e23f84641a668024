import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it, mock } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { closedTeam, openProject, student } from '@campus/test/support/projects'
import { sourceFiles } from '@campus/test/support/sources'
import pg from 'pg'

/** The driver's connection, whose types the driver does not tell. */
type Wire = { parse(statement: { readonly text: string }): void }
const wire = (pg as unknown as { readonly Connection: { readonly prototype: Wire } }).Connection.prototype

describe('savepoints', () => {
  let world: World

  before(async () => {
    world = await campus({ now: '2026-03-02T10:00:00.000Z' })
  })
  after(() => world.close())

  it('of a bulk write are released, of each element that is written and of each that is refused', async () => {
    const place = await openProject(world)
    const { client } = await student(world, place)
    const team_id = await closedTeam(client, place.project)
    const upload_id = await world.build.record('uploads', { evaluation_id: place.evaluation, name: 'Robot' })
    const good = Array.from({ length: 20 }, () => ({ team_id, upload_id, final_mark: 42 }))
    const bad = good.map((upload, place) => (place % 2 ? { ...upload, upload_id: 999_999 } : upload))
    for (const [uploads, status] of [
      [good, 201],
      [bad, 422],
    ] as const) {
      const sent: string[] = []
      const { parse } = wire
      const spy = mock.method(wire, 'parse', function (this: Wire, ...given: Parameters<Wire['parse']>) {
        sent.push(given[0].text)
        parse.apply(this, given)
      })
      const answer = await world.director.post('/v2/teams_uploads/multiple_create', { teams_uploads: uploads })
      spy.mock.restore()
      assert.equal(answer.status, status, answer.text)
      const made = sent.filter((text) => text.startsWith('savepoint'))
      const released = sent.filter((text) => text.startsWith('release savepoint'))
      assert.ok(made.length >= 10, `${made.length} of ${sent.length} statements`)
      // The last is left to the end of the transaction.
      assert.ok(released.length >= made.length - 1, `${released.length} of ${made.length} were released`)
    }
  })

  it('are made in one place, so that none is left', () => {
    const naming = sourceFiles().filter((file) =>
      /\brows\(['"`](?:rollback to )?savepoint /.test(readFileSync(file, 'utf8')),
    )
    assert.deepEqual(naming, ['engine/database/savepoint.ts'])
  })
})
