import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { COMMENTS, PROJECTS, SLOTS, SUBJECTS, type Subject } from './forum-texts.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { CORE, ENTRY_POOL } from './school.ts'
import { seedTags } from './tags.ts'
import { DAY, HOUR, MINUTE, toSecond } from './time.ts'
import type { World } from './world.ts'

const MAX_TOPICS = 80
const MEAN_ANSWERS = 7
const WINDOW = 400 * DAY
const ENGLISH = 2

type Thread = {
  readonly name: string
  readonly subject: Subject
  readonly author: Person
  readonly createdAt: number
  readonly messages: readonly Message[]
}

type Message = {
  readonly author: Person
  readonly content: string
  readonly at: number
  readonly parent: Message | undefined
}

/** Topics with messages and replies, under tags. */
export async function seedForum(world: World, people: readonly Person[], db: Handle): Promise<void> {
  const tags = await seedTags(world, people)
  const named = await db.kysely.selectFrom('projects').select('name').where('exam', '=', false).orderBy('id').execute()
  const projects = named.length > 0 ? named.map(({ name }) => name) : PROJECTS
  const threads = planThreads(world, people, projects)
  await insertTopics(world, threads, people)
  await insertMessages(world, threads)
  await sql`update topics t set message_id = (select min(id) from messages where messageable_id = t.id)`.execute(
    db.kysely,
  )
  const chance = world.random('topics_cursus')
  const cursus = threads.map((_, index) => {
    return { topic_id: index + 1, cursus_id: chance.chance(0.25) ? ENTRY_POOL : CORE }
  })
  await world.insert('topics_cursus', cursus)
  const tagged = threads.flatMap(({ subject: { tag = '' } }, index) => {
    const tag_id = tags.get(tag)
    return tag_id ? [{ topic_id: index + 1, tag_id }] : []
  })
  await world.insert('topics_tags', tagged)
}

function planThreads(world: World, people: readonly Person[], projects: readonly string[]): readonly Thread[] {
  const chance = world.random('forum')
  const times = Array.from({ length: Math.min(MAX_TOPICS, people.length) }, () => world.now - chance.next() * WINDOW)
  let subjects: readonly Subject[] = SUBJECTS
  return times
    .sort((one, other) => one - other)
    .map((time, index) => {
      if (index % SUBJECTS.length === 0) subjects = chance.shuffled(SUBJECTS)
      const subject = defined(subjects[index % SUBJECTS.length])
      const words = { project: chance.pick(projects), tool: chance.pick(SLOTS.tool), room: chance.pick(SLOTS.room) }
      const fill = (text: string) =>
        text.replace(/\{(project|tool|room|day)\}/g, (_, slot: keyof typeof SLOTS | 'project') => {
          const day = chance.pick(SLOTS.day)
          return { ...words, day }[slot]
        })
      const createdAt = toSecond(time)
      const author = someoneAt(chance, people, createdAt)
      const opening = { author, content: fill(subject.opening), at: createdAt, parent: undefined }
      const messages = planAnswers(chance, people, opening, subject.answers.map(fill), world.now)
      return { name: capital(fill(subject.name)), subject, author, createdAt, messages }
    })
}

function planAnswers(
  chance: Random,
  people: readonly Person[],
  opening: Message,
  answers: readonly string[],
  now: number,
): Message[] {
  const messages = [opening]
  const count = Math.round((chance.next() + chance.next()) * MEAN_ANSWERS)
  const texts = [...answers, ...chance.shuffled(COMMENTS)]
  let at = opening.at
  for (let nth = 0; nth < count; nth += 1) {
    at = toSecond(at + 3 * MINUTE + chance.next() ** 3 * 20 * HOUR * (nth + 1))
    if (at > now) break
    const parent = nth > 0 && chance.chance(0.35) ? chance.pick(messages.slice(1)) : undefined
    const author = chance.chance(0.15) ? opening.author : someoneAt(chance, people, at)
    messages.push({ author, content: defined(texts[nth % texts.length]), at, parent })
  }
  return messages
}

async function insertTopics(world: World, threads: readonly Thread[], people: readonly Person[]): Promise<void> {
  const chance = world.random('topics')
  const admins = people.filter(({ kind }) => kind === 'admin')
  const rows = threads.map(({ name, subject, author, createdAt, messages }) => {
    const isPinned = subject.tag === 'News' && admins.length > 0
    const isLocked = admins.length > 0 && chance.chance(0.05)
    const staff = isPinned || isLocked ? chance.pick(admins).id : null
    const newest = messages.at(-1)?.at ?? createdAt
    return {
      name,
      author_id: author.id,
      kind: subject.kind ?? 'normal',
      language_id: ENGLISH,
      pinned_at: isPinned ? createdAt : null,
      pinner_id: isPinned ? staff : null,
      locked_at: isLocked ? newest : null,
      locker_id: isLocked ? staff : null,
      created_at: createdAt,
      updated_at: newest,
    }
  })
  await world.insert('topics', rows)
}

/** Inserts messages in the order of their times. A few that have replies are deleted. */
async function insertMessages(world: World, threads: readonly Thread[]): Promise<void> {
  const chance = world.random('messages')
  const all = threads
    .flatMap(({ messages }, index) => messages.map((message) => ({ message, topic: index + 1 })))
    .sort((one, other) => one.message.at - other.message.at)
  const ids = new Map(all.map(({ message }, index) => [message, index + 1]))
  const answered = new Set(all.flatMap(({ message: { parent } }) => parent ?? []))
  const rows = all.map(({ message, topic }) => {
    const isDeleted = answered.has(message) && chance.chance(0.04)
    const readings_count = Math.floor(chance.next() ** 2 * 90)
    return {
      author_id: message.author.id,
      content: isDeleted ? '' : message.content,
      messageable_id: topic,
      parent_id: message.parent ? (ids.get(message.parent) ?? null) : null,
      readings_count,
      upvotes: Math.floor(readings_count * chance.next() ** 4 * 0.4),
      downvotes: chance.chance(0.05) ? 1 : 0,
      deleted_at: isDeleted ? message.at + HOUR : null,
      created_at: message.at,
    }
  })
  await world.insert('messages', rows)
}

const MAX_ATTEMPTS = 20

/** Returns a person who is at the school at that time. */
function someoneAt(chance: Random, people: readonly Person[], at: number): Person {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const person = chance.pick(people)
    if (person.createdAt < at && at < person.presentUntil) return person
  }
  return defined(people[0])
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
