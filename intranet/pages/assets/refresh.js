// Reloads the parts of a page with `data-refresh` when the stream opens and when the list in `data-watch` changes, or
// the page itself if `data-watch` is `page`. Pauses while the page is hidden. Skips a part that has the focus.
const AFTER_CHANGE_MS = 200
const AFTER_REFUSAL_MS = 60_000
const watched = document.querySelector('[data-watch]')?.getAttribute('data-watch') ?? ''
/** @type {EventSource | undefined} */
let source
let isWaiting = false

async function refresh() {
  isWaiting = false
  const response = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'error' })
  if (!response.ok) return
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-refresh]')) {
    const newer = next.querySelector(`[data-refresh="${part.getAttribute('data-refresh')}"]`)
    if (newer && !part.contains(document.activeElement)) part.replaceWith(document.adoptNode(newer))
  }
}

// Combines simultaneous changes.
const refreshSoon = () => {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => refresh().catch(() => {}), AFTER_CHANGE_MS)
}

function watch() {
  const opened = new EventSource(watched === 'page' ? location.href : `/changes?of=${encodeURIComponent(watched)}`)
  source = opened
  for (const kind of ['open', 'create', 'update', 'destroy', 'reset']) opened.addEventListener(kind, refreshSoon)
  // Browsers reconnect by themselves unless the request was refused.
  opened.addEventListener('error', () => {
    if (opened.readyState === EventSource.CLOSED) setTimeout(watchAgain, AFTER_REFUSAL_MS, opened)
  })
}

/** @param {EventSource} former */
function watchAgain(former) {
  if (former === source && !document.hidden) watch()
}

if (watched) {
  if (!document.hidden) watch()
  document.addEventListener('visibilitychange', () => {
    source?.close()
    if (!document.hidden) watch()
  })
}
