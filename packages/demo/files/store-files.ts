import { readFile } from 'node:fs/promises'
import type { Database } from '@campus/engine/database/database'
import type { Staging } from '@campus/engine/http/staging'
import { TEXT } from '@campus/intranet/services/attachments/content-types'
import type { FileStore } from '@campus/intranet/services/attachments/file-store'
import { storeBytes } from '@campus/intranet/services/attachments/stored-files'
import type { SeedFiles, SeedPdf, SubjectOrder } from '../seeds/world.ts'
import { subjectPages } from './texts.ts'
import { writePdf } from './write-pdf.ts'

type Dependencies = {
  readonly database: Database
  readonly store: FileStore
  readonly staging: Staging
  readonly now: Date
}

const PDF = 'application/pdf'

/** Stores a subject for each project and one file of each other kind, as uploads are stored. Unused files are deleted later. */
export async function storeDemonstrationFiles(
  dependencies: Dependencies,
  subjects: readonly SubjectOrder[],
): Promise<SeedFiles> {
  const asset = async (name: string, contentType: string) => {
    const bytes = await readFile(new URL(`./assets/${name}`, import.meta.url))
    return { id: await storeBytes(dependencies, bytes, contentType), name }
  }
  // Sequentially, so that each file has the same id in every school.
  const { id: thumbId } = await asset('cover.png', 'image/png')
  const pdfs = new Map<string, SeedPdf>()
  for (const { slug, language, ...text } of subjects) {
    const pages = subjectPages(text, language)
    const id = await storeBytes(dependencies, writePdf(text.title, pages), PDF)
    pdfs.set(`${slug} ${language}`, { id, name: `${language}.subject.pdf`, thumbId, pageCount: pages.length })
  }
  return {
    subjects: pdfs,
    paper: { ...(await asset('paper.pdf', PDF)), thumbId, pageCount: 2 },
    film: await asset('introduction.webm', 'video/webm'),
    code: await asset('main.c', TEXT),
    document: await asset('notes.txt', TEXT),
  }
}
