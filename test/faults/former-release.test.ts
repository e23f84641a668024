/** A roll from the former release to this one, under load: nobody sees an error, or what is no longer so, and each call is made once. */

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { isContraction, knownMigrations } from '@campus/engine/database/migrations'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { FORMER_VERSION, formerRelease, NO_FORMER_RELEASE } from '../support/former-release.ts'
import { freePort } from '../support/free-port.ts'
import { builderOf } from '../support/row-builder.ts'
import { type Outcome, outcomeOf, startCampus } from '../support/run-campus.ts'
import { until } from '../support/until.ts'

/** `npm run test:release` asks for ten minutes. */
const SECONDS = Number(process.env.CAMPUS_TEST_ROLL_SECONDS ?? 4)
const PEOPLE = 8
/** A start runs all new migrations while the load keeps both processors busy. */
const MAX_START_MS = 300_000

type Service = {
  readonly child: ChildProcess
  readonly outcome: Promise<Outcome>
  readonly url: string
  readonly agent: ReturnType<typeof trusting>
  readonly client: Client
}
type Former = Awaited<ReturnType<typeof formerRelease>>

describe(`processes of ${FORMER_VERSION} and of this release on one database`, { skip: NO_FORMER_RELEASE }, () => {
  let [database, folder, former]: [TestDatabase?, Awaited<ReturnType<typeof temporaryFolder>>?, Former?] = []
  const services: Service[] = []
  const agents: ReturnType<typeof trusting>[] = []
  let env: Readonly<Record<string, string>>
  before(async () => {
    ;[database, folder, former] = await Promise.all([emptyDatabase(), temporaryFolder(), formerRelease()])
    env = {
      CAMPUS_DATA: folder.path,
      DATABASE_URL: database.url,
      CAMPUS_PROCESSES: '2',
      CAMPUS_LOG_LEVEL: 'warn',
      CAMPUS_TOKENS_PER_SECOND: '0',
    }
  })
  after(async () => {
    for (const { child } of services) child.kill('SIGKILL')
    await Promise.all(agents.map((agent) => agent.destroy()))
    await former?.remove()
    await database?.close()
    await folder?.remove()
  })

  async function ready(
    start: (env: Readonly<Record<string, string>>) => ChildProcess,
    token?: string,
  ): Promise<Service> {
    const port = String(await freePort())
    const child = start({ ...env, CAMPUS_PORT: port })
    const outcome = outcomeOf(child)
    let text = ''
    child.stdout?.on('data', (data) => {
      text += data
    })
    const ended = outcome.then(({ stderr }) => assert.fail(`the server ended: ${stderr}`))
    ended.catch(() => {})
    await Promise.race([until(() => text.includes('Ctrl-C stops it.'), MAX_START_MS), ended])
    const agent = trusting(await readFile(join(env.CAMPUS_DATA ?? '', 'tls/cert.pem'), 'utf8'))
    agents.push(agent)
    const url = `https://localhost:${port}`
    const service = { child, outcome, url, agent, client: clientOf({ url, agent }, token) }
    services.push(service)
    return service
  }

  it('serve side by side, and after the last of the former ones what it needed goes', async () => {
    assert.ok(former && database)
    const release = former
    const first = await ready((one) => release.start(['serve', '--empty'], one))
    const isRun = async (name: string) =>
      (await (database as TestDatabase).rows('select from kysely_migration where name = $1', [name])).length === 1
    const contractions: string[] = []
    for (const name of await knownMigrations(SCHOOL_MIGRATIONS))
      if (isContraction(name) && !(await isRun(name))) contractions.push(name)
    const made = await outcomeOf(
      release.start(
        [
          'app',
          'create',
          '--name',
          'Roller',
          '--roles',
          'Advanced Staff,Advanced Tutor',
          '--scopes',
          'public',
          '--json',
          ...['--rate-per-second', '1000000', '--rate-per-hour', '100000000'],
        ],
        env,
      ),
    )
    const { uid, secret } = JSON.parse(made.stdout)
    const granted = await first.client.post('/oauth/token', {
      ...{ grant_type: 'client_credentials', client_id: uid, client_secret: secret, scope: 'public' },
    })
    const token: string = granted.json.access_token
    const old = clientOf({ url: first.url, agent: first.agent }, token)

    // The receiver's port is closed, so deliveries stay pending.
    const rows = (text: string, values: readonly unknown[] = []) => (database as TestDatabase).rows(text, values)
    const build = builderOf(database)
    const endpoint_id = await build.record('endpoints', { url: 'https://192.0.2.1/hook', active: true })
    const campus_id = await build.campus({ slug: 'here', endpoint_id })
    const people: number[] = []
    for (let n = 0; n < PEOPLE; n += 1) people.push(await build.user({ login: `roller${n}` }))
    for (const user_id of people) await build.record('campus_users', { user_id, campus_id, is_primary: true })
    const calls = async () => Number((await rows(`select count(*) from deliveries where event = 'updated'`))[0]?.[0])
    // Each campus that a user is added to is called, at once or when the feed is read.
    await until(async () => (await calls()) === PEOPLE)
    const before = PEOPLE

    let clients: readonly Client[] = [old]
    let isDone = false
    let [writes, reads] = [0, 0]
    const wrong: string[] = []
    const work = people.map(async (id, n) => {
      for (let version = 1; !isDone; version += 1) {
        const at = (shift: number) => clients[(n + version + shift) % clients.length] as Client
        const name = `V${n}x${version}`
        const written = await at(0).patch(`/v2/users/${id}`, { user: { first_name: name } })
        if (written.status !== 204) wrong.push(`PATCH ${written.status} ${written.text}`)
        else writes += 1
        for (const shift of [0, 1]) {
          const one = await at(shift).get(`/v2/users/${id}`)
          const list = await at(shift).get(`/v2/users?filter[login]=roller${n}`)
          reads += 2
          if (one.json?.first_name !== name) wrong.push(`GET one ${one.status} ${name} ${one.json?.first_name}`)
          if (list.json?.[0]?.first_name !== name)
            wrong.push(`GET list ${list.status} ${name} ${list.json?.[0]?.first_name}`)
        }
      }
    })

    await wait(500)
    const second = await ready((one) => startCampus(['serve', '--empty'], one), token)
    clients = [old, second.client]
    assert.ok(await isRun('0540_job_leases'))
    await wait(SECONDS * 500)
    for (const name of contractions) assert.equal(await isRun(name), false, `${name} while a former process serves`)
    clients = [second.client]
    await wait(1_000)
    first.child.kill('SIGTERM')
    assert.equal((await first.outcome).code, 0)
    for (const name of contractions) await until(() => isRun(name))
    await wait(SECONDS * 500)
    isDone = true
    await Promise.all(work)

    assert.deepEqual(wrong.slice(0, 5), [])
    assert.ok(writes > 50 && reads > 200, `${writes} writes, ${reads} reads`)
    await until(async () => (await calls()) - before >= writes)
    await wait(500)
    assert.equal((await calls()) - before, writes, 'a call for each change, whichever release made it')
  })
})
