import { locale } from '../base/languages/language.ts'

/** A number as readers of the language write it. */
export const formatNumber = (value: number): string => value.toLocaleString(locale())
