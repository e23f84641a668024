import type { MessageKey } from '@campus/engine/base/languages/dictionary'
import { normalForm } from '@campus/engine/base/text/normal-form'

/** Words that say nothing about what an application does, alone or together. */
const EMPTY_WORDS = new Set(
  `a an the my mine our your this that some one new old first second last other another just only simple basic quick
   test tests testing tester try trial demo example sample draft temp tmp temporary foo bar baz qux asdf azerty qwerty
   app apps application applications api apis client clients oauth oauth2 auth login token key keys bot script tool tools
   service site web website webapp page project projects program software thing things stuff name title unnamed untitled
   hello world none null undefined unknown default dev prod production staging local localhost intra intranet campus
   school student students user users for of with and to in v`.split(/\s+/),
)

const MIN_LETTERS = 3

/** Returns the fault of a meaningless name (spec: authentication 30), or undefined. The length of the name has been checked. */
export function nameError(name: string): MessageKey | undefined {
  const words =
    normalForm(name, 'NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const distinctive = words.map(withoutNumbers).filter((word) => word !== '' && !EMPTY_WORDS.has(word))
  if (distinctive.length === 0) return 'is too generic; say what the application does, as in "Cluster map"'
  const letters = distinctive.join('')
  if ([...letters].length < MIN_LETTERS || new Set(letters).size === 1) {
    return 'is too short to tell anything; say what the application does, as in "Cluster map"'
  }
  return undefined
}

/** "test2" is as empty as "test". */
const withoutNumbers = (word: string) => (EMPTY_WORDS.has(word) ? word : word.replace(/^\p{N}+|\p{N}+$/gu, ''))
