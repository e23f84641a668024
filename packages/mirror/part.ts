import type { Part } from '@campus/intranet/server/part'

export const part: Part = {
  name: 'mirror',
  commands: [{ after: 'watch', load: async () => (await import('./command.ts')).addMirrorCommand }],
}
