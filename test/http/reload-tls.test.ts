import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { connect } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { reloadTls } from '../../src/http/reload-tls.ts'
import { createServer } from '../../src/http/server.ts'
import { loadTls, type Tls } from '../../src/http/tls.ts'
import { temporaryFolder } from '../support/folder.ts'

let folders: Awaited<ReturnType<typeof temporaryFolder>>[]
let [former, next]: Tls[] = []
let app: FastifyInstance
let port: number
before(async () => {
  folders = [await temporaryFolder(), await temporaryFolder()]
  ;[former, next] = await Promise.all(folders.map(({ path }) => loadTls({ data: path, tls: undefined })))
  app = await createServer({ tls: former as Tls, logLevel: 'silent' })
  await app.listen({ host: 'localhost', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
after(async () => {
  await app.close()
  for (const folder of folders) await folder.remove()
})

type Connection = { fingerprint: string; isOpen(): boolean; protocol: string | null; close(): void }

function open(host: string, maxVersion: 'TLSv1.1' | 'TLSv1.3' = 'TLSv1.3'): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, minVersion: 'TLSv1', maxVersion } as const
    const socket = connect({ host, port, ...options, ALPNProtocols: ['http/1.1'] }, () =>
      resolve({
        fingerprint: socket.getPeerX509Certificate()?.fingerprint256 ?? '',
        protocol: socket.getProtocol(),
        isOpen: () => socket.writable,
        close: () => socket.destroy(),
      }),
    )
    socket.on('error', reject)
  })
}

const fingerprintOf = (tls: Tls | undefined) => new X509Certificate(tls?.cert ?? '').fingerprint256

test('new connections see the new certificate on every address of localhost, and standing ones go on', async () => {
  const standing = await open('127.0.0.1')
  assert.equal(standing.fingerprint, fingerprintOf(former))
  reloadTls(app, next as Tls)
  for (const host of ['127.0.0.1', '::1']) {
    const connection = await open(host)
    assert.equal(connection.fingerprint, fingerprintOf(next), host)
    assert.equal(connection.protocol, 'TLSv1.3')
    connection.close()
  }
  assert.equal(standing.isOpen(), true)
  standing.close()
})

test('after that TLS 1.1 is still refused', async () => {
  reloadTls(app, next as Tls)
  await assert.rejects(open('127.0.0.1', 'TLSv1.1'))
})
