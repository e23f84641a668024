export type StagedFile = {
  readonly path: string
  readonly bytes: number
  /** SHA-256 in hexadecimal. */
  readonly digest: string
}

/** Maximum sizes of files by the last name of their field, and of the body. */
export type FileFields = { readonly maxBytes: Readonly<Record<string, number>>; readonly maxBodyBytes: number }

/** A file part of a multipart body. It is staged on disk if its field takes files, or else discarded. */
export class UploadedFile {
  readonly filename: string
  /** Undefined if the field takes no files, or the file is too large. */
  readonly staged: StagedFile | undefined
  readonly exceeds: number | undefined
  id: number | undefined

  constructor(
    filename: string,
    { staged, exceeds }: { staged?: StagedFile | undefined; exceeds?: number | undefined },
  ) {
    this.filename = filename
    this.staged = staged
    this.exceeds = exceeds
  }

  /** Compares requests (`Idempotency-Key`), so it omits the path. */
  toJSON(): object {
    return { filename: this.filename, digest: this.staged?.digest, exceeds: this.exceeds }
  }
}
