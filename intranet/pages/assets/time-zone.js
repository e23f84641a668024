// Selects the browser's time zone.
const list = document.querySelector('select')
document.getElementById('browser-zone')?.addEventListener('click', () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const option = [...(list?.options ?? [])].find(({ value }) => value === zone)
  if (option) option.selected = true
  list?.focus()
})
