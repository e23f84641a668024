import { lineRadial } from 'd3-shape'
import { table } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import type { CursusUser } from '../level-ring.ts'

type Skill = CursusUser['skills'][number]

const [RADIUS, WIDTH, HEIGHT] = [120, 520, 330] as const
const RINGS = 4
/** Fewer skills form no shape. */
const MIN_SKILLS = 3

export function skillsRadar(skills: readonly Skill[]): Html {
  const numbers = table(
    say('Skills'),
    [say('Skill'), say('Level')],
    skills
      .toSorted((one, other) => other.level - one.level)
      .map(({ name, level }) => [name, say('{level, number}', { level })]),
  )
  if (skills.length < MIN_SKILLS) return numbers
  const max = Math.ceil(Math.max(1, ...skills.map(({ level }) => level)))
  const angle = (index: number) => (index / skills.length) * 2 * Math.PI
  const shape = lineRadial<Skill>()
    .angle((_, index) => angle(index))
    .radius(({ level }) => (level / max) * RADIUS)
  const placeOf = (index: number, distance: number) => ({
    x: Math.round(Math.sin(angle(index)) * distance),
    y: Math.round(-Math.cos(angle(index)) * distance),
  })
  const summary = say('Skills, of level {max, number} at most', { max })
  return html`
  <figure class="chart"><svg viewBox="${-WIDTH / 2} ${-HEIGHT / 2} ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${summary}">
    ${Array.from({ length: RINGS }, (_, ring) => html`<circle class="radar-ring" r="${((ring + 1) / RINGS) * RADIUS}"/>`)}
    ${skills.map((_, index) => {
      const { x, y } = placeOf(index, RADIUS)
      return html`<line class="radar-ring" x2="${x}" y2="${y}"/>`
    })}
    <path class="radar-shape" d="${rounded(shape([...skills]) ?? '')}Z"/>
    ${skills.map(({ name }, index) => {
      const { x, y } = placeOf(index, RADIUS + 12)
      const side = Math.abs(x) < 12 ? 'middle' : x > 0 ? 'start' : 'end'
      return html`<text class="radar-text" x="${x}" y="${y}" text-anchor="${side}" translate="no">${shortened(name)}</text>`
    })}
  </svg></figure>
  <details><summary>${say('As a table')}</summary>${numbers}</details>`
}

/** Longer names would leave the drawing. */
const shortened = (name: string) => (name.length > 16 ? `${name.slice(0, 15)}…` : name)

const rounded = (path: string) => path.replace(/\d+\.\d+/g, (number) => String(Math.round(Number(number))))
