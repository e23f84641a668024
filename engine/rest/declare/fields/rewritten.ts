import type { Field } from './field.ts'

export const rewritten = <F extends Field>(field: F, rewrite: (json: string) => string): F =>
  Object.freeze({
    ...field,
    compile(...place: Parameters<Field['compile']>) {
      const write = field.compile(...place)
      return (...row: Parameters<typeof write>) => rewrite(write(...row))
    },
  })
