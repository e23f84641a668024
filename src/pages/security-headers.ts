import type { FastifyReply } from 'fastify'
import type { PageContent } from './page.ts'
import { pictureSources } from './picture-source.ts'

/**
 * Allows nothing inline, nothing from other origins, and no framing except by the `frameAncestors` of a page. Scripts run only on
 * pages with a script of ours. Chromium applies `form-action` to all redirects after a form, so a page whose form leads to an
 * application has none: the application may redirect again, to a program's own scheme for example.
 */
export function setSecurityHeaders(
  reply: FastifyReply,
  {
    leadsToApplication = false,
    frameAncestors = [],
    imageSources = [],
    referrerPolicy = 'same-origin',
    scripts = [],
  }: Partial<PageContent> = {},
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
