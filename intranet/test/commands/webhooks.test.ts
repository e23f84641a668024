import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { builderOf } from '@campus/test/support/row-builder'
import { runCommand } from '@campus/test/support/run-command'

const URL = 'https://hooks.example.org/campus'
const SECRET = 'a-secret-of-mine'

describe('campus webhook', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: TestDatabase
  let campusId: number
  let uid: string
  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
    const build = builderOf(database)
    campusId = await build.campus()
    ;({ uid } = await json('app', 'create', '--name', 'Wall of seats', '--roles', 'Advanced Staff'))
  })
  after(async () => {
    await database.close()
    await folder.remove()
  })

  const run = (...words: readonly (string | number)[]) =>
    runCommand(words.map(String), { CAMPUS_DATA: folder.path, DATABASE_URL: database.url })

  /** Returns the `--json` output of a command. */
  async function json(...words: readonly (string | number)[]) {
    const { code, stdout, stderr } = await run(...words, '--json')
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  async function refusal(...words: readonly (string | number)[]): Promise<string> {
    const { code, stdout, stderr } = await run(...words)
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    return stderr
  }

  const change = ['--model', 'location', '--event', 'close', '--url', URL]
  const create = (...flags: readonly (string | number)[]) =>
    json('webhook', 'create', '--app', uid, ...change, ...flags)
  const stored = () => database.rows('select count(*)::int from webhooks').then(([row]) => row?.[0])
  const audited = async () =>
    (await database.rows('select kind, command from audit_events order by id desc limit 1'))[0]

  it('create subscribes an application, with all that the flags say, and prints a secret that it made', async () => {
    const flags = ['--campus', campusId, '--description', 'frees the seat']
    const { id, application_id, secret, created_at, updated_at, ...rest } = await create(...flags)
    assert.ok(Number.isInteger(id) && Number.isInteger(application_id) && created_at === updated_at)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(rest, {
      ...{ model: 'location', event: 'close', campus_id: campusId, url: URL, description: 'frees the seat' },
      ...{ active: true, switched_off_at: null, switched_off_because: null },
    })
    assert.deepEqual(await audited(), ['webhook_created', 'webhook create'])
  })

  it('create prints no secret that it was given, and says in words that one is shown once', async () => {
    assert.equal((await create('--secret', SECRET)).secret, null)
    const given = await run('webhook', 'create', '--app', uid, ...change, '--secret', SECRET)
    assert.match(given.stdout, /^Subscribed to location close\.\n/)
    assert.equal(given.stdout.includes(SECRET), false)
    const made = await run('webhook', 'create', '--app', uid, ...change)
    assert.match(made.stdout, /^Subscribed to location close\. The secret is not shown again\.\n/)
    assert.match(made.stdout, /^ *secret +whsec_/m)
  })

  it('create refuses what is wrong, and subscribes to nothing', async () => {
    const before = await stored()
    for (const [flags, message] of [
      [['--app', 'nobody', ...change], /^No application has this uid/],
      [['--app', uid, '--model', 'locations', '--event', 'close', '--url', URL], /^model must be one of .*location/],
      [['--app', uid, '--model', 'location', '--event', 'open', '--url', URL], /^event must be one of create, update/],
      [['--app', uid, '--model', 'location', '--event', 'close', '--url', 'http://a.example'], /^url must/],
      [['--app', uid, ...change, '--secret', 'short'], /^secret is too short/],
      [['--app', uid, ...change, '--secret', 'known to both'], /^secret .*letters, digits and signs/],
      [['--app', uid, ...change, '--campus', campusId + 1000], /^campus_id must be the id of a campus/],
      [['--app', uid, '--model', 'location'], /required option '--event/],
    ] as const)
      assert.match(await refusal('webhook', 'create', ...flags), message)
    assert.equal(await stored(), before)
  })

  it('list shows the webhooks of an application, and never a secret', async () => {
    const { uid: own } = await json('app', 'create', '--name', 'Listed')
    assert.deepEqual(await json('webhook', 'list', '--app', own), { webhooks: [] })
    assert.equal((await run('webhook', 'list', '--app', own)).stdout, 'It has no webhooks.\n')
    const { secret, ...made } = await json('webhook', 'create', '--app', own, ...change)
    assert.deepEqual(await json('webhook', 'list', '--app', own), { webhooks: [made] })
    const { stdout } = await run('webhook', 'list', '--app', own)
    assert.match(stdout, new RegExp(`^${made.id} +location +close .*${URL}`, 'm'))
    assert.equal(stdout.includes(secret), false)
    assert.match(await refusal('webhook', 'list', '--app', 'nobody'), /^No application has this uid/)
  })

  it('test makes a delivery of the newest record, which show lists', async () => {
    const { id, secret, ...made } = await create()
    assert.match(await refusal('webhook', 'test', id), /^There is no record yet that it could be tested with/)
    const build = builderOf(database)
    const user_id = await build.user({ login: 'tested' })
    await build.location({ user_id, campus_id: campusId })
    const newest = await build.location({ user_id, campus_id: campusId })
    const { delivery } = await json('webhook', 'test', id)
    const shown = await json('webhook', 'show', id)
    assert.deepEqual(shown.webhook, { id, ...made })
    const [only, ...others] = shown.deliveries
    assert.deepEqual(others, [])
    assert.deepEqual([only.id, only.record_id, only.state, only.tries], [delivery, newest, 'pending', 0])
    assert.match((await run('webhook', 'test', id)).stdout, /^Made the delivery \d+; the server sends it\.\n$/)
    const { stdout } = await run('webhook', 'show', id)
    assert.match(stdout, new RegExp(`^${delivery} .* ${newest} +pending +0`, 'm'))
    assert.equal((stdout + JSON.stringify(shown)).includes(secret), false)
  })

  it('test and show say why a webhook is switched off', async () => {
    const { id } = await create()
    assert.match((await run('webhook', 'show', id)).stdout, /It has had no deliveries yet\.\n$/)
    const off = `active = false, switched_off_at = now(), switched_off_because = 'gone'`
    await database.rows(`update webhooks set ${off} where id = $1`, [id])
    assert.match(await refusal('webhook', 'test', id), /^webhook is switched off/)
    const { webhook } = await json('webhook', 'show', id)
    assert.equal(webhook.active, false)
    assert.equal(webhook.switched_off_because, 'it answered 410 Gone')
  })

  it('delete ends a webhook with its deliveries', async () => {
    const { id } = await create()
    await json('webhook', 'test', id)
    const { deleted, ...rest } = await json('webhook', 'delete', id)
    assert.deepEqual([deleted, rest.id, rest.model, rest.event], [true, id, 'location', 'close'])
    assert.deepEqual(await database.rows('select id from webhook_deliveries where webhook_id = $1', [id]), [])
    assert.deepEqual(await audited(), ['webhook_deleted', 'webhook delete'])
    for (const name of ['show', 'test', 'delete'])
      assert.match(await refusal('webhook', name, id), /^There is no such webhook\./)
    const { id: next } = await create()
    assert.equal((await run('webhook', 'delete', next)).stdout, `Ended location close to ${URL}.\n`)
    assert.match(await refusal('webhook', 'delete', 'one'), /'one' is invalid for argument 'id'/)
  })
})
