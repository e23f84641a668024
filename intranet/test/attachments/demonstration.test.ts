import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { demonstrationFiles } from '@campus/demo/demonstration-files'
import { storeDemonstrationFiles } from '@campus/demo/files/store-files'
import { seed } from '@campus/demo/seeds/seed'
import { orderSubjects } from '@campus/demo/seeds/subjects'
import { HttpError } from '@campus/engine/errors'
import { Staging } from '@campus/engine/http/staging'
import { openBrowser, withoutBrowser } from '@campus/test/support/browser'
import { campus, type World } from '@campus/test/support/campus'
import { filesOf, pathOf } from '@campus/test/support/uploads'
import sharp from 'sharp'
import { openStore } from '../../services/attachments/open-store.ts'
import { sweepFiles } from '../../services/attachments/stored-files.ts'

describe('the attachments of the demonstration school', () => {
  let world: World

  before(async () => {
    world = await campus({ seeded: true })
  })
  after(() => world.close())

  const one = async (sql: string) => Number((await world.database.rows(sql))[0]?.[0])
  const first = async (kind: string) => {
    const { json } = await world.visitor.get(`/v2/attachments?filter[kind]=${kind}&per_page=1`)
    assert.ok(json[0], kind)
    return json[0]
  }
  const bytesAt = async (url: string) => {
    assert.ok(url.startsWith(`${world.url}/files/`), url)
    const { statusCode, headers, body } = await world.agent.request({
      origin: world.url,
      path: pathOf(world, url),
      method: 'GET',
    })
    const bytes = Buffer.from(await body.arrayBuffer())
    assert.equal(statusCode, 200, bytes.toString())
    return { type: headers['content-type'], bytes }
  }

  it('are a subject for every project, and translations of its base', async () => {
    const projects = await one('select count(*) from projects')
    assert.ok(projects > 10)
    assert.equal(
      await one("select count(*) from attachments where kind = 'pdf' and base_id = id and project_id is not null"),
      projects,
    )
    assert.equal(
      await one(
        'select count(*) from attachments a join attachments b on b.id = a.base_id where a.project_id <> b.project_id',
      ),
      0,
    )
  })

  it('hold subjects that are PDFs of as many pages as they say, with thumbnails', async () => {
    const { json } = await world.visitor.get('/v2/attachments?filter[kind]=pdf&per_page=100')
    assert.deepEqual([...new Set(json.map((record: { page_count: number }) => record.page_count))].sort(), [2, 4])
    for (const name of ['en.subject.pdf', 'fr.subject.pdf']) {
      const record = json.find((each: { name: string }) => each.name === name)
      const { type, bytes } = await bytesAt(record.url)
      assert.deepEqual([type, record.pdf_processing], ['application/pdf', false])
      assert.equal(bytes.toString('latin1').match(/\/Type \/Page /g)?.length, record.page_count)
      const { width, height, format } = await sharp((await bytesAt(record.thumb_url)).bytes).metadata()
      assert.deepEqual([width, height, format], [320, 453, 'png'])
    }
  })

  it('hold the subject of their own project, which its description sums up', async () => {
    const { json: projects } = await world.visitor.get('/v2/projects?per_page=100')
    const titles = new Set<string>()
    for (const { id, name } of projects.slice(0, 5)) {
      const { json } = await world.visitor.get(`/v2/projects/${id}/attachments?filter[kind]=pdf`)
      const { bytes } = await bytesAt(json.find((each: { name: string }) => each.name === 'en.subject.pdf').url)
      assert.ok(bytes.toString('latin1').includes(`/Title (${name})`), name)
      titles.add(name)
    }
    assert.equal(titles.size, 5)
    const descriptions = await world.database.rows('select description from projects where not exam')
    for (const [description] of descriptions)
      assert.match(String(description), /^.{30,}\n\nTo be handed in:\n\n(\* .+(\n|$))+$/)
  })

  it('hold code, notes and links', async () => {
    const [code, notes, link] = [await first('code'), await first('document'), await first('link')]
    assert.match((await bytesAt(code.url)).bytes.toString(), /^#include <stdio.h>\n/)
    assert.match((await bytesAt(notes.url)).bytes.toString(), /^Notes of the introduction\n/)
    assert.match(link.url, /^https:\/\/docs\.campus\.example\//)
  })

  it('hold a film that browsers play', { skip: withoutBrowser }, async () => {
    const { url } = await first('video')
    assert.equal((await bytesAt(url)).type, 'video/webm')
    const browser = await openBrowser(world)
    try {
      const { open, page } = await browser.window()
      await open(pathOf(world, url))
      // The page runs no code that is made of text, which is how one usually waits for something.
      const film = () =>
        page.evaluate(
          '(({ videoWidth, videoHeight, duration, currentTime, error }) => ({ videoWidth, videoHeight, duration, hasBegun: currentTime > 0, error }))(document.querySelector("video"))',
        )
      while (!((await film()) as { hasBegun: boolean }).hasBegun) await setTimeout(50)
      assert.deepEqual(await film(), { videoWidth: 320, videoHeight: 180, duration: 6, hasBegun: true, error: null })
    } finally {
      await browser.close()
    }
  })

  it('are files of which each project has its subject and shares the others, which no sweep takes', async () => {
    const { config, database, clock } = world
    const retained = orderSubjects(false).length + 5
    assert.equal((await filesOf(world)).length, retained)
    clock.advance(30 * 86_400)
    const parts = { database, store: await openStore(config), now: clock.now() }
    await sweepFiles(parts)
    clock.advance(30 * 86_400)
    await sweepFiles({ ...parts, now: clock.now() })
    assert.equal((await filesOf(world)).length, retained)
  })

  it('are the same bytes in every school', async () => {
    const { database, clock } = world
    const digests: string[] = []
    const store = {
      put: async (_key: string, { digest }: { readonly digest: string }) => void digests.push(digest),
      read: async () => undefined,
      remove: async () => {},
    }
    await database.rows("update stored_files set doomed_at = now() where digest <> ''")
    const staging = new Staging(`${world.config.files}/incoming`)
    await storeDemonstrationFiles({ database, store, staging, now: clock.now() }, orderSubjects(false))
    const known = await filesOf(world)
    assert.deepEqual(digests.sort(), known.map((name) => name.split('-')[0]).sort())
    assert.ok(digests.every((digest) => digest !== createHash('sha256').digest('hex')))
  })

  it('are not made for a school that has people already', async () => {
    let made = 0
    const files = async (now: Date) => {
      made += 1
      return demonstrationFiles(world.database, world.config)(now, [])
    }
    await assert.rejects(seed(world.database, { files }), (error) => error instanceof HttpError && error.status === 409)
    assert.equal(made, 0)
  })
})
