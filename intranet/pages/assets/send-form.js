// Submits the form of the page. Without scripts the person presses its button.
/** @type {HTMLFormElement | null} */
const form = document.querySelector('form[data-sends]')
form?.submit()
