import { readFile } from 'node:fs/promises'
import { filled } from '../../base/languages/say.ts'
import { planToStore } from '../../domain/school/clean-plan.ts'
import { decodeSvg } from '../../domain/school/read-svg.ts'
import { HttpError } from '../../errors.ts'
import { answerWith, type Paths, readerTask, writeOutput } from '../../http/readers/reader.ts'
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
