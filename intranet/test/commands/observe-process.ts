/**
 * Loaded before a process' own modules: writes into the file OBSERVED, when the process ends, which packages it has loaded and
 * which statements it has sent, in their order.
 */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import pg from 'pg'

/** What was seen of a process. */
export type Observed = { readonly packages: readonly string[]; readonly statements: readonly string[] }

const packages = new Set<string>()
const statements: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
    if (name) packages.add(name)
    return nextLoad(url, context)
  },
})
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [asked] = given as [string | { readonly text: string }]
  statements.push(typeof asked === 'string' ? asked : asked.text)
  return (query as (...all: unknown[]) => unknown).apply(this, given)
} as typeof query
process.once('exit', () => {
  const observed: Observed = { packages: [...packages], statements }
  writeFileSync(process.env.OBSERVED as string, JSON.stringify(observed))
})
