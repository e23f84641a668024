import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Jobs } from '@campus/engine/base/metrics/jobs'
import { textOf } from '@campus/engine/base/metrics/text'

test('runs of a job are counted by what came of them, and the last good one has its time', async () => {
  const jobs = new Jobs()
  const text = () => textOf(jobs.collect(), 'prometheus')
  const fail = jobs.watch('sweep', () => Promise.reject(new Error('away')))
  await assert.rejects(fail, /away/)
  assert.match(await text(), /^campus_job_runs_total\{job="sweep",outcome="failure"\} 1$/m)
  assert.doesNotMatch(await text(), /^campus_job_last_success_timestamp_seconds\{/m)
  assert.equal(await jobs.watch('sweep', async () => 7)(), 7)
  assert.match(await text(), /^campus_job_runs_total\{job="sweep",outcome="success"\} 1$/m)
  assert.match(await text(), /^campus_job_last_success_timestamp_seconds\{job="sweep"\} \d+/m)
  assert.match(await text(), /^campus_job_duration_seconds_count\{job="sweep"\} 2$/m)
})
