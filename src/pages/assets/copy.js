// Shows the buttons that copy what stands beside them; without this script it is selected by hand.
for (const button of document.querySelectorAll('button[data-copies]')) {
  const text = document.getElementById(button.dataset.copies)?.textContent ?? ''
  const label = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(text)
    button.textContent = button.dataset.done
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}
