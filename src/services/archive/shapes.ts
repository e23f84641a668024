import * as v from 'valibot'
import type { Head, Manifest } from './format.ts'

/**
 * An archive may be forged. Its names become parts of statements and its texts are shown, so each is checked against
 * what a backup writes.
 */

const name = v.pipe(v.string(), v.regex(/^\w{1,63}$/))
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const hex = (digits: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${digits}}$`)))
const digests = v.array(hex(64))

const head = v.object({
  format: count,
  service: v.pipe(v.string(), v.regex(/^[\w.+-]{1,64}$/)),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  migrations: v.array(name),
  tables: v.array(
    v.object({
      name,
      columns: v.pipe(v.array(v.object({ name, type: v.string() })), v.minLength(1)),
    }),
  ),
  sequences: v.record(
    v.pipe(v.string(), v.regex(/^"?\w{1,63}"?$/)),
    v.tuple([v.pipe(v.string(), v.regex(/^-?\d{1,19}$/)), v.boolean()]),
  ),
  secrets: v.optional(v.object({ key_id: hex(16), key: v.optional(hex(64)) })),
})

const manifest = v.object({
  tables: v.record(name, v.object({ rows: count, bytes: count, sha256: hex(64) })),
  files: v.object({ count, bytes: count, missing: digests, damaged: digests }),
})

export const isHead = (value: unknown): value is Head => v.is(head, value)
export const isManifest = (value: unknown): value is Manifest => v.is(manifest, value)
