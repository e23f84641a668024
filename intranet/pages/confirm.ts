import { csrfField } from './fields.ts'
import { type Html, html, say } from './html.ts'
import { type PageContent, type PageContext, pageContent } from './page.ts'

type Question = {
  readonly title: string
  /** Text that describes the effect. */
  readonly text: Html | string
  /** Path that the form is sent to. */
  readonly path: string
  /** Path of the link back; `path` by default. */
  readonly back?: string
  readonly fields: Readonly<Record<string, string | number>>
  readonly button: string
  readonly isDanger?: boolean
}

/** Whether the form comes from the page that asks once more. */
export const isConfirmed = (form: { text(name: string): string }): boolean => form.text('confirmed') === 'yes'

/** Asks once more before something that cannot be taken back; the same form comes again, confirmed. */
export const confirmation = (context: PageContext, question: Question): PageContent =>
  pageContent(
    question.title,
    html`
    <p>${question.text}</p>
    <form method="post" action="${question.path}">${csrfField(context)}
      ${Object.entries(question.fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <div class="actions"><button name="confirmed" value="yes" class="${question.isDanger ? 'danger' : ''}">${question.button}</button>
        <a href="${question.back ?? question.path}">${say('Leave it as it is')}</a></div>
    </form>`,
    { isNarrow: true },
  )
