import type { Caller } from '../http/caller.ts'
import type { Actor } from './audit.ts'

/** Whoever calls the API: the application, and the person it acts for, if any. */
export const actingCaller = ({ resourceOwnerId, application, command }: Caller): Actor =>
  command === undefined ? { userId: resourceOwnerId, applicationId: application.id } : actingCommand(command)

/** Whoever typed a command of the command line: it knows no person. */
export const actingCommand = (command: string): Actor => ({ userId: null, command })
