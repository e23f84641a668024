import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { loadTls } from '@campus/engine/http/tls'
import { type Config, readConfig, type SchoolProviderConfig } from '@campus/intranet/settings/config'
import Provider from 'oidc-provider'
import { temporaryFolder } from './folder.ts'

/** A user who is signed in at the school's provider; `undefined` refuses to sign in. */
export type Pupil = { readonly sub: string; readonly email?: string; readonly email_verified?: boolean }

/** The school's own OpenID Connect provider on the loopback interface, whose pages let the present pupil pass. */
export type School = {
  readonly settings: SchoolProviderConfig
  present: Pupil | undefined
  close(): Promise<void>
}

const WELL_KNOWN = tls.getCACertificates('default')

/**
 * Starts one that knows a client which comes back to `redirectUri`. Its certificate is trusted from now on, and that of the
 * one before no longer: all have the same subject, and of two such OpenSSL may try the wrong one.
 */
export async function startSchool(redirectUri: string, { inIdToken = false } = {}): Promise<School> {
  const folder = await temporaryFolder()
  const certificate = await loadTls(readConfig({ CAMPUS_DATA: folder.path }) as Config)
  tls.setDefaultCACertificates([...WELL_KNOWN, certificate.cert])
  const server = createServer(certificate)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const settings = {
    issuer: `https://127.0.0.1:${port}`,
    clientId: 'campus',
    clientSecret: 'a secret of sixty-four characters'.repeat(2),
    name: 'Example School',
  }
  const pupils = new Map<string, Pupil>()
  const provider = new Provider(settings.issuer, {
    clients: [{ client_id: settings.clientId, client_secret: settings.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: !inIdToken,
    cookies: { keys: ['of a test'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ ...pupils.get(id), sub: id }) }),
    ttl: { Session: 1, Grant: 3600, Interaction: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  })
  const school: School = {
    settings,
    present: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await folder.remove()
    },
  }
  const callback = provider.callback()
  server.on('request', async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const { present } = school
    if (!present) return provider.interactionFinished(request, response, { error: 'access_denied' })
    pupils.set(present.sub, present)
    const grant = new provider.Grant({ accountId: present.sub, clientId: String(params.client_id) })
    grant.addOIDCScope(String(params.scope))
    const grantId = await grant.save()
    const login = { accountId: present.sub, remember: false }
    return provider.interactionFinished(request, response, { login, consent: { grantId } })
  })
  return school
}
