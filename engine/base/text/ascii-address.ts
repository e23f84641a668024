/**
 * Percent-encodes characters that a header must not contain. Over HTTP/2, Node.js sends only the low byte of each character, so
 * `https://evil.test\u012flibrary.example/` would lead to the host `evil.test`.
 */
export const asciiAddress = (address: string): string =>
  address.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
