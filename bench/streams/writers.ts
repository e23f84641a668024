import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Captures } from '@campus/engine/changes/capture'
import { Relay } from '@campus/engine/changes/relay'
import { openDatabase } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { builderOf } from '@campus/test/support/row-builder'
import pg from 'pg'
import type { WriteLine } from './messages.ts'

const WRITERS = 16
const FLUSH_MS = 2

/** Number of rounds, and seconds of writing for each side in a round. */
type WritersLoad = { readonly rounds: number; readonly seconds: number }

/** Compares locations written a second with change capture and a relay, and without both. */
export async function compareWriters(load: WritersLoad): Promise<WriteLine[]> {
  return [await compare('16 writers', 0, load), await compare(`16 writers, flush of ${FLUSH_MS} ms`, FLUSH_MS, load)]
}

async function compare(name: string, flushMs: number, { rounds, seconds }: WritersLoad): Promise<WriteLine> {
  const folder = await mkdtemp(join(tmpdir(), 'campus-bench-'))
  const settings: Record<string, string> = {}
  if (flushMs > 0) Object.assign(settings, { commit_delay: String(flushMs * 1000), commit_siblings: '0' })
  const server = await EmbeddedServer.open({ data: join(folder, 'writers'), connections: 60, settings })
  const storage = storageOfResources()
  const seat = await prepare(server.url)
  const plainUrl = await copyDatabase(server.url)
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: server.url })
  try {
    const captures = new Captures(database, storage)
    await captures.capture(['locations'])
    const relay = new Relay({
      database,
      captures,
      onError(error) {
        throw error
      },
    })
    relay.start()
    const pairs: [captured: number, plain: number][] = []
    for (let round = 0; round < rounds; round += 1) {
      const measure = (url: string) => write(url, seat, seconds)
      if (round % 2 === 0) pairs.push([await measure(server.url), await measure(plainUrl)])
      else {
        const plain = await measure(plainUrl)
        pairs.push([await measure(server.url), plain])
      }
    }
    await relay.stop()
    const middle = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
    return {
      name,
      captured: middle(pairs.map(([captured]) => captured)),
      plain: middle(pairs.map(([, plain]) => plain)),
      ratio: middle(pairs.map(([captured, plain]) => captured / plain)),
    }
  } finally {
    await database.close()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the tables, and whom a location may be made for, and where. */
async function prepare(url: string): Promise<readonly number[]> {
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url })
  await migrate(database.kysely, storageOfResources())
  const build = builderOf(database)
  const seat = [await build.user(), await build.campus()]
  await database.close()
  return seat
}

/** Copies the database that an address names, and gives the address of the copy. */
async function copyDatabase(url: string): Promise<string> {
  const name = /\/(\w+)(?=\?|$)/.exec(url)?.[1]
  const address = (database: string) => url.replace(/\/\w+(?=\?|$)/, `/${database}`)
  const client = new pg.Client({ connectionString: address('template1') })
  await client.connect()
  await client.query(`create database plain template "${name}"`)
  await client.end()
  return address('plain')
}

async function write(url: string, seat: readonly number[], seconds: number): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      return client
    }),
  )
  let written = 0
  const begun = performance.now()
  const end = begun + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await client.query({
          name: 'write',
          text: `insert into locations (user_id, campus_id, host, begin_at) values ($1, $2, $3, now())`,
          values: [...seat, `h${Math.random()}`],
        })
        written += 1
      }
    }),
  )
  const rate = (written / (performance.now() - begun)) * 1000
  await Promise.all(clients.map((client) => client.end()))
  return rate
}
