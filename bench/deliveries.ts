/**
 * How fast deliveries are sent: those pending in the database, to a receiver on the loopback interface, beside a bare
 * loop that sends the same bodies to the same receiver. Then whether one dead endpoint among ten slows the other nine.
 *
 *   node bench/deliveries.ts [--deliveries N] [--rounds N] [--connections N] [--json]
 *
 * On the database that DATABASE_URL names, which must be empty, or else on an embedded one in a temporary folder.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { wireTime } from '@campus/demo/seeds/community/sql'
import { systemClock } from '@campus/engine/base/clock'
import type { Database } from '@campus/engine/database/database'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { openForCommand } from '@campus/intranet/server/open-database'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { readConfig } from '@campus/intranet/settings/config'
import { campusDeliveries } from '@campus/intranet/webhooks/campus-deliveries'
import { readAllowList } from '@campus/intranet/webhooks/connect-guard'
import { addressOf, bodyOf, pathOf, signerOf, webhookHeaders } from '@campus/intranet/webhooks/delivery-request'
import { limitsToCampuses } from '@campus/intranet/webhooks/outgoing'
import { createSealing } from '@campus/intranet/webhooks/sealing'
import { DeliverySender } from '@campus/intranet/webhooks/send-deliveries'
import { createTransport } from '@campus/intranet/webhooks/transport'
import { Pool } from 'undici'
import type { Ready } from './deliveries-receiver.ts'

const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
})
const [deliveries, rounds, connections] = [Number(values.deliveries), Number(values.rounds), Number(values.connections)]
const SECRET = 'a webservice secret'
const ENDPOINTS = 10
const secrets = new Sealer(Buffer.alloc(32, 7))

const child = fork(new URL('./deliveries-receiver.ts', import.meta.url))
const [receiver] = (await once(child, 'message')) as [Ready]
const folder = await mkdtemp(join(tmpdir(), 'campus-bench-'))
const opened = await openForCommand(readConfig({ CAMPUS_DATA: folder, DATABASE_URL: process.env.DATABASE_URL }), {
  name: 'bench',
  mayCreate: true,
})
const { database } = opened
try {
  await prepare(database)
  const lines = [await throughput(), await besideADeadOne()]
  console.log(values.json ? JSON.stringify({ lines }) : describe(lines))
} finally {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
  child.kill()
}

type Line = {
  readonly name: string
  readonly ours: number
  readonly other: number
  readonly otherName: string
  readonly ratio: number
}

/** Medians of deliveries a second, and of the rounds' own ratios. */
async function throughput(): Promise<Line> {
  const pairs: [ours: number, bare: number][] = []
  for (let round = 0; round < rounds; round += 1) {
    await fill([1], deliveries)
    const bodies = await database.rows('select id, webhook_id, login, event, record from deliveries order by id')
    const ours = await drain(deliveries)
    pairs.push([ours, await sendBare(bodies)])
  }
  return lineOf('one endpoint', 'bare loop', pairs)
}

/** The rate of nine endpoints while a tenth takes requests and never answers, and while it has nothing to do. */
async function besideADeadOne(): Promise<Line> {
  const nine = Array.from({ length: ENDPOINTS - 1 }, (_, index) => index + 1)
  const pairs: [beside: number, alone: number][] = []
  for (let round = 0; round < rounds; round += 1) {
    const each = Math.round(deliveries / nine.length)
    await fill(nine, each * nine.length)
    const alone = await drain(each * nine.length)
    await fill([...nine, ENDPOINTS], each * ENDPOINTS)
    pairs.push([await drain(each * nine.length), alone])
  }
  return lineOf('nine beside a dead one', 'nine alone', pairs)
}

function lineOf(name: string, otherName: string, pairs: readonly (readonly [number, number])[]): Line {
  const middle = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
  const [ours, other] = [middle(pairs.map(([one]) => one)), middle(pairs.map(([, two]) => two))]
  return { name, otherName, ours, other, ratio: middle(pairs.map(([one, two]) => one / two)) }
}

async function prepare({ kysely, rows }: Database): Promise<void> {
  await migrate(kysely, storageOfResources())
  const [used] = await rows('select 1 from endpoints union all select 1 from users limit 1')
  if (used) throw new Error('DATABASE_URL must name an empty database.')
  for (let id = 1; id <= ENDPOINTS; id += 1) {
    const url = id === ENDPOINTS ? receiver.deadUrl : `${receiver.url}/${id}`
    await rows('insert into endpoints (id, url, secret, active) values ($1, $2, $3, true)', [
      id,
      url,
      secrets.seal('endpoints.secret', SECRET),
    ])
  }
}

/** Calls of as many users, spread over the endpoints. */
async function fill(endpoints: readonly number[], count: number): Promise<void> {
  await database.rows('truncate deliveries, endpoint_failures')
  await database.rows(
    `insert into deliveries (endpoint_id, user_id, login, event, record, due_at)
     select ($1::int[])[1 + n % cardinality($1::int[])], n, 'user' || n, 'updated', json_build_object(
       'uid', 'user' || n, 'login', 'user' || n, 'id', n, 'email', 'user' || n || '@student.lyon.example',
       'created_at', ${wireTime('now()')}, 'updated_at', ${wireTime('now()')}, 'image_url', '/users/user' || n || '.jpg',
       'first_name', 'Ada', 'last_name', 'Byron', 'phone', null, 'pool_year', '2026', 'pool_month', 'march',
       'kind', 'student', 'status', null, 'campus', json_build_array(place), 'primary_campus', place), now()
     from generate_series(1, $2::int) n, (select json_build_object(
       'id', 1, 'name', 'Lyon', 'created_at', ${wireTime('now()')}, 'updated_at', ${wireTime('now()')}, 'time_zone',
       'Europe/Paris', 'language_id', 1, 'slug', 'lyon', 'main_email', 'contact@lyon.example', 'endpoint_id', 1,
       'vogsphere_id', 1) place) place`,
    [endpoints, count],
  )
  await database.rows('analyze deliveries')
}

/** Sends until so many are delivered; gives how many that were a second. */
async function drain(count: number): Promise<number> {
  const allowed = readAllowList(['localhost'])
  const transport = createTransport({ allowed, tls: { ca: [receiver.ca] }, connections })
  let delivered = 0
  let done = () => {}
  const finished = new Promise<void>((resolve) => {
    done = resolve
  })
  const sender = new DeliverySender({
    database,
    clock: systemClock,
    kind: campusDeliveries({ database, secrets, sealing: createSealing() }),
    transport,
    limits: limitsToCampuses({ connections }),
    stopGraceMs: 0,
    onOutcome: (outcome) => {
      if (outcome.kind !== 'attempted' || outcome.deliveryResult.state !== 'delivered') return
      delivered += 1
      if (delivered === count) done()
    },
  })
  const begun = performance.now()
  sender.start()
  await finished
  const rate = (count / (performance.now() - begun)) * 1000
  await sender.stop()
  return rate
}

/** The same paths, bodies and headers on as many connections, and nothing else. */
async function sendBare(rows: readonly (readonly (string | null)[])[]): Promise<number> {
  const pool = new Pool(receiver.url, { connections, pipelining: 1, connect: { ca: receiver.ca }, allowH2: false })
  const nothing = { password: null, meta: null }
  const signer = signerOf(SECRET)
  const requests = rows.map(([, id, login, , record]) => {
    const delivery = {
      event: 'updated',
      login: String(login),
      record: String(record),
      key: SECRET,
      secrets: nothing,
    } as const
    const body = bodyOf(delivery)
    const headers = webhookHeaders({ id: String(id), at: new Date(), body, signer })
    const path = addressOf(`${receiver.url}/1`, pathOf(delivery)).pathname
    return { path, body, headers: { 'content-type': 'application/json', ...headers } }
  })
  const begun = performance.now()
  let next = 0
  const loop = async () => {
    for (let request = requests[next++]; request; request = requests[next++]) {
      const response = await pool.request({ method: 'POST', ...request })
      await response.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, loop))
  const rate = (requests.length / (performance.now() - begun)) * 1000
  await pool.close()
  return rate
}

function describe(lines: readonly Line[]): string {
  return [
    `${process.env.DATABASE_URL ? 'PostgreSQL' : 'the embedded database'}, ${deliveries} deliveries, ${rounds} rounds, ${connections} connections to an endpoint`,
    ...lines.map(
      ({ name, ours, other, otherName, ratio }) =>
        `${name}: ${Math.round(ours)}/s, ${otherName}: ${Math.round(other)}/s, ratio ${ratio.toFixed(2)}`,
    ),
  ].join('\n')
}
