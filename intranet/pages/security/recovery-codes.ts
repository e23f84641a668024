import { factorsOf, isProtected } from '../../access/factors.ts'
import { copiedLines, printButton } from '../copy.ts'
import { html, say } from '../html.ts'
import { type Outcome, type PersonPageContext, pageContent } from '../page.ts'
import { localPath } from '../return-to.ts'

export const RECOVERY_PATH = '/security/second-factor/recovery-codes'

/** Explains a reload of the page that showed recovery codes. Undefined if the person has no second factor. */
export async function explainCodesShown({ dependencies, person }: PersonPageContext): Promise<Outcome | undefined> {
  if (!isProtected(await factorsOf(dependencies.database, person.id))) return undefined
  return pageContent(
    say('The second factor is on'),
    html`
    <p>${say('Recovery codes are shown once. If you did not keep them, make new ones: the former ones end.')}</p>
    <div class="actions"><a class="button" href="${RECOVERY_PATH}">${say('Make new recovery codes')}</a>
      <a href="/security">${say('Back to Sessions and security')}</a></div>`,
    { status: 403, isNarrow: true },
  )
}

/** Shows codes to copy, print and download. The file is a `data:` address, since the service cannot show codes again. */
export function showCodes(context: PersonPageContext, title: string, codes: readonly string[]): Outcome {
  const text = codes.join('\n')
  const { enrolling } = context
  return pageContent(
    title,
    html`
    <p class="notice"><strong>${say('Keep these recovery codes.')}</strong>
      ${say('Each signs you in once when your phone or passkey is not there. They are shown this once.')}</p>
    ${copiedLines({ id: 'recovery-codes', text, button: say('Copy the codes') })}
    <div class="actions"><a class="button second" href="data:text/plain;base64,${Buffer.from(`${text}\n`).toString('base64')}" download="campus-recovery-codes.txt">${say('Download the codes')}</a>
      ${printButton(say('Print the codes'))}</div>
    <p>${
      enrolling
        ? html`<a class="button" href="${localPath(enrolling.returnTo ?? undefined)}">${say('Go on')}</a>`
        : html`<a class="button" href="/security">${say('Back to Sessions and security')}</a>`
    }</p>`,
    { isNarrow: true, scripts: ['copy'] },
  )
}
