import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defined } from '@campus/engine/base/defined'
import { mailServer } from '@campus/test/support/mail-server'
import { openTransport } from '../../services/mail/send-mails.ts'
import { readConfig } from '../../settings/config.ts'

/** The name by which a mail server is greeted, by the public address of the service and the query of the mail server's. */
const GREETINGS: readonly (readonly [baseUrl: string | undefined, query: string, name: string])[] = [
  ['https://campus.example.org', '', 'campus.example.org'],
  ['https://campus.example.org:8443/school', '', 'campus.example.org'],
  ['https://192.0.2.7', '', '[192.0.2.7]'],
  ['https://[2001:db8::7]', '', '[IPv6:2001:db8::7]'],
  [undefined, '', 'localhost'],
  ['https://campus.example.org', '?name=relay.example.org', 'relay.example.org'],
]

for (const [baseUrl, query, name] of GREETINGS)
  test(`a mail server is greeted as ${name} by the service at ${baseUrl ?? 'no address of its own'}${query && ` (${query})`}`, async (t) => {
    const server = await mailServer()
    t.after(() => server.close())
    const env = { CAMPUS_MAIL_URL: `${server.url}/${query}`, CAMPUS_MAIL_FROM: 'campus@school.test' }
    const { mail } = readConfig({ ...env, ...(baseUrl && { CAMPUS_BASE_URL: baseUrl }) })
    const transport = openTransport(defined(mail))
    t.after(() => transport.close())
    await transport.sendMail({ to: 'ada@school.test', text: 'hello' })
    assert.deepEqual(server.greeted, [name.toLowerCase()])
  })
