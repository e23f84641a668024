import { page } from '../page.ts'
import { callerOf } from '../session-caller.ts'
import { sessionHolder } from '../session-holder.ts'

/** /changes?of=/v2/campus/1/locations: what scripts of pages watch, as the API shows it to the person. */
export const changes = page({
  path: '/changes',
  access: 'signed-in',
  hasHead: false,
  show: (context) => ({
    kind: 'watch',
    caller: callerOf(context),
    address: context.query.text('of'),
    holder: sessionHolder(context),
  }),
})
