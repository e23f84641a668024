import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addressBlock } from '../base/address-block.ts'
import { message } from '../base/languages/say.ts'
import { isRecord } from '../base/narrow.ts'
import { tooManyRequests } from '../errors.ts'
import { MemoryRates } from './rates/memory-rates.ts'
import type { RateStore } from './rates/rate-store.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    publicRate?: PublicRate
  }
  interface FastifyInstance {
    publicRates: ReadonlyMap<string, PublicRate | undefined>
  }
}

export type PublicRate = {
  readonly name: string
  /** Requests a minute from an IPv4 address or the /64 of an IPv6 address. */
  readonly perAddress: number
  /** Requests a minute with the same secret in the parameter `token`. */
  readonly perLink?: number
  /** Counts for all processes together, for costly responses. Other rates count in each process. */
  readonly isShared?: boolean
}

export type PublicRates = {
  /** The first pattern that matches a route's path gives its rate. Other routes need a token. */
  readonly byPath: readonly (readonly [path: RegExp, rate: PublicRate])[]
  readonly unknown: PublicRate
  readonly unlimited: Readonly<Record<string, string>>
}

export function limitPublicRoutes(
  app: FastifyInstance,
  shared: RateStore,
  { byPath, unknown, unlimited }: PublicRates,
): void {
  const rates = new Map<string, PublicRate | undefined>()
  const own = new MemoryRates()
  app.decorate('publicRates', rates)
  app.addHook('onRoute', (route) => {
    const rate = route.url in unlimited ? undefined : byPath.find(([path]) => path.test(route.url))?.[1]
    for (const method of [route.method].flat()) rates.set(`${method} ${route.url}`, rate)
    if (rate) route.config = { ...route.config, publicRate: rate }
  })
  app.addHook('onRequest', async (request) => {
    const rate = request.is404 ? unknown : request.routeOptions.config.publicRate
    if (rate) await spend(rate.isShared ? shared : own, rate, request)
  })
}

async function spend(store: RateStore, rate: PublicRate, request: FastifyRequest): Promise<void> {
  const { name, perAddress, perLink } = rate
  await spendOne(store, `${name} of address ${addressBlock(request.ip)}`, perAddress)
  // Counts by secret, so that guesses do not use up another's rate, and spelling the address differently does not evade it.
  if (perLink !== undefined) await spendOne(store, `${name} of link ${digestOf(secretOf(request))}`, perLink)
}

const secretOf = ({ query }: FastifyRequest) => JSON.stringify((isRecord(query) && query.token) ?? null)
const digestOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

async function spendOne(store: RateStore, by: string, points: number): Promise<void> {
  const spent = await store.spend({ by, needs: 'every', windows: [{ points, seconds: 60 }] })
  if (spent.refusedBy === undefined) return
  const wait = Math.max(1, Math.ceil(spent.waitMilliseconds / 1000))
  throw tooManyRequests(
    message('Too many requests came from your network or for this link. Try again in {wait} s.', { wait }),
    wait,
    'public',
  )
}
