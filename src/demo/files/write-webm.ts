/** Pictures of a film: each is a frame of VP8 by itself. */
type Film = {
  readonly width: number
  readonly height: number
  readonly frames: readonly Buffer[]
  readonly millisecondsPerFrame: number
}

/** A film in WebM, which browsers play; short, since its frames are in one cluster (RFC 9559, RFC 6386). */
export function writeWebm({ width, height, frames, millisecondsPerFrame }: Film): Buffer {
  const header = element(
    '1a45dfa3',
    ...[element('4286', byte(1)), element('42f7', byte(1)), element('42f2', byte(4)), element('42f3', byte(8))],
    ...[element('4282', Buffer.from('webm')), element('4287', byte(2)), element('4285', byte(2))],
  )
  const info = element(
    '1549a966',
    element('2ad7b1', number(1_000_000)), // times are milliseconds
    element('4d80', Buffer.from('Campus')),
    element('5741', Buffer.from('Campus')),
    element('4489', double(frames.length * millisecondsPerFrame)),
  )
  const picture = element('e0', element('b0', number(width)), element('ba', number(height)))
  const track = element(
    'ae',
    ...[element('d7', byte(1)), element('73c5', byte(1)), element('9c', byte(0)), element('83', byte(1))],
    element('86', Buffer.from('V_VP8')),
    picture,
  )
  const cluster = element(
    '1f43b675',
    element('e7', byte(0)),
    ...frames.map((frame, index) => element('a3', blockHead(index * millisecondsPerFrame), frame)),
  )
  return Buffer.concat([header, element('18538067', info, element('1654ae6b', track), cluster)])
}

function element(id: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10000000 | body.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}

/** Of the first track, a frame that needs no other. */
function blockHead(milliseconds: number): Buffer {
  const head = Buffer.from([0x81, 0, 0, 0x80])
  head.writeInt16BE(milliseconds, 1)
  return head
}

const byte = (value: number) => Buffer.from([value])

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return bytes
}
