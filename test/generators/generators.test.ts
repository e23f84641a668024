import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { campus } from '../support/campus.ts'
import { temporaryFolder } from '../support/folder.ts'

const run = promisify(execFile)
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const TSC = at('node_modules/typescript/bin/tsc')

/** Public generators, from the document as it is served to code. */
const GENERATORS = [
  {
    name: 'openapi-typescript',
    command: (document: string, folder: string) => [
      at('client/node_modules/openapi-typescript/bin/cli.js'),
      ...[document, '-o', join(folder, 'openapi-typescript.ts')],
    ],
  },
  {
    name: 'swagger-typescript-api',
    command: (document: string, folder: string) => [
      at('node_modules/swagger-typescript-api/dist/cli.mjs'),
      ...['generate', '-p', document, '-o', folder, '-n', 'swagger-typescript-api.ts', '--silent'],
    ],
  },
]

describe('the OpenAPI document, fed to a public generator, gives code that compiles:', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let document: string
  before(async () => {
    folder = await temporaryFolder()
    document = join(folder.path, 'openapi.json')
    const world = await campus()
    await writeFile(document, (await world.anonymous.get('/v2/openapi.json')).text)
    await world.close()
  })
  after(() => folder.remove())

  for (const { name, command } of GENERATORS) {
    test(name, async () => {
      await run(process.execPath, command(document, folder.path), { cwd: folder.path })
      const strictly = [
        '--noEmit',
        '--strict',
        '--module',
        'esnext',
        '--target',
        'es2024',
        '--lib',
        'es2024,dom',
        '--types',
        '',
      ]
      const compiled = await run(process.execPath, [TSC, ...strictly, `${name}.ts`], { cwd: folder.path }).catch(
        (error: { readonly stdout: string }) => error,
      )
      assert.equal(compiled.stdout, '')
    })
  }
})
