import { knownTimeZone } from '@campus/engine/base/time-zones'
import { notFound } from '@campus/engine/errors'
import { type Html, html, say, sayWith } from './html.ts'
import { type PageContext, page, pageContent, redirectTo } from './page.ts'
import { localPath, pathBefore } from './return-to.ts'

const PATH = '/time-zone'
const OF_CAMPUS = 'campus'

export const timeZoneChoice = ({ timeZone }: PageContext): Html =>
  html`<a href="${PATH}" rel="nofollow">${sayWith('Times of {zone}', { zone: html`<span translate="no">${timeZone}</span>` })}</a>`

/** Chooses a zone by GET, since only a cookie changes. */
export const timeZonePage = page({
  path: PATH,
  access: 'anybody',
  show(context) {
    const { query, timeZone } = context
    const asked = query.text('in')
    if (asked !== '') {
      const zone = knownTimeZone(asked)
      if (zone === undefined && asked !== OF_CAMPUS) throw notFound('There is no page at this address.')
      context.setTimeZone(zone)
      return redirectTo(localPath(query.text('return_to')))
    }
    const zones = [...new Set([timeZone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted()
    return pageContent(
      say('Time zone'),
      html`
      <p>${say('Every page shows times by the clocks of one zone. The API answers in UTC, whatever is chosen here.')}</p>
      <form method="get" action="${PATH}">
        <input type="hidden" name="return_to" value="${pathBefore(context)}">
        <div class="field"><label for="in">${say('Time zone')}</label>
          <select id="in" name="in">
            <option value="${OF_CAMPUS}">${say('That of my campus')}</option>
            ${zones.map((zone) => html`<option translate="no"${zone === timeZone && context.hasChosenTimeZone ? html` selected` : ''}>${zone}</option>`)}
          </select></div>
        <div class="actions"><button>${say('Use this one')}</button>
          <button type="button" class="second for-scripts" id="browser-zone">${say("Choose this browser's")}</button></div>
      </form>`,
      { isNarrow: true, scripts: ['time-zone'] },
    )
  },
})
