import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { html } from '../../src/pages/html.ts'
import { inLanguage, wishedLanguage } from '../../src/pages/language.ts'
import { say, sayWith } from '../../src/pages/say.ts'

const wishing = (wish?: string) => ({ headers: wish === undefined ? {} : { 'accept-language': wish } })

describe('The language of a page', () => {
  it('is what the browser wishes most, among those that there are', () => {
    assert.equal(wishedLanguage(wishing('fr-CH, fr;q=0.9, en;q=0.8'), ['en']), 'fr')
    assert.equal(wishedLanguage(wishing('de, en;q=0.5, fr;q=0.4'), ['fr', 'en']), 'en')
  })

  it('is the usual one of the school where the browser wishes none of them', () => {
    assert.equal(wishedLanguage(wishing('de'), ['fr', 'en']), 'fr')
    assert.equal(wishedLanguage(wishing(), ['fr', 'en']), 'fr')
    assert.equal(wishedLanguage(wishing('*'), ['fr']), 'fr')
    assert.equal(wishedLanguage(wishing('xx;q=none,,;'), ['en']), 'en')
    assert.equal(wishedLanguage(wishing(), []), 'en')
  })
})

describe('A text of a page', () => {
  it('is said in the language of its reader', () => {
    assert.equal(
      inLanguage('fr', () => say('Skip to the content')),
      'Aller au contenu',
    )
    assert.equal(
      inLanguage('en', () => say('Skip to the content')),
      'Skip to the content',
    )
  })

  it('agrees with the numbers in it', () => {
    const calls = '{count, plural, one {# call} other {# calls}}'
    assert.deepEqual(
      [0, 1, 1200].map((count) => say(calls, { count })),
      ['0 calls', '1 call', '1,200 calls'],
    )
  })

  it('escapes what it is given, but HTML', async () => {
    const said = sayWith('{name} is at {place}', { name: '<b>', place: html`<a href="/x">here</a>` })
    assert.equal(String(await said), '&lt;b&gt; is at <a href="/x">here</a>')
  })

  it('says what looks like markup as it stands', () => {
    assert.equal(say('less than <5'), 'less than <5')
  })
})
