/**
 * Percent-encodes the characters of an address that a header must not contain. Over HTTP/2, Node.js sends the low byte of each
 * character, so that `https://evil.test\u012flibrary.example/` would lead to the host `evil.test`.
 */
export const asciiAddress = (address: string): string =>
  address.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
