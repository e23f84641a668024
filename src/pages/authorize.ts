import { authorize, type Ending } from '../oauth/authorize/authorize.ts'
import { SCOPES } from '../scopes.ts'
import { csrfField } from './fields.ts'
import { html } from './html.ts'
import { formPage, type Outcome, redirectTo, view } from './page.ts'
import { askedParameters, hasSignedInAgain, queryAfterSigningIn, queryOf } from './sign-in-again.ts'
import type { Visit } from './visit.ts'

/** /oauth/authorize: where an application sends people to be allowed to act for them. */
export const authorizePages = ['/oauth/authorize', '/v2/oauth/authorize'].flatMap((path) =>
  formPage({
    path,
    access: 'anybody',
    show: async (visit) => show(visit, await run(visit, undefined)),
    submit: async (visit, form) => show(visit, await run(visit, readDecision(form.text('decision')))),
  }),
)

const readDecision = (text: string) => (text === 'allow' || text === 'deny' ? text : undefined)

function run(visit: Visit, decision: 'allow' | 'deny' | undefined): Promise<Ending> {
  const { dependencies, path, person, session, browser } = visit
  const { database, clock, config } = dependencies
  const asked = askedParameters(queryOf(path))
  return authorize(
    { database, clock, baseUrl: config.baseUrl },
    {
      asked,
      userId: person?.id,
      sessionId: session?.id,
      decision,
      hasSignedInAgain: hasSignedInAgain(visit),
      address: browser.address,
    },
  )
}

async function show(visit: Visit, ending: Ending): Promise<Outcome> {
  switch (ending.kind) {
    case 'redirect':
      return redirectTo(ending.to)
    case 'sign-in':
      return redirectTo(`/sign-in?again=yes&return_to=${encodeURIComponent(await afterSignIn(visit))}`)
    case 'fault':
      return showFault(ending.message)
    case 'consent':
      return askForConsent(visit, ending)
  }
}

const showFault = (message: string): Outcome =>
  view(
    'This request is not valid',
    html`
    <p class="problem">${message}</p>
    <p>You came here from an application that asks for leave to act for you, and its request has a mistake that only its
      developers can mend. You have not been sent back to it, and it was given nothing.</p>`,
    { status: 400, isNarrow: true },
  )

function askForConsent(visit: Visit, { client, scopes, redirectUri }: Extract<Ending, { kind: 'consent' }>): Outcome {
  return view(
    `Allow ${client.name} to act for you?`,
    html`
    <p>The application <strong>${client.name}</strong>${
      client.website ? html` (<span class="code">${client.website}</span>)` : ''
    } wants to use Campus Intranet as you, <strong>${visit.person?.displayname}</strong>
      (${visit.person?.login}). It could then:</p>
    <ul>${scopes.map((scope) => html`<li>${SCOPES[scope as keyof typeof SCOPES] ?? scope}</li>`)}</ul>
    <form method="post" action="${visit.path}">
      ${csrfField(visit)}
      <div class="actions">
        <button name="decision" value="allow">Allow</button>
        <button name="decision" value="deny" class="second">Do not allow</button>
      </div>
    </form>
    <p class="quiet">Either way you go on to <span class="code">${hostOf(redirectUri)}</span>. It does not learn your password,
      and you can take back what you allow at any time.</p>`,
    { isNarrow: true, isBare: true, formTargets: targetsOf(redirectUri) },
  )
}

/** Schemes, not hosts: the application may send the browser on to another address of its own. */
function targetsOf(redirectUri: string): readonly string[] {
  const scheme = URL.parse(redirectUri)?.protocol ?? 'https:'
  return scheme === 'https:' ? [scheme] : [scheme, 'https:']
}

/** An application that comes back by a scheme of its own has no host. */
const hostOf = (uri: string) => URL.parse(uri)?.host || uri

/** The same request, with the proof that its wish for a new sign-in has been met, once it has. */
async function afterSignIn(visit: Visit): Promise<string> {
  return `${visit.path.split('?', 1)[0]}?${await queryAfterSigningIn(visit)}`
}
