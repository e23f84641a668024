import type { ActionInput, Renderer, Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { leavesOf, redact } from './redact.ts'

type Callback = Values & {
  readonly url: string
  readonly user_id: number
  readonly initial_data: string
  readonly response_data: string
}

/** Members of an event that are never stored in clear (spec: webhooks 14). */
const SECRET = new Set(['key', 'password', 'meta'])

/** Records the asynchronous answer of an endpoint to an earlier call. */
export async function recordCallback(
  tx: Handle,
  { id: endpoint_id, values, now, render }: ActionInput<Callback> & Renderer,
): Promise<string> {
  const { url, user_id } = values
  const user = await tx.kysely.selectFrom('users').select('id').where('id', '=', user_id).executeTakeFirst()
  if (!user) throw unprocessable({ user_id: ['must exist'] })
  const secrets: unknown[] = []
  const initial = withoutSecrets(JSON.parse(values.initial_data), secrets)
  const response = withoutSecrets(JSON.parse(values.response_data), secrets)
  const said = secrets.flatMap(leavesOf)
  const { id } = await tx.kysely
    .insertInto('callbacks')
    .values({
      endpoint_id,
      user_id,
      url: redact(Buffer.from(url), said, false),
      initial_data: textWithout(initial, said),
      response_data: textWithout(response, said),
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return render('callbacks', 'record', id)
}

/** Returns a copy without the secrets, which are added to `found`. */
function withoutSecrets(value: unknown, found: unknown[]): unknown {
  if (Array.isArray(value)) return value.map((member) => withoutSecrets(member, found))
  if (typeof value !== 'object' || value === null) return value
  const stored: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    if (SECRET.has(name)) found.push(member)
    else stored.push([name, withoutSecrets(member, found)])
  }
  return Object.fromEntries(stored)
}

/** Returns JSON without the given secrets, or an object with `error` if they cannot be removed safely. */
function textWithout(value: unknown, secrets: readonly string[]): string {
  const text = redact(Buffer.from(JSON.stringify(value)), secrets, false)
  return text.startsWith('{') ? text : JSON.stringify({ error: text })
}
