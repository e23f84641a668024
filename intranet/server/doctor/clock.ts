import { defined } from '@campus/engine/base/defined'
import { sql } from 'kysely'
import { type Check, fault, well } from './finding.ts'

const TOLERATED_SECONDS = 2

/** Expiry is checked by this machine's clock, but some stored times are by the database's. */
export const clock: Check = {
  about: 'clock',
  async look({ database: { kysely } }) {
    const asked = Date.now()
    const { rows } = await sql<{
      now: number
    }>`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(kysely)
    const answered = Date.now()
    const { now } = defined(rows[0])
    const seconds = Math.max(0, now - answered, asked - now) / 1000
    if (seconds <= TOLERATED_SECONDS) return [well('this machine and the database agree')]
    return [
      fault(
        `this machine and the database are ${seconds.toFixed(1)} s apart`,
        'Let both follow a time server (systemd-timesyncd, chrony).',
      ),
    ]
  },
}
