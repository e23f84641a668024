import { toError } from '../../base/caught.ts'
import { defined } from '../../base/defined.ts'
import type { Reader, Snapshot } from '../../database/database.ts'
import { PLANNED_ANEW } from '../../database/prepared-names.ts'
import type { StreamForm } from '../../http/stream-types.ts'
import type { ActionRequest } from '../action-request.ts'
import type { Engine } from '../engine.ts'
import type { AskedList } from '../read/actions.ts'
import { countQuery } from '../read/count-query.ts'
import { idsQuery } from '../read/query.ts'
import { runChunk } from '../read/run.ts'
import { requestContext } from '../request-context.ts'
import { columnsOf } from './columns.ts'
import { csvHeader, csvLine } from './csv.ts'

/** A whole list at one point in time (spec: lists 22). It must be closed. */
export type ListStream = {
  readonly total: number
  /** Maximum age in milliseconds of a stale list. */
  readonly age: number | undefined
  /** Each chunk has a limited number of records, to bound the memory. */
  readonly chunks: AsyncGenerator<string, void>
  /** With an error, also cancels the running statement. */
  close(error?: Error): void
}

export const RECORDS_AT_A_TIME = 200

/** Opens a list. Throws every error before anything is sent. `charge` may refuse a list by its number of records. */
export async function openListStream(
  engine: Engine,
  asked: Omit<AskedList, 'list'>,
  form: StreamForm,
  { caller, mayBeStale }: Pick<ActionRequest, 'caller' | 'mayBeStale'>,
  charge: (total: number) => Promise<void> = async () => {},
): Promise<ListStream> {
  const { plan, representation } = asked
  const { database } = engine
  const { openSnapshot, age }: Reader = (mayBeStale ? database.replicas?.staleReader() : undefined) ?? database
  const snapshot = await openSnapshot()
  const context = requestContext(engine, caller, snapshot)
  try {
    const count = countQuery(plan, context, engine.registry.aggregates)
    const [counted] = await snapshot.rows(count.text, count.values)
    const total = Number(counted?.[0])
    await charge(total)
    const ids = idsQuery(plan, context)
    await snapshot.rows(`${PLANNED_ANEW}declare list no scroll cursor for ${ids.text}`, ids.values)
    const first = await nextIds(snapshot)
    const read = (chunk: readonly string[]) => runChunk(context, plan, representation, chunk)
    const { begin, line } = writerOf(engine, asked, form)
    return {
      total,
      age,
      chunks: writeChunks(snapshot, first, begin, async (chunk) => (await read(chunk)).map(line).join('')),
      close: (error) => snapshot.close(error),
    }
  } catch (error) {
    snapshot.close(toError(error))
    throw error
  }
}

type Writer = { readonly begin: string; readonly line: (record: string) => string }

function writerOf({ registry }: Engine, { plan, representation }: Omit<AskedList, 'list'>, form: StreamForm): Writer {
  // A line break in JSON is never inside a text.
  if (form === 'ndjson') return { begin: '', line: (record) => `${record.replaceAll(/[\r\n]/g, ' ')}\n` }
  const columns = columnsOf(registry, plan.resource, representation)
  return { begin: csvHeader(columns), line: (record) => csvLine(columns, record) }
}

async function* writeChunks(
  snapshot: Snapshot,
  first: readonly string[],
  begin: string,
  write: (ids: readonly string[]) => Promise<string>,
): AsyncGenerator<string, void> {
  let written = begin
  for (let ids = first; ids.length > 0; ids = await nextIds(snapshot)) {
    yield written + (await write(ids))
    written = ''
  }
  if (written !== '') yield written
}

async function nextIds(snapshot: Snapshot): Promise<readonly string[]> {
  const rows = await snapshot.rows(`${PLANNED_ANEW}fetch ${RECORDS_AT_A_TIME} from list`)
  return rows.map(([id]) => defined(id))
}
