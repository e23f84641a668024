// What the buttons do that copy what stands beside them; without scripts it is selected by hand.
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('button[data-copies]')
for (const button of buttons) {
  const text = document.getElementById(button.dataset.copies ?? '')?.textContent ?? ''
  const label = button.textContent
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = button.dataset.done ?? label
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}
