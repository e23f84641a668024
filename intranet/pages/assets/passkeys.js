// Asks the browser for a passkey, and submits it with the form around the button.
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Shorter than the lifetime of a challenge. */
const RENEWED_EVERY_MS = 240_000

/** @type {NodeListOf<HTMLFormElement>} */
const forms = document.querySelectorAll('form[data-passkey], form[data-new-passkey]')
for (const form of forms) {
  /** @type {HTMLButtonElement | null} */
  const button = form.querySelector('button[data-asks-passkey]')
  /** @type {HTMLInputElement | null} */
  const field = form.querySelector('input[name=credential]')
  if (!button || !field) continue
  const fault = form.querySelector('[data-passkey-fault]')
  /** @param {string | undefined} text */
  const say = (text) => {
    if (fault) fault.textContent = text ?? ''
  }
  if (!browserSupportsWebAuthn()) {
    button.disabled = true
    say(button.dataset.unsupported)
    continue
  }
  /** @param {object} credential */
  const send = (credential) => {
    field.value = JSON.stringify(credential)
    form.submit()
  }
  let isAsking = false
  button.addEventListener('click', async () => {
    if (isAsking || (form.dataset.newPasskey && !form.reportValidity())) return
    isAsking = true
    say('')
    try {
      send(await (form.dataset.newPasskey ? make(form.dataset.newPasskey) : ask(form.dataset.passkey ?? '', false)))
    } catch {
      say(button.dataset.refused)
      isAsking = false
      void suggest()
    }
  })
  // The Enter key creates a passkey, too.
  if (form.dataset.newPasskey)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      button.click()
    })
  /** Offers passkeys in the login field until one is chosen. */
  const suggest = async () => {
    if (form.dataset.suggests === undefined || !(await browserSupportsWebAuthnAutofill())) return
    const renewal = setTimeout(() => !isAsking && suggest(), RENEWED_EVERY_MS)
    try {
      const credential = await ask(form.dataset.passkey ?? '', true)
      if (!isAsking) send(credential)
    } catch {
      // Superseded by a newer prompt, or cancelled.
    } finally {
      clearTimeout(renewal)
    }
  }
  void suggest()
}

/**
 * @param {string} path
 * @param {boolean} useBrowserAutofill
 */
async function ask(path, useBrowserAutofill) {
  const answer = await fetch(path, { headers: { accept: 'application/json' }, redirect: 'error' })
  if (!answer.ok) throw new Error(String(answer.status))
  return startAuthentication({ optionsJSON: await answer.json(), useBrowserAutofill })
}

/** @param {string} options */
const make = (options) => startRegistration({ optionsJSON: JSON.parse(options) })
