import type { PageRoute } from '../page.ts'
import { AUTHORISATION_PAGES } from './authorised.ts'
import { consentPreview } from './consent-preview.ts'
import { registration } from './create.ts'
import { deletion } from './delete.ts'
import { editing } from './edit.ts'
import { myApplications } from './list.ts'
import { publicList } from './public.ts'
import { secretRenewal } from './secret.ts'
import { SESSION_PAGES } from './sessions.ts'
import { application } from './show.ts'
import { WEBHOOK_PAGES } from './webhooks.ts'

/** What developers do with their applications. */
export const APPLICATION_PAGES: readonly PageRoute[] = [
  ...myApplications,
  ...registration,
  ...application,
  ...editing,
  ...consentPreview,
  ...secretRenewal,
  ...SESSION_PAGES,
  ...WEBHOOK_PAGES,
  ...deletion,
  ...publicList,
  ...AUTHORISATION_PAGES,
]
