import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { NO_CURL } from '../support/curl.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { outcomeOf } from '../support/run-campus.ts'
import { commandsUnder, served, shellIn, type Type } from './typing.ts'

const PAGE = 'mirroring.md'
/** The application of these commands has no role. */
const MISSING_RIGHTS = /^The application lacks .*goes without:\n(?: .*\n)+$/

/** Runs the commands of the page in a shell as written, except for the address and the application. */
describe('docs/mirroring.md, followed to the letter', () => {
  let source: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let type: Type
  let copier: { readonly uid: string; readonly secret: string }
  const databases: TestDatabase[] = []
  before(async () => {
    source = await campus()
    const [here, there] = [await source.build.campus(), await source.build.campus()]
    for (const campus_id of [here, there])
      await source.build.record('campus_users', { user_id: await source.build.user(), campus_id, is_primary: true })
    copier = await source.database.transaction((tx) =>
      createApplication(tx, { name: 'Copier', rate_per_second: 1_000, rate_per_hour: 100_000, confidential: true }),
    )
    folder = await temporaryFolder()
    type = await shellIn(join(folder.path, 'shell'))
    await writeFile(join(folder.path, 'ca.pem'), source.ca)
  })
  after(async () => {
    for (const database of databases) await database.close()
    await source.close()
    await folder.remove()
  })

  async function opened() {
    const database = await testDatabase()
    databases.push(database)
    const env = {
      DATABASE_URL: database.url,
      CAMPUS_DATA: join(folder.path, String(databases.length)),
      NODE_EXTRA_CA_CERTS: join(folder.path, 'ca.pem'),
      CAMPUS_PORT: '0',
      MIRROR_SECRET: copier.secret,
    }
    const people = async () => (await database.rows('select login from users order by id')).flat()
    return { env, people }
  }

  const asHere = (line: string) =>
    line
      .replaceAll('https://intranet.example.org', source.url)
      .replaceAll('UID', copier.uid)
      .replaceAll('MIRROR_SECRET=…', `MIRROR_SECRET=${copier.secret}`)
  const typed = async (line: string, env: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await outcomeOf(type(asHere(line), env))
    assert.deepEqual([code, stderr.replace(MISSING_RIGHTS, '')], [0, ''], line)
    return stdout
  }
  const everybody = async () => (await source.database.rows('select login from users order by id')).flat()

  it('Copying: the trial tells the lists, the copy has everybody, and that of a campus its own people', {
    skip: NO_CURL,
  }, async () => {
    const [secret = '', trial = '', copy = '', ofCampus = '', ...more] = await commandsUnder(PAGE, 'Copying')
    assert.deepEqual(more, [])
    const { env, people } = await opened()
    const { MIRROR_SECRET: _, ...bare } = env
    assert.match(await typed(`${secret}\n${trial}`, bare), /^users +2 +1$/m)
    assert.deepEqual(await people(), [])
    await typed(`${secret}\n${copy}`, bare)
    assert.deepEqual(await people(), await everybody())
    const other = await opened()
    await typed(ofCampus, other.env)
    assert.deepEqual(await other.people(), (await everybody()).slice(0, 1))
  })

  it('The roles that a whole copy needs: an application with them makes a copy that lacks nothing', {
    skip: NO_CURL,
  }, async () => {
    const [create = '', copy = '', ...more] = await commandsUnder(PAGE, 'The roles that a whole copy needs')
    assert.deepEqual(more, [])
    const { env, people } = await opened()
    const { url } = source.database as TestDatabase
    const created = await outcomeOf(type(create, { ...env, DATABASE_URL: url }))
    assert.deepEqual([created.code, created.stderr], [0, ''])
    const [uid = '', secret = ''] = ['uid', 'secret'].map(
      (name) => new RegExp(`^ *${name}:? +(\\S+)$`, 'im').exec(created.stdout)?.[1] ?? '',
    )
    const line = copy.replaceAll('https://intranet.example.org', source.url).replaceAll('UID', uid)
    const { code, stderr } = await outcomeOf(type(line, { ...env, MIRROR_SECRET: secret }))
    assert.deepEqual([code, stderr], [0, ''], created.stdout)
    assert.deepEqual(await people(), await everybody())
  })

  it('How a school moves: it is served, copied, copied whole and backed up', { skip: NO_CURL }, async () => {
    const [serve = '', copy = '', register = '', whole = '', backUp = '', ...more] = await commandsUnder(
      PAGE,
      'How a school moves',
    )
    assert.deepEqual(more, [])
    const { env, people } = await opened()
    const stop = await served(type(serve.replace('campus serve', 'exec campus serve'), env))
    try {
      await typed(copy, env)
      assert.deepEqual(await people(), await everybody())
      assert.match(await typed(register, env), /Bus times/)
      const late = await source.build.user({ login: 'late' })
      await source.database.rows("update users set updated_at = '2001-01-01' where id = $1", [late])
      await typed(whole, env)
      assert.deepEqual(await people(), await everybody())
      assert.match(await typed(backUp, env), /^Backed up \d+ rows/)
    } finally {
      await stop()
    }
  })
})
