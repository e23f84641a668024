import { MAIL_ADDRESS, MAIL_ADDRESS_RULE, normalizeAddress } from '@campus/engine/base/text/mail-address'
import { text } from '@campus/engine/rest/declare/fields/columns'

/** An e-mail address, in Unicode NFC. */
export const email = () =>
  text({
    max: 255,
    anyCase: true,
    normalize: normalizeAddress,
    pattern: [MAIL_ADDRESS, MAIL_ADDRESS_RULE],
    required: true,
  })
