import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { inLanguage } from '../../src/base/languages/language.ts'
import { ENGLISH, LANGUAGES, languageFile } from '../../src/base/languages/languages.ts'
import { translate } from '../../src/base/languages/translate.ts'
import { formatNumber } from '../../src/pages/format-number.ts'
import { html } from '../../src/pages/html.ts'
import { preferredLanguage } from '../../src/pages/language.ts'
import { say, sayWith } from '../../src/pages/say.ts'
import { shortDay } from '../../src/pages/times.ts'
import { readSourceTexts, type SourceTexts } from '../support/said-texts.ts'

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
    const calls = '{count, plural, one {# call} other {# calls}}'
    assert.deepEqual(
      [0, 1, 1200].map((count) => say(calls, { count })),
      ['0 calls', '1 call', '1,200 calls'],
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
    const said = sayWith('{name} is at {place}', { name: '<b>', place: html`<a href="/x">here</a>` })
    assert.equal(String(await said), '&lt;b&gt; is at <a href="/x">here</a>')
  })

  it('says what looks like markup as it stands', () => {
    assert.equal(say('less than <5'), 'less than <5')
  })
})

describe('What another part of the service has said', () => {
  const french = (text: string) => inLanguage('fr', () => translate(text))

  it('is told in the language of the reader, with its values', () => {
    assert.equal(french('is too long (maximum is 255 characters)'), 'est trop long (255 caractères au plus)')
    assert.equal(french('This account is not closed.'), 'Ce compte n’est pas fermé.')
    assert.match(french('There were too many attempts. Try again in 1 minute.'), /dans 1 minute\.$/)
    assert.match(french('There were too many attempts. Try again in 15 minutes.'), /dans 15 minutes\.$/)
    assert.equal(
      french('There were too many attempts. Try again in 23 hours, or sign in again first.'),
      'Il y a eu trop de tentatives. Réessayez dans 23 heures, ou reconnectez-vous d’abord.',
    )
    assert.match(
      french('There were too many attempts. Try again in 23 hours, or choose another password first.'),
      /dans 23 heures, ou choisissez d’abord un autre mot de passe\.$/,
    )
    assert.equal(french('school account and second factor'), 'compte de l’école et second facteur')
  })

  it('stays as it is where the language does not know it, and in English', () => {
    assert.equal(french('(.*?) $& {x}'), '(.*?) $& {x}')
    assert.equal(translate('This account is not closed.'), 'This account is not closed.')
  })

  it('takes what it is given for a value, and for nothing else', () => {
    const messages = french('The field {name} ’{# $1 has a character that is not text.')
    assert.equal(messages, 'Le champ {name} ’{# $1 contient un caractère qui n’est pas du texte.')
  })
})

/** Every other language than that of the sources. */
const OTHERS = LANGUAGES.filter((one) => one !== ENGLISH).map((one) => ({ one, ...languageFile(one) }))

describe('The texts of the sources', () => {
  let texts: SourceTexts
  before(() => {
    texts = readSourceTexts()
  })
  const messages = () => new Set(texts.said.flatMap(({ message = [] }) => message))

  it('are said as one literal each, which a reader of the sources finds', () => {
    assert.ok(messages().size > 200, `${messages().size} messages`)
    assert.deepEqual(
      texts.said.filter(({ message }) => message === undefined),
      [],
    )
  })

  it('are given the values that they name', () => {
    const wrong = texts.said.filter(({ message = '', values }) => values && !isSame(new Set(values), placesOf(message)))
    assert.deepEqual(wrong, [])
  })

  it('are there in every language, with the same places for values', () => {
    for (const { one, texts: written } of OTHERS) {
      assert.deepEqual(
        [...messages()].filter((message) => !Object.hasOwn(written, message)),
        [],
        `not in ${one}`,
      )
      const wrong = Object.entries(written).filter(([english, said]) => !isSame(placesOf(english), placesOf(said)))
      assert.deepEqual(wrong, [], one)
    }
  })

  it('are all that a language says', () => {
    for (const { one, texts: written } of OTHERS)
      assert.deepEqual(
        Object.keys(written).filter((english) => !messages().has(english)),
        [],
        `left over in ${one}`,
      )
  })

  it('are there in every language where they are refusals that a page may show', () => {
    assert.ok(texts.refusals.size > 70, `${texts.refusals.size} refusals`)
    for (const { one, messages } of OTHERS) {
      const known = new Set(Object.keys(messages).map(withoutNames))
      assert.deepEqual(
        [...texts.refusals].filter((text) => !known.has(text)),
        [],
        `not in ${one}`,
      )
    }
  })

  it('are where a language has what it tells of them', () => {
    for (const { one, messages } of OTHERS) {
      const unknown = Object.keys(messages).filter(
        (english) => !texts.all.has(withoutNames(english)) && !(english in PUT_TOGETHER),
      )
      assert.deepEqual(unknown, [], `left over in ${one}`)
      for (const [english, said] of Object.entries(messages))
        assert.ok(
          [...placesOf(said)].every((name) => placesOf(english).has(name)),
          english,
        )
    }
  })

  it('follow the typography of French', () => {
    const { texts: said, messages } = languageFile('fr')
    const wrong = [...Object.values(said), ...Object.values(messages)].filter((text) =>
      /['"]|[^\u202f][;!?»%]|«[^\u202f]|[^\u00a0]:(?=\s|$)/.test(text.replace('Authorization: Bearer', '')),
    )
    assert.deepEqual(wrong, [])
  })
})

/** What is never written in one piece, and where it is made. */
const PUT_TOGETHER: Readonly<Record<string, string>> = {
  'it answered 410 Gone': 'webhooks/record-outcomes.ts, in a statement',
  'for {days} days every call failed ({calls} tries)': 'webhooks/record-outcomes.ts, in a statement',
  '1 delivery': 'webhooks/replay.ts',
  '{count} deliveries': 'webhooks/replay.ts',
  '{way} and second factor': 'pages/sign-in/steps.ts',
  'the role {one}, or the role {other}': 'rest/declare/access.ts',
}

const withoutNames = (text: string) => text.replace(/\{\w+\}/g, '{}')

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
