import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { boolean, integer, reference, text, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import type { Field } from '@campus/engine/rest/declare/fields/field'
import { always, group } from '@campus/engine/rest/declare/fields/group'
import { shownWhere } from '@campus/engine/rest/declare/fields/shown-where'
import { resource } from '@campus/engine/rest/declare/resource'
import { address, pdfAddresses, thumbAddress } from './attachments.ts'

const ofFilm = (field: Field) => shownWhere('attachable_type', 'Video', field)
const ofPdf = (field: Field) => shownWhere('attachable_type', 'Pdf', field)

/** Embedded in a subnotion, with the fields of each kind of attachment there (spec: school 13). */
export const subnotionAttachments = resource({
  name: 'subnotion_attachments',
  summary: 'Something to watch or to read in a subnotion.',
  table: 'attachments',
  unmirrored: 'their files open for a while only',
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    created_at: time(),
    slug: described('its name, made fit for addresses', text({ max: 255 })),
    base_id: described('id of the attachment that it translates; its own where it translates none', integer()),
    language: described('language that it is in', one('languages', 'short')),
    type: described('sort of attachment, as the name of a class: `Pdf`, `Link`', text({ column: 'attachable_type' })),
    attachment_id: described('its id, once more', reference('attachments', { column: 'id' })),
    url: address,
    duration: ofFilm(described('length of the film in seconds; 0 where it is not known', integer())),
    video_processing: ofFilm(always(false)),
    urls: ofFilm(
      described(
        'addresses of the film, the same for a slow line',
        group({
          url: address,
          low_d: address,
          thumbs: always([]),
        }),
      ),
    ),
    page_count: ofPdf(described('number of pages', integer())),
    pdf: ofPdf(pdfAddresses),
    pdf_processing: ofPdf(described('whether the PDF is still being read', boolean())),
    thumb_url: ofPdf(thumbAddress),
    language_id: described(
      'id of the language that it is in',
      reference('languages', { nullable: true, hidden: true }),
    ),
    subnotion_id: described(
      'id of the subnotion that shows it',
      reference('subnotions', { nullable: true, hidden: true }),
    ),
  },
  actions: embeddedOnly,
})
