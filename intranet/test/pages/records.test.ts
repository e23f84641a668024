import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Registry } from '@campus/engine/rest/declare/registry'
import { routeTable } from '@campus/engine/rest/route-table'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { csrfTokenIn, visitorOf } from '@campus/test/support/visitor'
import { SCOPES } from '../../access/scopes.ts'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const MAX_BYTES = 120_000
const TABLE = routeTable(new Registry(resources(new Sealer(Buffer.alloc(32))), COMMON_ACCESS))
const routesOf = (method: string) => new Set(TABLE.filter((one) => one.method === method).map(({ path }) => path))
const LISTED = TABLE.filter(({ action, path, resource }) => action === 'index' && path === `/v2/${resource.name}`)

describe('The record pages of staff', () => {
  let world: World
  let boss: SignedIn
  before(async () => {
    world = await campus({ seeded: true })
    boss = await signedInOf(world, { login: 'headmistress', kind: 'admin' })
  })
  after(() => world.close())

  /** A member of the staff who is no administrator, with these roles of their own. */
  async function memberWith(login: string, roles: readonly string[]): Promise<SignedIn> {
    const member = await signedInOf(world, { login, kind: 'admin' })
    await world.database.rows('delete from administrators where user_id = $1', [member.id])
    await world.database.rows(
      `insert into roles_users (user_id, role_id, created_at, updated_at)
       select $1, id, now(), now() from roles where name = any($2::text[])`,
      [member.id, roles],
    )
    return member
  }

  const linksTo = (text: string) =>
    new Set([...text.matchAll(/href="\/staff\/records\/(\w+)"/g)].map(([, name]) => name))

  it('are there for staff only', async () => {
    const student = await signedInOf(world, { login: 'learner' })
    const token = csrfTokenIn(await student.browser.get('/applications/new'))
    for (const path of [
      '',
      '/users',
      '/users/1',
      '/users/1/edit',
      '/users/new',
      '/users/1/delete',
      '/users/export/csv',
      '/users/several',
      '/users/suggestions?q=ada',
    ]) {
      assert.equal((await student.browser.get(`/staff/records${path}`)).status, 403, path)
      assert.match((await visitorOf(world).get(`/staff/records${path}`)).location ?? '', /^\/sign-in/)
    }
    for (const path of ['/users/1/edit', '/users/new', '/users/1/delete', '/users/several'])
      assert.equal(
        (await student.browser.post(`/staff/records${path}`, { csrf_token: token, wish: 'delete' })).status,
        403,
        path,
      )
  })

  it('show every list and a record of each to administrators, within 120 kB', async () => {
    for (const { resource } of LISTED) {
      const list = await boss.browser.get(`/staff/records/${resource.name}`)
      assert.equal(list.status, 200, `${resource.name}: ${list.text}`)
      assert.ok(list.text.length < MAX_BYTES, `${resource.name}: ${list.text.length} bytes`)
      const [, path] = new RegExp(`href="(/staff/records/${resource.name}/\\d+)"`).exec(list.text) ?? []
      if (!path) continue
      const record = await boss.browser.get(path)
      assert.equal(record.status, 200, `${path}: ${record.text}`)
      assert.ok(record.text.length < MAX_BYTES, `${path}: ${record.text.length} bytes`)
      for (const [method, page] of [
        ['PATCH', 'edit'],
        ['DELETE', 'delete'],
      ] as const) {
        const hasPage = routesOf(method).has(`/v2/${resource.name}/:id`)
        assert.equal(record.text.includes(`href="${path}/${page}"`), hasPage, `${path}/${page}`)
        if (hasPage) assert.equal((await boss.browser.get(`${path}/${page}`)).status, 200, `${path}/${page}`)
      }
      if (routesOf('POST').has(`/v2/${resource.name}`))
        assert.equal((await boss.browser.get(`/staff/records/${resource.name}/new`)).status, 200, resource.name)
    }
  })

  it('let nobody see or write more than the API lets an application with their roles', async () => {
    for (const roles of [[], ['Basic Tutor'], ['Basic Staff'], ['Advanced Staff', 'Advanced Tutor']]) {
      const login = `member${roles.join('').replaceAll(/\W/g, '')}`
      const member = await memberWith(login.toLowerCase(), roles)
      const client = await world.caller({ user: member.id, roles, scopes: Object.keys(SCOPES) })
      const shown = linksTo((await member.browser.get('/staff/records')).text)
      for (const { resource } of LISTED) {
        const { name } = resource
        const what = `${name} with ${roles}`
        const { status } = await client.get(`/v2/${name}?per_page=1`)
        assert.equal(shown.has(name), status === 200, `${what}: ${status}`)
        assert.equal((await member.browser.get(`/staff/records/${name}`)).status, status, what)
      }
    }
  })

  it('let staff without a role write nothing but what is their own', async () => {
    const member = await memberWith('powerless', [])
    const token = csrfTokenIn(await member.browser.get('/security/password'))
    const rows = async (table: string, id: string) =>
      JSON.stringify(await world.database.rows(`select t::text from ${table} t where id = $1`, [id]))
    for (const { resource } of LISTED) {
      const { name, table } = resource
      if (!routesOf('DELETE').has(`/v2/${name}/:id`)) continue
      const [[id] = []] = await world.database.rows(`select min(id) from ${table}`)
      if (!id) continue
      const before = await rows(table, id)
      const path = `/staff/records/${name}/${id}`
      for (const action of [
        `${path}/delete`,
        `${path}/edit`,
        `/staff/records/${name}/new`,
        `/staff/records/${name}/several`,
      ]) {
        const values = Object.fromEntries((resource.payload?.accepts ?? []).map((field) => [field, '1']))
        const fields = { ...values, csrf_token: token, ids: [id], wish: 'delete' }
        const { status, heading } = await member.browser.post(action, fields)
        const isRefused = status >= 400 || /^0 of 1/.test(heading ?? '')
        assert.ok(isRefused, `${action}: ${status} ${heading}`)
      }
      assert.equal(await rows(table, id), before, name)
    }
  })

  it('change what was changed in the form and nothing else, and say who did it', async () => {
    const { id } = await signedInOf(world, { login: 'changeling', first_name: 'Ada', last_name: 'Byron' })
    const path = `/staff/records/users/${id}`
    const form = await boss.browser.get(`${path}/edit`)
    assert.match(form.text, /PATCH \/v2\/users\/\d+/)
    assert.match(form.text, /call the webservices of the person’s campuses/)
    // Somebody else changes another field meanwhile.
    await world.database.rows(`update users set phone = '+331234' where id = $1`, [id])
    const sent = await boss.browser.submit(`${path}/edit`, {
      ...{ former_first_name: 'Ada', first_name: 'Augusta', former_last_name: 'Byron', last_name: 'Byron' },
      ...{ former_phone: '', phone: '' },
    })
    assert.equal(sent.location, path, sent.text)
    const [row] = await world.database.rows('select first_name, last_name, phone from users where id = $1', [id])
    assert.deepEqual(row, ['Augusta', 'Byron', '+331234'])
    const { text } = await boss.browser.get(path)
    assert.match(text, /Changed first_name: PATCH \/v2\/users/)
    assert.match(text, new RegExp(`users ${id} changed: first_name[^]*by headmistress`.replace('by headmistress', '')))
    const audits = await world.database.rows(
      `select actor_id, details ->> 'fields' from audit_events where kind = 'record_written' and details ->> 'id' = $1`,
      [String(id)],
    )
    assert.deepEqual(audits, [[String(boss.id), 'first_name']])
  })

  it('refuse what the API refuses, beside the field, with what was filled in', async () => {
    const form = await boss.browser.submit('/staff/records/users/2/edit', {
      former_email: 'a@b.example',
      email: 'no address',
    })
    assert.equal(form.status, 422)
    assert.match(form.text, /value="no address"/)
    assert.match(form.text, /id="email-fault"/)
    const nothing = await boss.browser.submit('/staff/records/users/2/edit', { former_email: 'x', email: 'x' })
    assert.equal(nothing.status, 422)
    assert.match(nothing.text, /Nothing was changed/)
    const unknown = await boss.browser.submit('/staff/records/cursus_users/new', { user_id: 'nobody-at-all' })
    assert.match(unknown.text, /“nobody-at-all” is no user or the name of several/)
  })

  it('keep the line breaks of a text that was not edited, although browsers send CRLF', async () => {
    const asBrowsersSend = (text: string) => text.replace(/\r\n?|\n/g, '\r\n')
    for (const stored of ['one\ntwo', 'one\r\ntwo', 'one\rtwo', '\none', 'one\n']) {
      const values = { title: 'News', author: 'Ada', body: stored, expire_at: '2027-01-01' }
      const id = await world.build.record('announcements', values)
      const path = `/staff/records/announcements/${id}/edit`
      const bodyOf = async () => (await world.database.rows('select body from announcements where id = $1', [id]))[0]
      const former_text = asBrowsersSend(stored)
      const opened = { former_title: 'News', title: 'Old news', former_text, text: former_text }
      assert.equal((await boss.browser.submit(path, opened)).location, path.replace('/edit', ''))
      assert.deepEqual(await bodyOf(), [stored])
      const edited = await boss.browser.submit(path, { former_text, text: `${former_text}\r\nthree` })
      assert.equal(edited.status, 303, edited.text)
      assert.deepEqual(await bodyOf(), [`${stored.replace(/\r\n?/g, '\n')}\nthree`])
    }
  })

  it('replace a value that somebody else changed only after showing it to the editor', async () => {
    const id = await world.build.record('tags', { name: 'Before', kind: 'project' })
    const path = `/staff/records/tags/${id}/edit`
    const opened = { former_name: 'Before', former_kind: 'project' }
    const nameOf = async () => (await world.database.rows('select name, kind from tags where id = $1', [id]))[0]
    await world.database.rows(`update tags set name = 'Theirs' where id = $1`, [id])

    const own = await boss.browser.submit(path, { ...opened, name: 'Before', kind: 'general' })
    assert.equal(own.status, 303, own.text)
    assert.deepEqual(await nameOf(), ['Theirs', 'general'])

    const refused = await boss.browser.submit(path, { ...opened, name: 'Mine', kind: 'project' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /was changed to “Theirs” after you opened this page/)
    assert.match(refused.text, /name="former_name" value="Theirs"/)
    assert.match(refused.text, /name="name"[^>]* value="Mine"|value="Mine"[^>]* name="name"/)
    assert.match(refused.text, /name="former_kind" value="general"/)
    assert.deepEqual(await nameOf(), ['Theirs', 'general'])

    const insisting = { former_name: 'Theirs', name: 'Mine', former_kind: 'general', kind: 'general' }
    assert.equal((await boss.browser.submit(path, insisting)).status, 303)
    assert.deepEqual(await nameOf(), ['Mine', 'general'])
  })

  it('keep what was typed when the person lost a role after the form was shown', async () => {
    const member = await memberWith('demoted', ['Advanced Tutor', 'Advanced Staff'])
    const id = await world.build.record('tags', { name: 'Kept', kind: 'project' })
    const token = csrfTokenIn(await member.browser.get(`/staff/records/tags/${id}/edit`))
    await world.database.rows('delete from roles_users where user_id = $1', [member.id])
    const forms = [
      [`/staff/records/tags/${id}/edit`, { former_name: 'Kept', name: 'Typed' }],
      ['/staff/records/tags/new', { name: 'Typed' }],
    ] as const
    for (const [path, fields] of forms) {
      const refused = await member.browser.post(path, { csrf_token: token, ...fields })
      assert.equal(refused.status, 403, path)
      assert.match(refused.text, /role="alert"/)
      assert.match(refused.text, /value="Typed"/)
    }
    assert.deepEqual(await world.database.rows('select name from tags where id = $1', [id]), [['Kept']])
  })

  it('keep what was typed for a record that was deleted while its form was open, and create it again', async () => {
    const values = { title: 'News', author: 'Ada', body: 'one\ntwo', expire_at: '2027-01-01' }
    const id = await world.build.record('announcements', values)
    const path = `/staff/records/announcements/${id}/edit`
    const token = csrfTokenIn(await boss.browser.get(path))
    await world.database.rows('delete from announcements where id = $1', [id])
    const fields = {
      former_title: 'News',
      title: 'News',
      former_author: 'Ada',
      author: 'Grace',
      former_expire_at: '2027-01-01T00:00',
      expire_at: '2027-01-01T00:00',
      former_text: 'one\r\ntwo',
      text: 'one\r\ntwo\r\nthree',
    }
    const refused = await boss.browser.post(path, { csrf_token: token, ...fields })
    assert.equal(refused.status, 404)
    assert.match(refused.text, /role="alert"/)
    assert.match(refused.text, /Your changes were not saved/)
    assert.match(refused.text, /value="Grace"/)
    assert.match(refused.text, /one\r?\ntwo\r?\nthree<\/textarea>/)
    assert.match(refused.text, /action="\/staff\/records\/announcements\/new"/)
    const originals = [...refused.text.matchAll(/name="(former_\w+)" value="([^"]*)"/g)]
    assert.deepEqual(
      originals.filter(([, , original]) => original !== ''),
      [],
    )
    const again = await boss.browser.post('/staff/records/announcements/new', {
      ...Object.fromEntries(originals.map(([, name = '', original = '']) => [name, original])),
      ...{ csrf_token: token, title: 'News', author: 'Grace', expire_at: fields.expire_at, text: fields.text },
    })
    assert.match(again.location ?? '', /^\/staff\/records\/announcements\/\d+$/, again.text)
    assert.equal((await boss.browser.get(path)).status, 404)
  })

  it('keep what was typed for a record that the person may no longer read', async () => {
    const member = await memberWith('blinded', ['Advanced Staff', 'Advanced Tutor'])
    const closed = await signedInOf(world, { login: 'closed' })
    const id = await world.build.record('closes', {
      user_id: closed.id,
      closer_id: boss.id,
      reason: 'Before',
      kind: 'other',
    })
    const path = `/staff/records/closes/${id}/edit`
    const token = csrfTokenIn(await member.browser.get(path))
    await world.database.rows('delete from roles_users where user_id = $1', [member.id])
    const refused = await member.browser.post(path, { csrf_token: token, former_reason: 'Before', reason: 'Typed' })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /value="Typed"|>\s*Typed<\/textarea>/)
    assert.doesNotMatch(refused.text, /<button>Change<\/button>/)
  })

  it('create a record with an id that Advanced Staff choose', async () => {
    const chooser = await memberWith('chooser', ['Advanced Staff', 'Advanced Tutor'])
    const fields = { id: '4242', name: 'Chosen', kind: 'project' }
    const created = await chooser.browser.submit('/staff/records/tags/new', fields)
    assert.equal(created.location, '/staff/records/tags/4242', created.text)
    const again = await chooser.browser.submit('/staff/records/tags/new', { ...fields, name: 'Again' })
    assert.equal(again.status, 422)
    assert.match(again.text, /id="id-fault">has already been taken/)
    assert.match(again.text, /value="4242"/)
    const others = await memberWith('drawer', ['Advanced Tutor'])
    assert.doesNotMatch((await others.browser.get('/staff/records/tags/new')).text, /name="id"/)
  })

  it('create, name others by their names, and delete', async () => {
    const { id } = await signedInOf(world, { login: 'newcomer' })
    const [cursus] = await world.database.rows('select id, slug from cursus order by id limit 1')
    const made = await boss.browser.submit('/staff/records/cursus_users/new', {
      user_id: 'newcomer',
      cursus_id: String(cursus?.[1]),
      begin_at: '2026-03-01T09:30',
    })
    assert.match(made.location ?? '', /^\/staff\/records\/cursus_users\/\d+$/, made.text)
    const [row] = await world.database.rows('select cursus_id, begin_at from cursus_users where user_id = $1', [id])
    assert.deepEqual(row, [cursus?.[0], '2026-03-01 09:30:00+00'])
    const path = String(made.location)
    assert.match((await boss.browser.get(`${path}/delete`)).text, /DELETE \/v2\/cursus_users\/\d+/)
    assert.equal((await boss.browser.submit(`${path}/delete`, {})).location, '/staff/records/cursus_users')
    assert.deepEqual(await world.database.rows('select 1 from cursus_users where user_id = $1', [id]), [])
    const kinds = await world.database.rows(
      `select details ->> 'action' from audit_events where kind = 'record_written' and details ->> 'resource' = 'cursus_users' order by id`,
    )
    assert.deepEqual(kinds, [['create'], ['destroy']])
  })

  it('write several at once, and say which were refused', async () => {
    const tags = await Promise.all(
      ['one', 'two'].map((name) => world.build.record('tags', { name: `several ${name}`, kind: 'project' })),
    )
    const ids = tags.map(String)
    const page = await boss.browser.get(`/staff/records/tags/several?${ids.map((id) => `ids[]=${id}`).join('&')}`)
    assert.match(page.text, /2 records of tags/)
    const changed = await boss.browser.submit('/staff/records/tags/several', {
      ids: [...ids, '999999'],
      wish: 'change',
      field: 'kind',
      value: 'archived',
    })
    assert.match(changed.heading ?? '', /2 of 3 changed/)
    assert.match(changed.text, /There is no tag 999999/)
    const gone = await boss.browser.submit('/staff/records/tags/several', { ids, wish: 'delete' })
    assert.match(gone.heading ?? '', /2 of 2 deleted/)
    assert.deepEqual(await world.database.rows(`select 1 from tags where name like 'several %'`), [])
  })

  it('are narrowed in the words of the API, with names for ids and days by the clocks of the reader', async () => {
    const added = await boss.browser.get('/staff/records/users?field=kind&way=is&value=admin')
    assert.equal(added.location, '/staff/records/users?filter[kind]=admin')
    const both = await boss.browser.get(`${added.location}&field=created_at&way=from&value=2022-01-01`)
    assert.equal(
      both.location,
      '/staff/records/users?filter[kind]=admin&range[created_at]=2022-01-01T00%3A00%3A00.000Z,',
    )
    await boss.browser.get('/time-zone?in=Asia/Tokyo')
    const inTokyo = await boss.browser.get('/staff/records/users?field=created_at&way=until&value=2022-01-01')
    assert.equal(inTokyo.location, '/staff/records/users?range[created_at]=,2022-01-01T14%3A59%3A59.000Z')
    await boss.browser.get('/time-zone?in=campus')
    const [place] = await world.database.rows('select id, name from campus order by id limit 1')
    const named = await boss.browser.get(`/staff/records/locations?field=campus_id&way=is&value=${place?.[1]}`)
    assert.equal(named.location, `/staff/records/locations?filter[campus_id]=${place?.[0]}`)
    const wrong = await boss.browser.get('/staff/records/users?filter[nonsense]=1')
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /nonsense/)
    const below = await boss.browser.get('/staff/records/users?below=campus:1&sort=login')
    assert.match(below.text, /aria-sort="ascending"/)
    assert.match(below.text, /GET \/v2\/campus\/1\/users\?sort=login/)
  })

  it('are not there for what the API has not, and answer no address with a failure of the service', async () => {
    const locked = LISTED.map(({ resource }) => resource.name).find((name) => !routesOf('PATCH').has(`/v2/${name}/:id`))
    assert.ok(locked)
    const token = csrfTokenIn(await boss.browser.get('/staff/records/users/1/edit'))
    for (const path of [
      'nonsense',
      'users/0',
      'users/99999999',
      'users/%00',
      'users?below=nonsense:1',
      'users?below=tags:1:2',
      'users?below=campus:0',
      'users?below=',
      'users/export/xml',
      'users?page=0',
      'users/1/nothing',
      'locations?below=campus:x',
    ])
      assert.ok([404, 200].includes((await boss.browser.get(`/staff/records/${path}`)).status), path)
    for (const path of [
      'users?below=nonsense:1',
      'users?below=users:1',
      'users/export/csv?below=nonsense:1',
      `${locked}/1/edit`,
    ])
      assert.equal((await boss.browser.post(`/staff/records/${path}`, { csrf_token: token })).status >= 400, true, path)
    for (const path of [`${locked}/1/edit`, `${locked}/1/delete`, `${locked}/new`, `${locked}/several`]) {
      const { status } = await boss.browser.post(`/staff/records/${path}`, {
        csrf_token: token,
        ids: ['1'],
        field: 'x',
        name: 'y',
      })
      assert.ok(status < 500, `${path}: ${status}`)
    }
    for (const value of ["'", '%00', '%F0%9F%92%A9', '[]', 'a'.repeat(3000), '-1', '1,2,3', '2026-13-45'])
      for (const name of [
        'filter[id]',
        'filter[created_at]',
        'range[created_at]',
        'search',
        'search[login]',
        'sort',
        'page',
        'below',
        'columns',
        'field=id&way=is&value',
      ]) {
        const { status } = await boss.browser.get(`/staff/records/users?${name}=${value}`)
        assert.ok(status < 500, `${name}=${value}: ${status}`)
      }
  })

  it('remember the columns that were chosen', async () => {
    const chosen = await boss.browser.get('/staff/records/users?filter[kind]=admin&column[]=login&column[]=wallet')
    assert.equal(chosen.location, '/staff/records/users?filter[kind]=admin&columns=login,wallet')
    const { text } = await boss.browser.get('/staff/records/users')
    assert.match(text, /data-label="wallet"/)
    assert.doesNotMatch(text, /data-label="email"/)
  })

  it('come as a whole as NDJSON as the API streams them, and as CSV with a byte order mark', async () => {
    const client = await world.caller({ roles: ['Advanced Staff'], scopes: Object.keys(SCOPES) })
    for (const [form, accept] of [
      ['csv', 'text/csv'],
      ['ndjson', 'application/x-ndjson'],
    ] as const) {
      const page = await boss.browser.get(`/staff/records/users/export/${form}?filter[kind]=admin&sort=id`)
      assert.equal(page.status, 200)
      assert.match(page.headers.get('content-disposition') ?? '', new RegExp(`users.${form}`))
      const { text } = await client.get('/v2/users?filter[kind]=admin&sort=id', { accept })
      assert.equal(page.text, form === 'csv' ? `\ufeff${text}` : text)
    }
    const member = await memberWith('reader', [])
    assert.equal((await member.browser.get('/staff/records/users/export/csv')).status, 403)
  })
})
