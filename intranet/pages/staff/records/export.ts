import { namesOf } from '@campus/engine/base/narrow'
import { notFound } from '@campus/engine/errors'
import { STREAM_TYPES } from '@campus/engine/http/stream-types'
import { page } from '../../page.ts'
import { readAddress } from './address.ts'
import { staffCaller } from './caller.ts'
import { listCall } from './list.ts'
import { RECORDS_PATH, resourceOf } from './resource.ts'

/** /staff/records/:resource/export/:form: the whole list as CSV or NDJSON, as the API streams it. */
export const recordsExport = page({
  path: `${RECORDS_PATH}/:resource/export/:form`,
  access: 'staff',
  async show(context) {
    const resource = resourceOf(context)
    const form = namesOf(STREAM_TYPES).find((one) => one === context.params.form)
    if (!form) throw notFound('There is no page at this address.')
    const call = listCall(context.dependencies, resource, readAddress(context))
    return { kind: 'list', caller: await staffCaller(context), call, form }
  },
})
