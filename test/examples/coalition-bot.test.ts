import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createApplication } from '../support/application.ts'
import { campus, type World } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'
import { closedTeam, openProject, type Project, student } from '../support/projects.ts'
import { until } from '../support/until.ts'

const BOT = fileURLToPath(new URL('../../examples/coalition-bot.ts', import.meta.url))
const MAX_LINES = 60

describe('the bot that gives coalition points', () => {
  let world: World
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let environment: NodeJS.ProcessEnv
  let project: Project
  let coalition_id: number
  let member: Awaited<ReturnType<typeof student>>
  let bot: ChildProcess | undefined

  before(async () => {
    world = await campus()
    folder = await temporaryFolder()
    await writeFile(join(folder.path, 'ca.pem'), world.ca)
    const roles = ['Advanced Staff', 'Advanced Tutor']
    const rates = { rate_per_second: 100, rate_per_hour: 10_000 }
    const { uid, secret } = await world.database.transaction((tx) =>
      createApplication(tx, { name: 'Coalition bot', scopes: ['public', 'projects'], roles, ...rates }),
    )
    environment = {
      ...process.env,
      ...{ CAMPUS_URL: world.url, CAMPUS_ID: uid, CAMPUS_SECRET: String(secret) },
      NODE_EXTRA_CA_CERTS: join(folder.path, 'ca.pem'),
    }
    project = await openProject(world)
    member = await student(world, project)
    const bloc_id = await world.build.record('blocs', { campus_id: project.campus, cursus_id: project.cursus })
    const names = { name: 'The Robots', slug: 'the-robots', color: '#2f8f5b', bloc_id }
    coalition_id = await world.build.record('coalitions', names)
    await world.build.record('coalitions_users', { coalition_id, user_id: member.id })
  })
  afterEach(stop)
  after(async () => {
    await folder?.remove()
    await world?.close()
  })

  async function start(): Promise<void> {
    bot = spawn(process.execPath, [BOT, String(project.campus), folder.path], { env: environment, stdio: 'pipe' })
    const said: Buffer[] = []
    bot.stderr?.on('data', (data) => said.push(data))
    bot.once('exit', (code) => code && assert.fail(Buffer.concat(said).toString()))
    // It follows both lists once it has stored where they stand.
    for (const name of ['seats', 'evaluations']) await until(() => stored(name) !== undefined)
  }

  async function stop(): Promise<void> {
    if (!bot) return
    bot.kill('SIGKILL')
    await once(bot, 'exit')
    bot = undefined
  }

  function stored(name: string): string | undefined {
    try {
      return readFileSync(join(folder.path, `${name}.position`), 'utf8')
    } catch {
      return undefined
    }
  }

  async function scores(): Promise<(string | number)[][]> {
    const { json } = await world.director.get(`/v2/coalitions/${coalition_id}/scores?sort=id`)
    return json.map(({ scoreable_type, scoreable_id, value }: Record<string, string | number>) => [
      scoreable_type,
      scoreable_id,
      value,
    ])
  }

  async function sitDown(): Promise<number> {
    const location = { user_id: member.id, campus_id: project.campus, host: 'c1r1s1', begin_at: '2026-03-02T08:00:00Z' }
    return (await world.director.post('/v2/locations', { location })).json.id
  }
  async function leave(id: number, end_at: string): Promise<void> {
    const { status, text } = await world.director.patch(`/v2/locations/${id}`, { location: { end_at } })
    assert.equal(status, 204, text)
  }

  it('gives them for hours at a seat and for evaluations, once, also for what happened while it was away', async () => {
    const seat = await sitDown()
    await start()
    await leave(seat, '2026-03-02T10:30:00Z')
    await until(async () => (await scores()).length === 1)

    const evaluated = await student(world, project)
    const team_id = await closedTeam(evaluated.client, project.project)
    const evaluation = await world.build.record('scale_teams', {
      ...{ team_id, scale_id: project.scale, user_id: member.id, begin_at: '2026-03-02T09:00:00Z' },
    })
    await stop()
    // Changed once more after it has left: no second score.
    await leave(seat, '2026-03-02T11:30:00Z')
    const second = await sitDown()
    await leave(second, '2026-03-02T09:00:00Z')
    const filled = { final_mark: 100, comment: 'Well done' }
    const { status, text } = await world.director.patch(`/v2/scale_teams/${evaluation}`, { scale_team: filled })
    assert.equal(status, 204, text)
    await start()
    await until(async () => (await scores()).length === 3)
    assert.deepEqual(
      (await scores()).toSorted(),
      [
        ['Location', seat, 2],
        ['Location', second, 1],
        ['ScaleTeam', evaluation, 3],
      ].toSorted(),
    )
  })

  it(`is at most ${MAX_LINES} lines long`, () => {
    assert.ok(readFileSync(BOT, 'utf8').trimEnd().split('\n').length <= MAX_LINES)
  })
})
