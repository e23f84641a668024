import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { callbackify } from 'node:util'

/** Looks up all addresses of a host. The name must be in lower case. */
export type Lookup = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

type LookupOptions = {
  /** Hosts in lower case that the system looks up. */
  readonly allowed?: ReadonlySet<string>
  /** Name servers, as addresses with a port. Default: those of the system. */
  readonly servers?: readonly string[]
  readonly hostsFile?: string
  readonly milliseconds?: number
}

/** Exceeds the connect deadline (spec: webhooks 8), so that a silent name server counts as a failed connection. */
const LOOKUP_MILLISECONDS = 6_000
/** Timeout of the first query to a name server, and number of queries. */
const QUERY = { timeout: 2_000, tries: 2 }

/**
 * Returns a lookup that sends its own DNS queries. A lookup by the system blocks one of few threads until name servers answer.
 * It is used only for allowed hosts and for names in the hosts file or without a dot.
 */
export function nameLookup(options: LookupOptions = {}): Lookup {
  const query = callbackify((hostname: string) => queryAddresses(hostname, options))
  return (hostname, lookupOptions, done) => {
    void isLocal(hostname, options).then((local) => {
      if (local) systemLookup(hostname, lookupOptions, done)
      else query(hostname, (error, addresses) => done(error, addresses ?? []))
    })
  }
}

async function isLocal(hostname: string, { allowed, hostsFile = '/etc/hosts' }: LookupOptions): Promise<boolean> {
  const name = hostname.replace(/\.$/, '')
  if (!name.includes('.') || allowed?.has(name)) return true
  const hosts = await readFile(hostsFile, 'utf8').catch(() => '')
  if (!hosts.includes(name)) return false
  return hosts.split('\n').some((line) => line.replace(/#.*/, '').trim().split(/\s+/).includes(name, 1))
}

/** Returns IPv4 before IPv6 addresses. Rejects if there are none. */
async function queryAddresses(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
  const { servers, milliseconds = LOOKUP_MILLISECONDS } = options
  // A new resolver uses the system's current name servers and waits for no query of another.
  const resolver = new Resolver(QUERY)
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), milliseconds)
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  clearTimeout(timer)
  const addresses = answers.flatMap((answer, at) =>
    answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family: at === 0 ? 4 : 6 })) : [],
  )
  const [failure] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
  if (addresses.length === 0) throw failure
  return addresses
}
