import type { Handle } from '@campus/engine/database/database'
import { identifyBrowser } from '../../access/browsers.ts'
import { factorsOf, isProtected } from '../../access/factors.ts'
import { knowsBrowser, rememberBrowser } from '../../access/known-browsers.ts'
import { mustEnrol } from '../../access/second-factor-requirements.ts'
import {
  endSessionOfKey,
  giveSignIns,
  holdOpenAccount,
  SECOND_FACTOR_METHODS,
  type SignInMethod,
  startSession,
  takeSignIns,
} from '../../access/sessions.ts'
import { recordAudit } from '../../services/audit/audit.ts'
import { queueMail } from '../../services/mail/queue-mail.ts'
import { html, say } from '../html.ts'
import { type Outcome, type PageContext, pageContent, redirectTo } from '../page.ts'
import { localPath } from '../return-to.ts'
import { ENROL_PATH } from '../security/enrol.ts'

/** A step between the first factor and the session. */
export type SignInStep = {
  readonly name: string
  /** The step's page continues with `goOnSigningIn`. */
  readonly path: string
  readonly isNeeded: (handle: Handle, userId: number) => Promise<boolean>
  readonly passedBy?: readonly SignInMethod[]
}

export const SECOND_FACTOR_STEP = 'second-factor'
export const SECOND_FACTOR_PATH = '/sign-in/code'

export const SIGN_IN_STEPS: readonly SignInStep[] = [
  {
    name: SECOND_FACTOR_STEP,
    path: SECOND_FACTOR_PATH,
    isNeeded: async (handle, userId) => isProtected(await factorsOf(handle, userId)),
    passedBy: SECOND_FACTOR_METHODS,
  },
]

type Proven = {
  readonly userId: number
  readonly returnTo: string
  /** Methods of the sign-in, and names of finished steps, in order. */
  readonly passed: readonly string[]
}

/** Leads to the next step, or signs the person in. The browser gets a new key each time (session fixation). */
export async function goOnSigningIn(
  context: PageContext,
  { userId, returnTo, passed }: Proven,
  steps: readonly SignInStep[] = SIGN_IN_STEPS,
): Promise<Outcome> {
  const { database, clock } = context.dependencies
  const { key, next, hasToEnrol } = await database.transaction(async (tx) => {
    // If a second factor is added concurrently, the sign-in asks for it, or the new factor ends this session.
    await holdOpenAccount(tx, userId)
    const next = await firstNeeded(tx, userId, passed, steps)
    const hasToEnrol = !next && (await mustEnrol(tx, userId))
    const progress = { passed, step: next?.name, ...((next || hasToEnrol) && { returnTo }) }
    const signIns = await takeSignIns(tx, context.key, userId)
    const wasThere = await endSessionOfKey(tx, context.key)
    // The first step counts only while its session lasts, which a new password ends.
    if (context.pending && !wasThere) return { key: undefined, next, hasToEnrol }
    if (!next) {
      await knowBrowser(tx, context, userId)
      await recordSignIn(tx, context, userId, passed)
    }
    const started = await startSession(tx, clock.now(), userId, context.browser, progress)
    await giveSignIns(tx, started, signIns)
    return { key: started, next, hasToEnrol }
  })
  if (key === undefined) return startAgain(context)
  if (!next) context.dependencies.signIns.signedIn()
  context.setKey(key)
  if (hasToEnrol) return redirectTo(ENROL_PATH)
  return next ? redirectTo(next.path) : goTo(localPath(returnTo))
}

export const startAgain = ({ person }: PageContext): Outcome =>
  redirectTo('/sign-in', {
    ...(!person && { notice: say('This sign-in has expired or was ended elsewhere. Sign in again.') }),
  })

/** Mails the user about a browser that the account did not know. */
async function knowBrowser(tx: Handle, context: PageContext, userId: number): Promise<void> {
  const { dependencies, browser } = context
  const now = dependencies.clock.now()
  const key = context.setBrowserKey()
  if (!(await knowsBrowser(tx, now, userId, key))) {
    const { address, userAgent } = browser
    const details = { at: now.toISOString(), address, ...identifyBrowser(userAgent ?? null) }
    await queueMail(tx, { kind: 'new_sign_in', userId, details, now })
  }
  await rememberBrowser(tx, now, userId, key)
}

/** Names of methods in the audit log, if they differ. */
const RECORDED: Readonly<Record<string, string>> = {
  school: 'school account',
  'one-time code': 'second factor',
  'recovery code': 'second factor',
}

function recordSignIn(tx: Handle, { dependencies, browser }: PageContext, userId: number, passed: readonly string[]) {
  const actor = { userId, address: browser.address }
  const details = { by: passed.map((name) => RECORDED[name] ?? name).join(' and ') }
  return recordAudit(tx, dependencies.clock.now(), { kind: 'signed_in', actor, subjectId: userId, details })
}

async function firstNeeded(handle: Handle, userId: number, passed: readonly string[], steps: readonly SignInStep[]) {
  for (const step of steps) {
    const isPassed = [step.name, ...(step.passedBy ?? [])].some((name) => passed.includes(name))
    if (!isPassed && (await step.isNeeded(handle, userId))) return step
  }
  return undefined
}

/**
 * Redirects by a page, since Chromium applies the form's policy to every redirect that follows, and an application is
 * another origin.
 */
function goTo(path: string): Outcome {
  if (!/^(\/v2)?\/oauth\/authorize(\?|$)/.test(path)) return redirectTo(path)
  return pageContent(say('You are signed in'), html`<p><a class="button" href="${path}">${say('Continue')}</a></p>`, {
    isNarrow: true,
    refreshTo: path,
  })
}
