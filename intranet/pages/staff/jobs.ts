import { readHolder } from '@campus/engine/base/process-name'
import { findJobLeases, type JobLease } from '@campus/engine/database/job-leases'
import { badge, type Cell, empty, table } from '../components.ts'
import { html, say } from '../html.ts'
import { type PageContext, page, pageContent } from '../page.ts'
import { timeOf } from '../times.ts'

/** A job of another release is shown by its name. */
const PURPOSES: Readonly<Record<string, () => string>> = {
  back_up: () => say('Make backups'),
  contract: () => say('Take away what only a former release needs'),
  compact_counts: () => say('Add up what was counted'),
  purge_feed: () => say('Delete old changes of the feed'),
  read_pdf: () => say('Read PDFs'),
  relay_changes: () => say('Copy changes into the feed'),
  remind: () => say('Remind people of evaluations'),
  rotate_signing_keys: () => say('Change keys of ID tokens'),
  send_logout_notices: () => say('Pass on sign-outs'),
  send_mails: () => say('Send mails'),
  sweep: () => say('Delete what has expired'),
  sweep_changes: () => say('Delete changes that all processes have read'),
}

export const jobs = page({
  path: '/staff/jobs',
  access: 'staff',
  async show(context) {
    const leases = await findJobLeases(context.dependencies.database)
    return pageContent(
      say('Background work'),
      html`
      <p>${say('Each of these jobs runs in one process at a time, whatever the number of machines. Another process takes over within seconds where one is lost.')}</p>
      ${
        leases.length === 0
          ? empty(say('Nothing has run yet.'))
          : table(
              say('Background work'),
              [say('Job'), say('Machine'), say('Process'), say('Since'), say('Last done')],
              leases.map((lease) => rowOf(context, lease)),
            )
      }`,
    )
  },
})

function rowOf(context: PageContext, { job, holder, isHeld, heldSince, workedAt }: JobLease): readonly Cell[] {
  const { machine, pid } = readHolder(holder)
  const time = (at: Date | null) => (at ? timeOf(context, at) : '')
  return [
    html`${PURPOSES[job]?.() ?? job} <span class="quiet code">${job}</span>`,
    machine,
    isHeld ? pid : html`${pid} ${badge('bad', say('lost'))}`,
    time(heldSince),
    time(workedAt),
  ]
}
