import { message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { isRetryable } from '../../database/errors.ts'
import { notFound } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { embeddedOnly } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { requestContext } from '../request-context.ts'
import { changesOf, isEmpty } from './compare.ts'
import { asHttpError } from './constraints.ts'
import { lockFor } from './lock.ts'
import { parsePayload } from './parse.ts'
import type { Sent } from './unwrap.ts'
import { writeChanges, writeNew } from './write.ts'

/** Writes records for pages, in a transaction. The page authorizes the caller. Throws 404, and 422 with every error. */
export type RecordWriter = {
  create(tx: Handle, resource: string, sent: Sent, caller: Caller): Promise<number>
  update(tx: Handle, resource: string, id: number, sent: Sent, caller: Caller): Promise<void>
}

export function recordWriter(engine: Engine): RecordWriter {
  const { registry, wire } = engine
  const contextOf = (tx: Handle, caller: Caller) => ({ ...requestContext(engine, caller, tx), ownOnly: false })
  const explainErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isRetryable(error)) throw error
      throw asHttpError(error, registry)
    }
  }
  return {
    create: (tx, name, sent, caller) =>
      explainErrors(async () => {
        const resource = registry.get(name)
        const context = contextOf(tx, caller)
        const payload = parsePayload(registry, resource, sent, { creating: true, now: context.now, wire })
        return (await writeNew(context, payload, actionsOf(resource)?.create)).id
      }),
    update: (tx, name, id, sent, caller) =>
      explainErrors(async () => {
        const resource = registry.get(name)
        const context = contextOf(tx, caller)
        const lock = lockFor(registry, resource, Object.keys(sent))
        const [found] = await tx.rows(`select 1 from "${resource.table}" t where id = $1 ${lock}`, [id])
        if (!found) throw notFound(message('There is no {what} {id}.', { what: resource.singular, id }))
        const payload = parsePayload(registry, resource, sent, { creating: false, now: context.now, wire })
        const changes = await changesOf(context, id, payload)
        if (!isEmpty(changes)) await writeChanges(context, id, changes, actionsOf(resource)?.update)
      }),
  }
}

type Actions = ReturnType<Engine['registry']['get']>['actions']

const actionsOf = ({ actions }: { readonly actions: Actions }) => (actions === embeddedOnly ? undefined : actions)
