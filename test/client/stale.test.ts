/** `Prefer: stale-ok` of the clients, with a server that follows the database. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { openDatabase } from '@campus/engine/database/database'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { findPython } from '../../clients/python/scripts/find-python.ts'
import { campusClient, type Page } from '../../clients/typescript/src/index.ts'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'
import { OLDEST_BINARIES } from '../support/oldest-server.ts'
import { type Replicated, replicated } from '../support/replicated.ts'
import { until } from '../support/until.ts'
import { trustingFetch } from './stand-ins.ts'

const run = promisify(execFile)
const NO_SERVER = existsSync(`${OLDEST_BINARIES}/pg_basebackup`)
  ? false
  : 'SKIPPED: no PostgreSQL 15 of Debian is here, to follow another server'
const PYTHON = findPython(['httpx'])
const NO_PYTHON = PYTHON
  ? false
  : "SKIPPED the Python client: no python3 with httpx (install Debian's package python3-httpx)"

/** Until a page comes from a replica: one that has just been slow is passed over for a while. */
const PROGRAM = `
import asyncio, json, sys
from campus_intranet import AsyncCampus, Campus

given = json.loads(sys.argv[1])

def with_threads():
    with Campus(**given) as campus:
        strict = [page.age_seconds for page in campus.list_groups().pages()]
        stale = campus.with_options(stale_ok=True)
        while (age := next(stale.list_groups().pages()).age_seconds) is None:
            pass
        return strict, age

async def with_asyncio():
    async with AsyncCampus(**given, stale_ok=True) as campus:
        strict = [page.age_seconds async for page in campus.with_options(stale_ok=False).list_groups().pages()]
        while (age := (await anext(campus.list_groups().pages())).age_seconds) is None:
            pass
        return strict, age

print(json.dumps([with_threads(), asyncio.run(with_asyncio())]))
`

describe('what may be some seconds old', { skip: NO_SERVER }, () => {
  let servers: Replicated
  let world: World
  let credentials: { readonly clientId: string; readonly clientSecret: string }
  before(async () => {
    servers = await replicated()
    const [url, replica] = [servers.primary, servers.standby].map((server) => servers.address([server]))
    const database = await openDatabase({
      migrations: SCHOOL_MIGRATIONS,
      url: String(url),
      replicaUrls: [String(replica)],
    })
    await migrate(database.kysely, storageOfResources())
    world = await campus({ on: Object.assign(database, { url: String(url) }) })
    await world.director.post('/v2/groups', { group: { name: 'Of the primary' } })
    const { uid, secret } = await database.transaction((tx) =>
      createApplication(tx, { name: 'Reader', rate_per_second: 100_000, rate_per_hour: 1_000_000 }),
    )
    credentials = { clientId: uid, clientSecret: secret }
  })
  after(async () => {
    await world?.close()
    await servers?.close()
  })

  test('the typed client reads it at a replica where that is asked for, and says how old it is', async (t) => {
    const preferred: (string | null)[] = []
    const { fetch, close } = trustingFetch(world.ca, [], (request, send) => {
      if (request.url.includes('/v2/')) preferred.push(request.headers.get('prefer'))
      return send()
    })
    t.after(close)
    const client = campusClient({ url: world.url, ...credentials, fetch, staleOk: true })
    const ageOf = async (init: { readonly staleOk?: boolean }) => {
      const { done, value } = await client.pages('/v2/groups', init).next()
      assert.ok(!done && (value satisfies Page<unknown>).total === 1)
      return value.ageSeconds
    }

    assert.equal(await ageOf({ staleOk: false }), undefined)
    let age: number | undefined
    await until(async () => {
      age = await ageOf({})
      return age !== undefined
    })
    assert.ok(Number(age) >= 0 && Number(age) <= 5, `${age}`)
    await client.get('/v2/groups', { headers: { prefer: 'of-the-caller' } } as never)
    await assert.rejects(client.post('/v2/groups', { body: { group: { name: 'Refused' } } }), { status: 403 })
    assert.deepEqual([preferred[0], ...preferred.slice(-3)], [null, 'stale-ok', 'of-the-caller, stale-ok', null])
  })

  test('both Python clients do', { skip: NO_PYTHON }, async () => {
    const folder = await temporaryFolder()
    const cafile = join(folder.path, 'ca.pem')
    await writeFile(cafile, world.ca)
    const { clientId, clientSecret } = credentials
    const given = { url: world.url, client_id: clientId, client_secret: clientSecret, cafile }
    const { stdout } = await run(String(PYTHON), ['-c', PROGRAM, JSON.stringify(given)], {
      env: { PATH: process.env.PATH, PYTHONPATH: 'clients/python/src', PYTHONDONTWRITEBYTECODE: '1' },
    })
    await folder.remove()
    for (const [strict, age] of JSON.parse(stdout)) {
      assert.deepEqual(strict, [null])
      assert.ok(age >= 0 && age <= 5, stdout)
    }
  })
})
