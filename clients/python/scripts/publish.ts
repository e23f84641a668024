/**
 * Builds the Python client into `clients/python/dist/`, checks it and uploads it to the package index: `npm run publish:python`, and all
 * but the upload with `-- --dry-run`. Other words are those of `twine upload`, as `-- --repository testpypi`, and it asks for the
 * credentials as it always does (`TWINE_USERNAME`, `TWINE_PASSWORD`, `~/.pypirc`). Nothing is fetched for it.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeTexts } from '../../../build/generated-files.ts'
import { DIST_FOLDER, PROJECT_FOLDER } from './files.ts'
import { findPython } from './find-python.ts'
import { pythonFiles } from './python-files.ts'

const DRY_RUN = '--dry-run'
const MODULES = ['build', 'setuptools', 'twine', 'wheel']
/** Holds generated files only. */
const SYNC_PATH = 'src/campus_intranet/sync/'
const PARTS = ['LICENSE', 'README.md', 'pyproject.toml', 'src']

const words = process.argv.slice(2)
const project = fileURLToPath(PROJECT_FOLDER)
const dist = fileURLToPath(DIST_FOLDER)
const python = findPython(MODULES)
if (python === undefined)
  throw new Error(`There is no Python with ${MODULES.join(', ')}: install Debian's packages python3-build and twine.`)
const run = (...given: readonly string[]) => execFileSync(python, given, { stdio: 'inherit' })

await writeTexts(project, await pythonFiles(), [SYNC_PATH])
await rm(dist, { recursive: true, force: true })
// Setuptools leaves files beside the sources, and packs what an earlier build has left there.
const stage = await mkdtemp(join(tmpdir(), 'campus-python-'))
try {
  const filter = (file: string) => !/(__pycache__|\.egg-info)$/.test(file)
  for (const part of PARTS) await cp(join(project, part), join(stage, part), { recursive: true, filter })
  run('-m', 'build', '--no-isolation', '--outdir', dist, stage)
} finally {
  await rm(stage, { recursive: true })
}
const files = (await readdir(dist)).map((name) => join(dist, name))
run('-m', 'twine', 'check', '--strict', ...files)
if (!words.includes(DRY_RUN)) run('-m', 'twine', 'upload', ...words, ...files)
