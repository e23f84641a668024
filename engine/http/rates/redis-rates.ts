import { commandName } from '../../base/service.ts'
import type { RateStore, Spending, Spent } from './rate-store.ts'
import { RedisAway, RedisConnection } from './redis-connection.ts'

/**
 * Counts a request in all its windows, atomically and in one round trip. A key has the count of a window and expires with it, or the
 * microsecond at which the bucket of a paced window is full (see TokenBuckets). Returns the index of the refusing window (from 1, or 0),
 * the milliseconds to wait, and what is left of each window. Replaces invalid values, sets a missing expiry when it refuses, and
 * treats a bucket as empty at most if the server's clock was set back.
 */
const SCRIPT = `
local function numberAt(key)
  local stored = redis.pcall('get', key)
  if not stored then return 0 end
  if type(stored) == 'string' and #stored <= 16 and string.match(stored, '^%d+$') then return tonumber(stored) end
  redis.call('del', key)
  return 0
end
local time = redis.call('time')
local now = time[1] * 1000000 + time[2]

local function countOf(key, points, milliseconds)
  local used = numberAt(key)
  if used < points then
    return points - used, nil, function()
      if redis.call('incr', key) == 1 then redis.call('pexpire', key, milliseconds) end
      return points - used - 1
    end
  end
  return 0, function()
    local untilEnd = redis.call('pttl', key)
    if untilEnd < 0 or untilEnd > milliseconds then
      redis.call('pexpire', key, milliseconds)
      untilEnd = milliseconds
    end
    return untilEnd
  end
end

local function bucketOf(key, points, milliseconds)
  local interval = milliseconds * 1000 / points
  local emptyAfter = interval * (points + 1)
  local untilFull = math.min(math.max(numberAt(key) - now, 0), emptyAfter)
  local function leftOf(untilFull)
    return math.min(points, math.max(0, math.floor((emptyAfter - untilFull) / interval + 0.01) - 1))
  end
  local wait = untilFull + interval - emptyAfter
  if wait > 0 then
    return 0, function() return math.min(math.ceil(wait / 1000), milliseconds) end
  end
  return leftOf(untilFull), nil, function()
    local fullAt = string.format('%.0f', now + untilFull + interval)
    redis.call('set', key, fullAt, 'px', math.ceil((untilFull + interval) / 1000))
    return leftOf(untilFull + interval)
  end
end

local refusedBy, wait, left = 0, 0, {}
for index, key in ipairs(KEYS) do
  local points, milliseconds = tonumber(ARGV[index * 3 - 1]), tonumber(ARGV[index * 3])
  local lookAt = ARGV[index * 3 + 1] == '1' and bucketOf or countOf
  local found, waitOf, take = lookAt(key, points, milliseconds)
  if ARGV[1] == 'nothing' or (waitOf == nil and ARGV[1] == 'every' and refusedBy > 0) then
    left[index] = found
  elseif waitOf then
    left[index] = 0
    if ARGV[1] == 'any' or refusedBy == 0 then
      local thisWait = waitOf()
      if refusedBy == 0 or thisWait < wait then wait = thisWait end
      refusedBy = index
    end
  else
    left[index] = take()
    if ARGV[1] == 'any' then
      refusedBy, wait = 0, 0
      break
    end
  end
end
return {refusedBy, wait, unpack(left)}`

type Options = {
  readonly url: string
  readonly insurance: RateStore
  readonly onStateChange: (message: string) => void
}

/** Counts requests in a Redis or Valkey server that several machines share, or in `insurance` while the server is unavailable. */
export class RedisRates implements RateStore {
  readonly #connection: RedisConnection<string>
  readonly #insurance: RateStore

  constructor({ url, insurance, onStateChange }: Options) {
    this.#insurance = insurance
    this.#connection = new RedisConnection({
      url,
      async prepare(client) {
        const script = await client.scriptLoad(SCRIPT)
        // Fails if the server is read-only.
        readReply(await client.evalSha(script, argumentsOf(TRIAL)), TRIAL)
        return script
      },
      onStateChange,
    })
  }

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

/** The hash tag in braces keeps the windows of a caller on one server of a cluster. */
const argumentsOf = ({ by, needs, windows }: Spending) => ({
  keys: windows.map(
    ({ points, seconds, isPaced }) => `${commandName()}:{${by}}:${isPaced ? 'bucket:' : ''}${points}/${seconds}`,
  ),
  arguments: [
    needs,
    ...windows.flatMap(({ points, seconds, isPaced }) => [String(points), String(seconds * 1000), isPaced ? '1' : '0']),
  ],
})

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
