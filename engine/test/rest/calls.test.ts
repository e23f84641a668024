import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { open, permit } from '../../rest/declare/access.ts'
import { integer, reference, text } from '../../rest/declare/fields/columns.ts'
import { Registry } from '../../rest/declare/registry.ts'
import { resource } from '../../rest/declare/resource.ts'
import { ACCESS } from '../support/library.ts'

const index = { sort: ['id'], defaultSort: ['id'] } as const

const readers = resource({
  name: 'readers',
  summary: 'A reader of the library.',
  fields: { id: integer(), card: text() },
  index,
  calls: { name: 'card', on: { joined: { changes: ['create'] } } },
  actions: permit({ read: open, write: open }),
})

const loans = resource({
  name: 'loans',
  summary: 'A book that a reader has.',
  fields: { id: integer(), reader_id: reference('readers') },
  index,
  calls: { subject: 'reader_id', on: { lent: { changes: ['create'] } } },
  actions: permit({ read: open, write: open }),
})

describe('calls about the subjects of a library', () => {
  it('carry the column that names the subject, and the id of a subject that is referred to', () => {
    const { called } = new Registry([readers, loans], ACCESS)
    assert.equal(called.get('readers')?.('n'), 'n."card"')
    assert.equal(
      called.get('loans')?.('n'),
      `n."reader_id" || ' ' || coalesce((select "card" from "readers" where id = n."reader_id"), '')`,
    )
  })

  it('need a resource that names them', () => {
    assert.throws(() => new Registry([loans], ACCESS), {
      message: 'loans declares calls about subjects, but no resource names them',
    })
  })
})
