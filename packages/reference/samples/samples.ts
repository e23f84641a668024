import type { CodeLanguage } from '../highlight.ts'
import { curlOf } from './curl.ts'
import { pythonOf } from './python.ts'
import type { SampleRequest } from './request.ts'
import { rubyOf } from './ruby.ts'
import { typescriptOf } from './typescript.ts'

export const SAMPLES: readonly {
  readonly name: string
  readonly label: string
  readonly language: CodeLanguage
  readonly write: (request: SampleRequest) => string
}[] = [
  { name: 'curl', label: 'curl', language: 'bash', write: curlOf },
  { name: 'typescript', label: 'TypeScript', language: 'typescript', write: typescriptOf },
  { name: 'python', label: 'Python', language: 'python', write: pythonOf },
  { name: 'ruby', label: 'Ruby', language: 'ruby', write: rubyOf },
]
