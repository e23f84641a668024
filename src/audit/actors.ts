import type { Caller } from '../http/caller.ts'
import type { Actor } from './audit.ts'

/** Whoever calls the API: the application, and the person it acts for, if any. */
export function actingCaller({ resourceOwnerId, application, command, address }: Caller): Actor {
  if (command !== undefined) return actingCommand(command)
  // Pages stand in for an application: they have no id.
  return { userId: resourceOwnerId, address, applicationId: application.id || null }
}

/** Whoever typed a command of the command line: it knows no person. */
export const actingCommand = (command: string): Actor => ({ userId: null, command })
