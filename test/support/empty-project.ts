import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * A project of somebody who has installed the tarball: npm does it, without the network and without a cache, since what it may need
 * lies there already, as `npm ci` has put it here (`modules`, as `node_modules/pg`).
 */
export async function emptyProject(tarball: string, modules: readonly string[]) {
  // Not in memory: files here are further names of the same files where the file system allows it.
  const path = await mkdtemp(join(tmpdir(), 'campus-project-'))
  await writeFile(join(path, 'package.json'), '{ "name": "empty", "private": true }')
  for (const module of modules.filter((one) => existsSync(one))) {
    const target = join(path, module)
    await mkdir(dirname(target), { recursive: true })
    if (!existsSync(target)) await give(module, target)
  }
  // npm would fetch a package anew whose commands are missing.
  await cp('node_modules/.bin', join(path, 'node_modules/.bin'), { recursive: true, verbatimSymlinks: true })
  const offline = ['--offline', '--cache', join(path, 'cache'), '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...offline, tarball], { cwd: path })
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }) }
}

const give = (from: string, to: string) =>
  run('cp', ['-al', from, to]).catch(async () => {
    await rm(to, { recursive: true, force: true })
    await cp(from, to, { recursive: true, verbatimSymlinks: true })
  })
