/**
 * Columns whose texts are sealed with the installation's key. `digest` is the column with the keyed digest. A restore under
 * another key seals these columns anew, so `Sealer.seal` refuses other columns.
 */
export const SEALED_COLUMNS = {
  'endpoints.secret': { digest: 'secret_digest' },
  'import_drafts.sealed_preview': {},
  'import_drafts.sealed_table': {},
  'second_factors.sealed_secret': {},
  'signing_keys.sealed_key': {},
  'webhooks.secret': {},
} as const satisfies Readonly<Record<`${string}.${string}`, { readonly digest?: string }>>

export type SealedColumn = keyof typeof SEALED_COLUMNS

/** Sealed texts that a restore does not seal anew: cookies, and deliveries, which have their own keys. */
const SEALED_ELSEWHERE = ['cookie', 'delivery'] as const

export type Sealed = SealedColumn | (typeof SEALED_ELSEWHERE)[number]

export const isSealedColumn = (name: string): name is SealedColumn => Object.hasOwn(SEALED_COLUMNS, name)

/** Throws if the column is not listed. */
export function checkSealed(name: string): void {
  if (isSealedColumn(name) || SEALED_ELSEWHERE.some((one) => one === name)) return
  throw new Error(
    `${name} is sealed and not in SEALED_COLUMNS. Add it, or a restore under another key loses its texts.`,
  )
}

/** An entry of `SEALED_COLUMNS`, split at the dot. */
export type SealedPlace = {
  readonly name: SealedColumn
  readonly table: string
  readonly column: string
  readonly digest: string | undefined
}

export const SEALED_PLACES: readonly SealedPlace[] = Object.entries(SEALED_COLUMNS).flatMap(([name, options]) => {
  const [table = '', column = ''] = name.split('.')
  return isSealedColumn(name) ? { name, table, column, digest: 'digest' in options ? options.digest : undefined } : []
})
