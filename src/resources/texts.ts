import { MAIL_ADDRESS, MAIL_ADDRESS_RULE, normalizeAddress } from '../base/text/mail-address.ts'
import { text } from '../rest/declare/fields/columns.ts'

/** An e-mail address, in Unicode NFC. */
export const email = () =>
  text({
    max: 255,
    anyCase: true,
    normalize: normalizeAddress,
    pattern: [MAIL_ADDRESS, MAIL_ADDRESS_RULE],
    required: true,
  })
