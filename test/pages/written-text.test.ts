import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { MAX_MARKDOWN, writtenText } from '../../src/pages/written-text.ts'

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
    ])
      assert.doesNotMatch(await shown(`[x](${href}) [y](<${href}>) <${href}>`), /<a /, href)
    assert.equal(await shown('![a cat](https://evil.example/cat.png)'), '<p>a cat</p>')
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

  it('is shown as typed where it is longer or nested more deeply than anybody writes', async () => {
    const long = '**a** '.repeat(MAX_MARKDOWN)
    assert.equal(await shown(long), `<p class="lines">${long}</p>`)
    const deep = '>'.repeat(MAX_MARKDOWN)
    assert.equal(await shown(deep), `<p class="lines">${'&gt;'.repeat(MAX_MARKDOWN)}</p>`)
  })
})
