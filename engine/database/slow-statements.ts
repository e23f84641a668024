import { Counter } from '../base/metrics/counter.ts'
import { metricName, settingName } from '../base/service.ts'
import type { Statements } from './statements.ts'

type Options = {
  readonly statements: Statements
  /** Minimum time of a slow statement. 0 disables the watch. */
  readonly milliseconds: number
  readonly onSlow: (slow: { readonly milliseconds: number; readonly statement: string }) => void
}

const MAX_TEXT = 2_000

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

/** Strings with escapes, plain or dollar-quoted, and numbers, also if they are cut off. */
const LITERALS =
  /\be'(?:[^'\\]|''|\\.)*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$([a-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)|(?<![\w$])\d+(?:\.\d+)?/gi

export const withoutValues = (text: string): string =>
  text
    // Cut first, since a statement may be as long as its values.
    .slice(0, MAX_TEXT)
    .replace(LITERALS, (literal) => (/^\d/.test(literal) ? '…' : "'…'"))
    .replace(/\s+/g, ' ')
    .trim()
