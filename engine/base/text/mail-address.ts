import { normalForm } from './normal-form.ts'

/** A part of a name of a host: letters, also beyond ASCII, digits and dashes. */
const LABEL = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_-]*[\\p{L}\\p{M}\\p{N}_])?'

/**
 * One e-mail address that needs no quotes (RFC 5322 §3.2.3, RFC 6531), at a host with a point in its name. Of
 * commas, colons, brackets and quotes mail programs make lists, groups, names and comments, with an address of their own.
 */
export const MAIL_ADDRESS = new RegExp(`^[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})+$`, 'u')

/** The Greek question mark, the Greek varia and the Kelvin sign, which NFC replaces by `;`, a backquote and `K`. */
const BECOMES_ASCII = /[\u037e\u1fef\u212a]/

/**
 * Returns an address in the form that is stored and compared: Unicode NFC, unless that would be another person's address.
 * SQL excludes the Kelvin sign alone, since MAIL_ADDRESS refuses the other two.
 */
export const normalizeAddress = (address: string): string =>
  BECOMES_ASCII.test(address) ? address : normalForm(address, 'NFC')

/** What is wrong with any other text. */
export const MAIL_ADDRESS_RULE = 'must look like name@example.org'
