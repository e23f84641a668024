/** The process of both servers; they are never asked at the same time. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@campus/engine/base/clock'
import { migrate } from '@campus/engine/database/migrate'
import { loadTls } from '@campus/engine/http/tls'
import { issueToken } from '@campus/intranet/oauth/tokens'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { createApp } from '@campus/intranet/server/app/app'
import { openForCommand } from '@campus/intranet/server/open-database'
import { readConfig } from '@campus/intranet/settings/config'
import { PARTS } from '@campus/service/parts'
import { createApplication } from '@campus/test/support/application'
import { builderOf } from '@campus/test/support/row-builder'
import type { FromStreamServer, ToStreamServer } from './messages.ts'
import { compareWriters } from './writers.ts'

const NO_LIMIT = 2_000_000_000
const STREAMS_OF_APPLICATION = 25
const STREAMS_OF_TOKEN = 5

const { streams, rounds, seconds } = JSON.parse(process.argv[2] ?? '{}') as Record<
  'streams' | 'rounds' | 'seconds',
  number
>
const folder = await mkdtemp(join(tmpdir(), 'campus-bench-'))
const config = readConfig({
  CAMPUS_DATA: folder,
  CAMPUS_LOG_LEVEL: 'warn',
  CAMPUS_STREAMS: '100000',
  CAMPUS_TOKENS_PER_SECOND: '0',
})
const opened = await openForCommand(config, { name: 'bench', mayCreate: true })
const { database } = opened
await migrate(database.kysely, storageOfResources())
const build = builderOf(database)
const [campus_id, user_id] = [await build.campus(), await build.user()]
const location = await build.location({ campus_id, user_id })
const tls = await loadTls(config)
const app = await createApp({ parts: PARTS, config, database, clock: systemClock, tls, secretKey: Buffer.alloc(32) })
await app.listen({ port: 0, host: '127.0.0.1' })

const clients = new Set<ServerResponse>()
const bare = createServer(tls, (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(': begun\n\n')
  clients.add(response)
  response.once('close', () => clients.delete(response))
})
await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve))

const send = (message: FromStreamServer) => process.send?.(message)
const urlOf = (address: unknown) => `https://127.0.0.1:${(address as AddressInfo).port}`

process.once('disconnect', async () => {
  await app.close()
  await opened.close()
  await rm(folder, { recursive: true, force: true })
  process.exit()
})
process.on('message', async (message: ToStreamServer) => {
  if (message.kind === 'memory') {
    global.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    send({ kind: 'memory', rss, heap: heapUsed })
  } else if (message.kind === 'change') {
    const change = () =>
      database.transaction((tx) => tx.rows('update locations set host = $1 where id = $2', [message.text, location]))
    await change()
    send({ kind: 'changed', at: performance.timeOrigin + performance.now() })
    if (message.side === 'bare') {
      const [record] = await database.rows('select to_json(l) from locations l where id = $1', [location])
      const event = Buffer.from(`id: 1\nevent: update\ndata: ${record?.[0]}\n\n`)
      for (const client of clients) client.write(event)
    }
  } else send({ kind: 'written', lines: await compareWriters({ rounds, seconds }) })
})

const rates = { rate_per_second: NO_LIMIT, rate_per_hour: NO_LIMIT }
const tokens: string[] = []
for (let n = 0; n * STREAMS_OF_APPLICATION < streams; n += 1) {
  const { id } = await database.transaction((tx) => createApplication(tx, { name: `Reader ${n}`, ...rates }))
  const grant = { applicationId: id, resourceOwnerId: null, scopes: ['public'] }
  for (let of = 0; of < STREAMS_OF_APPLICATION; of += STREAMS_OF_TOKEN)
    tokens.push((await issueToken(database, systemClock, grant)).token)
}
const path = `/v2/campus/${campus_id}/locations`
send({
  kind: 'ready',
  ca: tls.cert,
  ours: { url: urlOf(app.server.address()), path, tokens },
  bare: { url: urlOf(bare.address()), path, tokens: [] },
})
