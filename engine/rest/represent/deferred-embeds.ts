import { defined } from '../../base/defined.ts'

/** JSON text never contains this character. */
const MARK = '\0'

export class MissingRecord extends Error {}

/** Marks the place of a record that a separate statement reads. `key` names its representation. */
export const markOf = (key: string, id: string) => `${MARK}${key} ${id}${MARK}`

type ReadTexts = (key: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Replaces marks by records, each read once. Throws MissingRecord. */
export async function fillMarks(texts: readonly string[], read: ReadTexts): Promise<string[]> {
  const pieces = texts.map((text) => text.split(MARK))
  const wanted = new Map<string, Set<string>>()
  for (const parts of pieces) {
    for (let at = 1; at < parts.length; at += 2) {
      const [key = '', id = ''] = defined(parts[at]).split(' ')
      wanted.set(key, (wanted.get(key) ?? new Set()).add(id))
    }
  }
  const found = new Map<string, string>()
  for (const [key, ids] of wanted) {
    for (const [id, text] of await read(key, [...ids])) found.set(`${key} ${id}`, text)
  }
  return pieces.map((parts) => {
    let out = defined(parts[0])
    for (let at = 1; at < parts.length; at += 2) {
      const text = found.get(defined(parts[at]))
      if (text === undefined) throw new MissingRecord(parts[at])
      out += text + parts[at + 1]
    }
    return out
  })
}
