#!/usr/bin/env node
import { toError } from '@campus/engine/base/caught'
import { print } from '@campus/engine/base/text/printable'
import { completeWords } from '@campus/intranet/cli/program/completion'
import { campusProgram } from '@campus/intranet/cli/program/program'
import { settingNamesOfParts } from '@campus/intranet/cli/settings-of-parts'
import { withCredentials } from '@campus/intranet/settings/credentials'
import { PARTS } from './parts.ts'

// New files are accessible to their owner only, also before they get a mode.
process.umask(0o077)

try {
  const words = process.argv.slice(2)
  const env = withCredentials(process.env, settingNamesOfParts(PARTS))
  const program = await campusProgram({ env, parts: PARTS }, words)
  await completeWords(program, words)
  await program.parseAsync()
} catch (error) {
  print(toError(error).message, process.stderr)
  process.exitCode = 1
}
