/**
 * Prints the bill of materials of the service (CycloneDX): what of package-lock.json is installed with it, with licences and digests.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { lockedPackages } from './locked-packages.ts'

type Component = { readonly 'bom-ref': string; readonly name: string; readonly version: string }
type Edges = { readonly ref: string; readonly dependsOn?: readonly string[] }
type Bom = {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } }
  readonly components: readonly Component[]
  readonly dependencies: readonly Edges[]
}

const ROOT = join(import.meta.dirname, '..')
const MAX_BYTES = 64 * 1_048_576

const words = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--package-lock-only',
  '--workspaces=false',
]
const { stdout } = await promisify(execFile)('npm', words, { cwd: ROOT, maxBuffer: MAX_BYTES })
const bom: Bom = JSON.parse(stdout)
const locked = await lockedPackages(join(ROOT, 'package-lock.json'))
const installed = new Set(locked.map(({ name, version }) => `${name}@${version}`))
const components = bom.components.filter(({ name, version }) => installed.has(`${name}@${version}`))
const refs = new Set([bom.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])])
const dependencies = bom.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }))
console.log(JSON.stringify({ ...bom, components, dependencies }, null, 2))
