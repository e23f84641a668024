import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inEnglish } from '@campus/engine/base/languages/say'
import { HttpError } from '@campus/engine/errors'
import type { Caller } from '@campus/engine/http/caller'
import { type Access, all, decide, describeAccess, either, open, own } from '@campus/engine/rest/declare/access'
import { role, scope } from '../../school/resources/access.ts'

const caller = ({ roles = [] as string[], scopes = ['public'], owner = null as number | null } = {}): Caller => ({
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

describe('who may', () => {
  for (const [what, access, who, expected] of [
    ['anybody do what is open', open, {}, 'all'],
    ['the role itself do what it is needed for', role('Basic Staff'), { roles: ['Basic Staff'] }, 'all'],
    ['Advanced Staff do what Basic Staff may', role('Basic Staff'), { roles: ['Advanced Staff'] }, 'all'],
    ['Advanced Tutor do what a Basic Tutor may', role('Basic Tutor'), { roles: ['Advanced Tutor'] }, 'all'],
    ['Basic Staff not do what Advanced Staff may', role('Advanced Staff'), { roles: ['Basic Staff'] }, 'Access Denied'],
    ['Advanced Staff not do what a tutor may', role('Basic Tutor'), { roles: ['Advanced Staff'] }, 'Access Denied'],
    ['Advanced Tutor not do what staff may', role('Basic Staff'), { roles: ['Advanced Tutor'] }, 'Access Denied'],
    ['a token with the scope do what it is needed for', scope('tig'), { scopes: ['public', 'tig'] }, 'all'],
    ['a token without the scope not do it', scope('tig'), { scopes: ['public'] }, 'Forbidden'],
    ['a person touch records of their own', own('user_id'), person, 'own'],
    ['an application for itself not touch anybody\u2019s', own('user_id'), {}, 'Access Denied'],
  ] as const) {
    it(`may ${what}`, () => assert.equal(decision(access, caller(who as object)), expected))
  }
})

describe('an access of several parts', () => {
  const both = all(role('Advanced Tutor'), scope('projects'))
  const tutorOrOwn = either(role('Advanced Tutor'), all(own('user_id'), scope('projects')))

  it('of which all are needed says which one is missing', () => {
    assert.equal(decision(both, caller({ roles: ['Advanced Tutor'], scopes: ['projects'] })), 'all')
    assert.equal(decision(both, caller({ scopes: ['projects'] })), 'Access Denied')
    assert.equal(decision(both, caller({ roles: ['Advanced Tutor'] })), 'Forbidden')
  })

  it('of which one is needed takes the widest that is met', () => {
    const tutor = { roles: ['Advanced Tutor'] }
    const scoped = { scopes: ['public', 'projects'] }
    assert.equal(decision(tutorOrOwn, caller(tutor)), 'all')
    assert.equal(decision(tutorOrOwn, caller({ ...tutor, ...scoped, ...person })), 'all')
    assert.equal(decision(tutorOrOwn, caller({ ...scoped, ...person })), 'own')
    assert.equal(decision(tutorOrOwn, caller(scoped)), 'Access Denied')
    assert.equal(decision(tutorOrOwn, caller(person)), 'Forbidden', 'only the scope is missing')
  })

  it('is described in words', () => {
    assert.equal(inEnglish(describeAccess(both)), 'the role Advanced Tutor and the scope projects')
    assert.equal(
      inEnglish(describeAccess(tutorOrOwn)),
      "the role Advanced Tutor, or a token of the record's own user and the scope projects",
    )
  })
})
