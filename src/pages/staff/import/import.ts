import { message, verbatim } from '../../../base/languages/say.ts'
import { typedCommand } from '../../../base/text/typed-command.ts'
import { accessDenied, notFound, unprocessable } from '../../../errors.ts'
import { isImportable } from '../../../rest/import/import-file.ts'
import type { Mapping, Target } from '../../../rest/import/mapping.ts'
import { MAX_TABLE, readTable } from '../../../rest/import/read-table.ts'
import { UnreadableFile } from '../../../rest/import/row.ts'
import type { Table } from '../../../rest/import/table.ts'
import { importFields, proposeMapping, waysToName } from '../../../rest/import/targets.ts'
import { cleanFileName } from '../../../services/attachments/file-names.ts'
import { confirmation, isConfirmed } from '../../confirm.ts'
import { csrfField, errorSummary, fileField } from '../../fields.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { formPage, type Outcome, pageContent, redirectTo } from '../../page.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { say } from '../../say.ts'
import { table } from '../../table.ts'
import { staffCaller } from '../records/caller.ts'
import { consequences } from '../records/consequences.ts'
import { labelOf, listRoute, pathOf, type Routed, recordRoute, routedResources, trailOf } from '../records/resource.ts'
import { createDraft, type Draft, findDraft, updateDraft } from './drafts.ts'
import { runDraft, undoDraft } from './run.ts'

const PATH = '/staff/import'
const FAULTY_ROWS_SHOWN = 40
const SAMPLES = 3

/** /staff/import/new/:resource: takes the file. */
const upload = formPage({
  path: `${PATH}/new/:resource`,
  access: 'staff',
  fileField: 'file',
  async show(context, state) {
    const resource = await importableOf(context)
    return pageContent(
      say('Import: {records}', { records: labelOf(resource) }),
      html`
      ${errorSummary(state.errors, { file: say('File') })}
      <p>${say('A table whose first line names its columns. On the next page you say what the columns are, mend what is wrong, try it, and only then import it.')}</p>
      <form method="post" action="${PATH}/new/${resource.name}" enctype="multipart/form-data">${csrfField(context)}
        ${fileField(state, { name: 'file', label: say('File'), hint: say('CSV, or a workbook (.xlsx), of {rows, number} rows at most. For more there is a command: {command}.', { rows: MAX_TABLE.rows, command: typedCommand('import') }), accept: '.csv,.tsv,.txt,.xlsx,text/csv' })}
        <div class="actions"><button>${say('Next')}</button></div></form>`,
      { trail: [trailOf(resource)], isNarrow: true },
    )
  },
  async submit(context, form) {
    const resource = await importableOf(context)
    const file = form.file('file')
    if (!file) throw unprocessable({ file: ['must be chosen'] })
    if (!file.staged)
      throw unprocessable({ file: [message('has more than {most} bytes', { most: file.exceeds ?? 0 })] })
    const read = await readTable(file.staged.path, context.person.id).catch((error) => {
      throw error instanceof UnreadableFile ? unprocessable({ file: [verbatim(error.message)] }) : error
    })
    const { registry } = context.dependencies
    const mapping = proposeMapping(registry, resource, read.columns, { mayGuess: true })
    const name = cleanFileName(file.filename, 'file')
    const id = await createDraft(context, { resource: resource.name, name, table: read.json, mapping })
    return redirectTo(`${PATH}/${id}`)
  },
})

/** /staff/import/:id: what the columns are, what is wrong, to try it, to import it, and to take it back. */
const draftPage = formPage({
  path: `${PATH}/:id`,
  access: 'staff',
  async show(context, state) {
    const draft = await findDraft(context)
    const resource = await importableOf(context, draft.resource)
    return pageContent(
      say('Import {file}', { file: draft.name }),
      html`
      ${errorSummary(state.errors, { mapping: say('The columns') })}
      ${draft.ranAt ? afterwards(context, resource, draft) : before(context, resource, draft)}`,
      { trail: [trailOf(resource)] },
    )
  },
  submit: (context, form) => act(context, form),
})

export const IMPORT_PAGES = [...upload, ...draftPage]

/** A resource whose records the person may create, those of others, too. Throws 404, 403. */
async function importableOf(context: PersonPageContext, name = context.params.resource): Promise<Routed> {
  const { registry, api } = context.dependencies
  const resource = routedResources(registry).find((one) => one.name === name)
  if (!resource || !isImportable(resource)) throw notFound('There is no page at this address.')
  if (!api.mayAll(await staffCaller(context), 'POST', listRoute(resource)))
    throw accessDenied('You have no role at the school by which these records are created.')
  return resource
}

function before(context: PersonPageContext, resource: Routed, draft: Draft): Html {
  const { report } = draft
  const isReady = report !== undefined && report.faulty === 0 && report.unfilled.length === 0 && report.rows > 0
  return html`
  <form method="post" action="${PATH}/${draft.id}">${csrfField(context)}
    <h2>${say('What the columns are')}</h2>
    ${mappingTable(context, resource, draft)}
    ${report ? reportOf(report) : ''}
    ${report && report.faults.length > 0 ? faultsOf(draft) : ''}
    <div class="actions"><button name="wish" value="try" class="${isReady ? 'second' : ''}">${say('Try it')}</button>
      ${isReady ? html`<button name="wish" value="run">${say('Import {count, plural, one {# row} other {# rows}}', { count: draft.table.rows.length })}</button>` : ''}</div>
  </form>
  <p class="quiet">${say('Trying writes everything and takes it back: nothing stays, and no campus is called.')}</p>`
}

/** A choice for each column, with the first values that it has. */
function mappingTable(
  context: PersonPageContext,
  resource: Routed,
  { table: { columns, rows }, mapping }: Draft,
): Html {
  const choices = choicesOf(context, resource)
  return html`<div class="card">${table(
    say('Columns'),
    [say('Column'), say('First values'), say('Field')],
    columns.map((column, at) => [
      html`<span id="column-${at}">${column}</span>`,
      html`<span class="quiet">${rows
        .slice(0, SAMPLES)
        .map((row) => row[at])
        .filter(Boolean)
        .join(', ')
        .slice(0, 80)}</span>`,
      html`<select name="column-${at}" aria-labelledby="column-${at}"><option value="">${say('left out')}</option>${choices.map(
        (choice) =>
          html`<option value="${choice}"${choice === choiceOf(mapping.columns[column]) ? html` selected` : ''}>${choice.replace(':', ' ← ')}</option>`,
      )}</select>`,
    ]),
  )}</div>`
}

/** Fields, and of ids of other records each way to name one: `campus_id:name`. */
function choicesOf({ dependencies: { registry } }: PersonPageContext, resource: Routed): readonly string[] {
  return [...importFields(registry, resource)].flatMap(([name, { references }]) => [
    name,
    ...(references
      ? waysToName(references)
          .filter((way) => way !== 'id')
          .map((way) => `${name}:${way}`)
      : []),
  ])
}

const choiceOf = (target: Target | null | undefined) =>
  target ? target.field + (target.by ? `:${target.by}` : '') : ''

const reportOf = ({ rows, created, updated, faulty, unfilled }: NonNullable<Draft['report']>): Html => html`
  <section class="card" role="status"><h2>${say('What the trial says')}</h2>
    ${
      unfilled.length > 0
        ? html`<p>${say('No column is {fields}, which every record needs.', { fields: unfilled.join(', ') })}</p>`
        : html`<p>${say('{rows, plural, one {# row} other {# rows}}: {created, number} new, {updated, number} changed, {faulty, number} with something wrong.', { rows, created, updated, faulty })}</p>`
    }</section>`

/** The cells that are wrong, each with a field in which it is mended. */
function faultsOf({ table: { columns, rows }, report }: Draft): Html {
  const byLine = Map.groupBy(report?.faults ?? [], ({ line }) => line)
  const shown = [...byLine].slice(0, FAULTY_ROWS_SHOWN)
  return html`<h2>${say('What is wrong')}</h2>
  ${byLine.size > shown.length ? html`<p class="quiet">${say('The first {count, number} rows. Mend them, and try again for the others.', { count: shown.length })}</p>` : ''}
  ${shown.map(
    ([line, faults]) => html`
  <fieldset class="card"><legend>${say('Row {line, number}: {row}', { line, row: (rows[line - 1] ?? []).filter(Boolean).slice(0, 4).join(', ').slice(0, 100) })}</legend>
    ${faults.map(({ column, fault }) => {
      const at = column === null ? -1 : columns.indexOf(column)
      const name = `cell-${line}-${at}`
      return at < 0
        ? html`<p>${fault}</p>`
        : html`<div class="field"><label for="${name}">${column}</label> <span class="fault" id="${name}-fault">${fault}</span>
      <input type="text" id="${name}" name="${name}" value="${rows[line - 1]?.[at] ?? ''}" aria-describedby="${name}-fault" aria-invalid="true"></div>`
    })}
    <div class="choice"><input type="checkbox" id="omit-${line}" name="omit[]" value="${line}"><label for="omit-${line}">${say('Leave this row out')}</label></div>
  </fieldset>`,
  )}`
}

function afterwards(context: PersonPageContext, resource: Routed, draft: Draft): Html {
  const { made, undoneAt } = draft
  return html`
  <p role="status">${say('{created, plural, one {# record was} other {# records were}} made by this import.', { created: made.length })}</p>
  <p><a class="button second" href="${pathOf(resource)}">${labelOf(resource)}</a></p>
  ${
    undoneAt
      ? html`<p class="quiet">${say('It was taken back.')}</p>`
      : mayDelete(context, resource) && made.length > 0
        ? html`<form method="post" action="${PATH}/${draft.id}">${csrfField(context)}<p>${say('What nobody has touched since can be deleted again.')}</p>
    <button name="wish" value="undo" class="danger">${say('Take the import back')}</button></form>`
        : html`<p class="quiet">${cannotBeTakenBack()}</p>`
  }`
}

const mayDelete = ({ dependencies: { api } }: PersonPageContext, resource: Routed) =>
  api.has('DELETE', recordRoute(resource))

const cannotBeTakenBack = () => say('The API deletes no such records, so that the import cannot be taken back.')

async function act(context: PersonPageContext, form: Form): Promise<Outcome> {
  const draft = await findDraft(context)
  const resource = await importableOf(context, draft.resource)
  const path = `${PATH}/${draft.id}`
  const now = context.dependencies.clock.now()
  if (form.text('wish') === 'undo') {
    if (!draft.ranAt || draft.undoneAt) return redirectTo(path)
    if (!isConfirmed(form))
      return confirmation(context, {
        title: say('Take the import back?'),
        text: say(
          '{count, plural, one {# record} other {# records}} of it are deleted, but for those that somebody has changed since.',
          { count: draft.made.length },
        ),
        path,
        fields: { wish: 'undo' },
        button: say('Take the import back'),
        isDanger: true,
      })
    const { deleted, touched, refused } = await undoDraft(context, resource, draft.made)
    await updateDraft(context, draft.id, { undoneAt: now })
    return redirectTo(path, {
      notice: [
        say('{deleted, number} deleted, {touched, number} changed since and left, {refused, number} refused.', {
          deleted,
          touched,
          refused: refused.length,
        }),
        ...refused.slice(0, 3),
      ].join(' '),
    })
  }
  if (draft.ranAt) return redirectTo(path)
  const changed = changesIn(draft, form)
  if (form.text('wish') === 'run' && isConfirmed(form)) {
    const { report, isCommitted, made } = await runDraft(context, resource, draft, { isTrial: false })
    await updateDraft(context, draft.id, isCommitted ? { report, made, ranAt: now } : { report })
    return redirectTo(path, isCommitted ? { notice: say('The table is imported.') } : {})
  }
  const { report } = await runDraft(context, resource, changed, { isTrial: true })
  await updateDraft(context, draft.id, { ...changed, report })
  if (form.text('wish') !== 'run' || report.faulty > 0) return redirectTo(path)
  return confirmation(context, {
    title: say('Import {count, plural, one {# row} other {# rows}}?', { count: report.rows }),
    text: html`${say('{created, number} records are new, {updated, number} are changed.', { created: report.created, updated: report.updated })} ${consequences(resource, 'create')} ${mayDelete(context, resource) ? '' : cannotBeTakenBack()}`,
    path,
    fields: { wish: 'run' },
    button: say('Import'),
  })
}

/** The mapping and the cells as the form has them, without the rows that are left out. */
function changesIn({ table: before, mapping }: Draft, form: Form): { table: Table; mapping: Mapping } {
  const omitted = new Set(form.list('omit').map(Number))
  const rows = before.rows
    .map((row, index) =>
      row.map((cell, at) => (form.has(`cell-${index + 1}-${at}`) ? form.text(`cell-${index + 1}-${at}`) : cell)),
    )
    .filter((_, index) => !omitted.has(index + 1))
  if (!form.has('column-0')) return { table: { ...before, rows }, mapping }
  const columns = before.columns.map((column, at) => {
    const [field = '', by] = form.text(`column-${at}`).split(':')
    return [column, field === '' ? null : { field, ...(by === undefined ? {} : { by }) }] as const
  })
  return { table: { ...before, rows }, mapping: { ...mapping, columns: Object.fromEntries(columns) } }
}
