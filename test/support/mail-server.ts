import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A mail as the server got it, undecoded. */
export type ReceivedMail = {
  readonly to: readonly string[]
  readonly from: string
  readonly raw: string
}

/** A mail server on the loopback interface. What it refuses, and how, is changed while it runs. */
export async function mailServer() {
  const received: ReceivedMail[] = []
  /** Names in EHLO, in lower case, one for each mail. */
  const greeted: string[] = []
  const behaviour: { refuse?: { code: number; message: string } | undefined } = {}
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'letmein' ? done(null, { user: username }) : done(new Error('no')),
    onMailFrom: (_address, session, done) => {
      greeted.push(session.hostNameAppearsAs)
      done()
    },
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope
      void text(stream).then((raw) => {
        if (behaviour.refuse) {
          done(Object.assign(new Error(behaviour.refuse.message), { responseCode: behaviour.refuse.code }))
          return
        }
        received.push({ to: rcptTo.map(({ address }) => address), from: mailFrom ? mailFrom.address : '', raw })
        done()
        // A service that is killed meanwhile breaks the mail off.
      }, done)
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://campus:letmein@127.0.0.1:${port}`,
    received,
    greeted,
    behaviour,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
