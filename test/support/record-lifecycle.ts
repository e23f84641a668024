import assert from 'node:assert/strict'
import type { Client } from './client.ts'

type Values = Readonly<Record<string, unknown>>

type Life = {
  readonly resource: string
  readonly singular: string
  /** Payloads of two records, which `sort` tells apart: the first is the smaller one. */
  readonly payloads: readonly [Values, Values]
  readonly sort: string
  /** Payload of an update, and the fields that the record then shows if they differ. */
  readonly change: Values
  readonly shows?: Values
  /** Records come as `{ singular: record }`. */
  readonly wrapped?: boolean
  /** Creation answers another form than show. */
  readonly ownCreateForm?: boolean
}

/**
 * Takes a record through its life by the API, as a caller with all rights: created, shown, listed (filtered, ranged,
 * sorted both ways), changed and removed. Gives the two records as they were created.
 */
export async function assertLifecycle(client: Client, life: Life): Promise<[first: Created, second: Created]> {
  const { resource, singular, payloads, sort, change, shows = change, wrapped = false } = life
  const path = `/v2/${resource}`
  // biome-ignore lint/suspicious/noExplicitAny: records of every shape
  const bare = (record: any) => (wrapped ? record[singular] : record)

  const created: Created[] = []
  for (const payload of payloads) {
    const response = await client.post(path, { [singular]: payload })
    assert.equal(response.status, 201, response.text)
    const { id } = bare(response.json)
    assert.match(response.headers.get('location') ?? '', new RegExp(`${path}/${id}$`))
    const shown = await client.get(`${path}/${id}`)
    assert.equal(shown.status, 200)
    if (!life.ownCreateForm) assert.deepEqual(shown.json, response.json)
    created.push(bare(response.json))
  }
  const [first, second] = created as [Created, Created]
  const idsOf = async (query: string) => {
    const response = await client.get(`${path}?${query}`)
    assert.equal(response.status, 200, response.text)
    assert.equal(Number(response.headers.get('x-total')), response.json.length)
    return response.json.map((record: unknown) => bare(record).id)
  }
  assert.deepEqual(await idsOf(`filter[id]=${first.id}`), [first.id])
  assert.deepEqual(await idsOf(`range[id]=${second.id},${second.id}`), [second.id])
  assert.deepEqual(await idsOf(`filter[id]=${first.id},${second.id}&sort=${sort}`), [first.id, second.id])
  assert.deepEqual(await idsOf(`filter[id]=${first.id},${second.id}&sort=-${sort}`), [second.id, first.id])

  for (const method of ['PATCH', 'PUT']) {
    const updated = await client.request(method, `${path}/${first.id}`, { body: { [singular]: change } })
    assert.equal(updated.status, 204, updated.text)
    assert.equal(updated.text, '')
  }
  const changed = bare((await client.get(`${path}/${first.id}`)).json)
  for (const [name, value] of Object.entries(shows)) assert.deepEqual(changed[name], value, name)

  assert.equal((await client.delete(`${path}/${second.id}`)).status, 204)
  assert.equal((await client.get(`${path}/${second.id}`)).status, 404)
  assert.equal((await client.delete(`${path}/${second.id}`)).status, 404)
  return [first, second]
}

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Created = any
