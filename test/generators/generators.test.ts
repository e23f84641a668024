import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { campus } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const TSC = at('node_modules/typescript/bin/tsc')

describe('the OpenAPI document, fed to a public generator, gives code that compiles:', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let document: string
  before(async () => {
    folder = await temporaryFolder()
    document = join(folder.path, 'openapi.json')
    const world = await campus()
    await writeFile(document, JSON.stringify(world.document))
    await world.close()
  })
  after(() => folder.remove())

  test('swagger-typescript-api', async () => {
    const generator = at('node_modules/swagger-typescript-api/dist/cli.mjs')
    const output = ['-o', folder.path, '-n', 'client.ts', '--silent']
    await run(process.execPath, [generator, 'generate', '-p', document, ...output], { cwd: folder.path })
    await compile('client.ts')
  })

  test('openapi-typescript', async () => {
    // npm decides whether a dependency of a workspace is below the workspace or the root.
    const client = createRequire(at('clients/typescript/package.json'))
    const generator = join(dirname(client.resolve('openapi-typescript/package.json')), 'bin/cli.js')
    await run(process.execPath, [generator, document, '-o', 'schema.ts'], { cwd: folder.path })
    await compile('schema.ts')
  })

  async function compile(file: string) {
    const strictly = ['--noEmit', '--strict', '--types', '']
    const target = ['--module', 'esnext', '--target', 'es2024', '--lib', 'es2024,dom']
    const compiled = await run(process.execPath, [TSC, ...strictly, ...target, file], { cwd: folder.path }).catch(
      (error: { readonly stdout: string }) => error,
    )
    assert.equal(compiled.stdout, '')
  }
})
