import { connect, type TLSSocket } from 'node:tls'
import { toError } from '@campus/engine/base/caught'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import { readTrustedCertificates } from '@campus/engine/base/trusted-certificates'
import { sql } from 'kysely'
import { checkLiteral, guardedLookup } from '../../webhooks/connect-guard.ts'
import { pendingSince } from '../../webhooks/delivery-states.ts'
import { type Outgoing, readOutgoing } from '../../webhooks/outgoing.ts'
import { reasonInEnglish } from '../../webhooks/stored-reasons.ts'
import { DEADLINES } from '../../webhooks/transport.ts'
import { type Check, type Found, fault, warning, well } from './finding.ts'

const LATE_MINUTES = 60

/** Reports disabled endpoints, late ones, and those that take no connection. Sends nothing to them. */
export const endpoints: Check = {
  about: 'webservices',
  async look({ config, database: { kysely }, now }) {
    const outgoing = await readOutgoing(config)
    const { rows } = await sql<Examined>`
      select e.url, e.active as "isEnabled", e.switched_off_because as because, d.since, d.tries as attempts, d.last_try_at as "lastAt"
       from endpoints e left join lateral (${OLDEST_PENDING}) d on true
       where e.active or e.switched_off_because is not null order by e.id`.execute(kysely)
    if (rows.length === 0) return [well('none are called')]
    await readTrustedCertificates()
    return (
      await Promise.all(
        rows.map(async (row) => {
          if (!row.isEnabled)
            return [
              fault(
                `${row.url} is off: ${reasonInEnglish(row.because)}`,
                'Switch it on when it works: /staff/endpoints.',
              ),
            ]
          return [...(await reach(row.url, outgoing)), ...lateness(row, now)]
        }),
      )
    ).flat()
  },
}

type Examined = {
  readonly url: string
  readonly isEnabled: boolean
  readonly because: string | null
  readonly since: Date | null
  readonly attempts: number | null
  readonly lastAt: Date | null
}

const OLDEST_PENDING = sql`
  select ${sql.raw(pendingSince('deliveries'))} as since, tries, last_try_at
  from deliveries where endpoint_id = e.id and state = 'pending' order by 1 limit 1`

function lateness({ url, since, attempts, lastAt }: Examined, now: Date): Found[] {
  const pendingAt = since ?? now
  if (now.getTime() - pendingAt.getTime() < LATE_MINUTES * 60_000) return []
  const attempted =
    lastAt === null ? 'not attempted yet' : `attempted ${attempts} times, at last at ${lastAt.toISOString()}`
  return [
    warning(
      `${url} has not taken a delivery that is pending since ${pendingAt.toISOString()}, ${attempted}`,
      `"${typedCommand('deliveries list')}" says what it answers.`,
    ),
  ]
}

function reach(address: string, { allowed, tls }: Outgoing): Promise<Found[]> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    let socket: TLSSocket | undefined
    const end = (finding: Found) => {
      socket?.destroy()
      resolve([finding])
    }
    const fail = ({ message }: Error) =>
      end(fault(`${address}: ${message}`, 'It must take HTTPS connections from here.'))
    try {
      checkLiteral(allowed, host)
      const lookup = guardedLookup(allowed)
      const timeout = DEADLINES.connectMs
      socket = connect({ ...tls, host, port: Number(url.port || 443), servername: host, lookup, timeout })
      socket.once('secureConnect', () => end(well(`${address} takes connections`)))
      socket.once('timeout', () => fail(new Error('no connection within 5 s')))
      socket.once('error', fail)
    } catch (error) {
      fail(toError(error))
    }
  })
}
