import { Batches } from '@campus/engine/database/batches'
import type { Caller } from '@campus/engine/http/caller'
import { narrowing } from '@campus/engine/rest/action-request'
import { callerKey } from '@campus/engine/rest/cache/answer-key'
import { grantOf } from '@campus/engine/rest/declare/access'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Engine } from '@campus/engine/rest/engine'
import { restrictionOf } from '@campus/engine/rest/read/actions'
import { runAmong } from '@campus/engine/rest/read/run'
import { requestContext } from '@campus/engine/rest/request-context'
import { storedReason } from '../stored-reasons.ts'
import type { Models } from './models.ts'

export type AskedRecord = {
  readonly applicationId: number
  readonly model: string
  readonly event: string
  readonly recordId: number
}

/** The record as JSON, or the stored reason not to send it. */
export type ReadRecord = { readonly body: string } | { readonly withheld: string }

/** Finds applications as callers with all their scopes. Suspended applications are left out. */
export type FindApplications = (ids: readonly number[]) => Promise<ReadonlyMap<number, Caller>>

type Dependencies = {
  readonly engine: Engine
  readonly models: () => Models
  readonly findApplications: FindApplications
}

/**
 * Reads records as applications may see them now. Records asked for at the same time are read once for all applications with
 * the same rights.
 */
export function recordReader(dependencies: Dependencies): (asked: AskedRecord) => Promise<ReadRecord> {
  const batches = new Batches<AskedRecord, ReadRecord>((asked) => readBatch(dependencies, asked))
  return (asked) => batches.ask(asked)
}

async function readBatch(dependencies: Dependencies, asked: readonly AskedRecord[]): Promise<readonly ReadRecord[]> {
  const { engine, findApplications } = dependencies
  await engine.database.changes.validate()
  const callers = await findApplications([...new Set(asked.map(({ applicationId }) => applicationId))])
  const read = new Map<AskedRecord, ReadRecord>()
  const groups = Map.groupBy(asked, ({ applicationId, model, event }) => {
    const caller = callers.get(applicationId)
    return `${caller ? callerKey(caller) : ''} ${model} ${event === 'destroy'}`
  })
  for (const group of groups.values()) {
    const caller = callers.get(group[0]?.applicationId ?? 0)
    for (const [one, record] of await readGroup(dependencies, caller, group)) read.set(one, record)
  }
  return asked.map((one) => read.get(one) ?? NOT_THERE)
}

const NOT_ALLOWED: ReadRecord = { withheld: storedReason('not_allowed') }
const NOT_THERE: ReadRecord = { withheld: storedReason('not_there') }
const SUSPENDED: ReadRecord = { withheld: storedReason('suspended') }

/** Reads records of one model for callers with the same rights. */
async function readGroup(
  { engine, models }: Dependencies,
  caller: Caller | undefined,
  group: readonly AskedRecord[],
): Promise<ReadonlyMap<AskedRecord, ReadRecord>> {
  const all = (record: ReadRecord) => new Map(group.map((one) => [one, record]))
  const [first] = group
  const { resource, representation = '' } = models().get(first?.model ?? '') ?? {}
  if (!caller) return all(SUSPENDED)
  if (!first || !resource || !maySee(resource, caller)) return all(NOT_ALLOWED)
  if (first.event === 'destroy') {
    const isConcealed = narrowing(resource, { parents: [], caller }).length > 0
    return isConcealed
      ? all(NOT_ALLOWED)
      : new Map(group.map((one) => [one, { body: JSON.stringify({ id: one.recordId }) }]))
  }
  const conditions = [...narrowing(resource, { parents: [], caller }), ...restrictionOf(resource, { caller }).hidden]
  const ids = [...new Set(group.map(({ recordId }) => recordId))]
  const found = await runAmong(requestContext(engine, caller), { resource, conditions }, representation, ids)
  return new Map(
    group.map((one) => {
      const body = found.get(one.recordId)
      return [one, body === undefined ? NOT_THERE : { body }]
    }),
  )
}

function maySee({ actions }: Resource, caller: Caller): boolean {
  const grant = actions === embeddedOnly ? undefined : grantOf(actions.show, caller)
  return grant !== undefined && grant.ownAssociation === undefined
}
