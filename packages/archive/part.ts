import type { Part } from '@campus/intranet/server/part'
import { ARCHIVE_SETTINGS, archiveConfigOf } from './settings.ts'

/** Name of the lease for backups. */
const BACK_UP = 'back_up'

/** `campus backup`, `campus restore` and scheduled backups. */
export const part: Part = {
  name: 'archive',
  settings: ARCHIVE_SETTINGS,
  commands: [{ after: 'app', load: async () => (await import('./commands.ts')).addArchiveCommands }],
  async checkBeforeStart(given) {
    const config = archiveConfigOf(given)
    if (config.backup.schedule) await (await import('./check-backups.ts')).checkBackups(config)
  },
  async background({ isRunning, ...services }) {
    const config = archiveConfigOf(services.config)
    const { schedule } = config.backup
    if (!schedule) return undefined
    const { serverBackups } = await import('./server-backups.ts')
    const { begin, collect } = serverBackups({ ...services, config, schedule, isRunning: () => isRunning(BACK_UP) })
    return { name: BACK_UP, start: begin, collect }
  },
  checks: async () => [(await import('./doctor.ts')).backups],
}
