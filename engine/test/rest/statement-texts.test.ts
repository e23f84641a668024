import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOW, PERSON } from '../../rest/declare/placeholders.ts'
import { SqlBuilder } from '../../rest/declare/sql-builder.ts'
import { queryFor, StatementTexts, type Viewer } from '../../rest/declare/viewer.ts'

const viewOf = (resourceOwnerId: number | null, now: string) =>
  ({ caller: { resourceOwnerId }, now: new Date(now) }) as Viewer
const ADA = viewOf(7, '2026-03-02T10:00:00.000Z')
const NOBODY = viewOf(null, '2026-03-02T11:00:00.000Z')

describe('the text of a statement', () => {
  it('is the same for everybody at any time, so that it is prepared once', () => {
    const [ours, othersOwn] = [ADA, NOBODY].map((view) => queryFor(view, `select ${PERSON}`, new SqlBuilder()))
    assert.equal(ours?.text, othersOwn?.text)
    assert.deepEqual([ours?.values, othersOwn?.values], [[7], [null]])
  })

  it('holds what it says of its view in sub-selects, so that it is planned once', () => {
    const { text } = queryFor(ADA, `select 1 where begin_at > ${NOW} or user_id = ${PERSON}`, new SqlBuilder())
    assert.equal(text, 'select 1 where begin_at > (select $1::timestamptz) or user_id = (select $2::integer)')
  })

  it('has one place for each thing, after the values of its conditions', () => {
    const builder = new SqlBuilder()
    const id = builder.value(3, 'integer')
    const { text, values } = queryFor(ADA, `select ${PERSON}, ${NOW}, ${PERSON} where id = ${id}`, builder)
    const [person, now] = ['(select $2::integer)', '(select $3::timestamptz)']
    assert.equal(text, `select ${person}, ${now}, ${person} where id = $1::integer`)
    assert.deepEqual(values, [3, 7, '2026-03-02T10:00:00.000Z'])
  })

  it('is put together once for each shape, whatever the values', () => {
    const texts = new StatementTexts()
    let written = 0
    const ask = (view: Viewer, id: number, shape: string) => {
      const builder = new SqlBuilder()
      const where = `${shape} = ${builder.value(id, 'integer')}`
      const write = () => {
        written += 1
        return `select ${PERSON} where ${where}`
      }
      return texts.query(view, where, write, builder)
    }
    assert.deepEqual(ask(ADA, 1, 'id').values, [1, 7])
    assert.deepEqual(ask(NOBODY, 2, 'id').values, [2, null])
    assert.equal(written, 1)
    assert.equal(ask(ADA, 1, 'user_id').text, 'select (select $2::integer) where user_id = $1::integer')
    assert.equal(written, 2)
  })

  it('is forgotten where clients ask in too many shapes', () => {
    const texts = new StatementTexts()
    const written: number[] = []
    const ask = (shape: number) => {
      const write = () => `select ${written.push(shape)}`
      return texts.query(ADA, `shape ${shape}`, write, new SqlBuilder()).text
    }
    for (let shape = 0; shape < 1_000; shape += 1) ask(shape)
    assert.equal(ask(999), 'select 1000')
    assert.equal(ask(0), 'select 1001')
  })
})
