import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client, Response } from '../support/client.ts'

/** Records that a team's project needs. */
export type Place = { readonly campus: number; readonly cursus: number; readonly project: number }

/** A write that the server has acknowledged: it must be there whatever happens to the server. */
export type Acknowledged = {
  readonly table: 'users' | 'teams' | 'locations'
  readonly id: number
  readonly unique: string
}

/** Makes a campus with one project, through the API. */
export async function openPlace(client: Client): Promise<Place> {
  const made = async (path: string, body: object): Promise<number> => {
    const answer = await client.post(path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer.json.id
  }
  const language = await made('/v2/languages', { language: { name: 'French', identifier: 'fr' } })
  const campus = await made('/v2/campus', {
    campus: { name: 'Lyon', city: 'Lyon', country: 'France', time_zone: 'Europe/Paris', language_id: language },
  })
  const cursus = await made('/v2/cursus', { cursus: { name: 'Core', kind: 'main' } })
  const project = await made('/v2/projects', {
    project: { name: 'First steps', difficulty: 100, cursus_ids: [cursus], campus_ids: [campus] },
  })
  await made('/v2/project_sessions', {
    project_session: {
      project_id: project,
      campus_id: campus,
      cursus_id: cursus,
      max_people: 2,
      minimum_mark: 50,
      team_behaviour: 'user',
    },
  })
  return { campus, cursus, project }
}

/**
 * Creates user after user, each with a team and a seat, until the service goes away. What was acknowledged goes into
 * the journal. A request that was answered 503, as while the database is away, is sent again with its Idempotency-Key, and so is one
 * without an answer when `work` is called anew.
 */
export class Writer {
  readonly #place: Place
  readonly #journal: Acknowledged[]
  #unanswered: Sending | undefined

  constructor(place: Place, journal: Acknowledged[]) {
    this.#place = place
    this.#journal = journal
  }

  /** How many answers were 503. */
  refused = 0

  /** Works with this connection until it breaks or `stop` says so. Throws when the service answers anything but 201 and 503. */
  async work(client: Client, stop?: AbortSignal): Promise<void> {
    try {
      if (this.#unanswered) await this.#send(client, this.#unanswered)
      while (!stop?.aborted) await this.#oneUser(client)
    } catch (error) {
      if (error instanceof WrongAnswer) throw error
    }
  }

  async #oneUser(client: Client): Promise<void> {
    const login = `u${randomBytes(8).toString('hex')}`
    const user = await this.#post(client, '/v2/users', { user: this.#person(login) }, (id) => {
      return { table: 'users', id, unique: login }
    })
    const team = { project_id: this.#place.project, name: `${login}'s`, teams_users_attributes: [{ user_id: user }] }
    await this.#post(client, '/v2/teams', { team }, (id) => ({ table: 'teams', id, unique: team.name }))
    const location = { user_id: user, campus_id: this.#place.campus, host: login, begin_at: '2026-01-01T00:00:00Z' }
    await this.#post(client, '/v2/locations', { location }, (id) => ({ table: 'locations', id, unique: login }))
  }

  #person(login: string) {
    const name = { first_name: 'Ada', last_name: 'Lovelace', kind: 'student' }
    return {
      login,
      email: `${login}@example.org`,
      ...name,
      campus_id: this.#place.campus,
      cursus_id: this.#place.cursus,
    }
  }

  async #post(client: Client, path: string, body: object, note: (id: number) => Acknowledged): Promise<number> {
    const sending = { path, body, key: randomBytes(12).toString('hex'), note }
    this.#unanswered = sending
    return this.#send(client, sending)
  }

  async #send(client: Client, { path, body, key, note }: Sending): Promise<number> {
    let answer = await client.post(path, body, { 'idempotency-key': key })
    while (answer.status === 503) {
      this.refused += 1
      await wait(20)
      answer = await client.post(path, body, { 'idempotency-key': key })
    }
    if (answer.status !== 201) throw new WrongAnswer(path, answer)
    this.#journal.push(note(answer.json.id))
    this.#unanswered = undefined
    return answer.json.id
  }
}

type Sending = {
  readonly path: string
  readonly body: object
  readonly key: string
  note(id: number): Acknowledged
}

class WrongAnswer extends Error {
  constructor(path: string, { status, text }: Response) {
    super(`POST ${path} was answered ${status}: ${text}`)
  }
}
