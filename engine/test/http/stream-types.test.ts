import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askedStream } from '../../http/stream-types.ts'

/** `Accept` → what is sent; undefined is a page. */
const ASKED: readonly (readonly [accept: string | undefined, form: string | undefined])[] = [
  [undefined, undefined],
  ['', undefined],
  ['*/*', undefined],
  ['text/*', undefined],
  ['application/json', undefined],
  ['text/csv', 'csv'],
  ['TEXT/CSV; charset=utf-8; header=present', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['text/csv, */*', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
  ['text/csv;q=0.5, */*', undefined],
  ['text/csv;q=0.5, application/*', undefined],
  ['application/json, text/csv', undefined],
  ['text/csv, application/json', undefined],
  ['application/json;q=0.9, text/csv', 'csv'],
  ['text/csv;q=0.9, application/json', undefined],
  ['text/csv;q=0', undefined],
  ['text/csv;q=0, application/x-ndjson;q=0.1', 'ndjson'],
  ['text/csv, application/x-ndjson', 'csv'],
  ['application/x-ndjson, text/csv', 'ndjson'],
  ['text/csv;q=0.4, application/x-ndjson;q=0.5', 'ndjson'],
  ['application/vnd.api+json, text/csv', undefined],
  ['application/vnd.api+json;q=0.9, text/csv', 'csv'],
  ['text/csvx', undefined],
]

describe('a whole list is asked for', () => {
  for (const [accept, form] of ASKED) {
    it(`${form === undefined ? 'not ' : ''}by ${JSON.stringify(accept)}`, () => assert.equal(askedStream(accept), form))
  }
})
