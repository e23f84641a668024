import type { Caller } from '../http/caller.ts'
import type { Actor } from './audit.ts'

/** Whoever calls the API: the application, and the person it acts for, if any. */
export function actingCaller({ resourceOwnerId, application, command, browser }: Caller): Actor {
  if (command !== undefined) return actingCommand(command)
  if (browser !== undefined) return { userId: resourceOwnerId, address: browser }
  return { userId: resourceOwnerId, applicationId: application.id }
}

/** Whoever typed a command of the command line: it knows no person. */
export const actingCommand = (command: string): Actor => ({ userId: null, command })
