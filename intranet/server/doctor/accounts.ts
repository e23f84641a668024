import { collidingEmails, collisionText } from '../../school/domain/accounts/colliding-emails.ts'
import { type Check, warning } from './finding.ts'

/** Finds accounts with one e-mail address in two Unicode forms, which migration 0810 leaves as they are. */
export const accounts: Check = {
  about: 'accounts',
  async look({ database }) {
    const collisions = (await collidingEmails(database)).map(collisionText)
    return collisions.map(({ said, advice }) => warning(said, advice))
  },
}
