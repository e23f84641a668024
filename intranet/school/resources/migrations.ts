import type { Migrations } from '@campus/engine/database/migrations'

export const SCHOOL_MIGRATIONS = {
  folder: new URL('../migrations/', import.meta.url),
  lastUnphased: '0490_names_of_counts',
  squashed: {
    last: '0480_mail_leases',
    lastOfBaseline: '0010_webhooks',
    digest: '7c8545899d96061c93136293d35683e91b5946d506de4b0dbcc8540f6b39148d',
    lastCommit: 'afb3b95',
  },
} satisfies Migrations
