import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MARKDOWN_LIMITS, writtenText } from '../../pages/written-text.ts'

const shown = async (text: string) => String(await writtenText(text))

describe('what people wrote in Markdown', () => {
  it('is shown with its emphasis, lists, quotes, code and links', async () => {
    assert.equal(
      await shown('Bring **a laptop** and _time_'),
      '<p>Bring <strong>a laptop</strong> and <em>time</em></p>',
    )
    assert.equal(await shown('- one\n- two'), '<ul><li>one</li><li>two</li></ul>')
    assert.equal(await shown('1. one\n2. two'), '<ol><li>one</li><li>two</li></ol>')
    assert.equal(
      await shown('# Title\n> said\n\n`a < b`'),
      '<p><strong>Title</strong></p><blockquote><p>said</p></blockquote><p><code>a &lt; b</code></p>',
    )
    assert.equal(
      await shown('[the page](https://school.example/?a=1&b=2)'),
      '<p><a href="https://school.example/?a=1&amp;b=2" rel="nofollow noopener noreferrer">the page</a></p>',
    )
    assert.equal(await shown('one\ntwo\n\nthree'), '<p>one<br>two</p><p>three</p>')
  })

  it('leads nowhere but to pages, and loads nothing', async () => {
    for (const href of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'data:text/html,<script>1</script>',
      'vbscript:x',
      '//evil.example',
      '/staff',
      'mailto:a@b.c',
      'java\tscript:alert(1)',
      '&#106;avascript:alert(1)',
    ])
      assert.doesNotMatch(await shown(`[x](${href}) [y](<${href}>) <${href}>`), /<a /, href)
    assert.equal(await shown('![a cat](https://evil.example/cat.png)'), '<p>a cat</p>')
    // To a browser, these are places of the site that it is on.
    for (const href of ['https:/staff', 'https:staff', 'https:\\\\staff'])
      assert.match(await shown(`[x](<${href}>)`), /href="https:\/\/staff\/"/, href)
  })

  it('has no HTML of its own, whatever is written', async () => {
    const tags = /<(?!\/?(p|strong|em|s|ul|ol|li|blockquote|code|pre|br|hr|a)\b)/
    const parts = fc.constantFrom(
      ...'*_`~[]()<>!#-+.|\\"\'&;:/ \n'.split(''),
      'a',
      'javascript:',
      '<script>',
      'onerror=',
      'https://a.b/',
      '&lt;',
      '<!--',
      '<a href=x>',
      '](',
      '![',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 60 }), async (some) => {
        const text = await shown(some.join(''))
        assert.doesNotMatch(text, tags)
        for (const [, attributes] of text.matchAll(/<\w+((?:\s[^>]*)?)>/g))
          assert.match(
            attributes ?? '',
            /^( class="lines"| tabindex="0"| href="https?:[^"<>]*" rel="nofollow noopener noreferrer")?$/,
          )
      }),
      { numRuns: 2_000 },
    )
  })

  it('is shown as typed where it has more of something than anybody writes', async () => {
    const { characters, lines, marks } = MARKDOWN_LIMITS
    for (const text of [
      'a'.repeat(characters + 1),
      'a\n'.repeat(lines),
      'a\r'.repeat(lines),
      '**a** '.repeat(marks / 4 + 1).trim(),
      '> > > > > > a',
      '>>>>>>a',
      '- 1. > * + 1) a',
      'a\n\n- - - - - - a',
    ])
      assert.equal(await shown(text), `<p class="lines">${text.replaceAll('>', '&gt;')}</p>`, text.slice(0, 40))
    for (const text of [
      '> > > > > a',
      '- - - - - a',
      '-----------------',
      '**a** '.repeat(marks / 4),
      'a\n'.repeat(lines - 1),
    ])
      assert.doesNotMatch(await shown(text), /class="lines"/, text.slice(0, 40))
  })

  it('takes a moment to read, whatever it is made of', async () => {
    const parts = [
      '[',
      '![a](b "',
      '*a_',
      '"*a',
      '**_a',
      '`*a',
      '- ',
      '> ',
      '1. ',
      '-\n a\n',
      '|a|\n|-|\n',
      '<a href="',
      '<div>\n',
    ].concat(['[a]: b\n', 'a@b.c ', 'https://a.b/(', '  - a\n', '=\n', 'a\n', '    ', '\\', '&lt;', '~~a'])
    const { characters } = MARKDOWN_LIMITS
    const filled = (part: string) => part.repeat(Math.ceil(characters / part.length)).slice(0, characters)
    const stairs = (part: string) =>
      Array.from({ length: 60 }, (_, at) => `${'  '.repeat(at)}${part}\n`)
        .join('')
        .slice(0, characters)
    const texts = parts.flatMap((one) => [
      filled(one),
      stairs(one),
      ...parts.flatMap((other) => [
        filled(one + other),
        filled(one).slice(0, 2_000) + filled(other).slice(0, 2_000),
        filled(one).slice(0, 10) + filled(other).slice(0, 3_900),
      ]),
    ])
    for (const text of texts) {
      const before = process.cpuUsage()
      await shown(text)
      const { user, system } = process.cpuUsage(before)
      assert.ok(user + system < 500_000, `${(user + system) / 1000} ms: ${text.slice(0, 20)}…${text.slice(-20)}`)
    }
  })
})
