import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { open, permit } from '@campus/engine/rest/declare/access'
import { integer, reference, text } from '@campus/engine/rest/declare/fields/columns'
import { Registry } from '@campus/engine/rest/declare/registry'
import { resource } from '@campus/engine/rest/declare/resource'
import { COMMON_ACCESS } from '../../school/resources/access.ts'

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
