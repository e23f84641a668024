import { createClient } from '@redis/client'
import { SchoolProvider } from '../../oauth/school-provider.ts'
import { openStore } from '../../services/attachments/open-store.ts'
import { openTransport } from '../../services/mail/send-mails.ts'
import { type Check, type Surroundings, well } from './finding.ts'

/** Each dependency that the settings name is asked once; nothing is stored there. */
export const DEPENDENCY_CHECKS: readonly Check<Surroundings>[] = [
  {
    about: 'mail',
    async look({ config }) {
      if (!config.mail) return [well('none is sent')]
      const transport = openTransport(config.mail)
      await transport.verify().finally(() => transport.close())
      return [well(`${new URL(config.mail.url).host} takes mails`)]
    },
  },
  {
    about: 'rates',
    async look({ config }) {
      if (!config.redisUrl) return [well('counted by each machine')]
      const client = createClient({ url: config.redisUrl, socket: { reconnectStrategy: false } })
      client.on('error', () => {})
      await client.connect()
      await client.ping().finally(() => client.destroy())
      return [well(`${new URL(config.redisUrl).host} counts`)]
    },
  },
  {
    about: 'files',
    async look({ config }) {
      const stream = await (await openStore(config)).read('doctor')
      stream?.destroy()
      return [well(config.s3 ? `the bucket ${config.s3.bucket} answers` : `in ${config.files}`)]
    },
  },
  {
    about: 'sign-in',
    async look({ config }) {
      if (!config.schoolProvider) return [well('by password')]
      await new SchoolProvider(config.schoolProvider).depart(`${config.baseUrl}/sign-in/school`)
      return [well(`${config.schoolProvider.issuer} answers`)]
    },
  },
]
