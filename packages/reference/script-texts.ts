import { ENGLISH_DICTIONARY, withDictionary } from '@campus/engine/base/languages/dictionary'
import { type Html, html, say } from '@campus/intranet/pages/html'

/** Texts of the script: around the page in the reader's language, within it in the page's language. */
export const scriptTexts = (isInEnglish: boolean): Html => html`<div id="words" hidden
    ${isInEnglish ? withDictionary(ENGLISH_DICTIONARY, textsWithin) : textsWithin()}
    data-console="${say('Console')}"
    data-until="${say('until')}"
    data-no-window="${say('The browser did not open a window; allow this page to open one.')}"
    data-no-web-flow="${say('This service does not offer the web flow.')}"
    data-closed="${say('The window was closed before the sign-in was completed.')}"
    data-not-completed="${say('The sign-in was not completed.')}"
    data-signed-out="${say('You are signed out. Sign in and try again.')}"></div>`

const textsWithin = (): Html => html`data-copy="${say('Copy')}"
    data-copied="${say('Copied')}"
    data-filter="${say('Filters')}"
    data-range="${say('Ranges')}"
    data-search="${say('Searches')}"
    data-sort="${say('Order')}"
    data-other="${say('Other parameters')}"
    data-from="${say('from')}"
    data-to="${say('to')}"
    data-ascending="${say('ascending')}"
    data-descending="${say('descending')}"
    data-any="${say('any')}"
    data-remove="${say('Remove')}"
    data-answer="${say('Answer')}"
    data-no-answer="${say('Nothing was answered:')}"
    data-no-token="${say('Choose above who sends it, then send it again.')}"`
