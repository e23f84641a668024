import { loadTls } from '@campus/engine/http/tls'
import { createApp } from '@campus/intranet/server/app/app'
import { findSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { PARTS } from '@campus/service/parts'
import { runFolder } from '@campus/test/support/databases'
import { testClock } from '@campus/test/support/test-clock'
import { type Installation, NOW } from './installation.ts'

/** A service on the installation that is written to by numbers: the same numbers make the same records. */
type Writer = {
  write(number: number): Promise<void>
  close(): Promise<void>
}

/** Writes through the API, as staff do: each number is one request, which changes a person or adds a tag. */
export async function writer({ config, database }: Installation, token: string): Promise<Writer> {
  const tls = await loadTls({ ...config, data: runFolder() })
  const secretKey = await findSecretKey(config)
  if (!secretKey) throw new Error('the installation has no key')
  const app = await createApp({ parts: PARTS, config, database, clock: testClock(NOW), tls, secretKey })
  const people = (await database.rows('select id from users order by id')).map(([id]) => Number(id))
  async function send(method: 'POST' | 'PATCH', url: string, payload: object): Promise<void> {
    const headers = { authorization: `Bearer ${token}`, host: 'localhost:8443' }
    const { statusCode, payload: text } = await app.inject({ method, url, headers, payload })
    if (statusCode >= 300) throw new Error(`${method} ${url}: ${statusCode} ${text}`)
  }
  return {
    async write(number) {
      const person = `/v2/users/${people[number % people.length]}`
      if (number % 2 === 0) await send('PATCH', person, { user: { first_name: `Written ${number}` } })
      else await send('POST', '/v2/tags', { tag: { name: `Written ${number}`, kind: 'general' } })
    },
    close: () => app.close(),
  }
}

/** The last number that is in the installation. */
export async function writesIn({ database }: Installation): Promise<number> {
  const [row] = await database.rows(`
    select max(substr(name, 9)::integer) from (select name from tags union all select first_name from users) named (name)
    where name ~ '^Written [0-9]+$'`)
  return Number(row?.[0])
}

export type Writers = {
  /** How many numbers are written. */
  readonly written: number
  /** Waits for so many. Throws what the writing failed with. */
  until(count: number): Promise<void>
  stop(): Promise<void>
}

/** Writes one number after the other, until it is stopped. */
export async function startWriters(installation: Installation, token: string): Promise<Writers> {
  const { write, close } = await writer(installation, token)
  let [written, isStopped] = [0, false]
  const writing = (async () => {
    while (!isStopped) {
      await write(written + 1)
      written += 1
    }
  })()
  // Waiting writers receive the error.
  writing.catch(() => {})
  return {
    get written() {
      return written
    },
    async until(count) {
      while (written < count) await Promise.race([writing, new Promise((done) => setTimeout(done, 5))])
    },
    async stop() {
      isStopped = true
      await writing.finally(close)
    },
  }
}
