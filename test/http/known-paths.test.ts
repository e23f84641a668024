import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownPaths } from '../../src/http/known-paths.ts'

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

test('a mistyped path leads to the nearest one, with its own ids and names', () => {
  for (const [path, expected] of [
    ['/v2/user', '/v2/users'],
    ['/v2/Users/', '/v2/users'],
    ['/v2/user/jdoe', '/v2/users/jdoe'],
    ['/v2/users/12/locatoins', '/v2/users/12/locations'],
    ['/v1/users', '/v2/users'],
    ['/oauth/tokens', '/oauth/token'],
    ['/users', '/v2/users'],
    ['/users/jdoe/locations/', '/v2/users/jdoe/locations'],
  ] as const) {
    assert.equal(paths.nearest(path, 'GET'), expected, path)
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
    assert.equal(paths.nearest(path, 'GET'), undefined, path)
  }
})

test('a hint is right however many others were asked for, and after paths were added', () => {
  const growing = new KnownPaths()
  growing.add([{ method: 'GET', path: '/v2/users' }])
  for (let number = 0; number < 2_500; number += 1) growing.nearest(`/v2/${number}`, 'GET')
  for (const method of ['GET', 'GET', 'POST', 'GET']) {
    assert.equal(growing.nearest('/v2/usres', method), method === 'GET' ? '/v2/users' : undefined)
  }
  assert.equal(growing.nearest('/v2/shoe', 'GET'), undefined)
  growing.add([{ method: 'GET', path: '/v2/shoes' }])
  assert.equal(growing.nearest('/v2/shoe', 'GET'), '/v2/shoes')
})

test('a mistyped path leads only where its method leads', () => {
  assert.equal(paths.nearest('/v2/users/12/locatoins/5', 'GET'), undefined)
  assert.equal(paths.nearest('/v2/users/12/locatoins/5', 'PATCH'), '/v2/users/12/locations/5')
  assert.equal(paths.nearest('/v2/user', 'HEAD'), '/v2/users')
})

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
