import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sourceFiles } from './support/sources.ts'

/** Functions that make different texts equal. */
const FOLDING = new RegExp(
  [
    String.raw`\.to(Locale)?(Lower|Upper)Case\b`,
    String.raw`\blocaleCompare\b|\bIntl\.Collator\b`,
    // With both flags the Kelvin sign is a k.
    String.raw`\/[dgmsvy]*(i[dgmsy]*[uv]|[uv][dgmsy]*i)[dgmsvy]*(?=[,).;\s])`,
    String.raw`\b(lower|upper|initcap|casefold)\(|\bn?i?like\b(?<=ilike)|~\*|\bcitext\b`,
  ].join('|'),
)

const OURS = 'words of our own, or of a protocol that are ASCII'
const SHOWN = 'what is shown, sorted or proposed to people'
const SEARCHED = 'a search, which finds more than what is equal'

/** Files whose folding concerns no name of a person or record. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'engine/base/service.ts': OURS,
  'engine/base/time-zones.ts': OURS,
  'engine/base/text/fold.ts': 'the one place that says when two are the same',
  'engine/database/same-name.ts': 'its twin in SQL',
  'engine/database/statements.ts': OURS,
  'engine/database/time-zones.ts': OURS,
  'engine/http/accept-encoding.ts': OURS,
  'engine/http/json-api-errors.ts': OURS,
  'engine/rest/declare/fields/calendar-kinds.ts': OURS,
  'engine/rest/declare/fields/field.ts': OURS,
  'engine/rest/declare/fields/kinds.ts': OURS,
  'engine/rest/answer.ts': OURS,
  'engine/rest/import/file-text.ts': OURS,
  'engine/rest/import/import-file.ts': OURS,
  'engine/rest/import/read-workbook.ts': OURS,
  'engine/rest/import/table-reader.ts': OURS,
  'engine/rest/import/zip-directory.ts': OURS,
  'engine/rest/openapi/names.ts': OURS,
  'engine/rest/openapi/openapi-document.ts': OURS,
  'engine/rest/openapi/payloads.ts': OURS,
  'intranet/webhooks/erase-answers.ts':
    'a search of an erased login in stored answers, in whatever case a receiver wrote it',
  'intranet/webhooks/connect-guard.ts': 'hosts of an URL, which are ASCII when they are parsed',
  'intranet/access/recovery-codes.ts': 'random codes, of which letters and digits count',
  'intranet/school/functions/journals.ts': 'bounds of a range',
  'intranet/school/domain/school/locations-stats.ts': 'bounds of a range',
  'intranet/school/domain/accounts/login.ts': 'makes a login of a name; whether it is free is asked of the database',
  'engine/base/text/slugs.ts': 'makes a slug of a name; whether it is free is asked of the database',
  'intranet/oauth/applications/names.ts': 'words that say nothing',
  'intranet/services/attachments/initials.ts': SHOWN,
  'engine/base/text/nearest.ts': SHOWN,
  'intranet/oauth/applications/own.ts': SHOWN,
  'intranet/pages/school/evaluations.ts': SHOWN,
  'intranet/pages/school/read-seats.ts': SEARCHED,
  'intranet/pages/search/find.ts': SEARCHED,
  'intranet/pages/school/seats.ts': SHOWN,
  'intranet/pages/school/project-results.ts': SHOWN,
  'intranet/pages/school/people.ts': SEARCHED,
  'intranet/pages/staff/applications.ts': SHOWN,
  'intranet/pages/level-ring.ts': SHOWN,
  'intranet/pages/staff/records/conditions.ts': SHOWN,
  'intranet/pages/staff/records/list.ts': OURS,
  'intranet/pages/staff/records/resource.ts': SHOWN,
  'intranet/pages/staff/records/suggest.ts': SEARCHED,
  'intranet/pages/times.ts': SHOWN,
  'engine/rest/import/targets.ts': SHOWN,
  'engine/database/functions/searched-text.ts': SEARCHED,
  'engine/database/text-contains.ts': SEARCHED,
  'engine/rest/read/text-search.ts': SEARCHED,
}

/** Their subject is the documentation, invented people, or a database of former days. */
const BESIDE = /\/(?:reference|demo|migrations)\//

test('what folds letters stands in one place, and else where no two logins, addresses or names are compared', () => {
  const files = sourceFiles().filter((file) => !BESIDE.test(file))
  const folding = files.filter((file) => FOLDING.test(readFileSync(file, 'utf8')))
  assert.deepEqual(folding.toSorted(), Object.keys(EXCEPTIONS).toSorted())
})
