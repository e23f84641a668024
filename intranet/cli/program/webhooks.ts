import type { Handle } from '@campus/engine/database/database'
import { columnsOf, linesOf } from '../../server/columns.ts'
import { type Context, databaseCommand } from '../../server/database-command.ts'
import { reasonInEnglish } from '../../webhooks/stored-reasons.ts'
import { count } from './values.ts'

type Named = { readonly id: number }

type NewHook = {
  readonly app: string
  readonly model: string
  readonly event: string
  readonly url: string
  readonly secret?: string
  readonly campus?: number
  readonly description?: string
}

const load = () => import('../../oauth/applications/webhooks.ts')

/** `campus webhook`: the webhooks of applications. */
export const webhookCommands = [
  databaseCommand<NewHook>({
    name: 'webhook create',
    about: 'subscribe an application to changes and print the secret',
    examples: ['campus webhook create --app UID --model scale_team --event create --url https://hooks.example.org/'],
    flags: (command) =>
      command
        .requiredOption('--app <uid>', 'the application that is told')
        .requiredOption('--model <name>', 'what it is told of, such as scale_team')
        .requiredOption('--event <name>', 'what must become of it: create, update, destroy, or a name such as close')
        .requiredOption('--url <address>', 'where it is called')
        .option('--secret <secret>', 'goes along and signs; one is made unless it is given')
        .option('--campus <id>', 'of records of this campus only', count)
        .option('--description <text>', 'what it is for'),
    async run(context, { app, campus, ...values }) {
      const { createWebhook, findWebhook } = await load()
      const applicationId = await idOf(context.database, app)
      const subscribing = await subscribingOf(context)
      return context.database.transaction(async (tx) => {
        const { id, secret } = await createWebhook(
          tx,
          { ...values, applicationId, campusId: campus },
          { ...subscribing, actor: context.actor, now: context.now },
        )
        return { ...(await findWebhook(tx, id)), secret }
      })
    },
    text: ({ model, event, secret, ...rest }) =>
      `Subscribed to ${model} ${event}.${secret === null ? '' : ' The secret is not shown again.'}\n${linesOf({ ...rest, secret })}`,
  }),
  databaseCommand<{ readonly app: string }>({
    name: 'webhook list',
    about: 'list the webhooks of an application',
    flags: (command) => command.requiredOption('--app <uid>', 'the application'),
    async run({ database }, { app }) {
      const found = await (await load()).webhooksOf(database, await idOf(database, app))
      return { webhooks: found.map(withReason) }
    },
    text: ({ webhooks }) =>
      columnsOf(
        webhooks,
        { id: 'id', model: 'model', event: 'event', campus_id: 'campus', url: 'url', active: 'active' },
        'It has no webhooks.',
      ),
  }),
  databaseCommand<Named>({
    name: 'webhook show',
    about: 'show a webhook, with its latest deliveries; never its secret',
    flags: (command) => command.argument('<id>', 'its number', count),
    async run({ database }, { id }) {
      const { listWebhookDeliveries } = await import('../../webhooks/applications/log.ts')
      const webhook = withReason(await (await load()).findWebhook(database, id))
      const deliveries = await listWebhookDeliveries(database, { subscriptionId: id })
      return { webhook, deliveries: deliveries.map((one) => ({ ...one, error: reasonInEnglish(one.error) })) }
    },
    async text({ webhook, deliveries }) {
      const titles = {
        id: 'id',
        created_at: 'recorded at',
        record_id: 'record',
        state: 'state',
        tries: 'attempts',
        status: 'status',
        error: 'error',
      }
      return `${linesOf({ ...Object(webhook) })}\n${await columnsOf(deliveries, titles, 'It has had no deliveries yet.')}`
    },
  }),
  databaseCommand<Named>({
    name: 'webhook test',
    about: 'send a webhook the newest record that it is about',
    flags: (command) => command.argument('<id>', 'its number', count),
    async run(context, { id }) {
      const { testWebhook } = await load()
      const { database, actor, now } = context
      const subscribing = await subscribingOf(context)
      return { delivery: await database.transaction((tx) => testWebhook(tx, id, { ...subscribing, actor, now })) }
    },
    text: ({ delivery }) => `Made the delivery ${delivery}; the server sends it.`,
  }),
  databaseCommand<Named>({
    name: 'webhook delete',
    about: 'end a webhook, with its deliveries',
    flags: (command) => command.argument('<id>', 'its number', count),
    async run({ database, actor, now }, { id }) {
      const { deleteWebhook, findWebhook } = await load()
      return database.transaction(async (tx) => {
        const webhook = await findWebhook(tx, id)
        await deleteWebhook(tx, id, { actor, now })
        return { ...webhook, deleted: true }
      })
    },
    text: ({ model, event, url }) => `Ended ${model} ${event} to ${url}.`,
  }),
]

const withReason = <T extends { readonly switched_off_because: string | null }>(one: T): T => ({
  ...one,
  switched_off_because: reasonInEnglish(one.switched_off_because),
})

const idOf = async (handle: Handle, uid: string) =>
  (await (await import('../../oauth/applications/by-operators.ts')).applicationOf(handle, uid)).id

async function subscribingOf({ database, config }: Context) {
  const { Captures } = await import('@campus/engine/changes/capture')
  const { Sealer } = await import('../../services/sealing/sealer.ts')
  const { claimSecretKey } = await import('../../services/sealing/check-key.ts')
  const { declaredRegistry, storageOfResources } = await import('../../school/resources/declared.ts')
  const { modelsOf } = await import('../../webhooks/applications/models.ts')
  const captures = new Captures(database, storageOfResources())
  return {
    models: () => modelsOf(declaredRegistry().resources),
    sealer: new Sealer(await claimSecretKey(database, config)),
    capture: (tx: Handle, tables: readonly string[]) => captures.captureWithin(tx, tables),
  }
}
