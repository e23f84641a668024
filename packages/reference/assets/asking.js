/** Form rows for the query parameters that the section around the form declares. */

import { element, word } from './small.js'

/** @typedef {{ name: string, way: string, kind: string, values: string[] }} Choice */

const WAYS = ['filter', 'range', 'search', 'sort', 'other']

/**
 * Offers the parameters of the section. The first rows are the parameters of the example.
 * @param {HTMLFormElement} form
 * @param {Element | null} section
 */
export function prepareAsking(form, section) {
  const add = form.elements.namedItem('add')
  const asked = form.querySelector('.asked')
  if (!(add instanceof HTMLSelectElement && asked instanceof HTMLElement)) return
  const choices = section ? choicesOf(section) : DEFAULTS
  for (const way of WAYS) {
    const group = document.createElement('optgroup')
    group.label = word(way)
    for (const choice of choices.values())
      if (choice.way === way) group.append(new Option(labelOf(choice), choice.name))
    if (group.children.length > 0) add.append(group)
  }
  const ask = (/** @type {string} */ name, value = '') => {
    const choice = choices.get(name) ?? { name, way: 'other', kind: '', values: [] }
    asked.append(rowOf(choice, value, form))
  }
  for (const [name, value] of new URLSearchParams(asked.dataset.query)) {
    if (name === 'sort') for (const field of value.split(',')) ask(`sort ${field.replace('-', '')}`, field)
    else ask(name, value)
  }
  add.addEventListener('change', () => {
    if (add.value === '') return
    ask(add.value)
    add.value = ''
    const control = asked.lastElementChild?.querySelector('input, select')
    if (control instanceof HTMLElement) control.focus()
    form.dispatchEvent(new Event('input'))
  })
}

/** @type {Map<string, Choice>} */
const DEFAULTS = new Map(
  ['page', 'per_page'].map((name) => [name, { name, way: 'other', kind: 'integer', values: [] }]),
)

/** @param {Element} section */
function choicesOf(section) {
  /** @type {Map<string, Choice>} */
  const choices = new Map()
  for (const part of section.querySelectorAll('[data-asks]')) {
    if (!(part instanceof HTMLElement)) continue
    const { asks = '', ways = '', kind = '', values } = part.dataset
    for (const way of ways.split(' ')) {
      const name = way === '' ? asks : way === 'sort' ? `sort ${asks}` : `${way}[${asks}]`
      choices.set(name, { name, way: way || 'other', kind, values: values?.split('|') ?? [] })
    }
  }
  return choices
}

/** @param {Choice} choice */
const labelOf = ({ name, way }) => (way === 'sort' ? name.slice(5) : name)

/**
 * @param {Choice} choice
 * @param {string} value
 * @param {HTMLFormElement} form
 */
function rowOf(choice, value, form) {
  const row = element('fieldset', 'field', '')
  row.dataset.name = choice.way === 'sort' ? 'sort' : choice.name
  row.append(element('legend', '', choice.way === 'sort' ? `sort: ${labelOf(choice)}` : choice.name))
  const remove = element('button', 'second', '×')
  remove.setAttribute('type', 'button')
  remove.setAttribute('aria-label', `${word('remove')} ${choice.name}`)
  remove.addEventListener('click', () => {
    row.remove()
    form.dispatchEvent(new Event('input'))
  })
  const values = element('div', 'asked-values', '')
  values.append(...controlsOf(choice, value), remove)
  row.append(values)
  return row
}

/**
 * @param {Choice} choice
 * @param {string} value
 * @returns {HTMLElement[]}
 */
function controlsOf({ name, way, kind, values }, value) {
  if (way === 'sort') {
    const field = name.slice(5)
    const ascending = new Option(word('ascending'), field)
    return [select(name, [ascending, new Option(word('descending'), `-${field}`)], value)]
  }
  if (way === 'range') {
    const [from = '', to = ''] = value.split(',')
    return [input(`${name} ${word('from')}`, kind, from), input(`${name} ${word('to')}`, kind, to)]
  }
  if (values.length === 0 || value.includes(',')) return [input(name, kind, value)]
  return [select(name, [new Option(word('any'), ''), ...values.map((one) => new Option(one, one))], value)]
}

/**
 * @param {string} label
 * @param {string} kind
 * @param {string} value
 */
function input(label, kind, value) {
  const made = document.createElement('input')
  made.type = 'text'
  made.setAttribute('aria-label', label)
  made.placeholder = PLACEHOLDERS[kind] ?? ''
  made.spellcheck = false
  made.value = value
  return made
}

/** @type {Record<string, string>} */
const PLACEHOLDERS = { time: '2026-01-31T08:00:00Z', integer: '1', string: 'text' }

/**
 * @param {string} label
 * @param {HTMLOptionElement[]} options
 * @param {string} value
 */
function select(label, options, value) {
  const made = document.createElement('select')
  made.setAttribute('aria-label', label)
  made.append(...options)
  if (value !== '') made.value = value
  return made
}

/**
 * Returns the query string of the rows. Several orders are one parameter.
 * @param {HTMLFormElement} form
 */
export function askedQuery(form) {
  const query = new URLSearchParams()
  for (const row of form.querySelectorAll('.asked fieldset')) {
    if (!(row instanceof HTMLElement)) continue
    const name = row.dataset.name ?? ''
    const values = [...row.querySelectorAll('input, select')].map((one) =>
      one instanceof HTMLInputElement || one instanceof HTMLSelectElement ? one.value.trim() : '',
    )
    const value = values.join(',')
    if (value === '' || value === ',') continue
    const former = name === 'sort' ? query.get(name) : null
    query.set(name, former ? `${former},${value}` : value)
  }
  return query.toString()
}
