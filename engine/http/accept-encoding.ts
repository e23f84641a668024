/** The content codings that answers come in, in the order of our own liking: the first takes the least time and makes the least of a page. */
const ENCODINGS = ['zstd', 'br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** What a client takes. */
export type Accepted = {
  /** The preferred coding; undefined where none of ours is accepted, or identity is preferred. */
  readonly encoding: Encoding | undefined
  /** Whether it takes an answer as it is. */
  readonly isPlainAccepted: boolean
}

const NOTHING_SAID: Accepted = { encoding: undefined, isPlainAccepted: true }

/** Clients say one of a few things. */
const MAX_REMEMBERED = 100
const MAX_REMEMBERED_LENGTH = 100
const remembered = new Map<string, Accepted>()

/** Reads an `Accept-Encoding` header (RFC 9110 §12.5.3). */
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
  let encoding: Encoding | undefined
  let maxWeight = plain ?? 0
  for (const candidate of ENCODINGS) {
    const weight = weightOf(candidate, weights)
    if (weight > maxWeight || (weight === maxWeight && weight > 0 && encoding === undefined))
      [encoding, maxWeight] = [candidate, weight]
  }
  return { encoding, isPlainAccepted }
}

/** `*` gets the coding that all clients read. */
const weightOf = (encoding: Encoding, weights: Weights) =>
  weights.get(encoding) ?? (encoding === 'gzip' ? (weights.get('x-gzip') ?? weights.get('*')) : undefined) ?? 0

/** Name → weight from 0 to 1; a weight that is no number is none. */
function readWeights(header: string): Weights {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1'
    if (name !== '') weights.set(name, Math.min(1, Number(weight)) || 0)
  }
  return weights
}
