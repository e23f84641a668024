import type { SeedSizes } from '../../demo/fill-database.ts'
import { counted, linesOf, membersOf } from '../columns.ts'
import { databaseCommand } from '../database-command.ts'
import { count } from './values.ts'

/** The option of what fills a database with the demonstration. */
export const LIKE_THE_NETWORK = [
  '--like-the-network',
  'the demonstration campus with the ids and names that public programs have written into them',
] as const

/** What is done to the database as a whole. */
export const databaseCommands = [
  databaseCommand({
    name: 'migrate',
    about: 'bring the database to the newest version',
    async run({ database }) {
      const { migrate } = await import('../../database/migrate.ts')
      const { storageOfResources } = await import('../../resources/declared.ts')
      return { migrations: await migrate(database.background.kysely, storageOfResources()) }
    },
    text({ migrations }) {
      const [first, ...others] = [migrations].flat()
      if (first === undefined) return 'The database is up to date.'
      const last = others.length > 0 ? ` to ${others.at(-1)}` : ''
      return `Migrated the database: ${counted(others.length + 1, 'migration')}, ${first}${last}.`
    },
  }),
  databaseCommand<SeedSizes>({
    name: 'seed',
    about: 'fill the database with invented people',
    examples: ['campus seed --users 5000 --locations 100000'],
    flags: (command) =>
      command
        .option('--users <number>', 'how many people', count)
        .option('--locations <number>', 'how many stays at a seat', count)
        .option('--seed <number>', 'the same number gives the same campus', count)
        .option(...LIKE_THE_NETWORK),
    title: () => 'Filling the database',
    async run({ database, config }, sizes, progress) {
      const { fillDatabase } = await import('../../demo/fill-database.ts')
      return { seeded: await fillDatabase(database, config, sizes, progress) }
    },
    text: ({ seeded }) => `Filled the database.\n${linesOf(membersOf(seeded))}`,
  }),
]
