import { text } from '../rest/declare/fields/columns.ts'

/** An e-mail address. */
export const email = () =>
  text({ max: 255, anyCase: true, pattern: [/^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, 'must look like name@example.org'] })
