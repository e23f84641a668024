import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { temporaryFolder } from '@campus/test/support/folder'
import type { FastifyInstance } from 'fastify'
import { listenAt } from '../../http/listeners.ts'
import { reloadTls } from '../../http/reload-tls.ts'
import { createServer } from '../../http/server.ts'
import { Staging } from '../../http/staging.ts'
import { loadTls, type Tls } from '../../http/tls.ts'

let folders: Awaited<ReturnType<typeof temporaryFolder>>[]
let [former, next]: Tls[] = []
let app: FastifyInstance
let port: number
const sockets: TLSSocket[] = []
before(async () => {
  folders = [await temporaryFolder(), await temporaryFolder()]
  ;[former, next] = await Promise.all(folders.map(({ path }) => loadTls({ data: path, tls: undefined })))
  app = await createServer({ tls: former as Tls, logLevel: 'silent', staging: new Staging('incoming') })
  await listenAt(app, { host: 'localhost', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
after(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
  for (const folder of folders) await folder.remove()
})

type Connection = { fingerprint: string; isOpen(): boolean; protocol: string | null }

function open(host: string, maxVersion: 'TLSv1.1' | 'TLSv1.3' = 'TLSv1.3'): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, minVersion: 'TLSv1', maxVersion } as const
    const socket = connect({ host, port, ...options, ALPNProtocols: ['http/1.1'] }, () =>
      resolve({
        fingerprint: socket.getPeerX509Certificate()?.fingerprint256 ?? '',
        protocol: socket.getProtocol(),
        isOpen: () => socket.writable,
      }),
    )
    socket.on('error', reject)
    sockets.push(socket)
  })
}

const fingerprintOf = (tls: Tls | undefined) => new X509Certificate(tls?.cert ?? '').fingerprint256

test('new connections see the new certificate on every address of localhost, and standing ones go on', async () => {
  const inForce = await open('127.0.0.1')
  assert.equal(inForce.fingerprint, fingerprintOf(former))
  reloadTls(app, next as Tls)
  for (const host of ['127.0.0.1', '::1']) {
    const connection = await open(host)
    assert.equal(connection.fingerprint, fingerprintOf(next), host)
    assert.equal(connection.protocol, 'TLSv1.3')
  }
  assert.equal(inForce.isOpen(), true)
})

test('after that TLS 1.1 is still refused', async () => {
  reloadTls(app, next as Tls)
  await assert.rejects(open('127.0.0.1', 'TLSv1.1'))
})
