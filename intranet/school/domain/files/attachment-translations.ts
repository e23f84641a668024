import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'

/** Owner of an attachment: a project, a project session or a subnotion. */
export type Container = {
  readonly project_id: number | null
  readonly project_session_id: number | null
  readonly subnotion_id: number | null
}

type Translation = Container & {
  /** Undefined for a new attachment. */
  readonly id?: number
  /** Id of the original, or its own id or null for none. */
  readonly base_id: number | null
  readonly language_id: number | null
}

/**
 * Returns the id of the first original that `base_id` leads to, if any. Throws 422 for an original of another owner, an
 * untranslatable one, and a language that is missing or taken.
 */
export async function checkTranslation(
  tx: Handle,
  { id, base_id, language_id, project_id, project_session_id, subnotion_id }: Translation,
): Promise<number | null> {
  if (base_id === null || base_id === id) {
    if (id !== undefined && language_id !== null) await refuseTaken(tx, { base: id, id, language_id })
    return null
  }
  const base = await tx.kysely
    .selectFrom('attachments as named')
    .innerJoin('attachments as base', 'base.id', 'named.base_id')
    .select(['base.id', 'base.project_id', 'base.project_session_id', 'base.subnotion_id', 'base.untranslatable'])
    .where('named.id', '=', base_id)
    .forUpdate('base')
    .executeTakeFirst()
  const isBeside =
    base?.project_id === project_id &&
    base.project_session_id === project_session_id &&
    base.subnotion_id === subnotion_id
  if (!isBeside) {
    const place = subnotion_id !== null ? 'subnotion' : project_id === null ? 'session' : 'project'
    throw unprocessable({ base_id: [message('is no attachment of this {what}', { what: place })] })
  }
  if (base.id === id) return null
  if (base.untranslatable) throw unprocessable({ base_id: ['is untranslatable'] })
  if (language_id === null) throw unprocessable({ language_id: ["can't be blank in a translation"] })
  if (id !== undefined && (await hasTranslations(tx, id))) {
    throw unprocessable({ base_id: ['cannot be set while the attachment has translations of its own'] })
  }
  await refuseTaken(tx, { base: base.id, id, language_id })
  return base.id
}

type Taken = { readonly base: number; readonly id: number | undefined; readonly language_id: number }

async function refuseTaken(tx: Handle, { base, id = 0, language_id }: Taken): Promise<void> {
  const other = await tx.kysely
    .selectFrom('attachments')
    .select('id')
    .where('base_id', '=', base)
    .where('id', '<>', id)
    .where('language_id', '=', language_id)
    .executeTakeFirst()
  if (other)
    throw unprocessable({ language_id: [message('is the language of attachment {id} already', { id: other.id })] })
}

async function hasTranslations(tx: Handle, id: number): Promise<boolean> {
  const query = tx.kysely.selectFrom('attachments').select('id').where('translates_id', '=', id)
  return (await query.executeTakeFirst()) !== undefined
}
