import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canRun } from '@campus/test/support/can-run'
import { trusting } from '@campus/test/support/client'
import { temporaryFolder } from '@campus/test/support/folder'
import { fetch } from 'undici'
import { serve } from './processes.ts'

const PORTAL = '/usr/share/lemonldap-ng/portal/htdocs/index.psgi'

/** Why tests with LemonLDAP::NG are skipped; false where they are not. */
export function lemonldapSkip(): string | false {
  const hasAll = canRun('test', '-e', PORTAL) && canRun('plackup', '--version')
  return hasAll ? false : "SKIPPED: no LemonLDAP::NG (install Debian's package liblemonldap-ng-portal-perl)"
}

/** Redirect addresses of the portal after a sign-in and a sign-out. */
export const returnsOf = (origin: string) => ({
  signedIn: `${origin}/?openidconnectcallback=1`,
  signedOut: `${origin}/?logout=1`,
})

type Options = {
  readonly port: number
  /** The text of the provider's metadata, as an administrator gives it to it. */
  readonly metadata: string
  readonly client: { readonly uid: string; readonly secret: string }
  /** The file of the certificates that it trusts. */
  readonly ca: string
}

/** A portal of LemonLDAP::NG at which people sign in with the provider alone. */
export async function lemonldap({ port, metadata, client, ca }: Options) {
  const folder = await temporaryFolder()
  const origin = `http://127.0.0.1:${port}`
  const inFolder = (name: string) => join(folder.path, name)
  for (const name of ['conf', 'sessions', 'locks']) await mkdir(inFolder(name))
  const ini = [
    '[all]',
    'logLevel = warn',
    '[configuration]',
    'type = File',
    `dirName = ${inFolder('conf')}`,
    '[portal]',
  ]
  await writeFile(
    inFolder('lemonldap-ng.ini'),
    `${ini.join('\n')}\ntemplateDir = /usr/share/lemonldap-ng/portal/templates\n`,
  )
  await writeFile(inFolder('conf/lmConf-1.json'), JSON.stringify({ ...settings(), ...signIn() }))

  function settings() {
    return {
      ...{ cfgNum: 1, cfgAuthor: 'test', cfgDate: 1, key: 'x'.repeat(16) },
      ...{ portal: `${origin}/`, domain: '127.0.0.1', securedCookie: 0, whatToTrace: 'uid' },
      locationRules: { '127.0.0.1': { default: 'accept' } },
      // No pictures of letters, for which it would load an image library; nobody gives it a password.
      captcha: '::Main::Plugin',
      ...{ exportedHeaders: {}, exportedVars: {}, macros: {}, groups: {}, applicationList: {} },
      globalStorage: 'Apache::Session::File',
      globalStorageOptions: { Directory: inFolder('sessions'), LockDirectory: inFolder('locks') },
    }
  }

  function signIn() {
    const option = (values: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`oidcOPMetaDataOptions${name}`, value]))
    return {
      ...{ authentication: 'OpenIDConnect', userDB: 'OpenIDConnect', passwordDB: 'Null', registerDB: 'Null' },
      ...{ oidcRPCallbackGetParam: 'openidconnectcallback', oidcRPStateTimeout: 600 },
      oidcOPMetaDataJSON: { campus: metadata },
      oidcOPMetaDataJWKS: { campus: '{}' },
      oidcOPMetaDataExportedVars: { campus: { uid: 'preferred_username', cn: 'name', mail: 'email' } },
      oidcOPMetaDataOptions: {
        campus: option({
          ...{ ClientID: client.uid, ClientSecret: client.secret, Scope: 'openid profile email' },
          ...{ CheckJWTSignature: 1, UseNonce: 1, StoreIDToken: 1, IDTokenMaxAge: 600 },
          ...{ TokenEndpointAuthMethod: 'client_secret_post', MaxAge: 3600, JWKSTimeout: 86400 },
        }),
      },
    }
  }

  const agent = trusting('')
  const answers = async () => (await fetch(origin, { dispatcher: agent, redirect: 'manual' })).status > 0
  const env = { LLNG_DEFAULTCONFFILE: inFolder('lemonldap-ng.ini'), PERL_LWP_SSL_CA_FILE: ca }
  const words = ['--host', '127.0.0.1', '--port', String(port), '-E', 'deployment', PORTAL]
  const serving = await serve('plackup', words, { env, answers })
  return {
    ...{ origin, agent },
    async stop() {
      await serving.stop()
      await agent.close()
      await folder.remove()
    },
  }
}
