import { AsyncLocalStorage } from 'node:async_hooks'
import { dictionary } from '@campus/engine/base/languages/dictionary'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { ENGLISH, inLanguage, type Language, type Languages } from '../settings/languages.ts'
import { readLanguage } from './cookies.ts'

type Reader = Pick<FastifyRequest, 'headers'>

export const language = (): string => dictionary().code

/** Returns the chosen language, else the offered language that the browser prefers, else the school's first language. */
export function preferredLanguage(reader: Reader, { ofSchool, all }: Languages): Language {
  const offered = [...new Set([...ofSchool, ...all])]
  const find = (code: string | undefined) => offered.find((one) => one.code === code)
  const [requested] = new Negotiator(reader).languages(offered.map(({ code }) => code))
  return find(readLanguage(reader)) ?? find(requested) ?? offered[0] ?? ENGLISH
}

const offered = new AsyncLocalStorage<readonly Language[]>()

export const offeredLanguages = (): readonly Language[] => offered.getStore() ?? [ENGLISH]

export const inLanguageOf = <T>(reader: Reader, languages: Languages, write: () => T | Promise<T>): Promise<T> =>
  offered.run(languages.all, () => inLanguage(preferredLanguage(reader, languages), write))
