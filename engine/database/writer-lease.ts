import { randomBytes } from 'node:crypto'
import { CLIENT_NAME } from './former-clients.ts'
import { TAKE_LEASE } from './functions/writer-lease.ts'
import type { Handle } from './handle.ts'

export const newProcess = (): string => randomBytes(6).toString('hex')

/** Selects the holder of the lease, and whether another process of this service may be connected. */
const LOOK = `
  select writer, exists (
    select from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and (application_name = '' and usename = current_user
        or application_name ^@ '${CLIENT_NAME}' and split_part(application_name, ' ', 4) not in ('', $1))
  ) from change_epoch`

/**
 * The lease of the only process that writes (`functions/writer-lease.ts`). A process takes it while no other is connected, and ends that
 * of another. Answers are correct with any holder.
 */
export class WriterLease {
  readonly process: string
  readonly #isWanted: boolean
  #writer: string | undefined

  /** A process that does not want the lease still ends that of another. */
  constructor(process: string, isWanted: boolean) {
    this.process = process
    this.#isWanted = isWanted
  }

  get isHeld(): boolean {
    return this.#writer === this.process
  }

  note(writer: string | undefined): void {
    this.#writer = writer
  }

  /** Takes the lease if no other process is connected, and ends that of another. */
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

  async end(rows: Handle['rows']): Promise<void> {
    if (this.isHeld) await rows('select end_writer_lease()')
    this.#writer = undefined
  }
}
