import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { inEnglish, type Message, message, verbatim } from '@campus/engine/base/languages/say'
import { unprocessable } from '@campus/engine/errors'
import { findMessageUses, type MessageUse } from '@campus/test/support/message-uses'
import { IntlMessageFormat } from 'intl-messageformat'
import { faultOf } from '../../pages/fields.ts'
import { formatNumber } from '../../pages/format-number.ts'
import { html } from '../../pages/html.ts'
import { preferredLanguage } from '../../pages/language.ts'
import { say, sayWith } from '../../pages/say.ts'
import { shortDay } from '../../pages/times.ts'
import { inLanguage } from '../../settings/languages/language.ts'
import { dictionaryOf, ENGLISH, LANGUAGES } from '../../settings/languages/languages.ts'

const wishing = (wish?: string) => ({ headers: wish === undefined ? {} : { 'accept-language': wish } })

describe('The language of a page', () => {
  it('is what the browser wishes most, among those that there are', () => {
    assert.equal(preferredLanguage(wishing('fr-CH, fr;q=0.9, en;q=0.8'), ['en']), 'fr')
    assert.equal(preferredLanguage(wishing('de, en;q=0.5, fr;q=0.4'), ['fr', 'en']), 'en')
  })

  it('is the usual one of the school where the browser wishes none of them', () => {
    assert.equal(preferredLanguage(wishing('de'), ['fr', 'en']), 'fr')
    assert.equal(preferredLanguage(wishing(), ['fr', 'en']), 'fr')
    assert.equal(preferredLanguage(wishing('*'), ['fr']), 'fr')
    assert.equal(preferredLanguage(wishing('xx;q=none,,;'), ['en']), 'en')
    assert.equal(preferredLanguage(wishing(), []), 'en')
  })

  it('is the one that was chosen by hand, whatever the browser wishes', () => {
    const chosen = (cookie: string) => ({ headers: { 'accept-language': 'en', cookie } })
    assert.equal(preferredLanguage(chosen('a=b; __Host-campus-language=fr'), ['en']), 'fr')
    assert.equal(preferredLanguage(chosen('__Host-campus-language=__proto__'), ['en']), 'en')
    assert.equal(preferredLanguage(chosen('__Host-campus-language=de'), ['fr']), 'en')
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
    const calls = '{calls, plural, one {# delivery} other {# deliveries}} to {url} replayed'
    assert.deepEqual(
      [0, 1, 1200].map((count) => say(calls, { calls: count, url: '/x' })),
      ['0 deliveries to /x replayed', '1 delivery to /x replayed', '1,200 deliveries to /x replayed'],
    )
  })

  it('writes numbers and days as its language does', () => {
    const both = (write: () => string) => (['en', 'fr'] as const).map((one) => inLanguage(one, write))
    assert.deepEqual(
      both(() => formatNumber(12_000.5)),
      ['12,000.5', '12\u202f000,5'],
    )
    assert.deepEqual(
      both(() => shortDay('2026-03-02')),
      ['2 Mar', '2 mars'],
    )
  })

  it('escapes what it is given, but HTML', async () => {
    const said = sayWith('{state} since {time}', { state: '<b>', time: html`<a href="/x">now</a>` })
    assert.equal(String(await said), '&lt;b&gt; since <a href="/x">now</a>')
  })

  it('says what looks like markup as it stands', () => {
    assert.equal(say(verbatim('less than <5')), 'less than <5')
  })
})

describe('A message', () => {
  const inFrench = (text: Message) => inLanguage('fr', () => say(text))

  it('is said in the language of the reader, with its values, and answered in English', () => {
    const tooLong = message('is too long (maximum is {most} characters)', { most: 255 })
    assert.equal(inFrench(tooLong), 'est trop long (255 caractères au plus)')
    assert.equal(
      inLanguage('fr', () => inEnglish(tooLong)),
      'is too long (maximum is 255 characters)',
    )
    assert.equal(inFrench('This account is not closed.'), 'Ce compte n’est pas fermé.')
  })

  it('says a message among its values in the same language', () => {
    const key = 'There were too many attempts. Try again in {hours} hours, or {remedy} first.'
    assert.equal(
      inFrench(message(key, { hours: 23, remedy: message('sign in again') })),
      'Il y a eu trop de tentatives. Réessayez dans 23 heures, ou reconnectez-vous d’abord.',
    )
  })

  it('never takes what people typed for a key, or for a pattern', () => {
    for (const name of ['password', 'Sign in', '{name} ’{# $1', "'{x}'"]) {
      const text = message('The field {name} has a character that is not text.', { name })
      assert.equal(inFrench(text), `Le champ ${name} contient un caractère qui n’est pas du texte.`)
      assert.equal(inEnglish(text), `The field ${name} has a character that is not text.`)
      assert.equal(inFrench(verbatim(name)), name)
    }
  })

  it('of a client’s own fields names them as they were sent', () => {
    const { text, errors } = unprocessable({ password: ['is not accepted'] })
    assert.equal(inFrench(text), 'password is not accepted')
    assert.equal(
      inLanguage('fr', () => faultOf('password', errors?.password?.[0] ?? '{text}', {})),
      'password\u00a0: n’est pas accepté',
    )
  })
})

/** Every other language than that of the sources. */
const OTHERS = LANGUAGES.filter((one) => one !== ENGLISH).map((one) => ({ one, ...dictionaryOf(one) }))

describe('The texts of a language', () => {
  const keys = new Set(OTHERS.flatMap(({ texts }) => Object.keys(texts)))
  let uses: readonly MessageUse[]
  before(() => {
    uses = findMessageUses(keys)
    assert.ok(uses.length > 1_500, `${uses.length} uses`)
  })

  it('are given the values that they name, wherever they are said', () => {
    const wrong = uses.filter(({ key, values }) => values && !isSame(new Set(values), placesOf(key)))
    assert.deepEqual(wrong, [])
  })

  it('are all said somewhere', () => {
    const used = new Set(uses.map(({ key }) => key))
    assert.deepEqual(
      [...keys].filter((key) => !used.has(key)),
      [],
    )
  })

  it('have no places for values that the English has not', () => {
    for (const { texts } of OTHERS)
      for (const [key, text] of Object.entries(texts))
        assert.ok(
          [...placesOf(text)].every((name) => placesOf(key).has(name)),
          key,
        )
  })

  it('follow the typography of French', () => {
    const wrong = Object.values(dictionaryOf('fr').texts).filter((text) =>
      /['"]|[^\u202f][;!?»%]|«[^\u202f]|[^\u00a0]:(?=\s|$)/.test(withoutCode(text)),
    )
    assert.deepEqual(wrong, [])
  })
})

const withoutCode = (text: string) => text.replace(/Authorization: Bearer|Content-Type: application\/json|\[".*"\]/, '')

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((name) => other.has(name))

type Element = {
  readonly type: number
  readonly value?: string
  readonly options?: Readonly<Record<string, { readonly value: readonly Element[] }>>
}

/** The names of the values of a message. */
function placesOf(message: string): ReadonlySet<string> {
  const names = (elements: readonly Element[]): readonly string[] =>
    elements.flatMap(({ type, value = '', options = {} }) => [
      // A text, and the number of a plural.
      ...(type === 0 || type === 7 ? [] : [value]),
      ...Object.values(options).flatMap((option) => names(option.value)),
    ])
  return new Set(
    names(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst() as readonly Element[]),
  )
}
