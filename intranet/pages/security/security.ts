import type { Handle } from '@campus/engine/database/database'
import { describeBrowser, identifyBrowser } from '../../access/browsers.ts'
import { endSession, endSessions, listSessions, methodsOf, type SignInMethod } from '../../access/sessions.ts'
import { auditRecordsByOthers, auditRecordsConcerning, recordAudit } from '../../services/audit/audit.ts'
import { actorOf, inTransaction } from '../actor.ts'
import { auditList } from '../audit-texts.ts'
import { buttonForm } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { formAction, idIn, type PersonPageContext, page, pageContent, redirectTo } from '../page.ts'
import { timeOf } from '../times.ts'
import { emailSection } from './email.ts'
import { passkeysSection } from './passkeys.ts'
import { renewingKey } from './proof.ts'
import { secondFactorSection } from './second-factor.ts'

const PATH = '/security'

type Section = (context: PersonPageContext) => Promise<Html>

const passwordSection: Section = async () => html`
  <h2>${say('Password')}</h2>
  <p><a href="/security/password">${say('Change the password')}</a></p>`

const sessionsSection: Section = async (context) => {
  const sessions = await listSessions(
    context.dependencies.database,
    context.dependencies.clock.now(),
    context.person.id,
  )
  const others = sessions.filter(({ id }) => id !== context.session.id)
  return html`
  <h2>${say('Where you are signed in')}</h2>
  <ul class="plain">${sessions.map(
    ({ id, user_agent, address, passed, created_at, last_seen_at }) => html`
    <li class="card row">
      <div>
        <strong>${browserOf(user_agent)}</strong>${id === context.session.id ? ` ${say('(this browser)')}` : ''}<br>
        <span class="quiet">${sayWith('Address {address} · signed in {begun} · last used {used}', {
          address: address ?? say('unknown'),
          begun: timeOf(context, created_at),
          used: timeOf(context, last_seen_at),
        })}${methodsLine(methodsOf(passed))}</span>
      </div>
      ${
        id === context.session.id
          ? ''
          : buttonForm(context, '/security/end-session', say('Sign out there'), {
              kind: 'second',
              fields: { id },
              label: say('Sign out there: {browser} at {address}', {
                browser: browserOf(user_agent),
                address: address ?? say('an unknown address'),
              }),
            })
      }
    </li>`,
  )}</ul>
  ${others.length > 0 ? buttonForm(context, '/security/end-other-sessions', say('Sign out everywhere else'), { kind: 'danger' }) : ''}`
}

const METHOD_NAMES: Readonly<Record<SignInMethod, () => string>> = {
  password: () => say('password'),
  school: () => say('school account'),
  passkey: () => say('passkey'),
  'one-time code': () => say('code of an app'),
  'recovery code': () => say('recovery code'),
}

/** Returns nothing for sessions of a former release, which did not record methods. */
function methodsLine(methods: readonly SignInMethod[]): Html | '' {
  if (methods.length === 0) return ''
  const text = methods
    .map((one) => METHOD_NAMES[one]())
    .reduce((one, other) => say('{one} and {other}', { one, other }))
  return html`<br>${say('By {methods}', { methods: text })}`
}

const browserOf = (userAgent: string | null) => describeBrowser(identifyBrowser(userAgent))

const othersSection: Section = async (context) => {
  const events = await auditRecordsByOthers(context.dependencies.database, context.person.id, 100)
  if (events.length === 0) return html``
  return html`
  <h2>${say('What others did to your account')}</h2>
  <p class="quiet">${say('Staff and operators, with where they were. If you do not know why, ask the staff of your campus.')}</p>
  ${auditList(context, events, { withAddresses: true })}`
}

const eventsSection: Section = async (context) => html`
  <h2>${say('What happened lately')}</h2>
  <p class="quiet">${say(
    'What you did and what was done to your account. If something here was not you, change the password.',
  )}</p>
  ${auditList(context, await auditRecordsConcerning(context.dependencies.database, context.person.id, 25))}`

const SECTIONS: readonly Section[] = [
  passwordSection,
  passkeysSection,
  secondFactorSection,
  emailSection,
  sessionsSection,
  othersSection,
  eventsSection,
]

export const security = page({
  path: PATH,
  access: 'signed-in',
  async show(context) {
    const sections: Html[] = []
    for (const section of SECTIONS) sections.push(await section(context))
    return pageContent(say('Sessions and security'), html`${sections}`)
  },
})

export const endOneSession = formAction({
  path: '/security/end-session',
  access: 'signed-in',
  async submit(context, form) {
    await inTransaction(context, async (tx) => {
      await endSession(tx, context.person.id, idIn(form, 'id'))
      await recordEnd(tx, context)
    })
    return redirectTo(PATH, { notice: say('That browser is signed out.') })
  },
})

export const endOtherSessions = formAction({
  path: '/security/end-other-sessions',
  access: 'signed-in',
  async submit(context) {
    const { person, session } = context
    await renewingKey(context, async (tx) => {
      if ((await endSessions(tx, person.id, session.id)) > 0) await recordEnd(tx, context)
    })
    return redirectTo(PATH, { notice: say('You are signed out everywhere but here.') })
  },
})

const recordEnd = (tx: Handle, context: PersonPageContext) =>
  recordAudit(tx, context.dependencies.clock.now(), {
    kind: 'session_revoked',
    actor: actorOf(context),
    subjectId: context.person.id,
  })
