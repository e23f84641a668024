import { addressOf, type SampleRequest } from './request.ts'

/** The request as a command for a shell. `$API` and `$TOKEN` are what the guide on tokens sets. */
export function curlOf({ method, path, hasToken, body }: Omit<SampleRequest, 'operation' | 'resolve'>): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$API${addressOf(path)}"`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${quoted(JSON.stringify(body))}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** Inside single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", "'\\''")
