import { ask } from './ask.ts'
import type { Question } from './questions.ts'
import type { Side } from './sides.ts'

/**
 * Asks all sides for the pages that will be measured. Throws where one gives other rows, another order or another total
 * than the first.
 */
export async function requireSameRows(sides: readonly Side[], questions: readonly Question[]): Promise<void> {
  for (const { name, page } of questions) {
    if (!page) continue
    const read = async ({ dialect, running: { target } }: Side) => {
      const { body, headers } = await ask(target, dialect.page(page))
      return dialect.read(body, headers)
    }
    const [first, ...others] = sides as [Side, ...Side[]]
    const wanted = await read(first)
    if (wanted.ids.length === 0) throw new Error(`${first.name} has nothing to show for “${name}”`)
    for (const side of others) {
      const { ids, total } = await read(side)
      if (ids.join() !== wanted.ids.join()) {
        throw new Error(`“${name}”: ${first.name} shows ${wanted.ids.join()} and ${side.name} ${ids.join()}`)
      }
      if (page.withTotal && total !== wanted.total) {
        throw new Error(`“${name}”: ${first.name} counts ${wanted.total} and ${side.name} ${total}`)
      }
    }
  }
}
