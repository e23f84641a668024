import { integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { alwaysNull } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { enterTransaction, reverseTransaction } from '../domain/points/wallets.ts'
import { role } from './access.ts'

const manager = role('Transactions manager')

export const transactions = resource({
  name: 'transactions',
  summary: 'A change of the wallet of a user. What they have is the sum of all.',
  retainedTexts: 'reasons of points',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    value: described(
      'what the user got; negative for what they gave',
      integer({ min: -1_000_000, max: 1_000_000, required: true }),
    ),
    user_id: reference('users', { required: true }),
    transactable_id: described('id of what it was for; null for none', integer({ min: 1, nullable: true })),
    transactable_type: described(
      'what it was for, as `Achievement`, `Event` or any text',
      text({ max: 255, required: true }),
    ),
    reason: described('why, in words', text({ max: 255, required: true })),
    user: one('users', 'reference'),
    options: alwaysNull,
    created_at: time({ hidden: true }),
    // A transaction never changes.
    updated_at: time({ hidden: true, column: 'created_at' }),
  },
  index: {
    sort: { except: ['updated_at'] },
    defaultSort: ['-created_at', '-id'],
    range: [],
    // `updated_at` is the column `created_at`, which the index of the default sort serves.
    unindexed: ['updated_at'],
  },
  parents: [under('users')],
  actions: {
    index: manager,
    show: manager,
    create: { access: manager, perform: enterTransaction },
    destroy: { access: manager, perform: reverseTransaction },
  },
})
