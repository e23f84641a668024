import { defined } from '@campus/engine/base/defined'
import { ENGLISH } from '@campus/intranet/settings/languages'
import { PARTS } from '@campus/service/parts'

/** Every language of the service. */
export const LANGUAGES = [ENGLISH, ...PARTS.flatMap(({ languages }) => languages ?? [])]

export const FRENCH = defined(LANGUAGES.find(({ code }) => code === 'fr'))
