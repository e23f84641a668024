import Fast42Module from '@codam/fast42'
import { defaultOf, program } from '../program.ts'

const Fast42 = defaultOf(Fast42Module)

/** A whole list at the rate that the service grants. */
await program(async ({ uid, secret }) => {
  const api = await new Fast42([{ client_id: uid, client_secret: secret }]).init()
  const answers: Response[] = await Promise.all(await api.getAllPages('/users', { 'page[size]': '12' }))
  const pages = await Promise.all(answers.map((answer) => answer.json()))
  await api.disconnect()
  return {
    statuses: answers.map(({ status }) => status),
    total: Number(answers[0]?.headers.get('x-total')),
    ids: pages.flat().map(({ id }) => id),
  }
})
