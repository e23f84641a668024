import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { type Message, message } from '../../base/languages/say.ts'
import { HttpError, unprocessable } from '../../errors.ts'

/** An element of a plan, with its content. */
export type PlanElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: (PlanElement | string)[]
}

/** A page of the site has 120 kB in all. */
export const MAX_PLAN_BYTES = 65_536
const MAX_ELEMENTS = 3_000
const MAX_DEPTH = 32

/** Elements that only draw. Scripts, styles, links, pictures and references are not among them. */
const ELEMENTS = new Set([
  ...['svg', 'g', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'path', 'text', 'tspan', 'title', 'desc'],
])
const SHAPES = new Set(['rect', 'circle', 'ellipse', 'polygon', 'path', 'g'])
const STYLES = new Set([
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity'],
  ...['stroke-linecap', 'stroke-linejoin', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline'],
])
const ATTRIBUTES = new Set([
  ...STYLES,
  ...['id', 'viewBox', 'x', 'y', 'width', 'height', 'rx', 'ry', 'cx', 'cy', 'r', 'x1', 'y1', 'x2', 'y2', 'points', 'd'],
  ...['transform', 'dx', 'dy'],
])
/** Numbers, names of colours and of functions; no address fits. */
const VALUE = /^[\w\s#%.,()+-]*$/
const ID = /^[\w.-]{1,64}$/

const refusal = (text: Message) => unprocessable({ svg: [text] })

/**
 * Reads a plan that staff drew, and leaves out all that does more than draw. Styles in attributes become attributes of their own, as
 * pages allow no others. Throws 422 for what is no SVG, has no `viewBox` or size, or is too large.
 */
export function cleanPlan(svg: string): PlanElement {
  if (Buffer.byteLength(svg) > MAX_PLAN_BYTES)
    throw refusal(message('has more than {kilobytes, number} kB', { kilobytes: MAX_PLAN_BYTES / 1024 }))
  if (!/^\s*</.test(svg)) throw refusal('is not an SVG')
  const root: PlanElement = { name: '', attributes: {}, content: [] }
  const open: (PlanElement | undefined)[] = [root]
  let elements = 0
  const parser = new SaxesParser({ xmlns: false })
  parser.on('error', () => {
    throw refusal(
      message('is damaged at line {line}, column {column}. Save it as SVG again in your drawing program.', {
        line: parser.line,
        column: parser.column,
      }),
    )
  })
  parser.on('opentag', (tag) => {
    elements += 1
    if (elements > MAX_ELEMENTS || open.length > MAX_DEPTH) throw refusal('is too deep or has too many elements')
    const parent = open.at(-1)
    // Browsers read the content of a title or description as HTML, where `<g/>` opens an element.
    const isDrawn = parent && !DESCRIPTIONS.has(parent.name) && ELEMENTS.has(tag.name)
    const element = isDrawn ? elementOf(tag) : undefined
    if (element) parent?.content.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const parent = open.at(-1)
    if (parent && TEXTS.has(parent.name) && text.trim() !== '') parent.content.push(text)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(svg).close()
  const [plan] = root.content
  if (typeof plan !== 'object' || plan.name !== 'svg') throw refusal('is not an SVG')
  return { ...plan, attributes: { viewBox: viewBoxOf(plan) } }
}

const DESCRIPTIONS = new Set(['title', 'desc'])
const TEXTS = new Set(['text', 'tspan', ...DESCRIPTIONS])

function elementOf({ name, attributes }: SaxesTagPlain): PlanElement {
  const { style = '', ...others } = attributes
  const declared = style.split(';').flatMap((declaration): [string, string][] => {
    const [property = '', value = ''] = declaration.split(':').map((part) => part.trim())
    return STYLES.has(property) ? [[property, value]] : []
  })
  const all = [...Object.entries(others), ...declared].filter(
    ([key, value]) => ATTRIBUTES.has(key) && VALUE.test(value) && !/url\s*\(/i.test(value),
  )
  const found = Object.fromEntries(all)
  const { id, ...rest } = found
  return { name, attributes: id !== undefined && ID.test(id) ? found : rest, content: [] }
}

function viewBoxOf({ attributes: { viewBox, width, height } }: PlanElement): string {
  if (viewBox !== undefined && /^\s*(-?[\d.]+[\s,]+){3}[\d.]+\s*$/.test(viewBox)) return viewBox.trim()
  const [wide, high] = [width, height].map((text) => Number.parseFloat(text ?? ''))
  if (!(Number(wide) > 0 && Number(high) > 0)) throw refusal('has neither a viewBox nor a width and a height')
  return `0 0 ${wide} ${high}`
}

/**
 * Returns the text to store for an uploaded plan. Throws 422 if the upload is invalid, or if the text would be invalid:
 * escapes and attributes can make the text longer than the upload.
 */
export function planToStore(upload: string): string {
  const svg = writePlan(cleanPlan(upload))
  if (Buffer.byteLength(svg) > MAX_PLAN_BYTES)
    throw refusal(
      message('has more than {kilobytes, number} kB after cleaning. Use fewer shapes and shorter texts.', {
        kilobytes: MAX_PLAN_BYTES / 1024,
      }),
    )
  cleanPlan(svg)
  return svg
}

/** Parses a stored plan. Returns undefined if the plan is invalid. */
export function readStoredPlan(svg: string): PlanElement | undefined {
  try {
    return cleanPlan(svg)
  } catch (error) {
    if (error instanceof HttpError) return undefined
    throw error
  }
}

const NAMED_SHAPE = new RegExp(`<(?:${[...SHAPES].join('|')}) [^<>]*?\\bid="([\\w.-]{1,64})"`, 'g')

/** Returns the ids of the shapes of a stored plan without parsing the plan. A shape is a seat if its id is a host name. */
export const namesIn = (svg: string): string[] => [...new Set([...svg.matchAll(NAMED_SHAPE)].map(([, id = '']) => id))]

/** Reports whether an element is a shape with an id, so that it may be a seat. */
export const isNamedShape = ({ name, attributes }: PlanElement): boolean =>
  SHAPES.has(name) && attributes.id !== undefined

/** A plan as text. Shapes are written by `shape` where that gives something; the values are clean already. */
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
