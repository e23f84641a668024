import type { Token, Tokens } from 'marked'
import { type Html, html } from './html.ts'

/** Longer texts are shown as they are: reading them as Markdown would hold up others. */
export const MAX_MARKDOWN = 4_000

/**
 * What somebody wrote, as part of a page: paragraphs, lists, emphasis, code, quotes and links of Markdown. All else, HTML above all, is
 * shown as it was typed; a picture is its description.
 */
export async function writtenText(text: string): Promise<Html> {
  const asTyped = html`<p class="lines">${text}</p>`
  if (text.length > MAX_MARKDOWN) return asTyped
  const { lexer } = await import('marked') // Few pages show such texts.
  try {
    return html`${blocks(lexer(text, { gfm: true, breaks: true }))}`
  } catch (error) {
    // Quotes within quotes, thousands deep.
    if (error instanceof RangeError) return asTyped
    throw error
  }
}

const blocks = (tokens: readonly Token[] = []): readonly Html[] => tokens.map(block)

function block(token: Token): Html {
  switch (token.type) {
    case 'space':
      return html``
    case 'hr':
      return html`<hr>`
    case 'paragraph':
      return html`<p>${inline(token.tokens)}</p>`
    case 'heading':
      return html`<p><strong>${inline(token.tokens)}</strong></p>`
    case 'blockquote':
      return html`<blockquote>${blocks(token.tokens)}</blockquote>`
    case 'code':
      return html`<pre tabindex="0">${token.text}</pre>`
    case 'list': {
      const items = (token as Tokens.List).items.map(({ tokens }) => html`<li>${blocks(tokens)}</li>`)
      return token.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`
    }
    case 'text':
      return token.tokens ? html`${inline(token.tokens)}` : html`${token.raw}`
    default:
      return html`<p class="lines">${token.raw}</p>`
  }
}

const inline = (tokens: readonly Token[] = []): readonly Html[] => tokens.map(inlineOne)

function inlineOne(token: Token): Html {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inline(token.tokens)}</strong>`
    case 'em':
      return html`<em>${inline(token.tokens)}</em>`
    case 'del':
      return html`<s>${inline(token.tokens)}</s>`
    case 'codespan':
      return html`<code>${token.text}</code>`
    case 'br':
      return html`<br>`
    case 'escape':
      return html`${token.text}`
    case 'text':
      return token.tokens ? html`${inline(token.tokens)}` : html`${token.raw}`
    case 'link':
      return isAddress(token.href)
        ? html`<a href="${token.href}" rel="nofollow noopener noreferrer">${inline(token.tokens)}</a>`
        : html`${token.raw}`
    case 'image':
      return html`${token.text}`
    default:
      return html`${token.raw}`
  }
}

/** Of a page, and of nothing that a browser would run or look into. */
const isAddress = (href: string) => ['https:', 'http:'].includes(URL.parse(href)?.protocol ?? '')
