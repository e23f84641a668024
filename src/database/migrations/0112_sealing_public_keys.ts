import { type AnyDatabase, run } from '../tables.ts'

/** With its public key a running server lets other processes, such as commands, seal what only it can open. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'alter table sealing_keys add column public_key text collate "C"')
}
