import type { RateStore, Spending, Spent } from './rate-store.ts'
import { RedisAway, RedisConnection } from './redis-connection.ts'

/**
 * Counts a request in all its windows, atomically and in one round trip. A key is the count of a window and expires
 * with it. It answers the number of the window that refuses (from 1, or 0), the time to wait and what is left of each
 * window. A value that is no count is replaced; one without expiry gets it when it refuses.
 */
const SCRIPT = `
local function usedOf(key)
  local stored = redis.pcall('get', key)
  if not stored then return 0 end
  if type(stored) == 'string' and #stored <= 15 and string.match(stored, '^%d+$') then return tonumber(stored) end
  redis.call('del', key)
  return 0
end
local refusedBy, wait, left = 0, 0, {}
for index, key in ipairs(KEYS) do
  local points, milliseconds = tonumber(ARGV[index * 2]), tonumber(ARGV[index * 2 + 1])
  local used = usedOf(key)
  if ARGV[1] == 'nothing' then
    left[index] = math.max(0, points - used)
  elseif used >= points then
    left[index] = 0
    if ARGV[1] == 'any' or refusedBy == 0 then
      local untilEnd = redis.call('pttl', key)
      if untilEnd < 0 or untilEnd > milliseconds then
        redis.call('pexpire', key, milliseconds)
        untilEnd = milliseconds
      end
      if refusedBy == 0 or untilEnd < wait then wait = untilEnd end
      refusedBy = index
    end
  elseif ARGV[1] == 'every' and refusedBy > 0 then
    left[index] = points - used
  else
    if redis.call('incr', key) == 1 then redis.call('pexpire', key, milliseconds) end
    left[index] = points - used - 1
    if ARGV[1] == 'any' then
      refusedBy, wait = 0, 0
      break
    end
  end
end
return {refusedBy, wait, unpack(left)}`

type Options = {
  readonly url: string
  /** Counts while the server is away. */
  readonly insurance: RateStore
  readonly onStateChange: (message: string) => void
}

/** Counts requests in a Redis or Valkey server, for all processes that share it, and without it where it is away. */
export class RedisRates implements RateStore {
  readonly #connection: RedisConnection<string>
  readonly #insurance: RateStore

  constructor({ url, insurance, onStateChange }: Options) {
    this.#insurance = insurance
    this.#connection = new RedisConnection({
      url,
      async prepare(client) {
        const script = await client.scriptLoad(SCRIPT)
        // A server that may not be written to is no use.
        readReply(await client.evalSha(script, argumentsOf(TRIAL)), TRIAL)
        return script
      },
      onStateChange,
    })
  }

  /** Resolves when the server has answered, or has not. */
  start(): Promise<void> {
    return this.#connection.start()
  }

  stop(): Promise<void> {
    return this.#connection.stop()
  }

  async spend(spending: Spending): Promise<Spent> {
    try {
      return await this.#connection.ask(async (client, script) =>
        readReply(await client.evalSha(script, argumentsOf(spending)), spending),
      )
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error
      return this.#insurance.spend(spending)
    }
  }
}

const TRIAL: Spending = { by: 'trial', needs: 'every', windows: [{ points: 1_000_000, seconds: 1 }] }

/** The hash tag in braces keeps the windows of one caller on one server of a cluster. */
const argumentsOf = ({ by, needs, windows }: Spending) => ({
  keys: windows.map(({ points, seconds }) => `campus:{${by}}:${points}/${seconds}`),
  arguments: [needs, ...windows.flatMap(({ points, seconds }) => [String(points), String(seconds * 1000)])],
})

/** Throws where the reply is malformed: such a server counts nothing. */
function readReply(reply: unknown, { needs, windows }: Spending): Spent {
  const numbers = Array.isArray(reply) && reply.every(Number.isSafeInteger) ? reply : []
  const [refusedBy = -1, waitMilliseconds = -1, ...left] = numbers
  const maxWindow = Math.max(...windows.map(({ seconds }) => seconds * 1000))
  const isWhole = left.length === windows.length || (needs === 'any' && refusedBy === 0 && left.length > 0)
  const isCount =
    isWhole &&
    refusedBy >= 0 &&
    refusedBy <= windows.length &&
    waitMilliseconds >= 0 &&
    waitMilliseconds <= maxWindow &&
    left.length <= windows.length &&
    left.every((points, at) => points >= 0 && points <= (windows[at]?.points ?? 0))
  if (!isCount) throw new Error('its answer is no count')
  return { refusedBy: refusedBy === 0 ? undefined : refusedBy - 1, left, waitMilliseconds }
}
