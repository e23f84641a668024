import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { insertRows } from '@campus/engine/database/insert-rows'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { hasRole } from '../../../access/roles.ts'
import { readRow, updateRow } from '../rows.ts'
import { refuseUnlessSame } from './moderation.ts'

/** Defaults of fields that only moderators may set. */
const MODERATED = { pinned_at: null, locked_at: null, write_at: null } as const
const MODERATED_NAMES = Object.keys(MODERATED)
const FOR_MODERATORS = 'may be set by a moderator only'

/**
 * Creates a topic by the caller. Only moderators may name another author. Applications of staff without a user create
 * topics without an author.
 */
export async function createTopic(tx: Handle, input: ActionInput): Promise<number> {
  const { values, caller, now } = input
  const isModerator = hasRole(caller, 'Moderator')
  const present = { ...MODERATED, author_id: values.author_id == null ? values.author_id : caller.resourceOwnerId }
  if (!isModerator) refuseUnlessSame(values, [...MODERATED_NAMES, 'author_id'], present, FOR_MODERATORS)
  if (values.answer_id != null) throw unprocessable({ answer_id: ['must be a message of the topic'] })
  const author_id = values.author_id ?? caller.resourceOwnerId
  if (author_id === null && isModerator) throw unprocessable({ author_id: ["can't be blank"] })
  const row = { ...values, ...moderators(input), author_id, created_at: now, updated_at: now }
  const [made] = await insertRows(tx, 'topics', [row], { returning: ['id'] })
  return Number(made?.[0])
}

/** Sets the author of messages sent with a topic, and makes the first one its opening. */
export async function finishTopic(tx: Handle, { id, caller }: ActionInput): Promise<number> {
  const { author_id } = await readRow(tx, 'topics', id, ['author_id'])
  const others = await tx.kysely
    .selectFrom('messages')
    .select('id')
    .where('messageable_id', '=', id)
    .where('author_id', 'is not', null)
    .where('author_id', 'is distinct from', author_id)
    .executeTakeFirst()
  if (others && !hasRole(caller, 'Moderator'))
    throw unprocessable({ messages_attributes: ["must be the topic's author's own"] })
  await tx.kysely
    .updateTable('messages')
    .set({ author_id })
    .where('messageable_id', '=', id)
    .where('author_id', 'is', null)
    .execute()
  await tx.kysely
    .updateTable('topics')
    .set({ message_id: sql`(select min(id) from messages where messageable_id = ${id})` })
    .where('id', '=', id)
    .execute()
  return id
}

export async function updateTopic(tx: Handle, input: ActionInput): Promise<number> {
  const { id, values, ownOnly, now } = input
  const present = await tx.kysely.selectFrom('topics').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  if (ownOnly) refuseUnlessSame(values, MODERATED_NAMES, present, FOR_MODERATORS)
  if (typeof values.answer_id === 'number') await requireMessageOf(tx, id, values.answer_id)
  await updateRow(tx, 'topics', id, { ...values, ...(ownOnly ? {} : moderators(input)), updated_at: now })
  return id
}

/** Deletes a topic with its messages. The author may do so until another user writes in it. Throws 422. */
export async function deleteTopic(tx: Handle, { id, ownOnly }: ActionInput): Promise<number> {
  const others = await tx.kysely
    .selectFrom('messages')
    .innerJoin('topics', 'topics.id', 'messages.messageable_id')
    .select('messages.id')
    .where('topics.id', '=', id)
    .where('messages.deleted_at', 'is', null)
    .whereRef('messages.author_id', 'is distinct from', 'topics.author_id')
    .executeTakeFirst()
  if (ownOnly && others) throw unprocessable({ base: ['others have written here: only a moderator may delete it'] })
  await tx.kysely.deleteFrom('topics').where('id', '=', id).execute()
  return id
}

function moderators({ values, caller: { resourceOwnerId } }: ActionInput) {
  return {
    ...('pinned_at' in values ? { pinner_id: values.pinned_at === null ? null : resourceOwnerId } : {}),
    ...('locked_at' in values ? { locker_id: values.locked_at === null ? null : resourceOwnerId } : {}),
  }
}

async function requireMessageOf(tx: Handle, topic: number, message: number): Promise<void> {
  const found = await tx.kysely
    .selectFrom('messages')
    .select('id')
    .where('id', '=', message)
    .where('messageable_id', '=', topic)
    .executeTakeFirst()
  if (!found) throw unprocessable({ answer_id: ['must be a message of the topic'] })
}
