import type { SqlFunction } from './definitions.ts'

/** Letters that Unicode does not decompose, and their replacements. */
const STROKES = ['ÐØðøĐđĦħıŁłŦŧſ', 'dododdhhilltts'] as const

/**
 * Lower-cases a text and removes accents for searches (`rest/read/text-search.ts`), in ASCII only. Texts that match a word also match
 * here, so an index finds all candidates. The database's own folding depends on its locale.
 */
export const SEARCHED_TEXT: SqlFunction = {
  name: 'searched_text',
  parameters: 'given text',
  returns: 'text',
  language: 'sql',
  isImmutable: true,
  body: `
      select case when given !~ '[^ -~]' collate "C" then lower(given collate "C")
        else lower(regexp_replace(translate(normalize(given, NFD), '${STROKES[0]}', '${STROKES[1]}'), '[^ -~]', '', 'g') collate "C") end
    `,
}
