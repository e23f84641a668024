import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressBlock } from '../../base/address-block.ts'

test('an IPv4 address is a place of its own, however it is written', () => {
  assert.equal(addressBlock('203.0.113.7'), '203.0.113.7')
  assert.equal(addressBlock('::ffff:203.0.113.7'), '203.0.113.7')
  assert.equal(addressBlock('::ffff:cb00:7107'), '203.0.113.7')
})

test('an IPv6 address is the place of its /64', () => {
  assert.equal(addressBlock('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(addressBlock('2001:DB8:1:2::'), '2001:db8:1:2::/64')
  assert.equal(addressBlock('fe80::1%eth0'), addressBlock('fe80::2%eth0'))
  assert.notEqual(addressBlock('2001:db8:1:3::1'), addressBlock('2001:db8:1:2::1'))
})

test('what is no address stands for itself', () => {
  for (const text of ['', 'unknown', '999.1.1.1']) assert.equal(addressBlock(text), text)
})
