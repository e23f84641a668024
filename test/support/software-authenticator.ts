import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto'

/** Options of a WebAuthn request that an authenticator reads. */
export type Asked = {
  readonly challenge: string
  readonly rpId?: string
  readonly rp?: { readonly id: string }
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly { readonly id: string }[]
}

/** False statements in the response. Default: none. */
export type Lies = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly clientData?: Readonly<Record<string, unknown>>
  /** Whether somebody was there, and showed who they are. */
  readonly isPresent?: boolean
  readonly isVerified?: boolean
  /** Whether it may be, and is, in a backup. */
  readonly isBackupEligible?: boolean
  readonly isBackedUp?: boolean
  readonly counter?: number
  readonly id?: string
  readonly userHandle?: string | undefined
  readonly format?: string
  readonly statement?: readonly (readonly [string, Cbor])[]
  /** Signer of the attestation: the passkey itself, or a certificate. */
  readonly attestedBy?: 'itself' | { readonly key: KeyObject; readonly certificate: Buffer }
  /** COSE's number of the algorithm. */
  readonly algorithm?: number
  readonly signature?: Buffer
}

type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<number | string, Cbor>

/** An authenticator and the browser before it, in software, which lies as it is asked to. */
export class SoftwareAuthenticator {
  readonly #origin: string
  readonly id = randomBytes(32).toString('base64url')
  readonly #key: KeyObject
  readonly #publicKey: Cbor
  #userHandle: string | undefined
  #counter = 0

  constructor(origin: string) {
    this.#origin = new URL(origin).origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    this.#publicKey = new Map<number, Cbor>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ])
  }

  /** Makes a passkey: what the browser sends, as the text of a form's field. */
  create(asked: Asked, lies: Lies = {}): string {
    this.#userHandle = asked.user?.id
    const id = Buffer.from(lies.id ?? this.id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const key = new Map(this.#publicKey as ReadonlyMap<number, Cbor>)
    if (lies.algorithm !== undefined) key.set(3, lies.algorithm)
    const credential = Buffer.concat([Buffer.alloc(16), length, id, encode(key)])
    const authData = Buffer.concat([this.#authData(asked.rp?.id ?? '', 0x40, lies), credential])
    const clientDataJSON = this.#clientData('webauthn.create', asked, lies)
    const attested = lies.attestedBy && this.#attest(lies.attestedBy, authData, clientDataJSON)
    const attestationObject = encode(
      new Map<string, Cbor>([
        ['fmt', lies.format ?? (attested ? 'packed' : 'none')],
        ['attStmt', new Map(attested ?? lies.statement ?? [])],
        ['authData', authData],
      ]),
    )
    return this.#answer(lies, {
      clientDataJSON,
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'a transport of its own'],
    })
  }

  /** Signs a challenge. */
  get(asked: Asked, lies: Lies = {}): string {
    this.#counter += 1
    const authenticatorData = this.#authData(asked.rpId ?? '', 0, lies)
    const clientDataJSON = this.#clientData('webauthn.get', asked, lies)
    const digest = hash('sha256', Buffer.from(clientDataJSON, 'base64url'), 'buffer')
    const signature = lies.signature ?? sign('sha256', Buffer.concat([authenticatorData, digest]), this.#key)
    return this.#answer(lies, {
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: 'userHandle' in lies ? lies.userHandle : this.#userHandle,
    })
  }

  #attest(by: NonNullable<Lies['attestedBy']>, authData: Buffer, clientDataJSON: string): readonly [string, Cbor][] {
    const digest = hash('sha256', Buffer.from(clientDataJSON, 'base64url'), 'buffer')
    const signature = sign('sha256', Buffer.concat([authData, digest]), by === 'itself' ? this.#key : by.key)
    return [['alg', -7], ['sig', signature], ...(by === 'itself' ? [] : [['x5c', [by.certificate]] as [string, Cbor]])]
  }

  #answer({ id = this.id }: Lies, response: object): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} })
  }

  #clientData(type: string, { challenge }: Asked, lies: Lies): string {
    const { origin = this.#origin } = lies
    const said = { type: lies.type ?? type, challenge: lies.challenge ?? challenge, origin, crossOrigin: false }
    return Buffer.from(JSON.stringify({ ...said, ...lies.clientData })).toString('base64url')
  }

  #authData(rpId: string, more: number, lies: Lies): Buffer {
    const { isPresent = true, isVerified = true, isBackupEligible = false, isBackedUp = false } = lies
    const flags = [isPresent, false, isVerified, isBackupEligible, isBackedUp]
      .map((is, bit) => (is ? 1 << bit : 0))
      .reduce((one, other) => one | other, more)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(lies.counter ?? this.#counter)
    return Buffer.concat([hash('sha256', lies.rpId ?? rpId, 'buffer'), Buffer.from([flags]), counter])
  }
}

/** CBOR (RFC 8949), as much of it as passkeys have. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (value instanceof Map) {
    const entries = [...(value as ReadonlyMap<number | string, Cbor>)]
    return Buffer.concat([head(5, entries.length), ...entries.flatMap(([name, one]) => [encode(name), encode(one)])])
  }
  const items = value as readonly Cbor[]
  return Buffer.concat([head(4, items.length), ...items.map(encode)])
}

function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
