/** Each person may queue a limited number of calls and mails, across all of their applications. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { rotateSecret } from '../../oauth/applications/secrets.ts'
import { queueMail } from '../../services/mail/queue-mail.ts'
import { notify } from '../../services/notifications/notify.ts'

const MAX_QUEUED = 20
const MAX_MAILS = 50
const TESTS = 15

describe('a person queues at most', () => {
  let world: World
  let ada: SignedIn
  let bob: SignedIn
  before(async () => {
    world = await campus()
    ada = await signedInOf(world, { login: 'ada' })
    bob = await signedInOf(world, { login: 'bob' })
    await world.database.rows("insert into mail_senders (until) values (now() + interval '1 day')")
  })
  after(() => world.close())

  const count = async (rows: string) => Number((await world.database.rows(`select count(*) from ${rows}`))[0]?.[0])

  async function webhookOf(owner: string): Promise<string> {
    const { id } = await world.database.transaction((tx) => createApplication(tx, { name: 'Hooked', owner }))
    const [row] = await world.database.rows(
      `insert into webhooks (application_id, model, relation, event, url, secret, active, since, created_at, updated_at)
       values ($1, 'user', 'users', 'update', 'https://127.0.0.1:9', 's', true, 0, now(), now()) returning id`,
      [id],
    )
    return `/applications/${id}/webhooks/${row?.[0]}`
  }

  it(`${MAX_QUEUED} tests and replays, over all webhooks and also at the same time`, async () => {
    const [one, other, bobs] = [await webhookOf('ada'), await webhookOf('ada'), await webhookOf('bob')]
    const test = async ({ browser }: SignedIn, page: string) => (await browser.submit(page, {}, `${page}/test`)).status
    const statuses: number[] = []
    for (let at = 0; at < TESTS; at += 1) statuses.push(...(await Promise.all([test(ada, one), test(ada, other)])))
    assert.equal(statuses.filter((status) => status === 303).length, MAX_QUEUED)
    assert.equal(statuses.filter((status) => status === 429).length, 2 * TESTS - MAX_QUEUED)
    assert.equal(await count('webhook_deliveries'), MAX_QUEUED)
    assert.equal(await test(bob, bobs), 303)

    const [decided] = await world.database.rows(
      `update webhook_deliveries set state = 'rejected', lease = null, due_at = null, decided_at = now()
       where id = (select min(id) from webhook_deliveries) returning id, webhook_id`,
    )
    const [id, webhook] = decided ?? []
    const page = one.endsWith(`/${webhook}`) ? one : other
    assert.equal(await test(ada, one), 303)
    const replay = () => ada.browser.submit(`${page}/deliveries/${id}`, {})
    assert.equal((await replay()).status, 429)
    assert.equal(await count("webhook_deliveries where state = 'rejected'"), 1)
    await world.database.rows("delete from webhook_deliveries where state = 'pending'")
    assert.equal((await replay()).status, 303)
  })

  it('one warning about the former secret of each application', async () => {
    const { id } = await world.database.transaction((tx) => createApplication(tx, { name: 'Kept', owner: 'ada' }))
    const actor = { userId: ada.id }
    for (let at = 0; at < 3; at += 1)
      await world.database.transaction((tx) => rotateSecret(tx, { id, actor, now: world.clock.now() }))
    assert.equal(await count("mails where kind = 'secret_ending'"), 1)
  })

  it(`${MAX_MAILS} mails of a kind an hour to each user`, async () => {
    const details = { at: world.clock.now().toISOString(), address: '127.0.0.1', browser: 'Firefox' }
    const signIn = (userId: number) =>
      queueMail(world.database, { kind: 'new_sign_in', userId, details, now: world.clock.now() })
    await world.database.rows(`insert into notification_mails (user_id, kind) values ($1, 'account_opened')`, [ada.id])
    const before = await count(`mails where user_id = ${ada.id} and kind = 'new_sign_in'`)
    for (let at = before; at < MAX_MAILS; at += 1) assert.equal(await signIn(ada.id), true)
    assert.equal(await signIn(ada.id), false)
    assert.equal(await signIn(bob.id), true)
    for (let at = 0; at <= MAX_MAILS; at += 1)
      await notify(world.database, {
        kind: 'account_opened',
        userIds: [ada.id],
        details: {},
        now: world.clock.now(),
      })
    assert.equal(await count(`mails where user_id = ${ada.id} and kind = 'notification'`), MAX_MAILS)
    assert.equal(await count(`notifications where user_id = ${ada.id} and kind = 'account_opened'`), MAX_MAILS + 1)
    world.clock.advance(3_600_000)
    assert.equal(await signIn(ada.id), true)
  })
})
