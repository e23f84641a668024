// Shows the buttons that copy what stands beside them; without this script it is selected by hand.
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('button[data-copies]')
for (const button of buttons) {
  const text = document.getElementById(button.dataset.copies ?? '')?.textContent ?? ''
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = button.dataset.done ?? label
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}
