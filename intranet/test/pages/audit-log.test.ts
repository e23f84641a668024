import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { personOf, type SignedIn, signedInOf } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'
import { MAX_EXPORTED } from '../../pages/staff/audit/list.ts'
import { type AuditKind, recordAudits } from '../../services/audit/audit.ts'

describe('the audit log of the school', () => {
  let world: World
  let boss: SignedIn
  let student: SignedIn
  before(async () => {
    world = await campus({ env: { CAMPUS_TIME_ZONE: 'Europe/Paris' } })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    student = await signedInOf(world, { login: 'pupil' })
  })
  after(() => world.close())

  const record = (kind: AuditKind, at: string, values: Partial<Parameters<typeof recordAudits>[2][number]> = {}) =>
    recordAudits(world.database, new Date(at), [
      { kind, actor: { userId: boss.id, address: '192.0.2.7' }, subjectId: student.id, ...values },
    ])
  const rowsOf = (text: string) => [...text.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([row]) => row)
  const seen = async (query: string) => rowsOf((await boss.browser.get(`/staff/audit?${query}`)).text)
  const exported = async (query = '') => {
    const { headers, text } = await boss.browser.get(`/staff/audit/export?${query}`)
    return { headers, lines: text.trimEnd().split('\r\n') }
  }

  it('is for people of kind admin, to read and to export', async () => {
    for (const path of ['/staff/audit', '/staff/audit/export']) {
      assert.equal((await student.browser.get(path)).status, 403, path)
      assert.match((await visitorOf(world).get(path)).location ?? '', /^\/sign-in/, path)
      assert.equal((await boss.browser.get(path)).status, 200, path)
    }
  })

  it('is filtered by who, on whom, what and which days of the school', async () => {
    const app = await world.database.transaction((tx) => createApplication(tx, { name: 'Exam bot' }))
    await record('account_closed', '2026-01-31T23:30:00.000Z', { details: { reason: 'Moved away' } })
    await record('rates_changed', '2026-02-02T12:00:00.000Z', { subjectId: null, applicationId: app.id })
    await record('password_reset', '2026-02-03T12:00:00.000Z', {
      actor: { userId: null, command: 'user set-password' },
    })
    assert.equal((await seen('about=exam+BOT')).length, 2)
    assert.match((await seen('about=exam+bot&kind=rates_changed'))[0] ?? '', /Rates of “Exam bot”/)
    assert.equal((await seen('about=pupil&actor=boss')).length, 1)
    assert.match((await seen('kind=account_closed'))[0] ?? '', /Account closed: Moved away/)
    assert.match((await seen('kind=password_reset'))[0] ?? '', /the command line/)
    // Half past eleven in London is the next day in Paris.
    assert.equal((await seen('kind=account_closed&from=2026-02-01&to=2026-02-01')).length, 1)
    assert.equal((await seen('kind=account_closed&to=2026-01-31')).length, 0)
    for (const nothing of ['actor=nobody', 'about=nobody', 'actor=%25', 'actor=bos'])
      assert.equal((await seen(nothing)).length, 0, nothing)
    const all = (await seen('')).length
    for (const noise of ['kind=nonsense', 'from=yesterday', 'to=9999-12-31', 'from=0001-01-01'])
      assert.equal((await seen(noise)).length, all, noise)
  })

  it('says where nobody was', async () => {
    await record('roles_changed', '2026-02-04T12:00:00.000Z')
    assert.ok(!(await boss.browser.get('/staff/audit')).text.includes('192.0.2.7'))
    assert.ok(!(await exported()).lines.join().includes('192.0.2.7'))
  })

  it('comes as CSV with the same filters, which a spreadsheet does not reckon', async () => {
    const trap = '=HYPERLINK("https://evil.example")'
    const { login } = await personOf(world, { login: 'formula' })
    await record('application_deleted', '2026-02-05T12:00:00.000Z', { details: { name: trap } })
    const { headers, lines } = await exported('kind=application_deleted')
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="audit-2026-03-02\.csv"/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(lines.length, 2)
    assert.match(lines[1] ?? '', /^\d+,"2026-02-05T12:00:00\.000Z","application_deleted","boss",,"pupil",,,"\{/)
    await record('application_deleted', '2026-02-06T12:00:00.000Z', { actor: { userId: null, command: '=1+1' } })
    assert.match((await exported('kind=application_deleted')).lines[1] ?? '', /,"'=1\+1",/)
    assert.equal((await exported(`actor=${login}`)).lines.length, 1)
  })

  it('comes whole, each event once, however many were recorded at the same moment', async () => {
    const at = new Date('2026-02-10T12:00:00.000Z')
    const many = Array.from({ length: 2_500 }, () => ({
      kind: 'signed_out' as const,
      actor: { userId: student.id },
      subjectId: student.id,
    }))
    await recordAudits(world.database, at, many)
    const { lines } = await exported('kind=signed_out')
    const ids = lines.slice(1).map((line) => line.split(',', 1)[0])
    assert.deepEqual([ids.length, new Set(ids).size], [2_500, 2_500])
    assert.ok(MAX_EXPORTED >= 2_500)
    const first = (await boss.browser.get('/staff/audit?kind=signed_out')).text
    assert.match(first, /href="\/staff\/audit\/export\?kind=signed_out" download/)
    assert.equal(rowsOf(first).length, 25)
  })

  it('is read by an index, whatever it is filtered by', async () => {
    for (const query of [
      'order by created_at desc, id desc limit 26',
      "where kind = 'x' order by created_at desc, id desc limit 26",
    ]) {
      const plan = await world.database.transaction(async (tx) => {
        await tx.rows('set local enable_seqscan = off')
        return (await tx.rows(`explain select * from audit_events ${query}`)).join('\n')
      })
      assert.doesNotMatch(plan, /Seq Scan/, query)
    }
  })
})
