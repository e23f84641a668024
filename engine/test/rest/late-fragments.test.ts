import assert from 'node:assert/strict'
import { after, before, it, mock } from 'node:test'
import { CachedFragments } from '../../rest/represent/fragments.ts'
import { type Library, library } from '../support/library.ts'

let lib: Library
before(async () => {
  lib = await library()
})
after(() => lib.close())

it('a write is answered although what its record shows was not in memory when its transaction ended', async () => {
  const author_id = await lib.add('authors', { name: 'Lem' })
  const subject = await lib.add('subjects', { name: 'Space', slug: 'space' })
  const { areFresh } = CachedFragments.prototype
  // Simulates a subject that was created after the cache was checked.
  const looked = mock.method(
    CachedFragments.prototype,
    'areFresh',
    function (this: CachedFragments, ...given: Parameters<typeof areFresh>) {
      areFresh.apply(this, given)
      return true
    },
  )
  try {
    const book = { title: 'Solaris', isbn: '1', author_id, subject_ids: [subject] }
    const made = await lib.librarian.post('/v2/books', { book })
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.json.subjects, [{ id: subject, name: 'Space', slug: 'space' }])
    const stars = await lib.add('subjects', { name: 'Stars', slug: 'stars' })
    const answer = { prefer: 'return=representation' }
    const changed = await lib.librarian.patch(`/v2/books/${made.json.id}`, { book: { subject_ids: [stars] } }, answer)
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual(changed.json.subjects, [{ id: stars, name: 'Stars', slug: 'stars' }])
  } finally {
    looked.mock.restore()
  }
})
