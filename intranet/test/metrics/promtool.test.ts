import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { temporaryFolder } from '@campus/test/support/folder'
import { scrape } from '@campus/test/support/scrape'
import { until } from '@campus/test/support/until'
import { parse } from 'yaml'

const FOLDER = 'ops/prometheus'
const RULES = 'campus.rules.yml'
const BOARD = 'ops/grafana/campus.json'

type Rule = {
  readonly alert?: string
  readonly record?: string
  readonly expr: string
  readonly annotations?: { summary: string }
}

const rules: readonly Rule[] = parse(readFileSync(`${FOLDER}/${RULES}`, 'utf8')).groups.flatMap(
  ({ rules }: { rules: readonly Rule[] }) => rules,
)
const board: { panels: readonly { title: string; targets?: readonly { expr: string }[] }[] } = JSON.parse(
  readFileSync(BOARD, 'utf8'),
)
const questions = [
  ...rules.map(({ alert, record, expr }) => ({ asker: alert ?? (record as string), expr })),
  ...board.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ asker: title, expr }))),
]

/** Metrics of the service, of the library, of Prometheus itself, and of recording rules. */
const NAMES = /(?<![\w:])(?:campus|nodejs|process|up)(?:[_:][\w:]*)?(?=[^\w:(]|$)/g
const OF_PROMETHEUS = ['up']

const promtool = (words: readonly string[], input = '') =>
  spawnSync('promtool', words, { cwd: FOLDER, input, encoding: 'utf8' })
const SKIP = promtool(['--version']).error ? "SKIPPED: no promtool (install Debian's package prometheus)" : false

describe('what is in ops/', () => {
  let world: World
  let backups: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    backups = await temporaryFolder()
    world = await campus({ seeded: true, env: { CAMPUS_BACKUP_FOLDER: backups.path } })
  })
  after(async () => {
    await world?.close()
    await backups?.remove()
  })

  it('asks for metrics that there are', async () => {
    // Exported only by the process that makes backups, once it holds the lease of that job.
    await until(async () => (await scrape(world.anonymous)).has('campus_backup_last_success_timestamp_seconds'))
    const families = [...(await scrape(world.anonymous))]
    const known = new Set([
      ...OF_PROMETHEUS,
      ...rules.flatMap(({ record }) => record ?? []),
      ...families.flatMap(([name, { type }]) =>
        type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
      ),
    ])
    const asked = questions.flatMap(({ asker, expr }) =>
      (expr.replace(/"[^"]*"/g, '""').match(NAMES) ?? []).map((name) => ({ asker, name })),
    )
    assert.ok(asked.length >= questions.length, `${asked.length} names in ${questions.length} questions`)
    assert.deepEqual(
      asked.filter(({ name }) => !known.has(name)),
      [],
    )
  })

  it('has alerts that the documentation tells what to do about, and no others are in it', () => {
    const page = readFileSync('docs/monitoring.md', 'utf8')
    const reported = [...page.matchAll(/^\| `(Campus\w+)` \| ([^:|]+): /gm)].map(([, name, summary]) => [name, summary])
    const alerts = rules.flatMap(({ alert, annotations }) => (alert ? [[alert, annotations?.summary]] : []))
    assert.deepEqual(reported, alerts)
  })

  it('has rules, and alerts that speak when they should, as promtool says', { skip: SKIP }, () => {
    for (const words of [
      ['check', 'rules', RULES],
      ['test', 'rules', 'campus.rules.test.yml'],
      ['check', 'config', '--syntax-only', 'prometheus.yml'],
    ]) {
      const { status, stdout, stderr } = promtool(words)
      assert.equal(status, 0, `${words.join(' ')}\n${stdout}${stderr}`)
    }
  })

  it('has a board whose questions promtool can read', { skip: SKIP }, async () => {
    const asked = board.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    assert.ok(asked.length > 40, `${asked.length} questions`)
    const folder = await temporaryFolder()
    const file = join(folder.path, 'board.rules.yml')
    const records = asked.map((expr, at) => ({ record: `question:${at}`, expr }))
    await writeFile(file, JSON.stringify({ groups: [{ name: 'board', rules: records }] }))
    const { status, stdout, stderr } = promtool(['check', 'rules', file])
    await folder.remove()
    assert.equal(status, 0, stdout + stderr)
  })

  it('reads metrics that promtool finds nothing wrong with', { skip: SKIP }, async () => {
    for (const path of ['/v2/users', '/v2/nowhere']) await world.staff.get(path)
    const { text } = await world.anonymous.get('/metrics')
    const { status, stdout, stderr } = promtool(['check', 'metrics'], text)
    assert.equal(status, 0, stdout + stderr)
    assert.equal(stdout + stderr, '')
  })
})
