import { type Html, html } from '../html.ts'
import { say } from '../say.ts'

/** What the script says, in the reader's language. */
export const scriptTexts = (): Html => html`<div id="words" hidden
    data-copy="${say('Copy')}"
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
    data-console="${say('Console')}"
    data-answer="${say('Answer')}"
    data-until="${say('until')}"
    data-no-answer="${say('Nothing was answered:')}"
    data-no-token="${say('Choose above who sends it, then send it again.')}"
    data-no-window="${say('The browser did not open a window; allow this page to open one.')}"
    data-no-web-flow="${say('This service does not offer the web flow.')}"
    data-closed="${say('The window was closed before the sign-in was completed.')}"
    data-not-completed="${say('The sign-in was not completed.')}"
    data-signed-out="${say('You are signed out. Sign in and try again.')}"></div>`
