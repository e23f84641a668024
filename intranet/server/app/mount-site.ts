import { once } from '@campus/engine/base/once'
import { refuseOtherMethods } from '@campus/engine/http/refuse-methods'
import { recordWriter } from '@campus/engine/rest/write/records'
import { CALENDAR_ROUTES, mountCalendarFeeds } from '../../pages/calendar-feeds.ts'
import { PAGES } from '../../pages/index.ts'
import { mountPostedSignOut, POSTED_SIGN_OUT_ROUTES } from '../../pages/posted-sign-out.ts'
import { hideReference } from '../../pages/reference-link.ts'
import { mountPages, pageRoutes } from '../../pages/routes.ts'
import { StoredPlans } from '../../school/domain/school/stored-plans.ts'
import { modelsOf } from '../../webhooks/applications/models.ts'
import { checksOfParts } from '../checks-of-parts.ts'
import type { Finding } from '../doctor/finding.ts'
import type { mountApi } from './mount-api.ts'
import { mountPartRoutes, pagesOfParts } from './mount-parts.ts'
import type { Services } from './open-services.ts'

type Api = Awaited<ReturnType<typeof mountApi>>

/** Mounts the pages and the routes of optional parts. Refuses methods that no route of a path has. */
export async function mountSite(
  services: Services,
  { engine, table, document, api, watchApi, watchPage }: Api,
): Promise<void> {
  const {
    app,
    captures,
    clientDocuments,
    config,
    database,
    clock,
    sealer,
    sealing,
    signIns,
    limits,
    openid,
    paths,
    requests,
    staging,
    store,
    tokenLimits,
  } = services
  const { schoolProvider } = config
  // Loaded only if the school has a provider.
  const school = schoolProvider && new (await import('../../oauth/school-provider.ts')).SchoolProvider(schoolProvider)
  const records = recordWriter(engine)
  const subscribing = {
    models: once(() => modelsOf(engine.registry.resources)),
    sealer,
    capture: captures.captureWithin.bind(captures),
  }
  const pages = [...PAGES, ...(await pagesOfParts(services.parts))]
  mountPages(app, pages, {
    config,
    database,
    clock,
    sealer,
    sealing,
    school,
    signIns,
    limits,
    tokenLimits,
    openid,
    clientDocuments,
    subscribing,
    staging,
    store,
    examine: examiner(services),
    // Loaded only for an import.
    importFile: async (options) => (await import('@campus/engine/rest/import/import-file')).importFile(engine, options),
    requestTimes: () => requests.quantiles(),
    records,
    seatPlans: new StoredPlans(database),
    registry: engine.registry,
    api,
    watchApi,
    watchPage,
  })
  mountCalendarFeeds(app, { config, database, clock, sealer })
  mountPostedSignOut(app, config)
  const partRoutes = await mountPartRoutes(services, { engine, table, document, api })
  if (services.documentation === undefined) hideReference(app)
  paths.add([...partRoutes, ...[...pageRoutes(pages), ...CALENDAR_ROUTES, ...POSTED_SIGN_OUT_ROUTES]])
  refuseOtherMethods(app, paths)
}

const EXAMINED_AGAIN_MS = 30_000

/** Runs the checks of the doctor at most twice a minute, since some ask other machines. */
function examiner({ config, database, clock, parts }: Services) {
  let last: { readonly at: number; readonly findings: Promise<readonly Finding[]> } | undefined
  return () => {
    const at = performance.now()
    if (last === undefined || at - last.at > EXAMINED_AGAIN_MS) last = { at, findings: look() }
    return last.findings
  }
  async function look() {
    // Loaded only when somebody asks.
    const { examineRunning } = await import('../doctor/examine.ts')
    return examineRunning({ config, database, now: clock.now() }, await checksOfParts(parts))
  }
}
