import { X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMilliseconds } from '../../base/backoff.ts'
import { toError } from '../../base/caught.ts'
import { ConfigError } from '../../base/config-error.ts'
import { defined } from '../../base/defined.ts'
import { pauseFor } from '../../base/pause-for.ts'
import { settingName } from '../../base/service.ts'
import { failureOf } from '../listeners.ts'
import { readObtained, storeObtained } from './acme-files.ts'
import { Challenges } from './challenges.ts'
import type { AcmeConfig } from './obtain-certificate.ts'

const HOUR_MS = 3_600_000
const LOOK_MS = 12 * HOUR_MS
/** An authority limits failures, to five an hour at most. */
const AFTER_FAILURE = { first: HOUR_MS / 4, max: LOOK_MS }
/** Share of a certificate's lifetime after which it is renewed. The rest is time to solve problems. */
const RENEWED_AFTER = 2 / 3

type RenewalDependencies = {
  readonly config: {
    readonly acme: AcmeConfig | undefined
    readonly baseUrl: string
    readonly data: string
    readonly host: string
  }
  readonly onRenewed: () => Promise<void>
  readonly notify: (message: string) => void
}

/**
 * Obtains and renews the certificate of the base URL's host, if ACME is configured, until the returned function is called. A
 * self-signed certificate serves before. Throws ConfigError if the port of plain HTTP cannot be opened.
 */
export async function renewCertificates({
  config,
  onRenewed,
  notify,
}: RenewalDependencies): Promise<() => Promise<void>> {
  const { acme, baseUrl, data } = config
  if (!acme) return async () => {}
  const host = new URL(baseUrl).hostname
  const challenges = new Challenges(baseUrl)
  await challenges.listen(config.host, acme.port).catch((error) => {
    const { address, code } = failureOf(error)
    throw new ConfigError(
      `${settingName('ACME_PORT')} must be a free port that may be opened; port ${acme.port} of ${address ?? config.host} is not (${code}).`,
    )
  })
  const stopping = new AbortController()
  const { signal } = stopping

  async function renewIfDue(): Promise<void> {
    const present = await readObtained(data, host, new Date())
    if (present && !isDue(present.cert, new Date())) return
    const { obtainCertificate } = await import('./obtain-certificate.ts') // Slow to load and seldom needed.
    await storeObtained(data, await obtainCertificate({ ...defined(acme), data, host, challenges }))
    await onRenewed()
    notify(`A certificate for ${host} was obtained.`)
  }

  async function run(): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        await renewIfDue()
        failures = 0
      } catch (error) {
        notify(`No certificate for ${host} was obtained: ${toError(error).message}`)
        failures += 1
      }
      const pause = failures === 0 ? LOOK_MS : backoffMilliseconds(failures - 1, AFTER_FAILURE)
      await pauseFor(pause, signal)
    }
  }

  const running = run()
  return async () => {
    stopping.abort()
    await challenges.close()
    // Does not wait for a slow authority.
    await Promise.race([running, sleep(1_000, undefined, { ref: false })])
  }
}

export function isDue(cert: string, now: Date): boolean {
  const { validFromDate, validToDate } = new X509Certificate(cert)
  const [from, to] = [validFromDate.getTime(), validToDate.getTime()]
  return now.getTime() > from + (to - from) * RENEWED_AFTER
}
