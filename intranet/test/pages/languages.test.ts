import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Dictionary } from '@campus/engine/base/languages/dictionary'
import { inEnglish, type Message, message, verbatim } from '@campus/engine/base/languages/say'
import { unprocessable } from '@campus/engine/errors'
import { FRENCH, LANGUAGES } from '@campus/test/support/languages'
import { findMessageUses, type MessageUse } from '@campus/test/support/message-uses'
import { IntlMessageFormat } from 'intl-messageformat'
import { faultOf } from '../../pages/fields.ts'
import { html, say, sayWith } from '../../pages/html.ts'
import { preferredLanguage } from '../../pages/language.ts'
import { formatNumber, shortDay } from '../../pages/times.ts'
import { ENGLISH, inLanguage, type Language } from '../../settings/languages.ts'

/** Returns the code of the preferred language on a service with English and French. */
const preferred = (reader: ReturnType<typeof wishing>, ofSchool: readonly Language[]) =>
  preferredLanguage(reader, { ofSchool, all: LANGUAGES }).code

const wishing = (wish?: string) => ({ headers: wish === undefined ? {} : { 'accept-language': wish } })

describe('The language of a page', () => {
  it('is what the browser wishes most, among those that there are', () => {
    assert.equal(preferred(wishing('fr-CH, fr;q=0.9, en;q=0.8'), [ENGLISH]), 'fr')
    assert.equal(preferred(wishing('de, en;q=0.5, fr;q=0.4'), [FRENCH, ENGLISH]), 'en')
  })

  it('is the usual one of the school where the browser wishes none of them', () => {
    assert.equal(preferred(wishing('de'), [FRENCH, ENGLISH]), 'fr')
    assert.equal(preferred(wishing(), [FRENCH, ENGLISH]), 'fr')
    assert.equal(preferred(wishing('*'), [FRENCH]), 'fr')
    assert.equal(preferred(wishing('xx;q=none,,;'), [ENGLISH]), 'en')
    assert.equal(preferred(wishing(), []), 'en')
  })

  it('is the one that was chosen by hand, whatever the browser wishes', () => {
    const chosen = (cookie: string) => ({ headers: { 'accept-language': 'en', cookie } })
    assert.equal(preferred(chosen('a=b; __Host-campus-language=fr'), [ENGLISH]), 'fr')
    assert.equal(preferred(chosen('__Host-campus-language=__proto__'), [ENGLISH]), 'en')
    assert.equal(preferred(chosen('__Host-campus-language=de'), [FRENCH]), 'en')
  })
})

describe('A text of a page', () => {
  it('is said in the language of its reader', async () => {
    assert.equal(await inLanguage(FRENCH, () => say('Skip to the content')), 'Aller au contenu')
    assert.equal(await inLanguage(ENGLISH, () => say('Skip to the content')), 'Skip to the content')
  })

  it('agrees with the numbers in it', () => {
    const calls = '{calls, plural, one {# delivery} other {# deliveries}} to {url} replayed'
    assert.deepEqual(
      [0, 1, 1200].map((count) => say(calls, { calls: count, url: '/x' })),
      ['0 deliveries to /x replayed', '1 delivery to /x replayed', '1,200 deliveries to /x replayed'],
    )
  })

  it('writes numbers and days as its language does', async () => {
    const both = (write: () => string) => Promise.all([ENGLISH, FRENCH].map((one) => inLanguage(one, write)))
    assert.deepEqual(await both(() => formatNumber(12_000.5)), ['12,000.5', '12\u202f000,5'])
    assert.deepEqual(await both(() => shortDay('2026-03-02')), ['2 Mar', '2 mars'])
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
  const inFrench = (text: Message) => inLanguage(FRENCH, () => say(text))

  it('is said in the language of the reader, with its values, and answered in English', async () => {
    const tooLong = message('is too long (maximum is {most} characters)', { most: 255 })
    assert.equal(await inFrench(tooLong), 'est trop long (255 caractères au plus)')
    assert.equal(await inLanguage(FRENCH, () => inEnglish(tooLong)), 'is too long (maximum is 255 characters)')
    assert.equal(await inFrench('This account is not closed.'), 'Ce compte n’est pas fermé.')
  })

  it('says a message among its values in the same language', async () => {
    const key = 'There were too many attempts. Try again in {hours} hours, or {remedy} first.'
    assert.equal(
      await inFrench(message(key, { hours: 23, remedy: message('sign in again') })),
      'Il y a eu trop de tentatives. Réessayez dans 23 heures, ou reconnectez-vous d’abord.',
    )
  })

  it('never takes what people typed for a key, or for a pattern', async () => {
    for (const name of ['password', 'Sign in', '{name} ’{# $1', "'{x}'"]) {
      const text = message('The field {name} has a character that is not text.', { name })
      assert.equal(await inFrench(text), `Le champ ${name} contient un caractère qui n’est pas du texte.`)
      assert.equal(inEnglish(text), `The field ${name} has a character that is not text.`)
      assert.equal(await inFrench(verbatim(name)), name)
    }
  })

  it('of a client’s own fields names them as they were sent', async () => {
    const { text, errors } = unprocessable({ password: ['is not accepted'] })
    assert.equal(await inFrench(text), 'password is not accepted')
    assert.equal(
      await inLanguage(FRENCH, () => faultOf('password', errors?.password?.[0] ?? '{text}', {})),
      'password\u00a0: n’est pas accepté',
    )
  })
})

describe('The texts of a language', () => {
  let others: readonly Dictionary[]
  let keys: ReadonlySet<string>
  let uses: readonly MessageUse[]
  before(async () => {
    others = await Promise.all(LANGUAGES.filter((one) => one !== ENGLISH).map(({ load }) => load()))
    keys = new Set(others.flatMap(({ texts }) => Object.keys(texts)))
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
    for (const { texts } of others)
      for (const [key, text] of Object.entries(texts))
        assert.ok(
          [...placesOf(text)].every((name) => placesOf(key).has(name)),
          key,
        )
  })

  it('follow the typography of French', async () => {
    const wrong = Object.values((await FRENCH.load()).texts).filter((text) =>
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
