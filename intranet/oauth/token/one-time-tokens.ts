import { isPrintable } from '../authenticate-client.ts'
import { OAuthError } from '../oauth-errors.ts'
import { findOneTimeToken, type OneTimeTokenTable, useCodeOnce, useRefreshTokens } from '../token-families.ts'
import type { Step, TokenRequest } from './token-request.ts'

/** Finds the code that is presented. */
export const findCode: Step = (request) => find(request, 'authorization_codes', request.parameters.code)

/** Finds the refresh token that is presented. */
export const findRefreshToken: Step = (request) => find(request, 'refresh_tokens', request.parameters.refresh_token)

/** It must be known, and neither used, expired nor another application's. */
export const requireUsable: Step = ({ presented }) => {
  if (presented === undefined) throw new OAuthError('invalid_grant')
  return {}
}

/** Attempts of a public application are counted by authorization, since it is unauthenticated, and all by user. */
export const spendGrant: Step = async ({ client, limits, presented }) => {
  if (!client.isConfidential) await limits.spendFamily(presented.id)
  await limits.spendUser(presented.userId, client.application.id)
  return {}
}

/** Marks the code as used, even if a later step fails. */
export const useCode: Step = async ({ tx, clock, presented }) => {
  if (!(await useCodeOnce(tx, clock.now(), presented.oneTimeTokenId))) throw new OAuthError('invalid_grant')
  return { isFinal: true }
}

/** Marks the refresh token as used. A repeated refresh leaves the tokens of the first refresh valid. */
export const useRefreshToken: Step = async ({ tx, clock, presented }) => {
  if (!presented.isRepeated) await useRefreshTokens(tx, clock.now(), presented.id)
  return {}
}

async function find({ tx, clock, client }: TokenRequest, table: OneTimeTokenTable, text: string | undefined) {
  if (text === undefined || !isPrintable(text)) throw new OAuthError('invalid_request')
  const found = await findOneTimeToken(tx, clock.now(), table, text, client.application.id)
  // A replay has ended the family.
  if (found === 'replayed') return { isFinal: true }
  return found === undefined ? {} : { presented: found }
}
