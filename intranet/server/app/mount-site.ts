import { MCP_ROUTE, mountMcp } from '@campus/assistants/mcp/mount-mcp'
import { once } from '@campus/engine/base/once'
import { certificateToTrust } from '@campus/engine/http/certificate-to-trust'
import { refuseOtherMethods } from '@campus/engine/http/refuse-methods'
import { recordWriter } from '@campus/engine/rest/write/records'
import { mountReference, REFERENCE_ROUTES } from '@campus/reference/routes'
import { namedScopes, SCOPES, type Scope } from '../../access/scopes.ts'
import { boundTo } from '../../oauth/tokens.ts'
import { CALENDAR_ROUTES, mountCalendarFeeds } from '../../pages/calendar-feeds.ts'
import { mountPostedSignOut, POSTED_SIGN_OUT_ROUTES } from '../../pages/posted-sign-out.ts'
import { mountPages, PAGE_ROUTES } from '../../pages/routes.ts'
import { StoredPlans } from '../../school/domain/school/stored-plans.ts'
import { tagGroups } from '../../school/resources/declared.ts'
import { modelsOf } from '../../webhooks/applications/models.ts'
import type { Finding } from '../doctor/finding.ts'
import type { mountApi } from './mount-api.ts'
import type { Services } from './open-services.ts'

type Api = Awaited<ReturnType<typeof mountApi>>

/** Mounts the pages and the reference. Refuses methods that no route of a path has. */
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
    findToken,
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
  const { baseUrl, languages, schoolProvider } = config
  // Most schools have none, and it is not loaded for them.
  const school = schoolProvider && new (await import('../../oauth/school-provider.ts')).SchoolProvider(schoolProvider)
  const records = recordWriter(engine)
  const subscribing = {
    models: once(() => modelsOf(engine.registry.resources)),
    sealer,
    capture: captures.captureWithin.bind(captures),
  }
  mountPages(app, {
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
    // Few import on pages.
    importFile: async (options) => (await import('@campus/engine/rest/import/import-file')).importFile(engine, options),
    requestTimes: () => requests.quantiles(),
    records,
    seatPlans: new StoredPlans(database),
    registry: engine.registry,
    api,
    watchApi,
    watchPage,
  })
  const certificate = certificateToTrust(config)
  mountCalendarFeeds(app, { config, database, clock, sealer })
  mountPostedSignOut(app, config)
  const { registry } = engine
  const site = mountReference(app, {
    ...{ document, registry, table, subjects: tagGroups(), baseUrl, certificate, languages },
  })
  const findAssistant = boundTo('/mcp', findToken)
  mountMcp(app, {
    ...{ registry, table, api, limits, baseUrl },
    scopes: { acting: 'act' satisfies Scope, descriptions: SCOPES, named: namedScopes },
    ...{ findCaller: findAssistant, metrics: services.assistants, pages: site },
  })
  paths.add([MCP_ROUTE, ...REFERENCE_ROUTES, ...PAGE_ROUTES, ...CALENDAR_ROUTES, ...POSTED_SIGN_OUT_ROUTES])
  refuseOtherMethods(app, paths)
}

const EXAMINED_AGAIN_MS = 30_000

/** Looks at everything twice a minute at most, however often it is asked: some of it is on other machines. */
function examiner({ config, database, clock }: Services) {
  let last: { readonly at: number; readonly findings: Promise<readonly Finding[]> } | undefined
  return () => {
    const at = performance.now()
    if (last === undefined || at - last.at > EXAMINED_AGAIN_MS) last = { at, findings: look() }
    return last.findings
  }
  async function look() {
    // Loaded for the few who ask.
    const { examineRunning } = await import('../doctor/examine.ts')
    return examineRunning({ config, database, now: clock.now() })
  }
}
