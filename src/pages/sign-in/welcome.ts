import { addressBlock } from '../../address-block.ts'
import { countAttempt } from '../../domain/attempts.ts'
import { checkFirstLink, openFirstAccount, WELCOME_PATH } from '../../domain/first-administrator.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import { html } from '../html.ts'
import { formPage, redirectTo, view } from '../page.ts'
import { checkRepeated, NEW_PASSWORD_LABELS, newPasswordFields } from '../security/new-password.ts'
import { tallyOf } from '../tally.ts'
import type { Visit } from '../visit.ts'

const LABELS = {
  first_name: 'First name',
  last_name: 'Last name',
  email: 'E-mail address',
  login: 'Login',
  ...NEW_PASSWORD_LABELS,
}

/** /welcome: the first account of an administrator, for who holds the link that the start of an empty school printed. */
export const welcomePage = formPage({
  path: WELCOME_PATH,
  access: 'anybody',
  async show(visit, state) {
    await checkLink(visit)
    const field = (name: 'first_name' | 'last_name' | 'email', autocomplete: string) =>
      textField(state, {
        name,
        label: LABELS[name],
        autocomplete,
        required: true,
        type: name === 'email' ? name : 'text',
      })
    return view(
      'Welcome to your campus',
      html`
      ${errorSummary(state.errors, LABELS)}
      <p>Your school is empty. Open the first account: it sees the staff's pages, and registers applications.</p>
      <form method="post" action="${visit.path}">
        ${csrfField(visit)}
        ${field('first_name', 'given-name')}
        ${field('last_name', 'family-name')}
        ${field('email', 'email')}
        ${textField(state, { name: 'login', label: LABELS.login, autocomplete: 'username', hint: 'Made from the names where it is empty.' })}
        ${newPasswordFields(state)}
        <div class="actions"><button>Open the account</button></div>
      </form>`,
      { isNarrow: true },
    )
  },
  async submit(visit, form) {
    const { database, clock, sealing } = visit.dependencies
    await checkLink(visit)
    const token = visit.query.text('token')
    const text = (name: string) => form.text(name).trim() || null
    const person = { first_name: text('first_name'), last_name: text('last_name'), email: text('email') }
    const values = { ...person, login: text('login'), password: checkRepeated(form) }
    const { address } = visit.browser
    const { login } = await database.transaction((tx) =>
      openFirstAccount(tx, sealing, clock.now(), { token, values, address }),
    )
    return redirectTo('/sign-in', { notice: `Your login is ${login}. Sign in with it.` })
  },
})

const LIMIT = { most: 100, withinSeconds: 900 }

/** Whoever holds a link is let in, whatever others try from the same address. */
async function checkLink(visit: Visit): Promise<void> {
  const { database, clock } = visit.dependencies
  try {
    await checkFirstLink(database, clock.now(), visit.query.text('token'))
  } catch (error) {
    await countAttempt(tallyOf(visit), `welcome address ${addressBlock(visit.browser.address)}`, LIMIT)
    throw error
  }
}
