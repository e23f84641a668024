import { TEXT } from '../../attachments/content-types.ts'
import type { FileStore } from '../../attachments/file-store.ts'
import { keepBytes, staged } from '../../attachments/own-files.ts'
import { PDF_LIMITS, readPdf } from '../../attachments/read-pdf.ts'
import { pngOf } from '../../attachments/thumbs.ts'
import type { Database } from '../../database/database.ts'
import type { Staging } from '../../http/staging.ts'
import type { SeedFiles, SeedPdf } from '../seeds/world.ts'
import { drawFilm } from './film.ts'
import { NOTES, STARTER_CODE, SUBJECTS } from './texts.ts'
import { writePdf } from './write-pdf.ts'

type Dependencies = {
  readonly database: Database
  readonly store: FileStore
  readonly staging: Staging
  readonly now: Date
}

/**
 * Makes the files of the demonstration school and stores them as uploads are: one of each sort, which all projects
 * share. Nothing needs them yet; what stays so is swept.
 */
export async function keepDemonstrationFiles(dependencies: Dependencies): Promise<SeedFiles> {
  // Made at the same time and stored one after another, so that each has the same id in every school.
  const [en, fr, film] = await Promise.all([
    makeSubject(dependencies, 'en'),
    makeSubject(dependencies, 'fr'),
    drawFilm(),
  ])
  const text = (words: string) => keepBytes(dependencies, Buffer.from(words), TEXT)
  return {
    subjects: { en: await keepSubject(dependencies, en), fr: await keepSubject(dependencies, fr) },
    film: { id: await keepBytes(dependencies, film, 'video/webm'), name: 'introduction.webm' },
    code: { id: await text(STARTER_CODE), name: 'main.c' },
    document: { id: await text(NOTES), name: 'notes.txt' },
  }
}

type Subject = { readonly name: string; readonly pdf: Buffer; readonly thumb: Buffer; readonly pageCount: number }

/** Ours are cheap, but a machine that is busy or small may need its time for them. */
const PDF_PATIENCE_SECONDS = 600

/** Read as every PDF is, but at once: nobody waits for a job in a school that is just being made. */
async function makeSubject({ staging }: Dependencies, language: 'en' | 'fr'): Promise<Subject> {
  const { title, pages } = SUBJECTS[language]
  const pdf = writePdf(title, pages)
  const reading = await staged(staging, pdf, ({ path }) =>
    readPdf(path, { ...PDF_LIMITS, seconds: PDF_PATIENCE_SECONDS }),
  )
  if (typeof reading === 'string') throw new Error(`a PDF of the demonstration is ${reading}`)
  if (!reading.picture) throw new Error('a PDF of the demonstration cannot be drawn')
  const thumb = await pngOf(reading.picture)
  return { name: `${language}.subject.pdf`, pdf, thumb, pageCount: reading.pageCount }
}

async function keepSubject(dependencies: Dependencies, { name, pdf, thumb, pageCount }: Subject): Promise<SeedPdf> {
  const id = await keepBytes(dependencies, pdf, 'application/pdf')
  return { id, name, pageCount, thumbId: await keepBytes(dependencies, thumb, 'image/png') }
}
