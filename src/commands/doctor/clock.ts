import { type Check, findingsAbout } from './finding.ts'

const TOLERATED_SECONDS = 2
const { well, fault } = findingsAbout('clock')

/** Expiry is checked by this machine's clock; stored times are partly the database's. */
export const clock: Check = {
  about: 'clock',
  async look({ database: { rows } }) {
    const asked = Date.now()
    const [row] = await rows('select extract(epoch from clock_timestamp()) * 1000')
    const answered = Date.now()
    const seconds = Math.max(0, Number(row?.[0]) - answered, asked - Number(row?.[0])) / 1000
    if (seconds <= TOLERATED_SECONDS) return [well('this machine and the database agree')]
    return [
      fault(
        `this machine and the database are ${seconds.toFixed(1)} s apart`,
        'Let both follow a time server (systemd-timesyncd, chrony).',
      ),
    ]
  },
}
