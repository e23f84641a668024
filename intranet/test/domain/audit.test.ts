import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { testDatabase } from '@campus/test/support/database'
import { type Builder, builderOf } from '@campus/test/support/row-builder'
import { sweep } from '../../server/app/housekeeping.ts'
import { auditRecordsAbout, auditRecordsConcerning, recordAudit } from '../../services/audit/audit.ts'

const NOW = new Date('2026-03-02T12:00:00.000Z')

describe('what was done', () => {
  let database: Database
  let build: Builder
  before(async () => {
    database = await testDatabase()
    build = builderOf(database)
  })
  after(() => database.close())

  const application = (name: string) =>
    build.record('applications', { name, uid: name, secret_digest: Buffer.alloc(32) })

  it('is shown to the one who did it and to the one to whom it was done, and to nobody else', async () => {
    const [staff, student, stranger] = [
      await build.user({ login: 'staff' }),
      await build.user({ login: 'student' }),
      await build.user(),
    ]
    await recordAudit(database, NOW, {
      kind: 'reset_link_created',
      actor: { userId: staff, address: '192.0.2.7' },
      subjectId: student,
    })
    for (const person of [staff, student]) {
      const [event, ...others] = await auditRecordsConcerning(database, person, 10)
      assert.deepEqual(others, [])
      assert.deepEqual(
        [event?.kind, event?.actor, event?.subject, event?.address, event?.created_at],
        ['reset_link_created', 'staff', 'student', '192.0.2.7', NOW],
      )
    }
    assert.deepEqual(await auditRecordsConcerning(database, stranger, 10), [])
  })

  it('to an application is told about it, and what people allowed it is not', async () => {
    const [id, owner] = [await application('Maps'), await build.user()]
    const actor = { userId: owner }
    await recordAudit(database, NOW, {
      kind: 'roles_changed',
      actor,
      subjectId: owner,
      applicationId: id,
      details: { roles: 'Beta' },
    })
    await recordAudit(database, NOW, { kind: 'consent_given', actor, subjectId: owner, applicationId: id })
    const events = await auditRecordsAbout(database, id, 10)
    assert.deepEqual(
      events.map(({ kind, application, details }) => [kind, application, details]),
      [['roles_changed', 'Maps', { roles: 'Beta' }]],
    )
  })

  it('is not recorded when the action itself does not happen', async () => {
    const person = await build.user()
    const action = database.transaction(async (tx) => {
      await recordAudit(tx, NOW, { kind: 'password_changed', actor: { userId: person }, subjectId: person })
      throw new Error('it failed')
    })
    await assert.rejects(action, /it failed/)
    assert.deepEqual(await auditRecordsConcerning(database, person, 10), [])
  })

  it('outlives the application through which it was done, and is forgotten after a year', async () => {
    const [id, person] = [await application('Gone'), await build.user()]
    const actor = { userId: person, applicationId: id }
    await recordAudit(database, NOW, { kind: 'roles_changed', actor, subjectId: null })
    await database.rows('delete from applications where id = $1', [id])
    const [event] = await auditRecordsConcerning(database, person, 10)
    assert.deepEqual([event?.kind, event?.application], ['roles_changed', null])
    await sweep(database, new Date('2027-03-02T11:59:00.000Z'))
    assert.equal((await auditRecordsConcerning(database, person, 10)).length, 1)
    await sweep(database, new Date('2027-03-02T12:01:00.000Z'))
    assert.deepEqual(await auditRecordsConcerning(database, person, 10), [])
  })
})
