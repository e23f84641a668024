import { empty } from '../empty.ts'
import { type Html, html } from '../html.ts'
import { page, pageContent } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { PER_PAGE, pageLinks, partOf, searchForm } from '../paging.ts'
import { say } from '../say.ts'
import { table } from '../table.ts'
import { apiPreview } from './api-preview.ts'
import { type ApiAnswer, ask } from './ask.ts'
import { idIn, leftOf, pageOf, pathOfPerson } from './parts.ts'

type Person = {
  readonly id: number
  readonly login: string
  readonly displayname: string
  readonly location: string | null
}
type People = ApiAnswer<readonly Person[]>

/** Words of three letters are found by an index; shorter ones would read all users. */
const MIN_LETTERS = 3

/** /people: the users of the school, found by login or name, or by campus. */
export const people = page({
  path: '/people',
  access: 'signed-in',
  async show(context) {
    const text = context.query.text('q').trim()
    const campus = idIn(context, 'campus')
    const { answers, main } =
      text !== '' ? await search(context, text) : campus === undefined ? ASK_FIRST() : await ofCampus(context, campus)
    return pageContent(
      say('People'),
      html`
      ${searchForm(context, say('Login or name'))}
      ${main}
      ${answers.length > 0 ? apiPreview(...answers) : ''}`,
    )
  },
})

type Found = { readonly answers: readonly ApiAnswer<unknown>[]; readonly main: Html }

const ASK_FIRST = (): Found => ({
  answers: [],
  main: empty(say('Look for somebody by a part of their login or name, or see who is at a campus.'), {
    path: '/campuses',
    label: say('Campuses'),
  }),
})

async function search(context: PersonPageContext, text: string): Promise<Found> {
  if ([...text].length < MIN_LETTERS) {
    return { answers: [], main: empty(say('Give {count} letters or more.', { count: MIN_LETTERS })) }
  }
  const by = (field: string) =>
    ask<readonly Person[]>(context, '/v2/users', {
      query: { [`search[${field}]`]: text, sort: 'login', per_page: PER_PAGE },
    })
  const answers: readonly People[] = [await by('login'), await by('name')]
  const found = new Map(answers.flatMap(({ value }) => value.map((person) => [person.id, person] as const)))
  if (found.size === 0) {
    return {
      answers,
      main: empty(say('Nobody is called so. Look for a part of the login, the first or the last name.')),
    }
  }
  const isPart = answers.some(({ total, value }) => total > value.length)
  return {
    answers,
    main: html`${peopleTable([...found.values()])}
      ${isPart ? html`<p class="quiet">${say('There are more. Give more letters to find them.')}</p>` : ''}`,
  }
}

async function ofCampus(context: PersonPageContext, id: number): Promise<Found> {
  const part = partOf(context)
  const params = { campus_id: id }
  const query = { sort: 'login', ...pageOf(part) }
  const members: People = await ask(context, '/v2/campus/:campus_id/users', { params, query })
  const campus = await ask<{ readonly name: string }>(context, '/v2/campus/:id', { params: { id } })
  return {
    answers: [members, campus],
    main: html`
      <h2><a href="/campuses/${id}">${campus.value.name}</a></h2>
      ${members.value.length === 0 ? empty(say('Nobody belongs to this campus.')) : peopleTable(members.value)}
      ${pageLinks(context, part, leftOf(members, part))}`,
  }
}

const peopleTable = (found: readonly Person[]): Html =>
  html`<div class="card">${table(
    say('People'),
    [say('Login'), say('Name'), say('Sits at')],
    found.map(({ login, displayname, location }) => [
      html`<a href="${pathOfPerson(login)}">${login}</a>`,
      displayname,
      location ?? '',
    ]),
  )}</div>`
