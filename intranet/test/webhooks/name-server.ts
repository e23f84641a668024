import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

/** A DNS server on the loopback interface. */
export type NameServer = {
  readonly address: string
  /** The names that were queried, in order. */
  readonly queries: string[]
  close(): Promise<void>
}

/** Returns the addresses of a name, or undefined to send no answer. No address is the answer that the name does not exist. */
type Answer = (name: string) => readonly string[] | undefined

const TYPES = { a: 1, aaaa: 28 }
const NO_SUCH_NAME = 3

export async function nameServer(answer: Answer): Promise<NameServer> {
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    queries.push(name)
    const addresses = answer(name)
    if (!addresses) return
    const records = addresses
      .filter((one) => type === (isIPv6(one) ? TYPES.aaaa : TYPES.a))
      .map((one) => recordOf(type, one))
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (addresses.length === 0 ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt32BE(0, 8)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function recordOf(type: number, address: string): Buffer {
  const data = type === TYPES.a ? Buffer.from(address.split('.').map(Number)) : loopback6(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** Encodes an address of the form `::1`. */
const loopback6 = (address: string) => Buffer.from(address.replace('::', '').padStart(32, '0'), 'hex')
