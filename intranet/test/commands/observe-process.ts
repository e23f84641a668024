/**
 * Loaded before a process' own modules: writes into the file OBSERVED, when the process ends, which packages and
 * which files of optional parts it has loaded, and which statements it has sent, in their order. Removes the line of the part
 * WITHOUT_PART from the list of parts.
 */
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import pg from 'pg'

/** Packages, files of parts and statements that a process used. */
export type Observed = {
  readonly packages: readonly string[]
  /** Files of optional parts, by their paths in `packages/`. */
  readonly parts: readonly string[]
  readonly statements: readonly string[]
}

const packages = new Set<string>()
const parts = new Set<string>()
const statements: string[] = []
const { WITHOUT_PART } = process.env
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? []
    if (name) packages.add(name)
    const [, file] = /^(?!.*\/node_modules\/).*\/packages\/(.*)/.exec(url) ?? []
    if (file) parts.add(file)
    const loaded = nextLoad(url, context)
    if (!WITHOUT_PART || !url.endsWith('/service/part-list.ts')) return loaded
    const lines = String(loaded.source).split('\n')
    const others = lines.filter((line) => !line.includes(`'@campus/${WITHOUT_PART}/`))
    if (others.length !== lines.length - 1) throw new Error(`The part ${WITHOUT_PART} has not one line.`)
    return { ...loaded, source: others.join('\n') }
  },
})
const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [asked] = given as [string | { readonly text: string }]
  statements.push(typeof asked === 'string' ? asked : asked.text)
  return (query as (...all: unknown[]) => unknown).apply(this, given)
} as typeof query
process.once('exit', () => {
  const observed: Observed = { packages: [...packages], parts: [...parts], statements }
  writeFileSync(process.env.OBSERVED as string, JSON.stringify(observed))
})
