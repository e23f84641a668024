// Copies texts and prints the page by buttons.
/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('button[data-copies]')
for (const button of buttons) {
  const text = button.dataset.text ?? document.getElementById(button.dataset.copies ?? '')?.textContent ?? ''
  const label = button.textContent
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = button.dataset.done ?? label
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}
for (const button of document.querySelectorAll('button[data-prints]')) button.addEventListener('click', () => print())
