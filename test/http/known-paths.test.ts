import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownPaths } from '../../src/http/known-paths.ts'

const paths = new KnownPaths()
paths.add(['/v2/users', '/v2/users/:id', '/v2/users/:user_id/locations', '/v2/locations', '/v2/me', '/oauth/token'])

test('a mistyped path leads to the nearest one, with its own ids and names', () => {
  for (const [path, expected] of [
    ['/v2/user', '/v2/users'],
    ['/v2/Users/', '/v2/users'],
    ['/v2/user/jdoe', '/v2/users/jdoe'],
    ['/v2/users/12/locatoins', '/v2/users/12/locations'],
    ['/v1/users', '/v2/users'],
    ['/oauth/tokens', '/oauth/token'],
  ] as const) {
    assert.equal(paths.nearest(path), expected, path)
  }
})

test('a path unlike any other leads nowhere', () => {
  for (const path of [
    '/',
    '/nowhere',
    '/v2',
    '/v2/shoes',
    '/v2/users/12/shoes',
    '/v2/users/1/2/3',
    `/v2/${'u'.repeat(9_000)}`,
  ]) {
    assert.equal(paths.nearest(path), undefined, path)
  }
})
