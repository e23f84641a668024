import { marked } from 'marked'
import { type Html, raw } from '../html.ts'

/** A text of ours in Markdown as part of a page. */
export const markdownHtml = (text: string): Html => raw(marked.parse(text, { async: false }))
