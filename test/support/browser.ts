import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { once } from '@campus/engine/base/once'
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import type { World } from './campus.ts'

/** The one without a screen takes half the time of the whole browser, and draws the same. */
const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
export const EXECUTABLE = process.env.CAMPUS_TEST_CHROMIUM ?? CHROMIUM.find(existsSync) ?? '/usr/bin/chromium'
/** Pictures are for people: `npm run pictures` takes them. */
const TAKES_PICTURES = process.env.CAMPUS_TEST_PICTURES !== undefined
const ARTEFACTS = new URL('../../test-artefacts/', import.meta.url).pathname

/** The reason to skip a test that needs a browser; false where there is one. */
export const withoutBrowser: string | false = existsSync(EXECUTABLE)
  ? false
  : `SKIPPED: no Chromium at ${EXECUTABLE} (install Debian's package chromium-headless-shell or chromium, or set CAMPUS_TEST_CHROMIUM)`

/** Without what Chromium does on the network for itself. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

const WIDTHS = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } } as const

/** axe-core is a script, so a window without scripts can only be looked at. */
type WindowOptions = { readonly dark?: boolean; readonly scripts?: boolean }

/** A window with cookies of its own. */
export type Window = {
  readonly page: Page
  /** Every address that was asked for outside the service. */
  readonly strayRequests: readonly string[]
  /** Opens a path of the service. */
  open(path: string): Promise<void>
  /** Follows an entry of one of the menus at the top: a group's name, or the login of the signed-in user. */
  choose(menu: string, entry: string): Promise<void>
  /**
   * Fails where the page is wider than a phone or a desktop. Where pictures are asked for, keeps one of each width in
   * `test-artefacts/`: of the page, or of what is to be seen with a part of it.
   */
  picture(name: string, part?: Locator): Promise<void>
  /** Fails where axe-core finds a serious violation. */
  assertAccessible(): Promise<void>
}

export type TestBrowser = {
  window(options?: WindowOptions): Promise<Window>
  close(): Promise<void>
}

/** Debian's Chromium without a screen, one for all tests of a process, with which it ends. */
const started = once((): Promise<Browser> => chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS }))

/** Windows on a service. */
export async function openBrowser({ url }: Pick<World, 'url'>): Promise<TestBrowser> {
  const browser = await started()
  const contexts: BrowserContext[] = []
  await mkdir(ARTEFACTS, { recursive: true })
  return {
    async window({ dark = false, scripts = true } = {}) {
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        javaScriptEnabled: scripts,
        colorScheme: dark ? 'dark' : 'light',
        viewport: WIDTHS.desktop,
      })
      contexts.push(context)
      const page = await context.newPage()
      const strayRequests: string[] = []
      // Includes windows that this one opens.
      context.on('request', (request) => {
        const asked = request.url()
        if (!asked.startsWith(`${url}/`) && !asked.startsWith('data:')) strayRequests.push(asked)
      })
      return windowOf(page, url, strayRequests)
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
    },
  }
}

const windowOf = (page: Page, url: string, strayRequests: readonly string[]): Window => ({
  page,
  strayRequests,
  async open(path) {
    await page.goto(url + path)
  },
  async choose(menu, entry) {
    const bar = page.getByRole('navigation', { name: 'Main' })
    await bar.getByRole('button', { name: menu, exact: true }).click()
    await bar.getByText(entry, { exact: true }).click()
  },
  async picture(name, part) {
    for (const [device, size] of Object.entries(WIDTHS)) {
      await page.setViewportSize(size)
      await part?.evaluate((element: { scrollIntoView(): void }) => element.scrollIntoView())
      if (TAKES_PICTURES)
        await page.screenshot({ path: join(ARTEFACTS, `${name}-${device}.png`), fullPage: part === undefined })
      const width = await page.evaluate('document.documentElement.scrollWidth')
      assert.ok(Number(width) <= size.width, `${name} is ${width} pixels wide on a ${device}`)
    }
  },
  async assertAccessible() {
    // Passed rules are left out: describing them takes longer than finding violations.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    const { violations } = await axe.analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const reported = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    assert.deepEqual(reported, [], page.url())
  },
})
