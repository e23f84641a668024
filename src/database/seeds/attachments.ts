import type { Handle } from '../database.ts'
import type { Person } from './people.ts'
import { openedAt } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

const COLUMNS = {
  id: 'integer',
  name: 'text',
  slug: 'text',
  kind: 'text',
  attachable_type: 'text',
  project_id: 'integer',
  translates_id: 'integer',
  language_id: 'integer',
  user_id: 'integer',
  url: 'text',
  thumb_url: 'text',
  page_count: 'integer',
  default: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

const LANGUAGES = { fr: 1, en: 2 } as const

/** The subject of every project, half of them in French too, and now and then a film. */
export async function seedAttachments(world: World, people: readonly Person[], db: Handle): Promise<void> {
  const chance = world.random('attachments')
  const authors = people.filter(({ kind }) => kind === 'admin')
  const projects = await db.rows('select id, slug from projects order by id')
  const rows: (Record<string, number | string | boolean | null> & { readonly id: number })[] = []

  function add(project: number, slug: string, values: Record<string, number | string | boolean | null>): number {
    const id = rows.length + 1
    const at = toSecond(openedAt(world.now) + chance.next() * 60 * DAY)
    const common = {
      translates_id: null,
      thumb_url: null,
      page_count: 0,
      default: true,
      created_at: at,
      updated_at: at,
    }
    const user_id = authors.length > 0 ? chance.pick(authors).id : null
    rows.push({ ...common, ...values, id, project_id: project, user_id, slug: `${slug}-${values.slug}` })
    return id
  }
  const subject = (slug: string, language: keyof typeof LANGUAGES) => ({
    ...{ name: `${language}.subject.pdf`, slug: `${language}-subject`, kind: 'pdf', attachable_type: 'Pdf' },
    language_id: LANGUAGES[language],
    url: `https://cdn.campus.example/projects/${slug}/${language}.subject.pdf`,
    thumb_url: `https://cdn.campus.example/projects/${slug}/${language}.subject.png`,
  })

  for (const [id, slug] of projects.map(([id, slug]) => [Number(id), String(slug)] as const)) {
    const page_count = chance.integer(4, 24)
    const original = add(id, slug, { ...subject(slug, 'en'), page_count })
    if (chance.chance(0.5)) {
      add(id, slug, { ...subject(slug, 'fr'), page_count: page_count + 1, translates_id: original, default: false })
    }
    if (chance.chance(0.2)) {
      const url = `https://cdn.campus.example/projects/${slug}/introduction.mp4`
      const film = { name: 'Introduction', slug: 'introduction', kind: 'video', attachable_type: 'Video' }
      add(id, slug, { ...film, language_id: LANGUAGES.en, url })
    }
  }
  await world.insert('attachments', COLUMNS, rows.length, rows as never)
}
