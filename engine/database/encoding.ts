import type { Connection } from './connection.ts'
import { DatabaseUnusable } from './errors.ts'

const NEEDED = 'UTF8'

class EncodingError extends DatabaseUnusable {
  constructor(encoding: string) {
    super(
      `DATABASE_URL must name a database with the encoding ${NEEDED}; this one has ${encoding}. ` +
        `Make another one: createdb --encoding=${NEEDED} --template=template0 NAME`,
    )
    this.name = 'EncodingError'
  }
}

export const isOtherEncoding = (error: unknown): error is Error =>
  error instanceof EncodingError || (error instanceof Error && isOtherEncoding(error.cause))

export function requireUtf8({ encoding = NEEDED }: Connection): void {
  if (encoding !== NEEDED) throw new EncodingError(encoding)
}
