import { hash, randomUUID } from 'node:crypto'
import { once } from '@campus/engine/base/once'
import type { Database, Handle } from '@campus/engine/database/database'
import type { JWK, JWTPayload } from 'jose'
import type { Sealer } from '../../services/sealing/sealer.ts'
import { authenticationBy } from './authentication.ts'
import { type Claims, claimsOf } from './claims.ts'
import { makeFirstKeys, publishedKeys, SIGNING_ALGORITHMS, type SigningAlgorithm, signingKey } from './signing-keys.ts'

/** Lifetime of an ID token. */
const ID_TOKEN_SECONDS = 3600
/** Lifetime of a logout token. */
const LOGOUT_TOKEN_SECONDS = 120

/** Settings of an application for its ID tokens, by column name. */
export type OpenIdClient = {
  readonly id: number
  readonly uid: string
  readonly id_token_signed_response_alg: string
  readonly subject_type: string
  readonly redirect_uris: readonly string[]
}

export const OPENID_CLIENT = [
  ...(['applications.id', 'applications.uid', 'applications.redirect_uris'] as const),
  ...(['applications.id_token_signed_response_alg', 'applications.subject_type'] as const),
] as const

/** Sector of public subjects, which are the ids of users. */
export const PUBLIC_SECTOR = ''

type SectorClient = Pick<OpenIdClient, 'uid' | 'subject_type' | 'redirect_uris'>

/**
 * Returns the sector in which an application names its users (OpenID Connect Core §8.1): the host of the redirect address. A
 * program on the person's machine shares its host with others, so its sector is its client id.
 */
export function sectorOf({ uid, subject_type, redirect_uris }: SectorClient, redirectUri = redirect_uris[0]): string {
  if (subject_type !== 'pairwise') return PUBLIC_SECTOR
  const address = URL.parse(redirectUri ?? '')
  return (address?.protocol === 'https:' && address.host) || uid
}

/** A sign-in that an ID token is about. */
export type SignIn = {
  readonly userId: number
  readonly scopes: readonly string[]
  readonly authenticatedAt: Date
  /** Methods of the sign-in (`SignInMethod`). */
  readonly authenticatedBy: readonly string[]
  readonly sid: string | null
  /** The sector that was fixed when the person allowed the application. */
  readonly sector: string
  readonly nonce: string | null
  /** The access token that is issued together with the ID token. */
  readonly accessToken: string
}

/** Claims of a verified ID token of this service, which may have expired. */
export type Hint = { readonly aud: string; readonly sub: string; readonly sid: string | undefined }

const jose = once(() => import('jose'))

type Dependencies = {
  readonly baseUrl: string
  /** Public address of pictures. */
  readonly picturesUrl: string
  readonly sealer: Sealer
}

/** Makes and verifies the tokens of OpenID Connect. */
export class OpenId {
  readonly #issuer: string
  readonly #picturesUrl: string
  readonly #sealer: Sealer

  constructor({ baseUrl, picturesUrl, sealer }: Dependencies) {
    this.#issuer = baseUrl
    this.#picturesUrl = picturesUrl
    this.#sealer = sealer
  }

  /** Returns the id of a user, or a pairwise subject in a sector (OpenID Connect Core §8.1). */
  subjectOf(sector: string, userId: number): string {
    if (sector === PUBLIC_SECTOR) return String(userId)
    return this.#sealer.keyedHash('openid subjects').update(`${sector}\n${userId}`).digest('base64url')
  }

  /** Makes an ID token (OpenID Connect Core §2). Must run in a transaction. */
  async idToken(tx: Handle, now: Date, client: OpenIdClient, signIn: SignIn): Promise<string> {
    const { amr, acr } = authenticationBy(signIn.authenticatedBy)
    const iat = unixSeconds(now)
    return this.#sign(tx, now, client, {
      sub: this.subjectOf(signIn.sector, signIn.userId),
      iat,
      exp: iat + ID_TOKEN_SECONDS,
      auth_time: unixSeconds(signIn.authenticatedAt),
      acr,
      ...(amr.length > 0 && { amr }),
      ...(signIn.nonce !== null && { nonce: signIn.nonce }),
      ...(signIn.sid !== null && { sid: signIn.sid }),
      at_hash: hash('sha256', signIn.accessToken, 'buffer').subarray(0, 16).toString('base64url'),
      ...(await this.claims(tx, now, signIn)),
    })
  }

  /** Returns the claims about a user that scopes open, without `sub`. */
  claims(handle: Handle, now: Date, { userId, scopes }: Pick<SignIn, 'userId' | 'scopes'>): Promise<Claims> {
    return claimsOf(handle, { userId, scopes, baseUrl: this.#issuer, picturesUrl: this.#picturesUrl, now })
  }

  /** Makes a logout token (OpenID Connect Back-Channel Logout §2.4). Must run in a transaction. */
  logoutToken(
    tx: Handle,
    now: Date,
    client: OpenIdClient,
    ended: { readonly userId: number; readonly sid: string; readonly sector: string },
  ): Promise<string> {
    const iat = unixSeconds(now)
    const payload = {
      sub: this.subjectOf(ended.sector, ended.userId),
      sid: ended.sid,
      jti: randomUUID(),
      iat,
      exp: iat + LOGOUT_TOKEN_SECONDS,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    }
    return this.#sign(tx, now, client, payload, 'logout+jwt')
  }

  /** Returns the public keys. The first call makes keys. */
  async publishedKeys(database: Database, now: Date): Promise<JWK[]> {
    const keys = await publishedKeys(database)
    if (keys.length > 0) return keys
    return database.transaction(async (tx) => {
      await makeFirstKeys(tx, { sealer: this.#sealer, now })
      return publishedKeys(tx)
    })
  }

  /** Reads an ID token that comes back as a hint, expired or not. Returns undefined if it is not of this service. */
  async readHint(handle: Handle, token: string): Promise<Hint | undefined> {
    const { compactVerify, createLocalJWKSet } = await jose()
    try {
      const keys = createLocalJWKSet({ keys: await publishedKeys(handle) })
      const { payload, protectedHeader } = await compactVerify(token, keys, { algorithms: [...SIGNING_ALGORITHMS] })
      if (protectedHeader.typ !== 'JWT') return undefined
      const { iss, aud, sub, sid } = JSON.parse(Buffer.from(payload).toString())
      if (iss !== this.#issuer || typeof aud !== 'string' || typeof sub !== 'string') return undefined
      return { aud, sub, sid: typeof sid === 'string' ? sid : undefined }
    } catch (error) {
      // The token is malformed or of another issuer.
      if (error instanceof (await jose()).errors.JOSEError || error instanceof SyntaxError) return undefined
      if (error instanceof TypeError) return undefined
      throw error
    }
  }

  async #sign(tx: Handle, now: Date, client: OpenIdClient, claims: JWTPayload, typ = 'JWT'): Promise<string> {
    const { SignJWT } = await jose()
    const { kid, alg, key } = await signingKey(tx, algorithmOf(client), { sealer: this.#sealer, now })
    return new SignJWT({ iss: this.#issuer, aud: client.uid, ...claims })
      .setProtectedHeader({ alg, kid, typ })
      .sign(key)
  }
}

const algorithmOf = ({ id_token_signed_response_alg: chosen }: OpenIdClient): SigningAlgorithm =>
  SIGNING_ALGORITHMS.find((name) => name === chosen) ?? SIGNING_ALGORITHMS[0]

const unixSeconds = (time: Date) => Math.floor(time.getTime() / 1000)
