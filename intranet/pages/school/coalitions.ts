import { raceOf, reasonsOf } from '../../school/domain/coalitions/race.ts'
import { apiPreview } from '../api-preview.ts'
import { type Answer, ask, type Item } from '../ask.ts'
import { avatar, type Face, ownPicture } from '../avatar.ts'
import { lineChart } from '../charts.ts'
import { card, empty, list } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import { type PersonPageContext, page, pageContent, recordId } from '../page.ts'
import { shortDay } from '../times.ts'
import { idIn, pathOfPerson } from './parts.ts'
import { dotOf, ranksOf, shares } from './shares.ts'

type Coalition = Answer<'/v2/coalitions/{id}'>
type Member = Item<'/v2/coalitions/{coalition_id}/coalitions_users'>

const MEMBERS_SHOWN = 20
const MAX_BLOCS = 50
const WEEK = 7

const all = page({
  path: '/coalitions',
  access: 'signed-in',
  async show(context) {
    const campus = idIn(context, 'campus') ?? context.person.campusId ?? undefined
    const campuses = await ask(context, '/v2/campus', { query: { sort: 'name', per_page: 100 } })
    const blocs = await ask(context, '/v2/blocs', {
      query: { 'filter[campus_id]': campus, per_page: MAX_BLOCS },
    })
    const raced = blocs.value.filter(({ coalitions }) => coalitions.length > 0)
    return pageContent(
      say('Coalitions'),
      html`
      <nav aria-label="${say('Campus')}"><ul class="chips">${campuses.value.map(
        ({ id, name }) =>
          html`<li><a href="/coalitions?campus=${id}"${id === campus ? html` aria-current="true"` : ''}>${name}</a></li>`,
      )}</ul></nav>
      ${
        raced.length === 0
          ? empty(say('There are no coalitions at this campus.'))
          : await Promise.all(
              raced.map(
                async ({ coalitions }) => html`<section class="card">${await raceChart(context, coalitions)}
        <ul class="faces">${coalitions.toSorted((one, other) => other.score - one.score).map((one) => html`<li><a href="/coalitions/${one.id}">${crestOf(one)}<span><strong>${dotOf(one.color)} ${one.name}</strong><br><span class="quiet">${say('{count, number} points', { count: one.score })}</span></span></a></li>`)}</ul></section>`,
              ),
            )
      }
      ${apiPreview(blocs)}`,
    )
  },
})

const crestOf = ({ image_url, color }: Coalition, size = 40): Html => {
  const crest = ownPicture(image_url)
  return crest
    ? html`<img src="${crest}" alt="" width="${size}" height="${size}">`
    : html`<svg viewBox="0 0 1 1" width="${size}" height="${size}" aria-hidden="true"><rect width="1" height="1" fill="${color ?? 'gray'}"/></svg>`
}

async function raceChart(context: PersonPageContext, coalitions: readonly Coalition[]): Promise<Html> {
  const { database, clock } = context.dependencies
  const { days, scores } = await raceOf(database, coalitions, {
    now: clock.now(),
    timeZone: context.timeZone,
  })
  return lineChart({
    summary: say('Points of the last {days, plural, one {# day} other {# days}}', { days: days.length }),
    by: say('Day'),
    labelEvery: WEEK * 2,
    columns: days.map((day) => ({ label: shortDay(day), title: shortDay(day) })),
    lines: coalitions.map(({ id, name, color }) => ({ name, color: color ?? 'gray', values: scores.get(id) ?? [] })),
  })
}

const one = page({
  path: '/coalitions/:id',
  access: 'signed-in',
  async show(context) {
    const { database, clock } = context.dependencies
    const id = recordId(context)
    const found = await ask(context, '/v2/coalitions/{id}', { path: { id } })
    const blocs = await ask(context, '/v2/blocs', { query: { per_page: MAX_BLOCS } })
    const bloc = blocs.value.find(({ coalitions }) => coalitions.some((other) => other.id === id))
    const members = await ask(context, '/v2/coalitions/{coalition_id}/coalitions_users', {
      path: { coalition_id: id },
      query: { sort: '-score', per_page: MEMBERS_SHOWN },
    })
    const faces = await facesOf(context, members.value)
    const reasons = await reasonsOf(database, id, clock.now())
    const cover = ownPicture(found.value.cover_url)
    const others = bloc?.coalitions ?? [found.value]
    return pageContent(
      found.value.name,
      html`
      ${cover ? html`<img class="cover" src="${cover}" alt="" width="1088" height="160">` : ''}
      <p class="person-line">${crestOf(found.value, 64)} <strong>${say('{count, number} points', { count: found.value.score })}</strong></p>
      <div class="grid large">
        ${card(say('How they race'), html`${await raceChart(context, others)}${ranksOf(others)}`)}
        ${card(
          say('Members with the most points'),
          list(members.value, say('Nobody is in it yet.'), ({ user_id, score, rank }) => {
            const face = faces.get(user_id)
            return {
              title: html`<span class="row"><span class="face">${rank}. ${face ? html`<a class="face" href="${pathOfPerson(face.login)}">${avatar(face)}${face.displayname ?? face.login}</a>` : ''}</span><strong>${say('{count, number} points', { count: score })}</strong></span>`,
            }
          }),
        )}
        ${card(
          say('What gave points'),
          reasons.length === 0
            ? html`<p class="quiet">${say('Nothing in the last weeks.')}</p>`
            : shares(
                reasons.map(({ reason, times, points }) => ({
                  name: html`${reason} <span class="quiet">${say('{times, plural, one {# time} other {# times}}', { times })}</span>`,
                  value: Math.max(0, points),
                  text: say('{count, number} points', { count: points }),
                  color: found.value.color,
                })),
              ),
        )}
      </div>
      ${apiPreview(found, members)}`,
    )
  },
})

async function facesOf(context: PersonPageContext, members: readonly Member[]): Promise<ReadonlyMap<number, Face>> {
  if (members.length === 0) return new Map()
  const query = { 'filter[id]': members.map(({ user_id }) => user_id), per_page: 100 }
  const { value } = await ask(context, '/v2/users', { query })
  return new Map(value.map((one) => [one.id, one]))
}

export const COALITION_PAGES = [...all, ...one]
