import type { FastifyReply } from 'fastify'
import type { PageContent } from './page.ts'
import { pictureSources } from './picture-source.ts'

/**
 * Nothing inline, nothing from other origins, no framing except by the `frameAncestors` of a page. Chromium applies
 * `form-action` to redirects after a form, too, so a page whose form ends elsewhere names the targets (`formTargets`, as CSP sources). Scripts run only on pages
 * with a script of ours.
 */
export function setSecurityHeaders(
  reply: FastifyReply,
  {
    formTargets = [],
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
    ["form-action 'self'", ...formTargets].join(' '),
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
