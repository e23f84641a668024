import type { Part } from '@campus/intranet/server/part'

/** `campus mirror`: a copy of another service of this API. */
export const part: Part = {
  name: 'mirror',
  commands: [{ after: 'watch', load: async () => (await import('./command.ts')).addMirrorCommand }],
}
