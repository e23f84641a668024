import { endSessionOfKey, newKey } from '../../access/sessions.ts'
import { recordAudit } from '../../services/audit/audit.ts'
import { say } from '../html.ts'
import { formAction, type PageContext, redirectTo } from '../page.ts'

export const signOut = formAction({
  path: '/sign-out',
  access: 'anybody',
  async submit(context) {
    await endSessionHere(context)
    return redirectTo('/', { notice: say('You are signed out.') })
  },
})

export async function endSessionHere(context: PageContext): Promise<void> {
  const { database, clock } = context.dependencies
  await database.transaction(async (tx) => {
    const isEnded = await endSessionOfKey(tx, context.key)
    const person = context.person ?? context.enrolling?.person
    if (!isEnded || !person) return
    const actor = { userId: person.id, address: context.browser.address }
    await recordAudit(tx, clock.now(), { kind: 'signed_out', actor, subjectId: actor.userId })
  })
  context.setKey(newKey())
  context.forgetSession()
}
