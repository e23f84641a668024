import { isIPv4, isIPv6 } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { ConfigError } from '@campus/engine/base/config-error'
import type { Language, Languages } from './languages.ts'
import { type Environment, type PartOptions, readSettings } from './read-settings.ts'
import { relyingPartyOf } from './relying-party.ts'
import { endsTlsElsewhere } from './rules.ts'
import type { Settings } from './settings.ts'

/** All settings of an operator, read once at start (docs/settings.md lists the variables). */
export type Config = ReturnType<typeof readConfig>
export type SchoolProviderConfig = NonNullable<Config['schoolProvider']>
/** A bucket of S3-compatible storage, of AWS without an endpoint. */
export type S3Config = NonNullable<Config['s3']>

/** Whether a person reads the log: on a terminal, or from `npm start`. systemd gives each start an id. */
const isReadByPeople = ({ npm_lifecycle_event, INVOCATION_ID }: Environment): boolean =>
  isatty(1) || (npm_lifecycle_event === 'start' && INVOCATION_ID === undefined)

/** Reads and checks all settings, with those of optional parts. Throws ConfigError. */
export function readConfig(env: Environment, parts: readonly PartOptions[] = []) {
  const { settings, languages, ofParts, faults } = readSettings(env, parts)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return Object.freeze({ ...configOf(settings, env), languages: languagesOf(settings, languages), ofParts })
}

function configOf(settings: Settings, env: Environment) {
  const { CAMPUS_DATA: data, CAMPUS_PORT: port, CAMPUS_FILES: files } = settings
  const processes = settings.CAMPUS_PROCESSES ?? (settings.DATABASE_URL ? availableParallelism() : 1)
  const isBehindProxy = endsTlsElsewhere(settings)
  const baseUrl = addressOf(settings.CAMPUS_BASE_URL) ?? localAddress(port)
  return {
    /** Folder of the embedded database, certificates, keys and the lock. */
    data,
    host: settings.CAMPUS_HOST,
    port,
    /** Number of processes that serve. */
    processes,
    /** Address that clients use, without a trailing slash. Every `url` on the wire begins with it. */
    baseUrl,
    /** Public address of pictures, without a trailing slash. */
    picturesUrl: addressOf(settings.CAMPUS_PICTURES_URL) ?? baseUrl,
    /** Domain of passkeys. Undefined if the address has no name. */
    relyingParty: relyingPartyOf(baseUrl, settings.CAMPUS_PASSKEY_DOMAIN),
    /** Whether a proxy ends TLS and connects over plain HTTP. */
    isBehindProxy,
    /** Path and mode of a Unix socket to listen on; undefined means host and port. */
    socket: whereSet({ path: settings.CAMPUS_SOCKET, mode: settings.CAMPUS_SOCKET_MODE }),
    /** Addresses and CIDR blocks of proxies whose `X-Forwarded-For` is trusted. */
    trustedProxies: settings.CAMPUS_TRUSTED_PROXIES ?? (isBehindProxy ? THIS_MACHINE : []),
    /** Value of the `Strict-Transport-Security` header. */
    strictTransportSecurity: hstsOf(settings),
    /** Time for which a stopping service still serves, but is not ready. */
    drainSeconds: settings.CAMPUS_DRAIN_SECONDS,
    tls: whereSet({ cert: settings.CAMPUS_TLS_CERT, key: settings.CAMPUS_TLS_KEY }),
    /** Certificate authority for automatic certificates. Undefined for none. */
    acme: whereSet({
      email: settings.CAMPUS_ACME_EMAIL,
      directory: settings.CAMPUS_ACME_DIRECTORY,
      port: settings.CAMPUS_ACME_PORT,
    }),
    /** Requests for tokens per second by one application, and those without a valid secret by one address; undefined means no limit. */
    tokenRate: tokenRateOf(settings),
    /** Whether clients may register themselves (RFC 7591). */
    isRegistrationOpen: settings.CAMPUS_CLIENT_REGISTRATION === 'on',
    /** `redis://…` of the store that counts requests for several machines. Undefined: each counts by itself. */
    redisUrl: settings.CAMPUS_REDIS_URL,
    /** `postgres://…`; undefined means the embedded database in `data`. */
    databaseUrl: settings.DATABASE_URL,
    /** The same database without a pooler that shares sessions. Undefined if `databaseUrl` has none. */
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    /** Replicas of the database. */
    databaseReplicaUrls: settings.DATABASE_REPLICA_URLS,
    databasePoolSize: settings.CAMPUS_DATABASE_POOL ?? poolOf(processes),
    /** Size of the response cache; 0 disables it. */
    responseCacheBytes: settings.CAMPUS_RESPONSE_CACHE_MIB,
    maxStreams: settings.CAMPUS_STREAMS,
    feedHours: settings.CAMPUS_FEED_HOURS,
    /** Folder with PostgreSQL's programs for the embedded database; undefined means those of the npm package. */
    postgresBin: settings.CAMPUS_POSTGRES_BIN,
    /** Account that the embedded database runs as if this process is root. Default: found. */
    postgresAccount: settings.CAMPUS_POSTGRES_ACCOUNT,
    /** IANA zone of dates that carry an offset on the wire (`anonymize_date`, `data_erasure_date`). */
    timeZone: settings.CAMPUS_TIME_ZONE,
    logLevel: settings.CAMPUS_LOG_LEVEL,
    /** Whether people read the log, or programs. */
    logFormat: settings.CAMPUS_LOG_FORMAT ?? (isReadByPeople(env) ? 'pretty' : 'json'),
    /** Statements that take this long are logged. 0 logs none. */
    slowStatementMilliseconds: settings.CAMPUS_SLOW_STATEMENT_MS,
    /** OTLP endpoint that traces are sent to; undefined if traces are not sent. */
    tracesUrl: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    /** 32 bytes that seal secrets at rest; undefined means a key file in `data`. */
    secretKey: settings.CAMPUS_SECRET_KEY,
    /** 32 bytes that seal passwords and metas until they are delivered; undefined means a key that ends with the process. */
    sealingKey: settings.CAMPUS_SEALING_KEY,
    /** Deliveries to endpoints. */
    outgoing: {
      /** Hosts, addresses and CIDR blocks that may be called although they are not public. */
      allow: settings.CAMPUS_OUTGOING_ALLOW,
      /** PEM files: additional authorities, and a client certificate with its key. */
      ca: settings.CAMPUS_OUTGOING_CA,
      cert: settings.CAMPUS_OUTGOING_CERT,
      key: settings.CAMPUS_OUTGOING_KEY,
      /** Maximum number of concurrent deliveries to one endpoint. */
      connections: settings.CAMPUS_OUTGOING_CONNECTIONS,
    },
    /** The token for `/metrics`; undefined allows programs on this machine only. */
    metricsToken: settings.CAMPUS_METRICS_TOKEN,
    /** The school's own OpenID Connect provider; undefined means that people sign in by password only. */
    schoolProvider: whereSet({
      issuer: settings.CAMPUS_OIDC_ISSUER,
      clientId: settings.CAMPUS_OIDC_CLIENT_ID,
      clientSecret: settings.CAMPUS_OIDC_CLIENT_SECRET,
      /** Name of the provider on the sign-in button. */
      name: settings.CAMPUS_OIDC_NAME.trim(),
    }),
    /**
     * Outgoing mail. `url` is the SMTP server (`smtp://` or `smtps://`), with a name and a password if required. `name` is sent in
     * `EHLO` unless `url` has `?name=`. Undefined if no mail is sent.
     */
    mail: whereSet({ url: settings.CAMPUS_MAIL_URL, from: settings.CAMPUS_MAIL_FROM, name: heloNameOf(baseUrl) }),
    /** Folder of attached and staged files. */
    files: files ?? join(data, 'files'),
    /** Bucket that stores attached files. `files` then only stages them. */
    s3: s3Of(settings),
    /** Maximum bytes of an uploaded file of each kind, and of a whole body with files. */
    uploadLimits: {
      code: settings.CAMPUS_MAX_CODE_MIB,
      pdf: settings.CAMPUS_MAX_PDF_MIB,
      document: settings.CAMPUS_MAX_DOCUMENT_MIB,
      video: settings.CAMPUS_MAX_VIDEO_MIB,
      image: settings.CAMPUS_MAX_IMAGE_MIB,
      body: settings.CAMPUS_MAX_UPLOAD_MIB,
    },
    /** Maximum number of MiB that one person uploads in a day. */
    uploadMebibytesPerDay: settings.CAMPUS_DAILY_UPLOAD_MIB,
    /** Minimum lifetime of a file's address, in hours. The maximum is twice as long. */
    linkHours: settings.CAMPUS_FILE_LINK_HOURS,
  } as const
}

const languagesOf = ({ CAMPUS_LANGUAGES: codes }: Settings, all: readonly Language[]): Languages => ({
  ofSchool: codes.flatMap((code) => all.find((language) => language.code === code) ?? []),
  all,
})

const hstsOf = ({ CAMPUS_HSTS_SECONDS: seconds, CAMPUS_HSTS_SUBDOMAINS: subdomains }: Settings) =>
  `max-age=${seconds}${subdomains === 'on' ? '; includeSubDomains' : ''}`

/** Normalizes an address as browsers do: lower-case host, no `:443`. Also removes slashes at its end. */
const addressOf = (setting: string | undefined) => setting && new URL(setting).href.replace(/\/+$/, '')

/** Returns the host of a URL as `EHLO` sends it: IP addresses have brackets (RFC 5321 §4.1.3). */
function heloNameOf(baseUrl: string): string {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  return isIPv6(host) ? `[IPv6:${host}]` : isIPv4(host) ? `[${host}]` : host
}

/** PostgreSQL's default limit of connections. */
const poolOf = (processes: number) => Math.min(10, Math.max(3, Math.floor(60 / processes)))

const localAddress = (port: number) => (port === 443 ? 'https://localhost' : `https://localhost:${port}`)

/** Trusted proxies of a plain HTTP listener by default: programs on this machine. */
const THIS_MACHINE = ['127.0.0.0/8', '::1']

type AllSet<Values> = { readonly [Name in keyof Values]: Exclude<Values[Name], undefined> }

const areSet = <Values extends object>(values: Values): values is Values & AllSet<Values> =>
  Object.values(values).every((value) => value !== undefined)

/** Returns settings that belong together, or undefined if one of them is not set. */
const whereSet = <Values extends object>(values: Values) => (areSet(values) ? values : undefined)

function tokenRateOf({ CAMPUS_TOKENS_PER_SECOND: perSecond, CAMPUS_TOKENS_BURST: burst }: Settings) {
  return perSecond === 0 ? undefined : { perSecond, burst: burst ?? Math.max(60, perSecond) }
}

function s3Of(settings: Settings) {
  const bucket = whereSet({
    bucket: settings.CAMPUS_S3_BUCKET,
    accessKeyId: settings.CAMPUS_S3_ACCESS_KEY_ID,
    secretAccessKey: settings.CAMPUS_S3_SECRET_ACCESS_KEY,
  })
  return bucket && { ...bucket, endpoint: settings.CAMPUS_S3_ENDPOINT, region: settings.CAMPUS_S3_REGION }
}
