import type { SqlFunction } from './definitions.ts'

/** Letters that Unicode does not decompose, and their usual replacements. */
const STROKES = ['ÐØðøĐđĦħıŁłŦŧſ', 'dododdhhilltts'] as const

/**
 * A text as searches compare it (`rest/read/text-search.ts`), as far as ASCII goes: small letters without accents. What two texts have in
 * common they also have in common here, so that an index of it finds all that may hold a word. The database's own
 * folding goes by its locale.
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
