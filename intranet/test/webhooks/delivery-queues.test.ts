import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AttemptLimits, DeliveryQueues } from '../../webhooks/delivery-queues.ts'
import type { LeasedDelivery, Subscription } from '../../webhooks/leased-delivery.ts'

const LIMITS: AttemptLimits = { perProcess: 16, perOwner: 3, perSubscription: 2 }
const AT = new Date('2026-03-02T10:00:00.000Z')

const subscription = (subscriptionId: number, owner: number): Subscription => ({
  ...{ subscriptionId, owner },
  url: 'https://receiver.example',
  secret: null,
  signer: null,
})

let last = 0
function deliveryTo(subscriptionId: number): LeasedDelivery {
  last += 1
  return { id: last, messageId: String(last), subscriptionId, attempts: 0, createdAt: AT, leasedUntil: 0 }
}

function queuesOf(subscriptions: readonly Subscription[], limits = LIMITS) {
  const queues = new DeliveryQueues(limits)
  queues.capacity(subscriptions)
  const add = (subscriptionId: number, count: number) => {
    for (let number = 0; number < count; number += 1) queues.add(deliveryTo(subscriptionId))
  }
  /** Begins all attempts that may begin. Returns their subscriptions in order. */
  function begin(): number[] {
    const begun: number[] = []
    for (let next = queues.next(); next; next = queues.next()) begun.push(next.subscriptionId)
    return begun
  }
  return { queues, add, begin }
}

describe('attempts in flight', () => {
  it('take turns between owners, and between the webhooks of an owner', () => {
    const { add, begin } = queuesOf([subscription(1, 100), subscription(2, 100), subscription(3, 200)])
    add(1, 5)
    add(2, 5)
    add(3, 5)
    assert.deepEqual(begin(), [1, 3, 2, 3, 1])
  })

  it('are limited per owner, however many webhooks the owner has', () => {
    const many = Array.from({ length: 50 }, (_, index) => subscription(index + 1, 100))
    const { queues, add, begin } = queuesOf(many)
    for (const { subscriptionId } of many) add(subscriptionId, 2)
    assert.equal(begin().length, LIMITS.perOwner)
    queues.ended(1, 15_000)
    assert.equal(begin().length, 1)
  })

  it('leave half of the process to owners with one attempt each', () => {
    const owners = Array.from({ length: 20 }, (_, index) => subscription(index + 1, 100 + index))
    const { queues, add, begin } = queuesOf(owners, { ...LIMITS, perProcess: 10, perSubscription: 3 })
    for (const { subscriptionId } of owners.slice(0, 2)) add(subscriptionId, 3)
    begin()
    for (const { subscriptionId } of owners) add(subscriptionId, 3)
    const begun = begin()
    assert.equal(queues.running, 10)
    assert.equal(new Set(begun).size, begun.length)
  })

  it('never exceed the limit of the process', () => {
    const owners = Array.from({ length: 40 }, (_, index) => subscription(index + 1, 100 + index))
    const { queues, add, begin } = queuesOf(owners)
    for (const { subscriptionId } of owners) add(subscriptionId, 4)
    begin()
    assert.equal(queues.running, LIMITS.perProcess)
  })
})

describe('the capacity of delivery queues', () => {
  it('is shared by all webhooks of an owner', () => {
    const many = Array.from({ length: 50 }, (_, index) => subscription(index + 1, 100))
    const { queues, add } = queuesOf([...many, subscription(60, 200)])
    assert.equal(queues.capacity(many).shares.get(1)?.capacity, LIMITS.perOwner)
    add(1, 3)
    const { capacity, shares } = queues.capacity([...many, subscription(60, 200)])
    assert.deepEqual([...capacity.keys()], [60])
    assert.deepEqual(shares.get(60), { owner: 200, capacity: LIMITS.perOwner })
  })

  it('stays with the former owner of a webhook until its attempts have ended', () => {
    const { queues, add, begin } = queuesOf([subscription(1, 100)])
    add(1, 2)
    assert.deepEqual(begin(), [1, 1])
    queues.capacity([subscription(1, 200)])
    queues.ended(1, 5)
    queues.ended(1, 5)
    assert.ok(queues.isIdle)
    assert.equal(queues.capacity([subscription(1, 200)]).shares.get(1)?.owner, 200)
  })
})

describe('the memory of the queues', () => {
  it('forgets inactive webhooks and their owners once their attempts have ended', () => {
    const { queues, add, begin } = queuesOf([])
    for (let id = 1; id <= 1_000; id += 1) queues.capacity([subscription(id, 2_000 + id)])
    assert.deepEqual(queues.size, { subscriptions: 1, owners: 1 })
    add(1_000, 3)
    begin()
    queues.capacity([subscription(1, 100)])
    assert.deepEqual(queues.size, { subscriptions: 2, owners: 2 })
    queues.ended(1_000, 5)
    queues.ended(1_000, 5)
    begin()
    queues.ended(1_000, 5)
    queues.capacity([subscription(1, 100)])
    assert.deepEqual(queues.size, { subscriptions: 1, owners: 1 })
  })

  it('forgets former owners', () => {
    const { queues } = queuesOf([subscription(1, 100), subscription(2, 100)])
    queues.capacity([subscription(1, 200), subscription(2, 100)])
    assert.deepEqual(queues.size, { subscriptions: 2, owners: 2 })
    queues.capacity([subscription(1, 200), subscription(2, 200)])
    assert.deepEqual(queues.size, { subscriptions: 2, owners: 1 })
  })
})
