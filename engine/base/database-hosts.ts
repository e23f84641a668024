import { isOneOf } from './narrow.ts'

const TARGET_SESSIONS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

export type TargetSession = (typeof TARGET_SESSIONS)[number]

export type Hosts = {
  readonly urls: readonly [string, ...string[]]
  readonly target: TargetSession
}

/** An invalid address. The message contains no part of it, which may be a password. */
export class HostsError extends Error {}

const ADDRESS =
  /^(?<scheme>postgres(?:ql)?):\/\/(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/
const HOST = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d*))?$/

/**
 * Parses a URL with one host or several, as libpq does (PostgreSQL documentation, 34.1.1): `postgres://a,b:5433/library`, or lists in
 * the parameters `host` and `port`. Throws HostsError.
 */
export function readHosts(address: string): Hosts {
  const { scheme, user, hosts = '', path = '', query = '' } = ADDRESS.exec(address)?.groups ?? {}
  if (scheme === undefined) throw new HostsError('must begin with postgres:// or postgresql://')
  const parameters = new URLSearchParams(query)
  const target = parameters.get('target_session_attrs') ?? 'any'
  if (!isOneOf(TARGET_SESSIONS, target))
    throw new HostsError(`must have one of ${TARGET_SESSIONS.join(', ')} as target_session_attrs`)
  const named = hosts.split(',').map(readHost)
  const servers = pairsOf(
    parameters.get('host')?.split(',') ?? named.map(({ host }) => host),
    parameters.get('port')?.split(',') ?? named.map(({ port }) => port),
  )
  for (const name of ['target_session_attrs', 'application_name', ...(servers.length > 1 ? ['host', 'port'] : [])])
    parameters.delete(name)
  const rest = parameters.size > 0 ? `?${parameters}` : ''
  const before = `${scheme}://${user === undefined ? '' : `${user}@`}`
  // A URL with one host stays as it is, since the driver understands more of it than this function.
  const [first = '', ...others] =
    servers.length === 1
      ? [`${before}${hosts}${path}${rest}`]
      : servers.map(({ host, port }) => `${before}${asHost(host)}${port === '' ? '' : `:${port}`}${path}${rest}`)
  return { urls: [first, ...others], target }
}

export function isDatabaseAddress(address: string): boolean {
  try {
    return readHosts(address).urls.every((url) => URL.canParse(url))
  } catch {
    return false
  }
}

export const isOneServer = (address: string): boolean =>
  isDatabaseAddress(address) && readHosts(address).urls.length === 1

function readHost(text: string): Server {
  const { host, port = '' } = HOST.exec(text)?.groups ?? {}
  if (host === undefined) throw new HostsError('must have a port behind each colon')
  return { host, port }
}

type Server = { readonly host: string; readonly port: string }

function pairsOf(hosts: readonly string[], ports: readonly string[]): readonly Server[] {
  if (ports.length !== 1 && ports.length !== hosts.length)
    throw new HostsError(`must have one port, or as many as its ${hosts.length} hosts`)
  return hosts.map((host, at) => ({ host, port: ports[ports.length === 1 ? 0 : at] ?? '' }))
}

/** A host that is a folder of Unix sockets is percent-encoded in a URL. */
const asHost = (host: string) => (host.startsWith('/') ? encodeURIComponent(host) : host)
