/** The inspector of the protocol, by which authors of servers look at theirs, reads the interface for assistants. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { campus, type World } from '@campus/test/support/campus'
import { canRun } from '@campus/test/support/can-run'
import { temporaryFolder } from '@campus/test/support/folder'

const CAMPUS = fileURLToPath(new URL('../../../build/campus.js', import.meta.url))

let world: World
let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  if (!canRun('mcp-inspector', '--cli', '--help')) return
  world = await campus({})
  folder = await temporaryFolder()
})
after(async () => {
  await world?.close()
  await folder?.remove()
})

/** Runs the inspector on a server, given as command-line words. Returns its output. */
async function inspect(server: readonly string[], words: readonly string[]) {
  const env = { ...process.env, HOME: folder.path, NODE_EXTRA_CA_CERTS: join(world.config.data, 'tls/cert.pem') }
  const { stdout } = await promisify(execFile)('mcp-inspector', ['--cli', ...server, ...words], { env })
  return JSON.parse(stdout)
}

const SERVERS: Readonly<Record<string, () => readonly string[]>> = {
  'campus mcp': () => [
    ...[
      process.execPath,
      CAMPUS,
      'mcp',
      '-e',
      `CAMPUS_DATA=${world.config.data}`,
      '-e',
      `CAMPUS_BASE_URL=${world.url}`,
    ],
    ...['-e', `MCP_TOKEN=${world.director.token}`],
  ],
  '/mcp': () => [
    `${world.url}/mcp`,
    ...['--transport', 'http', '--header', `Authorization: Bearer ${world.director.token}`],
  ],
}

const skip = canRun('mcp-inspector', '--cli', '--help')
  ? false
  : 'npm install --global @modelcontextprotocol/inspector@2.12.0'

describe('the inspector of the protocol', { skip }, () => {
  for (const [name, server] of Object.entries(SERVERS)) {
    test(`lists and calls the tools of ${name}`, async () => {
      const { tools } = await inspect(server(), ['--method', 'tools/list', '--strict'])
      assert.ok(tools.length >= 10 && tools.length <= 15, `${tools.length} tools`)
      const call = ['--method', 'tools/call', '--tool-name', 'list_records', '--tool-arg', 'resource=campus']
      const { content, isError } = await inspect(server(), call)
      assert.notEqual(isError, true)
      assert.equal(content[0].type, 'text')
    })
  }
})
