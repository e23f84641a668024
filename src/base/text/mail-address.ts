import { normalForm } from './normal-form.ts'

/** A part of a name of a host: letters, also beyond ASCII, digits and dashes. */
const LABEL = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_-]*[\\p{L}\\p{M}\\p{N}_])?'

/**
 * One e-mail address that needs no quotes (RFC 5322 §3.2.3, RFC 6531), at a host with a point in its name. Of
 * commas, colons, brackets and quotes mail programs make lists, groups, names and comments, with an address of their own.
 */
export const MAIL_ADDRESS = new RegExp(`^[\\p{L}\\p{M}\\p{N}.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})+$`, 'u')

/** The only letter that Unicode NFC makes an ASCII letter, so that one address would become another. */
const KELVIN_SIGN = '\u212a'

/** Returns an address in the form that is stored and compared: Unicode NFC, unless that takes another address for it. */
export const normalizeAddress = (address: string): string =>
  address.includes(KELVIN_SIGN) ? address : normalForm(address, 'NFC')

/** What is wrong with any other text. */
export const MAIL_ADDRESS_RULE = 'must look like name@example.org'
