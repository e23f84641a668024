import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import sharp from 'sharp'

/** Refused tables, each with its reason on a French page. */
const TABLES: Readonly<Record<string, readonly [content: string | Uint8Array, said: RegExp]>> = {
  'an empty file': ['', /Le fichier est vide/],
  'a file with headings alone': ['email,kind\n', /aucune ligne sous les noms des colonnes/],
  'a duplicate heading': ['email,email\na@b.example,c@d.example\n', /nomme &quot;email&quot; deux fois/],
  'a column without a name': ['email,,kind\na@b.example,x,student\n', /La colonne 2 n’a pas de nom/],
  'an open quote': ['email,kind\na@b.example,"student\n', /La ligne 2 commence par un guillemet/],
  'a row with a cell too many': [
    'email,kind\na@b.example,student,x\n',
    /La ligne 2 a 3 cellules alors que la première/,
  ],
  'more rows than a page takes': [`email\n${'a@b.example\n'.repeat(2_001)}`, /Une page accepte au plus 2000 lignes/],
  'a damaged workbook': [Buffer.from(`PK\x03\x04${'x'.repeat(90)}`, 'latin1'), /Le classeur est endommagé/],
  'a PDF': [new Uint8Array([37, 80, 68, 70, 0, 1, 2, 3, 144, 129]), /n’est pas du texte/],
  'an older workbook': [Buffer.from('d0cf11e0a1b11ae100', 'hex'), /ancien tableur \(\.xls\)/],
}

const DRAWINGS: Readonly<Record<string, readonly [content: string | Uint8Array, said: RegExp]>> = {
  'no drawing at all': ['hello', /n’est pas un SVG/],
  'a PNG': [new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]), /n’est pas un SVG/],
  'a drawing that is cut off': ['<svg viewBox="0 0 1 1"><rect', /est endommagé à la ligne 1, colonne \d+\./],
  'a drawing that is too large': [`<svg viewBox="0 0 1 1"><desc>${'x'.repeat(70_000)}</desc></svg>`, /dépasse 64 ko/],
  'a drawing that exceeds the limit of uploads': [
    `<svg viewBox="0 0 1 1">${'<g/>'.repeat(90_000)}</svg>`,
    /dépasse 256 ko/,
  ],
}

const ENGLISH = /\b(?:the|is|has|was|than|which|bytes|characters|unclosed|line \d)\b/i

describe('a French page', () => {
  let world: World
  let boss: SignedIn
  let here: number
  before(async () => {
    world = await campus({})
    here = await world.build.campus({ name: 'Lyon' })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    await boss.browser.get('/language/fr')
  })
  after(() => world.close())

  const refusals = (text: string) =>
    [...text.matchAll(/<(\w+) class="fault"[^>]*>([\s\S]*?)<\/\1>/g)].map(([, , said = '']) => said)

  async function assertFrench(path: string, fields: Readonly<Record<string, string | Blob>>, said: RegExp) {
    const { status, text } = await boss.browser.upload(path, fields)
    assert.equal(status, 422)
    assert.match(text, said)
    const shown = refusals(text)
    assert.ok(shown.length > 0, text)
    for (const refusal of shown) assert.doesNotMatch(refusal, ENGLISH)
  }

  for (const [name, [content, said]] of Object.entries(TABLES))
    it(`refuses to import ${name}, in French`, () =>
      assertFrench(
        '/staff/import/new/users',
        { file: new File([new Uint8Array(Buffer.from(content))], 'x.csv') },
        said,
      ))

  for (const [name, [content, said]] of Object.entries(DRAWINGS))
    it(`refuses to draw a floor from ${name}, in French`, () =>
      assertFrench(
        `/staff/seats/${here}`,
        { name: 'Rez', svg: new File([new Uint8Array(Buffer.from(content))], 'x.svg') },
        said,
      ))

  it('refuses a picture with too many pixels, in French', async () => {
    const wide = await sharp({ create: { width: 10_000, height: 4_100, channels: 3, background: '#48a' } })
      .png()
      .toBuffer()
    await assertFrench('/profile/picture', { picture: new File([new Uint8Array(wide)], 'x.png') }, /40 mégapixels/)
  })

  it('shows the fault of each cell of a tried table in French', async () => {
    const rows =
      'email,kind,campus_id,first_name,last_name\nada-at-home,student,Lyon,Ada,Byron\nalan@x.example,pirate,Nantes,Alan,Turing\n'
    const { location = '' } = await boss.browser.upload('/staff/import/new/users', { file: new File([rows], 'x.csv') })
    const mapping = ['email', 'kind', 'campus_id:name', 'first_name', 'last_name']
    const answer = await boss.browser.submit(location, {
      wish: 'try',
      ...Object.fromEntries(mapping.map((field, at) => [`column-${at}`, field])),
    })
    assert.equal(answer.status, 303, answer.text)
    const shown = refusals((await boss.browser.get(location)).text)
    assert.equal(shown.length, 3)
    for (const refusal of shown) assert.doesNotMatch(refusal, ENGLISH)
    assert.match(
      shown.join('; '),
      /doit exister\u00a0: aucun enregistrement \(campus\) dont name soit &quot;Nantes&quot;/,
    )
  })

  it('suggests names of computers in French if no shape of a drawing is a seat', async () => {
    await world.build.record('locations', {
      ...{ user_id: boss.id, campus_id: here, host: 'e1r1p1', begin_at: world.clock.now(), primary: true },
    })
    const svg = '<svg viewBox="0 0 9 9"><rect id="desk" width="9" height="9"/></svg>'
    const { location = '' } = await boss.browser.upload(`/staff/seats/${here}`, {
      ...{ name: 'Rez', svg: new File([svg], 'x.svg') },
    })
    assert.match((await boss.browser.get(location)).text, /Donnez à chaque place un id comme e1r1p1/)
  })
})
