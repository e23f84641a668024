import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shellWord } from '../base/text/shell-word.ts'
import { isLoopbackHost } from './loopback.ts'
import type { TlsConfig } from './tls.ts'

type TrustConfig = TlsConfig & { readonly baseUrl: string; readonly isBehindProxy: boolean }

/**
 * The certificate that clients must trust explicitly, since no authority has signed it: its path on this machine, or,
 * where the service is called from others, the name of the file that its operator distributes. Undefined where systems
 * trust it already.
 */
export function certificateToTrust({ data, tls, acme, baseUrl, isBehindProxy }: TrustConfig): string | undefined {
  if (isBehindProxy || acme || (tls && !isSelfSigned(tls.cert))) return undefined
  return isLoopbackHost(new URL(baseUrl).host) ? resolve(tls?.cert ?? join(data, 'tls', 'cert.pem')) : 'cert.pem'
}

/** `curl`, with what it needs to trust the service. */
export function curlOf(config: TrustConfig): string {
  const file = certificateToTrust(config)
  return file === undefined ? 'curl' : `curl --cacert ${shellWord(file)}`
}

/** What cannot be read is refused when the service starts. */
function isSelfSigned(file: string): boolean {
  try {
    const certificate = new X509Certificate(readFileSync(file))
    return certificate.checkIssued(certificate)
  } catch {
    return false
  }
}
