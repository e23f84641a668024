import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '../connection.ts'

const STATEMENT_MILLISECONDS = 5_000
const LOOK_AGAIN_MILLISECONDS = 50

/** Resolves to the time left when no other client is connected. Clients of a stopping server may need further connections. */
export async function otherClientsGone(url: string, milliseconds: number): Promise<number> {
  const deadline = performance.now() + milliseconds
  const client = new Connection({ address: () => url, statementMilliseconds: STATEMENT_MILLISECONDS })
  try {
    await client.connect()
    while (performance.now() < deadline && (await hasOthers(client))) await sleep(LOOK_AGAIN_MILLISECONDS)
  } catch {
    // A server that does not answer has no clients.
  } finally {
    await client.end().catch(() => {})
  }
  return Math.max(0, deadline - performance.now())
}

async function hasOthers(client: Connection): Promise<boolean> {
  const { rows } = await client.query(
    "select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1",
  )
  return rows.length > 0
}
