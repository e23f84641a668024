import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Association } from '@campus/engine/rest/declare/association'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import { guardOf } from '@campus/engine/rest/declare/guard-sql'
import { isFound } from '@campus/engine/rest/read/record-key'
import { declaredRegistry } from '../../school/resources/declared.ts'

const registry = declaredRegistry()

test('a field that hides other records hides the column that leads to them', () => {
  let guarded = 0
  for (const resource of registry.resources) {
    for (const [name, { embeds, guard }] of Object.entries(resource.fields)) {
      const column = embeds?.by ?? embeds?.rows?.by
      if (!guard || column === undefined) continue
      assert.equal(guardOf(resource, column), guard, `${resource.name}.${name} is hidden, but not ${column}`)
      guarded += 1
    }
  }
  assert.ok(guarded >= 5)
})

test('what hangs on a hidden column of another resource is hidden too, or told anyway', () => {
  for (const resource of registry.resources) {
    for (const { chain } of resource.parents ?? []) {
      for (const { association } of chain) if (!isFound(association)) holdAssociation(resource, association)
    }
  }
})

test('what is kept in memory for everybody hides nothing', () => {
  for (const { name, cachedInMemory, fields } of registry.resources) {
    if (!cachedInMemory) continue
    for (const [field, { guard }] of Object.entries(fields)) assert.equal(guard, undefined, `${name}.${field}`)
  }
})

function holdAssociation(resource: Resource, association: Association): void {
  if (typeof association === 'string') return
  if ('anyOf' in association) {
    for (const part of association.anyOf) holdAssociation(resource, part)
    return
  }
  const joined = registry.resources.find(({ table }) => table === association.table)
  const onward = typeof association.otherKey === 'string' ? association.otherKey : (association.otherKey.key ?? 'id')
  const hides = joined && [association.foreignKey, onward].some((column) => guardOf(joined, column))
  if (!hides || association.bypassesGuard) return
  assert.ok(
    guardOf(resource, association.key ?? 'id'),
    `${resource.name} tells by ${association.table} what that hides`,
  )
}
