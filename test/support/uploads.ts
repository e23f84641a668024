import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { World } from './campus.ts'
import { type Client, FormData, type Response } from './client.ts'

/** An element of `attachable_attributes`; a file comes under the field that is named for its type. */
export type Part = { readonly [name: string]: string | Blob | undefined }

/** A form as a browser or curl sends it: `attachment[attachable_attributes][][pdf]`. */
export function attachmentForm(fields: Readonly<Record<string, string>>, ...elements: readonly Part[]): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(`attachment[${name}]`, value)
  for (const element of elements) {
    for (const [name, value] of Object.entries(element)) {
      const field = `attachment[attachable_attributes][][${name}]`
      if (typeof value === 'string') form.append(field, value)
      else if (value) form.append(field, value, value instanceof File ? value.name : 'file')
    }
  }
  return form
}

export const fileOf = (bytes: Uint8Array | string, name: string) =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name)

/** Polls until the PDF of a record has been read in another process. Returns the record. */
export async function whenRead(client: Client, id: number): Promise<Response['json']> {
  for (;;) {
    const { status, json } = await client.get(`/v2/attachments/${id}`)
    assert.equal(status, 200)
    if (!json.pdf_processing) return json
    await setTimeout(50)
  }
}

/** Every file that the service holds, those on their way among them. */
export async function filesOf({ config }: World): Promise<string[]> {
  const entries = await readdir(config.files, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Returns the path of a record's link, which browsers open without a token. */
export const pathOf = (world: World, url: string): string => {
  assert.ok(url.startsWith(`${world.url}/`), url)
  return url.slice(world.url.length)
}

/** Resolves when no PDF waits to be read. */
export async function whenAllRead({ database }: World): Promise<void> {
  while ((await database.rows('select 1 from pdf_jobs')).length > 0) await setTimeout(50)
}
