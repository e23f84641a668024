import { readHolder } from '@campus/engine/base/process-name'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import { findJobLeases } from '@campus/engine/database/job-leases'
import { accessDenied } from '@campus/engine/errors'
import { DENIALS, isAdministrator } from '../../access/powers.ts'
import { callsOfDay, type Queue, queues } from '../../services/background/queues.ts'
import { badge, card, figures, table } from '../components.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type PersonPageContext, page, pageContent } from '../page.ts'
import type { PageDependencies } from '../page-context.ts'
import { timeFromNow, timeOf } from '../times.ts'

type Finding = Awaited<ReturnType<PageDependencies['examine']>>[number]

const STATES: Readonly<Record<Finding['state'], () => Html>> = {
  well: () => badge('good', say('well')),
  warning: () => badge('waiting', say('warning')),
  fault: () => badge('bad', say('fault')),
}
const WORST: readonly Finding['state'][] = ['fault', 'warning', 'well']

const QUEUE_NAMES: Readonly<Record<Queue['name'], () => string>> = {
  mails: () => say('Mails'),
  deliveries: () => say('Webhooks to campuses'),
  webhook_deliveries: () => say('Webhooks to applications'),
  pdf_jobs: () => say('PDFs to read'),
}

export const doctor = page({
  path: '/staff/doctor',
  access: 'staff',
  async show(context) {
    const { database, clock, examine, requestTimes } = context.dependencies
    if (!(await isAdministrator(database, context.person.id))) throw accessDenied(DENIALS.notAdministrator)
    const findings = (await examine()).toSorted((one, other) => WORST.indexOf(one.state) - WORST.indexOf(other.state))
    const calls = await callsOfDay(database, clock.now())
    const times = requestTimes()
    const milliseconds = (seconds: number) => say('{count, number} ms', { count: Math.round(seconds * 1000) })
    return pageContent(
      say('Doctor'),
      html`
      <p>${sayWith('What the service depends on, and what to do where something is wrong. {command} says the same where no page opens.', { command: html`<code translate="no">${typedCommand('doctor')}</code>` })}</p>
      <section class="card" aria-label="${say('At a glance')}">${figures([
        { value: calls.made, label: say('calls in a day') },
        { value: calls.failed, label: say('of them failed by our fault') },
        { value: milliseconds(times.median), label: say('half of the requests are quicker') },
        { value: milliseconds(times.p99), label: say('99 of 100 requests are quicker') },
      ])}</section>
      ${card(say('Findings'), table(say('Findings'), [say('State'), say('Part'), say('Finding'), say('What to do')], findings.map(rowOf)))}
      <div class="grid large">
        ${card(
          say('What waits'),
          table(
            say('What waits'),
            [say('Queue'), say('Waiting'), say('The first is due')],
            (await queues(database)).map((one) => queueRow(context, one)),
          ),
        )}
        ${card(say('Who does what'), await leasesOf(context))}
      </div>
      <p class="quiet">${say('The times are those of the process that answered, since its start.')}</p>`,
    )
  },
})

/** Renders a finding. Its texts are in English, as `campus doctor` prints them. */
const rowOf = ({ state, about, said, advice }: Finding) => [
  STATES[state](),
  html`<span lang="en" class="record-id">${about}</span>`,
  html`<span lang="en">${said}</span>`,
  advice ? html`<span lang="en">${advice}</span>` : '',
]

const queueRow = (context: PersonPageContext, { name, waiting, oldestDueAt }: Queue) => [
  QUEUE_NAMES[name](),
  say('{count, number}', { count: waiting }),
  oldestDueAt
    ? html`${timeFromNow(context, oldestDueAt)} <span class="quiet">${timeOf(context, oldestDueAt)}</span>`
    : '',
]

async function leasesOf(context: PersonPageContext): Promise<Html> {
  const leases = await findJobLeases(context.dependencies.database)
  const machines = Map.groupBy(leases, ({ holder }) => readHolder(holder).machine)
  return html`<ul class="list">${[...machines].map(
    ([machine, jobs]) => html`<li><span class="code">${machine}</span>
    <span class="quiet">${say('{count, plural, one {# job} other {# jobs}}', { count: jobs.length })}</span></li>`,
  )}</ul><p><a href="/staff/jobs">${say('Background work')}</a></p>`
}
