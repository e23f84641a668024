import { permit } from '@campus/engine/rest/declare/access'
import { integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { countOf } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { award } from '../domain/school/certificates.ts'
import { role } from './access.ts'
import * as joins from './join-tables.ts'

const tutor = role('Advanced Tutor')

const optional = { nullable: true } as const

export const certificates = resource({
  name: 'certificates',
  summary: 'A certificate that the school gives to users for what they have done.',
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    content: described('what it certifies', text(optional)),
    total_certificate_number: described('number of users who have it', countOf(joins.certificatesUsers)),
    image: described('address of the picture on it', text({ max: 2048, ...optional })),
    cursus_id: described('id of the cursus that it is for; null for none', reference('cursus', optional)),
    ...timestamps(),
  },
  representations: { embedded: ['id', 'name'] },
  actions: permit({ read: tutor, write: tutor }),
})

export const certificatesUsers = resource({
  name: 'certificates_users',
  summary: 'A user has a certificate.',
  large: true,
  fields: {
    id: integer(),
    certificate_id: reference('certificates', { required: true }),
    user_id: reference('users', { required: true }),
    certificate_number: described('number on it, from 1 on for each certificate', integer({ min: 1 })),
    qrcode: described('address of the code that leads to a proof of it', text({ max: 2048, ...optional })),
    pdf: described('address of it as a file', text({ max: 2048, ...optional })),
    certified_at: described('when it was given', time()),
    ...timestamps(),
    certificate: one('certificates', 'embedded'),
    user: one('users', 'reference'),
  },
  index: { sort: { except: ['qrcode', 'pdf'] } },
  parents: [under('certificates'), under('users')],
  payload: { beginsNow: ['certified_at'] },
  actions: { ...permit({ read: tutor, write: tutor }), create: { access: tutor, perform: award } },
})
