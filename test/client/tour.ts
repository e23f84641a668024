import type * as client from '../../clients/typescript/src/index.ts'

type Given = {
  readonly real: client.CampusOptions
  readonly failing: client.CampusOptions
  /** Address of a closed port. */
  readonly closed: string
  readonly campusId: string
  readonly groupId: number
  readonly paths: Readonly<Record<'comesBack' | 'hangs' | 'drips' | 'waits' | 'slow', string>>
}

/**
 * Exercises the typed client against the real service and a failing one. Uses the client and web standards alone, so
 * that browsers, Deno and Bun can run it.
 */
export async function tour(
  { campusClient, CampusError, ConnectionError, NotFoundError, TimeoutError }: typeof client,
  { real, failing, closed, campusId, groupId, paths }: Given,
) {
  const campus = campusClient(real)
  // Its addresses are in no document.
  const broken = campusClient(failing) as unknown as { get(path: string, init?: object): Promise<unknown> }

  const user = await campus.get('/v2/users/{id}', { path: { id: '1' } })
  const ids: number[] = []
  for await (const { id } of campus.all('/v2/users', { query: { sort: ['id'] } })) ids.push(id)
  const totals = new Set<number>()
  for await (const page of campus.pages('/v2/users', { staleOk: true })) totals.add(page.total)

  const seen: string[] = []
  const path = { id: groupId }
  for await (const change of campus.watch('/v2/groups/{id}', { path })) {
    seen.push(change.type === 'update' ? change.record.name : change.type)
    if (seen.length > 2) break
    await campus.patch('/v2/groups/{id}', { path, body: { group: { name: `Name ${seen.length} of ${groupId}` } } })
  }
  const made = await campus.post('/v2/groups', { body: { group: { name: `Made on the tour of ${groupId}` } } })
  const afterwards = await campus.delete('/v2/groups/{id}', { path: { id: made.id } })

  const missing = await failureOf(campus.get('/v2/users/{id}', { path: { id: 'nobody' } }))
  const refused = await failureOf(campusClient({ ...failing, url: closed, retries: 0 }).get('/v2/campus'))
  const late = await failureOf(broken.get(paths.slow, { timeoutSeconds: 0.1, retries: 1 }))
  const stopped: boolean[] = []
  for (const one of [paths.hangs, paths.drips, paths.waits]) {
    const reason = new Error('enough')
    const stop = new AbortController()
    const asked = failureOf(broken.get(one, { signal: stop.signal }))
    await broken.get(`/v2/until${one}`)
    stop.abort(reason)
    stopped.push((await asked) === reason)
  }
  const stop = new AbortController()
  const walked: number[] = []
  const walk = async () => {
    for await (const { id } of campus.all('/v2/users', { query: { sort: ['id'] }, signal: stop.signal })) {
      walked.push(id)
      if (walked.length === 3) stop.abort()
    }
  }
  const ended = await failureOf(walk())

  return {
    login: typeof user.login,
    inOrder: ids.every((id, at) => at === 0 || id > Number(ids[at - 1])),
    all: ids.length,
    totals: [...totals],
    seen,
    afterwards: afterwards ?? null,
    comesBack: await broken.get(paths.comesBack),
    missing: missing instanceof NotFoundError && [missing.status, missing.attempts, typeof missing.requestId],
    refused: refused instanceof ConnectionError && !(refused instanceof CampusError) && refused.message,
    late: late instanceof TimeoutError && late.attempts,
    stopped,
    walked: [walked.length, Object(ended).name],
    campus: (await campus.get('/v2/campus/{id}', { path: { id: campusId } })).id,
  }
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error) => error,
  )
