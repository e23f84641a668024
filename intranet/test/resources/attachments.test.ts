import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'

const CREATED = '2026-01-02T03:04:05.006Z'

describe('attachments', () => {
  let world: World
  let project_id: number
  let language_id: number
  let subject: number
  let translation: number
  let video: number

  const get = async (path: string) => (await world.visitor.get(path)).json
  const idsOf = async (path: string) => ((await get(path)) as { id: number }[]).map(({ id }) => id)

  before(async () => {
    world = await campus()
    const user_id = await world.build.user()
    language_id = await world.build.language({ name: 'English', identifier: 'en' })
    project_id = await world.build.record('projects', { name: 'Libft', slug: 'libft' })
    const pdf = { kind: 'pdf', attachable_type: 'Pdf', project_id, user_id, created_at: CREATED }
    subject = await world.build.record('attachments', {
      ...pdf,
      name: 'en.subject.pdf',
      slug: 'en-subject',
      language_id,
      page_count: 14,
      pdf_processing: true,
      url: 'https://cdn.campus.test/1.pdf',
      thumb_url: 'https://cdn.campus.test/1.png',
    })
    translation = await world.build.record('attachments', {
      ...pdf,
      name: 'fr.subject.pdf',
      slug: 'fr-subject',
      translates_id: subject,
      created_at: '2026-01-03',
    })
    video = await world.build.record('attachments', {
      kind: 'video',
      attachable_type: 'Video',
      name: 'Intro',
      slug: 'intro',
      created_at: '2026-01-01',
      url: 'https://cdn.campus.test/1.mp4',
      thumb_url: 'https://cdn.campus.test/2.png',
    })
  })
  after(() => world.close())

  it('are read by everybody, field for field', async () => {
    const record = {
      id: subject,
      name: 'en.subject.pdf',
      pdf: { pdf: { url: 'https://cdn.campus.test/1.pdf', thumb: { url: 'https://cdn.campus.test/1.png' } } },
      page_count: 14,
      created_at: CREATED,
      pdf_processing: true,
      slug: 'en-subject',
      url: 'https://cdn.campus.test/1.pdf',
      thumb_url: 'https://cdn.campus.test/1.png',
      base_id: subject,
      language: { id: language_id, name: 'English', identifier: 'en' },
      type: 'Pdf',
    }
    assert.deepEqual(await get(`/v2/attachments/${subject}`), record)
    assert.deepEqual((await get('/v2/attachments'))[0], record)
    assert.equal((await world.visitor.get('/v2/attachments/2000000')).status, 404)
    assert.equal((await world.anonymous.get('/v2/attachments')).status, 401)
  })

  it('that are no PDF have an address of their own and none in pdf, and may have no language', async () => {
    const { pdf, url, thumb_url, type, language, page_count, pdf_processing } = await get(`/v2/attachments/${video}`)
    assert.deepEqual(pdf, { pdf: { url: null, thumb: { url: null } } })
    assert.deepEqual([url, thumb_url], ['https://cdn.campus.test/1.mp4', 'https://cdn.campus.test/2.png'])
    assert.deepEqual([type, language, page_count, pdf_processing], ['Video', null, 0, false])
  })

  it('hang below their project, by id or slug', async () => {
    assert.deepEqual(await idsOf(`/v2/projects/${project_id}/attachments`), [subject, translation])
    assert.deepEqual(await idsOf('/v2/projects/libft/attachments'), [subject, translation])
    assert.equal((await world.visitor.get('/v2/projects/nothing/attachments')).status, 404)
  })

  it('hang below a session of a project once they are attached to it, and nowhere else', async () => {
    const session = await world.build.record('project_sessions', { project_id })
    const other = await world.build.record('project_sessions', { project_id, cursus_id: await world.build.cursus() })
    const path = `/v2/project_sessions/${session}/attachments`
    const link = (name: string, more = {}) => ({
      attachment: { kind: 'link', attachable_attributes: [{ name, attachable_type: 'link' }], language_id, ...more },
    })
    const refused = await world.visitor.post(path, link('https://docs.campus.test'))
    assert.equal(refused.status, 403)
    const { status, json, text } = await world.director.post(path, link('https://docs.campus.test'))
    assert.equal(status, 201, text)
    assert.equal(json.slug, 'libft-https-docs-campus-test')
    assert.deepEqual(await idsOf(path), [json.id])
    assert.deepEqual(await get(`${path}/${json.id}`), json)
    assert.deepEqual(await idsOf(`/v2/attachments?filter[container_type]=ProjectSession`), [json.id])
    assert.deepEqual(await idsOf(`/v2/projects/libft/attachments`), [subject, translation])
    assert.equal((await world.visitor.get(`/v2/project_sessions/${other}/attachments/${json.id}`)).status, 404)
    const french = await world.build.language({ name: 'French', identifier: 'fr' })
    const translated = await world.director.post(path, link('Docs', { base_id: json.id, language_id: french }))
    assert.deepEqual([translated.status, translated.json.base_id], [201, json.id])
    for (const place of ['/v2/projects/libft/attachments', `/v2/project_sessions/${other}/attachments`]) {
      const stray = await world.director.post(place, link('Docs', { base_id: json.id, language_id: french }))
      assert.deepEqual([stray.status, Object.keys(stray.json.errors)], [422, ['base_id']], place)
    }
    for (const { id } of [translated.json, json]) {
      assert.equal((await world.director.delete(`/v2/attachments/${id}`)).status, 204)
    }
    assert.equal((await world.director.post('/v2/project_sessions/2000000/attachments', link('Docs'))).status, 404)
  })

  it('share the base of what they translate', async () => {
    assert.equal((await get(`/v2/attachments/${translation}`)).base_id, subject)
    assert.deepEqual(await idsOf(`/v2/attachments?filter[base_id]=${subject}`), [subject, translation])
  })

  it('come by id, and are filtered, ranged and sorted by what the documentation lists', async () => {
    assert.deepEqual(await idsOf('/v2/attachments'), [subject, translation, video])
    assert.deepEqual(await idsOf('/v2/attachments?sort=-created_at'), [translation, subject, video])
    assert.deepEqual(await idsOf('/v2/attachments?range[created_at]=2026-01-02,2026-01-04'), [subject, translation])
    const container = `filter[container_type]=Project&filter[container_id]=${project_id}`
    assert.deepEqual(await idsOf(`/v2/attachments?${container}&filter[attachable_type]=Pdf`), [subject, translation])
    const names =
      'id attachable_id attachable_type kind created_at updated_at language_id user_id default up_to_date container_id container_type base_id untranslatable attachments_structure_id'
    for (const name of names.split(' ')) {
      assert.equal((await world.visitor.get(`/v2/attachments?sort=${name}&filter[${name}]=`)).status, 200, name)
    }
    assert.equal((await world.visitor.get('/v2/attachments?sort=name')).status, 400)
  })
})
