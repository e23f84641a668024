import { ConfigError } from '@campus/engine/base/config-error'
import { databaseCommand } from '../../server/database-command.ts'

const stringsOf = (lines: unknown): readonly string[] => (Array.isArray(lines) ? lines.map(String) : [])

/** `campus secret-key`: the key that seals secrets in the database. */
export const secretKeyCommands = [
  databaseCommand({
    name: 'secret-key reset',
    about: 'after the key was lost: delete what it sealed, print what must be set again, and go on with the key here',
    examples: ['campus secret-key reset'],
    async run({ database, config, now }) {
      const { compareKey } = await import('../../services/sealing/check-key.ts')
      const { keyIdOf, loadSecretKey } = await import('../../services/sealing/secret-key.ts')
      const { deleteSealed } = await import('../../server/lost-secrets.ts')
      const key = await loadSecretKey(config)
      const fit = await compareKey(database, key)
      if (fit === 'unused')
        throw new ConfigError('This database has no sealed secrets. Nothing is lost, so nothing was deleted.')
      if (fit === 'fits')
        throw new ConfigError('The key here is the key of this database. Nothing is lost, so nothing was deleted.')
      const lost = await database.transaction((tx) => deleteSealed(tx.rows, key, now))
      const { describeLost } = await import('../lost-secrets-text.ts')
      return { key_id: keyIdOf(key), lost_secrets: lost, lines: describeLost(lost) }
    },
    async text({ key_id, lines }) {
      const { KEY_CHANGED } = await import('../lost-secrets-text.ts')
      return [`The key ${key_id} is now the key of the database.`, ...stringsOf(lines), KEY_CHANGED].join('\n')
    },
  }),
]
