import { literal } from '@campus/engine/database/literal'

/** A list of texts in a statement. */
export const textArray = (texts: readonly string[]) => `array[${texts.map(literal).join(', ')}]`

/** A moment in a statement, from milliseconds since 1970. */
export const timestamp = (milliseconds: number) => `'${new Date(milliseconds).toISOString()}'::timestamptz`

/** A time as the API writes it, in a statement. */
export const wireTime = (time: string) => `to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
