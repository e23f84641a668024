/**
 * Prints the bill of materials of the service (CycloneDX): what of package-lock.json is installed with it, with licences and digests.
 * npm's own `--omit dev` leaves out packages that something of development uses, too, so that they are chosen here.
 */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

type Locked = { readonly version?: string; readonly dev?: true; readonly devOptional?: true; readonly link?: true }
type Component = { readonly 'bom-ref': string; readonly name: string; readonly version: string }
type Edges = { readonly ref: string; readonly dependsOn?: readonly string[] }
type Bom = {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly Edges[]
}

const ROOT = join(import.meta.dirname, '..')
const MOST_BYTES = 64 * 1_048_576

const words = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--package-lock-only',
  '--workspaces=false',
]
const { stdout } = await promisify(execFile)('npm', words, { cwd: ROOT, maxBuffer: MOST_BYTES })
const bom: Bom = JSON.parse(stdout)
const lock: { packages: Record<string, Locked> } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
const installed = new Set(
  Object.entries(lock.packages)
    .filter(([path, { dev, devOptional, link }]) => path.startsWith('node_modules/') && !dev && !devOptional && !link)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
)
const components = bom.components.filter(({ name, version }) => installed.has(`${name}@${version}`))
const refs = new Set([bom.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
const dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
console.log(JSON.stringify({ ...bom, components, dependencies }, null, 2))
