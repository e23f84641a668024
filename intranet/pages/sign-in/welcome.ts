import { addressBlock } from '@campus/engine/base/address-block'
import { countAttempt } from '../../access/attempts.ts'
import { checkFirstLink, openFirstAccount, WELCOME_PATH } from '../../school/domain/accounts/first-administrator.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import { html, say } from '../html.ts'
import { formPage, type PageContext, pageContent, redirectTo } from '../page.ts'
import { checkRepeated, newPasswordFields, newPasswordLabels } from '../security/password.ts'
import { tallyOf } from '../tally.ts'

const labelsOf = () => ({
  first_name: say('First name'),
  last_name: say('Last name'),
  email: say('E-mail address'),
  login: say('Login'),
  ...newPasswordLabels(),
})

/** The link is printed when an empty school starts. */
export const welcomePage = formPage({
  path: WELCOME_PATH,
  access: 'anybody',
  async show(context, state) {
    await checkLink(context)
    const labels = labelsOf()
    const field = (name: 'first_name' | 'last_name' | 'email', autocomplete: string) =>
      textField(state, {
        name,
        label: labels[name],
        autocomplete,
        required: name !== 'last_name',
        type: name === 'email' ? name : 'text',
      })
    return pageContent(
      say('Welcome to your campus'),
      html`
      ${errorSummary(state.errors, labels)}
      <p>${say("Your school is empty. Open the first account: it sees the staff's pages, and registers applications.")}</p>
      <form method="post" action="${context.path}">
        ${csrfField(context)}
        ${field('first_name', 'given-name')}
        ${field('last_name', 'family-name')}
        ${field('email', 'email')}
        ${textField(state, { name: 'login', label: labels.login, autocomplete: 'username', hint: say('Made from the names where it is empty.') })}
        ${newPasswordFields(state)}
        <div class="actions"><button>${say('Open the account')}</button></div>
      </form>`,
      { isNarrow: true },
    )
  },
  async submit(context, form) {
    const { database, clock, sealing } = context.dependencies
    await checkLink(context)
    const token = context.query.text('token')
    const text = (name: string) => form.text(name).trim() || null
    const person = { first_name: text('first_name'), last_name: text('last_name'), email: text('email') }
    const values = { ...person, login: text('login'), password: checkRepeated(form) }
    const { address } = context.browser
    const { login } = await database.transaction((tx) =>
      openFirstAccount(tx, sealing, clock.now(), { token, values, address }),
    )
    return redirectTo('/sign-in', { notice: say('Your login is {login}. Sign in with it.', { login }) })
  },
})

const LIMIT = { max: 100, withinSeconds: 900 }

/** The holder of a link is not limited by others' attempts from the same address. */
async function checkLink(context: PageContext): Promise<void> {
  const { database, clock } = context.dependencies
  try {
    await checkFirstLink(database, clock.now(), context.query.text('token'))
  } catch (error) {
    await countAttempt(tallyOf(context), `welcome address ${addressBlock(context.browser.address)}`, LIMIT)
    throw error
  }
}
