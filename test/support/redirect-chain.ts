import assert from 'node:assert/strict'
import type { Agent, Dispatcher } from 'undici'
import type { World } from './campus.ts'
import { type Page, type Visitor, visitorOf } from './visitor.ts'

/** Final page of a navigation, its address, and the addresses on the way. */
export type RedirectChain = { readonly page: Page; readonly address: string; readonly passed: readonly string[] }

/** A browser that goes from site to site, as redirects lead it. */
export type RedirectingBrowser = {
  /** Goes to an address and on from there; the person allows what the service asks. */
  travel(address: string): Promise<RedirectChain>
  /** Returns the browser's session with a site. */
  at(origin: string): Visitor
}

const MAX_REDIRECTS = 12

/** A browser in which a person is signed in at the service, with cookies of their own for every other site. */
export function redirectingBrowserOf(world: World, person: Visitor, agent: Agent): RedirectingBrowser {
  const service = new URL(world.url).origin
  const navigating = agent.compose(asNavigation) as Agent
  const sites = new Map<string, Visitor>([[service, person]])

  function at(origin: string): Visitor {
    const visitor = sites.get(origin) ?? visitorOf({ url: origin, agent: navigating })
    sites.set(origin, visitor)
    return visitor
  }

  async function open(address: string): Promise<Page> {
    const { origin, pathname, search } = new URL(address)
    const page = await at(origin).get(pathname + search)
    const asks = origin === service && page.text.includes('name="decision"')
    return asks ? at(origin).submit(pathname + search, { decision: 'allow' }) : page
  }

  async function travel(start: string): Promise<RedirectChain> {
    const passed: string[] = []
    for (let address = start; ; ) {
      assert.ok(passed.length < MAX_REDIRECTS, passed.join('\n'))
      passed.push(address)
      const page = await open(address)
      if (!page.location) return { page, address, passed }
      address = new URL(page.location, address).href
    }
  }
  return { travel, at }
}

/**
 * Sets headers of a navigation, which `fetch` forbids. Sites begin a sign-in for navigations, not for script requests.
 */
const asNavigation: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const headers = { ...(options.headers as object), 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  return dispatch({ ...options, headers }, handler)
}
