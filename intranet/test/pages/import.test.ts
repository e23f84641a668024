import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import type { Page } from '@campus/test/support/visitor'
import { textRows, workbookOf } from '@campus/test/support/workbooks'

const file = (bytes: string | Uint8Array, name = 'people.csv') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name)

/** Returns a workbook with one sheet of texts. */
const workbook = (rows: readonly (readonly string[])[], more?: Readonly<Record<string, Uint8Array>>) =>
  workbookOf([{ rows: textRows(rows) }], more)

describe('an import by page', () => {
  let world: World
  let boss: SignedIn
  let clerk: SignedIn
  let here: number
  before(async () => {
    world = await campus({})
    here = await world.build.campus({ name: 'Lisbon' })
    await world.build.campus({ name: 'Porto' })
    boss = await signedInOf(world, { login: 'boss', kind: 'admin' })
    clerk = await signedInOf(world, { login: 'clerk', kind: 'admin' })
    await world.database.rows('delete from administrators where user_id = $1', [clerk.id])
    await world.build.record('campus_users', { user_id: clerk.id, campus_id: here, is_primary: true })
  })
  after(() => world.close())

  const upload = (one: SignedIn, resource: string, sent: File) =>
    one.browser.upload(`/staff/import/new/${resource}`, { file: sent })
  const count = async (text: string) => Number((await world.database.rows(`select count(*) from ${text}`))[0]?.[0])
  /** The fields that a page has chosen for its columns. */
  const mappingIn = ({ text }: Page) =>
    [...text.matchAll(/<select name="column-\d+"[\s\S]*?<\/select>/g)].map(
      ([select]) => /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? '',
    )
  const fieldsOf = (mapping: readonly string[]) =>
    Object.fromEntries(mapping.map((field, at) => [`column-${at}`, field]))

  it('knows the columns in French, from a file of Windows, and lets them be chosen', async () => {
    const latin = Buffer.from(
      'Prénom;Nom;Courriel;Statut;Taille\nÉlodie;Durand;elodie@school.example;student;38\n',
      'latin1',
    )
    const { location = '' } = await upload(boss, 'users', file(latin))
    const page = await boss.browser.get(location)
    assert.deepEqual(mappingIn(page), ['first_name', 'last_name', 'email', 'kind', ''])
    assert.match(page.text, /Élodie/)
    const answer = await boss.browser.submit(location, { wish: 'try', ...fieldsOf(mappingIn(page)) })
    assert.equal(answer.status, 303)
    assert.match((await boss.browser.get(location)).text, /1 row: 1 new, 0 changed, 0 with faults/)
    assert.equal(await count(`users where email = 'elodie@school.example'`), 0)
  })

  it('shows what is wrong, in whose cells it is mended, and keeps nothing before all is right', async () => {
    const table = 'name,campus\nBasement,Lisbon\n,Lisbon\nAttic,Nowhere\nLast,Lisbon\n'
    const { location = '' } = await upload(boss, 'clusters', file(table))
    const mapping = { 'column-0': 'name', 'column-1': 'campus_id:name' }
    await boss.browser.submit(location, { wish: 'try', ...mapping })
    const { text } = await boss.browser.get(location)
    assert.match(text, /4 rows: 2 new, 0 changed, 2 with faults/)
    assert.match(text, /name="cell-2-0" value=""/)
    assert.match(text, /name="cell-3-1" value="Nowhere"/)
    assert.doesNotMatch(text, /value="run"/)
    const mended = { ...mapping, 'cell-2-0': 'Ground <b>floor</b>', 'cell-3-1': 'Nowhere' }
    await boss.browser.submit(location, { wish: 'try', ...mended, omit: ['3'] })
    const second = await boss.browser.get(location)
    assert.match(second.text, /3 rows: 3 new, 0 changed, 0 with faults/)
    const asked = await boss.browser.submit(location, { wish: 'run', ...mapping })
    assert.equal(asked.heading, 'Import 3 rows?')
    assert.equal(await count('clusters'), 0)
    assert.equal((await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })).status, 303)
    assert.equal(await count(`clusters where name = 'Ground <b>floor</b>'`), 1)
    assert.equal(await count('clusters'), 3)
    assert.equal(await count(`audit_events where kind = 'record_written' and details ->> 'resource' = 'clusters'`), 3)
    // A second click imports nothing again.
    await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' }, location)
    assert.equal(await count('clusters'), 3)

    // Records that were changed since stay.
    await world.database.rows(`update clusters set name = 'Top', updated_at = now() where name = 'Last'`)
    assert.equal((await boss.browser.submit(location, { wish: 'undo' })).heading, 'Undo the import?')
    await boss.browser.submit(location, { wish: 'undo', confirmed: 'yes' })
    assert.deepEqual(await world.database.rows('select name from clusters'), [['Top']])
    await boss.browser.submit(location, { wish: 'undo', confirmed: 'yes' }, location)
    assert.deepEqual(await world.database.rows('select name from clusters'), [['Top']])
  })

  it('warns before an import that cannot be undone', async () => {
    const asked = async (resource: string, text: string, mapping: Record<string, string>) => {
      const { location = '' } = await upload(boss, resource, file(text))
      return boss.browser.submit(location, { wish: 'run', ...mapping })
    }
    const person = 'first_name,last_name,email,kind\nAda,Byron,ada.b@school.example,student\n'
    const four = { 'column-0': 'first_name', 'column-1': 'last_name', 'column-2': 'email', 'column-3': 'kind' }
    const { text } = await asked('users', person, four)
    assert.match(text, /the import cannot be undone/)
    const [, location = ''] = /action="(\/staff\/import\/[\w-]+)"/.exec(text) ?? []
    assert.equal((await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })).status, 303)
    assert.equal((await boss.browser.submit(location, { wish: 'undo', confirmed: 'yes' }, location)).status, 303)
    assert.equal(await count(`users where email = 'ada.b@school.example'`), 1)
    const fresh = await asked('clusters', 'name,campus\nRoof,Lisbon\n', {
      'column-0': 'name',
      'column-1': 'campus_id:name',
    })
    assert.equal(fresh.heading, 'Import 1 row?')
    assert.doesNotMatch(fresh.text, /undone/)
  })

  it('creates records with the ids in a column that is mapped to id', async () => {
    const { location = '' } = await upload(boss, 'clusters', file('id,name,campus\n77,Chosen,Lisbon\n,Drawn,Lisbon\n'))
    assert.deepEqual(mappingIn(await boss.browser.get(location)), ['', 'name', 'campus_id'])
    const mapping = { 'column-0': 'id', 'column-1': 'name', 'column-2': 'campus_id:name' }
    const asked = await boss.browser.submit(location, { wish: 'run', ...mapping })
    assert.equal(asked.heading, 'Import 2 rows?')
    await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })
    assert.deepEqual(await world.database.rows('select name from clusters where id >= 77 order by id'), [
      ['Chosen'],
      ['Drawn'],
    ])
    const again = await upload(boss, 'clusters', file('id,name,campus\n77,Again,Lisbon\n'))
    await boss.browser.submit(again.location ?? '', { wish: 'try', ...mapping })
    assert.match((await boss.browser.get(again.location ?? '')).text, /has already been taken/)
    await boss.browser.submit(location, { wish: 'undo', confirmed: 'yes' })
    assert.equal(await count('clusters where id >= 77'), 0)
  })

  it('does not move the sequence for the chosen id of a record that the person may not create', async () => {
    const [[role] = []] = await world.database.rows(`select id from roles where name = 'Advanced Staff'`)
    const given = await world.build.record('roles_users', { user_id: clerk.id, role_id: role })
    const elsewhere = await world.build.campus({ name: 'Faro' })
    const far = `id,name,campus_id\n900000000,Far,${elsewhere}\n`
    const { location = '' } = await upload(clerk, 'clusters', file(far))
    const mapping = { 'column-0': 'id', 'column-1': 'name', 'column-2': 'campus_id' }
    await clerk.browser.submit(location, { wish: 'try', ...mapping })
    assert.match((await clerk.browser.get(location)).text, /1 row: 0 new, 0 changed, 1 with faults/)
    const [last] = await world.database.rows(`select last_value < 1000 from clusters_id_seq`)
    assert.deepEqual(last, ['t'])
    await world.database.rows('delete from roles_users where id = $1', [given])
  })

  it('offers the field id only to people who may choose ids, and refuses it from people who lost the role', async () => {
    const roleNamed = async (name: string) => {
      const [[role] = []] = await world.database.rows('select id from roles where name = $1', [name])
      return world.build.record('roles_users', { user_id: clerk.id, role_id: role })
    }
    const given = [await roleNamed('Advanced Tutor')]
    const table = file('id,first_name,last_name,email,kind\n7800,Eve,Staff,eve@school.example,student\n')
    const fieldsOffered = async () => {
      const { location = '' } = await upload(clerk, 'users', table)
      const { text } = await clerk.browser.get(location)
      assert.match(text, /<option value="first_name"/)
      return { location, offersId: text.includes('<option value="id">') }
    }
    assert.equal((await fieldsOffered()).offersId, false)
    given.push(await roleNamed('Advanced Staff'))
    const { location, offersId } = await fieldsOffered()
    assert.equal(offersId, true)

    const mapping = ['id', 'first_name', 'last_name', 'email', 'kind']
    await clerk.browser.submit(location, { wish: 'try', ...fieldsOf(mapping) })
    await world.database.rows('delete from roles_users where id = $1', [given.pop()])
    const page = await clerk.browser.get(location)
    assert.deepEqual(mappingIn(page), mapping)
    const refused = await clerk.browser.submit(location, { wish: 'run', ...fieldsOf(mappingIn(page)) })
    assert.match(refused.text, /Choosing ids requires the role Advanced Staff/)
    assert.equal(await count('users where id = 7800'), 0)
    await world.database.rows('delete from roles_users where id = any($1::int[])', [given])
  })

  it('reads workbooks', async () => {
    const sent = file(
      workbook([
        ['Name', 'campus'],
        ['Roof', 'Lisbon'],
      ]),
      'rooms.xlsx',
    )
    const { location = '' } = await upload(boss, 'clusters', sent)
    assert.deepEqual(mappingIn(await boss.browser.get(location)), ['name', 'campus_id'])
    assert.match((await boss.browser.get(location)).text, /Roof/)
  })

  it('reads times without a zone in the zone that the page shows, by default that of the reader', async () => {
    const room = await world.build.record('clusters', { name: 'Times', campus_id: here })
    assert.ok(room)
    const table = [
      'user_id,campus_id,host,begin_at,end_at',
      `${boss.id},${here},z1r1s1,2026-03-02 10:00,2026-03-02T11:00:00.250`,
      `${boss.id},${here},z1r1s2,2026-07-01 10:00,2026-07-01T10:00:00Z`,
    ].join('\n')
    const imported = async (prepare: (location: string) => Promise<object>) => {
      const { location = '' } = await upload(boss, 'locations', file(table, 'stays.csv'))
      const fields = { ...fieldsOf(mappingIn(await boss.browser.get(location))), ...(await prepare(location)) }
      await boss.browser.submit(location, { wish: 'try', ...fields })
      const page = await boss.browser.get(location)
      assert.match(page.text, /2 new, 0 changed, 0 with faults/)
      const zone = /<select id="time_zone"[\s\S]*?<option value="([^"]*)" selected/.exec(page.text)?.[1]
      await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })
      const rows = await world.database.rows(
        `delete from locations where host like 'z1%' returning host, begin_at::text, end_at::text`,
      )
      return [zone, ...rows.toSorted().map(([, begin, end]) => `${begin} ${end}`)]
    }
    assert.deepEqual(await imported(async () => ({ time_zone: 'Europe/Paris' })), [
      'Europe/Paris',
      '2026-03-02 09:00:00+00 2026-03-02 10:00:00.25+00',
      '2026-07-01 08:00:00+00 2026-07-01 10:00:00+00',
    ])
    await boss.browser.get('/time-zone?in=Asia/Kolkata')
    assert.deepEqual(await imported(async () => ({})), [
      'Asia/Kolkata',
      '2026-03-02 04:30:00+00 2026-03-02 05:30:00.25+00',
      '2026-07-01 04:30:00+00 2026-07-01 10:00:00+00',
    ])
    await boss.browser.get('/time-zone?in=campus')
  })

  it('offers encodings and delimiters, and shows notes on the file until it is imported', async () => {
    const form = await boss.browser.get('/staff/import/new/clusters')
    for (const choice of ['utf-8', 'windows-1252', 'mac-roman', 'utf-16', 'comma', 'semicolon', 'tab', 'bar'])
      assert.match(form.text, new RegExp(`<option value="${choice}"`))
    const send = (fields: Readonly<Record<string, string | File>>) =>
      boss.browser.upload('/staff/import/new/clusters', fields)
    const damaged = Buffer.concat([Buffer.from('name;campus\nZo\u00eb;Lisbon\nRen'), Buffer.from([0xc3, 0x3b, 0x31])])
    const refused = await send({ file: file(damaged), encoding: '', delimiter: '' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Line 3 is not UTF-8/)
    const mac = Buffer.from('name,x;campus\nZo\x91;Lisbon\nAda\n', 'latin1')
    const { location = '' } = await send({ file: file(mac), encoding: 'mac-roman', delimiter: 'semicolon' })
    const { text } = await boss.browser.get(location)
    assert.match(text, /Zo\u00eb/)
    assert.match(text, /name,x/)
    await boss.browser.submit(location, { wish: 'try', 'column-0': 'name', 'column-1': 'campus_id:name' })
    for (const page of [text, (await boss.browser.get(location)).text])
      assert.match(page, /1 row has fewer cells than the first line/)
  })

  it('refuses what is no table, with what to do', async () => {
    const vast = workbook([['Name'], ['x']], { 'xl/styles.xml': new Uint8Array(60 * 1_048_576).fill(32) })
    for (const [sent, why] of [
      [file(''), /empty|no rows/],
      [file('name,campus\n'), /no rows/],
      [file('name,name\na,b\n'), /twice/],
      [file('name,\na,b\n'), /no name/],
      [file('name,a\0b\nx,y\n'), /column 2 has a character that is not text/],
      [
        file(
          workbook([
            ['name', 'a_x0000_b'],
            ['x', 'y'],
          ]),
          'x.xlsx',
        ),
        /column 2 has a character that is not text/,
      ],
      [
        file(
          workbook([
            ['name', 'a_xD800_b'],
            ['x', 'y'],
          ]),
          'x.xlsx',
        ),
        /column 2 has a character that is not text/,
      ],
      [file('name,campus\n"open,x\n'), /quote/i],
      [file(`name\n${'a\n'.repeat(2_001)}`), /2000 rows/],
      [
        file(`${Array.from({ length: 61 }, (_, at) => `c${at}`)}\n${Array.from({ length: 61 }, () => 'x')}\n`),
        /60 columns/,
      ],
      [file('PK\x03\x04 not a workbook', 'x.xlsx'), /damaged/],
      [file(workbook([['Name']]), 'x.xlsx'), /no rows/],
      [file(Buffer.from('name\n\x81\x00\x01\xfe', 'latin1'), 'x.xlsx'), /not text/],
      [file(vast, 'x.xlsx'), /too large|longer than/],
      [file(Buffer.from('1f8b0800', 'hex'), 'x.csv.gz'), /gzip/],
    ] as const) {
      const { status, text } = await upload(boss, 'clusters', sent)
      assert.equal(status, 422, String(why))
      assert.match(text, why)
    }
  })

  it('cleans the name of the file', async () => {
    for (const [name, shown] of [
      ['a\0b.csv', 'ab.csv'],
      ['\0', 'file'],
      [`${'x'.repeat(5_000)}.csv`, `${'x'.repeat(196)}.csv`],
    ] as const) {
      const { location = '' } = await upload(boss, 'clusters', file('name\nx\n', name))
      assert.equal((await boss.browser.get(location)).heading, `Import ${shown}`)
    }
  })

  it('is for those who may create the records, and of one’s own', async () => {
    const { location = '' } = await upload(boss, 'clusters', file('name\nx\n'))
    const student = await signedInOf(world)
    for (const path of [location, '/staff/import/new/clusters'])
      assert.equal((await student.browser.get(path)).status, 403)
    assert.equal((await clerk.browser.get('/staff/import/new/clusters')).status, 403)
    assert.equal((await clerk.browser.get(location)).status, 404)
    for (const name of ['nonsense', 'attachments', 'apps'])
      assert.equal((await boss.browser.get(`/staff/import/new/${name}`)).status, 404, name)
    // A role opens no more than the API does: who may write users makes no administrator of them by a table.
    const [[role] = []] = await world.database.rows(`select id from roles where name = 'Advanced Tutor'`)
    await world.build.record('roles_users', { user_id: clerk.id, role_id: role })
    const sent = file('first_name,last_name,email,kind\nEve,Staff,eve@school.example,admin\n')
    const own = (await upload(clerk, 'users', sent)).location ?? ''
    const mapping = { 'column-0': 'first_name', 'column-1': 'last_name', 'column-2': 'email', 'column-3': 'kind' }
    const answer = await clerk.browser.submit(own, { wish: 'run', confirmed: 'yes', ...mapping })
    assert.notEqual(answer.heading, 'The table is imported.')
    assert.equal(await count(`users where email = 'eve@school.example'`), 0)
  })

  it('says what is wrong with a choice of columns, and loses nothing', async () => {
    const { location = '' } = await upload(boss, 'clusters', file('name,campus\nx,Lisbon\n'))
    const twice = await boss.browser.submit(location, { wish: 'try', 'column-0': 'name', 'column-1': 'name' })
    assert.equal(twice.status, 422)
    assert.match(twice.text, /fills name twice/)
    assert.deepEqual(mappingIn(twice), ['name', 'name'])
    const strange = await boss.browser.submit(location, { wish: 'try', 'column-0': 'nonsense', 'column-1': '' })
    assert.equal(strange.status, 422)
    await boss.browser.submit(location, { wish: 'try', 'column-0': 'name', 'column-1': '' })
    assert.match((await boss.browser.get(location)).text, /No column is mapped to campus_id, which every record needs/)
  })

  it('takes a value for every row of a field that the file lacks', async () => {
    const { location = '' } = await upload(
      boss,
      'users',
      file('first_name,last_name,email\nMia,Lund,mia@school.example\n'),
    )
    const mapping = { 'column-0': 'first_name', 'column-1': 'last_name', 'column-2': 'email' }
    await boss.browser.submit(location, { wish: 'try', ...mapping })
    const asked = await boss.browser.get(location)
    assert.match(asked.text, /No column is mapped to kind, which every record needs. Map a column, or enter a value/)
    assert.match(asked.text, /<select [^>]*name="constant-kind"[\s\S]*?<option value="student" translate="no">/)
    await boss.browser.submit(location, { wish: 'try', ...mapping, 'constant-kind': 'student' })
    const trial = await boss.browser.get(location)
    assert.match(trial.text, /1 row: 1 new, 0 changed, 0 with faults/)
    assert.match(trial.text, /<option value="student" selected translate="no">/)
    // The next form leaves the value out.
    await boss.browser.submit(location, { wish: 'try', ...mapping, 'constant-kind': '' })
    assert.match((await boss.browser.get(location)).text, /No column is mapped to kind/)
    // A column takes the place of the value.
    const { location: other = '' } = await upload(boss, 'clusters', file('name,campus\nPorch,Lisbon\n'))
    await boss.browser.submit(other, { wish: 'try', 'column-0': 'name', 'column-1': '' })
    const naming = (campus: string) => ({ 'column-0': 'name', 'column-1': '', 'constant-campus_id': campus })
    await boss.browser.submit(other, { wish: 'try', ...naming('Nowhere') })
    assert.match((await boss.browser.get(other)).text, /campus_id must exist: there is no campus &quot;Nowhere&quot;/)
    await boss.browser.submit(other, { wish: 'try', ...naming('Lisbon') })
    const whole = await boss.browser.get(other)
    assert.match(whole.text, /1 row: 1 new/)
    assert.match(whole.text, /value="Lisbon" id="constant-campus_id"/)
    await boss.browser.submit(other, { wish: 'try', ...fieldsOf(['name', 'campus_id']) })
    const mapped = await boss.browser.get(other)
    assert.match(mapped.text, /1 row: 1 new/)
    assert.doesNotMatch(mapped.text, /constant-campus_id/)
  })

  it('finds a campus by its name or its slug if the mapping does not choose', async () => {
    const campus = await world.build.campus({ name: 'Saint-Étienne', slug: 'saint-etienne' })
    const table = 'name,campus\nA,Saint-Étienne\nB,saint-etienne\nC,Nowhere\n'
    const { location = '' } = await upload(boss, 'clusters', file(table))
    assert.deepEqual(mappingIn(await boss.browser.get(location)), ['name', 'campus_id'])
    await boss.browser.submit(location, { wish: 'try', ...fieldsOf(['name', 'campus_id']) })
    const { text } = await boss.browser.get(location)
    assert.match(text, /3 rows: 2 new, 0 changed, 1 with faults/)
    assert.match(text, /there is no campus &quot;Nowhere&quot;/)
    await boss.browser.submit(location, { wish: 'run', ...fieldsOf(['name', 'campus_id']), omit: ['3'] })
    await boss.browser.submit(location, { wish: 'run', confirmed: 'yes' })
    assert.equal(await count(`clusters where campus_id = ${campus}`), 2)
  })

  it('shows an example of a time without an offset, since the zone of the table is chosen', async () => {
    const table = 'name,description,location,kind,begin_at,end_at\n'
    const row = 'Talk,Rust,Lab,conference,03/12/2026 14:00,2026-12-03 16:00\n'
    const { location = '' } = await upload(boss, 'events', file(table + row, 'events.csv'))
    const page = await boss.browser.get(location)
    const trial = await boss.browser.submit(location, { wish: 'try', ...fieldsOf(mappingIn(page)) })
    const { text } = await boss.browser.get(location)
    assert.match(text, /begin_at<\/label> <span[^>]*>is not a time such as 2017-11-25 13:43</)
    assert.doesNotMatch(text, /ISO 8601/)
    // The result is below the fold.
    assert.equal(trial.location, `${location}#trial`)
    assert.match(text, /<section [^>]*id="trial"/)
  })

  it('lists the faults of a row in the order of its columns', async () => {
    const { location = '' } = await upload(boss, 'clusters', file('name,campus\n,Nowhere\n'))
    await boss.browser.submit(location, { wish: 'try', ...fieldsOf(['name', 'campus_id']) })
    const { text } = await boss.browser.get(location)
    const cells = [...text.matchAll(/name="(cell-\d+-\d+)"/g)].map(([, name]) => name)
    assert.deepEqual(cells, ['cell-1-0', 'cell-1-1'])
  })

  it('keeps corrections and omitted rows if the form is refused', async () => {
    const { location = '' } = await upload(boss, 'clusters', file('name,campus\n,Lisbon\nAttic,Nowhere\n'))
    const mapping = { 'column-0': 'name', 'column-1': 'campus_id:name' }
    await boss.browser.submit(location, { wish: 'try', ...mapping })
    const typed = { ...mapping, 'cell-1-0': 'Cellar', 'cell-2-1': 'Porto' }
    const refused = await boss.browser.submit(location, { wish: 'try', ...typed, omit: ['1', '2'] })
    assert.equal(refused.status, 422)
    assert.deepEqual(mappingIn(refused), ['name', 'campus_id:name'])
    assert.match(refused.text, /name="cell-1-0" value="Cellar"/)
    assert.match(refused.text, /name="cell-2-1" value="Porto"/)
    assert.match(refused.text, /value="2" checked/)
  })

  it('stores the table where nobody reads it', async () => {
    await upload(boss, 'users', file('email,password\nx@school.example,correct horse\n'))
    assert.equal(await count(`import_drafts where sealed_table like '%horse%' or mapping::text like '%horse%'`), 0)
  })
})
