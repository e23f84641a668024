/** Where people are led of whom a second factor is required, and who have none. */
export const ENROL_PATH = '/security/enrol'
