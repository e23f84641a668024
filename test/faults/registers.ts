import type pg from 'pg'
import type { Client } from '../support/client.ts'

/** Something whose versions are numbered: each write makes the next one. */
export type Register = {
  readonly name: string
  /** Value to read: the last version, the number of writes, or whether the last version is odd. */
  readonly kind: 'version' | 'total' | 'switch'
  /** Makes the version. Resolves to whether that was acknowledged. */
  write(version: number, writer: Client): Promise<boolean>
  /** The version that is shown; undefined where nothing is, since the database is away. */
  read(reader: Client): Promise<number | undefined>
}

/**
 * Registers of each kind of what is cached: a record that others embed, a total, and the same written by hand, as by psql.
 * `hand` lends connections that know nothing of the service.
 */
export async function openRegisters(client: Client, hand: pg.Pool, ofEachKind: number): Promise<Register[]> {
  const registers: Register[] = []
  for (let index = 0; index < ofEachKind; index += 1) {
    registers.push(
      await embedded(client, `api${index}`, async (id, name, writer) => {
        const { status } = await writer.patch(`/v2/languages/${id}`, { language: { name } })
        return status === 204
      }),
      await embedded(client, `hand${index}`, (id, name) => byHand(hand, id, name)),
      counted(`posted${index}`, async (name, identifier, writer) => {
        return (await writer.post('/v2/languages', { language: { name, identifier } })).status === 201
      }),
      counted(`inserted${index}`, async (name, identifier) => {
        await hand.query('insert into languages (name, identifier) values ($1, $2) on conflict do nothing', [
          name,
          identifier,
        ])
        return true
      }),
    )
  }
  return registers
}

type Rename = (id: number, name: string, writer: Client) => Promise<boolean>

/** The name of a language, as the campus says that embeds it. */
async function embedded(client: Client, identifier: string, rename: Rename): Promise<Register> {
  const language = await made(client, '/v2/languages', { language: { name: '0', identifier } })
  const place = { name: identifier, city: 'Lyon', country: 'France', time_zone: 'Europe/Paris', language_id: language }
  const campus = await made(client, '/v2/campus', { campus: place })
  return {
    name: identifier,
    kind: 'version',
    write: (version, writer) => rename(language, String(version), writer),
    async read(reader) {
      const { status, json } = await reader.get(`/v2/campus/${campus}`)
      return status === 200 ? Number(json.language.name) : undefined
    },
  }
}

/** Each time another way that a person or a program may take. */
async function byHand(hand: pg.Pool, id: number, name: string): Promise<boolean> {
  const client = await hand.connect()
  let broken: Error | undefined
  const rename = (text: string) => client.query('update languages set name = $1 where id = $2', [text, id])
  try {
    const way = Number(name) % 3
    if (way === 0) await rename(name)
    else if (way === 1) {
      await client.query(
        `insert into languages (id, name, identifier) select id, $1, identifier from languages where id = $2
         on conflict (id) do update set name = excluded.name`,
        [name, id],
      )
    } else {
      await client.query('begin; savepoint before')
      await rename('-1')
      await client.query('rollback to before')
      await rename(name)
      await client.query('commit')
    }
    return true
  } catch (error) {
    broken = error as Error
    throw error
  } finally {
    client.release(broken)
  }
}

type Insert = (name: string, identifier: string, writer: Client) => Promise<boolean>

/** How many languages have the name, as the total says. */
function counted(name: string, insert: Insert): Register {
  return {
    name,
    kind: 'total',
    write: (version, writer) => insert(name, `${name}-${version}`, writer),
    async read(reader) {
      const { status, headers } = await reader.get(`/v2/languages?filter[name]=${name}&per_page=1`)
      return status === 200 ? Number(headers.get('x-total')) : undefined
    },
  }
}

async function made(client: Client, path: string, body: object): Promise<number> {
  const { status, json, text } = await client.post(path, body)
  if (status !== 201) throw new Error(`${path}: ${status} ${text}`)
  return json.id
}
