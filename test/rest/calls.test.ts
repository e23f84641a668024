import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COMMON_ACCESS } from '../../src/resources/access.ts'
import { open, permit } from '../../src/rest/declare/access.ts'
import { integer, reference, text } from '../../src/rest/declare/fields/columns.ts'
import { Registry } from '../../src/rest/declare/registry.ts'
import { resource } from '../../src/rest/declare/resource.ts'

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
    const { called } = new Registry([readers, loans], COMMON_ACCESS)
    assert.equal(called.get('readers')?.('n'), 'n."card"')
    assert.equal(
      called.get('loans')?.('n'),
      `n."reader_id" || ' ' || coalesce((select "card" from "readers" where id = n."reader_id"), '')`,
    )
  })

  it('need a resource that names them', () => {
    assert.throws(() => new Registry([loans], COMMON_ACCESS), {
      message: 'loans declares calls about subjects, but no resource names them',
    })
  })
})
