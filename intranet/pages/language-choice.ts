import { notFound } from '@campus/engine/errors'
import { dictionaryOf, isLanguage, LANGUAGES } from '../settings/languages/languages.ts'
import { type Html, html } from './html.ts'
import { language } from './language.ts'
import { page, redirectTo } from './page.ts'
import { pathBefore } from './return-to.ts'
import { say } from './say.ts'

/** The languages of pages, each under its own name, for the footer. Without a script, and the same for all users. */
export const languageChoice = (): Html =>
  html`<span class="languages" role="group" aria-label="${say('Language')}">${LANGUAGES.map((one) => {
    const { name } = dictionaryOf(one)
    return one === language()
      ? html`<span lang="${one}" aria-current="true">${name}</span>\n`
      : html`<a href="/language/${one}" lang="${one}" hreflang="${one}" rel="nofollow">${name}</a>\n`
  })}</span>`

/**
 * /language/:name: chooses a language for this browser and goes back. By GET, since it changes only a cookie, and the
 * pages of the reference have no form token: they are the same for all.
 */
export const languagePage = page({
  path: '/language/:name',
  access: 'anybody',
  show(context) {
    const { name = '' } = context.params
    if (!isLanguage(name)) throw notFound('There is no page at this address.')
    context.setLanguage(name)
    return redirectTo(pathBefore(context))
  },
})
