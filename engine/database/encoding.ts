import type { Connection } from './connection.ts'
import { DatabaseUnusable } from './errors.ts'

const NEEDED = 'UTF8'

/** Error for a database whose encoding cannot store every text. */
export class EncodingError extends DatabaseUnusable {
  constructor(encoding: string) {
    super(
      `DATABASE_URL must name a database with the encoding ${NEEDED}; this one has ${encoding}. ` +
        `Make another one: createdb --encoding=${NEEDED} --template=template0 NAME`,
    )
    this.name = 'EncodingError'
  }
}

/** Whether the error, or its cause, is an EncodingError. */
export const isOtherEncoding = (error: unknown): error is Error =>
  error instanceof EncodingError || (error instanceof Error && isOtherEncoding(error.cause))

/** Throws EncodingError unless the database stores texts in UTF-8. */
export function requireUtf8({ encoding = NEEDED }: Connection): void {
  if (encoding !== NEEDED) throw new EncodingError(encoding)
}
