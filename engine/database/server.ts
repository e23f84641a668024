import { setTimeout as sleep } from 'node:timers/promises'
import { type Hosts, readHosts, type TargetSession } from '../base/database-hosts.ts'
import { defined } from '../base/defined.ts'
import { Connection } from './connection.ts'
import { DatabaseAway, reasonOf } from './errors.ts'

export type Status = {
  /** Identifier of the cluster, which standbys share. */
  readonly system: string
  /** Grows with each promotion. */
  readonly timeline: number
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  /** `hot_standby_feedback`: the primary keeps rows that the standby still reads. */
  readonly hasFeedback: boolean
}

type Found = { readonly url: string; readonly status: Status }
type Answer = Found | { readonly problem: string }

const LOOK_MILLISECONDS = 2_000
/** Time for other servers to answer that they have taken over, after one was found. */
const STRAGGLER_MILLISECONDS = 500

/** The timeline of a standby is that of its last restartpoint. */
const STATUS = `select system_identifier::text as system, pg_is_in_recovery() as "isStandby",
  current_setting('transaction_read_only')::boolean as "isReadOnly",
  current_setting('hot_standby_feedback')::boolean as "hasFeedback",
  case when pg_is_in_recovery() then (select timeline_id from pg_control_checkpoint())
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline from pg_control_system()`

/**
 * Chooses among several hosts: the first that matches `target_session_attrs`, or of several primaries the last promoted one. Never
 * returns to a server that another has taken over from.
 */
export class DatabaseServer {
  readonly #hosts: Hosts
  #chosen: Found | undefined

  /** Throws HostsError. */
  constructor(address: string) {
    this.#hosts = readHosts(address)
  }

  get url(): string {
    return this.#chosen?.url ?? this.#hosts.urls[0]
  }

  /** Throws DatabaseAway if no host matches. */
  async choose(): Promise<void> {
    if (this.#hosts.urls.length === 1 && this.#hosts.target === 'any') return
    const { urls, target } = this.#hosts
    const looks = urls.map((url) => this.#look(url))
    const isDone = async (look: Promise<Answer>) => {
      const found = await look
      if ('url' in found && this.#isFit(found)) await sleep(STRAGGLER_MILLISECONDS)
      else await Promise.all(looks)
    }
    await Promise.race([Promise.all(looks), ...looks.map(isDone)])
    const answers = await Promise.all(looks.map((look) => Promise.race([look, NOT_YET])))
    const found = answers.filter((answer) => 'url' in answer)
    const fit = found.filter((one) => this.#isFit(one))
    const preferred = target === 'prefer-standby' ? fit.filter(({ status }) => status.isStandby) : []
    const candidates = preferred.length > 0 ? preferred : fit
    const newest = Math.max(...candidates.map(({ status }) => status.timeline))
    const chosen = candidates.find(({ status }) => status.timeline === newest)
    if (!chosen)
      throw new DatabaseAway(`none of its ${urls.length} servers will do (${answers.map(describe).join(', ')})`)
    this.#chosen = chosen
  }

  /** Throws DatabaseAway if the connection leads to another server than the chosen one, or that server was promoted or replaced. */
  async verify(client: Connection): Promise<void> {
    if (!this.#chosen) return
    const now = await statusOf(client)
    const { status } = this.#chosen
    if (now.system !== status.system || now.timeline < status.timeline || !SUITS[this.#hosts.target](now))
      throw new DatabaseAway('this is no longer the server to use')
  }

  async isReplaced(): Promise<boolean> {
    const chosen = this.#chosen
    if (!chosen) return false
    const others = this.#hosts.urls.filter((url) => url !== chosen.url)
    const answers = await Promise.all(others.map((url) => this.#look(url)))
    return answers.some(
      (answer) => 'url' in answer && !answer.status.isStandby && answer.status.timeline > chosen.status.timeline,
    )
  }

  /** Excludes demoted servers and other clusters. */
  #isFit({ status }: Found): boolean {
    const known = this.#chosen?.status
    if (known && (status.system !== known.system || (!status.isStandby && status.timeline < known.timeline)))
      return false
    return SUITS[this.#hosts.target](status)
  }

  async #look(url: string): Promise<Answer> {
    return lookAtServer(url).then(
      (status) => ({ url, status }),
      (error: unknown) => ({ problem: reasonOf(error) }),
    )
  }
}

export async function lookAtServer(url: string): Promise<Status> {
  const client = new Connection({ address: () => url, statementMilliseconds: LOOK_MILLISECONDS })
  try {
    await Promise.race([client.connect(), lateness()])
    return await statusOf(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function lateness(): Promise<never> {
  await sleep(LOOK_MILLISECONDS, undefined, { ref: false })
  throw new Error('no answer')
}

const NOT_YET: Promise<Answer> = Promise.resolve({ problem: 'no answer yet' })

const describe = (answer: Answer): string => {
  if ('problem' in answer) return answer.problem
  if (answer.status.isStandby) return 'a standby'
  return answer.status.isReadOnly ? 'read-only' : 'a former primary'
}

async function statusOf(client: Connection): Promise<Status> {
  const { rows } = await client.query<Status>(STATUS)
  return defined(rows[0])
}

const SUITS: Readonly<Record<TargetSession, (status: Status) => boolean>> = {
  any: () => true,
  'read-write': ({ isReadOnly }) => !isReadOnly,
  'read-only': ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
  'prefer-standby': () => true,
}
