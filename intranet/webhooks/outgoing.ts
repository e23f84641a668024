import { readFile } from 'node:fs/promises'
import { createSecureContext, rootCertificates } from 'node:tls'
import { toError } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'
import type { Config } from '../settings/config.ts'
import { type AllowList, readAllowList } from './connect-guard.ts'
import type { AttemptLimits } from './delivery-queues.ts'
import type { OutgoingTls } from './guarded-connector.ts'

export type Outgoing = {
  readonly allowed: AllowList
  readonly tls: OutgoingTls
  /** Maximum number of concurrent deliveries to one endpoint. */
  readonly connections: number
}

/** Maximum number of concurrent attempts of a process, for campuses and for applications each. Each holds a socket and 64 KiB. */
const MAX_ATTEMPTS = 256
/** Maximum number of concurrent attempts of a process for one person, over all applications. */
const MAX_ATTEMPTS_PER_PERSON = 16

export const limitsToCampuses = ({ connections }: Pick<Outgoing, 'connections'>): AttemptLimits => ({
  perProcess: MAX_ATTEMPTS,
  perOwner: connections,
  perSubscription: connections,
})

export const limitsToApplications = ({ connections }: Pick<Outgoing, 'connections'>): AttemptLimits => ({
  perProcess: MAX_ATTEMPTS,
  perOwner: MAX_ATTEMPTS_PER_PERSON,
  perSubscription: Math.min(connections, MAX_ATTEMPTS_PER_PERSON),
})

/** Reads the settings of outgoing requests. Throws ConfigError. */
export async function readOutgoing({ outgoing }: Pick<Config, 'outgoing'>): Promise<Outgoing> {
  const ca = outgoing.ca && (await readPem('CAMPUS_OUTGOING_CA', outgoing.ca))
  const cert = outgoing.cert && (await readPem('CAMPUS_OUTGOING_CERT', outgoing.cert))
  const key = outgoing.key && (await readPem('CAMPUS_OUTGOING_KEY', outgoing.key))
  if (ca) check('CAMPUS_OUTGOING_CA must name certificates in PEM form', () => createSecureContext({ ca }))
  if (cert && key) {
    check('CAMPUS_OUTGOING_CERT and CAMPUS_OUTGOING_KEY must name a certificate and its private key in PEM form', () =>
      createSecureContext({ cert, key }),
    )
  }
  const allowed = check('CAMPUS_OUTGOING_ALLOW must list hosts, addresses and networks', () =>
    readAllowList(outgoing.allow),
  )
  return {
    allowed,
    tls: { ...(ca ? { ca: [...rootCertificates, ca] } : {}), ...(cert && key ? { cert, key } : {}) },
    connections: outgoing.connections,
  }
}

async function readPem(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code, message } = toError(error)
    throw new ConfigError(`${variable} must name a file that can be read; ${path} cannot (${code ?? message}).`)
  }
}

function check<T>(rule: string, use: () => T): T {
  try {
    return use()
  } catch (error) {
    throw new ConfigError(`${rule}; what is set is not (${toError(error).message}).`)
  }
}
