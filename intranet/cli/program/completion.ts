import type { Command } from 'commander'
import { withExamples } from './examples.ts'

export const COMPLETION = 'completion'

/** `campus completion`: completes words of the command line in a shell. */
export function addCompletionCommand(program: Command): void {
  withExamples(program.command(COMPLETION), 'source <(campus completion bash)')
    .description('print the script with which a shell completes words: zsh, bash, fish or powershell')
    .argument('<shell>')
}

/** Answers the shell's script. Loaded only for that. */
export async function completeWords(program: Command, words: readonly string[]): Promise<void> {
  if (words[0] !== COMPLETION && words[0] !== 'complete') return
  const { default: tab } = await import('@bomb.sh/tab/commander')
  Object.assign(program, { commands: program.commands.filter((command) => command.name() !== COMPLETION) })
  tab(program, { completionCommandName: COMPLETION })
}
