/** Reason of a skipped test that the suite leaves to a release. */
export const LEFT_TO_RELEASE = 'SKIPPED: runs with npm run test:release'

/** Reason to skip a test that only `npm run test:release` runs, or false in that run. `docs/testing.md` lists these tests with their reasons. */
export const RELEASE_ONLY: string | false = process.env.CAMPUS_TEST_RELEASE ? false : LEFT_TO_RELEASE
