import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { readTls } from '@campus/engine/http/tls'
import { type Check, type Found, fault, type Surroundings, warning, well } from './finding.ts'

const DAY_MS = 86_400_000

/** Checks whether clients will accept the certificate: its names, expiry and issuer. */
export const certificate: Check<Surroundings> = {
  about: 'certificate',
  async look({ config, now }) {
    if (config.isBehindProxy) return [well('it is that of the proxy, which ends TLS')]
    const tls = await readTls(config)
    if (!tls) return [well('there is no certificate yet: the service creates one when it starts')]
    const found = new X509Certificate(tls.cert)
    const host = new URL(config.baseUrl).hostname.replace(/^\[|\]$/g, '')
    const findings: Found[] = []
    if ((isIP(host) ? found.checkIP(host) : found.checkHost(host)) === undefined) {
      findings.push(
        fault(
          `it is not for ${host}, where clients call (CAMPUS_BASE_URL); it is for ${found.subjectAltName ?? 'no name'}`,
          'Get one for that name.',
        ),
      )
    }
    const days = Math.floor((found.validToDate.getTime() - now.getTime()) / DAY_MS)
    const end = `it ends in ${days} days (${found.validTo})`
    if (!config.tls && found.issuer === found.subject) {
      findings.push(
        warning(
          'made by the service itself, so clients must be told to trust it',
          'For others than yourself set CAMPUS_TLS_CERT and CAMPUS_TLS_KEY, or CAMPUS_ACME_EMAIL.',
        ),
      )
    } else if (days < 0) findings.push(fault(`it has ended (${found.validTo})`, 'Renew it and send SIGHUP.'))
    else if (days < 14) findings.push(warning(end, 'Renew it and send SIGHUP.'))
    return findings.length > 0 ? findings : [well(end)]
  },
}
