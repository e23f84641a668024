import { canRun } from './can-run.ts'

/** Why a test that runs curl is skipped. */
export const NO_CURL = canRun('curl', '--version') ? false : "SKIPPED: no curl (install Debian's package curl)"
