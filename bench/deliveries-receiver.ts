/** Runs two receivers for `deliveries.ts`: one answers 204 immediately, the other never answers. */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

export type Ready = { readonly url: string; readonly deadUrl: string; readonly ca: string }

const { cert, private: key } = await generate([{ name: 'commonName', value: 'Receiver' }], {
  keyType: 'ec',
  algorithm: 'sha256',
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
})
const live = createServer({ cert, key }, (request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(204).end())
})
const dead = createServer({ cert, key }, (request) => request.resume())
for (const server of [live, dead]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const addressOf = (server: typeof live) => `https://localhost:${(server.address() as AddressInfo).port}`
process.once('disconnect', () => process.exit(0))
process.send?.({ url: addressOf(live), deadUrl: addressOf(dead), ca: cert } satisfies Ready)
