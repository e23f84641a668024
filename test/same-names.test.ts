import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** What makes texts equal that are not, each in its own way. */
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

/** Where it is no matter of logins, addresses and other names by which people and records are known. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'base/service.ts': OURS,
  'base/time-zones.ts': OURS,
  'base/text/fold.ts': 'the one place that says when two are the same',
  'database/same-name.ts': 'its twin in SQL',
  'database/statements.ts': OURS,
  'database/time-zones.ts': OURS,
  'http/accept-encoding.ts': OURS,
  'http/json-api-errors.ts': OURS,
  'rest/declare/fields/calendar-kinds.ts': OURS,
  'rest/declare/fields/field.ts': OURS,
  'rest/declare/fields/kinds.ts': OURS,
  'rest/answer.ts': OURS,
  'rest/import/file-text.ts': OURS,
  'rest/import/import-file.ts': OURS,
  'rest/import/read-workbook.ts': OURS,
  'rest/import/table-reader.ts': OURS,
  'rest/import/zip-directory.ts': OURS,
  'rest/openapi/names.ts': OURS,
  'rest/openapi/openapi-document.ts': OURS,
  'rest/openapi/payloads.ts': OURS,
  'webhooks/erase-answers.ts': 'a search of an erased login in stored answers, in whatever case a receiver wrote it',
  'webhooks/connect-guard.ts': 'hosts of an URL, which are ASCII when they are parsed',
  'domain/access/recovery-codes.ts': 'random codes, of which letters and digits count',
  'resources/functions/journals.ts': 'bounds of a range',
  'domain/school/locations-stats.ts': 'bounds of a range',
  'domain/accounts/login.ts': 'makes a login of a name; whether it is free is asked of the database',
  'base/text/slugs.ts': 'makes a slug of a name; whether it is free is asked of the database',
  'oauth/applications/names.ts': 'words that say nothing',
  'services/attachments/initials.ts': SHOWN,
  'base/text/nearest.ts': SHOWN,
  'oauth/applications/own.ts': SHOWN,
  'pages/school/evaluations.ts': SHOWN,
  'pages/school/read-seats.ts': SEARCHED,
  'pages/search/find.ts': SEARCHED,
  'pages/school/seats.ts': SHOWN,
  'pages/school/project-results.ts': SHOWN,
  'pages/school/people.ts': SEARCHED,
  'pages/staff/applications.ts': SHOWN,
  'pages/level-ring.ts': SHOWN,
  'pages/staff/records/conditions.ts': SHOWN,
  'pages/staff/records/list.ts': OURS,
  'pages/staff/records/resource.ts': SHOWN,
  'pages/staff/records/suggest.ts': SEARCHED,
  'pages/times.ts': SHOWN,
  'rest/import/targets.ts': SHOWN,
  'database/functions/searched-text.ts': SEARCHED,
  'database/text-contains.ts': SEARCHED,
  'rest/read/text-search.ts': SEARCHED,
}

/** Their subject is the documentation, invented people, or a database of former days. */
const BESIDE = /^(pages\/reference|demo|resources\/migrations)\//

test('what folds letters stands in one place, and else where no two logins, addresses or names are compared', () => {
  const files = globSync('**/*.ts', { cwd: 'src' }).filter((file) => !BESIDE.test(file))
  const folding = files.filter((file) => FOLDING.test(readFileSync(`src/${file}`, 'utf8')))
  assert.deepEqual(folding.toSorted(), Object.keys(EXCEPTIONS).toSorted())
})
