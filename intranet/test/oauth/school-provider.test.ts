import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Pupil, type School, startSchool } from '@campus/test/support/school-provider'
import { Agent, fetch } from 'undici'
import { SchoolProvider } from '../../oauth/school-provider.ts'

const BACK = 'https://campus.test/sign-in/school/back'

for (const inIdToken of [false, true]) {
  describe(`a school's provider that tells the address in the ${inIdToken ? 'ID token' : 'user information'}`, () => {
    let school: School
    let provider: SchoolProvider
    before(async () => {
      school = await startSchool(BACK, { inIdToken })
      provider = new SchoolProvider(school.settings)
    })
    after(() => school.close())

    /** Follows the provider's redirects as a browser does, until it sends us back. */
    async function visit(url: string, present: Pupil | undefined): Promise<URL> {
      school.present = present
      const cookies = new Map<string, string>()
      for (let step = 0, at = url; step < 8; step += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(at, { redirect: 'manual', headers: { cookie }, dispatcher })
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        await response.text()
        const location = response.headers.get('location')
        assert.ok(location, `the provider answered ${response.status}`)
        at = new URL(location, at).href
        if (at.startsWith(BACK)) return new URL(at)
      }
      throw new Error('the provider never sent us back')
    }

    const dispatcher = new Agent()
    after(() => dispatcher.close())

    it('says who came back, and whether it has verified their address', async () => {
      for (const email_verified of [true, false]) {
        const pupil = { sub: `p-${email_verified}`, email: 'ada@campus.test', email_verified }
        const { url, departure } = await provider.depart(BACK)
        const identity = await provider.arrive(await visit(url, pupil), departure)
        assert.deepEqual(identity, {
          issuer: school.settings.issuer,
          subject: pupil.sub,
          email: pupil.email,
          isEmailVerified: email_verified,
        })
      }
    })

    it('says nothing to whoever left with another browser, or comes twice', async () => {
      const pupil = { sub: 'p-1', email: 'ada@campus.test', email_verified: true }
      const { url, departure } = await provider.depart(BACK)
      const back = await visit(url, pupil)
      const { departure: other } = await provider.depart(BACK)
      for (const wrong of [other, { ...departure, nonce: other.nonce }]) {
        await assert.rejects(provider.arrive(back, wrong), { status: 422 })
      }
      const again = await provider.depart(BACK)
      const arrival = await visit(again.url, pupil)
      await provider.arrive(arrival, again.departure)
      await assert.rejects(provider.arrive(arrival, again.departure), { status: 422 })
    })

    it('may be told not to', async () => {
      const { url, departure } = await provider.depart(BACK)
      await assert.rejects(provider.arrive(await visit(url, undefined), departure), {
        status: 422,
        message: 'You were not signed in: the sign-in was refused or cancelled at Example School.',
      })
    })
  })
}

describe("a school's provider that is away", () => {
  it('is reported as such, and asked again the next time', async () => {
    const school = await startSchool(BACK)
    const provider = new SchoolProvider({ ...school.settings })
    await school.close()
    await assert.rejects(provider.depart(BACK), { status: 503 })
    await assert.rejects(provider.depart(BACK), { status: 503 })
  })

  it('is reported as such when it goes between departure and arrival', async () => {
    const school = await startSchool(BACK)
    const provider = new SchoolProvider(school.settings)
    const { departure } = await provider.depart(BACK)
    await school.close()
    const back = new URL(`${BACK}?code=c&state=${departure.state}&iss=${encodeURIComponent(school.settings.issuer)}`)
    await assert.rejects(provider.arrive(back, departure), { status: 503 })
  })
})
