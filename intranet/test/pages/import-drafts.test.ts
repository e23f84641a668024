/** Import drafts under concurrent requests, after failures, and with large tables. */
import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import { countBlockedBy, untilBlockedBy } from '@campus/test/support/blocked-connections'
import { campus, type World } from '@campus/test/support/campus'
import type { TestDatabase } from '@campus/test/support/database'
import { PASSWORD, type SignedIn, signedInOf } from '@campus/test/support/people'
import { type Page, visitorOf } from '@campus/test/support/visitor'
import pg from 'pg'

const AT_ONCE = 3
const ROWS = 20
/**
 * Number of concurrent trials. It exceeds the number of write connections, and is the maximum number of waiting trials.
 */
const MANY = 10
const CLUSTERS = { 'column-0': 'name', 'column-1': 'campus_id:name' }

let world: World
let boss: SignedIn
/** Connection for a concurrent transaction. */
let other: pg.Client
before(async () => {
  world = await campus({})
  await world.build.campus({ name: 'Lisbon' })
  boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
  other = new pg.Client({ connectionString: (world.database as TestDatabase).url })
  await other.connect()
})
afterEach(async () => {
  await other.query('rollback')
  await world.database.rows('delete from clusters')
})
after(async () => {
  await other.end()
  await world.close()
})

const one = async (text: string) => (await world.database.rows(`select ${text}`))[0]?.[0]
const count = async (text: string) => Number(await one(`count(*) from ${text}`))
const idIn = (location: string) => location.split('/').at(-1) ?? ''
const ofDraft = (column: string, location: string) => one(`${column} from import_drafts where id = '${idIn(location)}'`)
const revisionIn = ({ text }: Page) => /name="revision" value="(\d+)"/.exec(text)?.[1] ?? ''

async function upload(resource: string, text: string): Promise<string> {
  // A new draft replaces the oldest one, which needs different times.
  world.clock.advance(1)
  const { location } = await boss.browser.upload(`/staff/import/new/${resource}`, { file: new File([text], 'x.csv') })
  assert.ok(location)
  return location
}

/** Uploads clusters of these names, and runs a trial. */
async function uploadClusters(names: readonly string[]): Promise<string> {
  const location = await upload('clusters', `name,campus\n${names.map((name) => `${name},Lisbon\n`).join('')}`)
  await boss.browser.submit(location, { wish: 'try', ...CLUSTERS })
  return location
}

const numbered = (length: number) => Array.from({ length }, (_, at) => `Room ${at}`)

/** Sends a form several times at once. */
async function submitAtOnce(location: string, fields: Readonly<Record<string, string>>): Promise<readonly Page[]> {
  const [, csrf_token = ''] = /name="csrf_token" value="([^"]+)"/.exec((await boss.browser.get(location)).text) ?? []
  const send = () => boss.browser.post(location, { csrf_token, ...fields })
  return Promise.all(Array.from({ length: AT_ONCE }, send))
}

/** Waits until a statement waits for a lock of `other`. */
it('imports a draft once however many confirmations are sent at once', async () => {
  const user = await world.build.user()
  const rows = Array.from({ length: ROWS }, (_, at) => `${user},1,Gift ${at},Test\n`)
  const location = await upload('transactions', `user_id,value,reason,transactable_type\n${rows.join('')}`)
  const asked = await boss.browser.submit(location, { wish: 'run' })
  assert.equal(asked.heading, `Import ${ROWS} rows?`)
  const answers = await submitAtOnce(location, { wish: 'run', confirmed: 'yes', revision: revisionIn(asked) })
  assert.deepEqual(
    answers.map(({ status }) => status),
    answers.map(() => 303),
  )
  assert.equal(await count(`transactions where user_id = ${user}`), ROWS)
  assert.equal(await ofDraft('jsonb_array_length(made)', location), String(ROWS))
})

it('imports nothing if the draft cannot be marked as imported', async () => {
  const location = await uploadClusters(numbered(2))
  await world.database.rows(`alter table import_drafts add constraint never check (made is null) not valid`)
  try {
    const { status } = await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })
    assert.ok(status >= 500, String(status))
    assert.equal(await count('clusters'), 0)
    assert.equal(await ofDraft('ran_at', location), null)
  } finally {
    await world.database.rows('alter table import_drafts drop constraint never')
  }
  await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })
  assert.equal(await count('clusters'), 2)
})

it('refuses a confirmation of a table that has changed since', async () => {
  const location = await uploadClusters(['A', 'B', 'C'])
  const asked = await boss.browser.submit(location, { wish: 'run', ...CLUSTERS })
  await boss.browser.submit(location, { wish: 'try', ...CLUSTERS, omit: ['3'] })
  const confirmed = { wish: 'run', confirmed: 'yes', revision: revisionIn(asked) }
  await boss.browser.submit(location, confirmed)
  assert.match((await boss.browser.get(location)).text, /The import has changed since you opened this page/)
  assert.equal(await count('clusters'), 0)
})

it('omits a row once if its form is sent twice', async () => {
  const location = await uploadClusters(['A', 'B', 'C'])
  const form = { wish: 'try', ...CLUSTERS, omit: ['1'], revision: revisionIn(await boss.browser.get(location)) }
  await boss.browser.submit(location, form)
  await boss.browser.submit(location, form)
  assert.match((await boss.browser.get(location)).text, /Import 2 rows/)
})

for (const [what, change] of [
  ['was imported', `ran_at = now(), made = '[{"id": 7, "updatedAt": "then"}]'`],
  ['was changed by another trial', 'revision = revision + 1'],
] as const)
  it(`discards the result of a trial that ends after the draft ${what}`, async () => {
    const location = await uploadClusters(['A', 'B'])
    const columns = `concat_ws('|', md5(sealed_table), mapping, report, made)`
    await other.query('begin')
    await other.query(`update import_drafts set ${change} where id = $1`, [idIn(location)])
    const trial = boss.browser.submit(location, { wish: 'run', 'column-0': 'name', 'column-1': '', omit: ['1'] })
    await untilBlockedBy(other)
    const { rows } = await other.query(`select ${columns} as stored from import_drafts where id = $1`, [idIn(location)])
    await other.query('commit')
    assert.equal((await trial).status, 303)
    assert.equal(await ofDraft(columns, location), rows[0].stored)
  })

it('undoes an import once, and again only if undoing was interrupted', async () => {
  const location = await uploadClusters(numbered(ROWS))
  await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })
  const lease = (offset: string) =>
    world.database.rows(`update import_drafts set undo_leased_until = now() + interval '${offset}' where id = $1`, [
      idIn(location),
    ])
  await lease('1 minute')
  await boss.browser.submit(location, { wish: 'undo', confirmed: 'yes' })
  assert.match((await boss.browser.get(location)).text, /already being undone/)
  assert.equal(await count('clusters'), ROWS)
  await lease('-1 minute')
  // A process deleted one record before it died.
  await world.database.rows(`delete from clusters where name = 'Room 3'`)
  await submitAtOnce(location, { wish: 'undo', confirmed: 'yes' })
  assert.match((await boss.browser.get(location)).text, /This import was undone/)
  assert.equal(await count('clusters'), 0)
  const destroyed = `audit_events where kind = 'record_written' and details ->> 'resource' = 'clusters' and details ->> 'action' = 'destroy'`
  assert.equal(await count(destroyed), ROWS - 1)
})

it('runs the trials of one person one after another, so that others can write', async () => {
  const locations: string[] = []
  for (let at = 0; at < MANY; at += 1) locations.push(await uploadClusters([`Room ${at}`]))
  await other.query('begin; lock table clusters in exclusive mode')
  const trials = locations.map((location) => boss.browser.submit(location, { wish: 'try', ...CLUSTERS }))
  await untilBlockedBy(other)
  // After these responses, the service has received all trials.
  for (let at = 0; at < MANY; at += 1) assert.equal((await boss.browser.get(locations[0] ?? '')).status, 200)
  assert.equal(await countBlockedBy(other), 1)
  await other.query('rollback')
  for (const { status } of await Promise.all(trials)) assert.equal(status, 303)
})

it('shows a page of bounded size however long the faulty cells are', async () => {
  const long = 'x'.repeat(50_000)
  const location = await upload('clusters', `name,campus\n${`A,${long}\n`.repeat(40)}B,${'y'.repeat(1_000)}\n`)
  await boss.browser.submit(location, { wish: 'try', ...CLUSTERS })
  const { text } = await boss.browser.get(location)
  assert.ok(text.length < 200_000, String(text.length))
  assert.match(text, /too long to be corrected here/)
  await boss.browser.submit(location, {
    wish: 'try',
    ...CLUSTERS,
    omit: Array.from({ length: 40 }, (_, at) => `${at + 1}`),
  })
  assert.match((await boss.browser.get(location)).text, /value="y{1000}"/)
})

it('returns 404 for a malformed id of a draft', async () => {
  for (const id of ['-'.repeat(36), 'a'.repeat(36), `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(11)}-`])
    assert.equal((await boss.browser.get(`/staff/import/${id}`)).status, 404)
})

it('shows a draft without opening its table', async () => {
  const location = await upload('clusters', 'name,campus\nAttic,Nowhere\nRoof,Lisbon\n')
  await boss.browser.submit(location, { wish: 'try', ...CLUSTERS })
  await world.database.rows('update import_drafts set sealed_table = left(sealed_table, 16) where id = $1', [
    idIn(location),
  ])
  const { status, text } = await boss.browser.get(location)
  assert.equal(status, 200)
  assert.match(text, /Attic, Roof/)
  assert.match(text, /Row 1: Attic, Nowhere/)
  assert.match(text, /name="cell-1-1" value="Nowhere"/)
})

it('stores the table of a draft again only if cells or rows change', async () => {
  const location = await upload('clusters', 'name,campus\nAttic,Nowhere\nRoof,Lisbon\n')
  const stored = () => ofDraft('md5(sealed_table)', location)
  const first = await stored()
  await boss.browser.submit(location, { wish: 'try', ...CLUSTERS })
  await boss.browser.submit(location, { wish: 'try', ...CLUSTERS, 'cell-1-1': 'Nowhere' })
  assert.equal(await stored(), first)
  await boss.browser.submit(location, { wish: 'try', ...CLUSTERS, 'cell-1-1': 'Lisbon' })
  assert.notEqual(await stored(), first)
  assert.match((await boss.browser.get(location)).text, /2 rows: 2 new/)
})

it('stores only the faults that the page shows', async () => {
  const location = await upload('clusters', `name,campus\n${numbered(50).join(',Nowhere\n')},Nowhere\n`)
  await boss.browser.submit(location, { wish: 'try', ...CLUSTERS })
  assert.equal(await ofDraft(`jsonb_array_length(report -> 'faults')`, location), '40')
  const { text } = await boss.browser.get(location)
  assert.match(text, /50 with faults/)
  assert.match(text, /the first 40 rows/)
})

it('shows and imports a draft without a preview, as the former release stores it', async () => {
  const location = await uploadClusters(['A', 'B'])
  await world.database.rows('update import_drafts set sealed_preview = null where id = $1', [idIn(location)])
  assert.match((await boss.browser.get(location)).text, /A, B/)
  await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })
  assert.equal(await count('clusters'), 2)
})

it('ignores the preview of a table that the former release replaced', async () => {
  const [location, another] = [await uploadClusters(['A', 'B']), await uploadClusters(['Annex'])]
  await world.database.rows(
    'update import_drafts set sealed_table = (select sealed_table from import_drafts where id = $2) where id = $1',
    [idIn(location), idIn(another)],
  )
  const { text } = await boss.browser.get(location)
  assert.match(text, /Annex/)
  assert.match(text, /Import 1 row</)
})

it('asks for a confirmation only if a trial found nothing missing', async () => {
  const location = await upload('clusters', 'name,campus\nx,Lisbon\n')
  const incomplete = { wish: 'run', 'column-0': 'name', 'column-1': '' }
  for (const fields of [incomplete, { ...incomplete, confirmed: 'yes' }]) {
    assert.equal((await boss.browser.submit(location, fields)).status, 303)
    const { text } = await boss.browser.get(location)
    assert.match(text, /No column is mapped to campus_id, which every record needs/)
    assert.doesNotMatch(text, /value="run"/)
  }
  const empty = await boss.browser.submit(location, { wish: 'run', ...CLUSTERS, omit: ['1'] })
  assert.equal(empty.status, 422)
  assert.match(empty.text, /must not all be left out/)
  const confirmed = await boss.browser.submit(location, { wish: 'run', ...CLUSTERS, confirmed: 'yes' })
  assert.equal(confirmed.heading, 'Import 1 row?')
  assert.equal(await ofDraft('ran_at', location), null)
})

it('lists the imports of the person, and drafts only in the session that uploaded them', async () => {
  const location = await uploadClusters(['Cellar', 'Stairs'])
  const path = '/staff/import/new/clusters'
  assert.match((await boss.browser.get(path)).text, new RegExp(`href="${location}">x.csv</a>[^·]*· not imported yet`))
  const elsewhere = visitorOf(world)
  await elsewhere.signIn(boss.login, PASSWORD)
  assert.doesNotMatch((await elsewhere.get(path)).text, new RegExp(location))
  await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })
  assert.match((await elsewhere.get(path)).text, new RegExp(`href="${location}">x.csv</a>[^·]*· imported`))
  assert.doesNotMatch((await boss.browser.get('/staff/import/new/users')).text, new RegExp(location))
})
