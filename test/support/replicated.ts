import { defined } from '@campus/engine/base/defined'
import { type PostgresServer, postgresServers } from './postgres-servers.ts'
import { until } from './until.ts'

export type Replicated = {
  readonly primary: PostgresServer
  /** The first of the standbys, which commits wait for where they are synchronous. */
  readonly standby: PostgresServer
  readonly standbys: readonly PostgresServer[]
  /** These, in this order, with these parameters. */
  address(servers: readonly Pick<PostgresServer, 'port'>[], parameters?: string): string
  close(): Promise<void>
}

/** A primary and standbys that follow it; commits wait for the first of these where they are synchronous. */
export async function replicated({ isSynchronous = false, standbys: count = 1 } = {}): Promise<Replicated> {
  const names = ['primary', ...Array.from({ length: count }, (_, at) => `standby${at + 1}`)]
  const {
    servers: [first, ...standbys],
    close,
  } = await postgresServers(names)
  const primary = defined(first)
  await primary.create()
  await primary.start()
  for (const standby of standbys) {
    await standby.follow(primary.port)
    await standby.start()
  }
  if (isSynchronous) {
    await primary.ask(`alter system set synchronous_standby_names = 'standby1'`)
    await primary.ask('select pg_reload_conf()')
    await until(async () => (await primary.ask(`select from pg_stat_replication where sync_state = 'sync'`)).length > 0)
  }
  return {
    ...{ primary, standby: defined(standbys[0]), standbys, close },
    address: (servers, parameters = '') =>
      `postgres://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`,
  }
}
