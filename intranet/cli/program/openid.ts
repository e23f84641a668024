import { databaseCommand } from '../../server/database-command.ts'

/** `campus openid`: signing people in at other applications. */
export const openIdCommands = [
  databaseCommand({
    name: 'openid end-keys',
    about: 'end all keys that ID tokens are signed with, as after a leak; new ones are made when they are needed',
    async run({ database, actor, now }) {
      const { endSigningKeys } = await import('../../oauth/openid/signing-keys.ts')
      return { ended: await database.transaction((tx) => endSigningKeys(tx, { actor, now })) }
    },
    text: ({ ended }) => {
      const { length } = Array.isArray(ended) ? ended : []
      return length === 0 ? 'There were no keys.' : `Ended ${length} ${length === 1 ? 'key' : 'keys'}.`
    },
  }),
]
