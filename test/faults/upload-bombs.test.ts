import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { campus, type World } from '../support/campus.ts'
import { type Client, FormData } from '../support/client.ts'
import { costOf, slowness } from '../support/sizes/measure.ts'
import { attachmentForm, fileOf } from '../support/uploads.ts'
import { type ZipEntry, zipOf } from '../support/zips.ts'

const MIB = 1_048_576
/** Milliseconds, on the machine of the figures in the documents. */
const MAX_HELD = 50
const MAX_ATTEMPTS = 8
/** Far less than the unpacked size of any bomb. */
const MAX_RISE_MIB = 150

const EMPTY = deflateRawSync('')
const SPACES = deflateRawSync(Buffer.alloc(100 * MIB, ' '), { level: 9 })
const bomb = (name: string): ZipEntry => ({ name, packed: SPACES, bytes: 100 * MIB })

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A picture of black and white, of this width and height. */
function png(width: number, height: number, ...more: readonly Buffer[]): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  size[8] = 1
  const rows = deflateSync(Buffer.alloc(100 * MIB), { level: 9 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', size), ...more, chunk('IDAT', rows), chunk('IEND', EMPTY)])
}

const entities = Array.from({ length: 20 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
const svg = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ha">${entities}]><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><text>&e20;</text></svg>`

/** A header of ASF, and objects of no length. */
const asf = Buffer.concat([
  Buffer.from('3026b2758e66cf11a6d900aa0062ce6c1e000000000000000100000001', 'hex'),
  Buffer.alloc(2 * MIB),
])

let gzips = gzipSync(Buffer.alloc(100 * MIB), { level: 9 })
for (let layer = 0; layer < 4; layer += 1) gzips = gzipSync(gzips)

const BOMBS: Readonly<Record<string, Buffer>> = {
  'a zip that unfolds to 300 MiB': zipOf([bomb('a'), bomb('b'), bomb('c')]),
  'an office document whose first part unfolds to 100 MiB': zipOf([bomb('[Content_Types].xml')]),
  'an ODF document whose type unfolds to 100 MiB': zipOf([bomb('mimetype')]),
  'a zip of 60,000 entries': zipOf(
    Array.from({ length: 60_000 }, (_, at) => ({ name: `${at}`, packed: EMPTY, bytes: 0 })),
  ),
  'an office document that names its types a thousand times': zipOf(
    Array.from({ length: 1_000 }, () => ({ name: '[Content_Types].xml', packed: deflateRawSync(' '), bytes: 1 })),
  ),
  'zips in a zip': zipOf([{ name: 'a.zip', packed: deflateRawSync(zipOf([bomb('a.zip')])), bytes: 102_400 }]),
  'gzips in a gzip': gzips,
  'a picture of 10,000 million pixels': png(100_000, 100_000),
  'a picture of 100,000 chunks': png(1, 1, Buffer.concat(Array(100_000).fill(chunk('tEXt', EMPTY)))),
  'an SVG of entities in entities': Buffer.from(svg),
  'a film of objects without length': asf,
  'tags before tags': Buffer.from('ID3\x04\0\0\0\0\0\0'.repeat(200_000), 'latin1'),
  'elements in elements': Buffer.concat([
    Buffer.from('1a45dfa301000000000000ff', 'hex'),
    Buffer.from('\xec\x80'.repeat(MIB), 'latin1'),
  ]),
}

describe('a file that unfolds to very much is looked at without unfolding it:', () => {
  let world: World
  let staff: Client
  before(async () => {
    world = await campus()
    const user = await world.build.user()
    staff = await world.caller({ roles: ['Advanced Tutor', 'Advanced Staff'], scopes: ['public', 'projects'], user })
    await world.build.record('projects', { name: 'X', slug: 'x' })
    await world.build.record('coalitions', { name: 'X', slug: 'x' })
  })
  after(() => world.close())

  for (const [what, bytes] of Object.entries(BOMBS)) {
    it(what, async () => {
      assert.ok(bytes.length < 8 * MIB)
      const before = process.memoryUsage().rss
      for (const kind of ['code', 'document', 'pdf', 'video']) {
        await costsLittle(async () => {
          const form = attachmentForm({ kind }, { attachable_type: kind, [kind]: fileOf(bytes, 'file') })
          return (await staff.post('/v2/projects/1/attachments', form)).status
        })
      }
      await costsLittle(async () => {
        const form = new FormData()
        form.append('coalition[image]', fileOf(bytes, 'file') as never)
        return (await staff.patch('/v2/coalitions/1', form)).status
      })
      const rise = (process.memoryUsage().rss - before) / MIB
      assert.ok(rise < MAX_RISE_MIB, `memory rose by ${rise.toFixed(0)} MiB`)
      assert.deepEqual(await filesOnTheirWay(), [])
    })
  }

  /** The client holds the same event loop, so the least of several attempts counts. */
  async function costsLittle(send: () => Promise<number>): Promise<void> {
    let least = Number.POSITIVE_INFINITY
    for (let attempt = 1; ; attempt += 1) {
      const { held } = await costOf(async () => {
        const status = await send()
        assert.ok([201, 204, 422].includes(status), `${status}`)
      })
      least = Math.min(least, held)
      if (least <= MAX_HELD || least <= MAX_HELD * slowness()) return
      assert.ok(attempt < MAX_ATTEMPTS, `the event loop is held for ${least} ms`)
    }
  }

  const filesOnTheirWay = () => readdir(join(world.config.files, 'incoming'))
})
