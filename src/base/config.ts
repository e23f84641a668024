import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import type { Language } from './languages/languages.ts'
import { type Environment, readSettings } from './settings/read-settings.ts'
import { endsTlsElsewhere } from './settings/rules.ts'
import type { Settings } from './settings/settings.ts'

/** Everything that an operator can set, read once at start (docs/settings.md lists each variable). */
export type Config = {
  /** Folder of the embedded database, certificates, keys and the lock. */
  readonly data: string
  readonly host: string
  readonly port: number
  /** How many processes serve. */
  readonly processes: number
  /** The address clients use, without a trailing slash; every `url` on the wire begins with it. */
  readonly baseUrl: string
  /** Whether a proxy ends TLS, and is spoken to in plain HTTP. */
  readonly isBehindProxy: boolean
  /** Path and mode of a Unix socket to listen on; undefined means host and port. */
  readonly socket: { readonly path: string; readonly mode: number } | undefined
  /** Addresses and CIDRs of proxies that are believed whom they speak for (`X-Forwarded-For`). */
  readonly trustedProxies: readonly string[]
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** The certificate authority that gives a certificate; undefined where none is asked. */
  readonly acme: { readonly email: string; readonly directory: string; readonly port: number } | undefined
  /** Requests for tokens per second by one application, and those without a valid secret by one address; undefined means no limit. */
  readonly tokenRate: { readonly perSecond: number; readonly burst: number } | undefined
  /** `redis://…`, where requests are counted for several machines; undefined means that each counts by itself. */
  readonly redisUrl: string | undefined
  /** `postgres://…`; undefined means the embedded database in `data`. */
  readonly databaseUrl: string | undefined
  readonly databasePoolSize: number
  /** Size of the response cache; 0 disables it. */
  readonly responseCacheBytes: number
  /** Folder with PostgreSQL's programs for the embedded database; undefined means those of the npm package. */
  readonly postgresBin: string | undefined
  /** Account that the embedded database runs as where we are root; undefined means one that is found. */
  readonly postgresAccount: string | undefined
  /** IANA zone of dates that carry an offset on the wire (`anonymize_date`, `data_erasure_date`). */
  readonly timeZone: string
  readonly logLevel: string
  /** Whether people read the log, or programs. */
  readonly logFormat: 'pretty' | 'json'
  /** Statements that take so long are logged; 0 means that none are. */
  readonly slowStatementMilliseconds: number
  /** Where traces are sent, by OTLP; undefined means that there are none. */
  readonly tracesUrl: string | undefined
  /** 32 bytes that seal webservice secrets at rest; undefined means a key file in `data`. */
  readonly secretKey: Buffer | undefined
  /** 32 bytes that seal passwords and metas until they are delivered; undefined means a key that ends with the process. */
  readonly sealingKey: Buffer | undefined
  /** Deliveries to the webservices of campuses. */
  readonly outgoing: {
    /** Hosts, addresses and CIDRs that may be called although they are not public. */
    readonly allow: readonly string[]
    /** PEM files: authorities beside the well-known ones, and a certificate to show with its key. */
    readonly ca: string | undefined
    readonly cert: string | undefined
    readonly key: string | undefined
    /** Deliveries to one endpoint at a time. */
    readonly connections: number
  }
  /** The token for `/metrics`; undefined allows programs on this machine only. */
  readonly metricsToken: string | undefined
  /** The school's own OpenID Connect provider; undefined means that people sign in by password only. */
  readonly schoolProvider: SchoolProviderConfig | undefined
  /** Where mails go out; undefined means that none are sent. */
  readonly mail: { readonly url: string; readonly from: string } | undefined
  /** Of the school, the usual one first. */
  readonly languages: readonly Language[]
  /** Folder of attached files, and of those on their way. */
  readonly files: string
  /** Where attached files go instead of `files`; there they only wait for it. */
  readonly s3: S3Config | undefined
  /** Archives of all that there is, made by command or by themselves. */
  readonly backup: BackupConfig
  /** Bytes: of an uploaded file of each kind, and of a whole body that holds files. */
  readonly uploadLimits: Readonly<Record<'code' | 'pdf' | 'document' | 'video' | 'image' | 'body', number>>
  /** A file's address opens for at least so long, and for at most twice as long. */
  readonly linkHours: number
}

export type BackupConfig = {
  /** What encrypts them, and the file that holds it instead. */
  readonly passphrase: string | undefined
  readonly passphraseFile: string | undefined
  /** Undefined where none are made by themselves. */
  readonly schedule:
    | {
        /** A folder, or names in the bucket that begin so. */
        readonly destination: { readonly folder: string } | { readonly prefix: string }
        readonly everyHours: number
        /** How many daily and weekly backups are retained. */
        readonly keep: { readonly daily: number; readonly weekly: number }
      }
    | undefined
}

export type SchoolProviderConfig = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What people call it, on the button. */
  readonly name: string
}

/** A bucket of S3-compatible storage. */
export type S3Config = {
  readonly bucket: string
  readonly region: string
  /** Undefined means that of AWS. */
  readonly endpoint: string | undefined
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Settings that cannot be used: a line for each, which names the variable and says what would be right. */
export class ConfigError extends Error {}

/** Whether the log is read by a person: a terminal, or `npm start` piped elsewhere. systemd gives each start an id. */
const isReadByPeople = ({ npm_lifecycle_event, INVOCATION_ID }: Environment): boolean =>
  isatty(1) || (npm_lifecycle_event === 'start' && INVOCATION_ID === undefined)

/** Reads and checks every setting. Throws ConfigError. */
export function readConfig(env: Environment): Config {
  const { settings, faults } = readSettings(env)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return configOf(settings, env)
}

function configOf(settings: Settings, env: Environment): Config {
  const { CAMPUS_DATA: data, CAMPUS_PORT: port, CAMPUS_FILES: files } = settings
  const processes = settings.CAMPUS_PROCESSES ?? (settings.DATABASE_URL ? availableParallelism() : 1)
  const isBehindProxy = endsTlsElsewhere(settings)
  return Object.freeze({
    data,
    host: settings.CAMPUS_HOST,
    port,
    processes,
    baseUrl: settings.CAMPUS_BASE_URL?.replace(/\/+$/, '') ?? localAddress(port),
    isBehindProxy,
    socket: socketOf(settings),
    trustedProxies: settings.CAMPUS_TRUSTED_PROXIES ?? (isBehindProxy ? THIS_MACHINE : []),
    tls: tlsOf(settings),
    acme: acmeOf(settings),
    tokenRate: tokenRateOf(settings),
    redisUrl: settings.CAMPUS_REDIS_URL,
    databaseUrl: settings.DATABASE_URL,
    databasePoolSize: settings.CAMPUS_DATABASE_POOL ?? poolOf(processes),
    responseCacheBytes: settings.CAMPUS_RESPONSE_CACHE_MIB,
    postgresBin: settings.CAMPUS_POSTGRES_BIN,
    postgresAccount: settings.CAMPUS_POSTGRES_ACCOUNT,
    timeZone: settings.CAMPUS_TIME_ZONE,
    logLevel: settings.CAMPUS_LOG_LEVEL,
    logFormat: settings.CAMPUS_LOG_FORMAT ?? (isReadByPeople(env) ? 'pretty' : 'json'),
    slowStatementMilliseconds: settings.CAMPUS_SLOW_STATEMENT_MS,
    tracesUrl: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    secretKey: settings.CAMPUS_SECRET_KEY,
    sealingKey: settings.CAMPUS_SEALING_KEY,
    outgoing: {
      allow: settings.CAMPUS_OUTGOING_ALLOW,
      ca: settings.CAMPUS_OUTGOING_CA,
      cert: settings.CAMPUS_OUTGOING_CERT,
      key: settings.CAMPUS_OUTGOING_KEY,
      connections: settings.CAMPUS_OUTGOING_CONNECTIONS,
    },
    metricsToken: settings.CAMPUS_METRICS_TOKEN,
    schoolProvider: schoolProviderOf(settings),
    mail: mailOf(settings),
    languages: settings.CAMPUS_LANGUAGES,
    files: files ?? join(data, 'files'),
    s3: s3Of(settings),
    backup: backupOf(settings),
    uploadLimits: {
      code: settings.CAMPUS_MAX_CODE_MIB,
      pdf: settings.CAMPUS_MAX_PDF_MIB,
      document: settings.CAMPUS_MAX_DOCUMENT_MIB,
      video: settings.CAMPUS_MAX_VIDEO_MIB,
      image: settings.CAMPUS_MAX_IMAGE_MIB,
      body: settings.CAMPUS_MAX_UPLOAD_MIB,
    },
    linkHours: settings.CAMPUS_FILE_LINK_HOURS,
  })
}

/** PostgreSQL's default limit of connections. */
const poolOf = (processes: number) => Math.min(10, Math.max(3, Math.floor(60 / processes)))

const localAddress = (port: number) => (port === 443 ? 'https://localhost' : `https://localhost:${port}`)

/** Who reaches a plain listener without saying for whom is a program of the operator's own. */
const THIS_MACHINE = ['127.0.0.0/8', '::1']

function socketOf({ CAMPUS_SOCKET: path, CAMPUS_SOCKET_MODE: mode }: Settings): Config['socket'] {
  return path ? { path, mode } : undefined
}

function tlsOf({ CAMPUS_TLS_CERT: cert, CAMPUS_TLS_KEY: key }: Settings): Config['tls'] {
  return cert && key ? { cert, key } : undefined
}

function acmeOf(settings: Settings): Config['acme'] {
  const { CAMPUS_ACME_EMAIL: email, CAMPUS_ACME_DIRECTORY: directory, CAMPUS_ACME_PORT: port } = settings
  return email ? { email, directory, port } : undefined
}

function tokenRateOf({ CAMPUS_TOKENS_PER_SECOND: perSecond, CAMPUS_TOKENS_BURST: burst }: Settings) {
  return perSecond === 0 ? undefined : { perSecond, burst: burst ?? Math.max(60, perSecond) }
}

function mailOf({ CAMPUS_MAIL_URL: url, CAMPUS_MAIL_FROM: from }: Settings): Config['mail'] {
  return url && from ? { url, from } : undefined
}

function schoolProviderOf(settings: Settings): SchoolProviderConfig | undefined {
  const {
    CAMPUS_OIDC_ISSUER: issuer,
    CAMPUS_OIDC_CLIENT_ID: clientId,
    CAMPUS_OIDC_CLIENT_SECRET: clientSecret,
  } = settings
  if (!issuer || !clientId || !clientSecret) return undefined
  return { issuer, clientId, clientSecret, name: settings.CAMPUS_OIDC_NAME.trim() }
}

function backupOf(settings: Settings): BackupConfig {
  const { CAMPUS_BACKUP_FOLDER: folder, CAMPUS_BACKUP_PREFIX: prefix } = settings
  const destination = folder ? { folder } : prefix ? { prefix } : undefined
  const keep = { daily: settings.CAMPUS_BACKUP_KEEP_DAILY, weekly: settings.CAMPUS_BACKUP_KEEP_WEEKLY }
  return {
    passphrase: settings.CAMPUS_BACKUP_PASSPHRASE,
    passphraseFile: settings.CAMPUS_BACKUP_PASSPHRASE_FILE,
    schedule: destination ? { destination, everyHours: settings.CAMPUS_BACKUP_EVERY_HOURS, keep } : undefined,
  }
}

function s3Of(settings: Settings): S3Config | undefined {
  const { CAMPUS_S3_BUCKET: bucket, CAMPUS_S3_ACCESS_KEY_ID: accessKeyId } = settings
  const {
    CAMPUS_S3_ENDPOINT: endpoint,
    CAMPUS_S3_REGION: region,
    CAMPUS_S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = settings
  return bucket && accessKeyId && secretAccessKey
    ? { bucket, endpoint, accessKeyId, secretAccessKey, region }
    : undefined
}
