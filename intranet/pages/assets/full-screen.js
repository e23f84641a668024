// Shows a wall screen in full screen. Browsers allow this only after a click.
const button = document.querySelector('[data-full-screen]')
button?.addEventListener('click', () => document.documentElement.requestFullscreen().catch(() => {}))
document.addEventListener('fullscreenchange', () =>
  button?.toggleAttribute('hidden', document.fullscreenElement !== null),
)
