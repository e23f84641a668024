import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inEnglish } from '@campus/engine/base/languages/say'
import { redactError } from '../../webhooks/redact.ts'
import { reasonForOwner, storedReason } from '../../webhooks/stored-reasons.ts'

const CERTIFICATE = "Hostname/IP does not match certificate's altnames: "
const UNREACHABLE = 'the receiver could not be reached over HTTPS'
const NOT_PUBLIC = 'the address does not lead to a public host'

/** Errors of attempts as the transport reports them, by what the owner of an application may read. */
const ERRORS: readonly (readonly [stored: string, forOwner: string])[] = [
  [storedReason('not_public', '10.7.7.7'), NOT_PUBLIC],
  [storedReason('not_public', 'vm.internal (10.7.7.7)'), NOT_PUBLIC],
  ['getaddrinfo ENOTFOUND vm.internal', NOT_PUBLIC],
  ['getaddrinfo EAI_AGAIN vm.internal', NOT_PUBLIC],
  ['connect ECONNREFUSED 10.7.7.7:5432', UNREACHABLE],
  ['connect EHOSTUNREACH 10.7.7.7:443 - Local (10.1.1.1:40112)', UNREACHABLE],
  ['read ECONNRESET', UNREACHABLE],
  ['other side closed (UND_ERR_SOCKET)', UNREACHABLE],
  [storedReason('not_connected'), UNREACHABLE],
  ['write EPROTO 00B7:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:', UNREACHABLE],
  ['Parse Error: Expected HTTP/, RTSP/ or ICE/ (HPE_INVALID_CONSTANT)', UNREACHABLE],
  [
    'self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
    'the certificate of the receiver was refused (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
  ['certificate has expired (CERT_HAS_EXPIRED)', 'the certificate of the receiver was refused (CERT_HAS_EXPIRED)'],
  [
    `${CERTIFICATE}Host: vm.internal. is not in the cert's altnames: DNS:db.internal, IP Address:10.7.7.7 (ERR_TLS_CERT_ALTNAME_INVALID)`,
    'the certificate of the receiver was refused (ERR_TLS_CERT_ALTNAME_INVALID)',
  ],
  [storedReason('not_answered', 15), 'no complete answer within 15 s'],
  [storedReason('not_there'), 'the record is not there any more, or the application may not see it'],
]

describe('the error of an attempt', () => {
  for (const [stored, forOwner] of ERRORS)
    it(`tells the owner of an application nothing about the network: ${stored}`, () => {
      const text = inEnglish(reasonForOwner(stored))
      assert.equal(text, forOwner)
      assert.doesNotMatch(text, /internal|\d+\.\d+\.\d+\.\d+|:\d{2,}/)
    })

  it('stays as it is beside short secrets and secrets that occur in it', () => {
    for (const [stored] of ERRORS)
      if (!stored.startsWith(CERTIFICATE))
        assert.equal(redactError(stored, ['42', 'not_', 'ECONNREFUSED', 'a']), stored)
  })

  it('is redacted where it repeats what the receiver wrote in its certificate', () => {
    const error = `${CERTIFICATE}Host: x. is not in the cert's altnames: DNS:hush-hush.example (ERR_TLS_CERT_ALTNAME_INVALID)`
    assert.equal(redactError(error, ['hush-hush']), error.replace('hush-hush', '[redacted]'))
    const unsafe = redactError(error, ['hush-hush', '42'])
    assert.ok(unsafe.startsWith(CERTIFICATE) && unsafe.endsWith('(ERR_TLS_CERT_ALTNAME_INVALID)'), unsafe)
    assert.ok(!unsafe.includes('hush'), unsafe)
  })
})
