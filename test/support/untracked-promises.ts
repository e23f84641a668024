/**
 * Loaded before test files are: has node:test follow no promises. To tell in which test a promise was rejected that nobody waits for, it
 * follows every promise from its making to its collection, which takes a tenth or more of all processor time of a run. Such a
 * rejection still fails the run, as one of no test in particular. It wants `--expose-internals`.
 */
import { createHook } from 'node:async_hooks'
import { createRequire } from 'node:module'

type Hook = ReturnType<typeof createHook> & Readonly<Record<symbol, never>>
type Internals = { getHookArrays(): readonly [readonly Hook[]]; readonly symbols: Readonly<Record<string, symbol>> }

const { getHookArrays, symbols }: Internals = createRequire(import.meta.url)('internal/async_hooks')
const { init_symbol: init, destroy_symbol: destroy } = symbols as { init_symbol: symbol; destroy_symbol: symbol }
for (const hook of [...getHookArrays()[0]]) {
  hook.disable()
  createHook({ init: hook[init], destroy: hook[destroy], trackPromises: false }).enable()
}
