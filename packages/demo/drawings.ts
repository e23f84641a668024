import { defined } from '@campus/engine/base/defined'
import { isOneOf, namesOf } from '@campus/engine/base/narrow'
import { type Drawing, fill, square } from '@campus/intranet/services/attachments/svg-pictures'

export type DrawingKind = keyof typeof DRAWINGS

const RECORD = /^[a-z0-9][a-z0-9-]{0,99}$/

/** Draws the picture of a record. Returns undefined if nothing has that name. */
export function draw(kind: string, name: string): Drawing | undefined {
  if (!isOneOf(namesOf(DRAWINGS), kind) || !RECORD.test(name)) return undefined
  return DRAWINGS[kind](new Choices(`${kind}/${name}`), name)
}

/** Chooses numbers by the hash of a text (FNV-1a). */
class Choices {
  #state = 0x811c9dc5

  constructor(text: string) {
    for (const char of text) this.#state = Math.imul(this.#state ^ char.charCodeAt(0), 0x01000193)
  }

  /** Returns an integer from 0 (inclusive) to `count` (exclusive). */
  below(count: number): number {
    this.#state = Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5
    return ((this.#state ^ (this.#state >>> 13)) >>> 0) % count
  }

  pick<T>(list: readonly T[]): T {
    return defined(list[this.below(list.length)])
  }
}

const ground = (hue: number, lightness = 88) => `<rect width="100" height="100" ${fill(hue, 45, lightness)}/>`

const SKIN = ['#f6d7c1', '#e9b995', '#c98f65', '#9a6542', '#6f452c']
const HAIR = ['#2b211c', '#5a3825', '#8d5a2b', '#c89b4f', '#a5432a', '#77736e']
const HAIRCUTS = [
  'M31 40c0-16 8-23 19-23s19 7 19 23c-3-8-9-12-19-12s-16 4-19 12z',
  'M30 60c-4-30 5-44 20-44s24 14 20 44c-3-4-3-14-4-22-8 0-18-3-22-9-1 8-9 12-10 14 0 7-1 13-4 17z',
  'M32 36c2-12 9-18 18-18 10 0 17 6 18 18-8-4-14-9-18-9s-10 5-18 9z',
  'M31 41c-4-8 0-13 3-17 3-7 11-9 17-7 8-3 16 3 17 9 4 4 4 10 1 15-2-6-6-11-10-12-8 4-20 4-26 1-1 3-2 7-2 11z',
]

function portrait(choices: Choices): Drawing {
  const [skin, hair] = [choices.pick(SKIN), choices.pick(HAIR)]
  const hue = choices.below(360)
  return square(`${ground(hue)}
<path d="M14 100c0-23 15-33 36-33s36 10 36 33z" ${fill((hue + 150 + choices.below(60)) % 360, 40, 42)}/>
<path d="M42 56h16v13c0 5-16 5-16 0z" fill="${skin}"/><ellipse cx="50" cy="43" rx="18" ry="21" fill="${skin}"/>
<path d="${choices.pick(HAIRCUTS)}" fill="${hair}"/>
<g fill="#2b211c"><circle cx="43" cy="44" r="1.700"/><circle cx="57" cy="44" r="1.700"/></g>
<path d="M44 53q6 ${choices.pick([3, 5, 6])} 12 0" fill="none" stroke="#7d3f33" stroke-width="1.600" stroke-linecap="round"/>`)
}

const STAR = 'M50 33l5 11 12 1-9 8 3 12-11-6-11 6 3-12-9-8 12-1z'

function medal(choices: Choices): Drawing {
  const hue = choices.below(360)
  return square(`${ground(hue, 94)}
<path d="M34 62L24 94l13-5 8 10 7-28z" ${fill(hue, 55, 45)}/><path d="M66 62l10 32-13-5-8 10-7-28z" ${fill(hue, 55, 38)}/>
<circle cx="50" cy="50" r="32" fill="#d9a52b"/><circle cx="50" cy="50" r="26" fill="#f2cc5c"/><path d="${STAR}" fill="#fff6da"/>`)
}

const PATTERNS = [
  'M50 10v82c22-8 34-24 34-46V18z',
  'M16 40h68v8c0 6-1 11-3 16H19c-2-5-3-10-3-16z',
  'M16 18l68 36c-1 5-3 10-6 14L16 34z',
]

function arms(choices: Choices, name: string): Drawing {
  const hue = choices.below(360)
  return square(`<path d="M50 8l36 9v29c0 24-13 40-36 48C27 86 14 70 14 46V17z" ${fill(hue, 48, 40)}/>
<path d="${choices.pick(PATTERNS)}" ${fill((hue + 35) % 360, 50, 54)}/>
<text x="50" y="65" font-family="Georgia, serif" font-size="44" text-anchor="middle" fill="#fff">${name.charAt(0).toUpperCase()}</text>`)
}

function landscape(choices: Choices): Drawing {
  const hue = choices.below(360)
  const hill = (from: number, lightness: number) => {
    const [left, right, end] = [choices.below(10), choices.below(10), choices.below(8)]
    return `<path d="M0 ${from}C20 ${from - 12 + left} 35 ${from + 8 - right} 55 ${from - 4}S85 ${from - 10 + end} 100 ${from - 3}V40H0z" ${fill(hue, 38, lightness)}/>`
  }
  return {
    height: 40,
    content: `<rect width="100" height="40" ${fill(hue, 50, 82)}/><circle cx="${20 + choices.below(60)}" cy="11" r="5" fill="#fff4cf"/>${hill(22, 62)}${hill(28, 47)}${hill(35, 32)}`,
  }
}

function building(choices: Choices): Drawing {
  const hue = choices.below(360)
  const windows = Array.from({ length: 12 }, (_, index) => {
    const [x, y] = [28 + (index % 4) * 12, 34 + Math.floor(index / 4) * 14]
    return `<rect x="${x}" y="${y}" width="8" height="9" fill="${choices.pick(['#ffe9a8', '#fff', '#cfe3ee'])}"/>`
  })
  return square(
    `${ground(hue)}<path d="M22 90V30l28-16 28 16v60z" ${fill(hue, 40, 42)}/>${windows.join('')}<path d="M45 90V77h10v13z" fill="#fff"/>`,
  )
}

function parcel(choices: Choices): Drawing {
  const hue = choices.below(360)
  return square(`${ground(hue, 93)}<path d="M50 18l32 15v36L50 86 18 69V33z" ${fill(hue, 45, 58)}/>
<path d="M50 48l32-15v36L50 86z" ${fill(hue, 45, 46)}/><path d="M50 48L18 33l32-15 32 15z" ${fill(hue, 50, 70)}/>
<path d="M31 27l32 15v15l7-3V39L38 24z" fill="#fff" opacity=".8"/>`)
}

function plan(choices: Choices): Drawing {
  const hue = choices.below(360)
  const seats = Array.from({ length: 24 }, (_, index) => {
    const [x, y] = [14 + (index % 6) * 13, 18 + Math.floor(index / 6) * 19]
    return `<rect x="${x}" y="${y}" width="8" height="6" rx="1.500"/><circle cx="${x + 4}" cy="${y + 10}" r="2.400" opacity=".6"/>`
  })
  return square(`${ground(hue, 95)}<g ${fill(hue, 35, 45)}>${seats.join('')}</g>`)
}

const DRAWINGS = {
  users: portrait,
  achievements: medal,
  coalitions: arms,
  covers: landscape,
  campus: building,
  products: parcel,
  clusters: plan,
} as const satisfies Readonly<Record<string, (choices: Choices, name: string) => Drawing>>
