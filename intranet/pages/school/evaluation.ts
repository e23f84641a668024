import { notFound, unprocessable } from '@campus/engine/errors'
import { type SheetQuestion, type SheetSection, sheetOf } from '../../school/domain/evaluations/sheet.ts'
import { apiPreview } from '../api-preview.ts'
import { type ApiAnswer, ask, type Change, type Item, send } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { badge } from '../components.ts'
import { confirmation, isConfirmed } from '../confirm.ts'
import { buttonForm, csrfField, errorSummary, selectField, textField } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type Form, type FormState, formPage, type Outcome, pageContent, recordId, redirectTo } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { writtenText } from '../written-text.ts'
import { beginOf, type Participants, peopleOn } from './participants.ts'
import { pathOfPerson } from './parts.ts'

type Side = 'as_corrector' | 'as_corrected'
type Evaluation = Item<`/v2/me/scale_teams/${Side}`>
type Own = { readonly found: ApiAnswer<readonly Evaluation[]>; readonly one: Evaluation; readonly side: Side }

const PATH = '/evaluations/:id'
const MAX_STARS = 5
const MAX_MARK = 125
const labels = () => ({
  final_mark: say('Mark'),
  flag_id: say('Flag'),
  comment: say('Comment'),
  truant_id: say('Who did not come'),
  begin_at: say('When it begins'),
  rating: say('Stars'),
  feedback: say('What you say'),
})

export const evaluation = formPage({
  path: PATH,
  access: 'signed-in',
  async show(context, state) {
    const { found, one, side } = await ownEvaluation(context)
    const now = context.dependencies.clock.now()
    const hasBegun = one.begin_at !== null && new Date(one.begin_at) <= now
    const sections = await sheetOf(context.dependencies.database, one.scale.id)
    return pageContent(
      one.scale.name,
      html`
      ${errorSummary(state.errors, labels())}
      <dl class="facts card">
        <dt>${say('When')}</dt><dd>${beginOf(context, one)}</dd>
        ${one.team ? html`<dt>${say('Team')}</dt><dd><a href="/teams/${one.team.id}">${one.team.name}</a></dd>` : ''}
        <dt>${side === 'as_corrector' ? say('You evaluate') : say('Your corrector')}</dt>
        <dd>${facesOf(side === 'as_corrector' ? one.correcteds : one.corrector)}</dd>
        ${one.filled_at ? html`<dt>${say('Mark')}</dt><dd><strong>${one.final_mark ?? '–'}</strong> ${badge(one.flag.positive ? 'good' : 'bad', one.flag.name)}</dd>` : ''}
      </dl>
      ${hasBegun ? '' : cancelling(context, one)}
      ${one.filled_at ? await resultOf(one, sections) : side === 'as_corrector' && hasBegun ? await sheetForm(context, state, one, sections) : await preview(one, sections, side)}
      ${one.filled_at === null && hasBegun && side === 'as_corrected' ? absence(context, one) : ''}
      ${one.filled_at && side === 'as_corrected' ? feedbackForm(context, state, one) : ''}
      ${apiPreview(found)}`,
    )
  },
  submit: (context, form) => act(context, form),
})

/** Throws 404 for evaluations of others. */
async function ownEvaluation(context: PersonPageContext): Promise<Own> {
  const query = { 'filter[id]': [recordId(context)] }
  for (const side of ['as_corrector', 'as_corrected'] as const) {
    const found = await ask(context, `/v2/me/scale_teams/${side}`, { query })
    const [one] = found.value
    if (one) return { found, one, side }
  }
  throw notFound('You have no part in this evaluation.')
}

function facesOf(side: Participants): Html {
  const people = peopleOn(side)
  if (side === 'invisible') return html`${say('shown a quarter of an hour before')}`
  if (people.length === 0) return html`${say('nobody')}`
  return html`${people.map((one) => html`<a class="face" href="${pathOfPerson(one.login)}">${avatar(one)}${one.displayname ?? one.login}</a> `)}`
}

const cancelling = (context: PersonPageContext, { id }: Evaluation): Html => html`
  <div class="actions">${buttonForm(context, `/evaluations/${id}`, say('Cancel the evaluation'), { kind: 'danger', fields: { wish: 'cancel' } })}</div>`

const absence = (context: PersonPageContext, { id, corrector }: Evaluation): Html | '' =>
  peopleOn(corrector).length === 0
    ? ''
    : html`<p class="quiet">${say('If your corrector does not come, say so: another evaluation can be booked in its place.')}</p>
    ${buttonForm(context, `/evaluations/${id}`, say('My corrector did not come'), { kind: 'second', fields: { wish: 'absent' } })}`

async function introduction({ scale }: Evaluation): Promise<Html> {
  const texts = [scale.introduction_md, scale.guidelines_md].filter((text) => text !== null && text !== '')
  return html`${await Promise.all(texts.map((text) => writtenText(text ?? '')))}`
}

/** Hides the questions from the corrected. */
async function preview(one: Evaluation, sections: readonly SheetSection[], side: Side): Promise<Html> {
  return html`<section class="card"><h2>${say('How it is done')}</h2>${await introduction(one)}
    ${side === 'as_corrector' ? sections.map(({ name, questions }) => html`<h3>${name}</h3><ul>${questions.map((question) => html`<li>${question.name}</li>`)}</ul>`) : ''}</section>`
}

async function resultOf(one: Evaluation, sections: readonly SheetSection[]): Promise<Html> {
  const answers = new Map(one.questions_with_answers.map(({ question_id, value }) => [question_id, value]))
  return html`
  <section class="card"><h2>${say('What the corrector says')}</h2>
    ${one.comment ? await writtenText(one.comment) : html`<p class="quiet">${say('Nothing was written.')}</p>`}
    ${answers.size === 0 ? '' : sections.map(({ name, questions }) => html`<h3>${name}</h3><ul>${questions.map((question) => html`<li>${sayWith('{name}: {value}', { name: question.name, value: html`<strong>${answerText(question, answers.get(question.id))}</strong>` })}</li>`)}</ul>`)}
  </section>
  ${one.feedback === null ? '' : html`<section class="card"><h2>${say('What the corrected say')}</h2><p>${starsOf(one.feedback_rating)}</p>${await writtenText(one.feedback)}</section>`}`
}

function answerText({ rating }: SheetQuestion, value: number | null | undefined): string {
  if (value == null) return '–'
  if (rating) return say('{stars} of {most}', { stars: String(value), most: String(MAX_STARS) })
  return value > 0 ? say('yes') : say('no')
}

const starsOf = (rating: number | null): string =>
  rating === null ? '' : say('{stars} of {most} stars', { stars: String(rating), most: String(MAX_STARS) })

async function sheetForm(
  context: PersonPageContext,
  state: FormState,
  one: Evaluation,
  sections: readonly SheetSection[],
): Promise<Html> {
  const flags = one.scale.flags.map(({ id, name }) => ({ value: String(id), label: name }))
  return html`
  <section class="card"><h2>${say('How it is done')}</h2>${await introduction(one)}</section>
  <form method="post" action="/evaluations/${one.id}">${csrfField(context)}
    ${sections.map(
      ({ name, description, questions }) => html`
    <h2>${name}</h2>${description ? html`<p>${description}</p>` : ''}
    ${questions.map((question) => selectField(state, { name: `question-${question.id}`, label: question.name, hint: question.guidelines ?? undefined, choices: choicesOf(question), chosen: '' }))}`,
    )}
    <h2>${say('The result')}</h2>
    ${flags.length === 0 ? '' : selectField(state, { name: 'flag_id', label: labels().flag_id, hint: say('Any but a good one ends the evaluation with 0.'), choices: flags, chosen: String(one.flag.id) })}
    ${textField(state, { name: 'final_mark', label: labels().final_mark, type: 'number', hint: say('From 0 to 125; 100 is all that was asked.') })}
    ${textField(state, { name: 'comment', label: labels().comment, hint: say('What was good, and what would be better.'), rows: 6, required: true })}
    <div class="actions"><button name="wish" value="fill">${say('Send the evaluation')}</button></div>
  </form>
  <p class="quiet">${say('If the team does not come, say so instead: it is marked with 0.')}</p>
  ${peopleOn(one.correcteds).length === 0 ? '' : buttonForm(context, `/evaluations/${one.id}`, say('The team did not come'), { kind: 'second', fields: { wish: 'team-absent' } })}`
}

const choicesOf = ({ rating }: SheetQuestion) => [
  { value: '', label: '–' },
  ...(rating
    ? Array.from({ length: MAX_STARS + 1 }, (_, stars) => ({
        value: String(stars),
        label: say('{stars} of {most}', { stars: String(stars), most: String(MAX_STARS) }),
      }))
    : [
        { value: '1', label: say('yes') },
        { value: '0', label: say('no') },
      ]),
]

const feedbackForm = (context: PersonPageContext, state: FormState, one: Evaluation): Html | '' =>
  one.feedback !== null
    ? ''
    : html`
  <h2>${say('Say how it was')}</h2>
  <form method="post" action="/evaluations/${one.id}">${csrfField(context)}
    ${selectField(state, { name: 'rating', label: labels().rating, choices: Array.from({ length: MAX_STARS + 1 }, (_, index) => ({ value: String(MAX_STARS - index), label: starsOf(MAX_STARS - index) })), chosen: String(MAX_STARS) })}
    ${textField(state, { name: 'feedback', label: labels().feedback, rows: 4, required: true })}
    <button name="wish" value="feedback">${say('Send the feedback')}</button></form>`

async function act(context: PersonPageContext, form: Form): Promise<Outcome> {
  const { one } = await ownEvaluation(context)
  const path = `/evaluations/${one.id}`
  const back = (notice: string) => redirectTo(path, { notice })
  const write = (scale_team: Change<'/v2/scale_teams/{id}'>['scale_team']) =>
    send(context, 'PATCH', '/v2/scale_teams/{id}', { path: { id: one.id }, body: { scale_team } })
  switch (form.text('wish')) {
    case 'fill': {
      const sections = await sheetOf(context.dependencies.database, one.scale.id)
      const mark = form.text('final_mark').trim()
      if (form.text('comment').trim() === '') throw unprocessable({ comment: ["can't be blank"] })
      const flag = one.scale.flags.find(({ id }) => String(id) === form.text('flag_id')) ?? one.flag
      if (mark === '' && flag.positive) throw unprocessable({ final_mark: ["can't be blank"] })
      // The API refuses an invalid mark before the person is asked to confirm.
      const isMark = mark === '' || (/^\d{1,3}$/.test(mark) && Number(mark) <= MAX_MARK)
      if (!isConfirmed(form) && isMark) return confirmSheet(context, form, flag, sections)
      await write({
        ...(mark === '' ? {} : { final_mark: mark }),
        comment: form.text('comment'),
        ...(form.text('flag_id') === '' ? {} : { flag_id: form.text('flag_id') }),
        ...answersIn(form, sections),
      })
      return back(say('The evaluation is filled in.'))
    }
    case 'team-absent':
    case 'absent': {
      const [absent] = peopleOn(form.text('wish') === 'absent' ? one.corrector : one.correcteds)
      if (!absent) throw unprocessable({ truant_id: ['must be the corrector or one of the corrected'] })
      return reportAbsence(context, form, path, () => write({ truant_id: absent.id }))
    }
    case 'feedback':
      await write({ feedback: form.text('feedback'), feedback_rating: form.text('rating') })
      return back(say('Your feedback is sent.'))
    case 'cancel':
      if (!isConfirmed(form))
        return confirmation(context, {
          title: say('Cancel the evaluation?'),
          text: say('The time is free again. The points that the booking cost are not given back.'),
          fields: { wish: 'cancel' },
          button: say('Cancel the evaluation'),
          isDanger: true,
        })
      await send(context, 'DELETE', '/v2/scale_teams/{id}', { path: { id: one.id } })
      return redirectTo('/evaluations', { notice: say('The evaluation is cancelled.') })
    default:
      return redirectTo(path)
  }
}

/** A sheet can be filled in only once. */
function confirmSheet(
  context: PersonPageContext,
  form: Form,
  flag: Evaluation['flag'],
  sections: readonly SheetSection[],
) {
  const names = ['flag_id', 'final_mark', 'comment', ...questionsOf(sections).map(({ id }) => `question-${id}`)]
  return confirmation(context, {
    title: say('Send the evaluation?'),
    text: sayWith('The team gets {mark}, and the flag {flag}. It cannot be changed afterwards.', {
      mark: html`<strong>${form.text('final_mark').trim() || '0'}</strong>`,
      flag: html`<strong>${flag.name}</strong>`,
    }),
    fields: { wish: 'fill', ...Object.fromEntries(names.map((name) => [name, form.text(name)])) },
    button: say('Send the evaluation'),
  })
}

const questionsOf = (sections: readonly SheetSection[]) => sections.flatMap(({ questions }) => questions)

function answersIn(form: Form, sections: readonly SheetSection[]) {
  const answers = questionsOf(sections).flatMap(({ id }) => {
    const value = form.text(`question-${id}`)
    return value === '' ? [] : [{ question_id: id, value }]
  })
  return answers.length === 0 ? {} : { answers_attributes: answers }
}

async function reportAbsence(
  context: PersonPageContext,
  form: Form,
  path: string,
  report: () => Promise<void>,
): Promise<Outcome> {
  if (!isConfirmed(form))
    return confirmation(context, {
      title: say('Report the absence?'),
      text: say('The evaluation ends with this, and staff see it.'),
      fields: { wish: form.text('wish') },
      button: say('Report the absence'),
      isDanger: true,
    })
  await report()
  return redirectTo(path, { notice: say('The absence is reported.') })
}
