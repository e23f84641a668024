import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { declaredRegistry } from '@campus/intranet/school/resources/declared'
import { RecordReader } from '../record-reader.ts'

const registry = declaredRegistry()
const read = (resource: string, record: unknown) => new RecordReader(registry, registry.get(resource)).read(record)

/** Returns the columns that a record holds of its own row. */
const columns = (resource: string, record: Readonly<Record<string, unknown>>) =>
  read(resource, { id: 7, ...record })?.rows.find(({ id }) => id === 7)?.columns

describe('what a record says of rows', () => {
  it('holds its columns, and the ids of records that it shows', () => {
    assert.deepEqual(
      columns('locations', {
        host: 'c1r1p1',
        begin_at: '2026-03-02T10:00:00.000Z',
        campus_id: 1,
        user: { id: 3, login: 'ada' },
      }),
      { host: 'c1r1p1', begin_at: '2026-03-02T10:00:00.000Z', campus_id: 1, user_id: 3 },
    )
  })

  it('has nobody where an empty record is shown, and says nothing of what is left out or hidden', () => {
    assert.deepEqual(columns('scale_teams', { corrector: {} }), { user_id: null })
    assert.deepEqual(columns('scale_teams', { corrector: 'invisible', truant: null }), { truant_id: null })
    assert.equal(read('scale_teams', { id: 7, corrector: 'invisible' })?.hidesSomething, true)
  })

  it('is read out of groups, pictures and masks', () => {
    assert.deepEqual(columns('messages', { votes_count: { upvote: 2, downvote: 1, trollvote: 0, problem: 0 } }), {
      upvotes: 2,
      downvotes: 1,
      trollvotes: 0,
      problems: 0,
    })
    assert.deepEqual(
      columns('users', { image: { link: 'https://cdn.example/a.png', versions: {} }, phone: 'hidden' }),
      {
        image: 'https://cdn.example/a.png',
        phone_hidden: true,
      },
    )
  })

  it('takes a claim for the last change where no column says when it came true', () => {
    const updated_at = '2026-03-02T10:00:00.000Z'
    assert.deepEqual(columns('users', { 'active?': false, updated_at }), { closed_at: updated_at, updated_at })
    assert.deepEqual(columns('users', { 'active?': true, updated_at }), { closed_at: null, updated_at })
    const alumnized_at = '2026-01-01T00:00:00.000Z'
    assert.deepEqual(columns('users', { 'alumni?': true, alumnized_at, updated_at }), { alumnized_at, updated_at })
  })

  it('tells in full of rows that no list shows', () => {
    const reported = read('partnerships', { id: 7, partnerships_skills: [{ id: 9, skill_id: 2, value: 50 }] })
    assert.deepEqual(
      reported?.rows.find(({ id }) => id === 9),
      {
        table: 'partnerships_skills',
        id: 9,
        columns: { skill_id: 2, value: 50, partnership_id: 7 },
      },
    )
    assert.deepEqual(reported?.lists, [
      {
        table: 'partnerships_skills',
        foreignKey: 'partnership_id',
        holder: 7,
        sort: 'owned',
        key: 'id',
        rows: [{ id: 9 }],
      },
    ])
  })

  it('tells of rows of join tables, be they shown as records or as ids', () => {
    const joined = (resource: string, record: object) => read(resource, { id: 7, ...record })?.lists
    assert.deepEqual(joined('exams', { cursus: [{ id: 21 }] }), [
      {
        table: 'exams_cursus',
        foreignKey: 'exam_id',
        holder: 7,
        sort: 'joined',
        key: 'cursus_id',
        rows: [{ cursus_id: 21, exam_id: 7 }],
      },
    ])
    assert.deepEqual(joined('events', { campus_ids: [1] }), [
      {
        table: 'events_campus',
        foreignKey: 'event_id',
        holder: 7,
        sort: 'joined',
        key: 'campus_id',
        rows: [{ campus_id: 1, event_id: 7 }],
      },
    ])
  })

  it('links records of other lists that do not say it themselves', () => {
    const reported = read('blocs', { id: 7, coalitions: [{ id: 4 }] })
    assert.deepEqual(reported?.lists, [
      { table: 'coalitions', foreignKey: 'bloc_id', holder: 7, sort: 'linked', key: 'id', rows: [{ id: 4 }] },
    ])
    assert.deepEqual(reported?.rows.find(({ id }) => id === 4)?.columns, { bloc_id: 7 })
  })

  it('comes out of its wrapper', () => {
    const reported = read('anti_grav_units_users', { anti_grav_units_user: { id: 7, user_id: 3 } })
    assert.deepEqual(reported?.rows, [{ table: 'anti_grav_units_users', id: 7, columns: { user_id: 3 } }])
  })

  it('goes without values that are none, which are named, and without names that mean nothing', () => {
    const reported = read('users', { id: 7, kind: 'wizard', login: 'ada\0', first_name: 'Ada', shoe_size: 38 })
    assert.deepEqual(reported?.rows[0]?.columns, { first_name: 'Ada' })
    assert.equal(reported?.faults.length, 2)
    assert.deepEqual(reported?.unknown, ['shoe_size'])
  })

  it('is nothing where it has no id', () => {
    for (const record of [null, 'x', [], {}, { id: '7' }, { id: 0 }, { id: 2 ** 31 }, { id: 1.5 }])
      assert.equal(read('users', record), undefined)
  })
})
