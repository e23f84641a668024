import type { ColumnType, Generated } from 'kysely'

type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>
type OptionalTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>

export type Messages = {
  id: Generated<number>
  author_id: number | null
  content: string
  messageable_id: number
  parent_id: number | null
  reference_id: number | null
  readings_count: Generated<number>
  write_at: OptionalTime
  deleted_at: OptionalTime
  created_at: DefaultTime
  updated_at: DefaultTime
}

export type Topics = {
  id: Generated<number>
  name: string
  author_id: number | null
  kind: Generated<string>
  language_id: number
  pinned_at: OptionalTime
  pinner_id: number | null
  locked_at: OptionalTime
  locker_id: number | null
  write_at: OptionalTime
  message_id: number | null
  answer_id: number | null
  created_at: DefaultTime
  updated_at: DefaultTime
}
