import { AsyncLocalStorage } from 'node:async_hooks'
import { dictionary } from '@campus/engine/base/languages/dictionary'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { ENGLISH, inLanguage, type Language, type Languages } from '../settings/languages.ts'
import { readLanguage } from './cookies.ts'

type Reader = Pick<FastifyRequest, 'headers'>

/** Returns the code of the language of the page or mail that is being written. */
export const language = (): string => dictionary().code

/**
 * The language that a reader has chosen by hand, else what their browser wishes most among those of pages; the school's
 * usual one where it wishes none of them.
 */
export function preferredLanguage(reader: Reader, { ofSchool, all }: Languages): Language {
  const offered = [...new Set([...ofSchool, ...all])]
  const find = (code: string | undefined) => offered.find((one) => one.code === code)
  const [requested] = new Negotiator(reader).languages(offered.map(({ code }) => code))
  return find(readLanguage(reader)) ?? find(requested) ?? offered[0] ?? ENGLISH
}

const offered = new AsyncLocalStorage<readonly Language[]>()

/** Returns the languages that the page that is being written can be read in. */
export const offeredLanguages = (): readonly Language[] => offered.getStore() ?? [ENGLISH]

/** Writes a page in the language that its reader prefers. */
export const inLanguageOf = <T>(reader: Reader, languages: Languages, write: () => T | Promise<T>): Promise<T> =>
  offered.run(languages.all, () => inLanguage(preferredLanguage(reader, languages), write))
