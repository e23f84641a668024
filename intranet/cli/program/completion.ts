import type { Command } from 'commander'
import { withExamples } from './examples.ts'

/** Name of the command that completes words. */
export const COMPLETION = 'completion'

/** `campus completion`: what a shell needs to complete words of the command line. */
export function addCompletionCommand(program: Command): void {
  withExamples(program.command(COMPLETION), 'source <(campus completion bash)')
    .description('print the script with which a shell completes words: zsh, bash, fish or powershell')
    .argument('<shell>')
}

/** Lets the shell's script ask. Loaded only where the command line is about that. */
export async function completeWords(program: Command, words: readonly string[]): Promise<void> {
  if (words[0] !== COMPLETION && words[0] !== 'complete') return
  const { default: tab } = await import('@bomb.sh/tab/commander')
  Object.assign(program, { commands: program.commands.filter((command) => command.name() !== COMPLETION) })
  tab(program, { completionCommandName: COMPLETION })
}
