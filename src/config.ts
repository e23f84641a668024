import { join, resolve } from 'node:path'
import ipaddr from 'ipaddr.js'

/** Everything that an operator can set, read once at start (docs/operating.md lists each variable). */
export type Config = {
  /** Folder of the embedded database, certificates, keys and the lock. */
  readonly data: string
  readonly host: string
  readonly port: number
  /** The address clients use, without a trailing slash; every `url` on the wire begins with it. */
  readonly baseUrl: string
  /** Addresses and CIDRs of proxies that are believed whom they speak for (`X-Forwarded-For`). */
  readonly trustedProxies: readonly string[]
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Requests for tokens by one application, and of what proves nothing by one address; undefined means without limit. */
  readonly tokenRate: { readonly perSecond: number; readonly burst: number } | undefined
  /** `postgres://…`; undefined means the embedded database in `data`. */
  readonly databaseUrl: string | undefined
  readonly databasePoolSize: number
  /** Folder with PostgreSQL's programs for the embedded database; undefined means those of the npm package. */
  readonly postgresBin: string | undefined
  /** Account that the embedded database runs as where we are root; undefined means one that is found. */
  readonly postgresAccount: string | undefined
  /** IANA zone of dates that carry an offset on the wire (`anonymize_date`, `data_erasure_date`). */
  readonly timeZone: string
  readonly logLevel: string
  /** 32 bytes that seal webservice secrets at rest; undefined means a key file in `data`. */
  readonly secretKey: Buffer | undefined
  /** 32 bytes that seal passwords and metas until they are delivered; undefined means a key that ends with the process. */
  readonly sealingKey: Buffer | undefined
  /** Calls to the webservices of campuses. */
  readonly outgoing: {
    /** Hosts, addresses and CIDRs that may be called although they are not public. */
    readonly allow: readonly string[]
    /** PEM files: authorities beside the well-known ones, and a certificate to show with its key. */
    readonly ca: string | undefined
    readonly cert: string | undefined
    readonly key: string | undefined
    /** Calls to one endpoint at a time. */
    readonly connections: number
  }
  /** Opens `/metrics` to whoever presents it; undefined means programs on this machine only. */
  readonly metricsToken: string | undefined
  /** The school's own OpenID Connect provider; undefined means that people sign in by password only. */
  readonly schoolProvider: SchoolProviderConfig | undefined
  /** Folder of attached files, and of those on their way. */
  readonly files: string
  /** Where attached files go instead of `files`; there they only wait for it. */
  readonly s3: S3Config | undefined
  /** Bytes: of an uploaded file of each kind, and of a whole body that holds files. */
  readonly uploadLimits: Readonly<Record<'code' | 'pdf' | 'document' | 'video' | 'body', number>>
  /** A file's address opens for at least so long, and for at most twice as long. */
  readonly linkHours: number
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

/** A setting that cannot be used; the message names the variable and says what would be right. */
export class ConfigError extends Error {}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

type Environment = Readonly<Record<string, string | undefined>>

/** Reads and checks every setting. Throws ConfigError. */
export function readConfig(env: Environment): Config {
  const data = resolve(env.CAMPUS_DATA || 'data')
  const host = env.CAMPUS_HOST || 'localhost'
  const port = readInteger(env, 'CAMPUS_PORT', 8443, 0, 65535)
  return Object.freeze({
    data,
    host,
    port,
    baseUrl: readBaseUrl(env, port),
    trustedProxies: readProxies(env),
    tls: readTls(env),
    tokenRate: readTokenRate(env),
    databaseUrl: readDatabaseUrl(env),
    databasePoolSize: readInteger(env, 'CAMPUS_DATABASE_POOL', 10, 1, 500),
    postgresBin: env.CAMPUS_POSTGRES_BIN ? resolve(env.CAMPUS_POSTGRES_BIN) : undefined,
    postgresAccount: env.CAMPUS_POSTGRES_ACCOUNT || undefined,
    timeZone: readTimeZone(env),
    logLevel: readOneOf(env, 'CAMPUS_LOG_LEVEL', LOG_LEVELS, 'info'),
    secretKey: readKey(env, 'CAMPUS_SECRET_KEY'),
    sealingKey: readKey(env, 'CAMPUS_SEALING_KEY'),
    outgoing: readOutgoing(env),
    metricsToken: readMetricsToken(env),
    schoolProvider: readSchoolProvider(env),
    files: env.CAMPUS_FILES ? resolve(env.CAMPUS_FILES) : join(data, 'files'),
    s3: readS3(env),
    uploadLimits: {
      code: readMebibytes(env, 'CAMPUS_MAX_CODE_MIB', 10),
      pdf: readMebibytes(env, 'CAMPUS_MAX_PDF_MIB', 50),
      document: readMebibytes(env, 'CAMPUS_MAX_DOCUMENT_MIB', 50),
      video: readMebibytes(env, 'CAMPUS_MAX_VIDEO_MIB', 2048),
      body: readMebibytes(env, 'CAMPUS_MAX_UPLOAD_MIB', 4096),
    },
    linkHours: readInteger(env, 'CAMPUS_FILE_LINK_HOURS', 24, 1, 720),
  })
}

function readInteger(env: Environment, name: string, fallback: number, least: number, most: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new ConfigError(`${name} must be a whole number from ${least} to ${most}; it is "${text}".`)
  }
  return value
}

/** S3 takes no larger file in one piece than 5 GiB. */
const readMebibytes = (env: Environment, name: string, fallback: number) =>
  readInteger(env, name, fallback, 1, 5120) * 1_048_576

function readS3(env: Environment): S3Config | undefined {
  const bucket = env.CAMPUS_S3_BUCKET
  const endpoint = env.CAMPUS_S3_ENDPOINT || undefined
  const accessKeyId = env.CAMPUS_S3_ACCESS_KEY_ID
  const secretAccessKey = env.CAMPUS_S3_SECRET_ACCESS_KEY
  if (!bucket) {
    const given = Object.entries({ CAMPUS_S3_ENDPOINT: endpoint, CAMPUS_S3_ACCESS_KEY_ID: accessKeyId }).find(
      ([, is]) => is,
    )
    if (given) throw new ConfigError(`CAMPUS_S3_BUCKET must name a bucket, since ${given[0]} is set.`)
    return undefined
  }
  if (!accessKeyId) throw new ConfigError('CAMPUS_S3_ACCESS_KEY_ID must be set, since CAMPUS_S3_BUCKET is.')
  if (!secretAccessKey) throw new ConfigError('CAMPUS_S3_SECRET_ACCESS_KEY must be set, since CAMPUS_S3_BUCKET is.')
  if (endpoint && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw new ConfigError(`CAMPUS_S3_ENDPOINT must be an http:// or https:// address; it is "${endpoint}".`)
  }
  return { bucket, endpoint, accessKeyId, secretAccessKey, region: env.CAMPUS_S3_REGION || 'us-east-1' }
}

function readOneOf(env: Environment, name: string, allowed: readonly string[], fallback: string): string {
  const text = env[name] || fallback
  if (!allowed.includes(text)) throw new ConfigError(`${name} must be one of ${allowed.join(', ')}; it is "${text}".`)
  return text
}

function readBaseUrl(env: Environment, port: number): string {
  const text = env.CAMPUS_BASE_URL
  if (!text) return port === 443 ? 'https://localhost' : `https://localhost:${port}`
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.search || url.hash || url.username) {
    throw new ConfigError(
      `CAMPUS_BASE_URL must be an https:// address such as https://api.example.org; it is "${text}".`,
    )
  }
  return text.replace(/\/+$/, '')
}

function readProxies(env: Environment): readonly string[] {
  const proxies = listOf(env.CAMPUS_TRUSTED_PROXIES)
  const wrong = proxies.find((text) => !(text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)))
  if (wrong === undefined) return proxies
  throw new ConfigError(
    `CAMPUS_TRUSTED_PROXIES must list addresses and networks such as 10.0.0.7,10.1.0.0/16; "${wrong}" is none.`,
  )
}

const listOf = (text = '') =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

function readTokenRate(env: Environment): Config['tokenRate'] {
  const perSecond = readInteger(env, 'CAMPUS_TOKENS_PER_SECOND', 10, 0, 1_000_000)
  const burst = readInteger(env, 'CAMPUS_TOKENS_BURST', Math.max(60, perSecond), 1, 1_000_000)
  if (perSecond === 0) return undefined
  if (burst < perSecond) {
    throw new ConfigError(
      `CAMPUS_TOKENS_BURST must be at least CAMPUS_TOKENS_PER_SECOND (${perSecond}); it is "${burst}".`,
    )
  }
  return { perSecond, burst }
}

function readTls(env: Environment): Config['tls'] {
  const cert = env.CAMPUS_TLS_CERT
  const key = env.CAMPUS_TLS_KEY
  if (!cert && !key) return undefined
  if (!cert) throw new ConfigError('CAMPUS_TLS_CERT must name a certificate file, since CAMPUS_TLS_KEY is set.')
  if (!key) throw new ConfigError('CAMPUS_TLS_KEY must name a private key file, since CAMPUS_TLS_CERT is set.')
  return { cert: resolve(cert), key: resolve(key) }
}

function readOutgoing(env: Environment): Config['outgoing'] {
  const cert = env.CAMPUS_OUTGOING_CERT
  const key = env.CAMPUS_OUTGOING_KEY
  if (!cert && key) {
    throw new ConfigError('CAMPUS_OUTGOING_CERT must name a certificate file, since CAMPUS_OUTGOING_KEY is set.')
  }
  if (cert && !key) {
    throw new ConfigError('CAMPUS_OUTGOING_KEY must name a private key file, since CAMPUS_OUTGOING_CERT is set.')
  }
  return {
    allow: readAllow(env),
    ca: env.CAMPUS_OUTGOING_CA ? resolve(env.CAMPUS_OUTGOING_CA) : undefined,
    cert: cert ? resolve(cert) : undefined,
    key: key ? resolve(key) : undefined,
    connections: readInteger(env, 'CAMPUS_OUTGOING_CONNECTIONS', 10, 1, 1000),
  }
}

/** A host, an address or a network; whether a network is one that exists is seen when the list is used. */
const ALLOWABLE = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[?[0-9a-f:.]+\]?)(\/\d{1,3})?$/i

function readAllow(env: Environment): readonly string[] {
  const named = listOf(env.CAMPUS_OUTGOING_ALLOW)
  const wrong = named.find((entry) => !ALLOWABLE.test(entry))
  if (wrong !== undefined) {
    throw new ConfigError(
      `CAMPUS_OUTGOING_ALLOW must list hosts, addresses and networks such as store.example.org,10.1.0.0/16; "${wrong}" is none.`,
    )
  }
  return named
}

const SHORTEST_METRICS_TOKEN = 16

function readMetricsToken(env: Environment): string | undefined {
  const text = env.CAMPUS_METRICS_TOKEN
  if (text && text.length < SHORTEST_METRICS_TOKEN) {
    throw new ConfigError(
      `CAMPUS_METRICS_TOKEN must have at least ${SHORTEST_METRICS_TOKEN} characters; its value is not shown here.`,
    )
  }
  return text || undefined
}

function readDatabaseUrl(env: Environment): string | undefined {
  const text = env.DATABASE_URL
  if (!text) return undefined
  const protocol = URL.parse(text)?.protocol
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://; its value is not shown here.')
  }
  return text
}

function readTimeZone(env: Environment): string {
  const text = env.CAMPUS_TIME_ZONE || 'UTC'
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return text
  } catch {
    throw new ConfigError(`CAMPUS_TIME_ZONE must be an IANA zone such as Europe/Paris; it is "${text}".`)
  }
}

function readKey(env: Environment, name: string): Buffer | undefined {
  const text = env[name]
  if (!text) return undefined
  if (!/^[0-9a-f]{64}$/i.test(text)) {
    throw new ConfigError(
      `${name} must be 64 hex digits (32 bytes), as "openssl rand -hex 32" prints; its value is not shown here.`,
    )
  }
  return Buffer.from(text, 'hex')
}

const SCHOOL_SETTINGS = ['CAMPUS_OIDC_ISSUER', 'CAMPUS_OIDC_CLIENT_ID', 'CAMPUS_OIDC_CLIENT_SECRET'] as const

function readSchoolProvider(env: Environment): SchoolProviderConfig | undefined {
  const missing = SCHOOL_SETTINGS.filter((name) => !env[name])
  if (missing.length === SCHOOL_SETTINGS.length) return undefined
  const [first] = missing
  if (first) throw new ConfigError(`${first} must be set too, since other settings of the school's provider are.`)
  const issuer = env.CAMPUS_OIDC_ISSUER ?? ''
  const url = URL.parse(issuer)
  if (url?.protocol !== 'https:' || url.search || url.hash || url.username) {
    throw new ConfigError(
      `CAMPUS_OIDC_ISSUER must be the provider's https:// address such as https://login.example.org; it is "${issuer}".`,
    )
  }
  return {
    issuer,
    clientId: env.CAMPUS_OIDC_CLIENT_ID ?? '',
    clientSecret: env.CAMPUS_OIDC_CLIENT_SECRET ?? '',
    name: env.CAMPUS_OIDC_NAME?.trim() || 'School account',
  }
}
