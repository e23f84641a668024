import ipaddr from 'ipaddr.js'
import type { Language } from './languages.ts'
import { belongsTo } from './relying-party.ts'
import type { SettingName, Settings } from './settings.ts'

/** A condition on several settings, each of which is valid. Returns the fault and the variable to change. */
type Rule = {
  readonly names: readonly SettingName[]
  readonly validate: (settings: Settings, languages: readonly Language[]) => Partial<Record<SettingName, string>>
}

/** Ways to a certificate of the service's own. */
const OF_OWN_CERTIFICATE = ['CAMPUS_TLS_CERT', 'CAMPUS_ACME_EMAIL'] as const
const WITHOUT_DATABASE = 'must not be set without DATABASE_URL: the embedded database is used as it is.'
const NO_CERTIFICATE = "must not be set, since CAMPUS_TLS is off: the certificate is the proxy's."

export const RULES: readonly Rule[] = [
  {
    names: ['CAMPUS_TLS', 'CAMPUS_SOCKET'],
    validate: ({ CAMPUS_TLS: tls, CAMPUS_SOCKET: socket }) =>
      tls === 'on' && socket
        ? { CAMPUS_TLS: 'must be off or not set, since CAMPUS_SOCKET is: no TLS is spoken there.' }
        : {},
  },
  {
    names: ['CAMPUS_TLS', 'CAMPUS_HOST'],
    validate: ({ CAMPUS_TLS: tls, CAMPUS_HOST: host, CAMPUS_SOCKET: socket }) =>
      tls === 'off' && !socket && !isLoopbackAddress(host)
        ? {
            CAMPUS_TLS: `must be off-anywhere for plain HTTP on ${host}, where others may listen in on passwords and tokens.`,
          }
        : {},
  },
  {
    names: ['CAMPUS_TLS', 'CAMPUS_SOCKET', 'CAMPUS_BASE_URL'],
    validate: (settings) =>
      endsTlsElsewhere(settings) && !settings.CAMPUS_BASE_URL
        ? { CAMPUS_BASE_URL: 'must be set to the https:// address of the proxy, since CAMPUS_TLS is off.' }
        : {},
  },
  {
    names: ['CAMPUS_TLS', 'CAMPUS_SOCKET', ...OF_OWN_CERTIFICATE],
    validate: (settings) =>
      endsTlsElsewhere(settings)
        ? Object.fromEntries(OF_OWN_CERTIFICATE.filter((name) => settings[name]).map((name) => [name, NO_CERTIFICATE]))
        : {},
  },
  {
    names: ['CAMPUS_PASSKEY_DOMAIN', 'CAMPUS_BASE_URL'],
    validate: ({ CAMPUS_PASSKEY_DOMAIN: domain, CAMPUS_BASE_URL: baseUrl }) =>
      domain === undefined || (baseUrl && belongsTo(baseUrl, domain))
        ? {}
        : { CAMPUS_PASSKEY_DOMAIN: `must be the host of CAMPUS_BASE_URL or a domain above it; it is "${domain}".` },
  },
  ...pair('CAMPUS_TLS_CERT', 'CAMPUS_TLS_KEY'),
  ...pair('CAMPUS_OUTGOING_CERT', 'CAMPUS_OUTGOING_KEY'),
  {
    names: ['CAMPUS_ACME_EMAIL', 'CAMPUS_BASE_URL', 'CAMPUS_TLS_CERT'],
    validate: ({ CAMPUS_ACME_EMAIL: email, CAMPUS_BASE_URL: baseUrl, CAMPUS_TLS_CERT: cert }) => ({
      ...(email && !baseUrl && { CAMPUS_BASE_URL: 'must be set, since a certificate is to be got for its host.' }),
      ...(email &&
        cert && { CAMPUS_ACME_EMAIL: 'must not be set beside CAMPUS_TLS_CERT, which names a certificate already.' }),
    }),
  },
  {
    names: ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS', 'DATABASE_URL'],
    validate: ({ DATABASE_DIRECT_URL: direct, DATABASE_REPLICA_URLS: replicas, DATABASE_URL: url }) =>
      url
        ? {}
        : {
            ...(direct && { DATABASE_DIRECT_URL: WITHOUT_DATABASE }),
            ...(replicas.length > 0 && { DATABASE_REPLICA_URLS: WITHOUT_DATABASE }),
          },
  },
  {
    names: ['CAMPUS_TOKENS_PER_SECOND', 'CAMPUS_TOKENS_BURST'],
    validate: ({ CAMPUS_TOKENS_PER_SECOND: perSecond, CAMPUS_TOKENS_BURST: burst = perSecond }) =>
      perSecond === 0 || burst >= perSecond
        ? {}
        : { CAMPUS_TOKENS_BURST: `must be at least CAMPUS_TOKENS_PER_SECOND (${perSecond}); it is "${burst}".` },
  },
  ...(['CAMPUS_S3_ACCESS_KEY_ID', 'CAMPUS_S3_ENDPOINT'] as const).map((name) =>
    requires(name, 'CAMPUS_S3_BUCKET', `must name a bucket, since ${name} is set.`),
  ),
  ...(['CAMPUS_S3_ACCESS_KEY_ID', 'CAMPUS_S3_SECRET_ACCESS_KEY'] as const).map((name) =>
    requires('CAMPUS_S3_BUCKET', name, 'must be set, since CAMPUS_S3_BUCKET is.'),
  ),
  {
    names: ['CAMPUS_LANGUAGES'],
    validate({ CAMPUS_LANGUAGES: codes }, languages) {
      const known = languages.map(({ code }) => code)
      const unknown = codes.find((code) => !known.includes(code))
      if (unknown === undefined) return {}
      return {
        CAMPUS_LANGUAGES: `must list languages of ${known.join(', ')}, the usual one first; "${unknown}" is none.`,
      }
    },
  },
  allOrNone(['CAMPUS_MAIL_URL', 'CAMPUS_MAIL_FROM'], 'must be set too, since mail is to be sent.'),
  allOrNone(
    ['CAMPUS_OIDC_ISSUER', 'CAMPUS_OIDC_CLIENT_ID', 'CAMPUS_OIDC_CLIENT_SECRET'],
    "must be set too, since other settings of the school's provider are.",
  ),
]

/** Whether what listens there is reached from this machine alone. */
const isLoopbackAddress = (host: string) =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')

/** Whether a proxy ends TLS, and is spoken to in plain HTTP. */
export const endsTlsElsewhere = ({ CAMPUS_TLS: tls, CAMPUS_SOCKET: socket }: Settings): boolean =>
  (tls ?? (socket ? 'off' : 'on')) !== 'on'

/** Requires `other` if `name` is set. */
function requires(name: SettingName, other: SettingName, fault: string): Rule {
  return {
    names: [name, other],
    validate: (settings) => (settings[name] && !settings[other] ? { [other]: fault } : {}),
  }
}

function pair(cert: SettingName, key: SettingName): readonly Rule[] {
  return [
    requires(key, cert, `must name a certificate file, since ${key} is set.`),
    requires(cert, key, `must name a private key file, since ${cert} is set.`),
  ]
}

function allOrNone(names: readonly SettingName[], fault: string): Rule {
  return {
    names,
    validate: (settings) => {
      const missing = names.filter((name) => !settings[name])
      return missing.length === names.length ? {} : Object.fromEntries(missing.map((name) => [name, fault]))
    },
  }
}
