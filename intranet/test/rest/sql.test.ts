import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { hiddenSql } from '@campus/engine/rest/declare/guard'
import { NOW, PERSON, ROLES, SCOPES } from '@campus/engine/rest/declare/placeholders'
import type { Reads } from '@campus/engine/rest/declare/sql'
import { SqlBuilder } from '@campus/engine/rest/declare/sql-builder'
import { declaredRegistry, storageOfResources } from '../../school/resources/declared.ts'

test('only filters of teams and users by whether a column is set have an index', () => {
  const found = storageOfResources().indexes.flatMap(({ table, columns: [first = ''] }) =>
    first.startsWith('num_nonnulls(') ? `${table}.${first.slice('num_nonnulls('.length, -1)}` : [],
  )
  const ofTeams = ['closed_at', 'deadline_at', 'final_mark', 'locked_at', 'terminating_at'].map(
    (name) => `teams.${name}`,
  )
  assert.deepEqual(found.sort(), [...ofTeams, 'users.alumnized_at'])
})

describe('the SQL of every declaration', () => {
  /** Returns the tables that the text of SQL names. */
  const tablesIn = (text: string) => [...text.matchAll(/\b(?:from|join) "(\w+)"/g)].map(([, name = '']) => name)

  function check(of: string, reads: Reads, text: string): void {
    for (const name of tablesIn(text)) assert.ok(reads.tables.includes(name), `${of} reads ${name}: ${text}`)
    if (text.includes(NOW)) assert.notDeepEqual(reads.timeDependencies, [], of)
    const isByCaller = [PERSON, ROLES, SCOPES].some((placeholder) => text.includes(placeholder))
    assert.equal(reads.byCaller, isByCaller, of)
  }

  it('records every table, the time and the caller', () => {
    let checked = 0
    for (const { name, fields, index, webhook } of declaredRegistry().resources) {
      for (const [filter, { condition }] of Object.entries(index.customFilters ?? {})) {
        const builder = new SqlBuilder()
        const text = condition.write({ alias: 't', values: [null, 1], builder })
        check(`${name} filtered by ${filter}`, condition, text)
        checked += 1
      }
      for (const [field, { guard, sql }] of Object.entries({ ...fields, ...webhook?.adds, ...webhook?.embedded })) {
        for (const one of [guard && hiddenSql(guard), sql]) {
          if (!one) continue
          check(`${name}.${field}`, one, one.write({ alias: 't' }))
          checked += 1
        }
      }
    }
    assert.ok(checked > 90, String(checked))
  })
})
