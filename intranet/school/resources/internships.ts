import { message } from '@campus/engine/base/languages/say'
import { permit } from '@campus/engine/rest/declare/access'
import { choice, float, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { group } from '@campus/engine/rest/declare/fields/group'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role } from './access.ts'

const companies = role('Companies Manager')

const STATES = ['none', 'need_validation', 'invalidated', 'generated', 'uploaded', 'ended', 'broke', 'canceled']

const optional = { nullable: true } as const
const hidden = { nullable: true, hidden: true } as const
const said = (meaning: string, max = 255) => described(meaning, text({ max, ...optional }))

const street = (whose: string) => said(`street and number of ${whose}`)
const postal = (whose: string) => said(`postal code of ${whose}`, 32)
const city = (whose: string) => said(`city of ${whose}`)
const country = (whose: string) => said(`country of ${whose}`)

export const internships = resource({
  name: 'internships',
  summary: 'Some months that a student works at a company, with what its agreement says.',
  large: true,
  fields: {
    id: integer(),
    administration_id: described(
      'id of the administration that looks after it, at the school’s companies',
      integer({ min: 1, ...optional }),
    ),
    offer_id: described('id of the offer that it came from; null where there was none', reference('offers', optional)),
    language_id: described('id of the language of its agreement', reference('languages', optional)),
    state: described('how far its agreement is', choice(STATES)),
    days: described('working days and hours, as JSON text', text(optional)),
    user_address: street('the student'),
    user_postal: postal('the student'),
    user_city: city('the student'),
    user_country: country('the student'),
    company_name: said('what the company is called'),
    company_boss_user_first_name: said('first name of who signs for the company'),
    company_boss_user_last_name: said('family name of who signs for the company'),
    company_boss_user_email: said('e-mail address of who signs for the company'),
    company_boss_user_phone: said('telephone number of who signs for the company', 64),
    company_user_first_name: said('first name of the tutor at the company'),
    company_user_last_name: said('family name of the tutor at the company'),
    company_user_post: said('position of the tutor at the company'),
    company_user_email: said('e-mail address of the tutor at the company'),
    company_user_phone: said('telephone number of the tutor at the company', 64),
    company_address: street('the company'),
    company_postal: postal('the company'),
    company_city: city('the company'),
    company_country: country('the company'),
    company_siret: said('number of the company in the register', 64),
    internship_address: street('the place of work'),
    internship_postal: postal('the place of work'),
    internship_city: city('the place of work'),
    internship_country: country('the place of work'),
    contract_type: said('what sort of contract it is'),
    subject: said('what is worked on', 10_000),
    start_at: described('when it begins', time({ required: true })),
    end_at: described('when it ends', time({ required: true })),
    duration: described('how long it lasts, in months', integer({ min: 0, unit: 'months', ...optional })),
    nb_days: described('number of working days', integer({ min: 0, ...optional })),
    nb_hours: described('number of working hours', integer({ min: 0, ...optional })),
    movement: said('travelling that it asks for', 10_000),
    salary: described('what it pays in a month, in the currency', float({ min: 0, max: 1_000_000_000, ...optional })),
    currency: said('currency of the salary', 16),
    breach_at: described('when it was broken off; null where it was not', time(optional)),
    convention: described(
      'agreement of the three sides',
      group({
        convention: described(
          'file of the agreement',
          group({ url: described('address of the file', text({ column: 'convention_url', ...optional })) }),
        ),
      }),
    ),
    user: one('users', 'reference'),
    user_id: reference('users', { hidden: true, required: true }),
    convention_url: described('address of the agreement', text({ max: 2048, ...hidden })),
    ...timestamps({ hidden: true }),
  },
  index: {
    sort: [
      'id',
      'user_id',
      'offer_id',
      'administration_id',
      'language_id',
      'state',
      'company_name',
      'contract_type',
      'start_at',
      'end_at',
      'duration',
      'breach_at',
      'created_at',
      'updated_at',
    ],
    defaultSort: ['-created_at', '-id'],
  },
  parents: [under('users'), under('offers')],
  payload: {
    rules: { days: (value) => (isJson(String(value)) ? undefined : 'is not JSON, such as ["monday", "tuesday"]') },
    checks: { internships_end_at_check: ['end_at', message('must be after {field}', { field: 'start_at' })] },
  },
  actions: permit({ read: companies, write: companies }),
})

function isJson(value: string): boolean {
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}
