/** Builds the client into `dist/`, its types from what the service declares. `npm ci` runs it in a checkout, `npm pack` before it packs. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { declaredDocument } from '@campus/intranet/school/resources/api-document'
import { typesOf } from './types-of.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const COMPILER = at('../../node_modules/typescript/bin/tsc')

if (existsSync(COMPILER)) {
  await rm(at('dist'), { recursive: true, force: true })
  await writeFile(at('src/schema.ts'), typesOf(declaredDocument()))
  process.exitCode =
    spawnSync(process.execPath, [COMPILER, '-p', at('tsconfig.json')], { stdio: 'inherit' }).status ?? 1
} else console.log('typescript is not installed (npm ci --omit=dev), so the client is not built.')
