import { addressBlock } from '../../address-block.ts'
import type { Handle } from '../../database/database.ts'
import { countAttempt } from '../../domain/attempts.ts'
import { notFound } from '../../errors.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { csrfField, errorSummary, textField } from '../fields.ts'
import { html } from '../html.ts'
import { formPage, redirectTo, view } from '../page.ts'
import { say } from '../say.ts'
import { tallyOf } from '../tally.ts'
import type { Visit } from '../visit.ts'

export const FORGOT_PATH = '/forgot-password'

const labels = () => ({ who: say('Login or e-mail address') })

/** /forgot-password: a link by mail, where the school sends mail. What is answered does not tell whether there is such a person. */
export const forgotPassword = formPage({
  path: FORGOT_PATH,
  access: 'anybody',
  async show(visit, state) {
    refuseWithoutMail(visit)
    return view(
      say('Forgot your password?'),
      html`
      ${errorSummary(state.errors, labels())}
      <p>${say('We send you a link with which you choose another one. It goes to the e-mail address of your account.')}</p>
      <form method="post" action="${FORGOT_PATH}">
        ${csrfField(visit)}
        ${textField(state, { name: 'who', label: labels().who, autocomplete: 'username', required: true })}
        <div class="actions"><button>${say('Send the link')}</button></div>
      </form>`,
      { isNarrow: true },
    )
  },
  async submit(visit, form) {
    refuseWithoutMail(visit)
    const { database, clock } = visit.dependencies
    const who = form.text('who').trim().toLowerCase()
    await countAttempt(tallyOf(visit), `forgot address ${addressBlock(visit.browser.address)}`, PER_ADDRESS)
    const userId = await findPerson(database, who)
    if (userId !== undefined && (await isWithinLimit(visit, userId))) {
      await database.transaction((tx) => queueMail(tx, { kind: 'reset_link', userId, details: {}, now: clock.now() }))
    }
    return redirectTo('/sign-in', {
      notice: say('If there is such an account, a link is on its way to its e-mail address.'),
    })
  },
})

const PER_ADDRESS = { most: 30, withinSeconds: 900 }
/** Nobody's mailbox is filled by others. */
const PER_PERSON = { most: 3, withinSeconds: 3600 }

function refuseWithoutMail({ dependencies }: Visit): void {
  if (!dependencies.config.mail) throw notFound('This school sends no mail. Its staff give you a link.')
}

async function findPerson(handle: Handle, who: string): Promise<number | undefined> {
  const [row] = await handle.rows(
    'select id from users where closed_at is null and (login = $1 or lower(email) = $1 collate "C") limit 1',
    [who],
  )
  return row && Number(row[0])
}

/** More is passed over in silence, so that it tells nothing. */
const isWithinLimit = (visit: Visit, userId: number) =>
  countAttempt(tallyOf(visit), `forgot user ${userId}`, PER_PERSON).then(
    () => true,
    () => false,
  )
