import type { FastifyReply } from 'fastify'
import type { PageContent } from './page.ts'

/**
 * Nothing inline, nothing from elsewhere, no frame around us. Chromium holds `form-action` against redirects after a
 * form too, so a page whose form ends elsewhere names where (`formTargets`, as CSP sources). Only pages with a script of
 * ours let scripts run.
 */
export function setSecurityHeaders(
  reply: FastifyReply,
  { formTargets = [], scripts = [] }: Partial<Pick<PageContent, 'formTargets' | 'scripts'>> = {},
): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    ...(scripts.length > 0 ? ["script-src 'self'", "connect-src 'self'"] : []),
    ["form-action 'self'", ...formTargets].join(' '),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  reply.headers({
    'content-security-policy': policy.join('; '),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // With `no-referrer` browsers would send `Origin: null` with our own forms.
    'referrer-policy': 'same-origin',
    'x-frame-options': 'DENY',
  })
}
