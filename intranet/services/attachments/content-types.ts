import type { MessageKey } from '@campus/engine/base/languages/dictionary'
import { message } from '@campus/engine/base/languages/say'
import { WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { textEncodingOf } from './text-encoding.ts'

/** Kinds of attachments with a file. Each has a field of the same name. */
export const FILE_KINDS = ['code', 'pdf', 'document', 'video'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** Content of a file. */
export type Content = FileKind | 'image'

/** Allowed content by field. */
export const CONTENT_OF: Readonly<Record<string, Content>> = {
  ...Object.fromEntries(FILE_KINDS.map((kind) => [kind, kind])),
  // Fields of other records.
  image: 'image',
  cover: 'image',
}

/** Type of text in UTF-8, including markup and code. */
export const TEXT = 'text/plain; charset=utf-8'
const ANY_TEXT = /^text\/plain(; charset=[\w-]+)?$/

const ARCHIVES = [
  ...['application/zip', 'application/gzip', 'application/x-tar', 'application/x-bzip2', 'application/x-xz'],
  ...['application/x-7z-compressed', 'application/zstd'],
]
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const DOCUMENTS = [...['application/pdf', 'application/rtf', 'application/epub+zip', 'application/x-cfb'], ...PICTURES]
const OFFICE = /^application\/vnd\.(openxmlformats-officedocument|oasis\.opendocument)\./

const CONTENTS: Readonly<Record<Content, { readonly expected: MessageKey; accepts(type: string): boolean }>> = {
  code: { expected: 'text or an archive', accepts: (type) => ANY_TEXT.test(type) || ARCHIVES.includes(type) },
  pdf: { expected: 'a PDF', accepts: (type) => type === 'application/pdf' },
  document: {
    expected: 'a document (PDF, office, text or picture)',
    accepts: (type) => ANY_TEXT.test(type) || DOCUMENTS.includes(type) || OFFICE.test(type),
  },
  video: { expected: 'a video', accepts: (type) => type.startsWith('video/') },
  image: { expected: 'a picture (PNG, JPEG, GIF or WebP)', accepts: (type) => PICTURES.includes(type) },
}

/** Returns the type of a staged file by its content, never by its name. Throws WrongValue if the field does not allow it. */
export async function contentTypeOf(path: string, bytes: number, content: Content): Promise<string> {
  if (bytes === 0) throw new WrongValue('is an empty file')
  const found = await detect(path)
  const type = found ?? (await textTypeOf(path)) ?? 'application/octet-stream'
  const { expected, accepts } = CONTENTS[content]
  if (accepts(type)) return type
  throw new WrongValue(message('is not {expected}: its content is {type}', { expected: message(expected), type }))
}

async function detect(path: string): Promise<string | undefined> {
  const { fileTypeFromFile } = await import('file-type') // Most processes never take a file in.
  try {
    const mime = (await fileTypeFromFile(path))?.mime
    // Readers that show only its first frame take an animated PNG as a PNG.
    if (mime === 'image/apng') return 'image/png'
    // Markup is served as text, since a browser would run it.
    return mime && /xml|html|^text\/|javascript/.test(mime) && !OFFICE.test(mime) ? undefined : mime
  } catch {
    return undefined
  }
}

/** The type includes the encoding, so that browsers show the unchanged bytes as text. */
async function textTypeOf(path: string): Promise<string | undefined> {
  const encoding = await textEncodingOf(path)
  if (encoding === undefined) return undefined
  return encoding === 'unknown' ? 'text/plain' : `text/plain; charset=${encoding}`
}
