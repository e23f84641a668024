import { resolve } from 'node:path'
import { isDatabaseAddress, isOneServer } from '@campus/engine/base/database-hosts'
import { defined } from '@campus/engine/base/defined'
import { MEBIBYTE } from '@campus/engine/base/mebibyte'
import { isOneOf } from '@campus/engine/base/narrow'
import ipaddr from 'ipaddr.js'
import * as v from 'valibot'

/*
 * Kinds of values. Each kind parses the text of a variable. It has a title for the table of settings, and an error that
 * says which text is valid. The error follows the name of the variable, and never repeats a secret.
 */

const kind = <Value>(
  title: string,
  isRight: (text: string) => boolean,
  right: string | ((text: string) => string),
  read: (text: string) => Value,
) =>
  v.pipe(
    v.string(),
    v.check(isRight, ({ input }) => (typeof right === 'string' ? `${right}; it is "${input}".` : right(input))),
    v.transform(read),
    v.title(title),
  )

const secret = (right: string) => () => `${right}; its value is not shown here.`

/** A path relative to the folder where the service was started. */
const path = (title: string) => v.pipe(v.string(), v.transform(resolve), v.title(title))

export const folder = path('folder')
export const file = path('file')

/** Maximum length of the path of a Unix socket on macOS, the lowest of all systems. */
const SOCKET_PATH_BYTES = 103

export const socketFile = v.pipe(
  v.string(),
  v.transform(resolve),
  v.check(
    (path) => Buffer.byteLength(path) <= SOCKET_PATH_BYTES,
    `must be a path of at most ${SOCKET_PATH_BYTES} bytes, as systems allow for sockets.`,
  ),
  v.title('file'),
)

/** A file mode in the format of chmod. */
export const fileMode = kind(
  'octal digits',
  (digits) => /^0?[0-7]{3}$/.test(digits),
  'must be three octal digits such as 660',
  (digits) => Number.parseInt(digits, 8),
)

export const text = v.pipe(v.string(), v.title('text'))

export const wholeNumber = (min: number, max: number) =>
  kind(
    `${min} to ${max}`,
    (digits) => /^\d+$/.test(digits) && Number(digits) >= min && Number(digits) <= max,
    `must be a whole number from ${min} to ${max}`,
    Number,
  )

/** Maximum size of a file that S3 accepts in one request: 5 GiB. */
const MAX_MEBIBYTES = 5120

/** Parses mebibytes into bytes. */
const mebibytesFrom = (min: number, max: number) =>
  v.pipe(
    wholeNumber(min, max),
    v.transform((count) => count * MEBIBYTE),
  )

/** Size of a file. */
export const mebibytes = mebibytesFrom(1, MAX_MEBIBYTES)

/** Memory. 0 for none. */
export const mebibytesOfMemory = mebibytesFrom(0, 65_536)

export const oneOf = <const Word extends string>(...allowed: readonly Word[]) =>
  kind(
    'one of them',
    (name) => isOneOf(allowed, name),
    `must be one of ${allowed.join(', ')}`,
    (name) => defined(allowed.find((word) => word === name)),
  )

/** An https:// address without a query or credentials. */
export const httpsAddress = (right: string) => kind('https:// address', isHttpsAddress, right, (address) => address)

function isHttpsAddress(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' && !url.search && !url.hash && !url.username
}

export const domain = kind(
  'domain',
  (name) => /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name),
  'must be a domain in small letters such as school.example.org',
  (name) => name,
)

export const httpAddress = kind(
  'http(s):// address',
  (address) => /^https?:$/.test(URL.parse(address)?.protocol ?? ''),
  'must be an http:// or https:// address',
  (address) => address,
)

export const databaseUrl = kind(
  'postgres:// address',
  isDatabaseAddress,
  secret('must begin with postgres:// or postgresql://, and have one port or as many as hosts'),
  (address) => address,
)

export const databaseUrls = kind(
  'list, with commas',
  (addresses) => entriesOf(addresses).every(isOneServer),
  secret('must list addresses that begin with postgres:// or postgresql://, each with one host'),
  (addresses) => entriesOf(addresses),
)

export const redisUrl = kind(
  'redis:// address',
  (address) => /^rediss?:$/.test(URL.parse(address)?.protocol ?? ''),
  secret('must begin with redis:// or, for TLS, rediss://'),
  (address) => address,
)

export const smtpUrl = kind(
  'smtp:// address',
  (address) => /^smtps?:$/.test(URL.parse(address)?.protocol ?? ''),
  secret('must begin with smtp:// or, for TLS from the first byte, smtps://'),
  (address) => address,
)

export const mailAddress = kind(
  'mail address',
  (address) =>
    /^([^<>\r\n]* <)?[^\s@<>]+@[^\s@<>]+>?$/.test(address) && address.includes('<') === address.endsWith('>'),
  'must be an address such as campus@example.org or Campus <campus@example.org>',
  (address) => address,
)

export const key = kind(
  '64 hex digits',
  (digits) => /^[0-9a-f]{64}$/i.test(digits),
  secret('must be 64 hex digits (32 bytes), as "openssl rand -hex 32" prints'),
  (digits) => Buffer.from(digits, 'hex'),
)

export const secretText = (minLength: number) =>
  kind(
    `${minLength} characters or more`,
    (characters) => characters.length >= minLength,
    secret(`must have at least ${minLength} characters`),
    (characters) => characters,
  )

export const timeZone = kind('IANA zone', isTimeZone, 'must be an IANA zone such as Europe/Paris', (name) => name)

function isTimeZone(name: string): boolean {
  if (name === 'UTC') return true // The default need not wait for the data of all zones.
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const list = (title: string, isRight: (entry: string) => boolean, right: string) =>
  kind(
    title,
    (entries) => entriesOf(entries).every(isRight),
    (entries) => `${right}; "${entriesOf(entries).find((entry) => !isRight(entry))}" is none.`,
    entriesOf,
  )

const entriesOf = (entries: string): readonly string[] =>
  entries
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

export const networks = list(
  'list, with commas',
  (entry) => (entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry)),
  'must list addresses and networks such as 10.0.0.7,10.1.0.0/16',
)

/** A host, an address or a network. Whether the network is valid is checked when the list is used. */
const HOST_OR_NETWORK = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[?[0-9a-f:.]+\]?)(\/\d{1,3})?$/i

export const hostsAndNetworks = list(
  'list, with commas',
  (entry) => HOST_OR_NETWORK.test(entry),
  'must list hosts, addresses and networks such as store.example.org,10.1.0.0/16',
)

/** Language codes. A rule compares them with the languages of the service. */
export const languageCodes = v.pipe(v.string(), v.transform(entriesOf), v.title('list, with commas'))
