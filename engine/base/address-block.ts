import ipaddr from 'ipaddr.js'

const NETWORK_BITS = 64
const BYTES = NETWORK_BITS / 8

/** Returns the unit that limits count by: an IPv4 address, or the /64 of an IPv6 address, since a host has its whole /64. */
export function addressBlock(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index < BYTES ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${NETWORK_BITS}`
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Reports whether a network contains an address. Never true across IPv4 and IPv6. */
export const isWithin = (address: Address, network: Address, bits: number): boolean =>
  address instanceof ipaddr.IPv4
    ? network instanceof ipaddr.IPv4 && address.match(network, bits)
    : network instanceof ipaddr.IPv6 && address.match(network, bits)
