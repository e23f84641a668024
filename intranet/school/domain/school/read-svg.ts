import { type Message, message } from '@campus/engine/base/languages/say'
import { type HttpError, unprocessable } from '@campus/engine/errors'
import { SaxesParser } from 'saxes'
import { withoutComments } from './svg-styles.ts'

/** An element of an uploaded drawing. Names have no prefix. Elements of other namespaces are left out. */
export type SvgElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: (SvgElement | string)[]
}

/** Larger than a stored plan, since drawing programs add data of their own. */
export const MAX_UPLOADED_PLAN_BYTES = 262_144
export const MAX_PLAN_ELEMENTS = 3_000
export const MAX_PLAN_DEPTH = 32
const MAX_ATTRIBUTES = 100
/** Illustrator defines the addresses of its namespaces as entities. */
const MAX_ENTITY_LENGTH = 256
const MAX_EXPANDED_LENGTH = 65_536

export const planRefusal = (text: Message): HttpError => unprocessable({ svg: [text] })
export const tooComplex = (): HttpError => planRefusal('is too deep or has too many elements')

/** Decodes a drawing by its byte order mark or XML declaration, else as UTF-8. Throws 422 for other bytes. */
export function decodeSvg(bytes: Buffer): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw planRefusal('is compressed (.svgz). Save it as plain SVG in your drawing program.')
  const encoding = encodingOf(bytes)
  if (!encoding) throw planRefusal('is not an SVG')
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw planRefusal(
      message('is not encoded as {encoding}. Save it as SVG in UTF-8 in your drawing program.', { encoding }),
    )
  }
}

/** Returns undefined for bytes that do not begin as markup. */
function encodingOf(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 256)
  if (/^(\xff\xfe|<\0)/.test(start)) return 'utf-16le'
  if (/^(\xfe\xff|\0<)/.test(start)) return 'utf-16be'
  if (!/^(\xef\xbb\xbf)?\s*</.test(start)) return undefined
  const [, declared = 'utf-8'] = /<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(start) ?? []
  // XML 1.0 §4.3.3: UTF-16 needs a byte order mark.
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared
}

/** Parses a drawing within limits, and returns its root. Throws 422 for another document. */
export function readSvg(svg: string): SvgElement {
  if (Buffer.byteLength(svg) > MAX_UPLOADED_PLAN_BYTES)
    throw planRefusal(message('has more than {kilobytes, number} kB', { kilobytes: MAX_UPLOADED_PLAN_BYTES / 1024 }))
  if (!/^\s*</.test(svg)) throw planRefusal('is not an SVG')
  let root: SvgElement | undefined
  const open: (SvgElement | undefined)[] = []
  let elements = 0
  let attributesOfTag = 0
  let prefix = ''
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', ({ message: fault }) => {
    throw planRefusal(
      fault.endsWith('undefined entity.')
        ? message(
            'uses an entity at line {line} that the file does not define as a short text. Save it as SVG again without entities.',
            { line: parser.line },
          )
        : message('is damaged at line {line}, column {column}. Save it as SVG again in your drawing program.', {
            line: parser.line,
            column: parser.column,
          }),
    )
  })
  parser.on('doctype', (doctype) => {
    Object.assign(parser.ENTITIES, entitiesOf(doctype, svg))
  })
  parser.on('opentagstart', () => {
    attributesOfTag = 0
  })
  parser.on('attribute', () => {
    attributesOfTag += 1
    if (attributesOfTag > MAX_ATTRIBUTES) throw tooComplex()
  })
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1
    if (elements > MAX_PLAN_ELEMENTS || open.length >= MAX_PLAN_DEPTH) throw tooComplex()
    if (!root) [prefix = ''] = /^[\w.-]+:(?=svg$)/.exec(name) ?? []
    const local = name.startsWith(prefix) ? name.slice(prefix.length) : name
    const parent = open.at(-1)
    const isDrawing = !local.includes(':') && (parent !== undefined || open.length === 0)
    const element: SvgElement | undefined = isDrawing ? { name: local, attributes, content: [] } : undefined
    root ??= element
    if (element) parent?.content.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    if (text.trim() !== '') open.at(-1)?.content.push(text)
  })
  parser.on('cdata', (text) => {
    const parent = open.at(-1)
    if (parent?.name === 'style') parent.content.push(text)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(svg).close()
  if (root?.name !== 'svg') throw planRefusal('is not an SVG')
  return root
}

const ENTITY = /<!ENTITY\s+([A-Za-z_][\w.-]*)\s+(?:"([^"]*)"|'([^']*)')\s*>/g
const NUMBERED = /&#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));/gi

/**
 * Returns the entities that a document type declares as short texts. Entities that hold others, markup or another file
 * stay undefined. Throws 422 if the texts make the document too large.
 */
function entitiesOf(doctype: string, svg: string): Record<string, string> {
  const entities = new Map<string, string>()
  for (const [, name = '', quoted, other = ''] of withoutComments(doctype, '<!--', '-->').matchAll(ENTITY)) {
    const text = (quoted ?? other).replace(NUMBERED, (_, hex: string | undefined, decimal: string) => {
      const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16)
      return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : '&'
    })
    // The first declaration counts (XML 1.0 §4.2).
    const isText = text.length <= MAX_ENTITY_LENGTH && !/[&<%]/.test(text) && text.isWellFormed()
    if (isText && !PREDEFINED.has(name) && !entities.has(name)) entities.set(name, text)
  }
  if (entities.size === 0) return {}
  let length = 0
  for (const [, name = ''] of svg.matchAll(/&([A-Za-z_][\w.-]*);/g)) length += entities.get(name)?.length ?? 0
  if (length > MAX_EXPANDED_LENGTH) throw planRefusal('uses too many entities. Save it as SVG again without entities.')
  return Object.fromEntries(entities)
}

const PREDEFINED = new Set(['amp', 'lt', 'gt', 'quot', 'apos'])
