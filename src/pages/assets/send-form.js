// Sends the page's form at once; without scripts its button does.
/** @type {HTMLFormElement | null} */
const form = document.querySelector('form[data-sends]')
form?.submit()
