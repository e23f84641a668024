/** One event of a stream, or a position without one. */
export type ServerEvent = {
  /** Value of `Last-Event-ID` to resume after this event. */
  readonly id: string | undefined
  readonly event: string
  /** Undefined where only the position moves. */
  readonly data: string | undefined
  /** Milliseconds to wait before reconnecting, if the service sends them. */
  readonly retry: number | undefined
}

/**
 * Reads Server-Sent Events from text that comes in pieces (HTML, section 9.2.6). An event without data is given too, for its id
 * moves the position; what the end of a stream cuts off is not.
 */
export function eventReader(): (text: string) => ServerEvent[] {
  let unread = ''
  let fields = new Map<string, string>()
  return (text) => {
    const lines = (unread + text).split(/\r\n|\n/)
    unread = lines.pop() ?? ''
    return lines.flatMap((line) => {
      if (line !== '') {
        const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line) as unknown as [string, string, string]
        const former = name === 'data' ? fields.get(name) : undefined
        fields.set(name, former === undefined ? value : `${former}\n${value}`)
        return []
      }
      const read = fields
      fields = new Map()
      const retry = read.get('retry')
      const event = { id: read.get('id'), event: read.get('event') ?? 'message', data: read.get('data') }
      return [{ ...event, retry: retry !== undefined && /^\d+$/.test(retry) ? Number(retry) : undefined }]
    })
  }
}
