import { siteName } from '../bar.ts'
import { type Html, html } from '../html.ts'
import { STYLESHEET_URL as SHARED_STYLESHEET_URL } from '../stylesheet.ts'
import { SCRIPT_URL, STYLESHEET_URL } from './assets.ts'

/** A page of the reference. */
export type ReferencePage = {
  readonly title: string
  readonly main: Html
  /** In a sentence or two. */
  readonly summary?: string
  /** What is on the page, for the list beside it. */
  readonly contents?: readonly { readonly anchor: string; readonly title: string }[]
  readonly status?: number
}

type Place = {
  readonly path: string
  readonly resources: readonly { readonly name: string }[]
  readonly guides: readonly { readonly name: string; readonly title: string }[]
  /** What was searched for. */
  readonly query?: string
}

const SITE = 'Campus Intranet API'

/** The whole page: everything but the search as one types and the console is there without scripts. */
export const layout = (
  { title, summary, main, contents = [] }: ReferencePage,
  place: Place,
): Html => html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · ${SITE}</title>
  <link rel="stylesheet" href="${SHARED_STYLESHEET_URL}">
  <link rel="stylesheet" href="${STYLESHEET_URL}">
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  <script src="${SCRIPT_URL}" type="module"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to the content</a>
  <header class="band">
    <nav class="bar top" aria-label="Main">
      ${siteName}
      <a class="here" href="/apidoc">API reference</a>
      <a class="to-pages" href="#all-pages">All pages</a>
      <form class="search" role="search" action="/apidoc/search" method="get">
        <input type="search" name="q" value="${place.query ?? ''}" placeholder="Search all endpoints" aria-label="Search all endpoints"
          autocomplete="off" spellcheck="false">
        <div class="found" hidden></div>
      </form>
      ${signIn}
    </nav>
  </header>
  <div class="columns">
    <main id="main" tabindex="-1">
      <h1>${title}</h1>
      ${summary ? html`<p>${summary}</p>` : ''}
      ${contents.length > 1 ? contentsOf(contents) : ''}
      ${main}
    </main>
    <nav class="side" id="all-pages" aria-label="Reference">${sidebar(place)}
    </nav>
  </div>
  <footer class="band"><p>The API for programs:
    <a href="/apidoc/openapi.json" download>openapi.json</a> · <a href="/apidoc/openapi.yaml" download>openapi.yaml</a></p></footer>
</body>
</html>
`

const sidebar = ({ path, resources, guides }: Place): Html => html`
      <h2>Guides</h2>
      <ul>${guides.map(({ name, title }) => entry(`/apidoc/guides/${name}`, title, path))}</ul>
      <h2>Resources</h2>
      <ul class="names">${resources.map(({ name }) => entry(`/apidoc/${name}`, name, path))}</ul>`

const entry = (target: string, title: string, path: string): Html =>
  html`<li><a href="${target}"${target === path ? html` aria-current="page"` : ''}>${title}</a></li>`

const contentsOf = (contents: NonNullable<ReferencePage['contents']>): Html => html`
      <ul class="contents" aria-label="On this page">
        ${contents.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}
      </ul>`

/** Shown by the script, since nothing but the script can use it. */
const signIn: Html = html`
      <details class="sign-in" hidden>
        <summary>Sign in to try it</summary>
        <form class="card" autocomplete="off">
          <p>With an application of your own. What you paste stays in this page's memory, and is gone when you leave it.</p>
          <div class="field"><label for="client-id">Client id</label>
            <input id="client-id" type="text" name="client_id" spellcheck="false" required></div>
          <div class="field"><label for="client-secret">Client secret</label>
            <input id="client-secret" type="password" name="client_secret" autocomplete="off"></div>
          <div class="field"><label for="scope">Scopes</label>
            <input id="scope" type="text" name="scope" value="public" spellcheck="false"></div>
          <div class="actions">
            <button name="grant" value="client_credentials">Sign in as the application</button>
            <button name="grant" value="authorization_code" class="second" hidden>Sign in as yourself</button>
            <button type="button" name="forget" class="second" hidden>Forget the token</button>
          </div>
        </form>
        <p class="quiet web-flow" hidden>To sign in as yourself, the application needs the redirect address
          <code></code>.</p>
      </details>
      <p class="signed-in" role="status"></p>`
