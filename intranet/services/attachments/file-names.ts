import { normalForm } from '@campus/engine/base/text/normal-form'
import formatDisposition from 'content-disposition'

const MAX_CHARACTERS = 200

/** Removes folders, control characters and characters that systems refuse. Returns `fallback` if nothing is left. */
export function cleanFileName(name: string, fallback: string): string {
  const clean = (text: string) =>
    (text.split(/[/\\]/).at(-1) ?? '')
      .replace(/[\p{Cc}\p{Cf}"<>|:*?]/gu, '')
      .trim()
      .replace(/^\.+/, '')
  return shorten(clean(name) || clean(fallback) || 'file')
}

/** Shortens a name before its extension. */
function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_CHARACTERS) return name
  const ending = /\.[^.]{1,10}$/u.exec(name)?.[0] ?? ''
  return characters.slice(0, MAX_CHARACTERS - ending.length).join('') + ending
}

/** `Content-Disposition` with a name in any script (RFC 6266, RFC 8187), and one in ASCII for old clients. */
export function contentDisposition(type: 'inline' | 'attachment', name: string): string {
  const fallback = normalForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_')
  return formatDisposition(name.toWellFormed(), { type, fallback })
}
