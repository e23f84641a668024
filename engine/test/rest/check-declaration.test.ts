import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { all, either, open, own, role, scope } from '../../rest/declare/access.ts'
import { joinTable, through } from '../../rest/declare/association.ts'
import type { Declaration } from '../../rest/declare/declaration.ts'
import { integer, reference } from '../../rest/declare/fields/columns.ts'
import type { Field } from '../../rest/declare/fields/field.ts'
import { guarded } from '../../rest/declare/fields/guarded.ts'
import { always } from '../../rest/declare/guard.ts'
import { resource } from '../../rest/declare/resource.ts'

const members = through(joinTable('lockers_readers', { lockers: 'locker_id', readers: 'reader_id' }), 'readers')
const librarian = role('Librarian')

type Part = Partial<Declaration<Record<string, Field>>>

const lockers = (part: Part) =>
  resource({
    name: 'lockers',
    singular: 'locker',
    fields: { id: integer(), reader_id: reference('readers'), keeper_id: reference('readers'), number: integer() },
    index: { sort: ['id'], defaultSort: ['id'] },
    payload: { accepts: ['reader_id', 'number'] },
    actions: { index: open, show: open },
    ...part,
  } as Declaration<Record<string, Field>>)

const doing = (actions: object): Part => ({ actions: { index: open, show: open, ...actions } })
const performing = async () => 1

/** Faulty parts of declarations, with their errors. */
const REFUSED: Readonly<Record<string, readonly [Part, RegExp]>> = {
  'a search of numbers': [
    { index: { sort: ['id'], defaultSort: ['id'], search: { text: ['number'] } } },
    /^lockers\.index\.search\.text: number is not a column of text$/,
  ],
  'a graph of numbers': [
    { graph: { fields: ['number'], default: 'number' } },
    /^lockers\.graph: number is not a column of times or dates$/,
  ],
  'a number that stands for the id in paths': [
    { identifiedBy: 'number' },
    /^lockers\.identifiedBy: number is not a column of text$/,
  ],
  'two own rules that must both hold, of which the last one counted': [
    doing({ update: { access: all(own('reader_id'), own('keeper_id')) } }),
    /^lockers\.update: of two own/,
  ],
  'two own rules of which either would do, of which the first one counted': [
    doing({ destroy: { access: either(own('reader_id'), all(scope('desk', 'a right'), own('keeper_id'))) } }),
    /^lockers\.destroy: of two own/,
  ],
  'two own rules of an action of a member': [
    doing({ members: { open: { access: either(own('reader_id'), own('keeper_id')), perform: performing } } }),
    /^lockers\.open: of two own/,
  ],
  'two own rules of what is shown': [
    doing({ show: either(own('reader_id'), own('keeper_id')) }),
    /^lockers\.show: of two own/,
  ],
  'two own rules of a guard': [
    {
      fields: {
        id: integer(),
        number: guarded({ hides: always, except: either(own('id'), own('number')) }, integer()),
      },
    },
    /^lockers\.number: of two own/,
  ],
  'two own rules of what is concealed': [
    { concealed: { unless: 'number', access: either(own('reader_id'), own('keeper_id')) } },
    /^lockers\.concealed: of two own/,
  ],
  'a plain creation that is own by a join table, since anybody could create': [
    doing({ create: { access: either(librarian, own(members)) } }),
    /^lockers\.create: a new record has no rows of a join table yet/,
  ],
  'the same of several at once': [
    doing({ create: { access: librarian }, bulk: { name: 'many', access: own(members) } }),
    /^lockers\.many: a new record/,
  ],
  'a list of which only one’s own would be meant': [doing({ index: own('reader_id') }), /^lockers\.index: own/],
  'a graph of the same': [doing({ graph: either(librarian, own('reader_id')) }), /^lockers\.graph: own/],
  'a search of the same': [
    { searched: { access: own('reader_id'), representation: 'record' } },
    /^lockers\.searched: own/,
  ],
  'what is restricted to owners': [
    { restricted: { whileSet: 'number', access: own('reader_id') } },
    /^lockers\.restricted: own/,
  ],
  'a rule of no parts, which would let everybody': [
    doing({ destroy: { access: either(librarian, all()) } }),
    /^lockers\.destroy: all\(\) of nothing/,
  ],
  'what owners may write where nobody is one': [
    doing({ update: { access: librarian, ownMay: ['number'] } }),
    /^lockers\.update: ownMay says nothing/,
  ],
  'what owners may write that no payload holds': [
    doing({ update: { access: own('reader_id'), ownMay: ['numbre'] } }),
    /^lockers\.update\.ownMay: the payload does not accept numbre/,
  ],
  'a field that is accepted twice': [
    { payload: { accepts: ['reader_id', 'number', 'reader_id'] } },
    /^lockers\.payload: reader_id is named twice/,
  ],
  'a field that is accepted in two ways': [
    { payload: { accepts: ['number'], extra: { number: integer().stored } as never } },
    /^lockers\.payload: number is named twice/,
  ],
  'a field that says it is required and is not accepted': [
    { fields: { id: integer(), number: integer({ required: true }) }, payload: { accepts: { except: ['number'] } } },
    /^lockers\.fields: the payload does not accept number/,
  ],
  'an exception from what is accepted that would not be': [
    { payload: { accepts: { except: ['id'] } } },
    /^lockers\.payload\.accepts: id is excepted, but the list would not have it/,
  ],
  'an exception from what is sorted by that is no column': [
    { index: { sort: { except: ['color'] }, defaultSort: ['id'] } },
    /^lockers\.index\.sort: color is excepted, but/,
  ],
  'an exception from a representation of a field that is hidden anyway': [
    {
      fields: { id: integer(), number: integer({ hidden: true }) },
      payload: { accepts: ['number'] },
      representations: { short: { except: ['number'] } },
    },
    /^lockers\.representations\.short: number is excepted, but/,
  ],
  'a field that is added to a representation that shows it anyway': [
    { representations: { short: { except: [], and: ['number'] } } },
    /^lockers\.representations\.short: number is added, but the list has it anyway/,
  ],
  'a field that is required and not accepted': [
    { payload: { accepts: ['number'], requires: ['reader_id'] } },
    /^lockers\.payload\.requires: the payload does not accept reader_id/,
  ],
  'a field that is sorted by twice': [
    { index: { sort: ['id', 'number', 'id'], defaultSort: ['id'] } },
    /^lockers\.index\.sort: id is named twice/,
  ],
  'rows that go along with a record and stay': [
    { dependents: { deleted: ['keys.locker_id'], released: ['keys.locker_id'] } },
    /^lockers\.dependents: keys\.locker_id is named twice/,
  ],
}

describe('a declaration is refused, by its name, for', () => {
  for (const [what, [part, words]] of Object.entries(REFUSED))
    it(what, () => assert.throws(() => lockers(part), { message: words }))
})

describe('a declaration may have', () => {
  it('one own rule beside others, by a column or, where an action decides, by a join table', () => {
    lockers(
      doing({
        update: { access: either(librarian, all(scope('desk', 'a right'), own('reader_id'))), ownMay: ['number'] },
      }),
    )
    lockers(doing({ create: { access: own('reader_id') } }))
    lockers(doing({ create: { access: own(members), perform: performing } }))
    lockers(doing({ destroy: { access: own({ anyOf: ['reader_id', 'keeper_id'] }) } }))
  })
})
