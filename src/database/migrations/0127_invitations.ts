import { type AnyDatabase, run } from '../tables.ts'

/** `validated` of a membership says that the person agreed to it; whether the team passed is said by the team. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'update teams_users set validated = true',
    'alter table teams_users alter column validated set default true',
    'alter table teams_users add constraint teams_users_leader_check check (validated or not leader)',
  )
}
