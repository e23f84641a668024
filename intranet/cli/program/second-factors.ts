import { notFound, unprocessable } from '@campus/engine/errors'
import type { Group } from '../../access/second-factor-requirements.ts'
import { columnsOf, listOf } from '../../server/columns.ts'
import { databaseCommand } from '../../server/database-command.ts'
import { count } from './values.ts'

type Named = { readonly campus?: number; readonly role?: string; readonly release?: true }

const requirementsModule = () => import('../../access/second-factor-requirements.ts')

/** Commands of `campus second-factor`: campuses and roles that require a second factor. */
export const secondFactorCommands = [
  databaseCommand({
    name: 'second-factor list',
    about: 'list campuses and roles, whether a second factor is required of their people, and how many have none',
    async run({ database }) {
      return { requirements: await (await requirementsModule()).requirements(database) }
    },
    text: ({ requirements }) =>
      columnsOf(
        listOf(requirements).map(({ isRequired, ...one }) => ({
          ...one,
          state: isRequired ? 'required' : 'by choice',
        })),
        { of: 'of', id: 'id', name: 'name', state: 'second factor', without: 'without one' },
        'There are no campuses and no roles.',
      ),
  }),
  databaseCommand<Named>({
    name: 'second-factor require',
    about: 'require a second factor of the people of a campus or a role, who set one up before they do anything else',
    examples: [
      'campus second-factor require --role "Advanced Staff"',
      'campus second-factor require --campus 1 --release',
    ],
    flags: (command) =>
      command
        .option('--campus <id>', 'of the people of this campus', count)
        .option('--role <name>', 'of the people who have this role')
        .option('--release', 'require it no longer'),
    async run({ database, actor, now }, { campus, role, release }) {
      const { requirements, requireSecondFactor } = await requirementsModule()
      if ((campus === undefined) === (role === undefined)) throw unprocessable({ base: ['Name a campus or a role.'] })
      const found = (await requirements(database)).find(({ of, id, name }) =>
        campus === undefined ? of === 'role' && name === role : of === 'campus' && id === campus,
      )
      if (!found) throw notFound(campus === undefined ? 'There is no such role.' : 'There is no such campus.')
      const group: Group = { of: found.of, id: found.id }
      const isRequired = !release
      await database.transaction((tx) => requireSecondFactor(tx, { group, isRequired, actor, now }))
      return { ...group, name: found.name, required: isRequired, without: found.without }
    },
    text: ({ name, required, without }) =>
      required
        ? `A second factor is required of the people of ${name}; ${without} of them have none.`
        : `A second factor is no longer required of the people of ${name}.`,
  }),
]
