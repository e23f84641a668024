import { literal } from '@campus/engine/database/literal'

export const textArray = (texts: readonly string[]) => `array[${texts.map(literal).join(', ')}]`

/** Writes milliseconds since 1970 as an SQL timestamp. */
export const timestamp = (milliseconds: number) => `'${new Date(milliseconds).toISOString()}'::timestamptz`

/** Formats an SQL timestamp as the API does. */
export const wireTime = (time: string) => `to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
