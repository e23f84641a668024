import { type ActionInput, chosenId, type Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { findRow, insertRow, updateRow } from '../rows.ts'
import { refuseUnlessSame } from './moderation.ts'

/** Defaults of fields that only moderators may set. */
const MODERATED = { deleted_at: null, write_at: null, readings_count: 0 } as const
type ModeratedValues = { readonly deleted_at: string | null; readonly write_at: string | null }
const MODERATED_NAMES = Object.keys(MODERATED)
const FOR_MODERATORS = 'may be set by a moderator only'

/** Maximum depth of replies. */
const DEEPEST_REPLY = 50

/** Creates a message or a reply, and sets `updated_at` of the topic. */
export async function postMessage(
  tx: Handle,
  { values, caller, ownOnly, now }: ActionInput<Values & Partial<ModeratedValues>>,
): Promise<number> {
  const author_id = idOf(values.author_id) ?? caller.resourceOwnerId
  if (author_id === null) throw unprocessable({ author_id: ["can't be blank"] })
  if (ownOnly) refuseUnlessSame(values, MODERATED_NAMES, MODERATED, FOR_MODERATORS)
  const parent_id = idOf(values.parent_id)
  const topicOfParent = parent_id === null ? undefined : await topicOf(tx, parent_id)
  const messageable_id = idOf(values.messageable_id) ?? topicOfParent
  if (messageable_id === undefined) throw unprocessable({ messageable_id: ["can't be blank"] })
  if ((topicOfParent ?? messageable_id) !== messageable_id) throw unprocessable({ parent_id: ['is of another topic'] })
  await touchTopic(tx, messageable_id, { ownOnly, now })
  if (parent_id !== null) await requireParent(tx, parent_id)

  const { content, reference_id, deleted_at, write_at, readings_count } = values
  return insertRow(tx, 'messages', {
    ...chosenId(values),
    author_id,
    messageable_id,
    parent_id,
    reference_id: idOf(reference_id),
    content: deleted_at == null ? String(content) : '',
    deleted_at,
    write_at,
    readings_count: Number(readings_count ?? 0),
    created_at: now,
    updated_at: now,
  })
}

/** The place of a message in the thread cannot change. `deleted_at` blanks the text. */
export async function updateMessage(tx: Handle, { id, values, ownOnly, now }: ActionInput): Promise<number> {
  const present = await tx.kysely.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  refuseUnlessSame(values, ['messageable_id', 'parent_id'], present, 'cannot be changed')
  if (ownOnly) {
    refuseUnlessSame(values, MODERATED_NAMES, present, FOR_MODERATORS)
    if (present.deleted_at) throw unprocessable({ base: ['has been deleted'] })
  }
  const { messageable_type: _type, ...columns } = values
  const blanked = values.deleted_at == null ? {} : { content: '' }
  await updateRow(tx, 'messages', id, { ...columns, ...blanked, updated_at: now })
  return id
}

/** Deletes a message, or blanks it if it has replies, so that the thread stays readable. */
export async function deleteMessage(tx: Handle, { id, now }: Pick<ActionInput, 'id' | 'now'>): Promise<number> {
  if (await hasReplies(tx, id)) {
    await updateRow(tx, 'messages', id, { content: '', deleted_at: now, updated_at: now })
    return id
  }
  const { parent_id } = await tx.kysely
    .deleteFrom('messages')
    .where('id', '=', id)
    .returning('parent_id')
    .executeTakeFirstOrThrow()
  if (parent_id !== null) await removeIfBlankAndAlone(tx, parent_id, now)
  return id
}

/** Deletes a blanked message after its last reply. */
async function removeIfBlankAndAlone(tx: Handle, id: number, now: Date): Promise<void> {
  const blank = await tx.kysely
    .selectFrom('messages')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (blank && !(await hasReplies(tx, id))) {
    await deleteMessage(tx, { id, now })
  }
}

async function hasReplies(tx: Handle, id: number): Promise<boolean> {
  const reply = await tx.kysely.selectFrom('messages').select('id').where('parent_id', '=', id).executeTakeFirst()
  return reply !== undefined
}

async function topicOf(tx: Handle, id: number): Promise<number> {
  const message = await findRow(tx, 'messages', id, ['messageable_id'])
  if (!message) throw unprocessable({ parent_id: ['must exist'] })
  return message.messageable_id
}

/** Locks the parent of a reply. Throws 422. */
async function requireParent(tx: Handle, id: number): Promise<void> {
  const parent = await tx.kysely
    .selectFrom('messages')
    .select('deleted_at')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!parent) throw unprocessable({ parent_id: ['must exist'] })
  if (parent.deleted_at) throw unprocessable({ parent_id: ['has been deleted'] })
  const { rows } = await sql`
    with recursive above as (
       select parent_id from messages where id = ${id}
       union all select m.parent_id from messages m join above on m.id = above.parent_id)
     select from above`.execute(tx.kysely)
  if (rows.length >= DEEPEST_REPLY) throw unprocessable({ parent_id: ['has too many replies above it'] })
}

/** Locks the topic, so that no message slips in while a moderator locks it. */
async function touchTopic(
  tx: Handle,
  id: number,
  { ownOnly, now }: Pick<ActionInput, 'ownOnly' | 'now'>,
): Promise<void> {
  const topic = await tx.kysely
    .selectFrom('topics')
    .select('locked_at')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!topic) throw unprocessable({ messageable_id: ['must exist'] })
  if (topic.locked_at && ownOnly)
    throw unprocessable({ messageable_id: ['is locked: only a moderator may write here'] })
  await updateRow(tx, 'topics', id, { updated_at: now })
}

const idOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)
