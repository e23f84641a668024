import type { Item } from '../ask.ts'
import { barChart, sum } from '../bar-chart.ts'
import { type Html, html, say } from '../html.ts'
import { projectState } from '../project-state.ts'
import { shares } from './shares.ts'

type Attempt = Item<'/v2/projects/{project_id}/projects_users'>

const STATES = ['creating_group', 'searching_a_group', 'in_progress', 'waiting_for_correction', 'finished'] as const

/** The number of attempts in each state. */
export const statesChart = (attempts: readonly Attempt[]): Html =>
  html`<p class="quiet">${say('Of the {count, plural, one {# person} other {# people}} who began last', { count: attempts.length })}</p>
  ${shares(
    STATES.map((status) => {
      const count = attempts.filter((one) => one.status === status).length
      return { name: projectState(status), value: count, text: say('{count, number}', { count }) }
    }),
  )}`

const STEP = 25
/** A mark of 100 is all that was asked; what is above it is a bonus. */
const STEPS = [0, STEP, 2 * STEP, 3 * STEP, 4 * STEP] as const

/** How many of those who are marked have which mark, as bars. */
export function marksChart(attempts: readonly Attempt[]): Html {
  const marks = attempts.flatMap(({ final_mark }) => (final_mark === null ? [] : [final_mark]))
  if (marks.length === 0) return html`<p class="quiet">${say('Nobody has been marked yet.')}</p>`
  const stepOf = (mark: number) => Math.min(4 * STEP, Math.max(0, Math.floor(mark / STEP) * STEP))
  return barChart({
    summary: say('{count, plural, one {# mark} other {# marks}} of theirs, {mean, number} on average', {
      count: marks.length,
      mean: Math.round(sum(marks) / marks.length),
    }),
    by: say('Mark'),
    labelEvery: 1,
    keys: [{ name: 'calls', heading: say('People'), text: say('people') }],
    columns: STEPS.map((step) => ({
      label: labelOf(step),
      title: labelOf(step),
      values: [marks.filter((mark) => stepOf(mark) === step).length],
    })),
  })
}

const labelOf = (step: number) => (step === 4 * STEP ? `${step}+` : `${step}–${step + STEP - 1}`)
