/** Page for people who must set up a second factor. */
export const ENROL_PATH = '/security/enrol'
