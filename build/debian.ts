/**
 * Makes a Debian package of what is installed here, `campus-intranet_VERSION_ARCHITECTURE.deb`, in the folder that is named, else in this
 * one: `npm run debian -- FOLDER`. It brings all that it needs, Node and PostgreSQL too; a system with apt and glibc is enough.
 * Needs `dpkg-deb`, and Linux. `--store` leaves it uncompressed, which is quicker.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { lockedPackages } from './locked-packages.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..')
const PROGRAM = 'usr/lib/campus-intranet'
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

type Package = { readonly version: string; readonly description: string; readonly files: readonly string[] }

const { values, positionals } = parseArgs({ options: { store: { type: 'boolean' } }, allowPositionals: true })
const manifest: Package = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
const architecture = ARCHITECTURES[process.arch]
if (process.platform !== 'linux' || architecture === undefined)
  throw new Error('A Debian package is made on Linux, on the x64 or arm64 processor that it is for.')
const file = resolve(positionals[0] ?? '.', `campus-intranet_${manifest.version}_${architecture}.deb`)

const stage = await mkdtemp(join(tmpdir(), 'campus-debian-'))
try {
  await copyProgram()
  await copySystemFiles()
  await writeControl(await kibibytesOf(stage))
  const level = values.store ? ['-Znone'] : ['-Zxz', '-z6']
  await run('dpkg-deb', ['--root-owner-group', ...level, '--build', stage, file])
  console.log(file)
} finally {
  await rm(stage, { recursive: true })
}

/** Copies the files that `npm pack` would pack, and every runtime dependency as the lock file has installed it. */
async function copyProgram(): Promise<void> {
  for (const name of [...manifest.files, 'bin', 'package.json', 'README.md', 'LICENSE'])
    await copy(join(ROOT, name), join(PROGRAM, name))
  for (const { path } of await lockedPackages(join(ROOT, 'package-lock.json'))) {
    // The lock file also lists packages for other systems. It lists nested packages on lines of their own, except the
    // files from which Node's package was installed.
    if (existsSync(join(ROOT, path)))
      await copy(join(ROOT, path), join(PROGRAM, path), (file) => basename(file) !== 'node_modules')
  }
}

async function copySystemFiles(): Promise<void> {
  await copy(join(ROOT, 'ops/systemd/campus.service'), 'usr/lib/systemd/system/campus.service')
  await copy(join(ROOT, 'ops/systemd/campus.sysusers'), 'usr/lib/sysusers.d/campus.conf')
  await copy(join(ROOT, 'ops/debian/environment'), 'etc/campus/environment')
  await copy(join(ROOT, 'LICENSE'), 'usr/share/doc/campus-intranet/copyright')
  await write('usr/share/doc/campus-intranet/changelog.gz', gzipSync(await readFile(join(ROOT, 'CHANGELOG.md'))))
  await write('usr/share/man/man1/campus.1.gz', gzipSync(await readFile(join(ROOT, 'dist/campus.1'))))
  await write('usr/bin/campus', await readFile(join(ROOT, 'ops/debian/campus')), 0o755)
  await mkdir(join(stage, 'usr/share/campus-intranet'), { recursive: true })
  await symlink(`../../lib/campus-intranet/ops`, join(stage, 'usr/share/campus-intranet/ops'))
}

async function writeControl(kibibytes: number): Promise<void> {
  const [subject = '', ...more] = manifest.description.split(': ')
  const lines = {
    Package: 'campus-intranet',
    Version: manifest.version,
    Architecture: architecture,
    Maintainer: 'The Campus Intranet authors <maintainers@campus-intranet.invalid>',
    'Installed-Size': kibibytes,
    Depends: 'libc6, libstdc++6, adduser',
    Recommends: 'ca-certificates, systemd',
    Suggests: 'postgresql, redis-server | valkey-server, nginx | haproxy | caddy',
    Section: 'web',
    Priority: 'optional',
    Description: `${subject}\n ${more.join(': ')}`,
  }
  const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\n`)
  await write('DEBIAN/control', text.join(''))
  await write('DEBIAN/conffiles', '/etc/campus/environment\n')
  for (const script of ['postinst', 'prerm', 'postrm'])
    await write(`DEBIAN/${script}`, await readFile(join(ROOT, 'ops/debian', script)), 0o755)
}

async function copy(from: string, to: string, filter: (file: string) => boolean = () => true): Promise<void> {
  await mkdir(dirname(join(stage, to)), { recursive: true })
  await cp(from, join(stage, to), { recursive: true, verbatimSymlinks: true, filter })
}

async function write(to: string, content: string | Buffer, mode = 0o644): Promise<void> {
  await mkdir(dirname(join(stage, to)), { recursive: true })
  await writeFile(join(stage, to), content)
  await chmod(join(stage, to), mode)
}

async function kibibytesOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['--summarize', '--apparent-size', '--block-size=1024', folder])
  return Number.parseInt(stdout, 10)
}
