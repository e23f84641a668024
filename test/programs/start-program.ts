import { fork } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { World } from '../support/campus.ts'
import type { Given } from './program.ts'

/** The name that programs have written into them. */
export const HOST = 'api.intra.42.fr'

const FOLDER = fileURLToPath(new URL('.//', import.meta.url))

type Started = Omit<Given, 'serves' | 'allow'> & {
  readonly served: readonly string[]
  /** A PEM file with the certificate that the program trusts. */
  readonly caFile: string
  allow(address: string): Promise<string>
  /** Port of the service; that of the world by default. */
  readonly port?: string
}

/**
 * Runs `run/<name>.ts` in a process of its own, where the name leads to the world and nothing leads anywhere else. Gives
 * what it reports; rejects with what it printed where it fails.
 */
// biome-ignore lint/suspicious/noExplicitAny: each program reports something else
export function startProgram(world: World, name: string, started: Started): Promise<any> {
  const { allow, caFile, port = String(world.config.port), ...given } = started
  const child = fork(join(FOLDER, 'run', `${name}.ts`), {
    execArgv: ['--import', join(FOLDER, 'stay-here.ts')],
    silent: true,
    env: {
      PATH: process.env.PATH,
      NODE_EXTRA_CA_CERTS: caFile,
      PROGRAM_HOST: HOST,
      PROGRAM_PORT: port,
      PROGRAM_GIVEN: JSON.stringify(given),
    },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (printed += data))
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${name} ${why}:\n${printed}`))
    child.on('message', (message: { readonly allow?: string; readonly made?: unknown }) => {
      if (message.allow === undefined) resolve(message.made)
      else allow(message.allow).then((address) => child.send(address), reject)
    })
    child.once('close', (code) => fail(`ended with ${code}`))
  })
}
