import type { Caller } from '@campus/engine/http/caller'
import type { Actor } from './audit.ts'

/** Returns the actor of an API call. */
export function actingCaller({ resourceOwnerId, application, command, address }: Caller): Actor {
  if (command !== undefined) return actingCommand(command)
  // Pages act as an application without an id.
  return { userId: resourceOwnerId, address, applicationId: application.id || null }
}

/** Returns the actor of a command. No user is known. */
export const actingCommand = (command: string): Actor => ({ userId: null, command })
