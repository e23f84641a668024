import { addressOf, type SampleRequest } from './request.ts'

/** Writes the request as a shell command. The guide on tokens sets `$API` and `$TOKEN`. */
export function curlOf({ method, path, hasToken, body }: Omit<SampleRequest, 'operation' | 'resolve'>): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$API${addressOf(path)}"`,
    ...(hasToken ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${quoted(JSON.stringify(body))}'`]),
  ]
  return lines.join(' \\\n  ')
}

/** Escapes a text within single quotes of a shell. */
const quoted = (text: string) => text.replaceAll("'", "'\\''")
