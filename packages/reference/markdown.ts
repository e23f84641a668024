import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import type { OpenapiDocument } from '@campus/engine/rest/openapi/document'
import { inOrder } from './action-order.ts'
import { ERROR_EXAMPLE, ERRORS_IN_GENERAL } from './errors/errors-page.ts'
import { KNOWN_ERRORS } from './errors/known-errors.ts'
import type { Example } from './examples.ts'
import type { Guide } from './guides.ts'
import type { Action, Reference, ReferenceResource } from './model.ts'
import { askedFields } from './parameters.ts'
import { curlOf } from './samples/curl.ts'
import { propertiesOf, typeText } from './schemas.ts'
import type { ShownExamples } from './shown-examples.ts'
import { webhookMarkdown } from './webhook-events.ts'

type Site = {
  readonly document: OpenapiDocument
  readonly reference: Reference
  readonly guides: readonly Guide[]
  readonly baseUrl: string
}

/** /llms.txt: the list of all pages as Markdown (llmstxt.org). */
export const llmsText = ({ document, reference, guides, baseUrl }: Site): string => `# ${document.info.title}

> ${document.info.summary} The address of the API is ${baseUrl}/v2; every page below is Markdown.

${document.info.description}

## Guides

${guides.map(({ name, title }) => `- [${title}](${baseUrl}/apidoc/guides/${name}.md)\n`).join('')}- [Errors](${baseUrl}/apidoc/errors.md): each status and error, what it means, and what to do
- [Webhook events](${baseUrl}/apidoc/webhook-events.md): what applications can subscribe to
- [openapi.json](${baseUrl}/apidoc/openapi.json): all of it for programs (OpenAPI ${document.openapi})
${reference.subjects
  .map(
    ({ title, resources }) =>
      `\n## ${title}\n\n${resources.map(({ name, summary }) => `- [${name}](${baseUrl}/apidoc/${name}.md): ${summary}\n`).join('')}`,
  )
  .join('')}`

export const resourceMarkdown = (reference: Reference, resource: ReferenceResource, examples: ShownExamples): string =>
  [
    `# ${resource.name}`,
    resource.summary,
    ...inOrder(resource).map((action) => actionMarkdown(reference, action, examples.of(action))),
    ...(resource.webhook ? [webhookMarkdown(resource.webhook, examples)] : []),
    ...(resource.records.length > 0 ? ['## Fields'] : []),
    ...resource.records.map(
      ({ representation, schema }) =>
        `### ${representation === 'record' ? 'The record' : `As ${representation}`}\n\n${fieldLines(reference, schema)}`,
    ),
    '',
  ].join('\n\n')

function actionMarkdown(reference: Reference, action: Action, examples: readonly Example[]): string {
  const [{ payload, answers }] = action.operations
  const all = action.operations.flatMap((operation) => operation.parameters)
  const parameters = [...new Map(all.map((one) => [`${one.in} ${one.name}`, one])).values()]
  const asked = askedFields(
    reference,
    parameters.filter((one) => one.in === 'query'),
  )
  const askedLines = [...asked].map(
    ([field, { ways, description }]) => `- \`${field}\` (${ways.join(', ')})${described(description)}`,
  )
  const parameterLines = parameters
    .filter(({ name }) => !/^(sort$|filter|range|search\[)/.test(name))
    .map(({ name, in: location, schema, description }) =>
      oneLine(`- \`${name}\` (${location}, ${typeText(reference, schema)})${described(description)}`),
    )
  return [
    `## ${action.title}`,
    action.operations.map(({ method, path, access }) => `- \`${method} ${path}\`: needs ${access}`).join('\n'),
    ...(askedLines.length > 0 ? [`Filters, ranges, sorts:\n\n${askedLines.join('\n')}`] : []),
    ...(parameterLines.length > 0 ? [`Parameters:\n\n${parameterLines.join('\n')}`] : []),
    ...(payload ? [`Payload:\n\n${fieldLines(reference, reference.resolve(payload), { isDeep: true })}`] : []),
    `Answers:\n\n${answers.map(({ status, description }) => oneLine(`- ${status}: ${description}`)).join('\n')}`,
    ...examples.map(exampleMarkdown),
  ].join('\n\n')
}

function exampleMarkdown(example: Example): string {
  const { status, headers, answer } = example
  const lines = [
    String(status),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(answer === undefined ? [] : ['', JSON.stringify(answer, null, 2)]),
  ]
  return `\`\`\`sh\n${curlOf(example)}\n\`\`\`\n\n\`\`\`text\n${lines.join('\n')}\n\`\`\``
}

function fieldLines(
  reference: Reference,
  schema: JsonSchema,
  { isDeep = false, indent = '' }: { readonly isDeep?: boolean; readonly indent?: string } = {},
): string {
  return propertiesOf(schema)
    .map(({ name, schema: property, isRequired }) => {
      const line = `${indent}- \`${name}\` (${typeText(reference, property)}${isDeep && isRequired ? ', required' : ''})${described(property.description)}`
      const inner = reference.resolve(property.type === 'array' ? (property.items ?? {}) : property)
      const isShown = isDeep && indent.length < 6 && propertiesOf(inner).length > 0
      return oneLine(line) + (isShown ? `\n${fieldLines(reference, inner, { isDeep, indent: `${indent}  ` })}` : '')
    })
    .join('\n')
}

const described = (description: unknown) => (description ? `: ${description}` : '')

const oneLine = (text: string) => text.replace(/\n+/g, ' ')

export const errorsMarkdown = (): string =>
  `# Errors\n\n${ERRORS_IN_GENERAL}\n\n\`\`\`json\n${ERROR_EXAMPLE}\n\`\`\`\n\n${KNOWN_ERRORS.map(
    ({ status, error, meaning, remedy }) => `- **${status} ${error}**: ${meaning} ${remedy}`,
  ).join('\n')}\n`
