import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type Flow, flowOf } from '@campus/test/support/oauth-flow'
import { PASSWORD, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'
import { removePasskey, renamePasskey } from '../../access/passkeys.ts'
import { makeAdministrator, removeAdministrator } from '../../access/powers.ts'
import { requireSecondFactor } from '../../access/second-factor-requirements.ts'
import { changeApplication } from '../../oauth/applications/change.ts'
import { setRights } from '../../oauth/applications/rights.ts'
import { revokeConsent } from '../../oauth/consents.ts'
import { endAllAuthorizations, endAuthorization } from '../../oauth/live-authorizations.ts'
import { endSigningKeys, makeFirstKeys } from '../../oauth/openid/signing-keys.ts'
import { issueTokenToOwner } from '../../oauth/owner-tokens.ts'
import { AUDIT_KINDS, type AuditKind } from '../../services/audit/audit.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

/** Events that are recorded each time, since each repetition has another effect. */
const EACH_TIME: readonly AuditKind[] = [
  ...([
    'account_anonymized',
    'account_created',
    'announcement_sent',
    'application_created',
    'application_deleted',
    'close_added',
    'endpoint_created',
  ] as const),
  ...([
    'consent_denied',
    'password_changed',
    'password_reset',
    'recovery_code_used',
    'recovery_codes_renewed',
  ] as const),
  ...(['reset_link_created', 'secret_rotated', 'sign_in_throttled', 'signed_in', 'school_identity_matched'] as const),
  // intranet/test/webhooks/subscribing.test.ts
  ...(['webhook_created', 'webhook_deleted'] as const),
  // One of several; test/model/closes.test.ts foretells them.
  'close_lifted',
  // A setup is confirmed once, or refused (intranet/test/pages/second-factor.test.ts).
  'second_factor_enabled',
  // Added once, or refused (intranet/test/pages/passkeys.test.ts); each use of a copy is another one.
  ...(['passkey_added', 'passkey_suspected'] as const),
]

describe('what is done twice and changes nothing the second time is recorded once:', () => {
  let world: World
  let flow: Flow
  before(async () => {
    world = await campus()
    flow = flowOf(world)
  })
  after(() => world.close())

  const ignoringRefusal = (work: Promise<unknown>) => work.catch(() => undefined)

  /** For each kind something that was made ready, to which the same is then done twice. */
  const done: Partial<Record<AuditKind, () => Promise<() => Promise<unknown>>>> = {
    async account_changed() {
      const id = await world.build.user()
      return () => world.director.patch(`/v2/users/${id}`, { user: { email: `other-${id}@campus.test` } })
    },
    async record_written() {
      const { browser, id } = await signedInOf(world, { kind: 'admin' })
      const form = { csrf_token: csrfTokenIn(await browser.get(`/staff/records/users/${id}/edit`)), status: 'on leave' }
      return () => browser.post(`/staff/records/users/${id}/edit`, form)
    },
    async webhook_changed() {
      const app = await world.build.record('applications', { name: 'Hooked', uid: 'hooked' })
      const webhook = { model: 'location', event: 'close', url: 'https://hooks.example.org/' }
      const { json } = await world.director.post(`/v2/apps/${app}/webhooks`, { webhook })
      return () => world.director.patch(`/v2/apps/${app}/webhooks/${json.id}`, { webhook: { description: 'Names' } })
    },
    async administrator_added() {
      const userId = await world.build.user({ kind: 'admin' })
      return () => inTransaction((tx) => makeAdministrator(tx, { userId, ...byNobody() }))
    },
    async administrator_removed() {
      const userId = await world.build.user({ kind: 'admin' })
      await inTransaction((tx) => makeAdministrator(tx, { userId, ...byNobody() }))
      return () => inTransaction((tx) => removeAdministrator(tx, { userId, ...byNobody() }))
    },
    async account_closed() {
      const close = await closeOf(await world.build.user())
      await world.staff.patch(`/v2/closes/${close}/unclose`, {})
      await forgetAudit()
      return () => world.staff.patch(`/v2/closes/${close}/close`, {})
    },
    async account_unclosed() {
      const close = await closeOf(await world.build.user())
      return () => world.staff.patch(`/v2/closes/${close}/unclose`, {})
    },
    async alumnized() {
      const id = await world.build.user()
      return () => world.director.post(`/v2/users/${id}/alumnize`, {})
    },
    async dealumnized() {
      const id = await world.build.user({ alumnized_at: world.clock.now() })
      return () => world.director.post(`/v2/users/${id}/dealumnize`, {})
    },
    async application_changed() {
      const { id } = await flow.application()
      return () => inTransaction((tx) => changeApplication(tx, { id, values: { name: 'Renamed map' }, ...byNobody() }))
    },
    async roles_changed() {
      const { id } = await flow.application()
      const [role] = await world.database.rows("select id from roles where name = 'Beta'")
      return () => inTransaction((tx) => setRights(tx, { id, roleIds: [Number(role?.[0])], ...byNobody() }))
    },
    async rates_changed() {
      const { id } = await flow.application()
      return () => inTransaction((tx) => setRights(tx, { id, rate_per_second: 7, ...byNobody() }))
    },
    async consent_given() {
      const person = await flow.person()
      const { id: applicationId } = await flow.application()
      await world.database.rows('update applications set owner_id = $1 where id = $2', [person.id, applicationId])
      const sessionId = Number(
        (await world.database.rows('select id from sessions where user_id = $1', [person.id]))[0],
      )
      const own = { applicationId, userId: person.id, sessionId, actsForOwner: true, actor: byNobody().actor }
      return () => inTransaction((tx) => issueTokenToOwner(tx, world.clock, own))
    },
    async consent_revoked() {
      const [person, app] = [await flow.person(), await flow.application()]
      await flow.tokens(person, app)
      const given = { userId: person.id, applicationId: app.id, ...byNobody() }
      return () => ignoringRefusal(inTransaction((tx) => revokeConsent(tx, given)))
    },
    async tokens_revoked() {
      const app = await flow.application()
      await flow.tokens(await flow.person(), app)
      return () => inTransaction((tx) => endAllAuthorizations(tx, { applicationId: app.id, ...byNobody() }))
    },
    async deliveries_replayed() {
      const endpoint = await world.build.record('endpoints', { url: 'https://127.0.0.1:9', active: true })
      const times = { created_at: world.clock.now(), updated_at: world.clock.now(), due_at: world.clock.now() }
      const record = { endpoint_id: endpoint, login: 'a', event: 'created', record: '{}', secrets: 'none' }
      await world.build.record('deliveries', { ...record, user_id: await world.build.user(), state: 'dead', ...times })
      return () => world.staff.post(`/v2/endpoints/${endpoint}/replay`, {})
    },
    async endpoint_changed() {
      const id = await world.build.record('endpoints', { url: 'https://a.example', active: true })
      return () => world.director.patch(`/v2/endpoints/${id}`, { endpoint: { url: 'https://b.example' } })
    },
    async endpoint_switched_off() {
      const id = await world.build.record('endpoints', { url: 'https://a.example', active: true })
      return () => world.director.patch(`/v2/endpoints/${id}`, { endpoint: { active: false } })
    },
    async endpoint_switched_on() {
      const id = await world.build.record('endpoints', { url: 'https://a.example', active: false })
      return () => world.director.patch(`/v2/endpoints/${id}`, { endpoint: { url: 'https://a.example' } })
    },
    async second_factor_disabled() {
      const user_id = await world.build.user()
      const times = { created_at: world.clock.now(), confirmed_at: world.clock.now() }
      await world.database.rows(
        'insert into second_factors (user_id, sealed_secret, created_at, confirmed_at) values ($1, $2, $3, $4)',
        [user_id, '', times.created_at, times.confirmed_at],
      )
      return () => world.director.delete(`/v2/users/${user_id}/otp_settings/remove`)
    },
    async passkey_renamed() {
      const [userId, id] = await passkey()
      return () => inTransaction((tx) => renamePasskey(tx, { userId, id, name: 'Old phone', ...byNobody() }))
    },
    async passkey_removed() {
      const [userId, id] = await passkey()
      return () => ignoringRefusal(inTransaction((tx) => removePasskey(tx, { userId, id, ...byNobody() })))
    },
    async second_factor_required() {
      const group = { of: 'campus', id: await world.build.campus() } as const
      return () => inTransaction((tx) => requireSecondFactor(tx, { group, isRequired: true, ...byNobody() }))
    },
    async second_factor_not_required() {
      const group = { of: 'campus', id: await world.build.campus() } as const
      await inTransaction((tx) => requireSecondFactor(tx, { group, isRequired: true, ...byNobody() }))
      return () => inTransaction((tx) => requireSecondFactor(tx, { group, isRequired: false, ...byNobody() }))
    },
    async signing_keys_ended() {
      const making = { sealer: new Sealer(Buffer.alloc(32, 7)), now: world.clock.now() }
      await inTransaction((tx) => makeFirstKeys(tx, making))
      return () => inTransaction((tx) => endSigningKeys(tx, byNobody()))
    },
    async session_revoked() {
      const { login, ...browser } = await flow.person()
      await visitorOf(world).signIn(login, PASSWORD)
      return () => browser.submit('/security', {}, '/security/end-other-sessions')
    },
    async signed_out() {
      const person = await flow.person()
      const [csrf_token, cookies] = [csrfTokenIn(await person.get('/')), [...person.cookies]]
      return () => {
        // Restores the session of a page in a second tab.
        for (const [name, value] of cookies) person.cookies.set(name, value)
        return person.post('/sign-out', { csrf_token })
      }
    },
  }

  const passkey = async (): Promise<[userId: number, id: number]> => {
    const user_id = await world.build.user()
    const key = { credential_id: randomBytes(16), public_key: randomBytes(16), counter: 0, transports: '{}' }
    const flags = { backup_eligible: false, backed_up: false, created_at: world.clock.now() }
    return [user_id, await world.build.record('passkeys', { user_id, name: 'Phone', ...key, ...flags })]
  }
  const byNobody = () => ({ actor: { userId: null }, now: world.clock.now() })
  const inTransaction: World['database']['transaction'] = (work) => world.database.transaction(work)
  const forgetAudit = () => world.database.rows('delete from audit_events')
  const closeOf = async (user: number) =>
    (await world.staff.post(`/v2/users/${user}/closes`, { close: { kind: 'other', reason: 'Because' } })).json.id
  const audited = async (kind: AuditKind) =>
    Number((await world.database.rows('select count(*) from audit_events where kind = $1', [kind]))[0])

  for (const kind of AUDIT_KINDS.filter((one) => !EACH_TIME.includes(one))) {
    it(kind, async () => {
      const prepare = done[kind]
      assert.ok(prepare, `${kind} is neither done here nor listed among those that are an event each time`)
      const act = await prepare()
      await forgetAudit()
      await act()
      assert.equal(await audited(kind), 1)
      await act()
      assert.equal(await audited(kind), 1)
    })
  }

  it('one session of an application', async () => {
    const app = await flow.application()
    await flow.tokens(await flow.person(), app)
    const [family] = await world.database.rows('select max(id) from token_families')
    const ending = { id: Number(family), applicationId: app.id, ...byNobody() }
    await forgetAudit()
    for (let time = 0; time < 2; time += 1) await inTransaction((tx) => endAuthorization(tx, ending))
    assert.equal(await audited('tokens_revoked'), 1)
  })

  it('a webservice of which only what was sent along stays as it was', async () => {
    const id = await world.build.record('endpoints', { url: 'https://a.example', active: true })
    await forgetAudit()
    const sent = { url: 'https://a.example', active: true, description: 'Lyon' }
    await world.director.patch(`/v2/endpoints/${id}`, { endpoint: sent })
    const rows = await world.database.rows("select kind, details ->> 'fields' from audit_events")
    assert.deepEqual(rows, [['endpoint_changed', 'description']])
  })
})
