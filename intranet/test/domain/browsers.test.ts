import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { FRENCH } from '@campus/test/support/languages'
import { describeBrowser, identifyBrowser } from '../../access/browsers.ts'
import { ENGLISH, inLanguage } from '../../settings/languages.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const EDGE = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0'

describe('A browser', () => {
  it('is known by what it says of itself, and by nothing that others say too', () => {
    assert.deepEqual(identifyBrowser(FIREFOX), { browser: 'Firefox', system: 'Linux' })
    assert.deepEqual(identifyBrowser(EDGE), { browser: 'Edge', system: 'Windows' })
    assert.deepEqual(identifyBrowser('curl/8'), { browser: '', system: undefined })
    assert.deepEqual(identifyBrowser(null), { browser: '', system: undefined })
  })

  it('is described in the language of the reader', async () => {
    const describeBoth = (agent: string) =>
      Promise.all([ENGLISH, FRENCH].map((one) => inLanguage(one, () => describeBrowser(identifyBrowser(agent)))))
    assert.deepEqual(await describeBoth(FIREFOX), ['Firefox on Linux', 'Firefox sous Linux'])
    assert.deepEqual(await describeBoth('(Windows)'), ['A browser on Windows', 'Un navigateur sous Windows'])
    assert.deepEqual(await describeBoth('curl/8'), ['A browser', 'Un navigateur'])
  })

  it('of a mail that was written down before it was told apart stays as it is', () => {
    assert.equal(describeBrowser({ browser: 'Firefox on Linux' }), 'Firefox on Linux')
  })
})
