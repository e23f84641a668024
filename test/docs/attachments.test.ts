import { pasteDocument } from './pasted-document.ts'

pasteDocument('attachments.md')
