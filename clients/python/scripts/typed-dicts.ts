import { docstring, isPlain, quoted } from './names.ts'

/** A field of a class, with its type as Python writes it. */
export type Field = { readonly field: string; readonly type: string; readonly about?: string | undefined }

/** A record or payload. */
export const writeRecord = (name: string, about: string | undefined, fields: readonly Field[]): string =>
  fields.length > 0 && fields.every(({ field }) => isPlain(field))
    ? writeClass(name, about, fields)
    : writeCall(name, about, fields)

/** A query, of which all may be left out that is not said to be required. */
export const writeQuery = (name: string, fields: readonly Field[]): string =>
  writeEntries(
    name,
    fields.map(({ field, type }) => `${quoted(field)}: ${type},`),
    ['total=False,'],
  )

function writeClass(name: string, about: string | undefined, fields: readonly Field[]): string {
  const lines = fields.flatMap(({ field, type, about }) => [
    `    ${field}: ${type}`,
    ...(about === undefined ? [] : [`    ${docstring(about)}`]),
  ])
  return [`class ${name}(TypedDict):`, ...(about === undefined ? [] : [`    ${docstring(about)}`, '']), ...lines].join(
    '\n',
  )
}

/** For names that no attribute can have, as `active?`; types that come later are texts there. */
function writeCall(name: string, about: string | undefined, fields: readonly Field[]): string {
  const entries = fields.flatMap(({ field, type, about }) => [...comment(about), `${quoted(field)}: ${quoted(type)},`])
  return [...comment(about), writeEntries(name, entries)].join('\n')
}

const writeEntries = (name: string, entries: readonly string[], rest: readonly string[] = []): string =>
  [
    `${name} = TypedDict(`,
    ...[`"${name}",`, '{', ...entries.map((entry) => `    ${entry}`), '},', ...rest].map((line) => `    ${line}`),
    ')',
  ].join('\n')

const comment = (text: string | undefined): readonly string[] =>
  text === undefined ? [] : text.split('\n').map((line) => `# ${line}`.trimEnd())
