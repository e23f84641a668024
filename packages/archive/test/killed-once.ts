import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { outcomeOf, runCampus, startCampus } from '@campus/test/support/run-campus'

type Environment = Readonly<Record<string, string>>

/** Runs a command, kills it when it is in the middle of its work, and runs it again to its end; gives what that says. */
export async function killedOnce(
  words: readonly string[],
  env: Environment,
  isInTheMiddle: () => Promise<boolean>,
): Promise<string> {
  const child = startCampus(words, env)
  const outcome = outcomeOf(child)
  while (!(await isInTheMiddle()) && child.exitCode === null) await setTimeout(5)
  child.kill('SIGKILL')
  const { signal, stderr: former } = await outcome
  assert.equal(signal, 'SIGKILL', `it had ended before: ${former}`)
  const { code, stdout, stderr } = await runCampus(words, env)
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  return stdout
}
