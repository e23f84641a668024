import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inEnglish } from '../../base/languages/say.ts'
import { HttpError } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { type Access, all, decide, describeAccess, either, open, own, role, scope } from '../../rest/declare/access.ts'

const caller = ({ roles = [] as string[], scopes = ['catalogue'], owner = null as number | null } = {}): Caller => ({
  application: { id: 1, uid: 'u', name: 'n', roles, ratePerSecond: 2, ratePerHour: 1200 },
  scopes,
  resourceOwnerId: owner,
})

/** 'all', 'own' or the first words of the refusal. */
function decision(access: Access, who: Caller): string {
  try {
    return decide(access, who).ownAssociation === undefined ? 'all' : 'own'
  } catch (error) {
    assert.ok(error instanceof HttpError)
    assert.equal(error.status, 403)
    return error.error
  }
}

const person = { owner: 7 }
const librarian = role('Librarian', ['Librarian', 'Director'])
const director = role('Director')
const desk = scope('desk', 'works at the desk')

describe('who may', () => {
  for (const [what, access, who, expected] of [
    ['anybody do what is open', open, {}, 'all'],
    ['the role itself do what it is needed for', librarian, { roles: ['Librarian'] }, 'all'],
    ['a role that includes another do what the other may', librarian, { roles: ['Director'] }, 'all'],
    ['a role not do what one that includes it may', director, { roles: ['Librarian'] }, 'Access Denied'],
    ['another role not do it', librarian, { roles: ['Binder'] }, 'Access Denied'],
    ['a token with the scope do what it is needed for', desk, { scopes: ['catalogue', 'desk'] }, 'all'],
    ['a token without the scope not do it', desk, { scopes: ['catalogue'] }, 'Forbidden'],
    ['a person touch records of their own', own('reader_id'), person, 'own'],
    ['an application for itself not touch anybody\u2019s', own('reader_id'), {}, 'Access Denied'],
  ] as const) {
    it(`may ${what}`, () => assert.equal(decision(access, caller(who as object)), expected))
  }
})

describe('an access of several parts', () => {
  const both = all(role('Binder'), desk)
  const binderOrOwn = either(role('Binder'), all(own('reader_id'), desk))

  it('of which all are needed says which one is missing', () => {
    assert.equal(decision(both, caller({ roles: ['Binder'], scopes: ['desk'] })), 'all')
    assert.equal(decision(both, caller({ scopes: ['desk'] })), 'Access Denied')
    assert.equal(decision(both, caller({ roles: ['Binder'] })), 'Forbidden')
  })

  it('of which one is needed takes the widest that is met', () => {
    const binder = { roles: ['Binder'] }
    const scoped = { scopes: ['catalogue', 'desk'] }
    assert.equal(decision(binderOrOwn, caller(binder)), 'all')
    assert.equal(decision(binderOrOwn, caller({ ...binder, ...scoped, ...person })), 'all')
    assert.equal(decision(binderOrOwn, caller({ ...scoped, ...person })), 'own')
    assert.equal(decision(binderOrOwn, caller(scoped)), 'Access Denied')
    assert.equal(decision(binderOrOwn, caller(person)), 'Forbidden', 'only the scope is missing')
  })

  it('is described in words', () => {
    assert.equal(inEnglish(describeAccess(both)), 'the role Binder and the scope desk')
    assert.equal(
      inEnglish(describeAccess(binderOrOwn)),
      "the role Binder, or a token of the record's own user and the scope desk",
    )
  })
})
