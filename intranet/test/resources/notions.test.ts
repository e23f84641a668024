import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type Client, FormData, type Response } from '@campus/test/support/client'
import { pdf } from '@campus/test/support/pdf'
import { fileOf, pathOf, whenRead } from '@campus/test/support/uploads'

const LINK = { name: 'The manual', attachable_type: 'link', url: 'https://docs.campus.test/manual' }
/** The head of an MP4, and nothing to play. */
const FILM = Buffer.concat([
  Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex'),
  Buffer.alloc(5000),
])

describe('notions', () => {
  let world: World
  let tutor: Client
  let english: number
  let words = 0

  before(async () => {
    world = await campus()
    tutor = await world.caller({ roles: ['Advanced Tutor'] })
    english = await world.build.language({ name: 'English', identifier: 'en' })
  })
  after(() => world.close())

  const word = () => {
    words += 1
    return `Word ${words}`
  }
  const made = async (answer: Promise<Response>) => {
    const { status, json, text } = await answer
    assert.equal(status, 201, text)
    return json
  }
  const notionOf = (values: object = {}) => made(tutor.post('/v2/notions', { notion: { name: word(), ...values } }))
  const partOf = (values: object = {}) => made(tutor.post('/v2/subnotions', { subnotion: { name: word(), ...values } }))
  const get = async (path: string) => {
    const { status, json, text } = await world.visitor.get(path)
    assert.equal(status, 200, text)
    return json
  }
  const ids = async (path: string) => (await get(path)).map(({ id }: { id: number }) => id)
  const refused = async (answer: Promise<Response>, errors: unknown) => {
    const { status, json } = await answer
    assert.deepEqual([status, json.errors], [422, errors])
  }

  it('come with their parts in order, their tags and their cursus, and are found below both', async () => {
    const [tag, cursus] = [await world.build.record('tags', { name: word() }), await world.build.cursus()]
    const subnotions_attributes = [
      { name: 'Loops', position: 1 },
      { name: 'Variables', position: 0 },
    ]
    const notion = await notionOf({ name: 'C basics', tag_ids: [tag], cursus_ids: [cursus], subnotions_attributes })
    const [variables, loops] = notion.subnotions
    const created_at = '2026-03-02T10:00:00.000Z'
    const { name: tagName } = await get(`/v2/tags/${tag}`)
    const { slug: cursusSlug, name: cursusName, kind } = await get(`/v2/cursus/${cursus}`)
    assert.deepEqual(notion, {
      ...{ id: notion.id, name: 'C basics', slug: 'c-basics', created_at },
      subnotions: [
        { id: variables.id, name: 'Variables', slug: 'variables', created_at, notepad: null },
        { id: loops.id, name: 'Loops', slug: 'loops', created_at, notepad: null },
      ],
      tags: [{ id: tag, name: tagName, kind: 'general' }],
      cursus: [{ id: cursus, created_at: notion.cursus[0].created_at, name: cursusName, slug: cursusSlug, kind }],
    })
    for (const path of ['/v2/notions/c-basics', `/v2/notions/${notion.id}`]) assert.deepEqual(await get(path), notion)
    for (const path of [`/v2/cursus/${cursusSlug}/notions`, `/v2/tags/${tag}/notions`])
      assert.deepEqual(await ids(path), [notion.id])
    assert.deepEqual(await ids('/v2/notions/c-basics/subnotions?sort=position'), [variables.id, loops.id])
    assert.deepEqual(await ids(`/v2/notions/${notion.id}/subnotions`), [loops.id, variables.id])
    assert.deepEqual(
      (await get(`/v2/tags/${tag}`)).subnotions,
      [loops, variables].toSorted((a, b) => a.id - b.id),
    )
    assert.deepEqual((await get('/v2/subnotions/variables')).notion, {
      ...{ id: notion.id, name: 'C basics', slug: 'c-basics', created_at },
    })

    await tutor.patch('/v2/notions/c-basics', {
      notion: { tag_ids: [], subnotions_attributes: [{ id: loops.id, _destroy: true }] },
    })
    const after = await get('/v2/notions/c-basics')
    assert.deepEqual([after.tags, after.subnotions], [[], [variables]])
  })

  it('and their parts have slugs of their own, also where their names are alike', async () => {
    const subnotions_attributes = [{ name: 'Introduction' }]
    const [one, other] = [await notionOf({ subnotions_attributes }), await notionOf({ subnotions_attributes })]
    assert.deepEqual(
      [one, other].map(({ subnotions }) => subnotions[0].slug),
      ['introduction', 'introduction-2'],
    )
    assert.equal((await partOf({ name: 'Introduction!' })).slug, 'introduction-3')
    assert.deepEqual([(await notionOf({ name: 'C' })).slug, (await notionOf({ name: 'C++' })).slug], ['c', 'c-2'])
    assert.equal((await notionOf({ name: '42' })).slug, 'n-42')
    await refused(tutor.post('/v2/subnotions', { subnotion: { name: 'Else', slug: 'introduction' } }), {
      slug: ['has already been taken'],
    })
  })

  it('have names of their own, and so have the parts of each', async () => {
    const notion = await notionOf({ name: 'Shell' })
    await refused(tutor.post('/v2/notions', { notion: { name: 'Shell' } }), { name: ['has already been taken'] })
    await partOf({ name: 'Pipes', notion_id: notion.id })
    await refused(tutor.post('/v2/subnotions', { subnotion: { name: 'Pipes', notion_id: notion.id } }), {
      name: ['has already been taken'],
    })
    const twins = [{ name: 'Twin' }, { name: 'Twin' }]
    await refused(tutor.post('/v2/notions', { notion: { name: word(), subnotions_attributes: twins } }), {
      'subnotions_attributes[1].name': ['has already been taken'],
    })
    assert.equal((await partOf({ name: 'Pipes' })).notion, null)
    await refused(tutor.post('/v2/notions', { notion: { name: '' } }), { name: ["can't be blank"] })
  })

  it('are written by tutors and by video managers, and by nobody else', async () => {
    const film = await world.caller({ roles: ['Video manager'] })
    const notion = await made(film.post('/v2/notions', { notion: { name: word() } }))
    const part = await made(film.post('/v2/subnotions', { subnotion: { name: word(), notion_id: notion.id } }))
    for (const client of [world.visitor, world.staff, await world.caller({ roles: ['Basic Tutor'] })]) {
      for (const [resource, id] of [
        ['notions', notion.id],
        ['subnotions', part.id],
      ]) {
        const singular = String(resource).slice(0, -1)
        assert.equal((await client.post(`/v2/${resource}`, { [singular]: { name: word() } })).status, 403)
        assert.equal((await client.patch(`/v2/${resource}/${id}`, { [singular]: { name: word() } })).status, 403)
        assert.equal((await client.delete(`/v2/${resource}/${id}`)).status, 403)
      }
    }
    assert.equal((await film.delete(`/v2/notions/${notion.slug}`)).status, 204)
    assert.equal((await world.visitor.get(`/v2/subnotions/${part.id}`)).status, 404)
  })

  it('take along what is attached to their parts, and keep their cursus and tags from going', async () => {
    const [tag, cursus] = [await world.build.record('tags', { name: word() }), await world.build.cursus()]
    const attachments_attributes = [{ kind: 'link', language_id: english, attachable_attributes: [LINK] }]
    const subnotions_attributes = [{ name: word(), attachments_attributes }]
    const notion = await notionOf({ tag_ids: [tag], cursus_ids: [cursus], subnotions_attributes })
    const { attachments } = await get(`/v2/subnotions/${notion.subnotions[0].id}`)
    await refused(world.director.delete(`/v2/tags/${tag}`), { base: ['is still used by 1 notions_tags'] })
    await refused(world.director.delete(`/v2/cursus/${cursus}`), { base: ['is still used by 1 notions_cursus'] })
    assert.equal((await tutor.delete(`/v2/notions/${notion.id}`)).status, 204)
    assert.equal((await world.visitor.get(`/v2/attachments/${attachments[0].id}`)).status, 404)
    assert.equal((await world.director.delete(`/v2/tags/${tag}`)).status, 204)
  })

  it('show of each attachment what its sort has', async () => {
    const form = new FormData()
    form.append('subnotion[name]', 'Everything')
    const add = (place: number, kind: string, value: Record<string, string | Blob>) => {
      const at = `subnotion[attachments_attributes][${place}]`
      form.append(`${at}[kind]`, kind)
      form.append(`${at}[language_id]`, String(english))
      for (const [name, part] of Object.entries(value)) {
        const field = `${at}[attachable_attributes][0][${name}]`
        if (typeof part === 'string') form.append(field, part)
        else form.append(field, part, (part as File).name)
      }
    }
    add(0, 'video', { name: 'The film', attachable_type: 'video', video: fileOf(FILM, 'film.mp4') })
    add(1, 'pdf', { name: 'The paper', attachable_type: 'pdf', pdf: fileOf(pdf({ pages: 2 }), 'paper.pdf') })
    add(2, 'link', LINK)
    const { id, attachments } = await made(tutor.post('/v2/subnotions', form))
    await whenRead(world.visitor, attachments[1].id)
    const shown = (await get(`/v2/subnotions/${id}`)).attachments
    const common = ['id', 'name', 'created_at', 'slug', 'base_id', 'language', 'type', 'attachment_id', 'url']
    const [film, paper, link] = shown
    assert.deepEqual(Object.keys(film), [...common, 'duration', 'video_processing', 'urls'])
    assert.deepEqual(Object.keys(paper), [...common, 'page_count', 'pdf', 'pdf_processing', 'thumb_url'])
    assert.deepEqual(link, {
      ...{ id: link.id, name: 'The manual', created_at: '2026-03-02T10:00:00.000Z', slug: 'everything-the-manual' },
      ...{ base_id: link.id, language: { id: english, name: 'English', identifier: 'en' }, type: 'Link' },
      ...{ attachment_id: link.id, url: LINK.url },
    })
    assert.deepEqual([film.type, film.duration, film.video_processing, film.urls.thumbs], ['Video', 0, false, []])
    assert.deepEqual([film.urls.url, film.urls.low_d], [film.url, film.url])
    assert.equal((await world.anonymous.get(pathOf(world, film.url))).status, 200)
    assert.deepEqual([paper.type, paper.page_count, paper.pdf_processing], ['Pdf', 2, false])
    assert.equal(paper.pdf.pdf.thumb.url, paper.thumb_url)
    const filter = `filter[container_type]=Subnotion&filter[container_id]=${id}`
    assert.deepEqual(
      await ids(`/v2/attachments?${filter}`),
      shown.map((one: { id: number }) => one.id),
    )

    const change = (attachments_attributes: object[]) =>
      tutor.patch(`/v2/subnotions/${id}`, { subnotion: { attachments_attributes } })
    const renamed = { id: link.id, attachable_attributes: [{ name: 'The book' }] }
    assert.equal((await change([renamed, { id: film.id, _destroy: true }])).status, 204)
    const left = (await get('/v2/subnotions/everything')).attachments
    assert.deepEqual(
      left.map(({ name }: { name: string }) => name),
      ['The paper', 'The book'],
    )
    const nowhere = [{ kind: 'link', attachable_attributes: [LINK] }]
    await refused(change(nowhere), { 'attachments_attributes[0].language_id': ["can't be blank"] })
    const strange = [{ id: paper.id, language_id: '' }]
    await refused(change(strange), { 'attachments_attributes[0].language_id': ["can't be blank"] })
    const other = await partOf()
    const foreign = { subnotion: { attachments_attributes: [{ id: paper.id, _destroy: true }] } }
    assert.equal((await tutor.patch(`/v2/subnotions/${other.id}`, foreign)).status, 422)
  })

  it('are listed as clients ask for them', async () => {
    for (const query of ['sort=name', 'sort=updated_at', 'page[size]=100', 'filter[slug]=c-basics', 'range[id]=1,9']) {
      assert.equal((await world.visitor.get(`/v2/notions?${query}`)).status, 200, query)
      assert.equal((await world.visitor.get(`/v2/subnotions?${query}`)).status, 200, query)
    }
    const newest = await notionOf()
    assert.equal((await ids('/v2/notions'))[0], newest.id)
    assert.equal((await world.visitor.get('/v2/notions?sort=position')).status, 400)
  })
})
