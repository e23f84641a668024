import { strToU8, zipSync } from 'fflate'

/** A sheet. `rows` is the XML in its `sheetData`. */
export type Sheet = { readonly rows: string; readonly state?: string; readonly kind?: string }

/** Path of the first worksheet in a workbook. */
export const FIRST_SHEET = 'xl/worksheets/sheet1.xml'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SPREADSHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const sheetXml = (rows: string, kind = 'worksheet') =>
  `<${kind} xmlns="${MAIN}"><sheetData>${rows}</sheetData></${kind}>`

export const textCell = (address: string, text: string) => `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`

/** Returns the XML of rows of texts, of at most 26 columns. */
export const textRows = (rows: readonly (readonly string[])[]) =>
  rows
    .map((texts, row) => {
      const cells = texts.map((text, column) => textCell(`${String.fromCharCode(65 + column)}${row + 1}`, text))
      return `<row r="${row + 1}">${cells.join('')}</row>`
    })
    .join('')

/** Returns the parts of a workbook as XML, by their paths. */
export function workbookParts(sheets: readonly Sheet[]): Record<string, string> {
  const all = sheets.map(({ rows, state, kind = 'worksheet' }, at) => {
    const path = `${kind}s/sheet${at + 1}.xml`
    return {
      path: `xl/${path}`,
      xml: sheetXml(rows, kind),
      element: `<sheet name="Sheet ${at + 1}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`,
      relationship: `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${kind}" Target="${path}"/>`,
      type: `<Override PartName="/xl/${path}" ContentType="${SPREADSHEET}.${kind}+xml"/>`,
    }
  })
  const joined = (key: 'element' | 'relationship' | 'type') => all.map((sheet) => sheet[key]).join('')
  return {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET}.sheet.main+xml"/>${joined('type')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${joined('element')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${joined('relationship')}</Relationships>`,
    ...Object.fromEntries(all.map(({ path, xml }) => [path, xml])),
  }
}

/** Returns a workbook (.xlsx). `more` adds or replaces parts. */
export function workbookOf(
  sheets: readonly Sheet[],
  more: Readonly<Record<string, string | Uint8Array>> = {},
): Uint8Array {
  const parts = Object.entries({ ...workbookParts(sheets), ...more })
  return zipSync(
    Object.fromEntries(parts.map(([path, part]) => [path, typeof part === 'string' ? strToU8(part) : part])),
  )
}
