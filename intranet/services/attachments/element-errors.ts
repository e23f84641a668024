import { type Message, message } from '@campus/engine/base/languages/say'
import type { FieldErrors } from '@campus/engine/errors'
import type { SqlValue } from '@campus/engine/rest/declare/fields/kinds'
import { type AttachmentKind, type Element, kindNamed } from './elements.ts'

export const elementsOf = (value: SqlValue | undefined): readonly Element[] =>
  value == null ? [] : JSON.parse(String(value))

/** Returns contradictions within a payload that need no stored record. */
export function errorsOfPayload(values: Readonly<Record<string, SqlValue>>, creating: boolean): FieldErrors {
  const elements = elementsOf(values.attachable_attributes)
  if (!creating && elements.length > 1) return { attachable_attributes: ['takes one element in an update'] }
  if (values.base_id != null && elements.length > 1) return { base_id: ['takes one element: its translation'] }
  return errorsOf(elements, (element) => {
    const named = values.kind ?? element.attachable_type ?? element.file?.field
    const kind = named === undefined ? undefined : kindNamed(named)
    const errors = kind ? errorsOfElement(element, kind, !creating) : []
    return creating ? [...missingIn(element), ...errors] : errors
  })
}

/** Returns the faults of an element that changes or replaces a record of this kind. */
export const errorsOfChange = (element: Element, kind: AttachmentKind, hasContent: boolean): FieldErrors =>
  errorsOf([element], () => errorsOfElement(element, kind, hasContent))

type ElementErrors = readonly (readonly [member: string, fault: Message])[]

const errorsOf = (elements: readonly Element[], errorsOfOne: (element: Element) => ElementErrors): FieldErrors =>
  Object.fromEntries(
    elements.flatMap((element, index) =>
      errorsOfOne(element).map(([member, fault]) => [`attachable_attributes[${index}].${member}`, [fault]] as const),
    ),
  )

const missingIn = (element: Element): ElementErrors =>
  (['name', 'attachable_type'] as const)
    .filter((member) => element[member] === undefined)
    .map((member) => [member, "can't be blank"])

/** The kind, the type, and the sent file or address must match. All kinds but links need a file. */
function errorsOfElement(
  { attachable_type: type, file, url }: Element,
  kind: AttachmentKind,
  hasContent: boolean,
): ElementErrors {
  const expected = type ?? kind
  if (expected !== kind) return [['attachable_type', message('must be the kind of the attachment, {kind}', { kind })]]
  if (file && file.field !== expected)
    return [['attachable_type', message('must match the file supplied, {field}', { field: file.field })]]
  if (url != null && expected !== 'link') return [['url', 'is accepted with a link only']]
  if (expected !== 'link' && !file && !hasContent) return [[expected, "can't be blank: the file is missing"]]
  return []
}
