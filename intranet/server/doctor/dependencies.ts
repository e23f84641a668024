import { machinesWithout } from '../../services/attachments/machines.ts'
import { openStore } from '../../services/attachments/open-store.ts'
import { type CheckAnywhere, fault, well } from './finding.ts'

const FILES_NOT_SHARED =
  'Files that are stored on one machine are not found on another: store them in a bucket (CAMPUS_S3_BUCKET), or in one folder that all share.'

/** Asks each configured dependency once. Stores nothing there, and loads clients only if needed. */
export const DEPENDENCY_CHECKS: readonly CheckAnywhere[] = [
  {
    about: 'mail',
    async look({ config }) {
      if (!config.mail) return [well('none is sent')]
      const { openTransport } = await import('../../services/mail/send-mails.ts')
      const transport = openTransport(config.mail)
      await transport.verify().finally(() => transport.close())
      return [well(`${new URL(config.mail.url).host} takes mails`)]
    },
  },
  {
    about: 'rates',
    async look({ config }) {
      if (!config.redisUrl) return [well('counted by each machine')]
      const { createClient } = await import('@redis/client')
      const client = createClient({ url: config.redisUrl, socket: { reconnectStrategy: false } })
      client.on('error', () => {})
      await client.connect()
      await client.ping().finally(() => client.destroy())
      return [well(`${new URL(config.redisUrl).host} counts`)]
    },
  },
  {
    about: 'files',
    async look({ config, database }) {
      const stream = await (await openStore(config)).read('doctor')
      stream?.destroy()
      if (config.s3) return [well(`the bucket ${config.s3.bucket} answers`)]
      const others = database ? await machinesWithout(config.files, database) : []
      return [
        others.length > 0
          ? fault(`in ${config.files}, which ${others.join(', ')} does not use`, FILES_NOT_SHARED)
          : well(`in ${config.files}`),
      ]
    },
  },
  {
    about: 'sign-in',
    async look({ config }) {
      if (!config.schoolProvider) return [well('by password')]
      const { SchoolProvider } = await import('../../oauth/school-provider.ts')
      await new SchoolProvider(config.schoolProvider).depart(`${config.baseUrl}/sign-in/school`)
      return [well(`${config.schoolProvider.issuer} answers`)]
    },
  },
]
