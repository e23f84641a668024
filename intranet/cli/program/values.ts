import { InvalidArgumentError } from 'commander'

/** Parses a whole number. Throws InvalidArgumentError, like the other functions here. */
export function count(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(text)
}

/** Checks a time in ISO 8601, and returns it as typed. */
export function time(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('It must be a time such as 2026-03-02T10:00:00Z.')
  return text
}

/** Checks an address to which a secret may be sent: over TLS, or on this machine. */
export function secureAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHere = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isHere)) || url.username || url.search)
    throw new InvalidArgumentError('It must be an address such as https://intranet.example.org.')
  return url.href.replace(/\/+$/, '')
}

/** Splits words at spaces and commas. */
export const words = (text: string) => text.split(/[\s,]+/).filter((word) => word !== '')

/** Splits names at commas. */
export const names = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Collects an option that may be repeated. */
export const append = (text: string, before: readonly string[] = []) => [...before, text]
