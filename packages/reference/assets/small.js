/**
 * @param {string} name
 * @param {string} classes
 * @param {string} text
 */
export function element(name, classes, text) {
  const made = document.createElement(name)
  if (classes) made.className = classes
  made.textContent = text
  return made
}

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T | undefined}
 */
export function maybe(selector, kind) {
  const found = document.querySelector(selector)
  return found instanceof kind ? found : undefined
}

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
export function one(selector, kind) {
  const found = maybe(selector, kind)
  if (!found) throw new Error(`there is no ${selector}`)
  return found
}

/**
 * Returns a text of the page in the reader's language.
 * @param {string} name
 */
export const word = (name) => document.getElementById('words')?.dataset[name] ?? ''
