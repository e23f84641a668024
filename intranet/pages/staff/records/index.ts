import type { PageRoute } from '../../page.ts'
import { deletion } from './delete.ts'
import { recordsExport } from './export.ts'
import { recordsList } from './list.ts'
import { recordPage } from './record.ts'
import { resourcesPage } from './resources.ts'
import { several } from './several.ts'
import { suggestions } from './suggest.ts'
import { WRITING_PAGES } from './write.ts'

/** Every record of the API for staff, from the declarations. */
export const RECORD_PAGES: readonly PageRoute[] = [
  ...resourcesPage,
  ...recordsList,
  ...recordsExport,
  ...suggestions,
  ...several,
  ...WRITING_PAGES,
  ...recordPage,
  ...deletion,
]
