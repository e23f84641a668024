import { notFound } from '@campus/engine/errors'
import { type Html, html, say } from './html.ts'
import { language, offeredLanguages } from './language.ts'
import { page, redirectTo } from './page.ts'
import { pathBefore } from './return-to.ts'

/** Renders the choice of languages, the same for all users. Returns nothing if the service has one language. */
export function languageChoice(): Html | '' {
  const languages = offeredLanguages()
  if (languages.length === 1) return ''
  return html`<span class="languages" role="group" aria-label="${say('Language')}">${languages.map(({ code, name }) =>
    code === language()
      ? html`<span lang="${code}" aria-current="true">${name}</span>\n`
      : html`<a href="/language/${code}" lang="${code}" hreflang="${code}" rel="nofollow">${name}</a>\n`,
  )}</span>`
}

/** Chooses a language by GET, since only a cookie changes and pages of the reference have no form token. */
export const languagePage = page({
  path: '/language/:name',
  access: 'anybody',
  show(context) {
    const { name = '' } = context.params
    const { all } = context.dependencies.config.languages
    if (!all.some(({ code }) => code === name)) throw notFound('There is no page at this address.')
    context.setLanguage(name)
    return redirectTo(pathBefore(context))
  },
})
