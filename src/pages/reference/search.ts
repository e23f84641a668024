import { type Html, html } from '../html.ts'
import type { Action, Operation, Reference } from './model.ts'

/** An endpoint that was found. */
type Finding = { readonly resource: string; readonly action: Action; readonly operation: Operation }

const MOST_FINDINGS = 40

/** Endpoints in which every word occurs; those in whose path or name it does come first. */
export function search({ resources }: Reference, text: string): Finding[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8)
  if (words.length === 0) return []
  const scored = resources.flatMap(({ name: resource, actions }) =>
    actions.flatMap((action) => {
      const found = action.operations
        .map((operation) => ({ resource, action, operation, score: scoreOf(resource, operation, words) }))
        .filter(({ score }) => score > 0)
      return byScore(found).slice(0, 3)
    }),
  )
  return byScore(scored).slice(0, MOST_FINDINGS)
}

const byScore = <T extends { readonly score: number }>(list: T[]): T[] =>
  list.sort((one, other) => other.score - one.score)

/** 0 where a word occurs nowhere. */
function scoreOf(
  resource: string,
  { method, path, summary, id, parameters }: Operation,
  words: readonly string[],
): number {
  const segments = path.toLowerCase().split('/')
  const name = `${method} ${summary} ${id} ${resource}`.toLowerCase()
  const rest = parameters.map((one) => one.name.toLowerCase())
  let sum = 0
  for (const word of words) {
    if (resource === word) sum += 60
    else if (segments.at(-1) === word) sum += 40
    else if (segments.includes(word) || path.toLowerCase() === word) sum += 30
    else if (name.split(' ').includes(word)) sum += 30
    else if (path.toLowerCase().includes(word)) sum += 15
    else if (name.includes(word)) sum += 10
    else if (rest.some((one) => one.includes(word))) sum += 2
    else return 0
  }
  // Of two that fit as well, the shorter path is the more likely one.
  return sum - path.length / 1000
}

/** What was found, to be read and followed. */
export const findingsList = (findings: readonly Finding[], text: string): Html =>
  findings.length === 0
    ? html`<p>Nothing has “${text}” in its path, name or parameters.</p>`
    : html`<ul class="findings">${findings.map(
        ({ resource, action, operation: { method, path, summary } }) => html`
      <li><a href="/apidoc/${resource}#${action.anchor}"><span class="method ${method.toLowerCase()}">${method}</span>
        <code class="path">${path}</code> <span class="quiet">${summary}</span></a></li>`,
      )}
    </ul>`
