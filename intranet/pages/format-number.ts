import { locale } from '@campus/engine/base/languages/dictionary'

/** A number as readers of the language write it. */
export const formatNumber = (value: number): string => value.toLocaleString(locale())
