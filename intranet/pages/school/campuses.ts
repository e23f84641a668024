import { apiPreview } from '../api-preview.ts'
import { ask } from '../ask.ts'
import { empty, table } from '../components.ts'
import { html, say } from '../html.ts'
import { page, pageContent } from '../page.ts'
import { pageLinks, partOf } from '../paging.ts'
import { leftOf, pageOf } from './parts.ts'

export const campuses = page({
  path: '/campuses',
  access: 'signed-in',
  async show(context) {
    const part = partOf(context)
    const listed = await ask(context, '/v2/campus', { query: { sort: 'name', ...pageOf(part) } })
    return pageContent(
      say('Campuses'),
      html`
      ${
        listed.value.length === 0
          ? empty(say('There are no campuses yet. Staff create them under Records.'))
          : html`<div class="card">${table(
              say('Campuses'),
              [say('Campus'), say('Where'), say('People')],
              listed.value.map(({ id, name, city, country, users_count }) => [
                html`<a href="/campuses/${id}">${name}</a>`,
                [city, country].filter(Boolean).join(', ') || '–',
                say('{count, number}', { count: users_count }),
              ]),
            )}</div>`
      }
      ${pageLinks(context, part, leftOf(listed, part))}
      ${apiPreview(listed)}`,
    )
  },
})
