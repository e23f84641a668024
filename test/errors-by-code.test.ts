import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sourceFiles } from './support/sources.ts'

/** A decision by the words of an error, which change with versions and languages. */
const BY_WORDS =
  /\b(message|detail|hint|stderr|reason)\)?\??\.(startsWith|endsWith|includes|match|matchAll|search|indexOf)\(|\.(test|exec)\([^\n]*\b(message|detail|hint|stderr)\b|\b(message|detail|hint) [!=]==? ['"`]/

/** Errors that have no code but only one language. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'intranet/services/attachments/pdf-reader.ts': 'WebAssembly says only in words that memory was short',
  'engine/http/bodies.ts': 'V8 says only in words where the fault in JSON is',
  'intranet/webhooks/transport.ts': 'adds the code where the words lack it',
}

test('no source decides by the words of an error where there is a code', () => {
  const files = sourceFiles()
  const found = files.filter((file) => BY_WORDS.test(readFileSync(file, 'utf8')))
  assert.deepEqual(found.toSorted(), Object.keys(EXCEPTIONS).toSorted())
})
