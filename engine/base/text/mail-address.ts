import { normalForm } from './normal-form.ts'

const LABEL = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_-]*[\\p{L}\\p{M}\\p{N}_])?'

/**
 * An e-mail address without quotes (RFC 5322 §3.2.3, RFC 6531), at a host name with a dot. Mail programs treat commas, colons, brackets
 * and quotes as lists, groups, names and comments.
 */
export const MAIL_ADDRESS = new RegExp(`^[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})+$`, 'u')

/** Greek question mark, Greek varia and Kelvin sign: NFC replaces them by `;`, a backquote and `K`. */
const BECOMES_ASCII = /[\u037e\u1fef\u212a]/

/** Returns an address in NFC, unless that would be another person's. SQL excludes only the Kelvin sign, since MAIL_ADDRESS refuses the rest. */
export const normalizeAddress = (address: string): string =>
  BECOMES_ASCII.test(address) ? address : normalForm(address, 'NFC')

export const MAIL_ADDRESS_RULE = 'must look like name@example.org'
