import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { words } from '@campus/engine/rest/openapi/names'

/** What applications can subscribe to the changes of. */
export type Model = {
  readonly resource: Resource
  /** The representation that is sent. */
  readonly representation: string
  /** Name → one sentence on what has happened: whatever becomes of a record, and what has a name in its declaration. */
  readonly events: Readonly<Record<string, string>>
  /** That the record `r` belongs to the campus of the webhook `w`, in SQL; undefined where records belong to none. */
  readonly isOfCampus: string | undefined
}

export type Models = ReadonlyMap<string, Model>

/** Sending these changes would make further ones of them, without an end. */
const OF_WEBHOOKS: readonly string[] = ['endpoints', 'deliveries', 'callbacks', 'webhooks']

/** The models by their names, as the declarations have them. */
export const modelsOf = (resources: readonly Resource[]): Models =>
  new Map(
    resources
      .filter(({ name, actions }) => actions !== embeddedOnly && !OF_WEBHOOKS.includes(name))
      .map((resource) => [
        resource.singular,
        {
          resource,
          representation: representationOf(resource),
          events: eventsOf(resource),
          isOfCampus: isOfCampus(resource),
        },
      ]),
  )

const eventsOf = ({ singular, events = {} }: Resource): Model['events'] => ({
  create: `There is a new ${words(singular)}.`,
  update: `The ${words(singular)} has changed.`,
  destroy: `The ${words(singular)} is deleted.`,
  ...Object.fromEntries(Object.entries(events).map(([name, { label }]) => [name, label])),
})

/** What is sent where the declaration says so, else what the API answers, without a wrapper. */
const representationOf = ({ webhook, wrapped, answers }: Resource): string =>
  wrapped || webhook?.instead || webhook?.adds ? 'webhook' : (answers?.show ?? 'record')

/** By its own campus, or as a campus has users: by those whom it is about, wherever else it takes place. */
function isOfCampus(resource: Resource): string | undefined {
  if (resource.stored('campus_id')?.references === 'campus') return 'r.campus_id = w.campus_id'
  const user =
    resource.name === 'users' ? 'id' : resource.stored('user_id')?.references === 'users' ? 'user_id' : undefined
  if (user === undefined) return undefined
  return `exists (select from campus_users m where m.user_id = r.${user} and m.campus_id = w.campus_id)`
}
