import { existsSync } from 'node:fs'
import type { Part } from '@campus/intranet/server/part'
import { credentialsPath } from './credentials-path.ts'
import { LIKE_THE_NETWORK } from './like-the-network.ts'

/** Fills a new database with the demonstration campus, and introduces its application. */
export const part: Part = {
  name: 'demo',
  commands: [{ after: 'migrate', load: async () => (await import('./command.ts')).addSeedCommand }],
  serveOptions: [LIKE_THE_NETWORK],
  routes: {
    declared: [{ method: 'GET', path: '/uploads/:kind/:name', config: { isAsset: true }, isPicture: true }],
    open: async () => ({ load: async () => (await import('./answer-drawings.ts')).DRAWINGS }),
  },
  async fillNew({ config, database, options, showProgress }) {
    const { fillWithDemonstration } = await import('./demonstration.ts')
    await fillWithDemonstration(config, database, { likeTheNetwork: options.likeTheNetwork === true }, showProgress)
  },
  async introduce(started) {
    if (!existsSync(credentialsPath(started.config))) return undefined
    return (await import('./introduction.ts')).introduceDemonstration(started)
  },
}
