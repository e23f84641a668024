/** Optional parts, one line each. Delete a line to remove the part from the service. */
export { part as archive } from '@campus/archive/part'
export { part as assistants } from '@campus/assistants/part'
export { part as demo } from '@campus/demo/part'
export { part as languages } from '@campus/languages/part'
export { part as mirror } from '@campus/mirror/part'
export { part as receiver } from '@campus/receiver/part'
export { part as reference } from '@campus/reference/part'
