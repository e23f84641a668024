import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HostsError, readHosts } from '../../base/database-hosts.ts'

describe('an address of a database', () => {
  for (const [address, ...urls] of [
    ['postgres://ada:p%40ss@db:5433/campus?sslmode=require', 'postgres://ada:p%40ss@db:5433/campus?sslmode=require'],
    ['postgresql://ada@%2Frun%2Fpg/campus', 'postgresql://ada@%2Frun%2Fpg/campus'],
    ['postgres:///campus?host=/run/pg', 'postgres:///campus?host=%2Frun%2Fpg'],
    ['postgres://a,b/campus', 'postgres://a/campus', 'postgres://b/campus'],
    ['postgres://u:p@a:1,b,[::1]:3/d', 'postgres://u:p@a:1/d', 'postgres://u:p@b/d', 'postgres://u:p@[::1]:3/d'],
    ['postgres://a,b:2/d?port=7', 'postgres://a:7/d', 'postgres://b:7/d'],
    ['postgres://u@/d?host=a,/run/pg&port=1,2&x=y', 'postgres://u@a:1/d?x=y', 'postgres://u@%2Frun%2Fpg:2/d?x=y'],
    ['postgres://a,b/d?target_session_attrs=read-write&x=y', 'postgres://a/d?x=y', 'postgres://b/d?x=y'],
    ['postgres://a/d?target_session_attrs=primary', 'postgres://a/d'],
  ] as const)
    it(`${address} has ${urls.length} ${urls.length === 1 ? 'host' : 'hosts'}`, () => {
      assert.deepEqual(readHosts(address).urls, urls)
    })

  it('says what a server must be', () => {
    assert.equal(readHosts('postgres://a/d').target, 'any')
    assert.equal(readHosts('postgres://a,b/d?target_session_attrs=prefer-standby').target, 'prefer-standby')
  })

  for (const [address, message] of [
    ['mysql://a/secret', /must begin with postgres:\/\//],
    ['postgres://a:secret,b/d', /must have a port behind each colon/],
    ['postgres://a,b,c/d?port=1,2', /one port, or as many as its 3 hosts/],
    ['postgres://a,b/d?target_session_attrs=secret', /one of any, read-write/],
  ] as const)
    it(`${address} is refused, and no part of it said`, () => {
      assert.throws(
        () => readHosts(address),
        (error) => error instanceof HostsError && message.test(error.message) && !error.message.includes('secret'),
      )
    })
})
