import { Counter } from '@campus/engine/base/metrics/counter'
import type { Metric } from '@campus/engine/base/metrics/metric'
import { HttpError } from '@campus/engine/errors'
import { OAuthError } from './oauth-errors.ts'

export class TokenMetrics {
  readonly #requests = new Counter(
    {
      name: 'campus_token_requests_total',
      help: 'Requests for tokens, by grant and outcome (granted, or the error of the protocol).',
    },
    ['grant', 'outcome'],
  )

  /** Counts the outcome of a request. `grant` is a grant type or `unknown`. */
  async count<T>(grant: string, work: () => Promise<T>): Promise<T> {
    try {
      const granted = await work()
      this.#requests.add({ grant, outcome: 'granted' })
      return granted
    } catch (error) {
      this.#requests.add({ grant, outcome: outcomeOf(error) })
      throw error
    }
  }

  collect(): readonly Metric[] {
    return [this.#requests.collect()]
  }
}

function outcomeOf(error: unknown): string {
  if (error instanceof OAuthError) return error.error
  return error instanceof HttpError && error.status < 500 ? 'invalid_request' : 'error'
}
