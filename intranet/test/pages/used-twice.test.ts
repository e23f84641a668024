/** Checks that one-time links, codes and secrets work once, only for their owner, also under concurrent attempts. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HttpError } from '@campus/engine/errors'
import { campus, type World } from '@campus/test/support/campus'
import { PASSWORD, personOf, signedInOf } from '@campus/test/support/people'
import { openProject, student } from '@campus/test/support/projects'
import { protectedPerson } from '@campus/test/support/second-factor'
import { visitorOf } from '@campus/test/support/visitor'
import { createPasswordReset, resetPassword } from '../../access/password-resets.ts'
import { verifySecondFactor } from '../../access/second-factor.ts'
import { closeAccount, openAccount } from '../../school/domain/accounts/closes.ts'
import { Sealer } from '../../services/sealing/sealer.ts'
import { createSealing } from '../../webhooks/sealing.ts'

const sealer = new Sealer(Buffer.alloc(32, 7))
const NEW = 'battery staple horse'
const byNobody = { userId: null }

let world: World
before(async () => {
  world = await campus()
})
after(() => world.close())

const link = async (login: string) => {
  const now = world.clock.now()
  return (await world.database.transaction((tx) => createPasswordReset(tx, now, { login, actor: byNobody }))).path
}
const choose = (path: string, password = NEW) =>
  visitorOf(world)
    .submit(path, { password, password_again: password })
    .catch(() => undefined)

/** Returns the number of concurrent attempts that succeeded. */
async function countDone(several: readonly Promise<unknown>[]): Promise<number> {
  const outcomes = await Promise.allSettled(several)
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') continue
    assert.ok(outcome.reason instanceof HttpError && outcome.reason.status < 500, String(outcome.reason))
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length
}

const deadlocks = async () =>
  Number(
    (await world.database.rows('select deadlocks from pg_stat_database where datname = current_database()'))[0]?.[0],
  )

describe('a link that chooses a password', () => {
  it('is used by one of eight who open it at once', async () => {
    const { login } = await personOf(world)
    const path = await link(login)
    const pages = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const browser = visitorOf(world)
        await browser.get(path)
        return { at, page: await choose(path, `${NEW} ${at}`) }
      }),
    )
    const done = pages.filter(({ page }) => page?.location === '/sign-in')
    assert.equal(done.length, 1)
    assert.equal((await visitorOf(world).signIn(login, `${NEW} ${done[0]?.at}`)).status, 303)
    assert.equal((await visitorOf(world).get(path)).status, 404)
  })

  it('signs nobody else in or out who opens it', async () => {
    const [owner, other] = [await signedInOf(world), await signedInOf(world)]
    const path = await link(owner.login)
    await other.browser.submit(path, { password: NEW, password_again: NEW })
    assert.match((await other.browser.get('/security')).text, new RegExp(`Account of|${other.login}`))
    assert.equal((await other.browser.get('/security')).status, 200)
    assert.equal((await owner.browser.get('/security')).status, 303)
    assert.equal((await visitorOf(world).signIn(other.login, PASSWORD)).status, 303)
  })

  const ends: Readonly<Record<string, (person: { readonly id: number; readonly login: string }) => Promise<unknown>>> =
    {
      'another password': ({ id }) =>
        world.director.patch(`/v2/users/${id}`, { user: { password: 'quite another one' } }),
      'another address': ({ id, login }) =>
        world.director.patch(`/v2/users/${id}`, { user: { email: `${login}@moved.test` } }),
      'another link': ({ login }) => link(login),
      'a close, although the account is open again': async ({ id }) => {
        const now = world.clock.now()
        const columns = { user_id: id, kind: 'other', reason: 'Away' }
        await world.database.transaction((tx) => closeAccount(tx, columns, byNobody, now))
        await world.database.transaction((tx) => openAccount(tx, id, byNobody, now))
      },
      'a day': async () => world.clock.advance(86_401),
    }
  for (const [what, end] of Object.entries(ends)) {
    it(`ends with ${what}`, async () => {
      const person = await personOf(world)
      const path = await link(person.login)
      await end(person)
      assert.equal((await visitorOf(world).get(path)).status, 404)
    })
  }

  it('is of no use after a close that comes at the same time, and neither waits for the other in a circle', async () => {
    const before = await deadlocks()
    const sealing = createSealing(Buffer.alloc(32, 7))
    for (let round = 0; round < 20; round += 1) {
      const { id, login } = await personOf(world)
      const token = new URL(await link(login), world.url).searchParams.get('token') ?? ''
      const now = world.clock.now()
      const columns = { user_id: id, kind: 'other', reason: 'Away' }
      await countDone([
        world.database.transaction((tx) => resetPassword(tx, now, sealing, { token, password: NEW, address: '' })),
        world.database.transaction((tx) => createPasswordReset(tx, now, { login, actor: byNobody })),
        world.database.transaction((tx) => closeAccount(tx, columns, byNobody, now)),
      ])
      const [left] = await world.database.rows('select count(*) from password_resets where user_id = $1', [id])
      assert.equal(Number(left?.[0]), 0, 'a link outlives the close')
    }
    await world.database.rows('select pg_stat_force_next_flush()').catch(() => undefined)
    assert.equal(await deadlocks(), before)
  })
})

describe('a code of the second factor', () => {
  const prove = (userId: number, code: string) =>
    world.database.transaction((tx) =>
      verifySecondFactor(tx, { sealer, userId, now: world.clock.now(), code, actor: { userId } }),
    )

  it('is accepted from one of eight who send it at once, be it of the app or a recovery code', async () => {
    const { id, code, recoveryCodes } = await protectedPerson(world, sealer)
    for (const one of [code(), recoveryCodes[0] as string]) {
      assert.equal(await countDone(Array.from({ length: 8 }, () => prove(id, one))), 1, one)
      assert.equal(await countDone([prove(id, one)]), 0, one)
    }
  })

  it('ends those of the time before it, and itself in the next half minute', async () => {
    const { id, code } = await protectedPerson(world, sealer)
    world.clock.advance(60)
    const earlier = code()
    world.clock.advance(30)
    const present = code()
    assert.equal(await countDone([prove(id, present)]), 1)
    assert.equal(await countDone([prove(id, earlier)]), 0, 'the code before')
    world.clock.advance(30)
    assert.equal(await countDone([prove(id, present)]), 0, 'the same half a minute later')
    world.clock.advance(30)
    assert.equal(await countDone([prove(id, present)]), 0, 'the same a minute later')
    assert.equal(await countDone([prove(id, code())]), 1)
  })

  it('is of one person alone', async () => {
    const [one, other] = [await protectedPerson(world, sealer), await protectedPerson(world, sealer)]
    assert.equal(await countDone([prove(other.id, one.code()), prove(other.id, one.recoveryCodes[0] as string)]), 0)
    assert.equal(await countDone([prove(one.id, one.recoveryCodes[0] as string)]), 1)
  })
})

describe('an invitation to a team', () => {
  /** Creates a team with two places, whose leader has invited three users. */
  async function invited() {
    const project = await openProject(world)
    const people = []
    for (let at = 0; at < 4; at += 1) people.push(await student(world, project))
    const clients = people.map(({ client }) => client)
    const [leader] = clients
    const made = await leader?.post('/v2/teams', { team: { project_id: project.project } })
    assert.equal(made?.status, 201, made?.text)
    const team: number = made?.json.id
    const memberships = [0]
    for (const { id } of people.slice(1)) {
      const asked = await leader?.post('/v2/teams_users', { teams_user: { team_id: team, user_id: id } })
      assert.equal(asked?.status, 201, asked?.text)
      memberships.push(asked?.json.id)
    }
    return { team, memberships, clients }
  }
  const ACCEPT = { teams_user: { validated: true } }
  const membersOf = async (team: number) =>
    Number(
      (await world.database.rows('select count(*) from teams_users where team_id = $1 and validated', [team]))[0]?.[0],
    )

  it('is accepted by the invited alone', async () => {
    const { team, memberships, clients } = await invited()
    for (const at of [0, 2, 3]) {
      const answer = await clients[at]?.patch(`/v2/teams_users/${memberships[1]}`, ACCEPT)
      assert.ok([403, 404].includes(answer?.status ?? 0), `${at}: ${answer?.status} ${answer?.text}`)
    }
    assert.equal(await membersOf(team), 1)
  })

  it('takes one place, however often and by however many it is accepted at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { team, memberships, clients } = await invited()
      const answers = await Promise.all(
        [1, 1, 2, 2, 3, 3].map((at) => clients[at]?.patch(`/v2/teams_users/${memberships[at]}`, ACCEPT)),
      )
      for (const answer of answers) assert.ok((answer?.status ?? 500) < 500, answer?.text)
      assert.equal(await membersOf(team), 2, JSON.stringify(answers.map((answer) => answer?.text)))
    }
  })

  it('that is taken back while it is accepted makes no half member', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { team, memberships, clients } = await invited()
      const answers = await Promise.all([
        clients[1]?.patch(`/v2/teams_users/${memberships[1]}`, ACCEPT),
        clients[0]?.delete(`/v2/teams_users/${memberships[1]}`),
      ])
      for (const answer of answers) assert.ok((answer?.status ?? 500) < 500, answer?.text)
      const parts = await world.database.rows(
        'select 1 from projects_users p where current_team_id = $1 and not exists (select from teams_users m where m.team_id = $1 and m.user_id = p.user_id and validated)',
        [team],
      )
      assert.deepEqual(parts, [])
    }
  })
})
