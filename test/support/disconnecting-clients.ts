import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'
import type { World } from './campus.ts'

type Left = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent except its end, unless the requests are pipelined; a GET without it. */
  readonly body?: Buffer
  /** When the client leaves after its request. */
  readonly milliseconds: number
}

type Service = Pick<World, 'url' | 'ca'>

/** Sends a request over HTTP/2, and resets its stream. */
export async function resetStream({ url, ca }: Service, { path, headers, body, milliseconds }: Left): Promise<void> {
  const session = connectHttp2(url, { ca })
  session.on('error', () => {})
  await once(session, 'connect')
  const stream = session.request({ ':method': body ? 'POST' : 'GET', ':path': path, ...headers }, { endStream: !body })
  stream.on('error', () => {})
  stream.on('data', () => {})
  if (body) stream.write(body.subarray(0, -20))
  if (milliseconds > 0) await wait(milliseconds)
  const closed = stream.closed ? undefined : once(stream, 'close')
  stream.close(constants.NGHTTP2_CANCEL)
  await closed
  session.destroy()
}

/** Sends a request over HTTP/1.1, and ends the connection. */
export const endConnection = (service: Service, left: Left): Promise<void> =>
  endAfter(service, left, headOf(left, left.body?.length ?? 0), left.body?.subarray(0, -20))

/** Sends several whole requests at once over HTTP/1.1, and ends the connection. */
export const endPipeline = (service: Service, left: Left): Promise<void> => {
  const whole = Buffer.concat([Buffer.from(headOf(left, left.body?.length ?? 0)), left.body ?? Buffer.of()])
  return endAfter(service, left, whole, whole)
}

const headOf = ({ path, headers, body }: Left, length: number) =>
  [
    `${body ? 'POST' : 'GET'} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? [`Content-Length: ${length}`] : []),
    '\r\n',
  ].join('\r\n')

async function endAfter(
  { url, ca }: Service,
  { milliseconds }: Left,
  ...chunks: readonly (string | Buffer | undefined)[]
) {
  const { hostname, port } = new URL(url)
  const socket = connect({
    host: hostname,
    port: Number(port),
    ca,
    servername: 'localhost',
    ALPNProtocols: ['http/1.1'],
  })
  socket.on('error', () => {}).on('data', () => {})
  await once(socket, 'secureConnect')
  for (const chunk of chunks) if (chunk) socket.write(chunk)
  if (milliseconds > 0) await wait(milliseconds)
  socket.destroy()
}
