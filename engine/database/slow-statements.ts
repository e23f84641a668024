import { Counter } from '../base/metrics/counter.ts'
import { metricName, settingName } from '../base/service.ts'
import type { Statements } from './statements.ts'

type Options = {
  readonly statements: Statements
  /** What counts as slow; 0 means that nothing does. */
  readonly milliseconds: number
  readonly onSlow: (slow: { readonly milliseconds: number; readonly statement: string }) => void
}

const MAX_TEXT = 2_000

/** Counts slow statements, and reports each. */
export function watchSlowStatements({ statements, milliseconds: threshold, onSlow }: Options): Counter {
  const slow = new Counter({
    name: metricName('database_slow_statements_total'),
    help: `Statements that took longer than \`${settingName('SLOW_STATEMENT_MS')}\`.`,
  })
  if (threshold > 0) {
    statements.listen(() => ({ text, seconds }) => {
      const milliseconds = Math.round(seconds * 1000)
      if (milliseconds < threshold) return
      slow.add({})
      onSlow({ milliseconds, statement: withoutValues(text) })
    })
  }
  return slow
}

/** Texts with escapes, plain ones, those between dollars, and numbers; also where the end is cut off. */
const LITERALS =
  /\be'(?:[^'\\]|''|\\.)*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$([a-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)|(?<![\w$])\d+(?:\.\d+)?/gi

/** The text of a statement on one line, with none of the values that may stand in it. */
export const withoutValues = (text: string): string =>
  text
    // Cut before it is searched: a statement may be as long as what it carries.
    .slice(0, MAX_TEXT)
    .replace(LITERALS, (literal) => (/^\d/.test(literal) ? '…' : "'…'"))
    .replace(/\s+/g, ' ')
    .trim()
