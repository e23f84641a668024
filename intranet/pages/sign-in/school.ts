import { hash } from 'node:crypto'
import { HttpError, notFound } from '@campus/engine/errors'
import { matchIdentity } from '../../access/school-identities.ts'
import type { Departure, SchoolProvider } from '../../oauth/school-provider.ts'
import { errorSummary } from '../fields.ts'
import { html, say } from '../html.ts'
import { formAction, type Outcome, type PageContext, page, pageContent, redirectTo } from '../page.ts'
import { localPath } from '../return-to.ts'
import { goOnSigningIn } from './steps.ts'

const START = '/sign-in/school'
const BACK = '/sign-in/school/back'
/** Enough time to type a password there. */
const MAX_MS = 10 * 60_000

type Left = Departure & {
  readonly at: number
  readonly returnTo: string
  /** Digest of the key of the browser that began the sign-in. */
  readonly browser: string
}

/** Redirects to the school's provider. The sealed state is in the browser. */
const departure = formAction({
  path: START,
  access: 'anybody',
  async submit(context, form) {
    const { config, clock, sealer } = context.dependencies
    const { url, departure } = await providerOf(context).depart(config.baseUrl + BACK)
    const left: Left = {
      ...departure,
      at: clock.now().getTime(),
      returnTo: localPath(form.text('return_to')),
      browser: hash('sha256', context.key),
    }
    context.setSchoolTrip(sealer.seal('cookie', JSON.stringify(left)))
    // A form may lead only to this service, so this page redirects by itself.
    return pageContent(say('On to your school'), html`<p><a class="button" href="${url}">${say('Continue')}</a></p>`, {
      isNarrow: true,
      refreshTo: url,
    })
  },
})

const arrival = page({
  path: BACK,
  access: 'anybody',
  // The provider's code is valid once.
  hasHead: false,
  async show(context) {
    const { config, database, clock, signIns } = context.dependencies
    const provider = providerOf(context)
    const left = readLeft(context)
    context.setSchoolTrip(undefined)
    if (!left)
      return redirectTo('/sign-in', {
        notice: say('Signing in took too long, or began in another browser. Try again.'),
      })
    try {
      const userId = await signIns.prove('school', async () => {
        const identity = await provider.arrive(new URL(config.baseUrl + context.path), left)
        const address = context.browser.address
        return database.transaction((tx) => matchIdentity(tx, clock.now(), identity, address))
      })
      return await goOnSigningIn(context, { userId, returnTo: left.returnTo, passed: ['school'] })
    } catch (error) {
      if (!(error instanceof HttpError && error.errors)) throw error
      return refused(error)
    }
  },
})

export const SCHOOL_PAGES = [...departure, ...arrival]

const refused = ({ errors = {}, status }: HttpError): Outcome =>
  pageContent(
    say('You are not signed in'),
    html`${errorSummary(errors, {})}<p><a class="button" href="/sign-in">${say('Back to signing in')}</a></p>`,
    { isNarrow: true, status },
  )

function providerOf({ dependencies }: PageContext): SchoolProvider {
  if (!dependencies.school) throw notFound('People sign in by password here.')
  return dependencies.school
}

/** Reads the state in this browser. Returns undefined if it is expired, forged, or from another browser. */
function readLeft({ dependencies, schoolTrip, key }: PageContext): Left | undefined {
  if (schoolTrip === undefined) return undefined
  try {
    const left: Left = JSON.parse(dependencies.sealer.open(schoolTrip))
    const isCurrent = dependencies.clock.now().getTime() - left.at <= MAX_MS
    return isCurrent && left.browser === hash('sha256', key) ? left : undefined
  } catch {
    return undefined
  }
}
