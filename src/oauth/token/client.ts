import { holdClient } from '../authenticate-client.ts'
import { OAuthError } from '../oauth-errors.ts'
import type { Step } from './attempt.ts'

/** The client stays as it has proved itself until the end. */
export const keepClient: Step = async ({ tx, clock, client }) => {
  await holdClient(tx, clock.now(), client)
  return {}
}

/** An application without a secret cannot act for itself: anybody could be it. */
export const requireSecret: Step = ({ client }) => {
  if (!client.isConfidential) throw new OAuthError('unauthorized_client')
  return {}
}
