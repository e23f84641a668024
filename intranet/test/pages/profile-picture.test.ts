import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { RELEASE_ONLY } from '@campus/test/support/release-only'
import sharp from 'sharp'
import { sweepProfilePictures } from '../../services/attachments/profile-pictures.ts'

const PATH = '/profile/picture'

describe('a profile picture', () => {
  let world: World
  let ada: SignedIn
  before(async () => {
    world = await campus({})
    ada = await signedInOf(world, { login: 'ada', first_name: 'Ada', last_name: 'Lovelace', usual_first_name: null })
  })
  after(() => world.close())

  /** A picture of 600 × 400: its left 400 pixels are red, the others blue. */
  const picture = async (format: 'jpeg' | 'png' | 'webp' | 'gif' = 'jpeg') => {
    const blue = { width: 600, height: 400, channels: 3, background: 'blue' } as const
    const red = { create: { ...blue, width: 400, background: 'red' } }
    const bytes = await sharp({ create: blue })
      .composite([{ input: red, left: 0, top: 0 }])
      .withExif({ IFD0: { Artist: 'a secret place' } })
      .toFormat(format)
      .toBuffer()
    return new File([new Uint8Array(bytes)], `me.${format}`)
  }
  const get = async (path: string, accept = '*/*') => {
    const answer = await world.agent.request({ origin: world.url, path, method: 'GET', headers: { accept } })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes: Buffer.from(await answer.body.arrayBuffer()),
    }
  }
  const imageOf = async (id = ada.id) => (await world.director.get(`/v2/users/${id}`)).json.image
  const pathOf = (address: string) => address.slice(world.url.length)
  const colourOf = async (bytes: Buffer) => (await sharp(bytes).stats()).dominant

  it('is of the initials where none was sent, at each address of the API', async () => {
    const { link, versions } = await imageOf()
    assert.deepEqual(Object.keys(versions), ['large', 'medium', 'small', 'micro'])
    for (const address of [link, ...Object.values(versions).map(String)]) {
      const { status, headers, bytes } = await get(pathOf(address))
      assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml; charset=utf-8'])
      assert.match(String(bytes), />AL<\/text>/)
    }
  })

  it('of initials that is sent back as received is not stored', async () => {
    const record = { user: { image: (await imageOf()).link } }
    assert.equal((await world.director.put(`/v2/users/${ada.id}`, record)).status, 204)
    assert.deepEqual(await world.database.rows('select image from users where id = $1', [ada.id]), [[null]])
  })

  it('shows any letters and no markup', async () => {
    for (const [first_name, last_name, letters] of [
      ['Élodie', 'Ångström', 'ÉÅ'],
      ['李', '小龍', '李小'],
      ['<script>', '"&', 'U'],
      ['𝒜da', 'Byron', '𝒜B'],
    ]) {
      const id = await world.build.user({ first_name, last_name, usual_first_name: null })
      const { status, bytes } = await get(pathOf((await imageOf(id)).versions.small))
      assert.equal(status, 200)
      assert.ok(String(bytes).includes(`>${letters}</text>`), `${letters}: ${bytes}`)
    }
    for (const name of ['%3Cs-1.svg', 'AB-1%22.svg', 'ABC-1.svg', 'AB.svg', '-1.svg'])
      assert.equal((await get(`/uploads/initials/${name}`)).status, 404, name)
  })

  it('is sent, cropped, and served in four sizes and three formats without what the camera wrote', async () => {
    const sent = await ada.browser.upload(PATH, { picture: await picture(), left: '350', top: '100', side: '250' })
    assert.deepEqual([sent.status, sent.location], [303, '/people/ada'])
    const { versions } = await imageOf()
    for (const [size, width] of Object.entries({ large: 800, medium: 400, small: 200, micro: 80 })) {
      for (const [accept, format] of [
        ['image/avif,image/webp,*/*', 'heif'],
        ['image/webp,*/*', 'webp'],
        ['*/*', 'jpeg'],
      ] as const) {
        const { status, headers, bytes } = await get(pathOf(versions[size]), accept)
        assert.deepEqual([status, headers.vary], [200, 'Accept'])
        const found = await sharp(bytes).metadata()
        assert.deepEqual([found.format, found.width, found.height, found.exif], [format, width, width, undefined])
        // 50 pixels of red, 200 of blue.
        const { r, b } = await colourOf(bytes)
        assert.ok(b > 200 && r < 60, `${size} ${format}: ${r} ${b}`)
      }
    }
  })

  it('is the square around its middle without scripts, and of any kind of picture', async () => {
    for (const format of ['png', 'webp', 'gif', 'jpeg'] as const) {
      assert.equal((await ada.browser.upload(PATH, { picture: await picture(format) })).status, 303, format)
      const { r, b } = await colourOf((await get(pathOf((await imageOf()).versions.small))).bytes)
      assert.ok(r > 200 && b < 60, `${format}: ${r} ${b}`)
    }
  })

  const sent = (bytes: Buffer) => ada.browser.upload(PATH, { picture: new File([new Uint8Array(bytes)], 'me.jpg') })
  const faultOf = ({ text }: { readonly text: string }) => /id="picture-fault">([^<]*)/.exec(text)?.[1] ?? ''
  const red = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'red' }, limitInputPixels: false })

  async function isTaken(width: number, height: number): Promise<void> {
    const answer = await sent(await red(width, height).jpeg().toBuffer())
    assert.equal(answer.status, 303, `${width} × ${height}: ${faultOf(answer)}`)
    const { r, b } = await colourOf((await get(pathOf((await imageOf()).versions.small))).bytes)
    assert.ok(r > 200 && b < 60, `${r} ${b}`)
  }

  it('may have all pixels of the camera of a phone, and no more', async () => {
    await isTaken(8192, 6144)
    assert.match(faultOf(await sent(await red(8400, 6300).jpeg().toBuffer())), /more than 52 megapixels/)
  })

  it('may be as large in other shapes, and not in other formats', { skip: RELEASE_ONLY }, async () => {
    await isTaken(8064, 6048)
    await isTaken(65_500, 100)
    const large = red(8064, 6048)
    for (const bytes of [
      await large.clone().toColourspace('cmyk').jpeg().toBuffer(),
      await large.clone().webp({ effort: 0 }).toBuffer(),
    ])
      assert.match(faultOf(await sent(bytes)), /more than 40 megapixels/)
  })

  it('may have more bits, other colours and frames', async () => {
    for (const [what, bytes] of [
      ['16 bits', await red(600, 400).toColourspace('rgb16').png().toBuffer()],
      ['CMYK', await red(600, 400).toColourspace('cmyk').jpeg().toBuffer()],
      ['frames', animatedPng(200, [255, 0, 0], [0, 0, 255])],
    ] as const) {
      const answer = await sent(bytes)
      assert.equal(answer.status, 303, `${what}: ${faultOf(answer)}`)
      const { r, b } = await colourOf((await get(pathOf((await imageOf()).versions.small))).bytes)
      assert.ok(r > 200 && b < 60, `${what}: ${r} ${b}`)
    }
  })

  it('without its end marker is whole, and without its end it is refused', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
    const create = { width: 600, height: 400, channels: 3, background: 'red', noise } as const
    for (const isProgressive of [false, true]) {
      const jpeg = await sharp({ create }).jpeg({ progressive: isProgressive }).toBuffer()
      for (const end of [-2, -1]) assert.equal((await sent(jpeg.subarray(0, end))).status, 303, `${end}`)
      for (const end of [-200, jpeg.length / 2, 1_000])
        assert.match(faultOf(await sent(jpeg.subarray(0, end))), /its end is missing. Copy the file again/, `${end}`)
    }
    const png = await sharp({ create }).png().toBuffer()
    assert.match(faultOf(await sent(png.subarray(0, png.length / 2))), /cannot be read as a picture/)
  })

  it('is turned as the camera was held, with the crop that was chosen', async () => {
    const bands = await sharp({ create: { width: 600, height: 400, channels: 3, background: 'blue' } })
      .composite([
        { input: await red(100, 400).png().toBuffer(), left: 0, top: 0 },
        { input: { create: { width: 600, height: 100, channels: 3, background: 'lime' } }, left: 0, top: 0 },
      ])
      .png()
      .toBuffer()
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const stored = await sharp(bands).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer()
      const crop = { left: 20, top: 40, side: 330 }
      const form = { left: '20', top: '40', side: '330' }
      const picture = new File([new Uint8Array(stored)], 'me.jpg')
      assert.equal((await ada.browser.upload(PATH, { picture, ...form })).status, 303)
      const shown = await get(pathOf((await imageOf()).versions.small))
      const upright = await sharp(stored).autoOrient().toBuffer()
      const expected = await sharp(upright)
        .extract({ left: crop.left, top: crop.top, width: crop.side, height: crop.side })
        .resize(200, 200)
        .raw()
        .toBuffer()
      const found = await sharp(shown.bytes).raw().toBuffer()
      const difference = found.reduce((sum, value, at) => sum + Math.abs(value - (expected[at] ?? 0)), 0) / found.length
      assert.ok(difference < 10, `orientation ${orientation}: ${difference}`)
    }
  })

  it('has a square within it, whatever is asked for', async () => {
    for (const [left, top, side] of [
      ['0', '0', '999999'],
      ['999999', '999999', '100'],
      ['0', '0', '0'],
      ['x', '-1', '1e9'],
    ] as const)
      assert.equal((await ada.browser.upload(PATH, { picture: await picture(), left, top, side })).status, 303)
  })

  it('changes its address, and the former one is gone', async () => {
    const former = (await imageOf()).link
    assert.equal((await ada.browser.upload(PATH, { picture: await picture() })).status, 303)
    assert.equal((await get(pathOf(former))).status, 404)
    assert.equal((await get(pathOf((await imageOf()).link))).status, 200)
    await sweepProfilePictures(world.database, new Date(Date.now() + 86_400_000))
    assert.deepEqual(await world.database.rows('select count(*)::int from profile_pictures'), [['1']])
  })

  it('is refused where it is none, is broken, too small, too large in pixels or missing, and the former one stays', async () => {
    const former = (await imageOf()).link
    const whole = Buffer.from(await (await picture()).arrayBuffer())
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><script>alert(1)</script></svg>'
    const create = { channels: 3, background: 'red' } as const
    const tiny = await sharp({ create: { ...create, width: 40, height: 400 } })
      .png()
      .toBuffer()
    const vast = await sharp({ create: { ...create, width: 12_000, height: 12_000 } })
      .png()
      .toBuffer()
    const wrong = [
      [Buffer.from('no picture'), /is not a picture/],
      [Buffer.from(svg), /is not a picture/],
      [whole.subarray(0, 400), /cannot be read as a picture/],
      [tiny, /at least 80 pixels/],
      [vast, /more than 40 megapixels/],
    ] as const
    for (const [bytes, why] of wrong) {
      const { status, text } = await ada.browser.upload(PATH, { picture: new File([new Uint8Array(bytes)], 'me.jpg') })
      assert.equal(status, 422)
      const [, fault = ''] = /id="picture-fault">([^<]*)/.exec(text) ?? []
      assert.match(fault, why)
    }
    assert.equal((await ada.browser.upload(PATH, {})).status, 422)
    assert.equal((await imageOf()).link, former)
  })

  it('is refused where it has too many bytes, and nothing of it stays', async () => {
    const many = new File([new Uint8Array(21 * 1_048_576)], 'me.jpg')
    const { status, text } = await ada.browser.upload(PATH, { picture: many })
    assert.equal(status, 413)
    assert.match(text, /more than \d+ MB/)
    assert.match(text, new RegExp(`href="${PATH}">Back to the form`))
  })

  it('is taken away again, and is gone with the person', async () => {
    const { link } = await imageOf()
    await ada.browser.submit(PATH, {}, `${PATH}/remove`)
    assert.equal((await get(pathOf(link))).status, 404)
    assert.match((await imageOf()).link, /initials/)
    await ada.browser.upload(PATH, { picture: await picture() })
    const second = (await imageOf()).link
    await world.database.rows(`update users set image = null where id = $1`, [ada.id])
    assert.equal((await get(pathOf(second))).status, 404)
  })
})

type Colour = readonly [red: number, green: number, blue: number]

/** A square PNG of two frames. */
function animatedPng(side: number, first: Colour, second: Colour): Buffer {
  const numbers = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length)
    for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
    return bytes
  }
  const chunk = (type: string, ...parts: Buffer[]) => {
    const named = Buffer.concat([Buffer.from(type), ...parts])
    return Buffer.concat([numbers(named.length - 4), named, numbers(crc32(named))])
  }
  const row = (colour: Colour) => [0, ...Array(side).fill(colour).flat()]
  const pixels = (colour: Colour) => deflateSync(Buffer.from(Array(side).fill(row(colour)).flat()))
  const frame = (at: number) => chunk('fcTL', numbers(at, side, side, 0, 0), Buffer.from([0, 10, 0, 100, 0, 0]))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', numbers(side, side), Buffer.from([8, 2, 0, 0, 0])),
    chunk('acTL', numbers(2, 0)),
    frame(0),
    chunk('IDAT', pixels(first)),
    frame(1),
    chunk('fdAT', numbers(2), pixels(second)),
    chunk('IEND'),
  ])
}
