import { isIP, type LookupFunction } from 'node:net'
import { isWithin } from '@campus/engine/base/address-block'
import { inEnglish } from '@campus/engine/base/languages/say'
import ipaddr from 'ipaddr.js'
import { type Lookup, nameLookup } from './lookup-name.ts'
import { reasonText, storedReason } from './stored-reasons.ts'

/** The address is not public, so no connection was begun. */
export class ForbiddenAddress extends Error {
  readonly address: string

  constructor(address: string) {
    super(inEnglish(reasonText(storedReason('not_public', address))))
    this.address = address
  }
}

/** Hosts and networks that the operator allows although they are not public. */
export type AllowList = {
  readonly hosts: ReadonlySet<string>
  readonly networks: readonly (readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number])[]
}

/** Reads host names, addresses and CIDR blocks. Throws an Error that names the first invalid entry. */
export function readAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>()
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = []
  for (const entry of entries) {
    const bare = withoutBrackets(entry)
    if (ipaddr.isValidCIDR(bare)) networks.push(ipaddr.parseCIDR(bare))
    else if (isIP(bare)) networks.push([ipaddr.parse(bare), isIP(bare) === 4 ? 32 : 128])
    else if (/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(entry)) hosts.add(hostOf(entry))
    else throw new Error(`"${entry}" is neither a host nor a network`)
  }
  return { hosts, networks }
}

export type GuardedLookup = LookupFunction

/**
 * Resolves names to allowed addresses only. The connection goes to the checked addresses, so a name that resolves differently
 * a second later gains nothing.
 */
export function guardedLookup(
  allowed: AllowList,
  resolve: Lookup = nameLookup({ allowed: allowed.hosts }),
): GuardedLookup {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, [])
      const usable = addresses.filter(({ address }) => isCallable(allowed, hostname, address))
      const [first] = usable
      if (!first) return done(forbidden(hostname, addresses[0]?.address ?? ''), [])
      if (options.all) done(null, usable)
      else done(null, first.address, first.family)
    })
  }
}

/** Checks a host that is an IP address, which is never resolved. Throws ForbiddenAddress. */
export function checkLiteral(allowed: AllowList, hostname: string): void {
  const address = withoutBrackets(hostname)
  if (isIP(address) && !isCallable(allowed, hostname, address)) throw forbidden(hostname, address)
}

/** Reports whether an address is public unicast or allowed. Loopback, link-local, carrier and tunnel addresses are not public. */
function isCallable({ hosts, networks }: AllowList, hostname: string, address: string): boolean {
  if (hosts.has(hostOf(hostname))) return true
  const parsed = ipaddr.process(address.replace(/%.*$/, ''))
  if (parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || isGlobal(parsed))) return true
  return networks.some(([network, bits]) => isWithin(parsed, network, bits))
}

/** 2000::/3, the only block ever assigned (RFC 4291 §2.4). Other unicast addresses are old forms of IPv4. */
const isGlobal = ({ parts }: ipaddr.IPv6) => ((parts[0] ?? 0) & 0xe000) === 0x2000

const forbidden = (hostname: string, address: string) =>
  new ForbiddenAddress(hostname === address ? address : `${hostname} (${address})`)

const hostOf = (host: string) => host.toLowerCase().replace(/\.$/, '')
const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1')
