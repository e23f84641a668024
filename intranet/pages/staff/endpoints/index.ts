import type { PageRoute } from '../../page.ts'
import { DELIVERY_PAGES } from './delivery.ts'
import { ENDPOINT_PAGE } from './endpoint.ts'
import { endpointList } from './list.ts'
import { ENDPOINT_FORMS } from './write.ts'

/** The webservices of the campuses, and the deliveries to them. */
export const ENDPOINT_PAGES: readonly PageRoute[] = [
  ...endpointList,
  ...ENDPOINT_FORMS,
  ...ENDPOINT_PAGE,
  ...DELIVERY_PAGES,
]
