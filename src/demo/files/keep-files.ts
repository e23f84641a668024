import { TEXT } from '../../attachments/content-types.ts'
import type { FileStore } from '../../attachments/file-store.ts'
import { keepBytes, staged } from '../../attachments/own-files.ts'
import { PDF_LIMITS, readPdf } from '../../attachments/read-pdf.ts'
import { pngOf } from '../../attachments/thumbs.ts'
import type { Database } from '../../database/database.ts'
import type { Staging } from '../../http/staging.ts'
import type { SeedFiles, SeedPdf, SubjectOrder } from '../seeds/world.ts'
import { drawFilm } from './film.ts'
import { NOTES, PAPER, STARTER_CODE, subjectPages } from './texts.ts'
import { type Page, writePdf } from './write-pdf.ts'

type Dependencies = {
  readonly database: Database
  readonly store: FileStore
  readonly staging: Staging
  readonly now: Date
}

/**
 * Makes the files of the demonstration school and stores them as uploads are: a subject for each project, and one of each
 * other sort, which all share. Nothing needs them yet; what stays so is swept.
 */
export async function keepDemonstrationFiles(
  dependencies: Dependencies,
  subjects: readonly SubjectOrder[],
): Promise<SeedFiles> {
  // Made at the same time and stored one after another, so that each has the same id in every school.
  const [cover, film] = await Promise.all([drawCover(dependencies), drawFilm()])
  const thumbId = await keepBytes(dependencies, cover, 'image/png')
  const pdf = async (name: string, title: string, pages: readonly Page[]): Promise<SeedPdf> => {
    const id = await keepBytes(dependencies, writePdf(title, pages), 'application/pdf')
    return { id, name, thumbId, pageCount: pages.length }
  }
  const kept = new Map<string, SeedPdf>()
  for (const { slug, language, ...text } of subjects) {
    kept.set(`${slug} ${language}`, await pdf(`${language}.subject.pdf`, text.title, subjectPages(text, language)))
  }
  const text = (words: string) => keepBytes(dependencies, Buffer.from(words), TEXT)
  return {
    subjects: kept,
    paper: await pdf('paper.pdf', 'The paper', PAPER),
    film: { id: await keepBytes(dependencies, film, 'video/webm'), name: 'introduction.webm' },
    code: { id: await text(STARTER_CODE), name: 'main.c' },
    document: { id: await text(NOTES), name: 'notes.txt' },
  }
}

/** Ours is cheap, but a machine that is busy or small may need its time for it. */
const PDF_PATIENCE_SECONDS = 600

/** The picture of the first page, which all share. Read as every PDF is, but at once: nobody waits for a job in a school that is just being made. */
async function drawCover({ staging }: Dependencies): Promise<Buffer> {
  const anySubject = writePdf('', subjectPages({ title: '', about: '', tasks: [] }, 'en'))
  const reading = await staged(staging, anySubject, ({ path }) =>
    readPdf(path, { ...PDF_LIMITS, seconds: PDF_PATIENCE_SECONDS }),
  )
  if (typeof reading === 'string') throw new Error(`a PDF of the demonstration is ${reading}`)
  if (!reading.picture) throw new Error('a PDF of the demonstration cannot be drawn')
  return pngOf(reading.picture)
}
