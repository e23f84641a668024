import { objectSchema } from '@campus/engine/rest/declare/fields/computed'
import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import type { Components } from '@campus/engine/rest/openapi/document'
import { jsonContent } from '@campus/engine/rest/openapi/errors'
import { pascal } from '@campus/engine/rest/openapi/names'
import type { Neighbour } from '@campus/engine/rest/openapi/openapi-document'
import { representationReference } from '@campus/engine/rest/openapi/responses'
import { type Model, modelsOf } from './models.ts'

/** Describes the requests that applications receive, a webhook for each model (spec: webhooks 25 to 29). */
export const applicationWebhooks: Neighbour = (components) => ({
  webhooks: Object.fromEntries(
    [...modelsOf(components.registry.resources)].map(([name, model]) => [
      name,
      { post: webhookOf(components, name, model) },
    ]),
  ),
})

const webhookOf = (components: Components, name: string, { resource, representation, events }: Model): JsonSchema => ({
  operationId: `receive${pascal(name)}`,
  tags: [resource.name],
  summary: `What becomes of a ${name}`,
  description: Object.entries(events)
    .map(([event, label]) => `* \`${event}\`: ${label}`)
    .join('\n'),
  'x-events': events,
  parameters: [
    header('X-Model', { const: name }),
    header('X-Event', { enum: Object.keys(events) }),
    ...COMMON.map(({ name: header, schema, description }) =>
      components.refer('parameters', `webhooks.${header}`, () => ({
        name: header,
        in: 'header',
        required: true,
        description,
        schema,
      })),
    ),
  ],
  requestBody: {
    required: true,
    content: jsonContent({
      anyOf: [
        representationReference(components, resource, representation),
        components.refer('schemas', 'destroyed', () => ({
          ...objectSchema({ id: { type: 'integer' } }),
          description: 'The record is gone: its id is all that is sent.',
        })),
      ],
    }),
  },
  responses: { '2XX': { description: 'Taken.' } },
  // The application checks the secret or the signature.
  security: [],
})

const header = (name: string, schema: JsonSchema) => ({ name, in: 'header', required: true, schema })

const TEXT = { type: 'string' } as const
const COMMON = [
  { name: 'X-Delivery', schema: { ...TEXT, format: 'uuid' }, description: 'The same on every repeat.' },
  { name: 'X-Secret', schema: TEXT, description: 'The secret of the webhook.' },
  { name: 'webhook-id', schema: { ...TEXT, format: 'uuid' }, description: 'The same as `X-Delivery`.' },
  { name: 'webhook-timestamp', schema: TEXT, description: 'When it was sent, in seconds since 1970.' },
  { name: 'webhook-signature', schema: TEXT, description: 'The signature of Standard Webhooks.' },
]
