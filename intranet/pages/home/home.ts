import { type Html, html, say } from '../html.ts'
import { type PageContext, type PersonPageContext, page, pageContent, redirectTo } from '../page.ts'
import { ENROL_PATH } from '../security/enrol-path.ts'
import { introduction } from './introduction.ts'
import { ownDashboard } from './own-dashboard.ts'
import { staffDashboard } from './staff-dashboard.ts'

/** /: what the service is, and the user's dashboard. */
export const home = page({
  path: '/',
  access: 'anybody',
  async show(context) {
    if (context.enrolling) return redirectTo(ENROL_PATH)
    if (!isSignedIn(context)) return pageContent('Campus Intranet', await introduction(context))
    return pageContent(
      say('Welcome, {name}', { name: context.person.displayname }),
      html`${await dashboardsOf(context)}`,
    )
  },
})

const isSignedIn = (context: PageContext): context is PersonPageContext => context.person !== undefined

/** Staff have days of their own, too. */
async function dashboardsOf(context: PersonPageContext): Promise<readonly Html[]> {
  const own = await ownDashboard(context)
  return context.person.isStaff ? [await staffDashboard(context), html`<h2>${say('Your own')}</h2>`, own] : [own]
}
