/** Content codings in order of preference: the first is fastest and compresses pages best. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

export type Accepted = {
  /** The preferred coding, or undefined if no supported coding is accepted or identity is preferred. */
  readonly encoding: Encoding | undefined
  readonly isPlainAccepted: boolean
}

const NOTHING_SAID: Accepted = { encoding: undefined, isPlainAccepted: true }

/** Clients send only a few different headers. */
const MAX_REMEMBERED = 100
const MAX_REMEMBERED_LENGTH = 100
const remembered = new Map<string, Accepted>()

/** Parses an `Accept-Encoding` header (RFC 9110 §12.5.3). */
export function acceptedEncoding(header: string | string[] | undefined): Accepted {
  if (header === undefined) return NOTHING_SAID
  const text = String(header)
  const known = remembered.get(text)
  if (known) return known
  const accepted = choose(readWeights(text))
  if (remembered.size < MAX_REMEMBERED && text.length <= MAX_REMEMBERED_LENGTH) remembered.set(text, accepted)
  return accepted
}

type Weights = ReadonlyMap<string, number>

function choose(weights: Weights): Accepted {
  const plain = weights.get('identity')
  const isPlainAccepted = (plain ?? weights.get('*') ?? 1) > 0
  const weight = (encoding: Encoding) => weightOf(encoding, weights)
  const [encoding] = ENCODINGS.filter((one) => weight(one) > 0 && weight(one) >= (plain ?? 0)).toSorted(
    (one, other) => weight(other) - weight(one),
  )
  return { encoding, isPlainAccepted }
}

/** `*` selects gzip, which all clients can decode. */
const weightOf = (encoding: Encoding, weights: Weights) =>
  weights.get(encoding) ?? (encoding === 'gzip' ? (weights.get('x-gzip') ?? weights.get('*')) : undefined) ?? 0

/** Returns the weights from 0 to 1 by name. An invalid weight is 0. */
function readWeights(header: string): Weights {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1'
    if (name !== '') weights.set(name, Math.min(1, Number(weight)) || 0)
  }
  return weights
}
