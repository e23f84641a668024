import type { DeclaredStorage } from '@campus/engine/database/declared-storage'
import { ENDPOINT_FUNCTIONS, ENDPOINT_TRIGGERS } from '../../webhooks/disabled-endpoints.ts'
import { APPLICATION_FUNCTIONS, APPLICATION_TRIGGERS } from './applications.ts'
import { CHANGE_TIME_FUNCTIONS, CHANGE_TIME_TRIGGERS } from './change-times.ts'
import { COALITION_FUNCTIONS, COALITION_TRIGGERS } from './coalitions.ts'
import { JOURNAL_FUNCTIONS, JOURNAL_TRIGGERS } from './journals.ts'
import { MARK_FUNCTIONS, MARK_TRIGGERS } from './marks.ts'
import { OPENID_FUNCTIONS, OPENID_TRIGGERS } from './openid.ts'
import { POOL_FUNCTIONS, POOL_TRIGGERS } from './pools.ts'
import { QUEUE_TRIGGERS } from './queues.ts'
import { TEAM_FUNCTIONS, TEAM_TRIGGERS } from './teams.ts'
import { USER_FUNCTIONS, USER_TRIGGERS } from './users.ts'
import { VOTE_FUNCTIONS, VOTE_TRIGGERS } from './votes.ts'

/** Functions and triggers of the school's tables. Migrations hold former versions. */
export const SCHOOL_FUNCTIONS: Pick<DeclaredStorage, 'functions' | 'triggers' | 'retiredFunctions'> = {
  functions: [
    ...ENDPOINT_FUNCTIONS,
    ...APPLICATION_FUNCTIONS,
    ...TEAM_FUNCTIONS,
    ...COALITION_FUNCTIONS,
    ...VOTE_FUNCTIONS,
    ...JOURNAL_FUNCTIONS,
    ...CHANGE_TIME_FUNCTIONS,
    ...MARK_FUNCTIONS,
    ...OPENID_FUNCTIONS,
    ...POOL_FUNCTIONS,
    ...USER_FUNCTIONS,
  ],
  triggers: [
    ...QUEUE_TRIGGERS,
    ...ENDPOINT_TRIGGERS,
    ...APPLICATION_TRIGGERS,
    ...TEAM_TRIGGERS,
    ...COALITION_TRIGGERS,
    ...VOTE_TRIGGERS,
    ...JOURNAL_TRIGGERS,
    ...CHANGE_TIME_TRIGGERS,
    ...MARK_TRIGGERS,
    ...OPENID_TRIGGERS,
    ...POOL_TRIGGERS,
    ...USER_TRIGGERS,
  ],
  retiredFunctions: [
    'counting_slot',
    'tell_change',
    'record_calls',
    'tell_user',
    'tell_users_row',
    'tell_campus_users_row',
    'tell_closes_row',
  ],
}
