/** An uploaded file, staged on the disk until it is stored. */
export type StagedFile = {
  readonly path: string
  readonly bytes: number
  /** SHA-256 in hex. */
  readonly digest: string
}

/** Which files a route takes: the last name of each field that holds one, and how many bytes it may have. */
export type FileFields = { readonly maxBytes: Readonly<Record<string, number>>; readonly maxBodyBytes: number }

/** A file part of a multipart body. It is never in memory: where its field takes files it was staged, elsewhere dropped. */
export class UploadedFile {
  readonly filename: string
  /** Undefined where the field takes no files, or none of this size. */
  readonly staged: StagedFile | undefined
  /** The limit of its field, where it has more bytes than that. */
  readonly exceeds: number | undefined
  /** The id of the stored file. */
  id: number | undefined

  constructor(
    filename: string,
    { staged, exceeds }: { staged?: StagedFile | undefined; exceeds?: number | undefined },
  ) {
    this.filename = filename
    this.staged = staged
    this.exceeds = exceeds
  }

  /** What makes two requests the same: not the place where a file happens to lie. */
  toJSON(): object {
    return { filename: this.filename, digest: this.staged?.digest, exceeds: this.exceeds }
  }
}
