import { type Asked, askFor, totalOf } from './asker.ts'
import { alternate, type ScaleLine, withinRatio } from './lines.ts'

const PER_PAGE = 30
const LISTS = ['/v2/locations', '/v2/campus/1/locations']

/** Pages in the middle and at the end of the largest list, whole and below a parent, beside its first page. */
export async function deepPages({ ask, rounds }: Asked): Promise<ScaleLine[]> {
  const lines: ScaleLine[] = []
  for (const list of LISTS) {
    const first = () => askFor(ask, `${list}?per_page=${PER_PAGE}`)
    const last = Math.ceil(totalOf(await first()) / PER_PAGE)
    for (const [name, number, aim] of [
      ['in the middle', last >> 1, 5],
      ['at the end', last, 3],
    ] as const) {
      const page = () => askFor(ask, `${list}?per_page=${PER_PAGE}&page=${number}`)
      const times = await alternate(rounds, page, first)
      lines.push(withinRatio(`page ${name} of \`${list}\` (${number.toLocaleString('en')})`, times, 'first page', aim))
    }
  }
  return lines
}
