import { isOneOf } from '@campus/engine/base/narrow'
import { apiPreview } from '../api-preview.ts'
import { type ApiAnswer, ask, type Item } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { empty } from '../components.ts'
import { filterForm } from '../filter-form.ts'
import { type Html, html, say } from '../html.ts'
import { type PersonPageContext, page, pageContent } from '../page.ts'
import { pageLinks, partOf } from '../paging.ts'
import { monthOf } from '../times.ts'
import { idIn, leftOf, pageOf, pathOfPerson } from './parts.ts'

type Person = Item<'/v2/users'>
type People = ApiAnswer<readonly Person[]>
type Named = ApiAnswer<readonly Pick<Item<'/v2/campus'>, 'id' | 'name'>[]>

/** An index finds words of at least three letters anywhere in a name. Shorter texts find logins that begin with them. */
const MIN_LETTERS = 3
/** Maximum page size of the API. */
const MAX_CHOICES = 100
const ALL = 'all'
const PRESENT = 'now'
/** The last character, for the end of a range of logins. */
const LAST = '\u{10ffff}'

export const people = page({
  path: '/people',
  access: 'signed-in',
  async show(context) {
    const choices = await choicesOf(context)
    const campus = chosenCampus(context)
    const part = partOf(context)
    const isPresent = context.query.text('present') === PRESENT && campus !== undefined
    const found: People = isPresent
      ? await presentAt(context, campus, pageOf(part))
      : await peopleAsked(context, campus, pageOf(part))
    const campusName = choices.campus.value.find(({ id }) => id === campus)?.name
    return pageContent(
      say('People'),
      html`
      ${filterForm(context, say('People to show'), [
        { name: 'q', label: say('Login or name'), type: 'search' },
        {
          name: 'campus',
          label: say('Campus'),
          all: { value: ALL, label: say('all campuses') },
          choices: namedChoices(choices.campus),
          chosen: campus === undefined ? ALL : String(campus),
        },
        { name: 'present', label: say('Where'), choices: [{ value: PRESENT, label: say('at a computer now') }] },
        { name: 'cursus', label: say('Cursus'), choices: namedChoices(choices.cursus) },
        { name: 'coalition', label: say('Coalition'), choices: namedChoices(choices.coalitions) },
        {
          name: 'pool_year',
          label: say('Year of the piscine'),
          choices: yearsBefore(context).map((year) => ({ value: year, label: year })),
        },
      ])}
      <p class="quiet">${say('{count, plural, one {# person} other {# people}}', { count: found.total })}${
        campus === undefined || campusName === undefined
          ? ''
          : html` · <a href="/campuses/${campus}">${say('Who sits where at {campus}', { campus: campusName })}</a>`
      }</p>
      ${
        found.value.length === 0
          ? empty(say('Nobody matches. Look for a part of the login, the first or the last name, or at all campuses.'))
          : faces(found.value)
      }
      ${pageLinks(context, part, leftOf(found, part))}
      ${apiPreview(found)}`,
    )
  },
})

const isNarrowedOtherwise = (context: PersonPageContext) =>
  idIn(context, 'coalition') !== undefined || idIn(context, 'cursus') !== undefined

/** Returns undefined for all campuses. */
function chosenCampus(context: PersonPageContext): number | undefined {
  if (context.query.text('campus') === ALL || isNarrowedOtherwise(context)) return undefined
  // A search by name covers all campuses unless one is chosen.
  return (
    idIn(context, 'campus') ??
    (context.query.text('q').trim() === '' ? context.person.campusId : undefined) ??
    undefined
  )
}

/** Uses the list below one record, since counting the people of several is slow in a large school. */
function peopleAsked(
  context: PersonPageContext,
  campus: number | undefined,
  page: ReturnType<typeof pageOf>,
): Promise<People> {
  const text = context.query.text('q').trim()
  const year = context.query.text('pool_year')
  const query = {
    ...(text === '' ? {} : nameQuery(text)),
    'filter[pool_year]': isOneOf(yearsBefore(context), year) ? [year] : undefined,
    sort: 'login',
    ...page,
  } as const
  const [coalition_id, cursus_id] = [idIn(context, 'coalition'), idIn(context, 'cursus')]
  if (coalition_id !== undefined)
    return ask(context, '/v2/coalitions/{coalition_id}/users', { path: { coalition_id }, query })
  if (cursus_id !== undefined) return ask(context, '/v2/cursus/{cursus_id}/users', { path: { cursus_id }, query })
  return campus === undefined
    ? ask(context, '/v2/users', { query })
    : ask(context, '/v2/campus/{campus_id}/users', { path: { campus_id: campus }, query })
}

async function presentAt(context: PersonPageContext, campus: number, page: ReturnType<typeof pageOf>): Promise<People> {
  const found = await ask(context, '/v2/campus/{campus_id}/locations', {
    path: { campus_id: campus },
    query: { 'filter[active]': true, sort: 'host', ...page },
  })
  return { ...found, value: found.value.map(({ user }) => user) }
}

/** Finds people by a login or a name. Logins are in lower case. */
export function nameQuery(text: string) {
  const isBeginning = [...text].length < MIN_LETTERS && /^[\p{L}\p{N}_-]+$/u.test(text)
  const beginning = text.toLowerCase()
  return isBeginning ? { 'range[login]': [beginning, `${beginning}${LAST}`] } : { search: text }
}

async function choicesOf(
  context: PersonPageContext,
): Promise<Readonly<Record<'campus' | 'cursus' | 'coalitions', Named>>> {
  const all = { query: { sort: 'name', per_page: MAX_CHOICES } } as const
  return {
    campus: await ask(context, '/v2/campus', all),
    cursus: await ask(context, '/v2/cursus', all),
    coalitions: await ask(context, '/v2/coalitions', all),
  }
}

const namedChoices = ({ value }: Named) => value.map(({ id, name }) => ({ value: String(id), label: name }))

const YEARS = 12

function yearsBefore({ dependencies: { clock } }: PersonPageContext): readonly string[] {
  const now = clock.now().getUTCFullYear()
  return Array.from({ length: YEARS }, (_, index) => String(now - index))
}

const faces = (found: readonly Person[]): Html => html`
  <ul class="faces">${found.map(
    (one) => html`
    <li><a href="${pathOfPerson(one.login)}">${avatar(one, 'medium')}
      <span><strong>${one.displayname}</strong><br><span class="quiet"><span class="code">${one.login}</span>${
        one.pool_year ? ` · ${monthOf(one.pool_month, one.pool_year)}` : ''
      }</span></span>
      ${one.location ? html`<span class="badge good">${one.location}</span>` : ''}</a></li>`,
  )}</ul>`
