import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import { words } from '@campus/engine/rest/openapi/names'

/** A resource. Applications can subscribe to changes of its records. */
export type Model = {
  readonly resource: Resource
  readonly representation: string
  /** Name and description of each event. */
  readonly events: Readonly<Record<string, string>>
  /** SQL condition that the record `r` belongs to the campus of the webhook `w`. Undefined if its records belong to no campus. */
  readonly isOfCampus: string | undefined
}

export type Models = ReadonlyMap<string, Model>

/** Resources without webhooks: a delivery about a change of them would cause further deliveries without end. */
const OF_WEBHOOKS: readonly string[] = ['endpoints', 'deliveries', 'callbacks', 'webhooks']

/** Returns the models by name. */
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

/** Webhooks send the API's representation, without its wrapper, unless the declaration has one of its own. */
const representationOf = ({ webhook, wrapped, answers }: Resource): string =>
  wrapped || webhook?.instead || webhook?.adds ? 'webhook' : (answers?.show ?? 'record')

/** Returns the condition `isOfCampus` of a model. A record without a campus belongs to every campus of its user. */
function isOfCampus(resource: Resource): string | undefined {
  if (resource.stored('campus_id')?.references === 'campus') return 'r.campus_id = w.campus_id'
  const user =
    resource.name === 'users' ? 'id' : resource.stored('user_id')?.references === 'users' ? 'user_id' : undefined
  if (user === undefined) return undefined
  return `exists (select from campus_users m where m.user_id = r.${user} and m.campus_id = w.campus_id)`
}
