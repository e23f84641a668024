import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { CallExpression, NewExpression, Node } from 'typescript/unstable/ast'
import {
  isArrayLiteralExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'

/** A message that the sources say. */
export type SaidText = {
  readonly file: string
  /** Undefined where it is not one literal. */
  readonly message: string | undefined
  /** The names of its values; undefined where they are not written out beside it. */
  readonly values: readonly string[] | undefined
}

/** What the sources say to people: by `say`, and in English as refusals that a page may come to show. */
export type SourceTexts = {
  readonly said: readonly SaidText[]
  /** With `{}` for its values. */
  readonly refusals: ReadonlySet<string>
  /** Every text in the sources, likewise. */
  readonly all: ReadonlySet<string>
}

/** Reads the sources, as the compiler does. */
export function readSourceTexts(): SourceTexts {
  const said: SaidText[] = []
  const refusals = new Set<string>()
  const all = new Set<string>()
  const constants = new Map<string, Node>()
  const refused: Node[] = []
  const onPages = reachedFromPages()
  const api = new API({ cwd: resolve('.') })
  try {
    const { program } = api.updateSnapshot({ openProject: resolve('tsconfig.json') }).getProjects()[0] ?? {}
    for (const file of globSync('src/**/*.ts', { exclude: (path) => path.endsWith('.d.ts') })) {
      const source = program?.getSourceFile(resolve(file))
      if (!source) continue
      const says = /\/say\.ts'/.test(source.text)
      const visit = (node: Node): void => {
        for (const text of ownTextOf(node)) all.add(text)
        if (onPages.has(file) && isVariableDeclaration(node) && isIdentifier(node.name) && node.initializer)
          constants.set(node.name.text, node.initializer)
        if (
          says &&
          isCallExpression(node) &&
          isIdentifier(node.expression) &&
          /^say(With)?$/.test(node.expression.text)
        )
          said.push({ file, ...messageOf(node) })
        const refusal = (isCallExpression(node) || isNewExpression(node)) && onPages.has(file) && refusalIn(node)
        if (refusal) refused.push(refusal)
        node.forEachChild(visit)
      }
      visit(source)
    }
    for (const node of refused) for (const text of textsOf(node, constants)) refusals.add(text)
  } finally {
    api.close()
  }
  return { said, refusals, all: new Set([...all, ...refusals]) }
}

/** The files whose code a page may run. */
function reachedFromPages(): ReadonlySet<string> {
  const reached = new Set<string>()
  const open = globSync('src/pages/**/*.ts', { exclude: ['src/pages/reference/**'] })
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue
    reached.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type)[^'"]*?from '(\.[^']+)'/gm)
    for (const [, from] of imports) open.push(join(dirname(file), from as string))
  }
  return reached
}

function messageOf({ arguments: [message, values] }: CallExpression): Omit<SaidText, 'file'> {
  const names = values && isObjectLiteralExpression(values) ? values.properties.map(nameOf) : []
  return {
    message:
      message && ownTextOf(message).find(() => isStringLiteral(message) || isNoSubstitutionTemplateLiteral(message)),
    values:
      (values && !isObjectLiteralExpression(values)) || names.includes(undefined) ? undefined : (names as string[]),
  }
}

const nameOf = (property: Node) =>
  (isPropertyAssignment(property) || isShorthandPropertyAssignment(property)) && isIdentifier(property.name)
    ? property.name.text
    : undefined

const REFUSALS = ['unprocessable', 'notFound', 'accessDenied', 'malformed', 'unavailable', 'AuthorizePageError']

/** Where a refusal says what is wrong. */
function refusalIn(node: CallExpression | NewExpression): Node | undefined {
  const { expression, arguments: given = [] } = node
  if (isIdentifier(expression)) {
    if (expression.text === 'HttpError') return given[1]
    return REFUSALS.includes(expression.text) ? given[0] : undefined
  }
  const isFault =
    isPropertyAccessExpression(expression) &&
    expression.name.text === 'add' &&
    isIdentifier(expression.expression) &&
    expression.expression.text === 'errors'
  return isFault ? given[1] : undefined
}

/** What an expression may come to, as far as it is written down. */
function textsOf(node: Node, constants: ReadonlyMap<string, Node>): readonly string[] {
  const all = (nodes: readonly Node[]) => nodes.flatMap((one) => textsOf(one, constants))
  if (isConditionalExpression(node)) return all([node.whenTrue, node.whenFalse])
  if (isArrayLiteralExpression(node)) return all(node.elements)
  if (isObjectLiteralExpression(node))
    return all(node.properties.flatMap((one) => (isPropertyAssignment(one) ? [one.initializer] : [])))
  if (isParenthesizedExpression(node)) return all([node.expression])
  // A text in another is part of it; anything else is a value of it.
  if (isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression, literal }) => {
      const constant =
        isIdentifier(expression) && /^[A-Z_]+$/.test(expression.text) ? constants.get(expression.text) : undefined
      return ((constant && ownTextOf(constant)[0]) ?? '{}') + literal.text
    })
    return [node.head.text + parts.join('')]
  }
  if (isIdentifier(node)) {
    const value = constants.get(node.text)
    return value && ownTextOf(value).length > 0 ? ownTextOf(value) : []
  }
  return ownTextOf(node)
}

/** The text that a literal is, with `{}` for each of its values, or literals that stand in a row. */
function ownTextOf(node: Node): readonly string[] {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [node.text]
  if (isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')]
  if (isBinaryExpression(node)) {
    const [left] = ownTextOf(node.left)
    const [right] = ownTextOf(node.right)
    return left !== undefined && right !== undefined ? [left + right] : []
  }
  return []
}
