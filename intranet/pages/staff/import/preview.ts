import type { FilledMessage } from '@campus/engine/base/languages/say'
import type { ImportReport } from '@campus/engine/rest/import/import-file'
import { samplesOf, type Table } from '@campus/engine/rest/import/table'

/** The part of a table that the import page shows, stored apart so that the page need not open the whole table. */
export type Preview = {
  readonly columns: readonly string[]
  readonly samples: readonly string[]
  readonly rows: number
  /** Previews of the former release have none. */
  readonly notes?: readonly FilledMessage[]
  readonly faulty: readonly FaultyRow[]
}

export type FaultyRow = {
  readonly line: number
  /** The first cells, so that people recognize the row. */
  readonly summary: string
  readonly faults: readonly FaultyCell[]
}

type FaultyCell = {
  /** Index of the column, or -1 for a fault of the whole row. */
  readonly at: number
  /** A string in drafts of the former release. */
  readonly fault: FilledMessage | string
  /** Null if the value is too long to be corrected on the page. */
  readonly value: string | null
}

const MAX_FAULTY_ROWS = 40
const MAX_VALUE_CHARACTERS = 1_000

export function previewOf(table: Table, report: ImportReport | undefined): Preview {
  const { columns, rows, notes = [] } = table
  return {
    ...{ columns, samples: samplesOf(table), rows: rows.length, notes },
    faulty: faultsByLine(report).map(([line, faults]) => {
      const row = rows[line - 1] ?? []
      return {
        line,
        summary: row.filter(Boolean).slice(0, 4).join(', ').slice(0, 100),
        faults: inColumnOrder(columns, faults).map(({ column, fault }) => {
          const at = column === null ? -1 : columns.indexOf(column)
          const value = row[at] ?? ''
          return { at, fault, value: value.length > MAX_VALUE_CHARACTERS ? null : value }
        }),
      }
    }),
  }
}

const inColumnOrder = (columns: readonly string[], faults: ImportReport['faults']) =>
  faults.toSorted((one, other) => columns.indexOf(one.column ?? '') - columns.indexOf(other.column ?? ''))

/** Drops the faults that a preview does not show. */
export const shownOf = (report: ImportReport): ImportReport => ({
  ...report,
  faults: faultsByLine(report).flatMap(([, faults]) => faults),
})

const faultsByLine = (report: ImportReport | undefined) =>
  [...Map.groupBy(report?.faults ?? [], ({ line }) => line)].slice(0, MAX_FAULTY_ROWS)
