import { csrfField } from './fields.ts'
import { type Html, html } from './html.ts'
import { entriesFor } from './navigation.ts'
import type { View } from './page.ts'
import { STYLESHEET_URL } from './stylesheet.ts'
import type { Visit } from './visit.ts'

const SITE = 'Campus Intranet'

/** The whole page around a view. Without a visit, as after a failure, it shows what anybody sees. */
export const layout = (
  { title, main, isNarrow, refreshTo }: View,
  visit: Visit | undefined,
): Html => html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · ${SITE}</title>
  <link rel="stylesheet" href="${STYLESHEET_URL}">
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  ${refreshTo ? html`<meta http-equiv="refresh" content="0; url=${refreshTo}">` : ''}
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="band">
    <nav aria-label="Main">
      <a class="name" href="/">${SITE}</a>
      <ul>${entriesFor(visit?.person).map(
        ({ path, label }) =>
          html`<li><a href="${path}"${isCurrent(path, visit) ? html` aria-current="page"` : ''}>${label}</a></li>`,
      )}</ul>
      ${visit?.person ? signOutForm(visit) : html`<a href="/sign-in">Sign in</a>`}
    </nav>
  </header>
  <main id="main" tabindex="-1"${isNarrow ? html` class="narrow"` : ''}>
    <h1>${title}</h1>
    ${visit?.notice ? html`<p class="notice" role="status">${visit.notice}</p>` : ''}
    ${main}
  </main>
  <footer class="band"><p>${SITE} · <a href="/v2/openapi.json">Description of the API (OpenAPI)</a></p></footer>
</body>
</html>
`

const isCurrent = (path: string, visit: Visit | undefined) => visit?.path.split('?', 1)[0] === path

const signOutForm = (visit: Visit): Html => html`
      <form method="post" action="/sign-out">
        ${csrfField(visit)}
        <span>${visit.person?.login}</span>
        <button class="second">Sign out</button>
      </form>`
