import { literal, PYTHON } from './literal.ts'
import { pathOf, queryOf, type SampleRequest } from './request.ts'

/** Writes the request with the Python library requests. */
export function pythonOf({ method, path, hasToken, body }: SampleRequest): string {
  const query = queryOf(path)
  const options = [
    ...(query.length > 0 ? [`params=${literal(PYTHON, Object.fromEntries(query), INDENT)}`] : []),
    ...(body === undefined ? [] : [`json=${literal(PYTHON, body, INDENT)}`]),
    ...(hasToken ? ['headers={"Authorization": f"Bearer {os.environ[\'TOKEN\']}"}'] : []),
  ]
  return `import os, requests

answer = requests.${method.toLowerCase()}(
    os.environ["API"] + ${literal(PYTHON, pathOf(path))},
${options.map((option) => `${INDENT}${option},\n`).join('')})
answer.raise_for_status()
print(answer.text)`
}

const INDENT = '    '
