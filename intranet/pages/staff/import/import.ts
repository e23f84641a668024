import { type FilledMessage, message } from '@campus/engine/base/languages/say'
import { MEBIBYTE } from '@campus/engine/base/mebibyte'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import { knownTimeZone } from '@campus/engine/base/time-zones'
import { accessDenied, notFound, unprocessable } from '@campus/engine/errors'
import { isImportable } from '@campus/engine/rest/import/import-file'
import type { Mapping, Target } from '@campus/engine/rest/import/mapping'
import { MAX_TABLE, readTable } from '@campus/engine/rest/import/read-table'
import { UnreadableFile } from '@campus/engine/rest/import/row'
import type { Table } from '@campus/engine/rest/import/table'
import { importFields, proposeMapping, takesJson, waysToName } from '@campus/engine/rest/import/targets'
import { mayChooseId, takesChosenIds } from '@campus/engine/rest/write/chosen-ids'
import { cleanFileName } from '../../../services/attachments/file-names.ts'
import { table } from '../../components.ts'
import { confirmation, isConfirmed } from '../../confirm.ts'
import { csrfField, errorSummary, fileField, selectField, textField } from '../../fields.ts'
import { type Html, html, say } from '../../html.ts'
import { type Form, formPage, type Outcome, type PersonPageContext, pageContent, redirectTo } from '../../page.ts'
import { timeOf } from '../../times.ts'
import { staffCaller } from '../records/caller.ts'
import { consequences } from '../records/consequences.ts'
import { labelOf, listRoute, pathOf, type Routed, recordRoute, routedResources, trailOf } from '../records/resource.ts'
import {
  createDraft,
  type Draft,
  endUndo,
  findDraft,
  leaseUndo,
  listDrafts,
  MAX_DRAFTS,
  openTable,
  saveTrial,
} from './drafts.ts'
import type { Preview } from './preview.ts'
import { inImportTurn, runDraft, tryDraft, undoDraft } from './run.ts'

const PATH = '/staff/import'

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
      <p>${say('A table whose first line names the columns. On the next page you map the columns, correct faults and try the import. Nothing is imported before you confirm.')}</p>
      <form method="post" action="${PATH}/new/${resource.name}" enctype="multipart/form-data">${csrfField(context)}
        ${fileField(state, { name: 'file', label: say('File'), hint: say('CSV or a workbook (.xlsx) with at most {rows, number} rows. For larger tables, use the command {command}.', { rows: MAX_TABLE.rows, command: typedCommand('import') }), accept: '.csv,.tsv,.txt,.xlsx,text/csv' })}
        ${selectField(state, { name: 'encoding', label: say('Encoding of a text file'), choices: [detected(), ...ENCODINGS.map(([value, label]) => ({ value, label }))], chosen: '' })}
        ${selectField(state, { name: 'delimiter', label: say('Delimiter of a text file'), choices: [detected(), ...DELIMITERS.map(({ value, label }) => ({ value, label: label() }))], chosen: '' })}
        <div class="actions"><button>${say('Next')}</button></div></form>
      ${ownImports(context, await listDrafts(context, resource.name))}`,
      { trail: [trailOf(resource)], isNarrow: true },
    )
  },
  async submit(context, form) {
    const resource = await importableOf(context)
    const file = form.file('file')
    if (!file) throw unprocessable({ file: ['must be chosen'] })
    if (!file.staged)
      throw unprocessable({
        file: [
          message('has more than {megabytes, number} MB', { megabytes: Math.floor((file.exceeds ?? 0) / MEBIBYTE) }),
        ],
      })
    const format = {
      encoding: ENCODINGS.find(([value]) => value === form.text('encoding'))?.[0],
      delimiter: DELIMITERS.find(({ value }) => value === form.text('delimiter'))?.character,
    }
    const table = await readTable(file.staged.path, context.person.id, undefined, format).catch((error) => {
      throw error instanceof UnreadableFile ? unprocessable({ file: [error.text] }) : error
    })
    const { registry } = context.dependencies
    const mapping = proposeMapping(registry, resource, table.columns, { mayGuess: true })
    const name = cleanFileName(file.filename, 'file')
    const id = await createDraft(context, { resource: resource.name, name, table, mapping, timeZone: context.timeZone })
    return redirectTo(`${PATH}/${id}`)
  },
})

const detected = () => ({ value: '', label: say('Detect') })

/** Names of decoders and their labels. */
const ENCODINGS = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Windows-1252'],
  ['mac-roman', 'Mac Roman'],
  ['utf-16', 'UTF-16'],
] as const

const DELIMITERS = [
  { value: 'comma', character: ',', label: () => say('Comma') },
  { value: 'semicolon', character: ';', label: () => say('Semicolon') },
  { value: 'tab', character: '\t', label: () => say('Tab') },
  { value: 'bar', character: '|', label: () => say('Vertical bar') },
] as const

const draftPage = formPage({
  path: `${PATH}/:id`,
  access: 'staff',
  async show(context, state) {
    const draft = await findDraft(context)
    const resource = await importableOf(context, draft.resource)
    const mayMapIds =
      mayChooseId(context.dependencies.registry, resource, await staffCaller(context)) || mapsIds(draft.mapping)
    return pageContent(
      say('Import {file}', { file: draft.name }),
      html`
      ${errorSummary(state.errors, { mapping: say('The columns'), rows: say('Rows') })}
      ${draft.ranAt ? afterwards(context, resource, draft) : before(context, resource, { draft, form: state.form, mayMapIds })}`,
      { trail: [trailOf(resource)] },
    )
  },
  submit: (context, form) => act(context, form),
})

export const IMPORT_PAGES = [...upload, ...draftPage]

type Listed = Awaited<ReturnType<typeof listDrafts>>

const ownImports = (context: PersonPageContext, drafts: Listed): Html | '' =>
  drafts.length === 0
    ? ''
    : html`<h2>${say('Your imports')}</h2>
      <ul class="list">${drafts.map(
        (draft) =>
          html`<li><a href="${PATH}/${draft.id}">${draft.name}</a> <span class="quiet">${timeOf(context, draft.created_at)} · ${draftState(draft)}</span></li>`,
      )}</ul>
      <p class="quiet">${say('Imports are kept for seven days. You may have {most}; another one deletes the oldest.', { most: MAX_DRAFTS })}</p>`

function draftState({ ran_at, undone_at }: Listed[number]): string {
  if (undone_at) return say('undone')
  return ran_at ? say('imported') : say('not imported yet')
}

/** Throws 403 unless the person may create records of others, too, and 404 for other resources. */
async function importableOf(context: PersonPageContext, name = context.params.resource): Promise<Routed> {
  const { registry, api } = context.dependencies
  const resource = routedResources(registry).find((one) => one.name === name)
  if (!resource || !isImportable(resource)) throw notFound('There is no page at this address.')
  if (!api.mayAll(await staffCaller(context), 'POST', listRoute(resource)))
    throw accessDenied('Your roles at the school do not let you create these records.')
  return resource
}

/** A draft that maps `id` still offers it after the person lost the role, so that the trial refuses it. */
const mapsIds = ({ columns }: Mapping) => Object.values(columns).some((target) => target?.field === 'id')

type Editing = {
  readonly draft: Draft
  /** The refused form, whose values are shown again. */
  readonly form: Form | undefined
  readonly mayMapIds: boolean
}

function before(context: PersonPageContext, resource: Routed, editing: Editing): Html {
  const { draft, form } = editing
  const { report } = draft
  const canRun = isReady(report)
  return html`
  <form method="post" action="${PATH}/${draft.id}">${csrfField(context)}<input type="hidden" name="revision" value="${draft.revision}">
    <h2>${say('What the columns are')}</h2>
    ${mappingTable(context, resource, editing)}
    ${notesOf(draft.preview)}
    ${timeZoneField(draft, form)}
    ${report ? reportOf(report) : ''}
    ${constantFields(context, resource, editing)}
    ${report && draft.preview.faulty.length > 0 ? faultsOf(draft.preview, report, form) : ''}
    <div class="actions"><button name="wish" value="try" class="${canRun ? 'second' : ''}">${say('Try it')}</button>
      ${canRun ? html`<button name="wish" value="run">${say('Import {count, plural, one {# row} other {# rows}}', { count: draft.preview.rows })}</button>` : ''}</div>
  </form>
  <p class="quiet">${say('A trial rolls back everything it writes: nothing is saved, and no campus is called.')}</p>`
}

const notesOf = ({ notes = [] }: Preview): Html | '' =>
  notes.length === 0
    ? ''
    : html`<section class="card" aria-label="${say('About the file')}"><h2>${say('About the file')}</h2><ul>${notes.map((note) => html`<li>${say(note)}</li>`)}</ul></section>`

function timeZoneField({ timeZone }: Draft, form: Form | undefined): Html {
  const zones = [...new Set([timeZone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted()
  return selectField(
    { form: form?.has('time_zone') ? form : undefined, errors: {} },
    {
      name: 'time_zone',
      label: say('Time zone of the times in the table'),
      hint: say('Times that name a zone or an offset themselves keep it.'),
      choices: zones.map((zone) => ({ value: zone, label: zone, isApiWord: true })),
      chosen: timeZone,
    },
  )
}

const isReady = (report: Draft['report']): report is NonNullable<Draft['report']> =>
  report !== undefined && report.faulty === 0 && report.unfilled.length === 0 && report.rows > 0

function mappingTable(context: PersonPageContext, resource: Routed, { draft, form, mayMapIds }: Editing): Html {
  const { mapping } = draft
  const { columns, samples } = draft.preview
  const choices = choicesOf(context, resource, mayMapIds)
  const chosenFor = (column: string, at: number) =>
    form?.has(`column-${at}`) ? form.text(`column-${at}`) : choiceOf(mapping.columns[column])
  return html`<div class="card records">${table(
    say('Columns'),
    [say('Column'), say('First values'), say('Field')],
    columns.map((column, at) => [
      html`<span id="column-${at}">${column}</span>`,
      html`<span class="quiet">${samples[at] ?? ''}</span>`,
      html`<select name="column-${at}" aria-labelledby="column-${at}"><option value="">${say('left out')}</option>${choices.map(
        (choice) =>
          html`<option value="${choice}"${choice === chosenFor(column, at) ? html` selected` : ''}>${choice.replace(':', ' ← ')}</option>`,
      )}</select>`,
    ]),
  )}</div>`
}

/** Renders the values that all rows share: fields that every record needs and no column has, and those chosen before. */
function constantFields(context: PersonPageContext, resource: Routed, { draft, form }: Editing): Html {
  const state = { form, errors: {} }
  return html`${constantsOf(context, resource, draft).map(({ name, value, words }) => {
    const options = { name: constantName(name), label: say('{field} of every row', { field: name }) }
    const choices = ['', ...words].map((word) => ({ value: word, label: word, isApiWord: true }))
    return words.length > 0
      ? selectField(
          { ...state, form: form?.has(options.name) ? form : undefined },
          { ...options, choices, chosen: value },
        )
      : textField(state, { ...options, value })
  })}`
}

type Constant = {
  readonly name: string
  readonly value: string
  readonly words: readonly string[]
}

function constantsOf({ dependencies: { registry } }: PersonPageContext, resource: Routed, draft: Draft) {
  const { mapping, report } = draft
  const fields = importFields(registry, resource)
  const names = new Set([...Object.keys(mapping.constants), ...(report?.unfilled ?? [])])
  return [...names]
    .filter((name) => !takesJson(fields.get(name)))
    .map((name): Constant => {
      const words = fields.get(name)?.column?.kind.schema.enum ?? []
      return { name, value: String(mapping.constants[name] ?? ''), words: words.map(String) }
    })
}

const constantName = (field: string) => `constant-${field}`

/** Lists the fields, and for references each way to name a record, such as `campus_id:name`. */
function choicesOf(
  { dependencies: { registry } }: PersonPageContext,
  resource: Routed,
  mayMapIds: boolean,
): readonly string[] {
  const fields = [...importFields(registry, resource)].filter(
    ([name]) => mayMapIds || name !== 'id' || !takesChosenIds(resource),
  )
  return fields.flatMap(([name, { references }]) => [
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

/** Anchor of the trial's result, which is below the fold of most screens. */
const TRIAL = 'trial'

const reportOf = ({ rows, created, updated, faulty, unfilled }: NonNullable<Draft['report']>): Html => html`
  <section class="card" role="status" id="${TRIAL}" tabindex="-1"><h2>${say('Result of the trial')}</h2>
    ${
      unfilled.length > 0
        ? html`<p>${say('No column is mapped to {fields}, which every record needs. Map a column, or enter a value for every row.', { fields: unfilled.join(', ') })}</p>`
        : html`<p>${say('{rows, plural, one {# row} other {# rows}}: {created, number} new, {updated, number} changed, {faulty, number} with faults.', { rows, created, updated, faulty })}</p>`
    }</section>`

function faultsOf(
  { columns, faulty: rows }: Preview,
  { faulty }: NonNullable<Draft['report']>,
  form: Form | undefined,
): Html {
  const omitted = new Set(form?.list('omit'))
  return html`<h2>${say('Faults')}</h2>
  ${faulty > rows.length ? html`<p class="quiet">${say('These are the first {count, number} rows. Correct them and try again to see the others.', { count: rows.length })}</p>` : ''}
  ${rows.map(
    ({ line, summary, faults }) => html`
  <fieldset class="card"><legend>${say('Row {line, number}: {row}', { line, row: summary })}</legend>
    ${faults.map(({ at, fault, value }) => {
      const name = cellName(line, at)
      if (at < 0) return html`<p>${faultText(fault)}</p>`
      return value === null
        ? html`<p>${columns[at]} <span class="fault">${faultText(fault)}</span> ${say('The value is too long to be corrected here. Correct it in the file, or leave the row out.')}</p>`
        : html`<div class="field"><label for="${name}">${columns[at]}</label> <span class="fault" id="${name}-fault">${faultText(fault)}</span>
      <input type="text" id="${name}" name="${name}" value="${form?.has(name) ? form.text(name) : value}" aria-describedby="${name}-fault" aria-invalid="true" autocapitalize="none" autocomplete="off" spellcheck="false"></div>`
    })}
    <div class="choice"><input type="checkbox" id="omit-${line}" name="omit[]" value="${line}"${omitted.has(String(line)) ? html` checked` : ''}><label for="omit-${line}">${say('Leave this row out')}</label></div>
  </fieldset>`,
  )}`
}

const faultText = (fault: FilledMessage | string) => (typeof fault === 'string' ? fault : say(fault))

const cellName = (line: number, at: number) => `cell-${line}-${at}`

function afterwards(context: PersonPageContext, resource: Routed, draft: Draft): Html {
  const { made, undoneAt } = draft
  return html`
  <p role="status">${say('{created, plural, one {# record was} other {# records were}} created by this import.', { created: made.length })}</p>
  <p><a class="button second" href="${pathOf(resource)}">${labelOf(resource)}</a></p>
  ${
    undoneAt
      ? html`<p class="quiet">${say('This import was undone.')}</p>`
      : mayDelete(context, resource) && made.length > 0
        ? html`<form method="post" action="${PATH}/${draft.id}">${csrfField(context)}<p>${say('Undoing deletes the created records that nobody has changed since.')}</p>
    <button name="wish" value="undo" class="danger">${say('Undo the import')}</button></form>`
        : html`<p class="quiet">${cannotBeUndone()}</p>`
  }`
}

const mayDelete = ({ dependencies: { api } }: PersonPageContext, resource: Routed) =>
  api.has('DELETE', recordRoute(resource))

const cannotBeUndone = () => say('The API cannot delete these records, so the import cannot be undone.')

async function act(context: PersonPageContext, form: Form): Promise<Outcome> {
  const draft = await findDraft(context)
  const resource = await importableOf(context, draft.resource)
  const path = `${PATH}/${draft.id}`
  const wish = form.text('wish')
  if (wish === 'undo') return undo(context, form, resource, draft)
  if (draft.ranAt) return redirectTo(path)
  const changed = redirectTo(path, {
    notice: say('The import has changed since you opened this page. Check it and try again.'),
  })
  // Forms of the former release do not send a revision.
  if (form.has('revision') && form.text('revision') !== String(draft.revision)) return changed
  return inImportTurn(() => tryOrRun(context, form, { resource, draft, changed }))
}

type Opened = {
  readonly resource: Routed
  readonly draft: Draft
  readonly changed: Outcome
}

async function tryOrRun(
  context: PersonPageContext,
  form: Form,
  { resource, draft, changed }: Opened,
): Promise<Outcome> {
  const path = `${PATH}/${draft.id}`
  const wish = form.text('wish')
  const stored = await openTable(context, draft)
  if (wish === 'run' && isConfirmed(form) && isReady(draft.report)) {
    const report = await runDraft(context, resource, draft, stored)
    if (report?.faulty === 0) return redirectTo(path, { notice: say('The table is imported.') })
    if (report)
      await saveTrial(context, draft, {
        table: stored,
        isChanged: false,
        mapping: draft.mapping,
        timeZone: draft.timeZone,
        report,
      })
    return redirectTo(path)
  }
  const table = corrected(stored, draft.preview, form)
  if (table.rows.length === 0) throw unprocessable({ rows: ['must not all be left out'] })
  const mapping = mappingIn(context, resource, form, draft)
  const timeZone = knownTimeZone(form.text('time_zone')) ?? draft.timeZone
  const report = await tryDraft(context, resource, { table, mapping, timeZone })
  const revision = await saveTrial(context, draft, { table, isChanged: table !== stored, mapping, timeZone, report })
  if (revision === undefined) return changed
  if (wish !== 'run' || !isReady(report)) return redirectTo(`${path}#${TRIAL}`)
  return confirmation(context, {
    title: say('Import {count, plural, one {# row} other {# rows}}?', { count: report.rows }),
    text: html`${say('{created, plural, one {# record} other {# records}} will be created, {updated, plural, one {# record} other {# records}} will be changed.', { created: report.created, updated: report.updated })} ${consequences(resource, 'create')} ${mayDelete(context, resource) ? '' : cannotBeUndone()}`,
    fields: { wish: 'run', revision },
    button: say('Import'),
  })
}

async function undo(context: PersonPageContext, form: Form, resource: Routed, draft: Draft): Promise<Outcome> {
  const path = `${PATH}/${draft.id}`
  if (!draft.ranAt || draft.undoneAt || !mayDelete(context, resource)) return redirectTo(path)
  if (!isConfirmed(form))
    return confirmation(context, {
      title: say('Undo the import?'),
      text: say(
        'Deletes {count, plural, one {# created record} other {# created records}}, except those that somebody has changed since.',
        { count: draft.made.length },
      ),
      fields: { wish: 'undo' },
      button: say('Undo the import'),
      isDanger: true,
    })
  if (!(await leaseUndo(context, draft)))
    return redirectTo(path, { notice: say('This import is already being undone. Reload the page in a moment.') })
  let undoneAt: Date | null = null
  try {
    const { deleted, touched, refused } = await undoDraft(context, resource, draft.made)
    undoneAt = context.dependencies.clock.now()
    return redirectTo(path, {
      notice: [
        say(
          '{deleted, number} deleted, {touched, number} left because they have changed since, {refused, number} refused.',
          {
            deleted,
            touched,
            refused: refused.length,
          },
        ),
        ...refused.slice(0, 3),
      ].join(' '),
    })
  } finally {
    await endUndo(context, draft, undoneAt)
  }
}

/** Returns the same object if nothing is corrected or omitted. */
function corrected(table: Table, { faulty }: Preview, form: Form): Table {
  const cells = faulty.flatMap(({ line, faults }) =>
    faults.flatMap(({ at }) => {
      const name = cellName(line, at)
      return at >= 0 && form.has(name) ? [{ line, at, text: form.text(name) }] : []
    }),
  )
  const changed = cells.filter(({ line, at, text }) => table.rows[line - 1]?.[at] !== text)
  const omitted = new Set(form.list('omit').map(Number))
  const byLine = Map.groupBy(changed, ({ line }) => line)
  const rows = table.rows
    .map((row, index) => (byLine.get(index + 1) ?? []).reduce((cells, { at, text }) => cells.with(at, text), row))
    .filter((_, index) => !omitted.has(index + 1))
  return changed.length === 0 && rows.length === table.rows.length ? table : { ...table, rows }
}

/** A column takes precedence over a value for every row. */
function mappingIn(context: PersonPageContext, resource: Routed, form: Form, draft: Draft): Mapping {
  const {
    mapping,
    preview: { columns },
  } = draft
  if (!form.has('column-0')) return mapping
  const targets = columns.map((column, at) => {
    const [field = '', by] = form.text(`column-${at}`).split(':')
    return [column, field === '' ? null : { field, ...(by === undefined ? {} : { by }) }] as const
  })
  const mapped = new Set(targets.map(([, target]) => target?.field))
  const constants = constantsOf(context, resource, draft).flatMap(({ name, value }) => {
    const sent = form.has(constantName(name)) ? form.text(constantName(name)) : value
    return sent === '' || mapped.has(name) ? [] : [[name, sent] as const]
  })
  return { columns: Object.fromEntries(targets), constants: Object.fromEntries(constants) }
}
