import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { insertRow } from '../rows.ts'

type AwardValues = {
  readonly certificate_id: number
  readonly user_id: number
  readonly certificate_number?: number
  readonly qrcode?: string | null
  readonly pdf?: string | null
  readonly certified_at?: string
}

/** Awards a certificate with its next number, unless one is sent. */
export async function award(tx: Handle, { values, now }: ActionInput<AwardValues>): Promise<number> {
  const { certificate_id } = values
  // Locks the certificate, so that no number is given twice.
  const certificate = await tx.kysely
    .selectFrom('certificates')
    .select('id')
    .where('id', '=', certificate_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!certificate) throw unprocessable({ certificate_id: ['must exist'] })
  const { last } = await tx.kysely
    .selectFrom('certificates_users')
    .select(({ fn }) => fn.max('certificate_number').as('last'))
    .where('certificate_id', '=', certificate_id)
    .executeTakeFirstOrThrow()
  return insertRow(tx, 'certificates_users', {
    certificate_number: (last ?? 0) + 1,
    certified_at: now,
    ...values,
    created_at: now,
    updated_at: now,
  })
}
