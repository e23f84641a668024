import { setTimeout as sleep } from 'node:timers/promises'
import { type Hosts, readHosts, type TargetSession } from '../base/database-hosts.ts'
import { defined } from '../base/defined.ts'
import { Connection } from './connection.ts'
import { DatabaseAway, reasonOf } from './errors.ts'

/** What a server says of itself. */
export type Status = {
  /** Of the cluster: a standby has that of its primary. */
  readonly system: string
  /** Grows with each promotion. */
  readonly timeline: number
  readonly isStandby: boolean
  readonly isReadOnly: boolean
  /** Whether a standby has its primary keep the rows that it still reads. */
  readonly hasFeedback: boolean
}

type Found = { readonly url: string; readonly status: Status }
type Answer = Found | { readonly problem: string }

const LOOK_MILLISECONDS = 2_000
/** When one has been found, others have so long to say that they have taken over from it. */
const STRAGGLER_MILLISECONDS = 500

/** Of a standby the timeline is that of its last restartpoint. */
const STATUS = `select system_identifier::text as system, pg_is_in_recovery() as "isStandby",
  current_setting('transaction_read_only')::boolean as "isReadOnly",
  current_setting('hot_standby_feedback')::boolean as "hasFeedback",
  case when pg_is_in_recovery() then (select timeline_id from pg_control_checkpoint())
    else ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::int end as timeline from pg_control_system()`

/**
 * Which of the hosts of the database is connected to. Where the address has several, that is the first that is what
 * `target_session_attrs` says; of several primaries the one that was promoted last, and never one that another has taken over from.
 */
export class DatabaseServer {
  readonly #hosts: Hosts
  #chosen: Found | undefined

  /** Throws HostsError. */
  constructor(address: string) {
    this.#hosts = readHosts(address)
  }

  /** The address with the one host that was chosen last. */
  get url(): string {
    return this.#chosen?.url ?? this.#hosts.urls[0]
  }

  /** Looks at all hosts. Throws DatabaseAway where none of them will do. */
  async choose(): Promise<void> {
    if (!this.#isChoice) return
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

  /** Throws DatabaseAway where the server of this connection is not the one that was chosen, or has changed since. */
  async verify(client: Connection): Promise<void> {
    if (!this.#chosen) return
    const now = await statusOf(client)
    const { status } = this.#chosen
    if (now.system !== status.system || now.timeline < status.timeline || !suits(now, this.#hosts.target))
      throw new DatabaseAway('this is no longer the server to use')
  }

  /** Resolves to whether another host has taken over from the one that was chosen. */
  async isReplaced(): Promise<boolean> {
    const chosen = this.#chosen
    if (!chosen) return false
    const others = this.#hosts.urls.filter((url) => url !== chosen.url)
    const answers = await Promise.all(others.map((url) => this.#look(url)))
    return answers.some(
      (answer) => 'url' in answer && !answer.status.isStandby && answer.status.timeline > chosen.status.timeline,
    )
  }

  get #isChoice(): boolean {
    return this.#hosts.urls.length > 1 || this.#hosts.target !== 'any'
  }

  /** What was promoted away from is not used again, and neither is another cluster. */
  #isFit({ status }: Found): boolean {
    const known = this.#chosen?.status
    if (known && (status.system !== known.system || (!status.isStandby && status.timeline < known.timeline)))
      return false
    return suits(status, this.#hosts.target)
  }

  async #look(url: string): Promise<Answer> {
    return lookAtServer(url).then(
      (status) => ({ url, status }),
      (error: unknown) => ({ problem: reasonOf(error) }),
    )
  }
}

/** Asks a server for what it is. Rejects where it does not answer soon. */
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

function suits({ isStandby, isReadOnly }: Status, target: TargetSession): boolean {
  switch (target) {
    case 'read-write':
      return !isReadOnly
    case 'read-only':
      return isReadOnly
    case 'primary':
      return !isStandby
    case 'standby':
      return isStandby
    default:
      return true
  }
}
