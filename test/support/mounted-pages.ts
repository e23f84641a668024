import { PAGES as OWN } from '@campus/intranet/pages/index'
import { pageRoutes } from '@campus/intranet/pages/routes'
import { CONSOLE_PAGES } from '@campus/reference/console/index'
import { PARTS } from '@campus/service/parts'

/** All pages, those of the reference's console too. */
export const PAGES = [...OWN, ...CONSOLE_PAGES]

export const PAGE_ROUTES = pageRoutes(PAGES)

/** The other routes of the optional parts. */
export const PART_ROUTES = PARTS.flatMap(({ routes }) => routes?.declared ?? [])
