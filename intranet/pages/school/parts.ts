import type { ApiAnswer } from '../ask.ts'
import type { PageContext } from '../page-context.ts'
import type { Part } from '../paging.ts'
import { PER_PAGE } from '../paging.ts'

export const pageOf = ({ page }: Part) => ({ page, per_page: PER_PAGE })

export const leftOf = ({ total }: ApiAnswer<unknown>, { offset }: Part): number => total - offset

/** Returns undefined for an invalid id. */
export function idIn({ query }: Pick<PageContext, 'query'>, name: string): number | undefined {
  const text = query.text(name)
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

export const pathOfPerson = (login: string): string => `/people/${encodeURIComponent(login)}`
