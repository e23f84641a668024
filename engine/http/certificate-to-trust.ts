import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shellWord } from '../base/text/shell-word.ts'
import { isLoopbackHost } from './loopback.ts'
import type { TlsConfig } from './tls.ts'

type TrustConfig = TlsConfig & { readonly baseUrl: string; readonly isBehindProxy: boolean }

/**
 * Returns the certificate that clients must trust explicitly, because no authority has signed it: its path on this machine, or its file
 * name if the service is used from other machines. Returns undefined if systems trust the certificate.
 */
export function certificateToTrust({ data, tls, acme, baseUrl, isBehindProxy }: TrustConfig): string | undefined {
  if (isBehindProxy || acme || (tls && !isSelfSigned(tls.cert))) return undefined
  return isLoopbackHost(new URL(baseUrl).host) ? resolve(tls?.cert ?? join(data, 'tls', 'cert.pem')) : 'cert.pem'
}

export function curlOf(config: TrustConfig): string {
  const file = certificateToTrust(config)
  return file === undefined ? 'curl' : `curl --cacert ${shellWord(file)}`
}

/** Ignores errors, which the start of the service reports. */
function isSelfSigned(file: string): boolean {
  try {
    const certificate = new X509Certificate(readFileSync(file))
    return certificate.checkIssued(certificate)
  } catch {
    return false
  }
}
