import * as v from 'valibot'
import {
  databaseUrl,
  databaseUrls,
  domain,
  file,
  fileMode,
  folder,
  hostsAndNetworks,
  httpAddress,
  httpsAddress,
  key,
  languageCodes,
  mailAddress,
  mebibytes,
  mebibytesOfMemory,
  networks,
  oneOf,
  redisUrl,
  secretText,
  smtpUrl,
  socketFile,
  text,
  timeZone,
  wholeNumber,
} from './kinds.ts'

type Words = {
  /** Describes the default, if it is not a value that can be set. */
  readonly otherwise?: string
  /** A flag of the command line that goes before the variable. */
  readonly flag?: string
}

type Optional = v.OptionalSchema<v.GenericSchema<string, unknown>, string | undefined>

/** A setting as it is declared. */
export type DeclaredSetting = Words & { readonly schema: Optional; readonly about: string }

/** Declares a setting: the type and default of its value, and the description for `--help` and docs/settings.md. */
export const setting = <const Schema extends Optional, const More extends Words>(
  schema: Schema,
  about: string,
  more?: More,
) => ({ schema, about, ...more })

/** Whether this service terminates TLS, or a proxy that connects by plain HTTP, by default only on this machine. */
const TLS_MODES = ['on', 'off', 'off-anywhere'] as const

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

const LOG_FORMATS = ['pretty', 'json'] as const

/** Every setting but those of optional parts, in the order of the documentation. A default is written as the variable would be. */
export const SETTINGS = {
  CAMPUS_DATA: setting(v.optional(folder, './data'), 'folder of the embedded database, certificate, key and lock', {
    flag: '--data <folder>',
  }),
  CAMPUS_HOST: setting(v.optional(text, 'localhost'), 'address to listen on; `0.0.0.0` or `::` for all', {
    flag: '--host <name>',
  }),
  CAMPUS_PORT: setting(v.optional(wholeNumber(0, 65_535), '8443'), 'port to listen on', { flag: '--port <number>' }),
  CAMPUS_PROCESSES: setting(v.optional(wholeNumber(1, 128)), 'processes that serve', {
    otherwise: '`1`; with `DATABASE_URL` one for each core',
    flag: '--processes <number>',
  }),
  CAMPUS_BASE_URL: setting(
    v.optional(httpsAddress('must be an https:// address such as https://api.example.org')),
    'the address clients use; every link in an answer begins with it',
    { otherwise: '`https://localhost:<port>`' },
  ),
  CAMPUS_PICTURES_URL: setting(
    v.optional(httpsAddress('must be an https:// address such as https://cdn.example.org')),
    'the public address of pictures, such as that of a CDN; links to pictures begin with it ([pictures](operating.md#pictures-from-a-cdn))',
    { otherwise: '`CAMPUS_BASE_URL`' },
  ),
  CAMPUS_PASSKEY_DOMAIN: setting(
    v.optional(domain),
    'domain that passkeys belong to: the host of that address, or one above it, so that they stay good when the host changes ([passkeys](passkeys.md))',
    { otherwise: 'the host of `CAMPUS_BASE_URL`' },
  ),
  CAMPUS_TLS: setting(
    v.optional(oneOf(...TLS_MODES)),
    '`off` where a proxy ends TLS: plain HTTP on a loopback address; `off-anywhere` on any ([behind a proxy](operating.md#behind-a-proxy))',
    { otherwise: '`on`; with `CAMPUS_SOCKET` `off`' },
  ),
  CAMPUS_SOCKET: setting(
    v.optional(socketFile),
    'Unix socket to listen on instead of host and port, in plain HTTP, for a proxy that ends TLS',
  ),
  CAMPUS_SOCKET_MODE: setting(v.optional(fileMode, '660'), "who may connect to that socket, by the file's mode"),
  CAMPUS_TRUSTED_PROXIES: setting(
    v.optional(networks),
    'addresses and networks of proxies, such as `10.0.0.7,10.1.0.0/16`, whose `X-Forwarded-For` says where people sign in from ([behind a proxy](operating.md#behind-a-proxy))',
    { otherwise: 'none; without TLS those of this machine' },
  ),
  CAMPUS_HSTS_SECONDS: setting(
    v.optional(wholeNumber(0, 63_072_000), '31536000'),
    'how many seconds browsers use only HTTPS for the host (`Strict-Transport-Security`); `0` makes them forget it',
  ),
  CAMPUS_HSTS_SUBDOMAINS: setting(
    v.optional(oneOf('on', 'off'), 'off'),
    '`on` adds `includeSubDomains` to the header; turn it on only if every subdomain serves HTTPS',
  ),
  CAMPUS_DRAIN_SECONDS: setting(
    v.optional(wholeNumber(0, 300), '0'),
    'how long a service that is to stop answers on while it is not ready any more, so that a balancer notices ([behind a balancer](scaling.md#behind-a-balancer))',
  ),
  CAMPUS_TLS_CERT: setting(v.optional(file), 'PEM file of a certificate, with its chain', {
    otherwise: 'made in `<data>/tls`',
  }),
  CAMPUS_TLS_KEY: setting(v.optional(file), "PEM file of the certificate's key", { otherwise: 'made in `<data>/tls`' }),
  CAMPUS_ACME_EMAIL: setting(
    v.optional(mailAddress),
    'gets a certificate for the host of `CAMPUS_BASE_URL` by ACME, and renews it ([certificates](operating.md#certificates)); the authority writes there',
    { otherwise: 'no authority is asked' },
  ),
  CAMPUS_ACME_DIRECTORY: setting(
    v.optional(
      httpsAddress("must be the authority's https:// address"),
      'https://acme-v02.api.letsencrypt.org/directory',
    ),
    'the authority',
  ),
  CAMPUS_ACME_PORT: setting(
    v.optional(wholeNumber(1, 65_535), '80'),
    'port of plain HTTP that the authority calls back at; all else there is sent to HTTPS',
  ),
  CAMPUS_TOKENS_PER_SECOND: setting(
    v.optional(wholeNumber(0, 1_000_000), '10'),
    'requests for tokens a second by one application or address ([signing in](operating.md#signing-in)); `0` means without limit',
  ),
  CAMPUS_TOKENS_BURST: setting(v.optional(wholeNumber(1, 1_000_000)), 'requests for tokens at once', {
    otherwise: '`60`, or the number a second where that is more',
  }),
  CAMPUS_CLIENT_REGISTRATION: setting(
    v.optional(oneOf('on', 'off'), 'off'),
    '`on` lets assistants register themselves (RFC 7591) if they have no client ID metadata document ([assistants](assistants.md#clients-that-register-themselves))',
  ),
  CAMPUS_REDIS_URL: setting(
    v.optional(redisUrl),
    'address of a Redis or Valkey server that counts requests for several machines ([rates](scaling.md#rates-over-several-machines))',
    { otherwise: 'each machine counts by itself' },
  ),
  DATABASE_URL: setting(
    v.optional(databaseUrl),
    'address of a PostgreSQL server, 15 or later, or of several (`host1,host2`)',
    {
      otherwise: 'the embedded database',
    },
  ),
  DATABASE_DIRECT_URL: setting(
    v.optional(databaseUrl),
    'address of the same database without the pooler, where `DATABASE_URL` leads to one that shares its connections by transaction ([poolers](scaling.md#poolers))',
    { otherwise: '`DATABASE_URL` keeps sessions' },
  ),
  DATABASE_REPLICA_URLS: setting(
    v.optional(databaseUrls, ''),
    'addresses of servers that follow it by streaming replication, each with one host; they are read where nothing is missing there ([replicas](scaling.md#replicas))',
  ),
  CAMPUS_DATABASE_POOL: setting(
    v.optional(wholeNumber(2, 500)),
    'connections of each process to the database, beside one that is asked what changed; three tenths of them, one at least, only read',
    { otherwise: '`10`; of more than 6 processes a share of 60, but at least `3`' },
  ),
  CAMPUS_RESPONSE_CACHE_MIB: setting(
    v.optional(mebibytesOfMemory, '32'),
    'memory of each process for answers that nothing has changed since, in MiB; `0` makes every answer anew',
  ),
  CAMPUS_POSTGRES_BIN: setting(v.optional(folder), "folder with PostgreSQL's programs for the embedded database", {
    otherwise: 'that of the npm package',
  }),
  CAMPUS_POSTGRES_ACCOUNT: setting(
    v.optional(text),
    'account that the embedded database runs as where the service runs as root',
    { otherwise: 'found at start' },
  ),
  CAMPUS_SECRET_KEY: setting(
    v.optional(key),
    'seals the secrets of webservices; processes that share a database must share it',
    { otherwise: 'made in `<data>/secret.key`' },
  ),
  CAMPUS_SEALING_KEY: setting(
    v.optional(key),
    'seals passwords and metas until they are delivered to campuses ([webhooks](operating.md#webhooks))',
    {
      otherwise: 'made at start, never stored',
    },
  ),
  CAMPUS_OUTGOING_ALLOW: setting(
    v.optional(hostsAndNetworks, ''),
    'hosts, addresses and networks that webservices may have although they are not public, such as `store.example.org,10.1.0.0/16`. Every student’s application may also send webhooks and logout notices to them, and every person may have client metadata documents fetched from them.',
  ),
  CAMPUS_OUTGOING_CA: setting(
    v.optional(file),
    'PEM file of authorities that vouch for webservices, beside the well-known ones',
  ),
  CAMPUS_OUTGOING_CERT: setting(v.optional(file), 'PEM file of a certificate to show to webservices'),
  CAMPUS_OUTGOING_KEY: setting(v.optional(file), 'PEM file of the key of that certificate'),
  CAMPUS_OUTGOING_CONNECTIONS: setting(
    v.optional(wholeNumber(1, 1000), '10'),
    'deliveries to one webservice at a time, of each process',
  ),
  CAMPUS_METRICS_TOKEN: setting(v.optional(secretText(16)), 'opens `/metrics` to any client that presents it', {
    otherwise: 'none: programs on this machine may read',
  }),
  CAMPUS_FILES: setting(
    v.optional(folder),
    'folder of attached files; processes that share a database must share it, or a bucket',
    { otherwise: '`<data>/files`' },
  ),
  CAMPUS_S3_BUCKET: setting(v.optional(text), 'bucket of S3-compatible storage that attached files go to instead'),
  CAMPUS_S3_ENDPOINT: setting(v.optional(httpAddress), 'where the bucket is', { otherwise: 'that of AWS' }),
  CAMPUS_S3_REGION: setting(v.optional(text, 'us-east-1'), 'the region of the bucket'),
  CAMPUS_S3_ACCESS_KEY_ID: setting(v.optional(text), 'needed with a bucket'),
  CAMPUS_S3_SECRET_ACCESS_KEY: setting(v.optional(text), 'needed with a bucket'),
  CAMPUS_MAX_CODE_MIB: setting(v.optional(mebibytes, '10'), 'the largest file of code, in MiB'),
  CAMPUS_MAX_PDF_MIB: setting(v.optional(mebibytes, '50'), 'the largest PDF, in MiB'),
  CAMPUS_MAX_DOCUMENT_MIB: setting(v.optional(mebibytes, '50'), 'the largest other document, in MiB'),
  CAMPUS_MAX_VIDEO_MIB: setting(v.optional(mebibytes, '2048'), 'the largest video, in MiB'),
  CAMPUS_MAX_IMAGE_MIB: setting(
    v.optional(mebibytes, '20'),
    'the largest picture of a person, a coalition and the like, in MiB',
  ),
  CAMPUS_MAX_UPLOAD_MIB: setting(v.optional(mebibytes, '4096'), 'the largest body that holds files, in MiB'),
  CAMPUS_DAILY_UPLOAD_MIB: setting(
    v.optional(wholeNumber(1, 1_000_000_000), '20480'),
    'what one person may upload a day through all applications and pages, in MiB; more is 429',
  ),
  CAMPUS_STREAMS: setting(
    v.optional(wholeNumber(0, 100_000), '2000'),
    'streams of changes that each process holds open ([streams](streams.md)); more are 429',
  ),
  CAMPUS_FEED_HOURS: setting(
    v.optional(wholeNumber(1, 8760), '72'),
    'hours for which changes are stored, so that streams resume without a gap',
  ),
  CAMPUS_FILE_LINK_HOURS: setting(
    v.optional(wholeNumber(1, 720), '24'),
    "a file's address opens for at least so long, at most twice as long",
  ),
  CAMPUS_OIDC_ISSUER: setting(
    v.optional(httpsAddress("must be the provider's https:// address such as https://login.example.org")),
    "the school's own OpenID Connect provider ([setting it up](operating.md#signing-in-at-the-schools-own-provider))",
  ),
  CAMPUS_OIDC_CLIENT_ID: setting(v.optional(text), 'this service at the provider; needed with it'),
  CAMPUS_OIDC_CLIENT_SECRET: setting(v.optional(text), 'its secret; needed with the provider'),
  CAMPUS_OIDC_NAME: setting(v.optional(text, 'School account'), 'what people call the provider: "Sign in with …"'),
  CAMPUS_MAIL_URL: setting(
    v.optional(smtpUrl),
    'mail server, such as `smtp://name:password@mail.example.org:587`; `?name=` sets the name in `EHLO` ([mail](operating.md#mail))',
    { otherwise: 'no mail is sent' },
  ),
  CAMPUS_MAIL_FROM: setting(v.optional(mailAddress), 'who mails are from; needed with a mail server'),
  CAMPUS_LANGUAGES: setting(
    v.optional(languageCodes, 'en'),
    "codes of the school's languages, the usual one first ([pages.md](pages.md) lists them)",
  ),
  CAMPUS_TIME_ZONE: setting(
    v.optional(timeZone, 'UTC'),
    'zone of dates that carry an offset, of imported times without a zone, and of times on pages and in mails for people without a campus',
  ),
  CAMPUS_LOG_LEVEL: setting(
    v.optional(oneOf(...LOG_LEVELS), 'info'),
    `least of what is logged: ${LOG_LEVELS.join(', ')}`,
  ),
  CAMPUS_LOG_FORMAT: setting(
    v.optional(oneOf(...LOG_FORMATS)),
    'what logs are written for: `pretty` for people, `json` for programs, one object a line',
    { otherwise: '`pretty` on a terminal and with `npm start`, else `json`' },
  ),
  CAMPUS_SLOW_STATEMENT_MS: setting(
    v.optional(wholeNumber(0, 3_600_000), '500'),
    'statements that take so many milliseconds are logged, without their values; `0` logs none',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    v.optional(httpAddress),
    'where traces are sent, by OTLP over HTTP ([monitoring.md](monitoring.md#traces))',
  ),
}

export type SettingName = keyof typeof SETTINGS

/** Values of all settings, with defaults applied. */
export type Settings = { readonly [Name in SettingName]: v.InferOutput<(typeof SETTINGS)[Name]['schema']> }
