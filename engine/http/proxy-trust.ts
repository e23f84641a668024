import ipaddr from 'ipaddr.js'
import { isWithin } from '../base/address-block.ts'

/** What the other end of a Unix socket is called, which has no address: as nginx calls it. */
export const UNIX_PEER = 'unix:'

/** Whether an address is trusted as a proxy; `hop` is 0 for the other end of the connection. */
export type TrustProxy = (address: string | undefined, hop: number) => boolean

/**
 * Trusts these addresses and networks, and clients of our Unix socket, which only the operator's programs may open. A
 * connection that has ended has no address, and is not trusted.
 */
export function trustOf(proxies: readonly string[]): TrustProxy {
  const networks = proxies.map(networkOf)
  return (address, hop) => {
    if (address === UNIX_PEER) return hop === 0
    if (address === undefined || !ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    return networks.some(([network, bits]) => isWithin(parsed, network, bits))
  }
}

type Network = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

function networkOf(entry: string): Network {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
