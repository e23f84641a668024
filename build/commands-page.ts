import { type Entry, entriesOf } from '@campus/intranet/cli/program/manual'
import { campusProgram } from '@campus/intranet/cli/program/program'
import { PARTS } from '@campus/service/parts'

export const COMMANDS_FILE = new URL('../docs/commands.md', import.meta.url)

/** docs/commands.md as the command line declares itself. */
export async function commandsPage(): Promise<string> {
  const program = await campusProgram({ env: {}, parts: PARTS })
  return [HEAD, ...entriesOf(program).map(describe)].join('\n\n').concat('\n')
}

const HEAD = `# The command line

<!-- \`npm run generate -- commands\` writes this page. -->

\`campus <command> --help\` says the same, \`campus completion bash\` completes words, and an installed package has \`man campus\`.
In a checkout it is \`npm run -s campus -- <command>\`. \`--json\` prints one JSON object. An error is a sentence on standard error and
a non-zero exit. Commands work on the database of a running server, which sees at once what they change; where none runs they start
the embedded one for their own time.`

const describe = ({ name, usage, about, options, examples }: Entry): string =>
  [
    `## ${name}`,
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    `\`\`\`text\n${usage}\n${options.map((option) => `  ${option.flags.padEnd(28)} ${option.about}`).join('\n')}\n\`\`\``,
    ...(examples.length > 0 ? [`\`\`\`sh\n${examples.join('\n')}\n\`\`\``] : []),
  ].join('\n\n')
