/** Gives a coalition points when one of its members leaves a seat, or has filled in an evaluation. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { campusClient } from 'campus-intranet-client'

const { CAMPUS_URL = 'https://localhost:8443', CAMPUS_ID = '', CAMPUS_SECRET = '' } = process.env
const campus = campusClient({ url: CAMPUS_URL, clientId: CAMPUS_ID, clientSecret: CAMPUS_SECRET })
const [campus_id = '1', folder = '.'] = process.argv.slice(2)
const POINTS_FOR_AN_EVALUATION = 3

/** The position of the last change that is done with: a bot that is started again goes on there. */
const file = (name: string) => join(folder, `${name}.position`)
const position = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : undefined)
function done(name: string, at: string): void {
  writeFileSync(`${file(name)}.new`, at)
  renameSync(`${file(name)}.new`, file(name))
}

async function seats(): Promise<void> {
  const options = { path: { campus_id }, after: position('seats') }
  for await (const change of campus.watch('/v2/campus/{campus_id}/locations', options)) {
    if ('record' in change && change.record.end_at) {
      const { id, begin_at, end_at, host, user } = change.record
      const hours = Math.floor((Date.parse(end_at) - Date.parse(begin_at)) / 3_600_000)
      if (hours > 0) await give(user.id, hours, { type: 'Location', id, reason: `${hours} h at ${host}` })
    }
    done('seats', change.position)
  }
}

async function evaluations(): Promise<void> {
  for await (const change of campus.watch('/v2/scale_teams', { after: position('evaluations') })) {
    if ('record' in change && change.record.filled_at && typeof change.record.corrector === 'object') {
      const { id, corrector } = change.record
      await give(corrector.id, POINTS_FOR_AN_EVALUATION, { type: 'ScaleTeam', id, reason: 'An evaluation' })
    }
    done('evaluations', change.position)
  }
}

type What = { readonly type: string; readonly id: number; readonly reason: string }

/** Once for each seat and evaluation, however often it changes afterwards. */
async function give(userId: number, value: number, { type, id, reason }: What): Promise<void> {
  const [member] = await campus.get('/v2/users/{user_id}/coalitions_users', { path: { user_id: String(userId) } })
  if (!member) return
  const path = { coalition_id: String(member.coalition_id) }
  const of = { 'filter[scoreable_type]': [type], 'filter[scoreable_id]': [id] }
  if ((await campus.get('/v2/coalitions/{coalition_id}/scores', { path, query: of })).length > 0) return
  const score = { coalitions_user_id: member.id, value, reason, scoreable_type: type, scoreable_id: id }
  await campus.post('/v2/coalitions/{coalition_id}/scores', { path, body: { score } })
  console.log(`${value} points to coalition ${member.coalition_id}: ${reason}`)
}

await Promise.all([seats(), evaluations()])
