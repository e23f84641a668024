import { csrfField, hiddenInputs } from './fields.ts'
import { type Html, html, say } from './html.ts'
import { type PageContent, type PageContext, pageContent, pathOf } from './page.ts'

type Question = {
  readonly title: string
  readonly text: Html | string
  /** Path of the link back; the page's own path by default. */
  readonly back?: string
  readonly fields?: Readonly<Record<string, string | number>>
  readonly button: string
  readonly isDanger?: boolean
}

/** Reports whether a form comes from the page that `confirmation` returned. */
export const isConfirmed = (form: { text(name: string): string }): boolean => form.text('confirmed') === 'yes'

/** Asks before something that cannot be undone. The answer is sent to the page's own path. */
export function confirmation(context: PageContext, question: Question): PageContent {
  const { title, text, back = pathOf(context), fields = {}, button, isDanger = false } = question
  return pageContent(
    title,
    html`
    <p>${text}</p>
    <form method="post" action="${pathOf(context)}">${csrfField(context)}
      ${hiddenInputs(fields)}
      <div class="actions"><button name="confirmed" value="yes" class="${isDanger ? 'danger' : ''}">${button}</button>
        <a href="${back}">${say('Leave it as it is')}</a></div>
    </form>`,
    { isNarrow: true },
  )
}
