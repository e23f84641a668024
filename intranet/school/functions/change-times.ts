import type { SqlFunction, SqlTrigger } from '@campus/engine/database/functions/definitions'

/** Tables with writers that do not set `updated_at`: foreign keys, statements by hand and the former release. */
const TABLES = ['locations', 'slots'] as const

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

export const CHANGE_TIME_TRIGGERS: readonly SqlTrigger[] = TABLES.map((table) => ({
  name: `${table}_touched`,
  table,
  on: 'before update',
  condition: 'new.updated_at = old.updated_at and new.* is distinct from old.*',
  call: 'touch_row()',
}))
