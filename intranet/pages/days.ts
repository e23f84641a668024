import { type Message, message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { dateKind, WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { beginOfDay } from '../webhooks/overview.ts'

const DAY_MS = 86_400_000
/** Bounds of the days that calculations accept. */
const [FIRST, LAST] = ['1970-01-01', '2999-12-31']

/** Reads a day such as 2026-03-02. Returns undefined for a blank text. */
export function readDay(text: string): { readonly day: string } | { readonly fault: Message } | undefined {
  if (text.trim() === '') return undefined
  try {
    const day = String(dateKind.read(text.trim()))
    return day >= FIRST && day <= LAST
      ? { day }
      : { fault: message('must be from {least} to {most}', { least: FIRST, most: LAST }) }
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    return { fault: error.text }
  }
}

export const endOfDay = (handle: Handle, day: string, timeZone: string): Promise<Date> =>
  beginOfDay(handle, new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10), timeZone)
