// Every half minute the parts of the page with `data-refresh` are fetched and replaced. It pauses while the page is
// hidden, while the focus is in such a part, and when its switch is off.
const EVERY_MS = 30_000
const holder = document.querySelector('[data-refresh-switch]')
const choice = holder?.querySelector('input')

async function lookAgain() {
  if (!choice?.checked || document.hidden) return
  const response = await fetch(location.href, { headers: { accept: 'text/html' }, redirect: 'error' })
  if (!response.ok) return
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-refresh]')) {
    const newer = next.querySelector(`[data-refresh="${part.getAttribute('data-refresh')}"]`)
    if (newer && !part.contains(document.activeElement)) part.replaceWith(document.adoptNode(newer))
  }
}

setInterval(() => lookAgain().catch(() => {}), EVERY_MS)
