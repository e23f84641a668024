import { defined } from '@campus/engine/base/defined'
import { type Message, message } from '@campus/engine/base/languages/say'
import { isOneOf } from '@campus/engine/base/narrow'
import { isParams } from '@campus/engine/http/params'
import { UploadedFile } from '@campus/engine/http/uploaded-file'
import {
  choiceKind,
  type JsonSchema,
  type Kind,
  textKind,
  WrongParts,
  WrongValue,
} from '@campus/engine/rest/declare/fields/kinds'
import { FILE_KINDS, type FileKind } from './content-types.ts'
import { readFile } from './read-file.ts'

export const KINDS = ['code', 'pdf', 'link', 'document', 'video'] as const
export type AttachmentKind = (typeof KINDS)[number]

/** The name has been checked by the parser. */
export const kindNamed = (name: unknown): AttachmentKind => defined(KINDS.find((kind) => kind === name))

/** One element of `attachable_attributes`. Absent fields were not sent. */
export type Element = {
  readonly name?: string
  readonly attachable_type?: AttachmentKind
  /** Null removes the address. */
  readonly url?: string | null
  readonly file?: { readonly field: FileKind; readonly id: number; readonly name: string }
}

const MAX_ELEMENTS = 20
const NAME = textKind({ max: 255, isOneLine: true })
const TYPE = choiceKind(KINDS)
const URL_TEXT = textKind({ max: 2048, isOneLine: true })

/** `attachable_attributes`: one file or link for each element, as JSON. */
export const elementsKind: Kind<string> = {
  sqlType: 'text',
  schema: { type: 'array', minItems: 1, maxItems: MAX_ELEMENTS, items: elementSchema() },
  read(input) {
    const list = Array.isArray(input) ? input : isParams(input) ? listOf(input) : undefined
    if (!list?.every(isParams)) throw new WrongValue('must be a list of objects')
    if (list.length === 0) throw new WrongValue("can't be blank")
    if (list.length > MAX_ELEMENTS)
      throw new WrongValue(message('holds more than {most} elements', { most: MAX_ELEMENTS }))
    const errors = new Map<string, Message>()
    const elements = list.map((element, index) => readElement(element, `[${index}]`, errors))
    if (errors.size > 0) throw new WrongParts(errors)
    return JSON.stringify(elements)
  },
  write: (text) => text,
}

/** Rails also sends lists as objects with numeric keys, or a single element. */
const listOf = (input: Readonly<Record<string, unknown>>): unknown[] =>
  Object.keys(input).every((name) => /^\d+$/.test(name)) ? Object.values(input) : [input]

function readElement(input: Readonly<Record<string, unknown>>, path: string, errors: Map<string, Message>): Element {
  const { name, attachable_type, url, id: _ignored, ...rest } = input
  const attempt = <T>(member: string, read: () => T): T | undefined => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error
      errors.set(`${path}.${member}`, error.text)
      return undefined
    }
  }
  const unknown = Object.keys(rest).find((member) => !isOneOf(FILE_KINDS, member))
  if (unknown !== undefined) errors.set(`${path}.${unknown.slice(0, 80)}`, 'is not accepted')
  const fields = FILE_KINDS.filter((field) => !isBlank(rest[field]))
  if (fields.length > 1)
    errors.set(
      `${path}.${fields[1]}`,
      message('cannot come with {field}: an element holds one file', { field: String(fields[0]) }),
    )
  const [field] = fields
  const read = {
    name: name === undefined ? undefined : attempt('name', () => NAME.read(required(name))),
    attachable_type:
      attachable_type === undefined
        ? undefined
        : attempt('attachable_type', () => TYPE.read(required(attachable_type))),
    url: url === undefined ? undefined : attempt('url', () => (isBlank(url) ? null : readUrl(url))),
    file: field && attempt(field, () => ({ field, ...readFile(rest[field], String(name ?? '')) })),
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

function isBlank(value: unknown): boolean {
  if (value instanceof UploadedFile) return value.filename === '' && value.staged?.bytes === 0
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function required(value: unknown): unknown {
  if (isBlank(value)) throw new WrongValue("can't be blank")
  return value
}

/** Returns an address that a browser may be sent to, not `javascript:` and the like. */
function readUrl(input: unknown): string {
  const text = URL_TEXT.read(input).trim()
  const url = URL.parse(text)
  if ((url?.protocol !== 'https:' && url?.protocol !== 'http:') || url.username || url.password) {
    throw new WrongValue('must be an http:// or https:// address')
  }
  return url.href
}

function elementSchema(): JsonSchema {
  const file = (what: string): JsonSchema => ({
    type: ['string', 'null'],
    format: 'binary',
    description: `${what} In multipart/form-data only.`,
  })
  return {
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 255 },
      attachable_type: { type: 'string', enum: KINDS, description: 'Must be the kind, and match the file.' },
      pdf: file('The file of a pdf.'),
      video: file('The file of a video.'),
      code: file('The file of code: text or an archive.'),
      document: file('The file of a document: PDF, office, text or picture.'),
      url: { type: ['string', 'null'], format: 'uri', maxLength: 2048, description: 'Where a link leads.' },
    },
    additionalProperties: false,
    description: 'A new one needs name and attachable_type.',
  }
}
