import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Caller } from '@campus/engine/http/caller'
import { refusalOf } from '@campus/engine/rest/declare/access'
import type { Role } from '../../access/roles.ts'
import { role } from '../../school/resources/access.ts'

const holding = (name: Role): Caller => ({
  application: { id: 1, uid: 'u', name: 'n', roles: [name], ratePerSecond: 2, ratePerHour: 1200 },
  scopes: ['public'],
  resourceOwnerId: null,
})

describe('who may', () => {
  for (const [what, needed, held, may] of [
    ['the role itself do what it is needed for', 'Basic Staff', 'Basic Staff', true],
    ['Advanced Staff do what Basic Staff may', 'Basic Staff', 'Advanced Staff', true],
    ['Advanced Tutor do what a Basic Tutor may', 'Basic Tutor', 'Advanced Tutor', true],
    ['Basic Staff not do what Advanced Staff may', 'Advanced Staff', 'Basic Staff', false],
    ['Advanced Staff not do what a tutor may', 'Basic Tutor', 'Advanced Staff', false],
    ['Advanced Tutor not do what staff may', 'Basic Staff', 'Advanced Tutor', false],
  ] as const)
    it(`may ${what}`, () => assert.equal(refusalOf(role(needed), holding(held)) === undefined, may))
})
