import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { testClock } from '@campus/test/support/test-clock'
import { Changes } from '../../database/changes.ts'
import type { Answer } from '../../rest/answer.ts'
import { CachedAnswers } from '../../rest/cache/cached-answers.ts'
import { readyEtags } from '../../rest/encoded-answer.ts'

before(readyEtags)

const KEY = { address: '/v2/users', viewer: 'application', caller: '[null,[],[]]' }
const NAMES = ['users']

type Options = { readonly text?: string; readonly isForCaller?: boolean; readonly until?: number }

function open(maxBytes = 1_000_000) {
  const [changes, clock] = [new Changes(), testClock(new Date('2026-03-02T10:00:00Z'))]
  const answers = new CachedAnswers({ changes, clock, maxBytes })
  let readings = 0
  const answerOf = ({ text = `reading ${readings}`, ...more }: Options = {}): Answer => ({
    status: 200,
    headers: {},
    body: text,
    dependsOn: { names: NAMES, since: changes.count, isForCaller: false, ...more },
  })
  const ask = async (options: Options = {}, key = KEY) => {
    const { bytes } = await answers.answer(key, async () => {
      readings += 1
      return answerOf(options)
    })
    await settle()
    return String(bytes)
  }
  return { answers, changes, clock, ask, answerOf }
}

describe('an answer', () => {
  it('is read once, until a table that it depends on changes', async () => {
    const { ask, changes, answers } = open()
    assert.deepEqual([await ask(), await ask()], ['reading 1', 'reading 1'])
    changes.record('books')
    assert.equal(await ask(), 'reading 1')
    changes.record('users')
    assert.deepEqual([await ask(), await ask()], ['reading 2', 'reading 2'])
    changes.recordEverything()
    assert.equal(await ask(), 'reading 3')
    const { hits, misses, entries } = answers.figures
    assert.deepEqual([hits, misses, entries], [3, 3, 1])
  })

  it('for a caller is for those with the same rights alone', async () => {
    const { ask } = open()
    const other = { ...KEY, caller: '[5,[],[]]' }
    await ask({ isForCaller: true })
    assert.equal(await ask({ isForCaller: true }, other), 'reading 2')
    assert.equal(await ask({ isForCaller: true }), 'reading 1')
    assert.equal(await ask({ isForCaller: true }, { ...other, viewer: 'person' }), 'reading 2')
  })

  it('is kept until the clock changes it', async () => {
    const { ask, clock } = open()
    const until = clock.now().getTime() + 10_000
    await ask({ until })
    clock.advance(9)
    assert.equal(await ask(), 'reading 1')
    clock.advance(1)
    assert.equal(await ask(), 'reading 2')
  })

  it('that depends on nothing that is known is never kept, and nobody waits for it', async () => {
    const { answers } = open()
    const gates: (() => void)[] = []
    const read = async (): Promise<Answer> => ({ status: 200, headers: {}, body: 'now' })
    const slowly = async () => {
      await new Promise<void>((resolve) => gates.push(resolve))
      return read()
    }
    await answers.answer(KEY, read)
    await settle()
    const both = [answers.answer(KEY, slowly), answers.answer(KEY, slowly)]
    await turn()
    assert.equal(gates.length, 2)
    for (const open of gates) open()
    await Promise.all(both)
    await settle()
    assert.equal(answers.figures.entries, 0)
  })
})

describe('requests for the same at the same time', () => {
  it('share one reading', async () => {
    const { ask, answers } = open()
    const texts = await Promise.all(Array.from({ length: 20 }, () => ask()))
    assert.deepEqual(new Set(texts), new Set(['reading 1']))
    assert.equal(answers.figures.misses, 1)
  })

  it('do not share one that was overtaken by a change before they came', async () => {
    const { answers, changes, answerOf } = open()
    let finish = () => {}
    const first = answers.answer(KEY, async () => {
      const old = answerOf({ text: 'before' })
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return old
    })
    await turn()
    changes.record('users')
    const second = answers.answer(KEY, async () => answerOf({ text: 'after' }))
    await turn()
    finish()
    assert.equal(String((await first).bytes), 'before')
    assert.equal(String((await second).bytes), 'after')
    assert.equal(String((await answers.answer(KEY, async () => answerOf({ text: 'again' }))).bytes), 'after')
  })

  it('each hear for themselves that a reading failed', async () => {
    const { answers, ask } = open()
    const fail = async () => {
      await turn()
      throw new Error('away')
    }
    const [first, second] = await Promise.allSettled([answers.answer(KEY, fail), ask()])
    assert.equal(first.status, 'rejected')
    assert.deepEqual([second.status, second.status === 'fulfilled' && second.value], ['fulfilled', 'reading 1'])
  })
})

describe('the memory for answers', () => {
  it('never holds more bytes than it may, and lets go of what was asked for the longest ago', async () => {
    const { ask, answers } = open(100_000)
    const text = 'x'.repeat(5_000)
    for (let page = 1; page <= 50; page += 1) {
      await ask({ text }, { ...KEY, address: `/v2/users?page=${page}` })
      await ask({ text: 'first' }, { ...KEY, address: '/v2/users?page=0' })
    }
    const { bytes, entries, evictions } = answers.figures
    assert.ok(bytes <= 100_000 && bytes > 80_000, `${bytes} bytes`)
    assert.ok(entries > 10 && entries < 20, `${entries} entries`)
    assert.equal(evictions, 51 - entries)
    const { hits } = answers.figures
    await ask({}, { ...KEY, address: '/v2/users?page=0' })
    assert.equal(answers.figures.hits, hits + 1)
  })

  it('takes no answer that would drive out all others', async () => {
    const { ask, answers } = open(100_000)
    await ask()
    await ask({ text: 'x'.repeat(50_000) }, { ...KEY, address: '/v2/users?per_page=100' })
    assert.equal(answers.figures.entries, 1)
  })
})

/** Lets everything run that waits for nothing else. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Lets an answer be kept: after it was sent there is a validation. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await turn()
}
