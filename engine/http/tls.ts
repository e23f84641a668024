import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { toError } from '../base/caught.ts'
import { ConfigError } from '../base/config-error.ts'
import { makePrivateFolder, readIfPresent, readOrCreatePrivateFile, replacePrivateFile } from '../base/private-files.ts'
import { productName, settingName } from '../base/service.ts'
import { readObtained } from './acme/acme-files.ts'

/** PEM texts. */
export type Tls = { readonly cert: string; readonly key: string }

export type TlsConfig = {
  readonly data: string
  readonly tls: Tls | undefined
  readonly acme?: object | undefined
  readonly baseUrl?: string
}

/** Returns the configured certificate, the one from ACME, or a self-signed one for the base URL's host. Throws ConfigError. */
export const loadTls = async (config: TlsConfig, now = new Date()): Promise<Tls> =>
  (await readGiven(config, now)) ?? makeOwn(folderOf(config), hostOf(config), now)

export const readTls = async (config: TlsConfig, now = new Date()): Promise<Tls | undefined> =>
  (await readGiven(config, now)) ?? readOwn(folderOf(config), hostOf(config), now)

async function readGiven(config: TlsConfig, now: Date): Promise<Tls | undefined> {
  const { data, tls, acme } = config
  return tls ? readConfigured(tls) : acme && readObtained(data, hostOf(config), now)
}

const folderOf = ({ data }: TlsConfig) => join(data, 'tls')
const hostOf = ({ baseUrl }: TlsConfig) => new URL(baseUrl ?? 'https://localhost').hostname.replace(/^\[|\]$/g, '')

async function readConfigured(files: Tls): Promise<Tls> {
  const cert = await readSetting(settingName('TLS_CERT'), files.cert)
  const key = await readSetting(settingName('TLS_KEY'), files.key)
  const certificate = parse(
    () => new X509Certificate(cert),
    settingName('TLS_CERT'),
    `a certificate in PEM form; ${files.cert}`,
  )
  const privateKey = parse(
    () => createPrivateKey(key),
    settingName('TLS_KEY'),
    `a private key without a passphrase; ${files.key}`,
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new ConfigError(
      `${settingName('TLS_KEY')} must name the private key of the certificate in ${settingName('TLS_CERT')}; ${files.key} does not match ${files.cert}.`,
    )
  }
  return { cert, key }
}

async function readSetting(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = toError(error)
    throw new ConfigError(`${variable} must name a file that can be read; ${path} cannot (${code ?? message}).`)
  }
}

function parse<T>(read: () => T, variable: string, expected: string): T {
  try {
    return read()
  } catch {
    throw new ConfigError(`${variable} must name ${expected} is not one.`)
  }
}

const DAY_MILLISECONDS = 86_400_000
/** Apple's systems refuse certificates that are valid for more than 825 days. */
const LIFETIME_DAYS = 820
const RENEWAL_DAYS = 7

async function readOwn(folder: string, host: string, now: Date): Promise<Tls | undefined> {
  const [key, cert] = await Promise.all([keyOf(folder), certificateOf(folder)].map(readIfPresent))
  if (key === undefined || cert === undefined) return undefined
  return isUsable(cert, parseOwnKey(folder, key), host, now) ? { cert, key } : undefined
}

/** Creates the key once, and a certificate when none is usable. Concurrent processes agree on both files. */
async function makeOwn(folder: string, host: string, now: Date): Promise<Tls> {
  await makePrivateFolder(folder)
  const key = await readOrCreatePrivateFile(keyOf(folder), makeKey)
  const path = certificateOf(folder)
  const privateKey = parseOwnKey(folder, key)
  const present = await readOrCreatePrivateFile(path, () => makeCertificate(privateKey, host, now))
  if (isUsable(present, privateKey, host, now)) return { cert: present, key }
  const cert = await makeCertificate(privateKey, host, now)
  await replacePrivateFile(path, cert)
  return { cert, key }
}

const keyOf = (folder: string) => join(folder, 'key.pem')
const certificateOf = (folder: string) => join(folder, 'cert.pem')

const parseOwnKey = (folder: string, key: string) =>
  parse(
    () => createPrivateKey(key),
    settingName('DATA'),
    `a folder whose tls/key.pem is a private key; ${keyOf(folder)}`,
  )

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function isUsable(cert: string, privateKey: KeyObject, host: string, now: Date): boolean {
  try {
    const certificate = new X509Certificate(cert)
    const named = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)
    if (named === undefined) return false
    return certificate.checkPrivateKey(privateKey) && certificate.validToDate > daysAfter(now, RENEWAL_DAYS)
  } catch {
    return false
  }
}

/** The certificate is not a CA, so that clients that trust it trust no other name. */
async function makeCertificate(privateKey: KeyObject, host: string, now: Date): Promise<string> {
  const { generate } = await import('selfsigned') // Slow to load, and needed once in two years.
  const { cert } = await generate([{ name: 'commonName', value: `${productName()} on localhost` }], {
    keyType: 'ec',
    algorithm: 'sha256',
    keyPair: {
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString(),
    },
    notBeforeDate: daysAfter(now, -1),
    notAfterDate: daysAfter(now, LIFETIME_DAYS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [...new Set([...LOOPBACK, host])].map(alternativeName) },
    ],
  })
  return cert.endsWith('\n') ? cert : `${cert}\n`
}

const LOOPBACK = ['localhost', '127.0.0.1', '::1']

/** Types of alternative names in RFC 5280 §4.2.1.6. */
const alternativeName = (host: string) =>
  isIP(host) ? ({ type: 7, ip: host } as const) : ({ type: 2, value: host } as const)

const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * DAY_MILLISECONDS)
