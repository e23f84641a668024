import { PAGES as OWN } from '@campus/intranet/pages/index'
import { pageRoutes } from '@campus/intranet/pages/routes'
import { CONSOLE_PAGES } from '@campus/reference/console/index'
import { PARTS } from '@campus/service/parts'

/** All pages, including the console of the reference. */
export const PAGES = [...OWN, ...CONSOLE_PAGES]

export const PAGE_ROUTES = pageRoutes(PAGES)

/** Routes of the optional parts that are not pages. */
export const PART_ROUTES = PARTS.flatMap(({ routes }) => routes?.declared ?? [])
