// Submits the form of the page at once.
/** @type {HTMLFormElement | null} */
const form = document.querySelector('form[data-sends]')
form?.submit()
