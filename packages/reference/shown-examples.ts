import type { Example, Recorded } from './examples.ts'
import type { Action, Reference, WebhookModel } from './model.ts'
import { exampleOfOperation, exampleOfSchema } from './schema-examples.ts'

export type ShownExamples = {
  of(action: Action): readonly Example[]
  bodyOf(webhook: WebhookModel): unknown
}

/** Chooses recorded examples, or makes examples from the schemas. */
export const shownExamples = ({ resolve }: Reference, { examples, bodies }: Recorded): ShownExamples => ({
  of: ({ operations }) =>
    operations.map(({ id }) => examples[id]).find((list) => list !== undefined) ?? [
      exampleOfOperation(resolve, operations[0]),
    ],
  bodyOf: ({ model, schema }) => bodies[model] ?? exampleOfSchema(resolve, schema),
})
