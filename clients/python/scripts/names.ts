/** `user_short`, `listUsers` or `filter[id]` as the name of a class: `UserShort`. */
export const className = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** `listUsersOfCampus` as the name of a method: `list_users_of_campus`. */
export const methodName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const KEYWORDS =
  /^(and|as|assert|async|await|break|class|continue|def|del|elif|else|except|False|finally|for|from|global|if|import|in|is|lambda|None|nonlocal|not|or|pass|raise|return|True|try|while|with|yield)$/

/** Whether a field can be written as an attribute of a class. */
export const isPlain = (name: string): boolean => /^[A-Za-z]\w*$/.test(name) && !KEYWORDS.test(name)

/** A text as Python writes it. */
export const quoted = (text: string): string => JSON.stringify(text)

/** A sentence or several as a docstring. */
export const docstring = (text: string): string =>
  `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ').trim()}"""`
