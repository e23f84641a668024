import { marked } from 'marked'
import { type Html, raw } from '../html.ts'

/** Our own Markdown as HTML. */
export const markdownHtml = (text: string): Html => raw(marked.parse(text, { async: false }))
