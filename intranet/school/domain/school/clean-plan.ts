import { HttpError } from '@campus/engine/errors'
import { readSvg, type SvgElement } from './read-svg.ts'
import { MAX_PLAN_BYTES, resolveSvg, tooLong } from './resolve-svg.ts'

export { MAX_PLAN_BYTES } from './resolve-svg.ts'

export type PlanElement = SvgElement

/**
 * Parses a plan without hidden and active content. Throws 422 for a document that is no SVG, has no `viewBox` or size,
 * or is too large.
 */
export const cleanPlan = (svg: string): PlanElement => resolveSvg(readSvg(svg))

/**
 * Returns the text to store for an uploaded plan. Throws 422 if the upload is invalid, or if the text would be invalid:
 * escapes and attributes can make the text longer than the upload.
 */
export function planToStore(upload: string): string {
  const svg = writePlan(cleanPlan(upload))
  if (Buffer.byteLength(svg) > MAX_PLAN_BYTES) throw tooLong()
  cleanPlan(svg)
  return svg
}

/** Returns undefined if the plan is invalid. */
export function readStoredPlan(svg: string): PlanElement | undefined {
  try {
    return cleanPlan(svg)
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

const SHAPES = new Set(['rect', 'circle', 'ellipse', 'polygon', 'path', 'g'])
const NAMED_SHAPE = new RegExp(`<(?:${[...SHAPES].join('|')}) [^<>]*?\\bid="([\\w.-]{1,64})"`, 'g')

/** Returns the ids of the shapes of a stored plan without parsing the plan. A shape is a seat if its id is a host name. */
export const namesIn = (svg: string): string[] => [...new Set([...svg.matchAll(NAMED_SHAPE)].map(([, id = '']) => id))]

/** Reports whether an element is a shape with an id, so that it may be a seat. */
export const isNamedShape = ({ name, attributes }: PlanElement): boolean =>
  SHAPES.has(name) && attributes.id !== undefined

/** Writes a plan as text. `shape` may replace the text of a shape. The values are clean already. */
export function writePlan(
  element: PlanElement,
  shape: (element: PlanElement, written: string) => string | undefined = () => undefined,
): string {
  const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${value}"`)
  const content = element.content.map((part) => (typeof part === 'string' ? escaped(part) : writePlan(part, shape)))
  const tag = `${element.name}${attributes.join('')}`
  const written = content.length === 0 ? `<${tag}/>` : `<${tag}>${content.join('')}</${element.name}>`
  return (isNamedShape(element) ? shape(element, written) : undefined) ?? written
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
