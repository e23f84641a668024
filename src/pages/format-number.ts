import { locale } from '../base/languages/dictionary.ts'

/** A number as readers of the language write it. */
export const formatNumber = (value: number): string => value.toLocaleString(locale())
