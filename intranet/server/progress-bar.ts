import type { Progress, ShowProgress } from '@campus/engine/base/progress'
import { printableValue } from '@campus/engine/base/text/printable'

/** Shows nothing. */
export const quietly: ShowProgress = (_title, work) => work(() => {})

/** Shows a bar on a terminal, and nothing to a script. */
export const withProgressBar: ShowProgress = (title, work) =>
  process.stdout.isTTY && process.stdout.columns > 0 ? drawWhile(title, work) : quietly(title, work)

const drawWhile: ShowProgress = async <T>(title: string, work: (progress: Progress) => Promise<T>) => {
  const { Listr } = await import('listr2')
  const { promise, resolve } = Promise.withResolvers<T>()
  const tasks = new Listr(
    [
      {
        title: printableValue(title),
        async task(_context, task) {
          const result = await work((step, done, total) => {
            task.output = drawBar(printableValue(step), done, total)
          })
          resolve(result)
        },
      },
    ],
    // The command reports errors.
    { rendererOptions: { showErrorMessage: false } },
  )
  await tasks.run()
  return promise
}

const BAR_WIDTH = 30

function drawBar(step: string, done: number, total: number): string {
  const filled = total > 0 ? Math.round((Math.min(done, total) / total) * BAR_WIDTH) : BAR_WIDTH
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${step} ${done}/${total}`
}
