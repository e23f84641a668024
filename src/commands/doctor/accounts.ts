import { collidingEmails, collisionText } from '../../domain/accounts/colliding-emails.ts'
import { type Check, warning } from './finding.ts'

/** Accounts with one e-mail address in two Unicode forms. A migration leaves these as they are. */
export const accounts: Check = {
  about: 'accounts',
  async look({ database }) {
    const collisions = (await collidingEmails(database)).map(collisionText)
    return collisions.map(({ said, advice }) => warning(said, advice))
  },
}
