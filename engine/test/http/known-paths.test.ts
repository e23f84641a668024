import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownPaths } from '../../http/known-paths.ts'

const paths = new KnownPaths(['graph', 'me'])
paths.add([
  ...['/v2/users', '/v2/users/:id', '/v2/users/:user_id/locations', '/v2/locations', '/v2/me', '/oauth/token'].map(
    (path) => ({ method: 'GET', path, documentedAt: path.split('/').at(2) }),
  ),
  { method: 'PATCH', path: '/v2/users/:user' },
  { method: 'PATCH', path: '/v2/users/:user_id/locations/:id' },
  { method: 'POST', path: '/v2/scale_teams/several' },
  { method: 'DELETE', path: '/v2/scale_teams/:id' },
])

test('a known path has the methods of all its routes, whatever they call its parameters', () => {
  for (const [path, methods] of [
    ['/v2/users/jdoe', ['GET', 'HEAD', 'PATCH']],
    ['/v2/%75sers/jdoe/', ['GET', 'HEAD', 'PATCH']],
    ['/v2/users/1/locations/5', ['PATCH']],
    ['/v2/scale_teams/several', ['POST']],
    ['/v2/scale_teams/7', ['DELETE']],
  ] as const) {
    assert.deepEqual([...(paths.at(path)?.methods ?? [])], methods, path)
  }
  assert.equal(paths.at('/v2/users/jdoe')?.documentedAt, 'users')
})

test('nothing is known where a reserved word stands for a record, or nothing does', () => {
  for (const path of ['/v2/users/1/locations/graph', '/v2/users/me', '/v2/users//locations', '/v2', '/v2/shoes/%zz']) {
    assert.equal(paths.at(path), undefined, path)
  }
})

test('a path that was asked for before it was there is found when it is', () => {
  const growing = new KnownPaths()
  for (let round = 0; round < 2; round += 1) assert.equal(growing.at('/v2/users/1'), undefined)
  growing.add([{ method: 'GET', path: '/v2/users/:id' }])
  for (let round = 0; round < 2; round += 1)
    assert.deepEqual([...(growing.at('/v2/users/1')?.methods ?? [])], ['GET', 'HEAD'])
})
