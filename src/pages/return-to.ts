import type { PageContext } from './page-context.ts'

const ANY_ORIGIN = 'https://campus.invalid'

/** A path of this service to go to after signing in, or Home: never another address. */
export function localPath(text: string | undefined): string {
  if (text === undefined || !text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return '/'
  const url = URL.parse(text, ANY_ORIGIN)
  if (url?.origin !== ANY_ORIGIN || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search
}

/** The page that led here, or Home where it was none of ours. */
export function pathBefore({ referrer, dependencies: { config } }: PageContext): string {
  const url = referrer === undefined ? null : URL.parse(referrer)
  return url?.origin === new URL(config.baseUrl).origin ? localPath(url.pathname + url.search) : '/'
}
