import { empty } from '../components.ts'
import { html, say } from '../html.ts'
import { page, pageContent, part } from '../page.ts'
import { searchForm } from '../paging.ts'
import { find } from './find.ts'

const searchPage = page({
  path: '/search',
  access: 'signed-in',
  async show(context) {
    const asked = context.query.text('q')
    const groups = Map.groupBy(await find(context, asked), ({ group }) => group)
    return pageContent(
      say('Search'),
      html`
      ${searchForm(context, say('People, projects, events, pages'))}
      ${
        groups.size === 0
          ? empty(say('Nothing is called so.'))
          : [...groups].map(
              ([group, found]) =>
                html`<section class="card"><h2>${group}</h2><ul class="list">${found.map(
                  ({ label, path, more, image }) =>
                    html`<li><a class="face" href="${path}">${image ? html`<img class="avatar" src="${image}" alt="" width="28" height="28">` : ''}${label}</a>${more ? html` <span class="quiet">${more}</span>` : ''}</li>`,
                )}</ul></section>`,
            )
      }`,
    )
  },
})

const results = page({
  path: '/search/results',
  access: 'signed-in',
  async show(context) {
    return part('application/json; charset=utf-8', JSON.stringify(await find(context, context.query.text('q'))))
  },
})

export const SEARCH_PAGES = [...searchPage, ...results]
