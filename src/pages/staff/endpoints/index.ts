import type { PageRoute } from '../../page.ts'
import { DELIVERY_PAGES } from './delivery.ts'
import { ENDPOINT_PAGE } from './endpoint.ts'
import { endpointList } from './list.ts'

/** The webservices of the campuses, and what they were told. */
export const ENDPOINT_PAGES: readonly PageRoute[] = [...endpointList, ...ENDPOINT_PAGE, ...DELIVERY_PAGES]
