import type { Caller } from '@campus/engine/http/caller'
import type { Actor } from './audit.ts'

/** The caller of the API: the application, and the user it acts for, if any. */
export function actingCaller({ resourceOwnerId, application, command, address }: Caller): Actor {
  if (command !== undefined) return actingCommand(command)
  // Pages stand in for an application: they have no id.
  return { userId: resourceOwnerId, address, applicationId: application.id || null }
}

/** The operator of a command: no user is known. */
export const actingCommand = (command: string): Actor => ({ userId: null, command })
