import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedEncoding } from '../../http/accept-encoding.ts'

const EXPECTED: readonly (readonly [
  header: string | undefined,
  encoding: string | undefined,
  isPlainAccepted: boolean,
])[] = [
  // Values that clients send.
  [undefined, undefined, true],
  ['gzip, deflate, br', 'br', true],
  ['gzip, compress, deflate, br, zstd', 'zstd', true],
  ['gzip;q=1.0,deflate;q=0.6,identity;q=0.3', 'gzip', true],
  ['gzip, deflate', 'gzip', true],
  ['identity', undefined, true],
  ['', undefined, true],
  // Weights.
  ['zstd;q=0.5, gzip', 'gzip', true],
  ['zstd; q = 0.2 , br ; Q=0.9', 'br', true],
  ['zstd;q=0, br;q=0, gzip;q=0', undefined, true],
  ['identity, gzip;q=0.5', undefined, true],
  ['gzip, identity', 'gzip', true],
  ['identity;q=0.2, gzip;q=0.1', undefined, true],
  ['br;q=nonsense, gzip;q=0.1', 'gzip', true],
  ['br;q=5, gzip;q=-1', 'br', true],
  // Refused values.
  ['identity;q=0', undefined, false],
  ['gzip, identity;q=0', 'gzip', false],
  ['gzip;q=0.1, *;q=0', 'gzip', false],
  ['*;q=0', undefined, false],
  ['identity;q=0.5, *;q=0', undefined, true],
  // A star is any, and everybody reads gzip.
  ['*', 'gzip', true],
  ['gzip;q=0, *', undefined, true],
  ['br;q=0.5, *;q=0.1', 'br', true],
  // Other names and forms.
  ['x-gzip', 'gzip', true],
  ['GZIP', 'gzip', true],
  [', ,gzip,,', 'gzip', true],
  ['deflate, compress, lzma', undefined, true],
  ['__proto__, constructor;q=1, gzip;q=0.3', 'gzip', true],
]

for (const [header, encoding, isPlainAccepted] of EXPECTED) {
  test(`Accept-Encoding: ${header} takes ${encoding ?? 'none'}, and ${isPlainAccepted ? 'none' : 'not none'}`, () => {
    for (const time of ['first', 'again']) {
      assert.deepEqual({ ...acceptedEncoding(header) }, { encoding, isPlainAccepted }, time)
    }
  })
}

test('headers without number or end cost nothing that stays', () => {
  for (let number = 0; number < 5_000; number += 1) acceptedEncoding(`gzip;q=0.${number}`)
  assert.equal(acceptedEncoding('zstd,'.repeat(3_000)).encoding, 'zstd')
  assert.equal(acceptedEncoding('br').encoding, 'br')
})
