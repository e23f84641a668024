import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect, type PeerCertificate } from 'node:tls'
import { Challenges } from '@campus/engine/http/acme/challenges'
import { isDue } from '@campus/engine/http/acme/renew-certificates'
import { authoritySkip, certificateAuthority } from '@campus/test/support/certificate-authority'
import { testDatabase } from '@campus/test/support/database'
import { temporaryFolder } from '@campus/test/support/folder'
import { freePort } from '@campus/test/support/free-port'
import { outcomeOf, startCampus } from '@campus/test/support/run-campus'
import { generate } from 'selfsigned'

const skip = authoritySkip()

describe('a certificate by ACME', { skip }, () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let database: Awaited<ReturnType<typeof testDatabase>>
  let authority: Awaited<ReturnType<typeof certificateAuthority>>
  let port: number
  before(async () => {
    folder = await temporaryFolder()
    database = await testDatabase()
    authority = await certificateAuthority()
    port = await freePort()
  })
  after(async () => {
    await authority.close()
    await database.close()
    await folder.remove()
  })

  const env = (more: Readonly<Record<string, string>> = {}) => ({
    CAMPUS_DATA: folder.path,
    DATABASE_URL: database.url,
    CAMPUS_PROCESSES: '1',
    CAMPUS_PORT: String(port),
    CAMPUS_HOST: '127.0.0.1',
    CAMPUS_LOG_LEVEL: 'silent',
    CAMPUS_BASE_URL: `https://localhost:${port}`,
    CAMPUS_ACME_EMAIL: 'operator@school.test',
    CAMPUS_ACME_DIRECTORY: authority.directory,
    NODE_EXTRA_CA_CERTS: authority.root,
    ...more,
  })

  /** Resolves with its output when that mentions something about the certificate. */
  async function serve(
    more: Readonly<Record<string, string>> = {},
  ): Promise<{ child: ChildProcess; reported: string }> {
    const child = startCampus(['serve', '--empty'], env(more))
    const outcome = outcomeOf(child)
    const reported = new Promise<string>((resolve) => {
      let text = ''
      child.stderr?.on('data', (data) => {
        text += data
        if (text.includes('obtained')) resolve(text)
      })
    })
    const ended = outcome.then(({ stderr }) => assert.fail(`the server ended: ${stderr}`))
    return { child, reported: await Promise.race([reported, ended]) }
  }

  async function stop(child: ChildProcess): Promise<void> {
    const closed = new Promise((resolve) => child.once('close', resolve))
    child.kill('SIGTERM')
    await closed
  }

  const served = async (): Promise<PeerCertificate> => {
    const ca = await readFile(authority.root)
    return new Promise((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ca }, () => {
        resolve(socket.getPeerCertificate())
        socket.destroy()
      })
      socket.once('error', reject)
    })
  }

  test('is obtained, served without a restart, kept for the next start, and renewed when most of its life is over', async () => {
    const first = await serve()
    assert.match(first.reported, /^A certificate for localhost was obtained\.$/m)
    const { serialNumber } = await served()
    await stop(first.child)

    const path = join(folder.path, 'tls/acme/certificate.json')
    const retained = await readFile(path, 'utf8')
    const second = startCampus(['serve', '--empty'], env())
    await new Promise<void>((resolve) =>
      second.stdout?.on('data', (text) => String(text).includes('Ctrl-C') && resolve()),
    )
    assert.equal((await served()).serialNumber, serialNumber, 'nothing is asked for while it is fresh')
    await stop(second)
    assert.equal(await readFile(path, 'utf8'), retained)

    await writeFile(path, '{"cert":')
    const third = await serve()
    assert.notEqual((await served()).serialNumber, serialNumber)
    await stop(third.child)
  })

  test('an authority that is away is told, and the service runs on with its own', async () => {
    await writeFile(join(folder.path, 'tls/acme/certificate.json'), '')
    const { child, reported } = await serve({ CAMPUS_ACME_DIRECTORY: `https://localhost:${await freePort()}/` })
    assert.match(reported, /^No certificate for localhost was obtained: .* does not answer \(ECONNREFUSED\)$/m)
    await assert.rejects(served(), { code: /SELF_SIGNED|UNABLE_TO_VERIFY|DEPTH_ZERO/ })
    await stop(child)
  })
})

test('a certificate is due for another when two thirds of its life are over', async () => {
  const [from, to] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-04-01T00:00:00Z')]
  const { cert } = await generate([{ name: 'commonName', value: 'x' }], { notBeforeDate: from, notAfterDate: to })
  assert.deepEqual(
    ['2026-02-28', '2026-03-03'].map((day) => isDue(cert, new Date(day))),
    [false, true],
  )
})

test('the port of plain HTTP answers what the authority asks, and sends everybody else to HTTPS', async () => {
  const challenges = new Challenges('https://campus.school.test')
  const port = await freePort()
  await challenges.listen('127.0.0.1', port)
  challenges.answers.set('token', 'answer')
  const ask = (path: string, method = 'GET') =>
    new Promise<{ status: number | undefined; location: string | undefined; text: string }>((resolve, reject) => {
      request({ port, path, method, host: '127.0.0.1' }, (response) => {
        let text = ''
        response.on('data', (data) => {
          text += data
        })
        response.on('end', () => resolve({ status: response.statusCode, location: response.headers.location, text }))
      })
        .on('error', reject)
        .end()
    })
  assert.deepEqual(await ask('/.well-known/acme-challenge/token'), { status: 200, location: undefined, text: 'answer' })
  const location = 'https://campus.school.test/v2/users?page=2'
  assert.deepEqual(await ask('/v2/users?page=2'), { status: 308, location, text: '' })
  assert.equal((await ask('/.well-known/acme-challenge/other')).status, 308)
  assert.equal((await ask('//evil.test/')).location, 'https://campus.school.test//evil.test/')
  assert.equal((await ask('/', 'POST')).status, 405)
  challenges.answers.delete('token')
  assert.equal((await ask('/.well-known/acme-challenge/token')).status, 308)
  await challenges.close()
})
