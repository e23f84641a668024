/** Starts a cluster of processes on this machine, and does what is typed: docs/scaling.md. */
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Cluster, openCluster } from './cluster.ts'

const HELP = `kill PART, start PART      like the loss of its machine, and its return
freeze PART, thaw PART     nobody gets an answer from it meanwhile
cut LINE, mend LINE        nothing gets through between two parts: cut campus1-db1
promote db2                makes a standby the primary, which the other one follows from then on
rejoin db1                 has a former primary follow the primary, as a copy of it
status                     what each part is
quit                       ends everything`

const STATUS = `select case when pg_is_in_recovery() then 'standby, replayed up to ' || pg_last_wal_replay_lsn()
  else 'primary, followed by ' || coalesce((select string_agg(application_name || ' (' || sync_state || ')', ', ') from pg_stat_replication), 'none') end`

type Command = (cluster: Cluster, name: string) => unknown

const lineOf = ({ links }: Cluster, name: string) => {
  const found = links.get(name)
  if (!found) throw new Error(`There is no line ${name}; there are ${[...links.keys()].join(', ')}.`)
  return found
}

const COMMANDS: Readonly<Record<string, Command>> = {
  kill: (cluster, name) => cluster.part(name).kill(),
  start: (cluster, name) => cluster.part(name).start(),
  freeze: (cluster, name) => cluster.part(name).freeze(),
  thaw: (cluster, name) => cluster.part(name).thaw(),
  cut: (cluster, name) => lineOf(cluster, name).cut(),
  mend: (cluster, name) => lineOf(cluster, name).mend(),
  promote: (cluster, name) => cluster.promote(name),
  rejoin: (cluster, name) => cluster.rejoin(name),
  async status({ databases, parts }) {
    for (const { name, answers } of parts) {
      const database = databases.find((server) => server.name === name)
      const said = database ? within(database.ask(STATUS)).then(([row]) => String(row?.[0])) : answers?.()
      const answered = await Promise.resolve(said).catch(() => false)
      console.log(
        `${name.padEnd(10)}${typeof answered === 'string' ? answered : answered === false ? 'no answer' : 'answers'}`,
      )
    }
  },
  help: () => console.log(HELP),
}

const prompt = () => process.stdout.write('cluster> ')
const within = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([work, new Promise<never>((_, reject) => setTimeout(reject, 2_000, new Error('no answer')).unref())])

const cluster = await openCluster()
try {
  const certificate = join(tmpdir(), 'campus-cluster.pem')
  await writeFile(certificate, cluster.ca)
  const { client_id, client_secret } = await cluster.credentials()
  console.log(`It answers at ${cluster.url}:
  curl --cacert ${certificate} ${cluster.url}/oauth/token -d grant_type=client_credentials -d client_id=${client_id} -d client_secret=${client_secret}
${HELP}`)
  const lines = createInterface({ input: process.stdin })
  prompt()
  for await (const line of lines) {
    const [word = '', name = ''] = line.trim().split(/\s+/)
    if (word === 'quit') break
    try {
      if (word !== '') await (COMMANDS[word] ?? COMMANDS.help)?.(cluster, name)
    } catch (error) {
      console.log(error instanceof Error ? error.message : error)
    }
    prompt()
  }
  lines.close()
} finally {
  await cluster.close()
}
