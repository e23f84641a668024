import { setImmediate as nextTurn } from 'node:timers/promises'
import { codeOf, toError } from '@campus/engine/base/caught'
import { reasonOf } from '@campus/engine/database/errors'
import { isTransactionPooling, WHAT_TO_SET } from '@campus/engine/database/pooling-mode'
import { refuseWhileRestoring } from '@campus/engine/database/restore-marker'
import type { Config } from '../../settings/config.ts'
import { withDatabase } from '../open-database.ts'
import { accounts } from './accounts.ts'
import { certificate } from './certificate.ts'
import { clock } from './clock.ts'
import { database } from './database.ts'
import { DEPENDENCY_CHECKS } from './dependencies.ts'
import { disks } from './disks.ts'
import { endpoints } from './endpoints.ts'
import {
  type Check,
  type CheckAnywhere,
  type Examined,
  type Finding,
  type Found,
  fault,
  findingsAbout,
  type Surroundings,
  warning,
} from './finding.ts'
import { secretKey } from './secret-key.ts'

const CHECKS: readonly Check[] = [database, accounts, secretKey, clock, disks, certificate, endpoints]
/** Checks that work while the database is away. */
const WITHOUT_DATABASE: readonly Check<Surroundings>[] = [disks, certificate]

const TIMEOUT_MILLISECONDS = 20_000

/**
 * Checks everything that a service of this configuration depends on, and changes nothing. `checks` are those of optional
 * parts.
 */
export async function examine(
  config: Config,
  checks: readonly CheckAnywhere[],
  now: Date,
): Promise<readonly Finding[]> {
  const others = [...checks, ...DEPENDENCY_CHECKS]
  try {
    return await withDatabase(config, { name: 'doctor', mayCreate: false }, async (database) => {
      await refuseWhileRestoring(database)
      return lookAll([...CHECKS, ...others], { config, database, now })
    })
  } catch (error) {
    const advice = isTransactionPooling(error) ? `${WHAT_TO_SET}.` : 'The service needs its database.'
    const away = findingsAbout('database', [fault(toError(error).message, advice)])
    return [...away, ...(await lookAll([...WITHOUT_DATABASE, ...others], { config, now }))]
  }
}

/** Checks a running service with its open database. */
export const examineRunning = (examined: Examined, checks: readonly CheckAnywhere[]): Promise<readonly Finding[]> =>
  lookAll([...CHECKS, ...checks, ...DEPENDENCY_CHECKS], examined)

async function lookAll<E>(checks: readonly Check<E>[], examined: E): Promise<readonly Finding[]> {
  const looking: Promise<readonly Finding[]>[] = []
  for (const check of checks) {
    looking.push(runCheck(check, examined).then((found) => findingsAbout(check.about, found)))
    // A running service answers requests between checks.
    await nextTurn()
  }
  return (await Promise.all(looking)).flat()
}

/** A check that hangs or throws is a fault. */
async function runCheck<E>({ look }: Check<E>, examined: E): Promise<readonly Found[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<readonly Found[]>((resolve) => {
    const said = `no answer within ${TIMEOUT_MILLISECONDS / 1000} s`
    timer = setTimeout(
      () => resolve([fault(said, 'Is it there, and may it be reached from here?')]),
      TIMEOUT_MILLISECONDS,
    )
  })
  try {
    return await Promise.race([look(examined), late])
  } catch (error) {
    const origin = originOf(error)
    if (isOfAnotherVersion(origin))
      return [warning('not looked at: the database is of another version', 'Migrate it first.')]
    return [fault(reasonOf(origin), 'Its settings are in docs/settings.md.')]
  } finally {
    clearTimeout(timer)
  }
}

/** undefined_table or undefined_column: the database is of another version. */
const isOfAnotherVersion = (error: unknown) => ['42P01', '42703'].includes(String(codeOf(error)))

/** Returns the first cause, since later errors hide addresses and codes from people. */
function originOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error ? originOf(cause) : error
}
