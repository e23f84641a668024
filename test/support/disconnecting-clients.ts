import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { connect } from 'node:tls'

type Options = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Body of a POST; GET without a body. The end of the body is not sent, unless requests are pipelined. */
  readonly body?: Buffer
  /** Time from the request until the client disconnects. */
  readonly milliseconds: number
}

type Service = { readonly url: string; readonly ca: string }

/** Sends a request over HTTP/2, and resets the stream. */
export async function resetStream({ url, ca }: Service, { path, headers, body, milliseconds }: Options): Promise<void> {
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

/** Sends a request over HTTP/1.1, and closes the connection. */
export const endConnection = (service: Service, options: Options): Promise<void> =>
  endAfter(service, options, headOf(options), options.body?.subarray(0, -20))

/** Sends two complete requests over one HTTP/1.1 connection without waiting, and closes the connection. */
export const endPipeline = (service: Service, options: Options): Promise<void> => {
  const whole = Buffer.concat([Buffer.from(headOf(options)), options.body ?? Buffer.of()])
  return endAfter(service, options, whole, whole)
}

const headOf = ({ path, headers, body }: Options) =>
  [
    `${body ? 'POST' : 'GET'} ${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body ? [`Content-Length: ${body.length}`] : []),
    '\r\n',
  ].join('\r\n')

async function endAfter(
  { url, ca }: Service,
  { milliseconds }: Options,
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
