import { randomBytes } from 'node:crypto'
import { CLIENT_NAME } from './former-clients.ts'
import { TAKE_LEASE } from './functions/writer-lease.ts'
import type { Handle } from './handle.ts'

/** A name for what one process does in a database, which no other has. */
export const newProcess = (): string => randomBytes(6).toString('hex')

/** Who has the lease, and whether another process of this service is connected, or may be. */
const LOOK = `
  select writer, exists (
    select from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and (application_name = '' and usename = current_user
        or application_name ^@ '${CLIENT_NAME}' and split_part(application_name, ' ', 4) not in ('', $1))
  ) from change_epoch`

/**
 * The lease of the process that is the only one that writes (`functions/writer-lease.ts`): while no other is connected, this one takes
 * it; another that connects ends it. Answers are right whichever process has it.
 */
export class WriterLease {
  readonly process: string
  readonly #isWanted: boolean
  #writer: string | undefined

  /** Where it is not wanted, that of another is ended all the same. */
  constructor(process: string, isWanted: boolean) {
    this.process = process
    this.#isWanted = isWanted
  }

  /** As far as is known. */
  get isHeld(): boolean {
    return this.#writer === this.process
  }

  /** Who has it was just seen. */
  note(writer: string | undefined): void {
    this.#writer = writer
  }

  /** Takes it where nobody else is there, and ends that of another. */
  async settle(rows: Handle['rows']): Promise<void> {
    if (this.isHeld) return
    const [row] = await rows(LOOK, [this.process])
    if (!row) return
    const [writer, others] = row
    if (writer !== null) await rows('select end_writer_lease()')
    if (!this.#isWanted || others === 't') return
    const taken = await rows(TAKE_LEASE, [this.process])
    if (taken.length > 0) this.#writer = this.process
  }

  /** Leaves it to the next process. */
  async end(rows: Handle['rows']): Promise<void> {
    if (this.isHeld) await rows('select end_writer_lease()')
    this.#writer = undefined
  }
}
