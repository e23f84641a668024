import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { type Outcome, runCampus } from '@campus/test/support/run-campus'
import { runCommand } from '@campus/test/support/run-command'

describe('commands', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: TestDatabase
  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
  })
  after(async () => {
    const retained = await readdir(folder.path)
    await database.close()
    await folder.remove()
    assert.deepEqual(retained, ['files'], 'a database elsewhere leaves only attached files here')
  })

  const campus = (words: readonly string[], input?: string) =>
    runCommand(words, { CAMPUS_DATA: folder.path, DATABASE_URL: database.url }, input)

  /** Runs a command with `--json`. Returns the object that it prints. */
  async function json(words: readonly string[], input?: string) {
    const outcome = await campus([...words, '--json'], input)
    assert.deepEqual({ code: outcome.code, stderr: outcome.stderr }, { code: 0, stderr: '' })
    assert.match(outcome.stdout, /^\{.*\}\n$/)
    return JSON.parse(outcome.stdout)
  }

  function assertRefused(outcome: Outcome, message: RegExp): void {
    assert.equal(outcome.stdout, '')
    assert.match(outcome.stderr, message)
    assert.equal(outcome.stderr.trimEnd().split('\n').length, 1)
    assert.equal(outcome.code, 1)
  }

  test('migrate brings the database to the newest version, once', async () => {
    await json(['migrate'])
    assert.deepEqual(await json(['migrate']), { migrations: [], waitingFor: [] })
    assert.equal((await campus(['migrate'])).stdout, 'The database is up to date.\n')
    assert.equal((await campus(['migrate', '--plan'])).stdout, 'The database is up to date.\n')
  })

  test('seed fills an empty database with so many people and stays, and refuses another', async () => {
    const { seeded } = await json(['seed', '--users', '20', '--locations', '50', '--seed', '7', '--like-the-network'])
    assert.equal(seeded.users, 20)
    assert.equal(seeded.locations, 50)
    assert.equal(seeded.campus, 11)
    assertRefused(await campus(['seed', '--json']), /has users already/)
  })

  test('app create registers an application with all that the flags say', async () => {
    const created = await json([
      ...['app', 'create', '--name', 'Probe', '--scopes', 'public projects', '--roles', 'Basic Staff,Advanced Tutor'],
      ...['--redirect-uri', 'https://a.example/1', '--redirect-uri', 'https://a.example/2'],
      ...['--rate-per-second', '5', '--rate-per-hour', '6000'],
    ])
    const { id, uid, secret, created_at, ...rest } = created
    assert.equal(typeof id, 'number')
    assert.match(uid, /^[0-9a-f]{64}$/)
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, {
      name: 'Probe',
      scopes: ['public', 'projects'],
      roles: ['Advanced Tutor', 'Basic Staff'],
      redirect_uris: ['https://a.example/1', 'https://a.example/2'],
      confidential: true,
      rate_per_second: 5,
      rate_per_hour: 6000,
      owner: null,
      description: null,
      website: null,
    })
  })

  test('app update changes what is named and leaves the rest; app show tells all but the secret', async () => {
    const flags = ['--roles', 'Basic Staff', '--rate-per-second', '5', '--redirect-uri', 'https://a.example/1']
    const { secret: _, ...created } = await json(['app', 'create', '--name', 'Changing', ...flags])
    const { uid } = created
    const renamed = await json(['app', 'update', uid, '--name', 'Changed', '--website', 'https://a.example'])
    assert.deepEqual(renamed, { ...created, name: 'Changed', website: 'https://a.example' })
    const calls = { calls_in_two_weeks: 0, refused_in_two_weeks: 0 }
    assert.deepEqual(await json(['app', 'show', uid]), { ...renamed, ...calls })
    const cleared = await json(['app', 'update', uid, '--no-rates', '--no-redirect-uris', '--roles', ''])
    assert.deepEqual(cleared, { ...renamed, rate_per_second: null, redirect_uris: [], roles: [] })
    assertRefused(
      await campus(['app', 'update', uid, '--roles', 'King', '--owner', 'nobody', '--name', 'x']),
      /^owner must be the login of a user; .*roles has the unknown King.*name is too short|^roles has/,
    )
    assert.deepEqual(await json(['app', 'show', uid]), { ...cleared, ...calls }, 'a refused change changes nothing')
    assertRefused(await campus(['app', 'show', created.id]), /^No application has this uid/)
  })

  test('app list shows every application without its secret', async () => {
    const created = await json(['app', 'create', '--name', 'Listed'])
    const { applications } = await json(['app', 'list'])
    const listed = applications.find(({ uid }: { uid: string }) => uid === created.uid)
    const { secret: _, ...known } = created
    assert.deepEqual(listed, known)
    assert.match((await campus(['app', 'list'])).stdout, new RegExp(`^${created.uid} +Listed +public$`, 'm'))
    assert.match((await campus(['app', 'list'])).stdout, /^uid +name +scopes +roles +owner$/m)
  })

  test('app rotate-secret gives another secret, and says how long the former one works', async () => {
    const created = await json(['app', 'create', '--name', 'Rotated'])
    const rotated = await json(['app', 'rotate-secret', created.uid])
    assert.equal(rotated.uid, created.uid)
    assert.match(rotated.secret, /^[0-9a-f]{64}$/)
    assert.notEqual(rotated.secret, created.secret)
    const days = (Date.parse(rotated.previous_secret_valid_until) - Date.now()) / 86_400_000
    assert.ok(days > 6.9 && days <= 7.1)
  })

  test('app delete removes an application', async () => {
    const { id, uid } = await json(['app', 'create', '--name', 'Removed'])
    assert.deepEqual(await json(['app', 'delete', uid]), { id, uid, name: 'Removed', deleted: true })
    assertRefused(await campus(['app', 'delete', uid, '--json']), /^No application has this uid/)
  })

  test('without --json people read the secret in words', async () => {
    const { stdout, code } = await campus(['app', 'create', '--name', 'Spoken'])
    assert.equal(code, 0)
    assert.match(stdout, /^Registered "Spoken"\. The secret is not shown again\.\n/)
    assert.match(stdout, /^ {2}secret +[0-9a-f]{64}$/m)
  })

  test('user create opens an account, with a login made from the names where none is given', async () => {
    const names = ['--first-name', 'Zoë', '--last-name', 'Ångström']
    const { login } = await json(['user', 'create', '--email', 'zoe@a.example', ...names, '--campus', '1'])
    assert.equal(login, 'zangstro')
    const flags = ['--login', 'zoe', '--email', 'zoe2@a.example', ...names, '--kind', 'admin', '--password-stdin']
    const account = await json(['user', 'create', ...flags], 'correct horse\n')
    assert.equal(account.login, 'zoe')
    assert.equal(typeof account.id, 'number')
  })

  test('user create prints a reset link for an admin who has no password yet, and for nobody else', async () => {
    const person = (login: string) => [
      '--login',
      login,
      '--email',
      `${login}@a.example`,
      '--first-name',
      'A',
      '--last-name',
      'B',
    ]
    const admin = await json(['user', 'create', ...person('chief'), '--kind', 'admin'])
    assert.match(admin.link, /^https:\/\/[^/]+\/reset-password\?token=[\w-]{43}$/)
    assert.deepEqual(Object.keys(await json(['user', 'create', ...person('pupil')])), ['id', 'login'])
    const flags = ['--kind', 'admin', '--password-stdin']
    assert.deepEqual(Object.keys(await json(['user', 'create', ...person('chief2'), ...flags], 'correct horse')), [
      'id',
      'login',
    ])
  })

  test('user close shuts an account for a reason, user open lifts it, and user list and show tell', async () => {
    const names = ['--first-name', 'Cleo', '--last-name', 'Sand', '--campus', '1']
    const { id } = await json(['user', 'create', '--login', 'cleo', '--email', 'cleo@a.example', ...names])
    const { close_id } = await json([
      'user',
      'close',
      'cleo',
      '--reason',
      'Left',
      '--kind',
      'deserter',
      '--closer',
      'chief',
    ])
    const shown = await json(['user', 'show', 'cleo'])
    assert.equal(typeof shown.closed_at, 'string')
    assert.deepEqual(
      shown.closes.map(({ created_at, ...close }: { created_at: string }) => close),
      [{ id: close_id, kind: 'deserter', reason: 'Left', state: 'close', closer: 'chief' }],
    )
    const closed = await json(['user', 'list', 'cleo', '--state', 'closed', '--campus', '1'])
    assert.deepEqual(
      closed.users.map((user: { id: number }) => user.id),
      [id],
    )
    assert.deepEqual(await json(['user', 'list', 'cleo', '--state', 'open']), { users: [] })
    assert.match(
      (await campus(['user', 'list', 'cleo'])).stdout,
      /^id +login +name +e-mail +kind +account\n\d+ +cleo +Cleo Sand .* closed$/m,
    )
    assert.deepEqual(await json(['user', 'open', 'cleo']), { id, login: 'cleo' })
    assertRefused(await campus(['user', 'open', 'cleo']), /This account is not closed\./)
    assertRefused(await campus(['user', 'close', 'cleo']), /required option '--reason <text>'/)
    assertRefused(await campus(['user', 'close', 'nobody', '--reason', 'x']), /^No user has/)
    const first = await json(['user', 'list', '--limit', '2'])
    const [, last] = first.users
    const next = await json(['user', 'list', '--limit', '1', '--after', last.login])
    assert.ok(next.users[0].login > last.login)
  })

  test('user set-password reads the password from standard input', async () => {
    const names = ['--email', 'p@a.example', '--first-name', 'P', '--last-name', 'P']
    const { id } = await json(['user', 'create', '--login', 'pp', ...names])
    assert.deepEqual(await json(['user', 'set-password', 'pp', '--password-stdin'], 'correct horse\r\n'), {
      id,
      login: 'pp',
    })
    const short = await campus(['user', 'set-password', 'pp', '--password-stdin'], 'hunter2\n')
    assertRefused(short, /^password is too short/)
    assert.ok(!short.stderr.includes('hunter2'))
    assertRefused(await campus(['user', 'set-password', 'pp']), /required option '--password-stdin'/)
    assertRefused(await campus(['user', 'set-password', 'nobody', '--password-stdin'], 'long enough'), /^No user has/)
  })

  test('user reset-link prints a link behind the address of the service', async () => {
    const names = ['--email', 'r@a.example', '--first-name', 'R', '--last-name', 'R']
    await json(['user', 'create', '--login', 'rr', ...names])
    const { login, link } = await json(['user', 'reset-link', 'rr'])
    assert.equal(login, 'rr')
    assert.match(link, /^https:\/\/[^/]+\/reset-password\?token=[\w-]{43}$/)
    assertRefused(await campus(['user', 'reset-link', 'nobody']), /^No user has/)
  })

  test('user reset-link --mail has the link sent, where a service sends mail', async () => {
    const names = ['--email', 'm@a.example', '--first-name', 'M', '--last-name', 'M']
    await json(['user', 'create', '--login', 'mm', ...names])
    const mails = () => database.rows('select m.kind, u.login from mails m join users u on u.id = m.user_id')
    const command = ['user', 'reset-link', 'mm', '--mail']
    assertRefused(await campus(command), /^No mail server is set: set CAMPUS_MAIL_URL and CAMPUS_MAIL_FROM/)
    const env = {
      ...{ CAMPUS_DATA: folder.path, DATABASE_URL: database.url },
      ...{ CAMPUS_MAIL_URL: 'smtp://127.0.0.1:9', CAMPUS_MAIL_FROM: 'campus@school.test' },
    }
    assertRefused(await runCommand(command, env), /^No service has sent mail in the last day/)
    assert.deepEqual(await mails(), [])
    await database.rows("insert into mail_senders (until) values (now() + interval '1 day')")
    const { code, stdout, stderr } = await runCommand(command, env)
    assert.deepEqual([code, stderr], [0, ''])
    assert.equal(stdout, 'A link is on its way to the e-mail address of mm.\n')
    assert.deepEqual(await mails(), [['reset_link', 'mm']])
    assert.deepEqual(
      await database.rows('select from password_resets p join users u on u.id = user_id where login = $1', ['mm']),
      [],
    )
    assertRefused(await runCommand(['user', 'reset-link', 'nobody', '--mail'], env), /^No user has/)
    await campus(['user', 'close', 'mm', '--reason', 'Left'])
    assertRefused(await runCommand(command, env), /^This account is closed/)
  })

  test('app create --public-client registers an application that has no secret to rotate', async () => {
    const flags = ['--public-client', '--redirect-uri', 'org.example.native:/back']
    const created = await json(['app', 'create', '--name', 'Native', ...flags])
    assert.equal(created.secret, null)
    assert.equal(created.confidential, false)
    assertRefused(await campus(['app', 'rotate-secret', created.uid]), /^This application has no secret/)
  })

  test('what cannot be is refused by a message that names every fault', async () => {
    assertRefused(
      await campus(['app', 'create', '--name', 'x', '--scopes', 'all', '--roles', 'King', '--json']),
      /^roles has the unknown King; the roles are Intrateam, .*; name is too short .*; scopes has the unknown all; /,
    )
    assertRefused(
      await campus(['user', 'create', '--email', 'x', '--first-name', 'x', '--last-name', 'x', '--campus', '999999']),
      /^email must look like name@example\.org; campus_id must be the id of a campus$/m,
    )
  })
})

describe('the command line itself', () => {
  const run = (...words: string[]) => runCampus(words, { CAMPUS_DATA: '/nowhere' })

  test('tells its version', async () => {
    const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
    for (const flag of ['--version', '-V']) assert.equal((await run(flag)).stdout, `${version}\n`)
  })

  test('completes words in a shell', async () => {
    const asked = await run('complete', '--', 'user', 'cl')
    assert.match(asked.stdout, /^close\t/m)
    const script = await run('completion', 'bash')
    assert.match(script.stdout, /^complete .* campus$/m)
    assert.equal((await run('completion', 'emacs')).code, 1)
  })
})

describe('a command line with a mistake', () => {
  for (const [words, message] of [
    [['app', 'create'], /^error: required option '--name <name>' not specified$/m],
    [['app', 'create', '--name', 'x', '--rate-per-hour', 'many'], /It must be a whole number\.$/m],
    [['app', 'rotate-secret'], /^error: missing required argument 'uid'$/m],
    [['app', 'rename'], /^error: unknown command 'rename'$/m],
    [['seed', '--users', '-1'], /'--users <number>'/],
    [['user', 'create', '--email', 'a@b.example'], /^error: required option '--first-name <name>' not specified$/m],
    [['migrate', '--fast'], /^error: unknown option '--fast'$/m],
  ] as const) {
    test(`campus ${words.join(' ')} is refused before anything is opened`, async () => {
      const folder = await temporaryFolder()
      const { code, stdout, stderr } = await runCommand(words, { CAMPUS_DATA: folder.path })
      assert.match(stderr, message)
      assert.equal(stdout, '')
      assert.equal(code, 1)
      assert.deepEqual(await readdir(folder.path), [])
      await folder.remove()
    })
  }

  test('a wrong variable is refused by a message that names it', async () => {
    const { code, stderr } = await runCampus(['migrate'], { CAMPUS_TIME_ZONE: 'Moon' })
    assert.equal(stderr, 'CAMPUS_TIME_ZONE must be an IANA zone such as Europe/Paris; it is "Moon".\n')
    assert.equal(code, 1)
  })

  test('a database that does not answer is a fault of DATABASE_URL, which is not shown', async () => {
    const DATABASE_URL = 'postgres://campus:letmein@127.0.0.1:1/campus'
    const { code, stderr } = await runCampus(['app', 'list'], { DATABASE_URL })
    assert.match(stderr, /^DATABASE_URL must name a database that answers; this one does not \(.*ECONNREFUSED.*\)\.\n$/)
    assert.ok(!stderr.includes('letmein'))
    assert.equal(code, 1)
  })
})

describe('on a data folder that no server has', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  async function json(...words: string[]) {
    const { code, stdout, stderr } = await runCampus([...words, '--json'], { CAMPUS_DATA: folder.path })
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  test('migrate makes the database, and commands wait for each other', async () => {
    assert.ok((await json('migrate')).migrations.length > 0)
    const created = await Promise.all(
      ['Bus times', 'Lunch menu', 'Seat finder'].map((name) => json('app', 'create', '--name', name)),
    )
    assert.deepEqual(created.map(({ id }) => id).sort(), [1, 2, 3])
    assert.deepEqual(await json('migrate'), { migrations: [], waitingFor: [] })
  })

  test('what they wrote is there for the next, and the folder is free', async () => {
    const { applications } = await json('app', 'list')
    assert.deepEqual(applications.map(({ name }: { name: string }) => name).sort(), [
      'Bus times',
      'Lunch menu',
      'Seat finder',
    ])
    assert.deepEqual((await readdir(folder.path)).sort(), ['campus.lock.sqlite', 'postgresql', 'postgresql.log'])
  })

  test('--data names the folder too', async () => {
    const { stdout } = await runCampus(['app', 'list', '--data', folder.path], {})
    assert.equal(stdout.trimEnd().split('\n').length, 1 + 3, 'a line of titles, and the three')
  })
})
