import { callerOf } from '../actor.ts'
import { page } from '../page.ts'
import { sessionHolder } from '../session-holder.ts'

/** Streams the changes of a list of the API to scripts: /changes?of=/v2/campus/1/locations. */
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
