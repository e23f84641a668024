import { SyntaxKind } from 'typescript/unstable/ast'
import { createScanner } from 'typescript/unstable/ast/scanner'

/** A name, or a line of a comment or document. Names are split into their words: `rowCounts` is `row counts`. */
export type Wording = { readonly kind: 'name' | 'comment' | 'document'; readonly text: string; readonly line: number }

/** Text before a slash that divides. After any other text a slash begins a regular expression. */
const OPERANDS: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.PrivateIdentifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.BigIntLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.RegularExpressionLiteral,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.CloseBraceToken,
  SyntaxKind.ThisKeyword,
])

/** The identifiers and the comments of a TypeScript or JavaScript source. */
export function* wordingOfSource(source: string): Generator<Wording> {
  const scanner = createScanner(false)
  scanner.setText(source)
  const lineOf = lines(source)
  /** For each open brace, whether it is that of a template. */
  const braces: boolean[] = []
  let last = SyntaxKind.Unknown
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFile; token = scanner.scan()) {
    if (token === SyntaxKind.CloseBraceToken && braces.pop()) token = scanner.reScanTemplateToken(false)
    if (token === SyntaxKind.SlashToken && !OPERANDS.has(last)) token = scanner.reScanSlashToken()
    if (token === SyntaxKind.OpenBraceToken) braces.push(false)
    if (token === SyntaxKind.TemplateHead || token === SyntaxKind.TemplateMiddle) braces.push(true)
    const [text, line] = [scanner.getTokenText(), lineOf(scanner.getTokenStart())]
    if (token === SyntaxKind.SingleLineCommentTrivia || token === SyntaxKind.MultiLineCommentTrivia) {
      for (const [index, part] of text.split('\n').entries()) yield { kind: 'comment', text: part, line: line + index }
    } else if (token === SyntaxKind.Identifier || token === SyntaxKind.PrivateIdentifier) {
      yield { kind: 'name', text: wordsOf(text), line }
    }
    if (token > SyntaxKind.LastTriviaToken) last = token
  }
}

/** The comments of a source, without their marks. Comments on neighbouring lines are one comment. */
export function* commentsOf(source: string): Generator<Wording> {
  let comment: Wording | undefined
  let last = 0
  let isAfterLineComment = false
  for (const { kind, text: marked, line } of wordingOfSource(source)) {
    if (kind !== 'comment') continue
    const text = marked.replace(/^\s*(?:\/\*\*?|\/\/+|\*(?!\/))?\s?|\s*\*\/\s*$/g, '').trim()
    const isLineComment = /^\s*\/\//.test(marked)
    const isNew = line !== last + 1 || /^\s*\/\*/.test(marked) || (isLineComment && !isAfterLineComment)
    if (isNew && comment?.text) yield comment
    comment = isNew || !comment ? { kind, text, line } : { ...comment, text: `${comment.text} ${text}`.trim() }
    last = line
    isAfterLineComment = isLineComment
  }
  if (comment?.text) yield comment
}

/** The lines of a document without its code. */
export function* wordingOfDocument(markdown: string): Generator<Wording> {
  let isCode = false
  for (const [index, text] of markdown.split('\n').entries()) {
    if (text.trimStart().startsWith('```')) isCode = !isCode
    else if (!isCode) yield { kind: 'document', text: text.replace(/`[^`]*`/g, '`'), line: index + 1 }
  }
}

/** The words of a name, in lower case with spaces between. */
export const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

function lines(text: string): (at: number) => number {
  let [line, from] = [1, 0]
  return (at) => {
    for (let next = text.indexOf('\n', from); next !== -1 && next < at; next = text.indexOf('\n', from)) {
      line += 1
      from = next + 1
    }
    return line
  }
}
