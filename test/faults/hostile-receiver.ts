import type { ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { answer, type Behaviour, type Receiver, receiver } from '../support/receiver.ts'

const endless = (response: ServerResponse) => {
  response.writeHead(200)
  const more = () =>
    response.writable && !response.destroyed && response.write('x'.repeat(65_536), () => setImmediate(more))
  more()
}

const dripping = (response: ServerResponse) => {
  response.writeHead(200)
  const timer = setInterval(() => (response.destroyed ? clearInterval(timer) : response.write('x')), 1000)
  timer.unref()
}

/** Ends its side of the connection below TLS, without the goodbye that TLS asks for. */
const halfClosed = (_response: unknown, _call: unknown, socket: TLSSocket) => {
  const { _parent: plain } = socket as unknown as { _parent?: { end(): void } }
  if (plain) plain.end()
  else socket.destroy()
}

/** Responses of a receiver, most of them hostile. About a third succeed, so that deliveries continue. */
const WAYS: Readonly<Record<string, Behaviour>> = {
  success: answer(200, {}, 'thank you'),
  success2: answer(204),
  success3: answer(201),
  success4: answer(204),
  unknown: answer(404),
  unprocessable: answer(422),
  broken: answer(500),
  busy: answer(429, { 'retry-after': '1' }),
  redirect: answer(302, { location: 'https://localhost:1/elsewhere' }),
  hang: () => {},
  reset: (_response, _call, socket) => socket.destroy(),
  halfClosed: halfClosed as Behaviour,
  dripping: dripping as Behaviour,
  endless: endless as Behaviour,
}

/** A webservice that picks one of the ways for every call, until it is made kind. */
export async function hostileReceiver(): Promise<Receiver & { beKind(): void; readonly chosen: Map<string, number> }> {
  const service = await receiver()
  const names = Object.keys(WAYS)
  const chosen = new Map<string, number>()
  service.behave((response, call, socket) => {
    const name = names[Math.floor(Math.random() * names.length)] as string
    chosen.set(name, (chosen.get(name) ?? 0) + 1)
    WAYS[name]?.(response, call, socket)
  })
  return Object.assign(service, { beKind: () => service.behave(answer(204)), chosen })
}
