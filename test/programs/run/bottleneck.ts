import Bottleneck from 'bottleneck'
import { program } from '../program.ts'

const API = 'https://api.intra.42.fr'

/** A list page by page, with the spacing that programs for two requests a second use. */
await program(async ({ uid, secret }) => {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: uid, client_secret: secret })
  const { access_token } = await (await fetch(`${API}/oauth/token`, { method: 'POST', body: form })).json()
  const limiter = new Bottleneck({ minTime: 525 })
  const get = (page: number) =>
    limiter.schedule(() =>
      fetch(`${API}/v2/users?page=${page}&per_page=12`, { headers: { authorization: `Bearer ${access_token}` } }),
    )
  const first = await get(1)
  const total = Number(first.headers.get('x-total'))
  const rest = Array.from({ length: Math.ceil(total / 12) - 1 }, (_, at) => get(at + 2))
  const answers = [first, ...(await Promise.all(rest))]
  const pages = await Promise.all(answers.map((answer) => answer.json()))
  return { statuses: answers.map(({ status }) => status), total, ids: pages.flat().map(({ id }) => id) }
})
