/** Adds parameters to an address. Spaces become `%20`, since parsers of URIs, such as those of phone apps, leave `+` as it is. */
export const withParameters = (address: string, parameters: URLSearchParams): string =>
  `${address}${address.includes('?') ? '&' : '?'}${parameters.toString().replaceAll('+', '%20')}`
