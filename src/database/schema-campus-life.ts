import type { Generated } from 'kysely'
import type { DefaultTime, OptionalTime, Time } from './column-types.ts'

/** Closes, events and exams, and what belongs to them. */
export type CampusLife = {
  closes: Closes
  community_services: CommunityServices
  events: Events
  events_users: EventsUsers
  exams: Exams
  exams_users: ExamsUsers
  waitlists: Waitlists
}

type Closes = {
  id: Generated<number>
  user_id: number
  closer_id: number | null
  kind: string
  reason: string
  state: Generated<string>
  end_at: OptionalTime
  created_at: DefaultTime
  updated_at: DefaultTime
}

type CommunityServices = { id: Generated<number>; state: Generated<string>; updated_at: DefaultTime }

type Events = {
  id: Generated<number>
  name: string
  description: string
  location: string | null
  kind: string
  max_people: number | null
  begin_at: Time
  end_at: Time
  prohibition_of_cancellation: number | null
  difficulty: number | null
  remote: Generated<boolean>
  waitlist_id: number | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

type EventsUsers = {
  id: Generated<number>
  event_id: number
  user_id: number
  waiting: Generated<boolean>
  created_at: DefaultTime
  updated_at: DefaultTime
}

type Exams = { id: Generated<number>; max_people: number | null; begin_at: Time; end_at: Time }

type ExamsUsers = {
  id: Generated<number>
  exam_id: number
  user_id: number
  created_at: DefaultTime
  updated_at: DefaultTime
}

type Waitlists = {
  id: Generated<number>
  waitlistable_id: number
  created_at: DefaultTime
  updated_at: DefaultTime
}
