import { type Html, html, say } from '@campus/intranet/pages/html'
import { language } from '@campus/intranet/pages/language'
import { languageChoice } from '@campus/intranet/pages/language-choice'
import { pageHeader } from '@campus/intranet/pages/page-header'
import { STYLESHEET_URL as SHARED_STYLESHEET_URL } from '@campus/intranet/pages/stylesheet'
import { ENGLISH } from '@campus/intranet/settings/languages'
import { SCRIPT_URLS, STYLESHEET_URL } from './assets.ts'
import { scriptTexts } from './script-texts.ts'
import { type Contents, index, type Location } from './side-index.ts'

export type ReferencePage = {
  readonly title: string
  readonly main: Html
  /** Shown below the title. */
  readonly lead?: Html
  /** Shown beside the title. */
  readonly aside?: Html
  readonly summary?: string
  /** Entries of the page in the index. */
  readonly contents?: Contents
  /** Address of the page as Markdown. */
  readonly markdown?: string
  readonly status?: number
  /** Whether the page is in English for all readers. */
  readonly isInEnglish?: boolean
}

const SITE = 'Campus Intranet API'

/** Renders a whole page. Without scripts it lacks the console and the search while typing. */
export const layout = (page: ReferencePage, location: Location): Html => html`<!doctype html>
<html lang="${language()}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${page.title} · ${SITE}</title>
  <link rel="stylesheet" href="${SHARED_STYLESHEET_URL}">
  <link rel="stylesheet" href="${STYLESHEET_URL}">
  <link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
  ${page.markdown ? html`<link rel="alternate" type="text/markdown" href="${page.markdown}">` : ''}
  ${SCRIPT_URLS.slice(0, -1).map((url) => html`<link rel="modulepreload" href="${url}">`)}
  <script src="${SCRIPT_URLS.at(-1)}" type="module" blocking="render"></script>
</head>
<body class="of-reference">
  <a class="skip" href="#main">${say('Skip to the content')}</a>
  ${pageHeader(undefined)}
  ${tools(location)}
  <div class="reference">
    ${index(page.contents ?? [], location)}
    <main id="main" tabindex="-1" lang="${page.isInEnglish ? ENGLISH.code : language()}">
      <div class="head">
        <div class="prose">
          ${page.isInEnglish && language() !== ENGLISH.code ? html`<p class="small quiet" lang="${language()}">${say('The API is documented in English.')}</p>` : ''}
          <h1>${page.title}</h1>
          ${page.summary ? html`<p class="lead">${page.summary}</p>` : ''}
          ${page.markdown ? html`<p class="small"><a href="${page.markdown}">${say('This page as Markdown')}</a></p>` : ''}
          ${page.lead}
        </div>
        ${page.aside ? html`<div class="aside">${page.aside}</div>` : ''}
      </div>
      ${page.main}
    </main>
  </div>
  <footer class="band"><p>
    <span>${SITE}</span>
    <a href="/apidoc/openapi.json" download>openapi.json</a>
    <a href="/apidoc/openapi.yaml" download>openapi.yaml</a>
    <a href="/llms.txt">llms.txt</a>
    ${languageChoice()}
  </p></footer>
  ${scriptTexts(page.isInEnglish === true)}
</body>
</html>
`

const tools = (location: Location): Html => html`
  <div class="band tools"><div>
    <button class="index-open second" popovertarget="index">${say('Contents')}</button>
    <form class="search" role="search" action="/apidoc/search" method="get">
      <input type="search" name="q" value="${location.query ?? ''}" placeholder="${say('Search endpoints, fields, guides, errors')}"
        aria-label="${say('Search the reference')}" aria-keyshortcuts="/" autocomplete="off" spellcheck="false">
      <kbd aria-hidden="true">/</kbd>
      <div class="found" hidden></div>
    </form>
    <details class="sender" hidden><summary>${say('Console')}</summary><div class="card sender-choice"></div></details>
  </div></div>`
