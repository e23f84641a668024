import { readFile, stat } from 'node:fs/promises'
import { inEnglish } from '@campus/engine/base/languages/say'
import type { Progress } from '@campus/engine/base/progress'
import { type ImportOptions, importFile } from '@campus/engine/rest/import/import-file'
import { readMapping, writtenMapping } from '@campus/engine/rest/import/mapping'
import type { Dependencies } from '../server/database-command.ts'
import { openEngine, operator } from './open-engine.ts'

/** The options of an import, with the mapping in its own file. */
export type ImportValues = Pick<
  ImportOptions,
  'resource' | 'file' | 'format' | 'encoding' | 'delimiter' | 'timeZone' | 'key'
> &
  Required<Pick<ImportOptions, 'hasOwnIds' | 'isTrial' | 'sendsWebhooks'>> & {
    readonly mappingFile?: string | undefined
    readonly takesGoodRows: boolean
  }

/** Imports a file and returns the outcome of its rows. Throws UnreadableFile. */
export async function importForCommand(dependencies: Dependencies, values: ImportValues, progress: Progress) {
  const { mappingFile, takesGoodRows, ...options } = values
  const mapping = mappingFile === undefined ? undefined : readMapping(await readFile(mappingFile, 'utf8'))
  const { size } = await stat(values.file)
  let read = 0
  const report = await importFile(await openEngine(dependencies), {
    ...options,
    timeZone: values.timeZone ?? dependencies.config.timeZone,
    mapping,
    takes: takesGoodRows ? 'good rows' : 'all or nothing',
    caller: operator('import'),
    onBytes(count) {
      read += count
      progress('bytes', read, size)
    },
  })
  const faults = report.faults.map((fault) => ({ ...fault, fault: inEnglish(fault.fault) }))
  return { ...report, faults, mapping: writtenMapping(report.mapping), isTrial: values.isTrial }
}
