#!/usr/bin/env node
import { toError } from '@campus/engine/base/caught'
import { print } from '@campus/engine/base/text/printable'
import { completeWords } from './cli/program/completion.ts'
import { campusProgram } from './cli/program/program.ts'
import { withCredentials } from './settings/credentials.ts'

// Whatever is made from here on is its owner's alone, also before it is given a mode of its own.
process.umask(0o077)

try {
  const program = campusProgram(withCredentials(process.env))
  await completeWords(program, process.argv.slice(2))
  await program.parseAsync()
} catch (error) {
  print(toError(error).message, process.stderr)
  process.exitCode = 1
}
