#!/usr/bin/env node
import { campusProgram } from './commands/program.ts'

try {
  await campusProgram(process.env).parseAsync()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
