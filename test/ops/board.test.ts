import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { EXECUTABLE } from '../support/browser.ts'
import { campus } from '../support/campus.ts'
import { canRun } from '../support/can-run.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { visitorOf } from '../support/visitor.ts'

type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }

const panels: readonly Panel[] = JSON.parse(readFileSync('ops/grafana/campus.json', 'utf8')).panels

/** Panels whose data needs a webservice, a file or an hourly job. Their queries must still be valid. */
const NEEDS_MORE = ['Attempts', 'How long attempts take', 'Store of files', 'Mails']

const SKIP = canRun('prometheus', '--version') ? false : "SKIPPED: no prometheus (install Debian's package prometheus)"

/** Takes a picture of Prometheus' own graph of some queries. */
async function takePicture(server: string): Promise<void> {
  const drawn = ['By status', 'Refused, by reason', 'How long', 'Memory']
  const asked = panels.flatMap(({ title, targets: [target] = [] }) =>
    drawn.includes(title) && target ? [target.expr] : [],
  )
  const query = asked.map((expr, at) => `g${at}.expr=${encodeURIComponent(expr)}&g${at}.tab=0&g${at}.range_input=2m`)
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${server}/graph?${query.join('&')}`, { waitUntil: 'networkidle' })
  await page.screenshot({ path: 'test-artefacts/board.png', fullPage: true })
  await browser.close()
}

describe('the board, where Prometheus scrapes a service', { skip: SKIP }, () => {
  it('has a figure in every panel', async (t) => {
    const world = await campus({ seeded: true })
    const folder = await temporaryFolder()
    const port = await freePort()
    const server = `http://127.0.0.1:${port}`
    const { host } = new URL(world.url)
    await writeFile(join(folder.path, 'ca.pem'), world.ca)
    await writeFile(
      join(folder.path, 'prometheus.yml'),
      JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [resolve('ops/prometheus/campus.rules.yml')],
        scrape_configs: [
          {
            job_name: 'campus',
            scheme: 'https',
            static_configs: [{ targets: [host] }],
            tls_config: { ca_file: join(folder.path, 'ca.pem') },
          },
        ],
      }),
    )
    const words = [
      `--config.file=${join(folder.path, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder.path, 'series')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    const prometheus = spawn('prometheus', words, { stdio: 'ignore' })
    const ended = once(prometheus, 'exit')
    const ask = async (expr: string): Promise<readonly number[]> => {
      const response = await fetch(`${server}/api/v1/query?query=${encodeURIComponent(expr)}`).catch(() => undefined)
      if (!response) return []
      const { status, error, data } = (await response.json()) as {
        status: string
        error?: string
        data: { result: { value: [number, string] }[] }
      }
      assert.equal(status, 'success', `${expr}: ${error}`)
      return data.result.map(({ value }) => Number(value[1])).filter(Number.isFinite)
    }
    try {
      let missing: readonly { title: string; expr: string }[] = panels.flatMap(({ title, targets = [] }) =>
        targets.map(({ expr }) => ({ title, expr })),
      )
      assert.ok(missing.length > 40, `${missing.length} questions`)
      for (let attempt = 0; attempt < 120 && !missing.every(({ title }) => NEEDS_MORE.includes(title)); attempt += 1) {
        await world.staff.get(`/v2/users?per_page=${1 + (attempt % 30)}`)
        await world.staff.get('/v2/cursus')
        await world.anonymous.get('/v2/users')
        await world.anonymous.post('/oauth/token', { grant_type: 'client_credentials' })
        await visitorOf(world).submit('/sign-in', { login: 'nobodyatall', password: 'wrong' })
        await wait(500)
        const found = await Promise.all(missing.map(({ expr }) => ask(expr)))
        missing = missing.filter((_, at) => found[at]?.length === 0)
      }
      assert.deepEqual(
        missing.filter(({ title }) => !NEEDS_MORE.includes(title)),
        [],
      )
      if (process.env.CAMPUS_TEST_PICTURES !== undefined) await takePicture(server)
      t.diagnostic(`p99 of ${(await ask('campus:http_request_duration_seconds:p99_5m'))[0]} s`)
    } finally {
      prometheus.kill()
      await ended
      await world.close()
      await folder.remove()
    }
  })
})
