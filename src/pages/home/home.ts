import type { Html } from '../html.ts'
import { html } from '../html.ts'
import { page, view } from '../page.ts'
import { say } from '../say.ts'
import type { PersonsVisit, Visit } from '../visit.ts'
import { introduction } from './introduction.ts'
import { ownDashboard } from './own-dashboard.ts'
import { staffDashboard } from './staff-dashboard.ts'

/** /: what this is, and how it goes for whoever looks at it. */
export const home = page({
  path: '/',
  access: 'anybody',
  async show(visit) {
    if (!isSignedIn(visit)) return view('Campus Intranet', await introduction(visit))
    return view(say('Welcome, {name}', { name: visit.person.displayname }), html`${await dashboardsOf(visit)}`)
  },
})

const isSignedIn = (visit: Visit): visit is PersonsVisit => visit.person !== undefined

/** Staff have days of their own, too. */
async function dashboardsOf(visit: PersonsVisit): Promise<readonly Html[]> {
  const own = await ownDashboard(visit)
  return visit.person.isStaff ? [await staffDashboard(visit), html`<h2>${say('Your own')}</h2>`, own] : [own]
}
