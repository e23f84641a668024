import type { Command } from 'commander'

const known = new WeakMap<Command, readonly string[]>()

/** Adds examples to a command, which its help and the manual show. */
export function withExamples(command: Command, ...lines: readonly string[]): Command {
  if (lines.length === 0) return command
  known.set(command, lines)
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
}

export const examplesOf = (command: Command): readonly string[] => known.get(command) ?? []
