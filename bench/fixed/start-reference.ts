import type { Tls } from '@campus/engine/http/tls'
import type { Answer } from '../ask.ts'
import type { Rows } from '../bare/rows.ts'
import type { Target } from '../load.ts'
import type { FixedLine } from './lines.ts'
import { createPlainServer, PLAIN_TOKENS } from './plain-server.ts'
import { recordAnswer } from './record-answer.ts'

type Compared = {
  /** The service under test. Requests to it have no token. */
  readonly ours: Target
  readonly lines: readonly FixedLine[]
  readonly rows: Rows
  readonly tls: Tls
}

const MAKE_TOKENS = {
  name: 'make tokens',
  text: `create table if not exists ${PLAIN_TOKENS} (digest bytea primary key, created_at timestamptz not null)`,
}
const DROP_TOKENS = { name: 'drop tokens', text: `drop table ${PLAIN_TOKENS}` }

/** Starts the plain server that fixed costs are compared with. It replays recorded responses of the service. */
export async function startReference({ ours, lines, rows, tls }: Compared) {
  const spent = lines.find(({ status }) => status === 429)
  // The last request that the rate allows.
  if (spent) await recordAnswer(ours, tls.cert, { ...spent, status: 200 })
  const answers = new Map<FixedLine, Answer>()
  for (const line of lines) answers.set(line, await recordAnswer(ours, tls.cert, line))
  await rows(MAKE_TOKENS)
  const app = await createPlainServer({ answers, rows, tls })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    address: app.server.address(),
    async stop() {
      await app.close()
      await rows(DROP_TOKENS)
    },
  }
}
