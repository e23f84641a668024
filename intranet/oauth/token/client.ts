import { holdClient } from '../authenticate-client.ts'
import type { Step } from './token-request.ts'

/** The client stays as it has proved itself until the end. */
export const lockClient: Step = async ({ tx, clock, client }) => {
  await holdClient(tx, clock.now(), client)
  return {}
}
