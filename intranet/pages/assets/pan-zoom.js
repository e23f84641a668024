// Lets people move and zoom a drawing. Without scripts its box scrolls.
import panzoom from '@panzoom/panzoom'

const STEP = 60
/** @type {HTMLElement | null} */
const box = document.querySelector('[data-pan-zoom]')
const drawing = box?.querySelector('svg')
if (box && drawing) {
  box.classList.add('moves')
  const fitting = () => Math.min(1, box.clientWidth / drawing.clientWidth, box.clientHeight / drawing.clientHeight)
  const zoom = panzoom(drawing, { canvas: true, minScale: 0.1, maxScale: 4, startScale: 0.8, origin: '0 0' })
  // Starts at the reader's current project, in a readable size.
  const here = drawing.querySelector('.state-under-way, .state-open')?.getBoundingClientRect()
  const frame = box.getBoundingClientRect()
  if (here) {
    const toMiddle = frame.left + frame.width / 2 - here.left - here.width / 2
    setTimeout(() => zoom.pan(Math.min(0, toMiddle / 0.8), 0))
  }
  /** @type {Record<string, () => unknown>} */
  const actions = {
    in: () => zoom.zoomIn(),
    out: () => zoom.zoomOut(),
    reset() {
      zoom.zoom(fitting())
      zoom.pan(0, 0)
    },
  }
  /** @type {Record<string, () => unknown>} */
  const keys = {
    ArrowLeft: () => zoom.pan(STEP, 0, { relative: true }),
    ArrowRight: () => zoom.pan(-STEP, 0, { relative: true }),
    ArrowUp: () => zoom.pan(0, STEP, { relative: true }),
    ArrowDown: () => zoom.pan(0, -STEP, { relative: true }),
    '+': () => zoom.zoomIn(),
    '-': () => zoom.zoomOut(),
    0: () => actions.reset?.(),
  }
  // A wheel alone scrolls the page.
  box.addEventListener('wheel', (event) => {
    if (event.ctrlKey || event.metaKey) zoom.zoomWithWheel(event)
  })
  box.addEventListener('keydown', (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
    if (!act) return
    event.preventDefault()
    act()
  })
  for (const button of document.querySelectorAll('button[data-zoom]'))
    button.addEventListener('click', () => actions[button.getAttribute('data-zoom') ?? '']?.())
}
