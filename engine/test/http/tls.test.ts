import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { NO_CURL } from '@campus/test/support/curl'
import { temporaryFolder } from '@campus/test/support/folder'
import { ConfigError } from '../../base/config-error.ts'
import { loadTls } from '../../http/tls.ts'

const run = promisify(execFile)
const DAY = 86_400_000

let folder: Awaited<ReturnType<typeof temporaryFolder>>
before(async () => {
  folder = await temporaryFolder()
})
after(() => folder.remove())

const own = (name: string, now?: Date) => loadTls({ data: join(folder.path, name), tls: undefined }, now)

describe('without a configured certificate', () => {
  test('one is made for this engine, and only its owner may read the key', async () => {
    const { cert, key } = await own('fresh')
    const tls = join(folder.path, 'fresh', 'tls')
    assert.equal(await readFile(join(tls, 'cert.pem'), 'utf8'), cert)
    assert.equal(await readFile(join(tls, 'key.pem'), 'utf8'), key)
    assert.equal((await stat(tls)).mode & 0o777, 0o700)
    assert.equal((await stat(join(tls, 'key.pem'))).mode & 0o777, 0o600)
    const certificate = new X509Certificate(cert)
    assert.equal(certificate.subjectAltName, 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    assert.equal(certificate.publicKey.asymmetricKeyDetails?.namedCurve, 'prime256v1')
    assert.ok(certificate.validToDate.getTime() - certificate.validFromDate.getTime() <= 825 * DAY)
  })

  test('the same one serves again', async () => {
    assert.deepEqual(await own('kept'), await own('kept'))
  })

  test('processes that start together agree on one certificate', async () => {
    const pairs = await Promise.all(Array.from({ length: 8 }, () => own('together')))
    for (const pair of pairs) assert.deepEqual(pair, pairs[0])
  })

  for (const [when, daysBeforeEnd, isRenewed] of [
    ['eight days before its end', 8, false],
    ['within a week of its end', 6.9, true],
    ['after its end', -1, true],
  ] as const) {
    test(`${when} it is ${isRenewed ? 'renewed' : 'kept'}`, async () => {
      const first = await own(when)
      const end = new X509Certificate(first.cert).validToDate
      const now = new Date(end.getTime() - daysBeforeEnd * DAY)
      const second = await own(when, now)
      assert.equal(second.cert !== first.cert, isRenewed)
      assert.equal(second.key, first.key)
      assert.ok(new X509Certificate(second.cert).validToDate > now)
    })
  }

  test('it names the host of the address that clients use, and is made anew when that changes', async () => {
    const called = (baseUrl: string) => loadTls({ data: join(folder.path, 'called'), tls: undefined, baseUrl })
    const loopback = 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1'
    for (const [baseUrl, added] of [
      ['https://localhost:8443', ''],
      ['https://api.library.example', ', DNS:api.library.example'],
      ['https://192.0.2.7:8443', ', IP Address:192.0.2.7'],
      ['https://[::1]:8443', ''],
    ] as const) {
      const { cert, key } = await called(baseUrl)
      const { subjectAltName } = new X509Certificate(cert)
      // A certificate with more names than are needed is kept.
      if (added !== '') assert.equal(subjectAltName, loopback + added)
      assert.ok(subjectAltName?.startsWith(loopback))
      assert.deepEqual(await called(baseUrl), { cert, key })
    }
  })

  test('a certificate that does not fit the key, or is none, is made anew', async () => {
    const { key } = await own('damaged')
    for (const text of [(await own('stranger')).cert, 'nonsense']) {
      await writeFile(join(folder.path, 'damaged', 'tls', 'cert.pem'), text)
      const { cert } = await own('damaged')
      assert.ok(matches(cert, key))
    }
  })
})

describe('served with the certificate of this machine', () => {
  let port: number
  let caFile: string
  const servers: ReturnType<typeof createServer>[] = []
  before(async () => {
    const tls = await own('served')
    caFile = join(folder.path, 'served', 'tls', 'cert.pem')
    for (const host of ['127.0.0.1', '::1']) {
      const server = createServer(tls, (_request, response) => response.end('served'))
      await new Promise<void>((resolve) => server.listen(port ?? 0, host, resolve))
      port = (server.address() as AddressInfo).port
      servers.push(server)
    }
  })
  after(() => {
    for (const server of servers) server.close()
  })

  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    test(`curl --cacert trusts https://${host}`, { skip: NO_CURL }, async () => {
      const { stdout } = await run('curl', ['-sS', '--cacert', caFile, `https://${host}:${port}/`])
      assert.equal(stdout, 'served')
    })

    test(`Node with NODE_EXTRA_CA_CERTS trusts https://${host}`, async () => {
      const script = `fetch('https://${host}:${port}/').then(async (r) => console.log(await r.text()))`
      const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile }
      const { stdout } = await run(process.execPath, ['-e', script], { env })
      assert.equal(stdout, 'served\n')
    })
  }

  test('whoever was not told of the certificate does not trust it', { skip: NO_CURL }, async () => {
    await assert.rejects(run('curl', ['-sS', `https://localhost:${port}/`]), /self[- ]signed certificate/)
  })
})

describe('with configured files', () => {
  let ours: { cert: string; key: string }
  let othersOwn: { cert: string; key: string }
  before(async () => {
    ours = await filesOf('ours')
    othersOwn = await filesOf('theirs')
  })

  async function filesOf(name: string) {
    await own(name)
    const tls = join(folder.path, name, 'tls')
    return { cert: join(tls, 'cert.pem'), key: join(tls, 'key.pem') }
  }

  const configured = (tls: { cert: string; key: string }) => loadTls({ data: join(folder.path, 'unused'), tls })

  const refusal = (pattern: RegExp) => (error: Error) => {
    assert.ok(error instanceof ConfigError, String(error))
    assert.match(error.message, pattern)
    return true
  }

  test('these are served, and none are made', async () => {
    const { cert, key } = await configured(ours)
    assert.equal(cert, await readFile(ours.cert, 'utf8'))
    assert.equal(key, await readFile(ours.key, 'utf8'))
    await assert.rejects(stat(join(folder.path, 'unused')), { code: 'ENOENT' })
  })

  test('a file that is missing is a fault of the variable that names it', async () => {
    const missing = join(folder.path, 'missing.pem')
    await assert.rejects(
      configured({ ...ours, cert: missing }),
      refusal(/^CAMPUS_TLS_CERT .*missing\.pem cannot \(ENOENT\)\.$/),
    )
    await assert.rejects(
      configured({ ...ours, key: missing }),
      refusal(/^CAMPUS_TLS_KEY .*missing\.pem cannot \(ENOENT\)\.$/),
    )
  })

  test('a file of another kind is a fault of the variable that names it', async () => {
    await assert.rejects(configured({ ...ours, cert: ours.key }), refusal(/^CAMPUS_TLS_CERT must name a certificate/))
    await assert.rejects(configured({ ...ours, key: ours.cert }), refusal(/^CAMPUS_TLS_KEY must name a private key/))
  })

  test('a key of another certificate is a fault that names both variables', async () => {
    await assert.rejects(
      configured({ cert: ours.cert, key: othersOwn.key }),
      refusal(/^CAMPUS_TLS_KEY must name the private key of the certificate in CAMPUS_TLS_CERT;/),
    )
  })
})

function matches(cert: string, key: string): boolean {
  return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
}
