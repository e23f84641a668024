import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import type { Person } from './people.ts'
import { openedAt } from './school.ts'
import { SESSIONS } from './sessions.ts'
import { DAY, toSecond } from './time.ts'
import type { SeedFile, SeedFiles, World } from './world.ts'

const LANGUAGES = { fr: 1, en: 2 } as const

type Values = Readonly<Record<string, number | string | boolean | null>>

/**
 * Every project has its subject, the first ones in French too, and now and then a film, code, notes or a link; a session of
 * one campus says how it goes there.
 */
export async function seedAttachments(
  world: World,
  people: readonly Person[],
  db: Handle,
  files: SeedFiles | undefined,
): Promise<void> {
  const chance = world.random('attachments')
  const authors = people.filter(({ kind }) => kind === 'admin')
  const projects = await db.kysely.selectFrom('projects').select(['id', 'slug']).orderBy('id').execute()
  const rows: (Values & { readonly id: number })[] = []

  function add(container: Values, slug: string, values: Values): number {
    const id = rows.length + 1
    const at = toSecond(openedAt(world.now) + chance.next() * 60 * DAY)
    const user_id = authors.length > 0 ? chance.pick(authors).id : null
    const times = { created_at: at, updated_at: at }
    rows.push({ ...NOTHING, ...times, ...values, ...container, id, user_id, slug: `${slug}-${values.slug}` })
    return id
  }

  for (const { id, slug } of projects) {
    if (files) {
      const original = add({ project_id: id }, slug, defined(subject(files, slug, 'en')))
      const french = subject(files, slug, 'fr')
      if (french) add({ project_id: id }, slug, { ...french, translates_id: original, default: false })
      for (const [share, values] of besides(files)) if (chance.chance(share)) add({ project_id: id }, slug, values)
    }
    if (chance.chance(0.4)) add({ project_id: id }, slug, { ...LINK, url: `https://docs.campus.example/${slug}` })
  }
  for (const { id, project, campusId } of SESSIONS) {
    const url = `https://docs.campus.example/${project.slug}/campus-${campusId}`
    if (campusId !== null) add({ project_session_id: id }, project.slug, { ...HERE, url })
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

const HERE = { name: 'How it goes here', slug: 'how-it-goes-here', kind: 'link', attachable_type: 'Link' } as const
const LINK = { name: 'Reference', slug: 'reference', kind: 'link', attachable_type: 'Link' } as const

function subject({ subjects }: SeedFiles, slug: string, language: keyof typeof LANGUAGES): Values | undefined {
  const known = subjects.get(`${slug} ${language}`)
  if (!known) return undefined
  const { thumbId, pageCount, ...file } = known
  return {
    name: `${language}.subject.pdf`,
    slug: `${language}-subject`,
    kind: 'pdf',
    attachable_type: 'Pdf',
    ...holding(file),
    language_id: LANGUAGES[language],
    thumb_id: thumbId,
    page_count: pageCount,
  }
}

/** What projects have beside their subject, and how many of them. */
const besides = ({ film, code, document }: SeedFiles): readonly (readonly [share: number, values: Values])[] => [
  [
    0.2,
    {
      name: 'Introduction',
      slug: 'introduction',
      kind: 'video',
      attachable_type: 'Video',
      ...holding(film),
      language_id: LANGUAGES.en,
    },
  ],
  [0.3, { name: 'Starter', slug: 'starter', kind: 'code', attachable_type: 'Code', ...holding(code) }],
  [0.2, { name: 'Notes', slug: 'notes', kind: 'document', attachable_type: 'Document', ...holding(document) }],
]

const holding = ({ id, name }: SeedFile) => ({ file_id: id, file_name: name })
