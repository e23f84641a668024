import type { SqlFunction, SqlTrigger } from './definitions.ts'

/** Tables whose rows also change by foreign keys, by hand or by the former release, which do not set `updated_at`. */
const TOUCHED = ['locations', 'slots'] as const

export const CHANGE_TIME_FUNCTIONS: readonly SqlFunction[] = [
  {
    name: 'touch_row',
    body: `
      begin
        new.updated_at := now();
        return new;
      end
    `,
  },
]

export const CHANGE_TIME_TRIGGERS: readonly SqlTrigger[] = TOUCHED.map((table) => ({
  name: `${table}_touched`,
  table,
  on: 'before update',
  condition: 'new.updated_at = old.updated_at and new.* is distinct from old.*',
  call: 'touch_row()',
}))
