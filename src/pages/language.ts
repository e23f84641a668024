import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { LANGUAGES, type Language } from '../languages.ts'

const asked = new AsyncLocalStorage<Language>()

/** The language of the page that is being written. */
export const language = (): Language => asked.getStore() ?? LANGUAGES[0]

/** Writes a page in the language that its reader wishes. */
export const inLanguage = <T>(one: Language, write: () => T): T => asked.run(one, write)

/** What a browser wishes most among the languages of pages; the school's usual one where it wishes none of them. */
export function wishedLanguage(request: Pick<FastifyRequest, 'headers'>, ofSchool: readonly Language[]): Language {
  const offered = [...ofSchool, ...LANGUAGES.filter((one) => !ofSchool.includes(one))]
  const [wished] = new Negotiator(request).languages(offered)
  return offered.find((one) => one === wished) ?? offered[0] ?? LANGUAGES[0]
}
