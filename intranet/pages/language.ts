import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { ENGLISH, isLanguage, LANGUAGES, type Language } from '../settings/languages/languages.ts'
import { readLanguage } from './cookies.ts'

export { inLanguage, language } from '../settings/languages/language.ts'

/**
 * The language that a reader has chosen by hand, else what their browser wishes most among those of pages; the school's
 * usual one where it wishes none of them.
 */
export function preferredLanguage(request: Pick<FastifyRequest, 'headers'>, ofSchool: readonly Language[]): Language {
  const chosen = readLanguage(request)
  if (chosen !== undefined && isLanguage(chosen)) return chosen
  const offered = [...ofSchool, ...LANGUAGES.filter((one) => !ofSchool.includes(one))]
  const [preferred] = new Negotiator(request).languages(offered)
  return offered.find((one) => one === preferred) ?? offered[0] ?? ENGLISH
}
