import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type SignedIn, signedInOf } from '@campus/test/support/people'
import { openProject, type Project } from '@campus/test/support/projects'
import { offered } from '@campus/test/support/slots'
import { csrfTokenIn } from '@campus/test/support/visitor'

type Fields = Readonly<Record<string, string>>

describe('what students do on the pages', () => {
  let world: World
  let place: Project
  const people = new Map<string, SignedIn>()
  before(async () => {
    world = await campus({})
    place = await openProject(world)
    for (const login of ['ada', 'bob', 'cyd', 'eve', 'fay']) people.set(login, await enrolled(login))
    const section = await world.build.record('sections', { scale_id: place.scale, name: 'Mandatory part' })
    await world.build.record('questions', { section_id: section, name: 'It works', rating: true })
    await world.build.record('questions', { section_id: section, name: 'It is there', rating: false })
    for (const flag_id of [1, 2]) await world.build.record('scales_flags', { scale_id: place.scale, flag_id })
  })
  after(() => world.close())

  async function enrolled(login: string): Promise<SignedIn> {
    const one = await signedInOf(world, { login, correction_point: 5 })
    await world.build.record('campus_users', { user_id: one.id, campus_id: place.campus, is_primary: true })
    const times = { begin_at: '2026-01-01T00:00:00Z' }
    await world.build.record('cursus_users', { user_id: one.id, cursus_id: place.cursus, ...times })
    return one
  }
  const who = (login: string) => {
    const one = people.get(login)
    assert.ok(one)
    return one
  }
  const get = (login: string, path: string) => who(login).browser.get(path)
  /** Sends a form of one's own with the token of any page, as a stranger to the page would. */
  async function post(login: string, path: string, fields: Fields) {
    const csrf_token = csrfTokenIn(await get(login, '/security/password'))
    return who(login).browser.post(path, { csrf_token, ...fields })
  }
  const value = async (text: string, values: unknown[] = []) =>
    (await world.database.rows(`select ${text}`, values))[0]?.[0]
  /** The membership that a button of the page is about. */
  const membershipIn = (text: string, wish: string) =>
    new RegExp(`name="wish" value="${wish}">\\s*<input type="hidden" name="membership" value="(\\d+)"`).exec(
      text,
    )?.[1] ?? ''

  let team = ''
  it('begin a project, invite, accept, lock and hand in', async () => {
    const path = `/projects/${place.project}`
    assert.match((await get('ada', path)).text, /Begin this project/)
    const made = await post('ada', path, { wish: 'begin' })
    assert.equal(made.status, 303)
    team = made.location ?? ''
    assert.match(team, /^\/teams\/\d+$/)
    assert.doesNotMatch((await get('ada', path)).text, /Begin this project/)
    assert.equal((await post('ada', path, { wish: 'begin' })).status, 422)

    assert.equal((await post('ada', team, { wish: 'invite', login: 'bob' })).status, 303)
    const invitation = membershipIn((await get('bob', team)).text, 'accept')
    assert.notEqual(invitation, '')
    assert.match((await post('ada', team, { wish: 'invite', login: 'nobody' })).text, /is the login of nobody/)

    // A stranger and a fellow do nothing with it.
    const memberships = () => value('count(*) from teams_users where validated')
    for (const login of ['eve', 'ada'])
      assert.ok((await post(login, team, { wish: 'accept', membership: invitation })).status >= 400, login)
    assert.equal(await memberships(), '1')
    for (const wish of ['lock', 'close', 'dissolve'])
      for (const login of ['eve', 'bob'])
        assert.ok((await post(login, team, { wish, confirmed: 'yes' })).status >= 400, `${login} ${wish}`)
    assert.ok((await post('eve', team, { wish: 'invite', login: 'fay' })).status >= 400)
    assert.ok((await post('eve', team, { wish: 'remove', membership: invitation })).status >= 400)
    assert.doesNotMatch((await get('eve', team)).text, /name="wish"/)

    assert.equal((await post('bob', team, { wish: 'accept', membership: invitation })).status, 303)
    assert.equal(await memberships(), '2')
    assert.equal((await post('ada', team, { wish: 'lock' })).status, 303)
    const asked = await post('bob', team, { wish: 'close' })
    assert.equal(asked.heading, 'Hand in for evaluation?')
    assert.equal(await value('closed_at from teams'), null)
    assert.equal((await post('bob', team, { wish: 'close', confirmed: 'yes' })).status, 303)
    assert.equal(await value('status from teams'), 'waiting_for_correction')
  })

  let evaluation = ''
  it('are evaluated, by a sheet that the corrector alone fills in, once and when it has begun', async () => {
    await offered(world, who('cyd').id, '2026-03-03T09:00:00Z')
    const begin_at = '2026-03-03T09:00:00.000Z'
    const booking = `/evaluations${team}`
    assert.equal((await post('ada', booking, { begin_at })).heading, 'Book this evaluation?')
    assert.equal((await post('ada', booking, { begin_at, confirmed: 'yes' })).status, 303)
    evaluation = `/evaluations/${await value('id from scale_teams')}`

    for (const login of ['ada', 'bob']) {
      const { status, text } = await get(login, evaluation)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /cyd|It works/, 'who evaluates, and what is asked, is not known yet')
      assert.equal(text.split('<li><a href="/evaluations">Evaluations</a></li>').length, 2, 'links in the breadcrumb')
    }
    assert.equal((await get('eve', evaluation)).status, 404)
    assert.match((await get('cyd', evaluation)).text, /It works/)
    const sheet = { wish: 'fill', final_mark: '100', comment: 'Well done', flag_id: '1', confirmed: 'yes' }
    assert.equal((await post('cyd', evaluation, sheet)).status, 422, 'it has not begun')
    const absence = await post('cyd', evaluation, { wish: 'team-absent', confirmed: 'yes' })
    assert.equal(absence.status, 422, 'nobody is known to the corrector who could be absent')

    world.clock.set('2026-03-03T09:05:00Z')
    for (const login of ['ada', 'bob', 'eve']) assert.ok((await post(login, evaluation, sheet)).status >= 400, login)
    assert.equal(await value('filled_at from scale_teams'), null)
    assert.match((await get('cyd', '/evaluations')).text, new RegExp(`href="${evaluation}" aria-label="Fill in`))
    const { text } = await get('cyd', evaluation)
    const questions = [...text.matchAll(/<select id="(question-\d+)"/g)].map(([, name = '']) => name)
    assert.equal(questions.length, 2)
    const answers = Object.fromEntries(questions.map((name, index) => [name, index === 0 ? '4' : '1']))
    for (const [wrong, why] of [
      [{ final_mark: '' }, /final_mark|Mark/],
      [{ final_mark: '126' }, /at most|between|125/],
      [{ final_mark: 'x' }, /Mark/],
      [{ comment: ' ' }, /blank/],
      [{ flag_id: '99' }, /Flag/],
    ] as const) {
      const answer = await post('cyd', evaluation, { ...sheet, ...answers, ...wrong })
      assert.equal(answer.status, 422, JSON.stringify(wrong))
      assert.match(answer.text, why)
      if (!('comment' in wrong)) assert.match(answer.text, /Well done/, 'nothing that was written is lost')
    }
    const { confirmed: _, ...unconfirmed } = sheet
    const asked = await post('cyd', evaluation, { ...unconfirmed, ...answers })
    assert.equal(asked.heading, 'Send the evaluation?')
    assert.equal((await post('cyd', evaluation, { ...sheet, ...answers })).status, 303)
    assert.deepEqual(await world.database.rows('select value from answers order by question_id'), [['4'], ['1']])
    assert.equal((await post('cyd', evaluation, { ...sheet, final_mark: '0' })).status, 422)
    assert.equal(await value('final_mark from scale_teams'), '100')
  })

  it('say how it was, once, and the corrector does not', async () => {
    const said = { wish: 'feedback', feedback: 'Kind & clear', rating: '4' }
    for (const login of ['cyd', 'eve']) assert.ok((await post(login, evaluation, said)).status >= 400, login)
    const { text } = await get('ada', evaluation)
    assert.match(text, /Well done/)
    assert.match(text, /It works: <strong>4 of 5/)
    assert.match(text, /It is there: <strong>yes/)
    assert.equal((await post('ada', evaluation, said)).status, 303)
    assert.deepEqual(await world.database.rows('select feedback, feedback_rating from scale_teams'), [
      ['Kind & clear', '4'],
    ])
    assert.doesNotMatch((await get('bob', evaluation)).text, /Send the feedback/)
    assert.match((await get('cyd', evaluation)).text, /Kind &amp; clear/)
  })

  it('cancel, and say that somebody did not come, after being asked once more', async () => {
    await offered(world, who('fay').id, '2026-03-04T09:00:00Z')
    const begin_at = '2026-03-04T09:00:00.000Z'
    await post('bob', `/evaluations${team}`, { begin_at, confirmed: 'yes' })
    const second = `/evaluations/${await value('max(id) from scale_teams')}`
    assert.equal((await post('bob', second, { wish: 'cancel' })).heading, 'Cancel the evaluation?')
    assert.equal((await post('eve', second, { wish: 'cancel', confirmed: 'yes' })).status, 404)
    assert.equal((await post('fay', second, { wish: 'cancel', confirmed: 'yes' })).location, '/evaluations')
    assert.equal(await value('count(*) from scale_teams'), '1')

    await post('bob', `/evaluations${team}`, { begin_at, confirmed: 'yes' })
    const third = `/evaluations/${await value('max(id) from scale_teams')}`
    world.clock.set('2026-03-04T09:10:00Z')
    assert.equal((await post('ada', third, { wish: 'absent' })).heading, 'Report the absence?')
    assert.equal((await post('ada', third, { wish: 'absent', confirmed: 'yes' })).status, 303)
    assert.equal(
      await value('truant_id from scale_teams where filled_at is not null order by id desc limit 1'),
      String(who('fay').id),
    )
  })

  it('see that an evaluation has no corrector and no time, which staff may leave open', async () => {
    const { project, scale } = await openProject(world, { campus: place.campus, cursus: place.cursus })
    const made = await post('eve', `/projects/${project}`, { wish: 'begin' })
    const team_id = Number(made.location?.split('/').at(-1))
    const tutor = await world.caller({ roles: ['Advanced Tutor'] })
    await tutor.patch(`/v2/teams/${team_id}`, { team: { closed_at: '2026-03-04T08:00:00Z' } })
    const open = { team_id, scale_id: scale, flag_id: 1, user_id: who('cyd').id, begin_at: '2026-03-04T08:30:00Z' }
    const { status, text, json } = await tutor.post('/v2/scale_teams', { scale_team: open })
    assert.equal(status, 201, text)
    const id = json.id
    const set = async (values: object) =>
      assert.equal((await tutor.patch(`/v2/scale_teams/${id}`, { scale_team: values })).status, 204)

    await set({ begin_at: null })
    assert.match((await get('cyd', '/evaluations')).text, /no time set/)
    const timeless = await get('eve', `/evaluations/${id}`)
    assert.match(timeless.text, /Cancel the evaluation/)
    assert.doesNotMatch(timeless.text, /My corrector did not come/)
    assert.doesNotMatch((await get('cyd', `/evaluations/${id}`)).text, /Send the evaluation/)
    await set({ user_id: null })
    const shown = await get('eve', `/evaluations/${id}`)
    assert.match(shown.text, /<dt>When<\/dt><dd>no time set<\/dd>/)
    assert.match(shown.text, /<dt>Your corrector<\/dt>\s*<dd>nobody<\/dd>/)
    assert.doesNotMatch(shown.text, /My corrector did not come/)
    assert.equal((await post('eve', `/evaluations/${id}`, { wish: 'absent', confirmed: 'yes' })).status, 422)

    await set({ final_mark: 100, comment: 'Read by a program' })
    for (const path of [`/evaluations/${id}`, '/evaluations', '/people/eve']) {
      const { text } = await get('eve', path)
      assert.doesNotMatch(text, /\/people\/undefined|1 Jan 1970|Jan 1, 1970/, path)
    }
  })

  it('leave, decline and dissolve', async () => {
    const project = (await openProject(world, { campus: place.campus, cursus: place.cursus })).project
    const { location = '' } = await post('eve', `/projects/${project}`, { wish: 'begin' })
    await post('eve', location, { wish: 'invite', login: 'fay' })
    const membership = membershipIn((await get('fay', location)).text, 'remove')
    assert.equal((await post('fay', location, { wish: 'remove', membership })).status, 303)
    assert.equal((await post('eve', location, { wish: 'dissolve' })).heading, 'Dissolve the team?')
    assert.equal((await post('eve', location, { wish: 'dissolve', confirmed: 'yes' })).location, `/projects/${project}`)
    assert.equal((await get('eve', location)).status, 404)
    assert.match((await get('eve', `/projects/${project}`)).text, /Begin this project/)
  })

  it('try again after a failure', async () => {
    const { project, session } = await openProject(world, { campus: place.campus, cursus: place.cursus })
    const { location = '' } = await post('fay', `/projects/${project}`, { wish: 'begin' })
    const tutor = await world.caller({ roles: ['Advanced Tutor'] })
    assert.equal(
      (await tutor.patch(`/v2${location}`, { team: { closed_at: '2026-03-04T08:00:00Z', final_mark: 0 } })).status,
      204,
    )
    assert.ok(session > 0)
    assert.match((await get('fay', `/projects/${project}`)).text, /Try again/)
    const again = await post('fay', `/projects/${project}`, { wish: 'retry' })
    assert.notEqual(again.location, location)
    assert.match(String(again.location), /^\/teams\/\d+$/)
  })
})
