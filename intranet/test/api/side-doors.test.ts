import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { PEOPLE } from '@campus/test/support/cast'
import { makeSideDoors, ownActions, readSideDoors } from '@campus/test/support/side-doors'
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

describe('the table of side doors', () => {
  let table: string

  before(async () => {
    table = await makeSideDoors()
  })

  it('is what the service does, for every route that people have for their own records', () => {
    assert.deepEqual(table.split('\n'), readSideDoors().split('\n'), 'Run "npm run generate -- side-doors".')
    const resources = registry.resources.filter((resource) => ownActions(resource).length > 0)
    for (const { name } of resources) assert.ok(linesOf(table).some(({ title }) => title.startsWith(`${name} `)))
  })

  it('lets strangers change and remove nothing', () => {
    const lines = linesOf(table).filter(({ title }) => !/^\w+ create /.test(title))
    for (const { title, cells } of lines) assert.match(cells.stranger ?? '', /^40[34]$/, title)
  })

  it('lets nobody set a time of state, a mark of a team, or who made a record', () => {
    // Evaluations have tests of their own: each side writes its part of them.
    const guarded =
      /^(teams|teams_users|projects_users|topics|messages) .*\b(final_mark|\w+_at|repo_uuid|occurrence|status|author_id=you)$/
    for (const { title, cells } of linesOf(table).filter(({ title }) => guarded.test(title))) {
      for (const [person, cell] of Object.entries(cells)) assert.notEqual(cell, 'written', `${title}: ${person}`)
    }
  })
})
