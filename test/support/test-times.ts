import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Totals } from './totals.ts'

/** Duration of a test file in its last run, in seconds. */
export type Times = Pick<Totals, 'seconds' | 'processorSeconds'>

/** Lists every test file with its times in its last run on this machine, the slowest first. Not in git. */
export const TIMES_FILE = 'test-artefacts/test-times.txt'
const HEADING = '# Processor seconds and seconds by the clock of the last run of each test file, the slowest first.\n'
const LINE = /^ *(?<processorSeconds>[\d.]+) +(?<seconds>[\d.]+) {2}(?<file>\S.*)$/gm

/** Formats a line of a table of test files. */
export const timesLine = (file: string, { processorSeconds, seconds }: Times): string =>
  `${column(processorSeconds)}${column(seconds)}  ${file}`

const column = (seconds: number) => seconds.toFixed(1).padStart(7)

/** Reads the stored table. Returns an empty map if there is none. */
export function readTimes(path: string = TIMES_FILE): Map<string, Times> {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return new Map(
    [...text.matchAll(LINE)].map(({ groups: { file = '', seconds, processorSeconds } = {} }) => [
      file,
      { seconds: Number(seconds), processorSeconds: Number(processorSeconds) },
    ]),
  )
}

/**
 * Replaces the times of the files that ran, and removes files that no longer exist. Skips failed files, which may have ended early, and
 * files outside the working directory.
 */
export function storeTimes(results: readonly Totals[], path: string = TIMES_FILE): void {
  const times = readTimes(path)
  for (const result of results) {
    if (result.failed === 0 && !result.file.startsWith('..')) times.set(result.file, result)
  }
  const lines = [...times]
    .filter(([name]) => existsSync(name.replace(/ on .*/, '')))
    .sort(([, one], [, other]) => other.processorSeconds - one.processorSeconds)
    .map(([file, one]) => `${timesLine(file, one)}\n`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, HEADING + lines.join(''))
}
