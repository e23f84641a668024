/** Redirect URIs with characters that headers cannot contain, over HTTP/1.1 and HTTP/2. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { campus, type World } from '@campus/test/support/campus'
import { type Flow, flowOf } from '@campus/test/support/oauth-flow'
import { Agent, fetch } from 'undici'
import { isRedirectUri } from '../../oauth/applications/redirect-uris.ts'

let world: World
let flow: Flow
before(async () => {
  world = await campus({})
  flow = flowOf(world)
})
after(() => world?.close())

/** Addresses whose characters have low bytes that mean something else: a slash, an at sign, a line break. */
const ADDRESSES = [
  'https://evil.test\u012fgood.example/back',
  'https://evil.test\u0140good.example/back',
  'https://\u0436\u0443\u043a.example/back',
  'https://app.example/\u010d\u010aX-Injected:\u0120yes',
  'https://app.example/caf\u00e9?x=\u0436\ud83d\ude00',
  'com.example.app:/\u0436',
]

for (const allowH2 of [false, true]) {
  test(`lead to their own host and path over ${allowH2 ? 'HTTP/2' : 'HTTP/1.1'}`, async () => {
    const dispatcher = new Agent({ connect: { rejectUnauthorized: false }, allowH2 })
    try {
      for (const address of ADDRESSES) {
        const app = await flow.application({ redirect_uris: [address] })
        const query = new URLSearchParams({
          client_id: app.uid,
          redirect_uri: address,
          response_type: 'code',
          prompt: 'none',
        })
        const response = await fetch(`${world.url}/oauth/authorize?${query}`, { redirect: 'manual', dispatcher })
        assert.equal(response.status, 303, `${address}: ${await response.text()}`)
        const [target, expected] = [new URL(String(response.headers.get('location'))), new URL(address)]
        assert.deepEqual(
          [target.protocol, target.host, target.pathname, target.searchParams.get('x')],
          [expected.protocol, expected.host, expected.pathname, expected.searchParams.get('x')],
        )
        assert.equal(target.searchParams.get('error'), 'login_required')
        assert.equal(response.headers.get('x-injected'), null)
      }
    } finally {
      await dispatcher.close()
    }
  })
}

test('are registered only with the host of an address, and for this machine only in the normal form', () => {
  const refused = [
    'https://*/back',
    'https://app.example;script-src/back',
    'https://app.example,default-src/back',
    'https://"app.example/back',
    'http://127.1/',
    'http://2130706433/',
    'http://\u1d38ocalhost/',
    'http://\uff4cocalhost/',
    'http://localhost\u3002/',
    'http://localhost@evil.test/',
    'http://localhost.evil.test/',
  ]
  for (const uri of refused) assert.deepEqual([uri, isRedirectUri(uri, true)], [uri, false])
  for (const uri of [
    'http://localhost:8080/back',
    'http://127.0.0.1',
    'http://[::1]:3000/',
    'HTTP://localhost/',
    'http://localhost?x',
    'https://[2001:db8::1]/',
    'https://a_b.example:8443/',
    'https://\u0436\u0443\u043a.example/',
  ])
    assert.deepEqual([uri, isRedirectUri(uri, false)], [uri, true])
})
