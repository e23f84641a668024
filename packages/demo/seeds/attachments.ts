import { defined } from '@campus/engine/base/defined'
import { slugOf } from '@campus/engine/base/text/slugs'
import type { Handle } from '@campus/engine/database/database'
import type { Person } from './people.ts'

import { SESSIONS } from './sessions.ts'
import { DAY, openedAt, toSecond } from './time.ts'
import type { SeedFile, SeedFiles, World } from './world.ts'

const LANGUAGES = { fr: 1, en: 2 } as const

type Values = Readonly<Record<string, number | string | boolean | null>>

/** The subject of every project and some films, code, notes and links. */
export async function seedAttachments(
  world: World,
  people: readonly Person[],
  db: Handle,
  files: SeedFiles | undefined,
): Promise<void> {
  const chance = world.random('attachments')
  const authors = people.filter(({ kind }) => kind === 'admin')
  const projects = await db.kysely.selectFrom('projects').select(['id', 'slug']).orderBy('id').execute()
  const rows: Values[] = []

  function add(container: Values, slug: string, name: string, values: Values): void {
    const created_at = toSecond(openedAt(world.now) + chance.next() * 60 * DAY)
    const user_id = authors.length > 0 ? chance.pick(authors).id : null
    const ownSlug = `${slug}-${slugOf(name.replace('.pdf', ''))}`
    rows.push({ ...NOTHING, ...values, ...container, name, slug: ownSlug, created_at, user_id })
  }

  for (const { id, slug } of projects) {
    const container = { project_id: id }
    if (files) {
      add(container, slug, 'en.subject.pdf', defined(subject(files, slug, 'en')))
      const french = subject(files, slug, 'fr')
      if (french) add(container, slug, 'fr.subject.pdf', { ...french, translates_id: rows.length, default: false })
      if (chance.chance(0.2)) add(container, slug, 'Introduction', { ...VIDEO, ...holding(files.film) })
      if (chance.chance(0.3)) add(container, slug, 'Starter', { ...CODE, ...holding(files.code) })
      if (chance.chance(0.2)) add(container, slug, 'Notes', { ...DOCUMENT, ...holding(files.document) })
    }
    if (chance.chance(0.4)) add(container, slug, 'Reference', { ...LINK, url: `https://docs.campus.example/${slug}` })
  }
  for (const { id, project, campusId } of SESSIONS) {
    const url = `https://docs.campus.example/${project.slug}/campus-${campusId}`
    if (campusId !== null) add({ project_session_id: id }, project.slug, 'How it goes here', { ...LINK, url })
  }
  await world.insert('attachments', rows)
  await world.run('update stored_files set unused_since = null where id in (select file_id from attachments)')
  await world.run('update stored_files set unused_since = null where id in (select thumb_id from attachments)')
}

const NOTHING = {
  project_id: null,
  project_session_id: null,
  translates_id: null,
  language_id: null,
  url: null,
  page_count: 0,
  file_id: null,
  file_name: null,
  thumb_id: null,
  default: true,
} as const

const VIDEO = { kind: 'video', attachable_type: 'Video', language_id: LANGUAGES.en } as const
const CODE = { kind: 'code', attachable_type: 'Code' } as const
const DOCUMENT = { kind: 'document', attachable_type: 'Document' } as const
const LINK = { kind: 'link', attachable_type: 'Link' } as const

function subject({ subjects }: SeedFiles, slug: string, language: keyof typeof LANGUAGES): Values | undefined {
  const known = subjects.get(`${slug} ${language}`)
  if (!known) return undefined
  const { thumbId, pageCount, ...file } = known
  return {
    kind: 'pdf',
    attachable_type: 'Pdf',
    ...holding(file),
    language_id: LANGUAGES[language],
    thumb_id: thumbId,
    page_count: pageCount,
  }
}

const holding = ({ id, name }: SeedFile) => ({ file_id: id, file_name: name })
