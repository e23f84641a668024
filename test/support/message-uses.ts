import { resolve } from 'node:path'
import type { Node, StringLiteral } from 'typescript/unstable/ast'
import {
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isStringLiteral,
} from 'typescript/unstable/ast/is'
import { API } from 'typescript/unstable/sync'
import { sourceFiles } from './sources.ts'

/** A place in the sources where the key of a message stands. */
export type MessageUse = {
  readonly file: string
  readonly key: string
  /** The names of the values beside it: none where it stands alone, undefined where they are not written out. */
  readonly values: readonly string[] | undefined
}

const TAKING_VALUES = ['message', 'say', 'sayWith']

/** Every literal of the sources that is one of `keys`, as the compiler reads them. */
export function findMessageUses(keys: ReadonlySet<string>): readonly MessageUse[] {
  const uses: MessageUse[] = []
  const api = new API({ cwd: resolve('.') })
  try {
    const { program } = api.updateSnapshot({ openProject: resolve('tsconfig.json') }).getProjects()[0] ?? {}
    for (const file of sourceFiles()) {
      const visit = (node: Node, values: MessageUse['values']): void => {
        if (isLiteral(node) && keys.has(node.text)) uses.push({ file, key: node.text, values })
        const taken =
          isCallExpression(node) && isIdentifier(node.expression) && TAKING_VALUES.includes(node.expression.text)
        const [key, given] = taken ? node.arguments : []
        node.forEachChild((child) => {
          const isKeyPart = child === key || (isConditionalExpression(node) && child !== node.condition)
          visit(child, child === key ? namesOf(given) : isKeyPart ? values : [])
        })
      }
      const source = program?.getSourceFile(resolve(file))
      if (source) visit(source, [])
    }
  } finally {
    api.close()
  }
  return uses
}

const isLiteral = (node: Node): node is StringLiteral => isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)

function namesOf(values: Node | undefined): readonly string[] | undefined {
  if (values === undefined) return []
  if (!isObjectLiteralExpression(values)) return undefined
  const names = values.properties.map((property) =>
    (isPropertyAssignment(property) || isShorthandPropertyAssignment(property)) && isIdentifier(property.name)
      ? property.name.text
      : undefined,
  )
  return names.every((name) => name !== undefined) ? names : undefined
}
