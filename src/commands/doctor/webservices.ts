import { connect, type TLSSocket } from 'node:tls'
import { typedCommand } from '../../typed-command.ts'
import { checkLiteral, guardedLookup } from '../../webhooks/connect-guard.ts'
import { type Outgoing, readOutgoing } from '../../webhooks/outgoing.ts'
import { DEADLINES } from '../../webhooks/transport.ts'
import { type Check, type Finding, findingsAbout } from './finding.ts'

const LATE_MINUTES = 60
const { well, warning, fault } = findingsAbout('webservices')

/** Which are switched off, which are behind, and whether those that are on take a connection; nothing is sent to them. */
export const webservices: Check = {
  about: 'webservices',
  async look({ config, database: { rows } }) {
    const outgoing = await readOutgoing(config)
    const found = await rows(
      `select e.url, e.active, e.switched_off_because,
         coalesce(extract(epoch from now() - min(d.created_at)) / 60, 0)::int
       from endpoints e left join deliveries d on d.endpoint_id = e.id and d.state = 'pending'
       where e.active or e.switched_off_because is not null group by e.id order by e.id`,
    )
    if (found.length === 0) return [well('none')]
    return (
      await Promise.all(
        found.map(async ([url, active, because, minutes]) => {
          const named = String(url)
          if (active !== 't')
            return [fault(`${named} is off: ${because}`, 'Switch it on when it works: /staff/endpoints.')]
          return [...(await reach(named, outgoing)), ...lateness(named, Number(minutes))]
        }),
      )
    ).flat()
  },
}

const lateness = (url: string, minutes: number): Finding[] =>
  minutes < LATE_MINUTES
    ? []
    : [
        warning(
          `${url} has waited ${minutes} minutes for a delivery`,
          `"${typedCommand('deliveries list')}" says what it answers.`,
        ),
      ]

function reach(address: string, { allowed, tls }: Outgoing): Promise<Finding[]> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve) => {
    let socket: TLSSocket | undefined
    const end = (finding: Finding) => {
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
      fail(error as Error)
    }
  })
}
