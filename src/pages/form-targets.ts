/**
 * The CSP sources of a form whose answer sends the browser on to this address. Schemes, not hosts: the application may send it
 * on to another address of its own.
 */
export function formTargetsOf(address: string): readonly string[] {
  const scheme = URL.parse(address)?.protocol ?? 'https:'
  return scheme === 'https:' ? [scheme] : [scheme, 'https:']
}
