import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { generateOwnWrites, ownActions, readOwnWrites } from '@campus/test/support/own-writes'
import { PEOPLE } from '@campus/test/support/personas'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()

type Line = { readonly title: string; readonly cells: Readonly<Record<string, string>> }

const linesOf = (table: string): readonly Line[] =>
  table
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [resource, action, field, ...cells] = line.split(/\s{2,}/)
      return {
        title: [resource, action, field].join(' '),
        cells: Object.fromEntries(PEOPLE.map((person, place) => [person, cells[place] ?? ''])),
      }
    })

describe("the table of writes to records of one's own", () => {
  let table: string

  before(async () => {
    table = await generateOwnWrites()
  })

  it('agrees with the service on every route by which people write their own records', () => {
    assert.deepEqual(table.split('\n'), readOwnWrites().split('\n'), 'Run "npm run generate -- own-writes".')
    const resources = registry.resources.filter((resource) => ownActions(resource).length > 0)
    for (const { name } of resources) assert.ok(linesOf(table).some(({ title }) => title.startsWith(`${name} `)))
  })

  it('shows that strangers change and remove nothing', () => {
    const lines = linesOf(table).filter(({ title }) => !/^\w+ create /.test(title))
    for (const { title, cells } of lines) assert.match(cells.stranger ?? '', /^40[34]$/, title)
  })

  it('shows that nobody sets the time of a state, the mark of a team or the author of a record', () => {
    // Evaluations have tests of their own: each side writes its part of them.
    const guarded =
      /^(teams|teams_users|projects_users|topics|messages) .*\b(final_mark|\w+_at|repo_uuid|occurrence|status|author_id=you)$/
    for (const { title, cells } of linesOf(table).filter(({ title }) => guarded.test(title))) {
      for (const [person, cell] of Object.entries(cells)) assert.notEqual(cell, 'written', `${title}: ${person}`)
    }
  })
})
