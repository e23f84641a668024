import type { ColumnType, Generated } from 'kysely'
import type { DefaultTime, OptionalTime, Time } from './column-types.ts'

/** The tables behind attached files. */
export type AttachmentTables = {
  attachments: Attachments
  pdf_jobs: PdfJobs
  stored_files: StoredFiles
}

type Attachments = {
  id: Generated<number>
  name: string
  slug: string
  kind: string
  project_id: number | null
  project_session_id: number | null
  attachable_type: string
  attachments_structure_id: number | null
  translates_id: number | null
  base_id: ColumnType<number, never, never>
  language_id: number | null
  user_id: number | null
  url: string | null
  thumb_url: string | null
  page_count: Generated<number>
  pdf_processing: Generated<boolean>
  default: Generated<boolean>
  up_to_date: Generated<boolean>
  untranslatable: Generated<boolean>
  file_id: number | null
  thumb_id: number | null
  file_name: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

type StoredFiles = {
  id: Generated<number>
  digest: string
  bytes: ColumnType<string, number, never>
  content_type: string
  created_at: Time
  stored_at: OptionalTime
  unused_since: OptionalTime
  doomed_at: OptionalTime
}

type PdfJobs = {
  attachment_id: number
  file_id: number
  tries: Generated<number>
  due_at: Time
  lease: string | null
  leased_until: OptionalTime
}
