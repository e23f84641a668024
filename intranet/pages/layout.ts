import { type Html, html, say } from './html.ts'
import { language } from './language.ts'
import { languageChoice } from './language-choice.ts'
import { entryAbove } from './navigation.ts'
import { type PageContent, type PageContext, pathOf } from './page.ts'
import { barePageHeader, pageHeader, SITE } from './page-header.ts'
import { hasReference } from './reference-link.ts'
import { scriptUrl } from './scripts.ts'
import { STYLESHEET_URL } from './stylesheet.ts'
import { timeZoneChoice } from './time-zone.ts'

/**
 * Renders the page around its content. Without a page context, as after a failure, it shows what visitors see. The
 * content is not streamed, since half a table or form would move when the rest comes.
 */
export const layout = (shown: PageContent, context: PageContext | undefined): Html => html`<!doctype html>
<html lang="${language()}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${shown.title} · ${SITE}</title>
  <link rel="stylesheet" href="${STYLESHEET_URL}">
  ${shown.stylesheets?.map((address) => html`<link rel="stylesheet" href="${address}">`)}
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  <link rel="expect" href="#end" blocking="render">
  ${shown.scripts?.map((name) => html`<script src="${scriptUrl(name)}" type="module"></script>`)}
  ${shown.refreshTo ? html`<meta http-equiv="refresh" content="0; url=${shown.refreshTo}">` : ''}
</head>
<body>
  <a class="skip" href="#main">${say('Skip to the content')}</a>
  ${HEADERS[shown.frame ?? 'site'](context)}
  ${crumbs(shown, context)}
  <main id="main" tabindex="-1" class="${shown.isNarrow ? 'narrow' : ''}${shown.frame === 'none' ? 'whole' : ''}">
    <h1>${shown.title}</h1>
    ${context?.notice ? html`<p class="notice" role="status">${context.notice}</p>` : ''}
    ${shown.main}
  </main>
  ${(shown.frame ?? 'site') === 'site' ? footer(context) : ''}
  <span id="end" hidden></span>
</body>
</html>
`

const HEADERS: Readonly<Record<NonNullable<PageContent['frame']>, (context: PageContext | undefined) => Html | ''>> = {
  site: pageHeader,
  bare: () => barePageHeader,
  none: () => '',
}

/** Shows the way from Home to a page below a page of the navigation. */
function crumbs({ title, trail = [], frame }: PageContent, context: PageContext | undefined): Html | '' {
  if (frame === 'none') return ''
  const path = pathOf(context)
  const above = entryAbove(path)
  const isNamed = above === undefined || above.path === path || trail.some((one) => one.path === above.path)
  const way = isNamed ? trail : [{ path: above.path, label: above.label() }, ...trail]
  if (way.length === 0) return ''
  return html`
  <nav class="crumbs" aria-label="${say('Breadcrumb')}"><ol>
      <li><a href="/">${say('Home')}</a></li>
      ${way.map((one) => html`<li><a href="${one.path}">${one.label}</a></li>`)}
      <li><span aria-current="page">${title}</span></li>
    </ol></nav>`
}

const footer = (context: PageContext | undefined): Html => html`
  <footer class="band"><p>
    <span>${SITE}</span>
    ${hasReference() ? html`<a href="/apidoc">${say('API reference')}</a>` : ''}
    <a href="/v2/openapi.json">${say('Description of the API (OpenAPI)')}</a>
    <a href="/.well-known/oauth-authorization-server">${say('OAuth server metadata')}</a>
    ${languageChoice()}${context ? timeZoneChoice(context) : ''}
  </p></footer>`
