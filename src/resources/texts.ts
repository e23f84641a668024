import { MAIL_ADDRESS, MAIL_ADDRESS_RULE } from '../base/text/mail-address.ts'
import { text } from '../rest/declare/fields/columns.ts'

/** An e-mail address. */
export const email = () => text({ max: 255, anyCase: true, pattern: [MAIL_ADDRESS, MAIL_ADDRESS_RULE], required: true })
