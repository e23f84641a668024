import { defined } from '@campus/engine/base/defined'
import type { Field } from '@campus/engine/rest/declare/fields/field'
import { columnOf } from '@campus/engine/rest/declare/identifiers'
import { redact } from './redact.ts'

/** Only the beginning of a longer answer is stored, and redaction may have shortened it. */
const PERHAPS_CUT_BYTES = 60_000

type WebhookRecord = Readonly<Record<string, unknown>>

/** The record of a delivery without the reason for a close. */
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

/** The answer of the endpoint without the reason for a close. */
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
