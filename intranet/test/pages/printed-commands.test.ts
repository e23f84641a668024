import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { certificateToTrust } from '@campus/engine/http/certificate-to-trust'
import { createApplication } from '@campus/test/support/application'
import { campus, type World } from '@campus/test/support/campus'
import { NO_CURL } from '@campus/test/support/curl'
import { signedInOf } from '@campus/test/support/people'
import { visitorOf } from '@campus/test/support/visitor'
import { readConfig } from '../../settings/config.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&#39;': "'",
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
}
const plain = (text: string) =>
  text.replace(/<[^>]*>/g, '').replace(/&(#39|quot|lt|gt|amp);/g, (entity) => ENTITIES[entity] as string)

describe('a command that a page prints works as it is pasted, with the certificate that the service made itself:', {
  skip: NO_CURL,
}, () => {
  let world: World
  before(async () => {
    world = await campus()
    await world.build.campus({ name: 'Lyon' })
  })
  after(() => world.close())

  /** In a shell that knows of no certificate. */
  async function paste(commands: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { stdout } = await promisify(execFile)('/bin/sh', ['-euc', commands], {
      env: { PATH: String(process.env.PATH), ...env },
    })
    return stdout
  }
  const registered = () => world.database.transaction((tx) => createApplication(tx, { name: 'Lists campuses' }))
  const namesIn = (json: string) => JSON.parse(json).map(({ name }: { readonly name: string }) => name)

  it('on Home', async () => {
    const { uid, secret } = await registered()
    const { text } = await visitorOf(world).get('/')
    const [getToken = '', list = ''] = [...text.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, one = '']) => plain(one))
    const token = JSON.parse(await paste(getToken.replace('YOUR_ID', uid).replace('YOUR_SECRET', String(secret))))
    assert.deepEqual(namesIn(await paste(list.replace('YOUR_TOKEN', token.access_token))), ['Lyon'])
  })

  it('for an application that was just registered', async () => {
    const { browser } = await signedInOf(world)
    const made = await browser.submit('/applications/new', {
      name: 'Campus board',
      scopes: ['public'],
      confidential: 'yes',
    })
    const { text } = made.location ? await browser.get(made.location) : made
    const command = plain(/id="first-request"[^>]*>(.*?)<\/(?:pre|code|textarea)>/s.exec(text)?.[1] ?? '')
    assert.match(command, /^TOKEN=\$\(curl /)
    assert.deepEqual(namesIn(await paste(command)), ['Lyon'])
  })

  it('in the guide on tokens', async () => {
    const { uid, secret } = await registered()
    const { text } = await visitorOf(world).get('/apidoc/guides/getting-a-token.md')
    const command = /```sh\n(.*?)```/s.exec(text)?.[1] ?? ''
    const people = JSON.parse(await paste(command, { ID: uid, SECRET: String(secret) }))
    assert.ok(people.length > 0 && people.every(({ login }: { readonly login: string }) => login))
  })
})

describe('the certificate that commands name', () => {
  const of = (env: Readonly<Record<string, string>>) =>
    certificateToTrust(readConfig({ CAMPUS_DATA: '/srv/campus', ...env }))

  it('is the service’s own on this machine, and a file that its operator hands out elsewhere', () => {
    assert.equal(of({}), '/srv/campus/tls/cert.pem')
    assert.equal(of({ CAMPUS_BASE_URL: 'https://campus.example.org' }), 'cert.pem')
  })

  it('is none where an authority has signed it, or a proxy has its own', () => {
    assert.equal(of({ CAMPUS_ACME_EMAIL: 'a@b.example', CAMPUS_BASE_URL: 'https://campus.example.org' }), undefined)
    assert.equal(of({ CAMPUS_TLS: 'off', CAMPUS_BASE_URL: 'https://campus.example.org' }), undefined)
    assert.equal(of({ CAMPUS_TLS_CERT: '/absent.pem', CAMPUS_TLS_KEY: '/absent.key' }), undefined)
  })
})
