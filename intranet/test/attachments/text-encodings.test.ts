import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { temporaryFolder } from '@campus/test/support/folder'
import { attachmentForm, fileOf } from '@campus/test/support/uploads'
import sharp from 'sharp'
import { contentTypeOf } from '../../services/attachments/content-types.ts'

const FRENCH = '// Élève: 3 € à payer, déjà reçu\nint main(void) { return 0; }\n'
/** こんにちは、世界。テストです。 */
const SHIFT_JIS = '82b182f182c982bf82cd8141908aa245814283658358836782c582b781420a'
const EUC_JP = 'a4b3a4f3a4cba4c1a4cfa1a2c0a4b3a6a1a3a5c6a5b9a5c8a4c7a4b9a1a30a'
const CYRILLIC = 'cff0e8e2e5f2f120ece8f00a'
const wide = (text: string) => Buffer.from(text, 'utf16le')

describe('a text file', () => {
  let world: World
  let tutor: Client
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  before(async () => {
    world = await campus()
    folder = await temporaryFolder()
    tutor = await world.caller({ roles: ['Advanced Tutor'], scopes: ['public', 'projects'] })
    await world.build.record('projects', { name: 'X', slug: 'x' })
  })
  after(async () => {
    await folder.remove()
    await world.close()
  })

  for (const [what, bytes, encoding, text] of [
    ['UTF-8', Buffer.from(FRENCH), 'utf-8', FRENCH],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${FRENCH}`), 'utf-8', FRENCH],
    ['Latin-1', Buffer.from('Élève déjà reçu\n', 'latin1'), 'windows-1252', 'Élève déjà reçu\n'],
    ['Windows-1252', Buffer.from('Prix: 3 \x80 \x96 re\xe7u\n', 'latin1'), 'windows-1252', 'Prix: 3 € – reçu\n'],
    ['UTF-16 with a byte order mark', wide(`\ufeff${FRENCH}`), 'utf-16le', FRENCH],
    ['big-endian UTF-16 with a byte order mark', wide(`\ufeff${FRENCH}`).swap16(), 'utf-16be', FRENCH],
    ['UTF-16 without a byte order mark', wide(FRENCH), 'utf-16le', FRENCH],
    ['big-endian UTF-16 without a byte order mark', wide(FRENCH).swap16(), 'utf-16be', FRENCH],
    ['Shift-JIS', Buffer.from(SHIFT_JIS, 'hex'), 'shift_jis', undefined],
    ['EUC-JP', Buffer.from(EUC_JP, 'hex'), 'euc-jp', 'こんにちは、世界。テストです。\n'],
    ['long UTF-8', Buffer.from(`a${'é'.repeat(100_000)}`), 'utf-8', `a${'é'.repeat(100_000)}`],
  ] as const)
    it(`in ${what} is shown as ${encoding}, byte by byte as it was sent`, async () => {
      for (const kind of ['code', 'document'] as const) {
        const form = attachmentForm({ kind }, { name: 'a.txt', attachable_type: kind, [kind]: fileOf(bytes, 'a.txt') })
        const { status, json } = await tutor.post('/v2/projects/1/attachments', form)
        assert.equal(status, 201, JSON.stringify(json))
        const { pathname, search } = new URL(json.url)
        const served = await world.agent.request({ origin: world.url, path: pathname + search, method: 'GET' })
        assert.equal(served.headers['content-type'], `text/plain; charset=${encoding}`)
        assert.match(String(served.headers['content-disposition']), /^inline/)
        const received = Buffer.from(await served.body.arrayBuffer())
        assert.ok(received.equals(bytes))
        if (text !== undefined) assert.equal(new TextDecoder(encoding).decode(received), text)
      }
    })

  it('in an encoding that cannot be told is offered for saving, since no page could show it', async () => {
    const file = fileOf(Buffer.from(CYRILLIC, 'hex'), 'a.txt')
    const form = attachmentForm({ kind: 'code' }, { name: 'a.txt', attachable_type: 'code', code: file })
    const { json } = await tutor.post('/v2/projects/1/attachments', form)
    const { pathname, search } = new URL(json.url)
    const served = await world.agent.request({ origin: world.url, path: pathname + search, method: 'GET' })
    assert.equal(served.headers['content-type'], 'text/plain')
    assert.match(String(served.headers['content-disposition']), /^attachment/)
    await served.body.dump()
  })

  it('is none if it holds what no text does', async () => {
    const path = join(folder.path, 'bytes')
    for (const bytes of [
      randomBytes(4_000),
      Buffer.alloc(100),
      Buffer.from([0xff, 0xfe, 0, 0, 0x41, 0, 0, 0]),
      Buffer.from([0xff, 0xfe, 0, 0xd8, 0x41, 0]),
      Buffer.from('caf\xe9\x01', 'latin1'),
      Buffer.from('caf\xe9 \x81', 'latin1'),
      await sharp({ create: { width: 99, height: 99, channels: 3, background: 'red' } })
        .raw()
        .toBuffer(),
    ]) {
      await writeFile(path, bytes)
      await assert.rejects(contentTypeOf(path, bytes.length, 'code'), bytes.subarray(0, 9).toString('hex'))
    }
  })
})
