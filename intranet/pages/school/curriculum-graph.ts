import type { CurriculumProject } from '../../school/domain/projects/curriculum.ts'
import { type Html, html, say } from '../html.ts'
import type { ProjectResult } from './project-results.ts'

export const GRAPH_STATES = ['done', 'under-way', 'open', 'failed', 'later'] as const
export type GraphState = (typeof GRAPH_STATES)[number]

const WORDS: Readonly<Record<GraphState, () => string>> = {
  done: () => say('done'),
  'under-way': () => say('under way'),
  open: () => say('open'),
  failed: () => say('failed'),
  later: () => say('later'),
}

export const graphStateText = (state: GraphState): string => WORDS[state]()

type Result = Pick<ProjectResult, 'final_mark' | 'project' | 'status' | 'validated?'>
export type GraphProject = CurriculumProject & { readonly state: GraphState; readonly mark: number | null }

/** A project is open if everything that leads to it is done. */
export function withStates(
  projects: readonly CurriculumProject[],
  results: readonly Result[],
): readonly GraphProject[] {
  const found = new Map(results.map((one) => [one.project.id, one]))
  const isDone = (id: number) => found.get(id)?.['validated?'] === true
  return projects.map((project) => {
    const result = found.get(project.id)
    return { ...project, mark: result?.final_mark ?? null, state: stateOf(result, project.leads.every(isDone)) }
  })
}

function stateOf(result: Result | undefined, isOpen: boolean): GraphState {
  if (result === undefined) return isOpen ? 'open' : 'later'
  if (result['validated?'] === true) return 'done'
  return result.status === 'finished' ? 'failed' : 'under-way'
}

const RADIUS = 54
const [MARGIN, LINE] = [RADIUS + 12, 17]

/** Draws projects where staff placed them. Returns undefined if none has a place. */
export function curriculumGraph(projects: readonly GraphProject[]): Html | undefined {
  const placed = projects.flatMap((project) => (project.place ? [{ ...project, ...project.place }] : []))
  if (placed.length === 0) return undefined
  const [xs, ys] = [placed.map(({ x }) => x), placed.map(({ y }) => y)]
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN]
  const [width, height] = [Math.max(...xs) - left + MARGIN, Math.max(...ys) - top + MARGIN]
  const byId = new Map(placed.map((project) => [project.id, project]))
  return html`
  <svg class="curriculum" viewBox="${left} ${top} ${width} ${height}" width="${width}" height="${height}" role="group" aria-label="${say('Map of the projects')}">
    ${placed.flatMap(({ leads, x, y, state }) =>
      leads.flatMap((id) => {
        const from = byId.get(id)
        return from ? html`<line class="lead-${state}" x1="${from.x}" y1="${from.y}" x2="${x}" y2="${y}"/>` : []
      }),
    )}
    ${placed.map(({ id, name, x, y, state, mark, exam }) => {
      const label = mark === null ? name : `${name} ${mark}`
      const lines = linesOf(label)
      return html`
    <a class="node state-${state}" href="/projects/${id}" aria-label="${mark === null ? say('{project}: {state}', { project: name, state: graphStateText(state) }) : say('{project} {mark}: {state}', { project: name, mark: String(mark), state: graphStateText(state) })}">
      ${exam ? html`<rect x="${x - RADIUS}" y="${y - RADIUS + 12}" width="${RADIUS * 2}" height="${RADIUS * 2 - 24}" rx="10"/>` : html`<circle cx="${x}" cy="${y}" r="${RADIUS}"/>`}
      <text translate="no">${lines.map((line, index) => html`<tspan x="${x}" y="${y + (index - (lines.length - 1) / 2) * LINE}"${line.length > LETTERS ? html` textLength="${RADIUS * 1.8}" lengthAdjust="spacingAndGlyphs"` : ''}>${line} </tspan>`)}</text>
    </a>`
    })}
  </svg>`
}

const [LETTERS, LINES] = [13, 4]

function linesOf(name: string): readonly string[] {
  const lines: string[] = []
  for (const word of name.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < LETTERS) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.slice(0, LINES)
}

export const graphLegend = (projects: readonly GraphProject[]): Html => html`
  <ul class="legend">${GRAPH_STATES.map((state) => {
    const count = projects.filter((one) => one.state === state).length
    return count === 0
      ? ''
      : html`<li><svg class="dot node state-${state}" viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="5"/></svg> ${graphStateText(state)} <span class="quiet">${count}</span></li>`
  })}</ul>`
