/** A column in PostgreSQL's text form, or a value of its JSON. */
export type Value = string | number | boolean | null | undefined

export const text = (value: Value): string => (value == null ? 'null' : JSON.stringify(value))

export const number = (value: Value): string => (value == null ? 'null' : `${value}`)

export const boolean = (value: Value): string => (value == null ? 'null' : `${value === 't' || value === true}`)

/** `2017-11-22 13:41:00.12+00`, or with a T where it comes from JSON. */
export function time(value: Value): string {
  if (typeof value !== 'string') return 'null'
  const fraction = value[19] === '.' ? value.slice(20, value.indexOf('+', 20)).padEnd(3, '0') : '000'
  return `"${value.slice(0, 10)}T${value.slice(11, 19)}.${fraction}Z"`
}

/** The school of the benchmark lives by UTC. */
export const midnight = (value: Value): string => (value == null ? 'null' : `"${value}T00:00:00.000+00:00"`)
