import type { FastifyReply } from 'fastify'
import type { PageOptions } from './page.ts'
import { pictureSources } from './picture-source.ts'

/**
 * Sets a content policy without inline code or framing. Chromium applies `form-action` to all redirects after a form,
 * so a page with `leadsToApplication` has none: the application may redirect again, even to another scheme.
 */
export function setSecurityHeaders(
  reply: FastifyReply,
  {
    leadsToApplication = false,
    frameAncestors = [],
    imageSources = [],
    referrerPolicy = 'same-origin',
    scripts = [],
  }: PageOptions = {},
): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    ["img-src 'self'", ...pictureSources(), ...imageSources].join(' '),
    ...(scripts.length > 0 ? ["script-src 'self'", "connect-src 'self'"] : []),
    ...(leadsToApplication ? [] : ["form-action 'self'"]),
    `frame-ancestors ${frameAncestors.join(' ') || "'none'"}`,
    "base-uri 'none'",
  ]
  reply.headers({
    'content-security-policy': policy.join('; '),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // With `no-referrer` browsers would send `Origin: null` with our own forms.
    'referrer-policy': referrerPolicy,
    // Browsers ignore it beside `frame-ancestors`.
    'x-frame-options': 'DENY',
  })
}
