import type { PageContext } from './page-context.ts'

const ANY_ORIGIN = 'https://campus.invalid'

/** Returns a path of this service, or Home for any other address. */
export function localPath(text: string | undefined): string {
  if (text === undefined || !text.startsWith('/') || /[\\\p{Cc}]/u.test(text)) return '/'
  const url = URL.parse(text, ANY_ORIGIN)
  if (url?.origin !== ANY_ORIGIN || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search
}

/** Returns the nearest page at or above a path, or Home. */
export function pageAbove(path: string, isPage: (pathname: string) => boolean): string {
  const [pathname = '/'] = localPath(path).split('?', 1)
  if (isPage(pathname)) return localPath(path)
  for (let end = pathname.lastIndexOf('/'); end > 0; end = pathname.lastIndexOf('/', end - 1)) {
    const above = pathname.slice(0, end)
    if (isPage(above)) return above
  }
  return '/'
}

/** Returns the page that led here, or Home if it was on another site. */
export function pathBefore({ referrer, dependencies: { config } }: PageContext): string {
  const url = referrer === undefined ? null : URL.parse(referrer)
  return url?.origin === new URL(config.baseUrl).origin ? localPath(url.pathname + url.search) : '/'
}
