import { defined } from '@campus/engine/base/defined'
import type { Field } from '@campus/engine/rest/declare/fields/field'
import { columnOf } from '@campus/engine/rest/declare/identifiers'
import { redact } from './redact.ts'

/** Of longer answers only the beginning is stored, and what is taken out of one may have made it shorter. */
const PERHAPS_CUT_BYTES = 60_000

type WebhookRecord = Readonly<Record<string, unknown>>

/** The record of a delivery, without why an account was closed. */
export const recordWithoutReason: Field = Object.freeze({
  hidden: false,
  schema: () => ({ type: 'object' }),
  compile(scope) {
    const record = scope.select(`${columnOf(scope.alias, 'record')}::text`)
    return (row) => {
      const value: WebhookRecord = JSON.parse(defined(row[record]))
      return 'reason' in value ? JSON.stringify({ ...value, reason: null }) : defined(row[record])
    }
  },
} satisfies Field)

/** What the campus answered, without the reason where it repeats it. */
export const answerWithoutReason: Field = Object.freeze({
  hidden: false,
  schema: () => ({ type: ['string', 'null'] }),
  compile(scope) {
    const record = scope.select(`${columnOf(scope.alias, 'record')}::text`)
    const answer = scope.select(columnOf(scope.alias, 'answer'))
    return (row) => {
      const { reason }: WebhookRecord = JSON.parse(defined(row[record]))
      const text = row[answer]
      if (text == null || typeof reason !== 'string') return JSON.stringify(text ?? null)
      const bytes = Buffer.from(text)
      return JSON.stringify(redact(bytes, [reason], bytes.length >= PERHAPS_CUT_BYTES))
    }
  },
} satisfies Field)
