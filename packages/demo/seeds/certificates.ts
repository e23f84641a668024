import { CORE } from './school.ts'
import type { World } from './world.ts'

const VALIDATED = `select p.id, p.user_id, p.marked_at as at from projects_users p join projects_cursus c on c.project_id = p.project_id
  where p.validated and p.status <> 'parent' and c.cursus_id = ${CORE}`
const EVALUATED = `select id, user_id, filled_at as at from scale_teams
  where filled_at is not null and truant_id is null and user_id in (select user_id from cursus_users where cursus_id = ${CORE})`

/** Name, content, the rows that count, and how many are required. */
const CERTIFICATES = [
  ['Foundations', 'Has built five programs that others found good.', VALIDATED, 5],
  ['Collaboration', 'Has explained to ten teams what could be better.', EVALUATED, 10],
  ['Systems', 'Has built ten programs, down to what happens between a key and a letter.', VALIDATED, 10],
] as const

export async function seedCertificates(world: World): Promise<void> {
  const certificates = CERTIFICATES.map(([name, content]) => ({ name, content, cursus_id: CORE }))
  await world.insert('certificates', certificates)
  const given = CERTIFICATES.map(
    ([, , requirement, times], index) =>
      `select ${index + 1} as certificate, user_id, at from (
         select user_id, at, row_number() over (partition by user_id order by at, id) as nth from (${requirement}) deeds) counted where nth = ${times}`,
  )
  await world.derive(
    'certificates_users',
    `insert into certificates_users (certificate_id, user_id, certificate_number, certified_at, created_at, updated_at)
     select certificate, user_id, row_number() over (partition by certificate order by at, user_id), at, at, at
     from (${given.join(' union all ')}) given order by at, certificate, user_id`,
  )
}
