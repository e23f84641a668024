import type { Handle } from '@campus/engine/database/database'
import { foldSql } from '@campus/engine/database/same-name'
import { sql } from 'kysely'

type Collision = { readonly email: string; readonly logins: readonly string[] }

const SHOWN = 20

/** SQL for `fold(normalizeAddress(email))`. */
const COMPARED = sql.raw(foldSql("case strpos(email, U&'\\212A') when 0 then normalize(email, NFC) else email end"))

/** Returns up to 20 addresses that several accounts have in different Unicode forms. Needs no migrations. */
export async function collidingEmails({ kysely }: Pick<Handle, 'kysely'>): Promise<readonly Collision[]> {
  const { rows } = await sql<Collision>`
    select min(normalize(email, NFC)) as email, array_agg(login order by id) as logins from users
    where ${COMPARED} in (select ${COMPARED} from users where email is not nfc normalized)
    group by ${COMPARED} having count(*) > 1 order by 1 limit ${SHOWN}`.execute(kysely)
  return rows
}

export const collisionText = ({ email, logins }: Collision) => ({
  said: `${logins.join(' and ')} have the e-mail address ${email} in two Unicode forms`,
  advice: 'Change the address of one, or close that account and change its address.',
})
