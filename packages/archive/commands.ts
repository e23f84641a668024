import { command, configOf } from '@campus/intranet/cli/program/run'
import { append } from '@campus/intranet/cli/program/values'
import type { CommandLine } from '@campus/intranet/server/part'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { archiveConfigOf } from './settings.ts'

const PASSPHRASE = [
  '--passphrase-file <file>',
  'the first line of the file is the passphrase (CAMPUS_BACKUP_PASSPHRASE)',
] as const

/** Adds `campus backup` and `campus restore`. */
export function addArchiveCommands(program: Command, line: CommandLine): void {
  command(
    program,
    'backup',
    'write everything into one archive, as it is at one moment, while the service runs',
    'campus backup school.campus --passphrase-file ~/passphrase',
    "campus backup - | ssh elsewhere 'cat > school.campus'",
  )
    .argument('<file>', 'where to; - is the standard output')
    .option(...PASSPHRASE)
    .addOption(
      new Option('--for <key>', 'encrypt for a public key of age instead; may be repeated')
        .argParser(append)
        .conflicts('passphraseFile'),
    )
    .option('--without-key', 'leave the secret key out of an encrypted archive; others never hold it')
    .action(async (file, { json, for: recipients, passphraseFile, withoutKey, ...flags }) => {
      const { backUpInto } = await import('./backup-command.ts')
      const options = { recipients, passphraseFile, withoutKey: withoutKey === true, json: json === true }
      await backUpInto(file, archiveConfigOf(configOf(line, flags)), options)
    })

  command(
    program,
    'restore',
    'fill an empty database from an archive',
    'campus restore school.campus --passphrase-file ~/passphrase',
    'campus restore school.campus --check',
  )
    .argument('[file]', 'the archive')
    .option(...PASSPHRASE)
    .addOption(
      new Option('--identity <file>', 'the private key of age that it was made for').conflicts('passphraseFile'),
    )
    .option('--check', 'only look whether the archive is whole and sound, and whether the key of its secrets is here')
    .option('--trial', 'for a copy to try things with: webservices are switched off, mails that wait are dropped')
    .option('--without-secrets', 'the key of its secrets is lost: delete them, and print what must be set again')
    .option('--give-up', 'no file: leave the database empty that a restore was killed in')
    .action(async (file, { json, identity, passphraseFile, check, trial, withoutSecrets, giveUp, ...flags }) => {
      if ((file === undefined) !== (giveUp === true)) {
        throw new InvalidArgumentError('Name the archive, or --give-up without one.')
      }
      const config = archiveConfigOf(configOf(line, flags))
      const command = await import('./restore-command.ts')
      const options = { identity, passphraseFile, json: json === true }
      if (giveUp) await command.giveUp(config, options)
      else if (check) await command.check(file, config, options)
      else
        await command.restoreFrom(file, config, {
          ...options,
          isTrial: trial === true,
          withoutSecrets: withoutSecrets === true,
        })
    })
}
