import type { Part } from '@campus/intranet/server/part'

/** `campus receiver`: a receiver of webhooks, for development. */
export const part: Part = {
  name: 'receiver',
  commands: [{ after: 'watch', load: async () => (await import('./command.ts')).addReceiverCommand }],
}
