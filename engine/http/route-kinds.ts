import type { FastifyInstance, FastifyRequest } from 'fastify'
import { defined } from '../base/defined.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A page, which reads who visits from a cookie. */
    isPage?: boolean
    /** Below the API's prefix: rates are said, and the representation is negotiated. Set from the route's path. */
    isVersioned?: boolean
    /** Whether scripts of other origins may call the route, which reads no cookie. Set from the route's path. */
    isShared?: boolean
  }
}

/** The API, the OAuth endpoints that programs call, and files. */
const SHARED = /^\/(v2|v2\/.*|oauth\/(token(\/info)?|revoke|register|jwks|userinfo)|\.well-known\/.*|files\/.*)$/

/** Whether scripts of other origins may call a route, by its declared path. */
export const isShared = ({ path, isPage }: { readonly path: string; readonly isPage?: boolean | undefined }): boolean =>
  !isPage && SHARED.test(path)

const isVersionedPath = (path: string): boolean => path === '/v2' || path.startsWith('/v2/')

/** Decides once for each route, by the path that it is declared with: a request may write that in many ways. */
export function classifyRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { config = {}, url: path } = route
    const { isPage } = config
    route.config = { ...config, isVersioned: isVersionedPath(path), isShared: isShared({ path, isPage }) }
  })
}

/** Whether a request is one of the versioned API. What no route answers, and questions of browsers, have only their address. */
export const isVersioned = ({ is404, method, url, routeOptions }: FastifyRequest): boolean =>
  is404 || method === 'OPTIONS' ? isVersionedPath(pathOf(url)) : routeOptions.config.isVersioned === true

/** An address without its query. */
export const pathOf = (url: string): string => defined(url.split('?', 1)[0])
