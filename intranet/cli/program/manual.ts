import type { Command, Option } from 'commander'
import { examplesOf } from './examples.ts'

/** A command in the manual. */
export type Entry = {
  /** Such as `campus app create`. */
  readonly name: string
  /** Such as `campus app show [options] <uid>`. */
  readonly usage: string
  readonly about: string
  readonly options: readonly { readonly flags: string; readonly about: string }[]
  readonly examples: readonly string[]
}

/** Returns all commands in the order of the help. */
export function entriesOf(program: Command): readonly Entry[] {
  return program
    .createHelp()
    .visibleCommands(program)
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => (command.commands.length > 0 ? entriesOf(command) : [entryOf(command)]))
}

function entryOf(command: Command): Entry {
  const help = command.createHelp()
  const options = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help')
    .map((option: Option) => ({ flags: option.flags, about: help.optionDescription(option) }))
  const usage = help.commandUsage(command).replace(/ \[options\]/, options.length > 0 ? ' [options]' : '')
  return {
    name: usage.split(/ [[<]/, 1)[0] ?? usage,
    usage,
    about: help.subcommandDescription(command),
    options,
    examples: examplesOf(command),
  }
}
