import { serviceVersion } from '@campus/engine/base/service'
import { type Entry, entriesOf } from '@campus/intranet/cli/program/manual'
import type { Command } from 'commander'

/** The manual page of the command line, as `man` reads it. */
export const manPage = (program: Command): string =>
  [
    `.TH CAMPUS 1 "" "Campus Intranet ${serviceVersion()}" "Campus Intranet"`,
    ...['.SH NAME', 'campus \\- a school intranet: its server and its administration'],
    ...['.SH SYNOPSIS', '.B campus', '.I command', '[\\fIoptions\\fR]'],
    ...['.SH COMMANDS', ...entriesOf(program).flatMap(describe)],
    ...['.SH ENVIRONMENT', 'Every setting is a variable; docs/settings.md of the package lists them all.'],
    ...['.SH EXIT STATUS', 'Zero; one where something was refused or failed, with a sentence on standard error.'],
    '',
  ].join('\n')

const describe = ({ usage, about, options, examples }: Entry): string[] => [
  `.SS "${literally(usage)}"`,
  `${literally(about)}.`,
  ...options.flatMap((option) => ['.TP', `\\fB${literally(option.flags)}\\fR`, literally(option.about)]),
  ...(examples.length > 0
    ? ['.PP', 'Examples:', '.nf', ...examples.map((line) => `    ${literally(line)}`), '.fi']
    : []),
]

/** A line that begins with a dot or an apostrophe would be a request. */
const literally = (text: string) =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq').replace(/^[.']/, '\\&$&')
