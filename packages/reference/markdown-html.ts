import { type Html, raw } from '@campus/intranet/pages/html'
import { marked } from 'marked'

/** Converts trusted Markdown to HTML. */
export const markdownHtml = (text: string): Html => raw(marked.parse(text, { async: false }))
