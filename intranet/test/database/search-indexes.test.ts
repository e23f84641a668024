import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { applyIndexes } from '@campus/engine/database/apply-indexes'
import { findSearchIndexes } from '@campus/engine/database/search-indexes'
import { patternOf, searchedPattern } from '@campus/engine/rest/read/text-search'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import { makeLarge } from '@campus/test/support/make-large'
import { storageOfResources } from '../../school/resources/declared.ts'

const STORAGE = storageOfResources()
const LAST_CODE = 0x2fff

describe('the indexes of searches', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.rows(
      `insert into users (login, email, first_name, last_name, usual_first_name)
       select 'u' || n, n, md5(n::text), case n when 777 then 'Xyloë' else md5(n || 'last') end, null from generate_series(1, 3000) n`,
    )
    await makeLarge(database, ['users'])
  })
  after(() => database.close())

  it('find the few records that hold a word, wherever in a text it is and however it is written', async () => {
    const text = `select id from users where (searched_text(login) like $1 and login ~ $2)
      or (searched_text(last_name) like $1 and last_name ~ $2)`
    const word = 'XYLOE'
    const values = [searchedPattern(word), patternOf(word)]
    assert.deepEqual(await database.rows(text, values), [['777']])
    const plan = (await database.rows(`explain ${text}`, values)).flat().join('\n')
    assert.match(plan, /Bitmap Index Scan on search_users_/)
    assert.doesNotMatch(plan, /Seq Scan/)
  })

  it('leave out no text that holds a word, whatever its letters', async () => {
    const [texts, regexes, patterns]: string[][] = [[], [], []]
    for (let code = 1; code <= LAST_CODE; code += 1) {
      const letter = String.fromCharCode(code)
      const alike = [
        letter.toLowerCase(),
        letter.toUpperCase(),
        letter.normalize('NFD'),
        letter.normalize('NFD').charAt(0),
      ]
      for (const other of new Set([letter, ...alike])) {
        for (const [text, word] of [
          [other, letter],
          [letter, other],
        ] as const) {
          texts?.push(`a ${text}${text}${text}`)
          regexes?.push(patternOf(word.repeat(3)))
          patterns?.push(searchedPattern(word.repeat(3)) ?? '%')
        }
      }
    }
    const [[held, ...lost]] = (await database.rows(
      `select count(*), array_agg(text) filter (where searched_text(text) not like pattern)
       from unnest($1::text[], $2::text[], $3::text[]) as given (text, regex, pattern) where text ~ regex`,
      [texts, regexes, patterns],
    )) as [string[]]
    assert.ok(Number(held) > LAST_CODE)
    assert.deepEqual(lost, [null])
  })

  it('take every sign of a word for itself', () => {
    assert.equal(searchedPattern('100%_\\'), '%100\\%\\_\\\\%')
    assert.equal(searchedPattern('Ås'), undefined)
    assert.equal(searchedPattern('Größe'), '%groe%')
  })

  it('are created where they are missing, and there are none where the extension may not be', async () => {
    const named = await database.rows(
      "select indexname from pg_indexes where starts_with(indexname, 'search_') order by 1",
    )
    assert.equal(named.length, STORAGE.searches.length)
    await database.rows(`drop index ${named[0]?.[0]}`)
    assert.deepEqual(await applyIndexes(database.kysely, STORAGE), named[0])
    const refused = database.transaction(async (tx) => {
      await tx.rows('drop extension pg_trgm cascade')
      await tx.rows('set local role pg_read_all_data')
      assert.deepEqual(await findSearchIndexes(tx.kysely as never, STORAGE.searches, null), [])
      throw new Error('taken back')
    })
    await assert.rejects(refused, /taken back/)
  })
})
