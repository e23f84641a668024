import { createHash, randomUUID } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'
import type { Form } from './form.ts'
import { type Html, html } from './html.ts'
import type { PersonPageContext } from './page-context.ts'

const FIELD = 'form_id'

/** Renders a hidden field with a random id, which `claimForm` accepts once. */
export const formIdField = (): Html => html`<input type="hidden" name="${FIELD}" value="${randomUUID()}">`

/**
 * Claims a form in the transaction that does its work, so that a refused form can be sent again. Waits for another
 * request with the form. Returns false if the person has sent the form before.
 */
export async function claimForm(tx: Handle, context: PersonPageContext, form: Form): Promise<boolean> {
  const id = form.text(FIELD)
  // Forms of the former release have no id.
  if (id === '') return true
  const digest = createHash('sha256').update(`form ${context.person.id} ${id}`).digest()
  const { numInsertedOrUpdatedRows = 0n } = await tx.kysely
    .insertInto('idempotency_keys')
    .values({
      digest,
      fingerprint: digest,
      status: 303,
      headers: '{}',
      body: '',
      created_at: context.dependencies.clock.now(),
    })
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}
