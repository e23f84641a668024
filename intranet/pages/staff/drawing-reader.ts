import { readFile } from 'node:fs/promises'
import { filled } from '@campus/engine/base/languages/say'
import { HttpError } from '@campus/engine/errors'
import { answerWith, type Paths, readerTask, writeOutput } from '@campus/engine/http/readers/reader'
import { planToStore } from '../../school/domain/school/clean-plan.ts'
import { decodeSvg } from '../../school/domain/school/read-svg.ts'
import type { DrawingAnswer } from './read-drawing.ts'

const task = readerTask<Paths>()
await answerWith(await readAnswer())
process.exit()

async function readAnswer(): Promise<DrawingAnswer> {
  try {
    await writeOutput(task, planToStore(decodeSvg(await readFile(task.path))))
    return { faults: [] }
  } catch (error) {
    if (error instanceof HttpError && error.errors?.svg) return { faults: error.errors.svg.map((text) => filled(text)) }
    throw error
  }
}
