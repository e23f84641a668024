import { locale } from '@campus/engine/base/languages/dictionary'

export const formatNumber = (value: number): string => value.toLocaleString(locale())
