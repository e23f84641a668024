import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outcomeOf } from '../support/run-campus.ts'

const MAIN = fileURLToPath(new URL('../../build/campus.js', import.meta.url))

/** The lines of the blocks of commands below a title of a page (`archive.md`). */
export async function commandsUnder(page: string, title: string): Promise<readonly string[]> {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const section = text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
  return blocks.flatMap((block) => block.split('\n')).filter((line) => line !== '')
}

/** Types a line into a shell. */
export type Type = (line: string, env: Readonly<Record<string, string>>) => ChildProcess

/** Makes the folder, in which `campus` is the one of this checkout, as an installed one would be; gives what types into a shell there. */
export async function shellIn(folder: string): Promise<Type> {
  await mkdir(folder)
  await writeFile(join(folder, 'campus'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`)
  await chmod(join(folder, 'campus'), 0o755)
  const { PATH, HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const own = { PATH: `${folder}:${PATH}`, HOME, NODE_COMPILE_CACHE, CAMPUS_PROCESSES: '1' }
  return (line, env) => spawn('sh', ['-c', line], { cwd: folder, env: { ...own, ...env } })
}

/** Waits until what was typed has said all that a service says at its start: from then on it ends by itself. Gives what ends it. */
export async function served(child: ChildProcess): Promise<() => Promise<void>> {
  const ended = outcomeOf(child)
  await new Promise<void>((resolve, reject) => {
    let reported = ''
    child.stdout?.on('data', (text) => {
      reported += text
      if (reported.includes('Ctrl-C stops it.')) resolve()
    })
    ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)), reject)
  })
  return async () => {
    child.kill('SIGTERM')
    assert.equal((await ended).code, 0)
  }
}
