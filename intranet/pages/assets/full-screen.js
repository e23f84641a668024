// A screen at the wall shows nothing but its page; browsers allow that after a click alone.
const button = document.querySelector('[data-full-screen]')
button?.addEventListener('click', () => document.documentElement.requestFullscreen().catch(() => {}))
document.addEventListener('fullscreenchange', () =>
  button?.toggleAttribute('hidden', document.fullscreenElement !== null),
)
