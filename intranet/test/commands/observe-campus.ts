import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Outcome, outcomeOf } from '@campus/test/support/run-campus'
import type { Observed } from './observe-process.ts'

const SOURCES = fileURLToPath(new URL('../../../service/main.ts', import.meta.url))
const OBSERVER = new URL('./observe-process.ts', import.meta.url).href

type Options = {
  readonly words: readonly string[]
  /** The data folder, where what was seen is written too. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Called with the address of a server while it serves. */
  readonly whileServing?: (address: string) => Promise<void>
}

/** Runs `campus` from its sources and watches what it loads. A server is stopped once it serves. */
export async function observeCampus({
  words,
  folder,
  env,
  whileServing,
}: Options): Promise<{ readonly outcome: Outcome; readonly observed: Observed }> {
  const file = join(folder, 'observed.json')
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, ['--import', OBSERVER, SOURCES, ...words], {
    env: {
      ...{ PATH, NODE_COMPILE_CACHE, OBSERVED: file },
      ...{ CAMPUS_DATA: folder, CAMPUS_PORT: '0', CAMPUS_LOG_LEVEL: 'silent', CAMPUS_PROCESSES: '1' },
      ...env,
    },
  })
  let used: Promise<void> | undefined
  child.stdout.on('data', (text) => {
    const [, address] = /Campus Intranet serves (\S+)/.exec(String(text)) ?? []
    if (address) used = (whileServing?.(address) ?? Promise.resolve()).finally(() => child.kill('SIGTERM'))
  })
  const outcome = await outcomeOf(child)
  await used
  return { outcome, observed: JSON.parse(await readFile(file, 'utf8')) }
}
