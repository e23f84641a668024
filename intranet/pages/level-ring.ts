import type { Answer } from './ask.ts'
import { type Html, html, say } from './html.ts'

/** The ring shows the progress to the next level. */
export const levelRing = (level: number): Html => html`
  <svg class="ring" viewBox="0 0 36 36" role="img" aria-label="${say('Level {level, number}', { level })}">
    <circle class="ring-whole" cx="18" cy="18" r="15.9155" pathLength="100"/>
    <circle class="ring-part" cx="18" cy="18" r="15.9155" pathLength="100" stroke-dasharray="${Math.round((level % 1) * 100)} 100"/>
    <text x="18" y="18" aria-hidden="true">${Math.floor(level)}</text>
  </svg>`

export type CursusUser = Answer<'/v2/users/{id}'>['cursus_users'][number]

/** Returns the current cursus that began last, or the last cursus if all have ended. */
export function currentCursus(all: readonly CursusUser[], now: Date): CursusUser | undefined {
  const begun = all.toSorted((one, other) => other.begin_at.localeCompare(one.begin_at))
  return begun.find(({ end_at }) => end_at === null || new Date(end_at) > now) ?? begun[0]
}
