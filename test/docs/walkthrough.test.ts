import { pasteDocument } from './pasted-document.ts'

// The address that the document shows in its answers.
pasteDocument('walkthrough.md', { CAMPUS_BASE_URL: 'https://localhost:8443' })
