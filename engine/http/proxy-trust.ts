import ipaddr from 'ipaddr.js'
import { isWithin } from '../base/address-block.ts'

/** Name of a peer on a Unix socket, which has no address. nginx uses the same name. */
export const UNIX_PEER = 'unix:'

/**
 * Trusts these addresses and networks, and peers on our Unix socket, which only the operator's programs can open. A closed connection
 * has no address and is not trusted. `hop` is 0 for the peer of the connection.
 */
export function trustOf(proxies: readonly string[]): (address: string | undefined, hop: number) => boolean {
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
