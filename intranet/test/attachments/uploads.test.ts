import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { connect } from 'node:tls'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { pdf } from '@campus/test/support/pdf'
import { attachmentForm, fileOf, filesOf, pathOf, whenAllRead, whenRead } from '@campus/test/support/uploads'

const SUBJECT = pdf({ pages: 3 })
/** The head of an MP4, and nothing to play. */
const FILM = Buffer.concat([
  Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex'),
  Buffer.alloc(5000),
])

describe('attaching', () => {
  let world: World
  let tutor: Client
  let author: number
  let project: number
  let [english, french] = [0, 0]
  let path: string

  before(async () => {
    world = await campus()
    author = await world.build.user()
    tutor = await world.caller({ roles: ['Advanced Tutor'], scopes: ['public', 'projects'], user: author })
    english = await world.build.language({ name: 'English', identifier: 'en' })
    french = await world.build.language({ name: 'French', identifier: 'fr' })
    project = await world.build.record('projects', { name: 'Libft', slug: 'libft' })
    path = `/v2/projects/${project}/attachments`
  })
  after(() => world.close())

  const rows = async () => {
    const counts = await world.database.rows(
      'select (select count(*) from attachments), (select count(*) from pdf_jobs)',
    )
    return counts[0]?.map(Number)
  }
  const subject = (fields: Record<string, string> = {}, element: Record<string, string | Blob> = {}) =>
    attachmentForm(
      { kind: 'pdf', ...fields },
      { name: 'en.subject.pdf', attachable_type: 'pdf', pdf: fileOf(SUBJECT, 'en.subject.pdf'), ...element },
    )
  const create = async (form: FormData | object) => {
    const answer = await tutor.post(path, form)
    assert.equal(answer.status, 201, answer.text)
    return answer.json
  }

  it('a PDF gives a record whose pages are counted and whose thumbnail is drawn in the background', async () => {
    const { status, json, headers, text } = await tutor.post(path, subject({ language_id: String(english) }))
    assert.equal(status, 201, text)
    assert.equal(headers.get('location'), `${world.url}/v2/attachments/${json.id}`)
    assert.deepEqual(
      { ...json, url: undefined, pdf: undefined },
      {
        id: json.id,
        name: 'en.subject.pdf',
        page_count: 0,
        created_at: '2026-03-02T10:00:00.000Z',
        pdf_processing: true,
        slug: 'libft-en-subject-pdf',
        thumb_url: null,
        base_id: json.id,
        type: 'Pdf',
        language: { id: english, name: 'English', identifier: 'en' },
        url: undefined,
        pdf: undefined,
      },
    )
    assert.deepEqual(json.pdf, { pdf: { url: json.url, thumb: { url: null } } })

    const read = await whenRead(world.visitor, json.id)
    assert.deepEqual([read.page_count, read.pdf_processing], [3, false])
    assert.equal(read.pdf.pdf.thumb.url, read.thumb_url)
    const thumb = await world.anonymous.get(pathOf(world, read.thumb_url))
    assert.deepEqual([thumb.status, thumb.headers.get('content-type')], [200, 'image/png'])
    assert.ok(thumb.text.startsWith('\u{fffd}PNG'))
  })

  it('below a slug, and by PUT as by PATCH, does the same', async () => {
    const { status, json } = await tutor.post('/v2/projects/libft/attachments', subject())
    assert.equal(status, 201)
    const renamed = attachmentForm({}, { name: 'Renamed' })
    assert.equal((await tutor.put(`/v2/attachments/${json.id}`, renamed)).status, 204)
    assert.equal((await tutor.get(`/v2/attachments/${json.id}`)).json.name, 'Renamed')
  })

  it('remembers who did it, in which project, of which kind', async () => {
    const { id } = await create(subject())
    const by = `filter[user_id]=${author}&filter[container_type]=Project&filter[container_id]=${project}&filter[kind]=pdf`
    const found = (await world.visitor.get(`/v2/attachments?${by}&filter[attachable_id]=${id}`)).json
    assert.deepEqual(
      found.map((record: { id: number }) => record.id),
      [id],
    )
  })

  for (const [kind, bytes, name, type] of [
    ['video', FILM, 'film.mp4', 'video/mp4'],
    ['code', '#include <unistd.h>\n', 'main.c', 'text/plain; charset=utf-8'],
    ['code', '<script>alert(1)</script>', 'page.html', 'text/plain; charset=utf-8'],
    ['document', '# Read me, s’il vous plaît\n', 'README.md', 'text/plain; charset=utf-8'],
    ['document', SUBJECT, 'rules.pdf', 'application/pdf'],
  ] as const) {
    it(`${kind} called ${name} is served as ${type}`, async () => {
      const file = fileOf(bytes, name)
      const record = await create(attachmentForm({ kind }, { name, attachable_type: kind, [kind]: file }))
      assert.deepEqual([record.pdf_processing, record.page_count], [false, 0])
      assert.deepEqual(record.pdf, { pdf: { url: null, thumb: { url: null } } })
      assert.equal(record.type, `${kind[0]?.toUpperCase()}${kind.slice(1)}`)
      const served = await world.anonymous.get(pathOf(world, record.url))
      assert.deepEqual([served.status, served.headers.get('content-type')], [200, type])
      assert.equal(served.headers.get('content-length'), String(file.size))
    })
  }

  it('a link needs no file, and leads to http or https only', async () => {
    const link = (url: string | null) => ({
      attachment: { kind: 'link', attachable_attributes: [{ name: 'Manual', attachable_type: 'link', url }] },
    })
    assert.equal((await create(link('https://docs.campus.test/a b'))).url, 'https://docs.campus.test/a%20b')
    assert.equal((await create(link(null))).url, null)
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'docs', 'https://a:b@c.test']) {
      const { status, json } = await tutor.post(path, link(url))
      assert.equal(status, 422, url)
      assert.deepEqual(json.errors, { 'attachable_attributes[0].url': ['must be an http:// or https:// address'] })
    }
  })

  it('takes urlencoded too', async () => {
    const body = new URLSearchParams({
      'attachment[kind]': 'link',
      'attachment[untranslatable]': 'true',
      'attachment[language_id]': '',
      'attachment[attachable_attributes][][name]': 'https://docs.campus.test/manual',
      'attachment[attachable_attributes][][attachable_type]': 'link',
    })
    const record = await create(body)
    assert.deepEqual([record.url, record.language], ['https://docs.campus.test/manual', null])
  })

  it('several elements makes all of them, found together', async () => {
    const element = (name: string) => ({
      name,
      attachable_type: 'pdf',
      pdf: fileOf(pdf({ pages: 1, text: name }), name),
    })
    const { id, name } = await create(attachmentForm({ kind: 'pdf' }, element('one'), element('two'), element('three')))
    assert.equal(name, 'one')
    const all = await tutor.get(`/v2/attachments?filter[attachments_structure_id]=${id}`)
    assert.deepEqual(
      all.json.map((record: { name: string }) => record.name),
      ['one', 'two', 'three'],
    )
  })

  it('the same content twice keeps it once', async () => {
    const unique = pdf({ pages: 1, text: 'kept once' })
    await whenAllRead(world)
    const before = (await filesOf(world)).length
    const [first, second] = [
      await create(subject({}, { pdf: fileOf(unique, 'a.pdf') })),
      await create(subject({}, { pdf: fileOf(unique, 'b.pdf') })),
    ]
    await whenRead(tutor, first.id)
    await whenRead(tutor, second.id)
    // The document and its thumbnail.
    assert.equal((await filesOf(world)).length, before + 2)
  })

  it('with the same Idempotency-Key does nothing the second time', async () => {
    const headers = { 'idempotency-key': 'upload-1' }
    const first = await tutor.post(path, subject(), headers)
    const [count] = (await rows()) ?? []
    const again = await tutor.post(path, subject(), headers)
    assert.deepEqual([again.status, again.json.id], [201, first.json.id])
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal((await rows())?.[0], count)
    const other = await tutor.post(path, subject({}, { pdf: fileOf(pdf({ pages: 2 }), 'other.pdf') }), headers)
    assert.equal(other.status, 422)
  })

  describe('a translation', () => {
    let base: number
    beforeEach(async () => {
      base = (await create(subject({ language_id: String(english) }))).id
    })
    const translate = (fields: Record<string, string>) =>
      tutor.post(path, subject({ base_id: String(base), ...fields }, { name: 'fr.subject.pdf' }))

    it('shares the base, also when it is made from another translation', async () => {
      const { status, json } = await translate({ language_id: String(french) })
      assert.deepEqual([status, json.base_id, json.language.identifier], [201, base, 'fr'])
      const german = await world.build.language({ name: 'German', identifier: 'de' })
      const third = await translate({ language_id: String(german), base_id: String(json.id) })
      assert.equal(third.json.base_id, base)
      const all = await tutor.get(`/v2/attachments?filter[base_id]=${base}&filter[default]=false`)
      assert.equal(all.headers.get('x-total'), '2')
    })

    it('needs a language that is not there yet', async () => {
      const missing = await translate({})
      assert.deepEqual(missing.json.errors, { language_id: ["can't be blank in a translation"] })
      const taken = await translate({ language_id: String(english) })
      assert.deepEqual(taken.json.errors, { language_id: [`is the language of attachment ${base} already`] })
    })

    it('is not made of what is untranslatable or belongs to another project', async () => {
      const other = await world.build.record('projects', { name: 'Other', slug: `other-${base}` })
      const elsewhere = await tutor.post(
        `/v2/projects/${other}/attachments`,
        subject({ base_id: String(base), language_id: String(french) }),
      )
      assert.deepEqual(elsewhere.json.errors, { base_id: ['is no attachment of this project'] })
      assert.equal(
        (await tutor.patch(`/v2/attachments/${base}`, { attachment: { untranslatable: 'true' } })).status,
        204,
      )
      assert.equal((await translate({ language_id: String(french) })).json.errors.base_id[0], 'is untranslatable')
    })

    it('is out of date once its base has a new file, until it has one too', async () => {
      const { json: translation } = await translate({ language_id: String(french) })
      const newer = () => attachmentForm({}, { pdf: fileOf(pdf({ pages: 5 }), 'newer.pdf') })
      const outdated = async () =>
        (await tutor.get(`/v2/attachments?filter[base_id]=${base}&filter[up_to_date]=false`)).json.map(
          ({ id }: { id: number }) => id,
        )
      assert.deepEqual(await outdated(), [])
      assert.equal((await tutor.patch(`/v2/attachments/${base}`, newer())).status, 204)
      assert.deepEqual(await outdated(), [translation.id])
      assert.equal((await tutor.patch(`/v2/attachments/${translation.id}`, newer())).status, 204)
      assert.deepEqual(await outdated(), [])
    })
  })

  describe('an update', () => {
    it('with another file counts and draws anew, and leads to the new one', async () => {
      const { id, url } = await create(subject())
      await whenRead(tutor, id)
      const form = attachmentForm({}, { pdf: fileOf(pdf({ pages: 9 }), 'newer.pdf') })
      assert.equal((await tutor.patch(`/v2/attachments/${id}`, form)).status, 204)
      const read = await whenRead(tutor, id)
      assert.equal(read.page_count, 9)
      assert.notEqual(read.url, url)
      assert.match(read.url, /newer\.pdf/)
    })

    it('to another kind needs what that kind holds', async () => {
      const { id } = await create(subject())
      const bare = await tutor.patch(`/v2/attachments/${id}`, { attachment: { kind: 'video' } })
      assert.deepEqual(bare.json.errors, { 'attachable_attributes[0].video': ["can't be blank: the file is missing"] })
      const form = attachmentForm({ kind: 'video' }, { attachable_type: 'video', video: fileOf(FILM, 'film.mp4') })
      assert.equal((await tutor.patch(`/v2/attachments/${id}`, form)).status, 204)
      const {
        type,
        page_count,
        thumb_url,
        pdf_processing,
        pdf: pages,
      } = (await tutor.get(`/v2/attachments/${id}`)).json
      assert.deepEqual([type, page_count, thumb_url, pdf_processing, pages.pdf.url], ['Video', 0, null, false, null])
    })

    it('of nothing, null or blanks where they are allowed changes no more than it says', async () => {
      const { id } = await create(subject({ language_id: String(english), untranslatable: 'true' }))
      for (const attachment of [null, {}, { untranslatable: null, language_id: null }]) {
        const answer = await tutor.patch(`/v2/attachments/${id}`, { attachment })
        assert.equal(answer.status, 204, answer.text)
      }
      assert.equal((await tutor.get(`/v2/attachments/${id}`)).json.language, null)
      const kindless = await tutor.patch(`/v2/attachments/${id}`, { attachment: { kind: null } })
      assert.deepEqual(kindless.json.errors, { kind: ["can't be blank"] })
    })
  })

  describe('refuses, and leaves nothing behind:', () => {
    let before: unknown
    beforeEach(async () => {
      await whenAllRead(world)
      before = await rows()
    })
    const refuse = async (form: FormData | object | string, errors: Record<string, RegExp>, headers = {}) => {
      const files = await filesOf(world)
      const answer = await tutor.post(path, form, headers)
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(Object.keys(answer.json.errors), Object.keys(errors))
      for (const [name, text] of Object.entries(errors)) assert.match(answer.json.errors[name][0], text)
      assert.deepEqual(await rows(), before)
      assert.deepEqual(await filesOf(world), files)
    }
    const AT = 'attachable_attributes[0]'

    it('another kind than the five', () =>
      refuse(subject({ kind: 'song' }), { kind: /not included in the list: code, pdf/ }))
    it('a kind that is not that of its element', () =>
      refuse(subject({ kind: 'video' }), { [`${AT}.attachable_type`]: /must be the kind of the attachment, video/ }))
    it('a type that does not match the file', () => {
      const form = attachmentForm(
        { kind: 'video' },
        { name: 'a', attachable_type: 'video', pdf: fileOf(SUBJECT, 'a.pdf') },
      )
      return refuse(form, { [`${AT}.attachable_type`]: /must match the file supplied, pdf/ })
    })
    it('two files in one element', () =>
      refuse(subject({}, { video: fileOf(FILM, 'a.mp4') }), { [`${AT}.video`]: /cannot come with pdf/ }))
    it('a film called a PDF', () =>
      refuse(subject({}, { pdf: fileOf(FILM, 'film.pdf') }), {
        [`${AT}.pdf`]: /is not a PDF: its content is video\/mp4/,
      }))
    it('text called a film', () => {
      const form = attachmentForm(
        { kind: 'video' },
        { name: 'a', attachable_type: 'video', video: fileOf('no film', 'a.mp4') },
      )
      return refuse(form, { [`${AT}.video`]: /is not a video: its content is text\/plain/ })
    })
    it('a program called code', () => {
      const elf = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(100)])
      const form = attachmentForm({ kind: 'code' }, { name: 'a', attachable_type: 'code', code: fileOf(elf, 'main.c') })
      return refuse(form, { [`${AT}.code`]: /is not text or an archive: its content is application\/x-elf/ })
    })
    it('an empty file', () => refuse(subject({}, { pdf: fileOf('', 'a.pdf') }), { [`${AT}.pdf`]: /is an empty file/ }))
    it('no file', () =>
      refuse(attachmentForm({ kind: 'pdf' }, { name: 'a', attachable_type: 'pdf' }), {
        [`${AT}.pdf`]: /the file is missing/,
      }))
    it('text where a file belongs', () => refuse(subject({}, { pdf: 'a.pdf' }), { [`${AT}.pdf`]: /must be a file/ }))
    it('a file where text belongs', () =>
      refuse(subject({}, { name: fileOf('x', 'x') }), { [`${AT}.name`]: /is not text/ }))
    it('an element without name and type', () =>
      refuse(attachmentForm({ kind: 'pdf' }, { pdf: fileOf(SUBJECT, 'a.pdf') }), {
        [`${AT}.name`]: /blank/,
        [`${AT}.attachable_type`]: /blank/,
      }))
    it('no element', () => refuse({ attachment: { kind: 'pdf' } }, { attachable_attributes: /can't be blank/ }))
    it('null for the whole', () => refuse({ attachment: null }, { kind: /blank/, attachable_attributes: /blank/ }))
    it('a field of its own', () => refuse(subject({}, { size: '3' }), { [`${AT}.size`]: /is not accepted/ }))
    it('a language that is none', () => refuse(subject({ language_id: '77777' }), { language_id: /exist/ }))
    it('a file beyond the limit of its kind, sent whole or in chunks', async () => {
      const large = Buffer.concat([SUBJECT, Buffer.alloc(world.config.uploadLimits.pdf)])
      await refuse(subject({}, { pdf: fileOf(large, 'a.pdf') }), {
        [`${AT}.pdf`]: /too large \(maximum is 52428800 bytes/,
      })
    })
    it('all elements where one is wrong', () =>
      refuse(
        attachmentForm(
          { kind: 'pdf' },
          { name: 'good', attachable_type: 'pdf', pdf: fileOf(pdf({ pages: 4, text: 'good' }), 'a.pdf') },
          { name: 'bad', attachable_type: 'pdf' },
        ),
        { 'attachable_attributes[1].pdf': /missing/ },
      ))
    it('twenty-one elements', () => {
      const attachable_attributes = Array.from({ length: 21 }, () => ({ name: 'a', attachable_type: 'link' }))
      return refuse({ attachment: { kind: 'link', attachable_attributes } }, { attachable_attributes: /more than 20/ })
    })

    it('twenty-one files', async () => {
      const parts = Array.from({ length: 21 }, (_, at) => ({
        name: `${at}`,
        attachable_type: 'pdf',
        pdf: fileOf(SUBJECT, 'a.pdf'),
      }))
      const files = await filesOf(world)
      const answer = await tutor.post(path, attachmentForm({ kind: 'pdf' }, ...parts))
      assert.equal(answer.status, 413, answer.text)
      assert.deepEqual([await rows(), await filesOf(world)], [before, files])
    })

    it('a multipart body that ends too early', async () => {
      const head =
        '--b\r\nContent-Disposition: form-data; name="attachment[attachable_attributes][][pdf]"; filename="a.pdf"\r\n\r\n'
      const files = await filesOf(world)
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      const answer = await tutor.post(path, Buffer.concat([Buffer.from(head), SUBJECT]), headers)
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual([await rows(), await filesOf(world)], [before, files])
    })

    it('a body beyond the limit of bodies, before it is read', async () => {
      const answer = await refusedHead(world, tutor, path, world.config.uploadLimits.body + 1)
      assert.match(answer, /^HTTP\/1\.1 413 /)
      assert.match(answer, /connection: close/i)
    })

    it('a client that goes away in the middle', async () => {
      const files = await filesOf(world)
      await leaveInTheMiddle(world, tutor, path)
      while ((await filesOf(world)).length > files.length) await new Promise((resolve) => setTimeout(resolve, 20))
      assert.deepEqual([await rows(), await filesOf(world)], [before, files])
    })

    it('whoever may not, before anything is read; and projects that do not exist', async () => {
      const files = await filesOf(world)
      const scopeless = await world.caller({ roles: ['Advanced Tutor'], scopes: ['public'] })
      const basic = await world.caller({ roles: ['Basic Tutor'], scopes: ['public', 'projects'] })
      for (const [client, status] of [
        [world.anonymous, 401],
        [world.visitor, 403],
        [scopeless, 403],
        [basic, 403],
      ] as const) {
        assert.equal((await client.post(path, subject())).status, status)
      }
      assert.equal((await tutor.post('/v2/projects/777777/attachments', subject())).status, 404)
      assert.equal((await tutor.patch('/v2/attachments/777777', subject())).status, 404)
      assert.deepEqual([await rows(), await filesOf(world)], [before, files])
    })
  })
})

/** Sends a head that announces a body of this length. Returns the response. */
async function refusedHead(world: World, { token }: Client, path: string, length: number): Promise<string> {
  const socket = connect({ port: world.config.port, host: 'localhost', ca: world.ca })
  socket.write(headOf(token, path, length))
  let answer = ''
  for await (const chunk of socket) answer += chunk
  return answer
}

async function leaveInTheMiddle(world: World, { token }: Client, path: string): Promise<void> {
  const socket = connect({ port: world.config.port, host: 'localhost', ca: world.ca })
  const part =
    '--b\r\nContent-Disposition: form-data; name="attachment[attachable_attributes][][pdf]"; filename="a.pdf"\r\n\r\n'
  const sent = Buffer.concat([Buffer.from(part), pdf({ pages: 500 })])
  const files = (await filesOf(world)).length
  await new Promise((resolve) =>
    socket.write(Buffer.concat([Buffer.from(headOf(token, path, 1_000_000)), sent]), resolve),
  )
  while ((await filesOf(world)).length === files) await new Promise((resolve) => setTimeout(resolve, 20))
  socket.destroy()
}

const headOf = (token: string | undefined, path: string, length: number) =>
  [
    ...[`POST ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, `Content-Length: ${length}`],
    ...['Content-Type: multipart/form-data; boundary=b', '', ''],
  ].join('\r\n')
