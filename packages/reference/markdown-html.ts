import { type Html, raw } from '@campus/intranet/pages/html'
import { marked } from 'marked'

/** Our own Markdown as HTML. */
export const markdownHtml = (text: string): Html => raw(marked.parse(text, { async: false }))
