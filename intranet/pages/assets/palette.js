// Opens the search over any page with Ctrl-K or Command-K.
const AFTER_TYPING_MS = 120
/** @type {HTMLAnchorElement | null} */
const link = document.querySelector('a[data-palette]')
/** @type {HTMLDialogElement | undefined} */
let dialog

/** @typedef {{ group: string, label: string, path: string, more?: string, image?: string }} Found */

/**
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} [content]
 */
function make(name, attributes = {}, content = []) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...content)
  return element
}

/** @param {HTMLAnchorElement} from */
function build(from) {
  const input = /** @type {HTMLInputElement} */ (
    make('input', {
      ...{ type: 'search', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'palette-found' },
      ...{ 'aria-label': from.dataset.label ?? '', placeholder: from.dataset.label ?? '', autocomplete: 'off' },
    })
  )
  const list = make('div', { id: 'palette-found', role: 'listbox', 'aria-label': from.dataset.label ?? '' })
  const made = /** @type {HTMLDialogElement} */ (make('dialog', { class: 'palette' }, [input, list]))
  document.body.append(made)
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const search = async () => {
    const asked = input.value
    const response = await fetch(`/search/results?q=${encodeURIComponent(asked)}`)
    if (response.ok && input.value === asked) show(list, input, await response.json())
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => search().catch(() => {}), AFTER_TYPING_MS)
  })
  input.addEventListener('keydown', (event) => {
    const options = [...list.querySelectorAll('a')]
    const at = options.findIndex((one) => one.getAttribute('aria-selected') === 'true')
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      select(input, options, at + (event.key === 'ArrowDown' ? 1 : -1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      options[Math.max(0, at)]?.click()
    }
  })
  // A click on the backdrop closes the dialog.
  made.addEventListener('click', (event) => event.target === made && made.close())
  search().catch(() => {})
  return made
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLAnchorElement[]} options
 * @param {number} wanted
 */
function select(input, options, wanted) {
  const at = (wanted + options.length) % options.length
  for (const [index, option] of options.entries()) option.setAttribute('aria-selected', String(index === at))
  options[at]?.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', options[at]?.id ?? '')
}

/**
 * @param {Element} list
 * @param {HTMLInputElement} input
 * @param {Found[]} found
 */
function show(list, input, found) {
  let group = ''
  const parts = found.flatMap((one, index) => {
    const option = make('a', { id: `palette-${index}`, role: 'option', href: one.path, tabindex: '-1' }, [
      ...(one.image ? [make('img', { class: 'avatar', src: one.image, alt: '', width: '28', height: '28' })] : []),
      make('span', {}, [one.label]),
      ...(one.more ? [make('span', { class: 'quiet' }, [one.more])] : []),
    ])
    const heading =
      one.group === group ? [] : [make('p', { class: 'palette-group', role: 'presentation' }, [one.group])]
    group = one.group
    return [...heading, option]
  })
  list.replaceChildren(...parts)
  select(input, [...list.querySelectorAll('a')], 0)
}

function open() {
  if (!link) return
  dialog ??= build(link)
  dialog.showModal()
  dialog.querySelector('input')?.select()
}

document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  event.preventDefault()
  open()
})
link?.addEventListener('click', (event) => {
  event.preventDefault()
  open()
})

export {}
