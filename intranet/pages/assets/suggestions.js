// Suggests records while the name of a record is typed.
const AFTER_TYPING_MS = 150
/** @type {NodeListOf<HTMLInputElement>} */
const fields = document.querySelectorAll('input[data-suggestions]')
for (const field of fields) {
  const list = document.createElement('datalist')
  list.id = `${field.id}-suggestions`
  field.after(list)
  field.setAttribute('list', list.id)
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => suggest(field, list).catch(() => {}), AFTER_TYPING_MS)
  })
}

/**
 * @param {HTMLInputElement} field
 * @param {HTMLDataListElement} list
 */
async function suggest(field, list) {
  const asked = field.value.trim()
  if (asked.length < 2 || /^\d+$/.test(asked)) return
  const resource = field.dataset.suggestions ?? ''
  const response = await fetch(`/staff/records/${resource}/suggestions?q=${encodeURIComponent(asked)}`)
  if (!response.ok || field.value.trim() !== asked) return
  /** @type {{ id: number, name: string }[]} */
  const found = await response.json()
  list.replaceChildren(
    ...found.map(({ id, name }) => {
      const option = document.createElement('option')
      option.value = String(id)
      option.label = name
      return option
    }),
  )
}
