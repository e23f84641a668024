import type { FastifyInstance, FastifyRequest } from 'fastify'
import { defined } from '../base/defined.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    isPage?: boolean
    /** Routes of the API show rates and negotiate representations. Set by the route's path. */
    isVersioned?: boolean
    isShared?: boolean
  }
}

/** Paths of the API, the OAuth endpoints for programs, and files. None reads a cookie. */
const SHARED = /^\/(v2|v2\/.*|oauth\/(token(\/info)?|revoke|register|jwks|userinfo)|\.well-known\/.*|files\/.*)$/

export const isShared = ({ path, isPage }: { readonly path: string; readonly isPage?: boolean | undefined }): boolean =>
  !isPage && SHARED.test(path)

const isVersionedPath = (path: string): boolean => path === '/v2' || path.startsWith('/v2/')

/** Classifies routes by their declared path, since a request may write a path in many ways. */
export function classifyRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const { config = {}, url: path } = route
    const { isPage } = config
    route.config = { ...config, isVersioned: isVersionedPath(path), isShared: isShared({ path, isPage }) }
  })
}

/** Reports whether a request is for the API. Unknown paths and preflights have no route, so their URL decides. */
export const isVersioned = ({ is404, method, url, routeOptions }: FastifyRequest): boolean =>
  is404 || method === 'OPTIONS' ? isVersionedPath(pathOf(url)) : routeOptions.config.isVersioned === true

export const pathOf = (url: string): string => defined(url.split('?', 1)[0])
