import type { Example } from './examples.ts'

/** The request as a command for a shell. `$API` and `$TOKEN` are what the guide on tokens sets. */
export function curlOf({
  method,
  path,
  hasToken,
  body,
}: Pick<Example, 'method' | 'path' | 'hasToken' | 'body'>): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$API${path.replace(/[[\]]/g, encodeURIComponent)}"`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${quoted(JSON.stringify(body))}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** Inside single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", "'\\''")
