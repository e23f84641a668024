import { say } from '@campus/engine/base/languages/say'

const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** `browser` is '' for an uncommon one. */
export type KnownBrowser = { readonly browser: string; readonly system?: string | undefined }

/** Identifies a browser by its user agent. */
export function identifyBrowser(userAgent: string | null): KnownBrowser {
  const find = (table: typeof BROWSERS) => table.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
  return { browser: find(BROWSERS) ?? '', system: find(SYSTEMS) }
}

/** Describes a browser, such as `Firefox on Linux`. */
export function describeBrowser({ browser, system }: KnownBrowser): string {
  const name = browser || say('A browser')
  return system === undefined ? name : say('{browser} on {system}', { browser: name, system })
}
