import assert from 'node:assert/strict'
import { after, before, describe, it, mock } from 'node:test'
import { HttpError } from '@campus/engine/errors'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'
import { SaxesParser } from 'saxes'
import { cleanPlan, MAX_PLAN_BYTES, namesIn, planToStore, writePlan } from '../../school/domain/school/clean-plan.ts'
import { decodeSvg } from '../../school/domain/school/read-svg.ts'

const PLAN = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><g id="room" style="fill:#eee;stroke:#999">
<rect id="c1r1s1" x="10" y="10" width="20" height="30"/><circle id="c1r1s2" cx="60" cy="25" r="10"/></g><text x="5" y="90">Room &amp; door</text></svg>`
const MANY_SHAPES = `<svg viewBox="0 0 100 100">${Array.from({ length: 2_900 }, (_, at) => `<rect x="${at % 100}" y="${Math.floor(at / 100)}"/>`).join('')}</svg>`
const file = (text: string | Uint8Array<ArrayBuffer>) => new File([text], 'floor.svg', { type: 'image/svg+xml' })

describe('the seats of a campus', () => {
  let world: World
  let here: number
  let ada: SignedIn
  let bob: SignedIn
  let staff: SignedIn
  let stranger: SignedIn
  before(async () => {
    world = await campus({})
    here = await world.build.campus({ name: 'Lisbon' })
    const elsewhere = await world.build.campus({ name: 'Porto' })
    ada = await signedInOf(world, { login: 'ada', first_name: 'Ada', last_name: 'Lovelace', usual_first_name: null })
    bob = await signedInOf(world, { login: 'bob', first_name: 'Bob', last_name: 'Byron', usual_first_name: null })
    staff = await staffOf('lisa', here)
    stranger = await staffOf('porter', elsewhere)
    await sit(ada, 'c1r1s1')
    await sit(bob, 'c2r1s1')
    for (const host of ['c1r1s2', 'c1r2s1', 'c10r1s1']) await sit(bob, host, '2026-02-01T11:00:00Z')
    await sit(bob, 'c9r1s1', '2025-02-01T11:00:00Z', '2025-02-01T09:00:00Z')
    const bloc = await world.build.record('blocs', { campus_id: here, cursus_id: await world.build.cursus() })
    const otters = await world.build.record('coalitions', {
      name: 'Otters',
      slug: 'otters',
      color: '#123456',
      bloc_id: bloc,
    })
    await world.build.record('coalitions_users', { coalition_id: otters, user_id: ada.id })
  })
  after(() => world.close())

  async function staffOf(login: string, campusId: number): Promise<SignedIn> {
    const one = await signedInOf(world, { login, kind: 'admin' })
    await world.database.rows('delete from administrators where user_id = $1', [one.id])
    await world.build.record('campus_users', { user_id: one.id, campus_id: campusId, is_primary: true })
    return one
  }
  const sit = (one: SignedIn, host: string, end_at: string | null = null, begin_at = '2026-02-01T09:00:00Z') =>
    world.build.record('locations', { user_id: one.id, campus_id: here, host, begin_at, end_at, primary: true })

  it('are shown by floor with who sits there, those that are free and those seen lately alone', async () => {
    const { text } = await ada.browser.get(`/campuses/${here}`)
    assert.match(text, /Floor 1 <span class="quiet">1 of 3/)
    assert.match(text, /Floor 2 <span class="quiet">1 of 1/)
    assert.match(text, /Floor 10 <span class="quiet">0 of 1/)
    assert.doesNotMatch(text, /Floor 9/)
    assert.match(text, /class="seat taken" href="\/people\/ada" title="c1r1s1: Ada Lovelace \(Otters\)"/)
    assert.match(text, /fill="#123456"/)
    assert.match(text, /title="c1r1s2: free"/)
    assert.doesNotMatch(text, /\/people\/bob/, 'bob sits on another floor')
  })

  it('point at somebody by login, name or the beginning of one, on whichever floor they are', async () => {
    for (const find of ['bob', 'BOB', 'byr', 'Bob By']) {
      const { text } = await ada.browser.get(`/campuses/${here}?find=${encodeURIComponent(find)}`)
      assert.match(text, /class="seat taken found" href="\/people\/bob"/, find)
    }
    for (const find of ['zoe', '%', '<b>', 'x'.repeat(3000)]) {
      const { status, text } = await ada.browser.get(`/campuses/${here}?find=${encodeURIComponent(find)}`)
      assert.equal(status, 200)
      assert.match(text, /is logged in here/)
      assert.doesNotMatch(text, /<b>/)
    }
  })

  it('are shown as staff of the campus draw them', async () => {
    const path = `/staff/seats/${here}`
    assert.equal((await staff.browser.upload(path, { name: 'Cluster 1', svg: file(PLAN) })).status, 303)
    assert.match((await staff.browser.get(path)).text, /2 computers of 5/)
    const { text } = await ada.browser.get(`/campuses/${here}`)
    assert.match(text, /Cluster 1 <span class="quiet">1 of 2/)
    assert.match(text, /<a class="plan-seat taken" href="\/people\/ada" aria-label="c1r1s1: Ada Lovelace">/)
    assert.match(text, /Room &#38; door/)
    assert.match(text, /Floor 1 <span class="quiet">0 of 1/, 'what is not drawn stays in its rows')
    const id = /name="id" value="(\d+)"/.exec((await staff.browser.get(path)).text)?.[1] ?? ''
    assert.equal((await staff.browser.submit(path, { wish: 'delete-plan', id, confirmed: 'yes' })).status, 303)
    assert.doesNotMatch((await ada.browser.get(`/campuses/${here}`)).text, /Cluster 1/)
  })

  it('are drawn and counted once, however many shapes have the name of a computer', async () => {
    const path = `/staff/seats/${here}`
    const svg = `<svg viewBox="0 0 9 9">${'<rect id="c1r1s1" width="1" height="1" transform="rotate(9)"/>'.repeat(900)}</svg>`
    await staff.browser.upload(path, { name: 'Copies', svg: file(svg) })
    const { text } = await ada.browser.get(`/campuses/${here}`)
    assert.match(text, /Copies <span class="quiet">1 of 1/)
    assert.equal(text.match(/class="plan-seat taken"/g)?.length, 1)
    assert.match(text, /<g transform="rotate\(9\)"><rect class="plan-taken"/, 'the face is where the shape is')
    const id = /name="id" value="(\d+)"/.exec((await staff.browser.get(path)).text)?.[1] ?? ''
    await staff.browser.submit(path, { wish: 'delete-plan', id, confirmed: 'yes' })
  })

  it('are drawn by staff of the campus alone', async () => {
    const path = `/staff/seats/${here}`
    assert.equal((await ada.browser.get(path)).status, 403)
    const { text, status } = await stranger.browser.get(path)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /type="file"/)
    const form = { csrf_token: /name="csrf_token" value="([^"]+)"/.exec(text)?.[1] ?? '' }
    const requests: Record<string, string>[] = [
      { wish: 'kiosk', screen: 'x' },
      { wish: 'delete-plan', id: '1' },
      { name: 'x' },
    ]
    for (const more of requests) assert.equal((await stranger.browser.post(path, { ...form, ...more })).status, 403)
    assert.deepEqual(await world.database.rows('select count(*) from kiosks'), [['0']])
  })

  it('are refused as a drawing that is none, with what is wrong', async () => {
    for (const [svg, why] of [
      ['', /must be chosen|is not/],
      ['hello', /is not an SVG/],
      ['<svg viewBox="0 0 1 1">', /damaged at line/],
      ['<html><body/></html>', /not an SVG/],
      ['<svg><rect id="a"/></svg>', /viewBox/],
      [`<svg viewBox="0 0 1 1">${'<g>'.repeat(50)}${'</g>'.repeat(50)}</svg>`, /too deep/],
      [`<svg viewBox="0 0 1 1">${'<g/>'.repeat(4000)}</svg>`, /too many/],
      [`<svg viewBox="0 0 1 1"><text>${'x'.repeat(70_000)}</text></svg>`, /more than 64 kB/],
      ['<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg viewBox="0 0 1 1"><text>&b;</text></svg>', /uses an entity at line 1/],
      [Buffer.from([0x1f, 0x8b, 8, 0]), /compressed/],
      ['<?xml version="1.0" encoding="ebcdic"?><svg viewBox="0 0 1 1"/>', /is not encoded as ebcdic/],
      [Buffer.from('<svg viewBox="0 0 1 1"><text>\xe9</text></svg>', 'latin1'), /is not encoded as utf-8/],
    ] as const) {
      const answer = await staff.browser.upload(`/staff/seats/${here}`, { name: 'One', svg: file(svg) })
      assert.equal(answer.status, 422, String(svg).slice(0, 60))
      assert.match(answer.text, why, String(svg).slice(0, 60))
    }
    assert.equal((await staff.browser.upload(`/staff/seats/${here}`, { name: ' ', svg: file(PLAN) })).status, 422)
  })

  it('are shown as rows if the stored drawing is invalid, and staff can delete the drawing', async () => {
    const path = `/staff/seats/${here}`
    const pages = async () => {
      const answers = [
        await ada.browser.get(`/campuses/${here}`),
        await ada.browser.get(`/campuses/${here}?floor=Stored`),
        await ada.browser.get(`/campuses/${here}/wall`),
        await staff.browser.get(path),
      ]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      )
      return answers
    }
    const saved = await staff.browser.upload(path, { name: 'Stored', svg: file(MANY_SHAPES) })
    assert.equal(saved.status, 303)
    for (const { text } of await pages()) assert.doesNotMatch(text, /cannot be read/)
    const grown = `<svg viewBox="0 0 1 1"><rect id="c1r1s1"/><desc>${'"'.repeat(20_000)}</desc></svg>`
    const refused = await staff.browser.upload(path, { name: 'Grown', svg: file(grown) })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /after cleaning/)
    for (const svg of [
      `<svg viewBox="0 0 1 1"><rect id="c1r1s1"/>${'<g></g>'.repeat(20_000)}</svg>`,
      `<svg viewBox="0 0 1 1"><rect id="c1r1s1"/>${'<g/>'.repeat(4_000)}</svg>`,
      '<svg viewBox="0 0 1 1"><rect id="c1r1s1">',
      '<svg><rect id="c1r1s1"/></svg>',
      '<html><rect id="c1r1s1"/></html>',
      '',
    ]) {
      await world.database.rows(`update seat_plans set svg = $1 where name = 'Stored'`, [svg])
      const [, chosen, wall, forStaff] = await pages()
      for (const page of [chosen, wall]) {
        assert.doesNotMatch(page?.text ?? '', /Stored/)
        assert.match(page?.text ?? '', /c1r1s1: Ada Lovelace/)
      }
      assert.match(forStaff?.text ?? '', /This drawing cannot be read/)
    }
    const id = /name="id" value="(\d+)"/.exec((await staff.browser.get(path)).text)?.[1] ?? ''
    assert.equal((await staff.browser.submit(path, { wish: 'delete-plan', id, confirmed: 'yes' })).status, 303)
    assert.doesNotMatch((await staff.browser.get(path)).text, /Stored/)
  })

  it('have at most twenty drawings, and a page parses only the shown drawing, once', async (test) => {
    const there = await world.build.campus({ name: 'Braga' })
    const boss = await staffOf('braga', there)
    const path = `/staff/seats/${there}`
    const save = (name: string) => boss.browser.upload(path, { name, svg: file(PLAN) })
    for (let at = 11; at < 30; at += 1) assert.equal((await save(`Floor ${at}`)).status, 303)
    const last = await Promise.all(['Floor 30', 'Floor 31', 'Floor 32'].map(save))
    assert.deepEqual(last.map(({ status }) => status).sort(), [303, 422, 422])
    assert.match(last.find(({ status }) => status === 422)?.text ?? '', /A campus can have at most 20 drawings/)
    assert.equal((await save('Floor 15')).status, 303, 'a drawing in place of another')

    const parse = mock.method(SaxesParser.prototype, 'close')
    test.after(() => parse.mock.restore())
    const parsesOf = async (view: () => Promise<unknown>) => {
      const before = parse.mock.callCount()
      await view()
      return parse.mock.callCount() - before
    }
    const view = (floor: string) => () => ada.browser.get(`/campuses/${there}?floor=Floor ${floor}`)
    assert.equal(await parsesOf(view('12')), 1)
    assert.equal(await parsesOf(view('12')), 0)
    assert.equal(await parsesOf(() => Promise.all(Array.from({ length: 5 }, view('13')))), 1)
    assert.equal(await parsesOf(() => boss.browser.get(`${path}?floor=Floor 14`)), 1)
    assert.equal(
      await parsesOf(() => ada.browser.get(`/campuses/${there}/wall`)),
      16,
      'the wall shows all drawings, and four were parsed before',
    )
    assert.equal(await parsesOf(() => ada.browser.get(`/campuses/${there}/wall`)), 0)
    await save('Floor 12')
    assert.equal(await parsesOf(view('12')), 1, 'the saved version')
    assert.equal(await parsesOf(view('13')), 0)
    for (let at = 11; at < 30; at += 1) await boss.browser.upload(path, { name: `Floor ${at}`, svg: file(MANY_SHAPES) })
    const wall = await ada.browser.get(`/campuses/${there}/wall`)
    assert.equal(wall.text.match(/aria-label="Floor/g)?.length, 4, 'a screen shows 256 KiB of drawings')
    assert.match((await ada.browser.get(`/campuses/${there}/wall?floor=Floor 29`)).text, /aria-label="Floor 29"/)
  })

  it('have at most fifty screens', async () => {
    const there = await world.build.campus({ name: 'Faro' })
    const boss = await staffOf('faro', there)
    await world.database.rows(
      `insert into kiosks (campus_id, name, token_digest) select $1, 'Hall', 'faro ' || n from generate_series(1, 50) n`,
      [there],
    )
    const { status, text } = await boss.browser.submit(`/staff/seats/${there}`, { wish: 'kiosk', screen: 'Hall' })
    assert.equal(status, 422)
    assert.match(text, /A campus can have at most 50 screens/)
  })

  it('on a screen are shown with its token alone, and nothing else is', async () => {
    const made = await staff.browser.submit(`/staff/seats/${here}`, { wish: 'kiosk', screen: 'Hall' })
    const token = /\/wall\?token=([\w-]{43})/.exec(made.text)?.[1] ?? ''
    assert.notEqual(token, '')
    assert.doesNotMatch((await staff.browser.get(`/staff/seats/${here}`)).text, /token=/)
    assert.deepEqual(await world.database.rows(`select 1 from kiosks where token_digest = $1`, [token]), [])

    const screen = visitorOf(world)
    assert.equal((await screen.get('/wall')).status, 403)
    assert.equal((await screen.get('/wall?token=nonsense')).status, 403)
    assert.equal((await screen.get(`/wall?token=${token}`)).location, '/wall')
    const { status, text } = await screen.get('/wall')
    assert.deepEqual([status, /<h1>(.*?)<\/h1>/.exec(text)?.[1]], [200, 'Lisbon'])
    assert.match(text, />ada</)
    assert.doesNotMatch(text, /href="\/people|<nav|@/)
    for (const path of [
      `/campuses/${here}`,
      `/campuses/${here}/wall`,
      '/people',
      '/staff/users',
      '/changes?of=/v2/users',
    ])
      assert.match(String((await screen.get(path)).location), /^\/sign-in/, path)

    const id = /name="id" value="(\d+)"/.exec((await staff.browser.get(`/staff/seats/${here}`)).text)?.[1] ?? ''
    await staff.browser.submit(`/staff/seats/${here}`, { wish: 'delete-kiosk', id, confirmed: 'yes' })
    assert.equal((await screen.get('/wall')).status, 403)
  })

  it('for who is signed in fill a screen, too', async () => {
    const { text } = await ada.browser.get(`/campuses/${here}/wall`)
    assert.match(text, />bob</)
    assert.doesNotMatch((await ada.browser.get(`/campuses/${here}/wall?floor=1`)).text, />bob</)
  })
})

describe('a plan', () => {
  it('draws and does nothing else, whatever it holds', () => {
    const hostile = `<?xml version="1.0"?><!DOCTYPE svg><?php echo 1 ?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9" onload="a()" onclick="b()">
      <script>c()</script><style>@import url(//evil)</style><foreignObject><iframe src="//evil"/></foreignObject>
      <image href="//evil/x.png"/><use href="#x"/><a href="javascript:d()"><rect id="inside"/></a><set attributeName="href" to="javascript:e()"/>
      <rect id="ok" width="1" height="1" fill="url(//evil)" style="fill:url('//evil');stroke:red;behavior:url(x)" onmouseover="f()"/>
      <rect id="a&quot;b" width="1"/><rect id="${'x'.repeat(99)}" width="1"/><circle r="1" fill="javascript:g()"/>
      <text>&lt;script&gt;h()&lt;/script&gt;<![CDATA[<img src=x onerror=i()>]]></text><!-- <b>j()</b> --><g transform="translate(1,2)"/></svg>`
    const plan = cleanPlan(hostile)
    const written = writePlan(plan)
    assert.doesNotMatch(written, /<(script|style|foreignObject|iframe|image|use|a|set|img|b)\b/i)
    assert.doesNotMatch(written, /evil|javascript|\son\w+=|url\(|behavior|href/i)
    assert.match(written, /stroke="red"/)
    assert.match(written, /translate\(1,2\)/)
    assert.deepEqual(namesIn(written), ['ok'])
    assert.equal(writePlan(cleanPlan(written)), written, 'what is clean stays as it is')
  })

  it('without a viewBox has the one of its size', () => {
    assert.match(writePlan(cleanPlan('<svg width="30px" height="20"/>')), /viewBox="0 0 30 20"/)
    assert.match(writePlan(cleanPlan('<svg width="25.4mm" height="2in"/>')), /viewBox="0 0 96 192"/)
    assert.throws(() => cleanPlan('<svg width="100%" height="100%"/>'), HttpError)
    assert.throws(() => cleanPlan('<svg width="0" height="-1"/>'), HttpError)
  })

  it('is refused unless its stored text can be parsed again', () => {
    const grows = (content: string, count: number) => `<svg viewBox="0 0 1 1">${content.repeat(count)}</svg>`
    for (const [svg, isStored] of [
      [MANY_SHAPES, true],
      [grows('<g id="a"></g>', 2_900), true],
      [grows('<text>&amp;&lt;&gt;"</text>', 1_900), true],
      [grows('<text>a&amp;b<tspan/></text>', 1_400), true],
      [`<svg viewBox="0 0 1 1"><desc>${'"'.repeat(20_000)}</desc></svg>`, false],
      [grows('<g style="fill:a;fill:b"/>', 2_000), true],
      [grows(`<g style="${[...'abcdef'].map((name) => `opacity:${name}`).join(';')}"/>`, 900), true],
      [grows('<g style="fill:a;stroke:b;opacity:c;fill-rule:d;font-size:e;stroke-width:f"/>', 840), false],
      ['<?xml version="1.1"?><svg viewBox="0 0 1 1"><text>&#1;</text></svg>', false],
      ['<?xml version="1.1"?><svg viewBox="0 0 1 1"><text>&#133;&#9;&#10;</text><g id="a&#10;b"/></svg>', true],
      ['<svg viewBox="0 0 1 1"><text>]]&gt;<![CDATA[<&"]]></text></svg>', true],
    ] as const) {
      assert.ok(Buffer.byteLength(svg) <= MAX_PLAN_BYTES, svg.slice(0, 80))
      if (!isStored) {
        assert.throws(() => planToStore(svg), HttpError, svg.slice(0, 80))
        continue
      }
      const stored = planToStore(svg)
      assert.equal(planToStore(stored).length, stored.length, svg.slice(0, 80))
    }
  })

  it('is refused if copies, gradients or style sheets repeat long attributes', () => {
    const drawing = (definitions: string, content: string, count: number) =>
      `<svg viewBox="0 0 1 1"><defs>${definitions}</defs>${content.repeat(count)}</svg>`
    const isRepetitive = (error: HttpError) => JSON.stringify(error.errors).includes('too often')
    const long = (part: string) => part.repeat(100_000 / part.length)
    const copies = (attribute: string) => drawing(`<g id="a" ${attribute}/>`, '<use href="#a"/>', 1_000)
    const gradient = (stop: string) => `<linearGradient id="a">${stop}</linearGradient>`
    const classes = Array.from({ length: 20 }, (_, index) => `c${index}`)
    const rules = classes.map(
      (name) => `.${name}{fill:red;stroke:red;opacity:1}g.${name}{fill:red;stroke:red;opacity:1}`,
    )
    for (const svg of [
      copies(`style="${long('fill:red;')}"`),
      copies(`d="${long('1')}é"`),
      copies(`requiredExtensions="${long(' ')}"`),
      drawing(gradient(`<stop style="${long('stop-color:red;')}"/>`), '<g fill="url(#a)"/>', 1_000),
      drawing(gradient('<g/>'.repeat(1_900)), '<g fill="url(#a)"/>', 1_000),
      drawing(`<switch id="a">${'<g requiredExtensions="x"/>'.repeat(1_900)}</switch>`, '<use href="#a"/>', 1_000),
      drawing(`<style>${rules.join('')}</style>`, `<g class="${classes.join(' ')}"/>`, 1_400),
    ])
      assert.throws(() => planToStore(svg), isRepetitive, svg.slice(0, 80))
    assert.ok(planToStore(drawing(gradient('<stop stop-color="red"/>'), '<g fill="url(#a)"/>', 1_000)))
  })

  it('is read or refused in linear time, whatever its attributes and style sheets hold', () => {
    const drawing = (content: string, size = 'viewBox="0 0 1 1"') => `<svg ${size}>${content}</svg>`
    const copies = (attributes: string) => drawing(`<g id="a" ${attributes}/>${'<use href="#a"/>'.repeat(1_400)}`)
    const many = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=""`).join(' ')
    for (const svg of [
      drawing('', `width="1${' '.repeat(250_000)}!" height="1"`),
      copies(`style="${'a:b;'.repeat(50_000)}"`),
      copies(`d="${'1 2 '.repeat(50_000)}!"`),
      copies(many(20_000)),
      drawing(`<g ${many(101)}/>`),
    ])
      assert.throws(() => planToStore(svg), HttpError, svg.slice(0, 80))
    const rules = `${'a,'.repeat(100_000)}a{fill:red;stroke:red;opacity:1}`
    assert.equal(planToStore(drawing(`<style>${rules}</style>`)), '<svg viewBox="0 0 1 1"/>')
    const paint = `<rect fill="url(${' '.repeat(250)}"/>`
    assert.equal(planToStore(drawing(paint.repeat(900))), drawing('<rect/>'.repeat(900)))
  })

  it('is stored with empty tags for elements without content, and without elements in titles and descriptions', () => {
    assert.equal(
      planToStore(
        '<svg viewBox="0 0 1 1"><g id="a"></g><title>x<g id="b"/></title><desc><svg viewBox="0 0 1 1"/></desc></svg>',
      ),
      '<svg viewBox="0 0 1 1"><g id="a"/><title>x</title><desc/></svg>',
    )
  })

  const stored = (content: string, attributes = '', before = '') =>
    planToStore(
      `${before}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" viewBox="0 0 9 9"${attributes}>${content}</svg>`,
    ).replace(/^<svg viewBox="0 0 9 9"|<\/svg>$|\/>$/g, '')

  it('keeps the styles that its shapes inherit from the root, as Figma writes them', () => {
    const lines = '<path d="M0 0h9v9" stroke="black"/>'
    assert.equal(stored(lines, ' width="90" height="90" fill="none"'), ` fill="none">${lines}`)
    assert.equal(stored(lines, ' style="fill:none;stroke-width:2"'), ` fill="none" stroke-width="2">${lines}`)
    assert.equal(
      stored('<style>svg{fill:none}</style><path d="M0 0" fill="currentColor"/>', ' color="#123"'),
      ' fill="none"><path d="M0 0" fill="#123"/>',
    )
  })

  it('leaves out what is hidden, as Inkscape and Illustrator write it', () => {
    const seat = '<rect id="c1r1s1" width="1"/>'
    for (const hidden of [
      `<g inkscape:groupmode="layer" inkscape:label="Old" style="display:none">${seat}</g>`,
      `<g display="none">${seat}</g>`,
      `<g style="fill:red; display : none !important">${seat}</g>`,
      `<g visibility="hidden">${seat}<g><text>a<tspan>b</tspan></text><title>c</title></g></g>`,
      `<g style="visibility:collapse">${seat}</g>`,
      `<style>.st0{display:none;}</style><g class="st1 st0">${seat}</g>`,
      `<style><![CDATA[/* a */ @import "x"; g.a, .st0 {visibility:hidden}]]></style><g class="st0">${seat}</g>`,
      `<g class="st0">${seat}</g><style>#x{fill:red}.st0{display:none}</style>`,
      `<defs>${seat}</defs><symbol>${seat}</symbol><clipPath>${seat}</clipPath><mask>${seat}</mask>`,
    ])
      assert.equal(stored(hidden), '', hidden)
    assert.equal(
      stored(`<g visibility="hidden"><rect width="2"/><rect width="1" visibility="visible"/></g>`),
      '><g><rect width="1"/></g>',
    )
    for (const shown of [
      '<style>.st0{display:none} .st0{display:inline}</style><g class="st0"><rect width="1"/></g>',
      '<style>g.st0{display:inline} .st0{display:none}</style><g class="st0"><rect width="1"/></g>',
      '<style>@media print {.st0{display:none}} .st1{}</style><g class="st0"><rect width="1"/></g>',
      '<g display="none" style="display:inline"><rect width="1"/></g>',
    ])
      assert.equal(stored(shown), '><g><rect width="1"/></g>', shown)
  })

  it('has the colours of style sheets and the first colour of gradients', () => {
    const sheet = '<style type="text/css">.a{fill:#FFF;stroke:#000} .b{stroke:red} rect{fill:blue;opacity:.5}</style>'
    assert.equal(
      stored(`${sheet}<rect class="a b" stroke="green" style="opacity:1"/>`),
      '><rect stroke="red" fill="#FFF" opacity="1"/>',
    )
    const gradients =
      '<defs><linearGradient id="a"><stop style="stop-color:#abc"/><stop/></linearGradient><linearGradient id="b" xlink:href="#a"/><pattern id="c"/><linearGradient id="d" href="#d"/></defs>'
    assert.equal(
      stored(
        `${gradients}<path fill="url(#a)" stroke="url('#b')"/><path fill="url(#c)" stroke="url(#x) red"/><path fill="url(#d)" stroke="url(//evil)"/>`,
      ),
      '><path fill="#abc" stroke="#abc"/><path fill="none" stroke="red"/><path fill="none" stroke="none"/>',
    )
  })

  it('shows clones and symbols in their places', () => {
    assert.equal(
      stored(
        '<rect id="desk" width="1"/><use xlink:href="#desk" id="c1r1s1" x="2" y="3" transform="scale(2)" style="fill:red"/><use href="#nothing"/>',
      ),
      '><rect id="desk" width="1"/><g id="c1r1s1" transform="scale(2) translate(2 3)" fill="red"><rect width="1"/></g>',
    )
    assert.equal(
      stored(
        '<symbol id="s" viewBox="0 0 4 4"><circle id="x" r="1"/></symbol><use href="#s" width="2" height="2" y="1"/>',
      ),
      '><g transform="translate(0 1)"><svg viewBox="0 0 4 4" width="2" height="2"><circle r="1"/></svg></g>',
    )
  })

  it('of Illustrator has its names, its alternative for other programs and its namespaces by entities', () => {
    const doctype = `<?xml version="1.0" encoding="utf-8"?>
<!-- Generator: Adobe Illustrator -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
	<!ENTITY ns_extend "http://ns.adobe.com/Extensibility/1.0/">
	<!ENTITY ns_ai 'http://ns.adobe.com/AdobeIllustrator/10.0/'>
	<!ENTITY ns_svg "http://www.w3.org/2000/svg">
]>`
    const svg = `${doctype}<svg version="1.1" xmlns:x="&ns_extend;" xmlns:i="&ns_ai;" xmlns="&ns_svg;" viewBox="0 0 9 9">
<metadata><sfw xmlns="&ns_extend;"><g/></sfw></metadata><switch>
<foreignObject requiredExtensions="&ns_ai;" x="0" width="1" height="1"><i:aipgfRef xlink:href="#adobe_illustrator_pgf"/></foreignObject>
<g i:extraneous="self"><rect id="_x31_r1_x2D_s1" width="1"/><rect id="_2r" data-name="2r-1" width="1"/></g></switch>
<i:aipgf id="adobe_illustrator_pgf"><![CDATA[${'eJzs'.repeat(30_000)}]]></i:aipgf></svg>`
    assert.equal(
      planToStore(svg),
      '<svg viewBox="0 0 9 9"><g><g><rect id="1r1-s1" width="1"/><rect id="2r-1" width="1"/></g></g></svg>',
    )
  })

  it('of Inkscape has the names of its list of objects, and any prefix', () => {
    assert.equal(
      stored(
        '<rect id="rect12-3" inkscape:label="c1r1s1"/><rect id="c1r1s2" inkscape:label="c9"/><g id="g1" inkscape:label="Layer 1"/>',
      ),
      '><rect id="c1r1s1"/><rect id="c1r1s2"/><g id="g1"/>',
    )
    assert.equal(
      planToStore(
        '<svg:svg xmlns:svg="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><svg:g id="a"/><sodipodi:g/></svg:svg>',
      ),
      '<svg viewBox="0 0 1 1"><g id="a"/></svg>',
    )
  })

  it('has entities of short texts only, and never much longer than the file', () => {
    const withEntities = (subset: string, content: string) => () =>
      stored(`<text>${content}</text>`, '', `<!DOCTYPE svg [${subset}]>`)
    const doctype =
      '<!ENTITY a "Room"><!ENTITY b \'&#233;&#x21;\'><!ENTITY lt "x"><!-- <!ENTITY a "no"> --><!ENTITY a "no">'
    assert.equal(withEntities(doctype, '&a; &b; &lt;')(), '><text>Room é! &#60;</text>')
    const nested = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('')
    for (const [subset, content] of [
      [`<!ENTITY e0 "ha">${nested}`, '&e9;'],
      [`<!ENTITY a "${'x'.repeat(257)}">`, '&a;'],
      [`<!ENTITY a "${'x'.repeat(256)}">`, '&a;'.repeat(257)],
      ['<!ENTITY a SYSTEM "file:///etc/passwd">', '&a;'],
      ['<!ENTITY % p SYSTEM "http://evil/x.dtd"> %p;', '&p;'],
      ['<!ENTITY a "<rect/>">', '&a;'],
      ['<!ENTITY a "&#60;rect/>">', '&a;'],
      ['<!ENTITY a "&#38;b;"><!ENTITY b "x">', '&a;'],
      ['<!ENTITY a "&#xD800;">', '&a;'],
    ] as const)
      assert.throws(withEntities(subset, content), HttpError, subset.slice(0, 60))
  })

  it('is read in its own encoding', () => {
    const svg = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><svg viewBox="0 0 1 1"><text>é</text></svg>`
    for (const bytes of [
      Buffer.from(svg('UTF-8')),
      Buffer.from(`\ufeff${svg('UTF-8')}`),
      Buffer.from(svg('iso-8859-1'), 'latin1'),
      Buffer.from(`\ufeff${svg('UTF-16')}`, 'utf16le'),
      Buffer.from(svg('UTF-16'), 'utf16le'),
      Buffer.from(`\ufeff${svg('UTF-16')}`, 'utf16le').swap16(),
    ])
      assert.match(planToStore(decodeSvg(bytes)), /<text>é</)
  })

  it('that grows, refers to itself or hides an endless comment is read within limits', () => {
    const copies = (count: number) =>
      Array.from({ length: count }, (_, at) => `<g id="g${at + 1}">${`<use href="#g${at}"/>`.repeat(9)}</g>`)
    for (const svg of [
      `<svg viewBox="0 0 1 1"><g id="g0"><rect/></g>${copies(9).join('')}</svg>`,
      '<svg viewBox="0 0 1 1"><g id="a"><use href="#a"/></g></svg>',
      `<svg viewBox="0 0 1 1"><defs><path id="p" d="${'M0 0'.repeat(10_000)}"/></defs>${'<use href="#p"/>'.repeat(1_000)}</svg>`,
      `<svg viewBox="0 0 1 1"><style>g{fill:${'a'.repeat(256)}}</style>${'<g/>'.repeat(2_000)}</svg>`,
    ])
      assert.throws(() => planToStore(svg), HttpError, svg.slice(0, 80))
    for (const css of [
      '/*'.repeat(90_000),
      '{'.repeat(150_000),
      '}'.repeat(150_000),
      '.a,'.repeat(50_000),
      '.a{fill:red}'.repeat(12_000),
    ])
      assert.equal(stored(`<style>${css}</style><g class="${'a '.repeat(30_000)}"/>`).slice(0, 3), '><g')
    // A pattern that searches the rest for an end at each start would take an hour.
    assert.equal(stored(`<path fill="url( ${' '.repeat(200_000)}x"/>`), '><path/>')
    assert.equal(stored('', '', `<!DOCTYPE svg [<!ENTITY a "${'<!--'.repeat(60_000)}">]>`), '')
  })
})
