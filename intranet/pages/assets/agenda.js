// Lets people choose the time they offer by drawing over hours of the week, or with arrow keys, Shift and Enter.
const table = document.querySelector('table[data-offers]')
/** @type {HTMLTableCellElement[]} */
const cells = [...(table?.querySelectorAll('td[data-day]') ?? [])].filter((one) => one instanceof HTMLTableCellElement)
const columns = new Set(cells.map(({ dataset }) => dataset.day)).size
/** @type {number | undefined} */
let anchor
let end = 0

/** @param {number} index */
const columnOf = (index) => index % columns

function mark() {
  const from = anchor ?? end
  for (const [index, cell] of cells.entries()) {
    const isIn = index >= Math.min(from, end) && index <= Math.max(from, end) && columnOf(index) === columnOf(from)
    cell.classList.toggle('chosen', isIn && anchor !== undefined)
  }
}

/** @param {number} index */
function focus(index) {
  for (const cell of cells) cell.tabIndex = -1
  const cell = cells[index]
  if (!cell) return
  cell.tabIndex = 0
  cell.focus()
}

/** @param {string} time */
const halfHourAfter = (time) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const after = Math.min(hours * 60 + minutes + 30, 24 * 60 - 1)
  return `${String(Math.floor(after / 60)).padStart(2, '0')}:${String(after % 60).padStart(2, '0')}`
}

function fill() {
  const from = anchor ?? end
  const [first, last] = [cells[Math.min(from, end)], cells[Math.max(from, end)]]
  if (!first || !last) return
  const values = {
    day: first.dataset.day,
    begin_at: first.dataset.time,
    end_at: halfHourAfter(last.dataset.time ?? ''),
  }
  for (const [name, value] of Object.entries(values)) {
    /** @type {HTMLInputElement | null} */
    const field = document.querySelector(`#${name}`)
    if (field) field.value = value ?? ''
  }
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector('button[value=offer]')
  button?.focus()
}

for (const [index, cell] of cells.entries()) {
  cell.tabIndex = index === 0 ? 0 : -1
  cell.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest('a'))) return
    if (event.pointerType === 'mouse') event.preventDefault()
    anchor = index
    end = index
    mark()
  })
  cell.addEventListener('pointerenter', (event) => {
    if (anchor === undefined || event.buttons === 0) return
    end = anchor + columns * (Math.floor(index / columns) - Math.floor(anchor / columns))
    mark()
  })
  cell.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
    if (event.key === 'Enter' && event.target === cell) {
      event.preventDefault()
      if (anchor === undefined) anchor = end = index
      mark()
      fill()
    } else if (step !== undefined && cells[index + step]) {
      event.preventDefault()
      if (event.shiftKey && Math.abs(step) === columns) {
        anchor ??= index
        end = index + step
      } else {
        anchor = undefined
        end = index + step
      }
      mark()
      focus(index + step)
    }
  })
}
document.addEventListener('pointerup', () => {
  if (anchor !== undefined) fill()
})
