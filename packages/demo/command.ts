import { addDatabaseCommand } from '@campus/intranet/cli/program/run'
import { count } from '@campus/intranet/cli/program/values'
import { linesOf, membersOf } from '@campus/intranet/server/columns'
import { databaseCommand } from '@campus/intranet/server/database-command'
import type { CommandLine } from '@campus/intranet/server/part'
import type { Command } from 'commander'
import type { SeedSizes } from './fill-database.ts'
import { LIKE_THE_NETWORK } from './like-the-network.ts'

const seedCommand = databaseCommand<SeedSizes>({
  name: 'seed',
  about: 'fill the database with invented people',
  examples: ['campus seed --users 5000 --locations 100000'],
  flags: (command) =>
    command
      .option('--users <number>', 'how many people', count)
      .option('--locations <number>', 'how many stays at a seat', count)
      .option('--seed <number>', 'the same number gives the same campus', count)
      .option(...LIKE_THE_NETWORK),
  mayCreate: () => true,
  title: () => 'Filling the database',
  async run({ database, config }, sizes, progress) {
    const { fillDatabase } = await import('./fill-database.ts')
    return { seeded: await fillDatabase(database, config, sizes, progress) }
  },
  text: ({ seeded }) => `Filled the database.\n${linesOf(membersOf(seeded))}`,
})

export const addSeedCommand = (program: Command, line: CommandLine): void =>
  addDatabaseCommand(program, line, seedCommand)
