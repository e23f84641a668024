import { isRecord } from '@campus/engine/base/narrow'
import { counted } from '../../server/columns.ts'
import { databaseCommand } from '../../server/database-command.ts'

/** Commands on the database as a whole. */
export const databaseCommands = [
  databaseCommand<{ readonly contract: boolean; readonly plan: boolean }>({
    name: 'migrate',
    about: 'bring the database to the newest version',
    flags: (command) =>
      command
        .option(
          '--contract',
          'also what processes of a former release cannot serve beside, although some may be connected',
        )
        .option('--plan', 'only say what would be done, which locks it takes and for how long'),
    values: ({ contract = false, plan = false }) => ({ contract, plan }),
    mayCreate: ({ plan }) => plan !== true,
    async run({ database }, { contract, plan }) {
      const { migrate, waitingFor } = await import('@campus/engine/database/migrate')
      const { storageOfResources } = await import('../../school/resources/declared.ts')
      const { kysely } = database.background
      const storage = storageOfResources()
      if (plan)
        return { plan: await (await import('@campus/engine/database/migration-plan')).planMigration(kysely, storage) }
      const migrations = await migrate(kysely, storage, contract ? { contracts: true } : {})
      const { collidingEmails, collisionText } = await import('../../school/domain/accounts/colliding-emails.ts')
      const warnings = (await collidingEmails(database)).map((collision) => collisionText(collision).said)
      return { migrations, waitingFor: await waitingFor(kysely, storage), ...(warnings.length > 0 && { warnings }) }
    },
    text({ migrations, plan, waitingFor, warnings = [] }) {
      if (Array.isArray(plan)) return planText(plan)
      const [first, ...others] = [migrations].flat()
      const last = others.length > 0 ? ` to ${others.at(-1)}` : ''
      const done =
        first === undefined
          ? 'The database is up to date.'
          : `Migrated the database: ${counted(others.length + 1, 'migration')}, ${first}${last}.`
      const waits = [waitingFor].flat()
      const waiting =
        waits.length === 0
          ? []
          : [`What a former release needs goes when none of its processes is connected any more: ${waits.join(', ')}.`]
      return [done, ...waiting, ...[warnings].flat().map((text) => `${text}.`)].join('\n')
    },
  }),
]

function planText(plan: readonly unknown[]): string {
  const steps = plan.filter(isRecord)
  if (steps.length === 0) return 'The database is up to date.'
  const describe = ({ what, table, waits, seconds }: Readonly<Record<string, unknown>>) => {
    const on = table === '' ? '' : ` on ${table}`
    const wait = waits === 'nothing' ? 'nothing waits' : `${waits} wait, as long as it takes`
    return `  ${what}${on}: about ${seconds} s, ${wait}`
  }
  const [first, last] = [steps.filter(({ isLast }) => !isLast), steps.filter(({ isLast }) => isLast)]
  const later = 'When no process of a former release is connected any more:'
  return [
    ...(first.length > 0 ? ['Beside a service that runs:', ...first.map(describe)] : []),
    ...(last.length > 0 ? [later, ...last.map(describe)] : []),
    'A lock that is not had within half a second is given up and tried again.',
  ].join('\n')
}
