import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Stop, stopAll } from '@campus/engine/base/stop-all'
import { campus } from '@campus/test/support/campus'
import { testDatabase } from '@campus/test/support/database'

describe('what is to be stopped', () => {
  const stopped: string[] = []
  const stops: readonly (Stop | undefined)[] = [
    async () => stopped.push('first'),
    () => Promise.reject(new Error('it is stuck')),
    undefined,
    () => {
      throw new Error('it is broken')
    },
    () => stopped.push('last'),
  ]

  it('is all asked, and what went wrong is thrown after that', async () => {
    stopped.length = 0
    await assert.rejects(stopAll(stops), (error) => {
      assert.ok(error instanceof AggregateError)
      assert.equal(error.message, 'it is stuck; it is broken')
      return true
    })
    assert.deepEqual(stopped, ['first', 'last'])
    await assert.rejects(stopAll(stops.slice(0, 2)), { message: 'it is stuck' })
    await stopAll([])
  })

  it('may be heard of one by one instead', async () => {
    stopped.length = 0
    const errors: unknown[] = []
    await stopAll(stops, (error) => errors.push((error as Error).message))
    assert.deepEqual(
      [stopped, errors],
      [
        ['first', 'last'],
        ['it is stuck', 'it is broken'],
      ],
    )
  })
})

describe('a service of which some parts do not stop', () => {
  it('stops all others, writes what it counted, and closes', async () => {
    const database = await testDatabase()
    const { changes } = database
    const listen = changes.listen.bind(changes)
    const [listening, waiting] = [new Set<string>(), new Set<AbortSignal>()]
    // Makes a listener for table changes fail when it stops.
    changes.listen = (table, hear) => {
      const stop = listen(table, hear)
      listening.add(table)
      return () => {
        stop()
        listening.delete(table)
        throw new Error(`what listens to ${table} is stuck`)
      }
    }
    const untilBack: typeof database.untilBack = (signal) => {
      waiting.add(signal)
      return database.untilBack(signal)
    }
    const env = { CAMPUS_MAIL_URL: 'smtp://127.0.0.1:9', CAMPUS_MAIL_FROM: 'campus@school.example' }
    const world = await campus({ on: { ...database, untilBack }, env })
    try {
      assert.equal((await world.visitor.get('/v2/campus')).status, 200)
      assert.ok(listening.size >= 3, [...listening].join())
      await world.app.close()
      assert.deepEqual([...listening], [])
      assert.deepEqual(
        [...waiting].filter(({ aborted }) => !aborted),
        [],
      )
      const [row] = await database.rows('select sum(made) from application_calls')
      assert.equal(Number(row?.[0]), 1)
    } finally {
      await world.close()
    }
  })
})
