import { message } from '@campus/engine/base/languages/say'
import { MAX_PLAN_DEPTH, MAX_PLAN_ELEMENTS, planRefusal, type SvgElement, tooComplex } from './read-svg.ts'
import { declarationsOf, MAX_VALUE_LENGTH, type StyleSheet, styleSheetOf } from './svg-styles.ts'

/** A page has 120 kB in all. */
export const MAX_PLAN_BYTES = 65_536

/** Elements without scripts, links and pictures. */
const ELEMENTS = new Set([
  ...['svg', 'g', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'path', 'text', 'tspan', 'title', 'desc'],
])
const DESCRIPTIONS = new Set(['title', 'desc'])
const GROUPS = new Set(['svg', 'g', 'text', 'tspan'])
const TEXTS = new Set(['text', 'tspan', ...DESCRIPTIONS])
const PAINTS = new Set(['fill', 'stroke'])
const STYLES = new Set([
  ...['fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity'],
  ...['stroke-dashoffset', 'stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit', 'font-size', 'font-style'],
  ...['font-weight', 'letter-spacing', 'text-anchor', 'dominant-baseline'],
])
const PLACES = new Set([
  ...['id', 'viewBox', 'x', 'y', 'width', 'height', 'rx', 'ry', 'cx', 'cy', 'r', 'x1', 'y1', 'x2', 'y2', 'points', 'd'],
  ...['transform', 'dx', 'dy'],
])
/** Properties that decide what is stored, but are not stored. */
const RESOLVED = new Set(['color', 'display', 'stop-color', 'visibility'])
const isProperty = (name: string) => STYLES.has(name) || RESOLVED.has(name)
/** Excludes addresses. */
const VALUE = /^[\w\s#%.,()+-]*$/
const isSafe = (value: string) => VALUE.test(value) && !/url\s*\(/i.test(value)
const ID = /^[\w.-]{1,64}$/
const MAX_GRADIENTS = 8
/** Maximum total length of the attributes and style declarations read. Those of a copied element count for each copy. */
const MAX_READ = 1_048_576

type Inherited = {
  readonly color: string | undefined
  readonly isHidden: boolean
  /** Ids of copies are left out, since an id names one seat. */
  readonly isCopy: boolean
  readonly depth: number
}

const tooRepetitive = () =>
  planRefusal('repeats long attributes or styles too often. Use fewer copies, gradients and classes.')

export const tooLong = () =>
  planRefusal(
    message('has more than {kilobytes, number} kB after cleaning. Use fewer shapes and shorter texts.', {
      kilobytes: MAX_PLAN_BYTES / 1024,
    }),
  )

/**
 * Returns what a drawing shows, as elements that only draw. Style sheets, styles in attributes, references within the
 * drawing and alternatives become attributes and elements. Throws 422 if the drawing becomes too large.
 */
export function resolveSvg(root: SvgElement): SvgElement {
  const { attributes, content } = new Resolver(root).drawing()
  const styles = Object.entries(attributes).filter(([name]) => STYLES.has(name))
  return { name: 'svg', attributes: { viewBox: viewBoxOf(root), ...Object.fromEntries(styles) }, content }
}

class Resolver {
  readonly #root: SvgElement
  readonly #styles: StyleSheet
  readonly #byId = new Map<string, SvgElement>()
  #elements = 0
  #length = 0
  #read = 0

  constructor(root: SvgElement) {
    const css: string[] = []
    const note = (element: SvgElement) => {
      const { id } = element.attributes
      if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, element)
      for (const part of element.content)
        if (typeof part !== 'string') note(part)
        else if (element.name === 'style') css.push(part)
    }
    note(root)
    this.#root = root
    this.#styles = styleSheetOf(css.join('\n'), isProperty)
  }

  drawing(): SvgElement {
    const nothing = { color: undefined, isHidden: false, isCopy: false, depth: 1 }
    const properties = this.#propertiesOf(this.#root)
    properties.delete('display')
    return this.#draw(this.#root, properties, nothing) ?? { ...this.#root, attributes: {}, content: [] }
  }

  #resolve(element: SvgElement, inherited: Inherited): SvgElement | undefined {
    this.#elements += 1
    if (this.#elements > MAX_PLAN_ELEMENTS || inherited.depth > MAX_PLAN_DEPTH) throw tooComplex()
    this.#countRead(element)
    if (isExtension(element)) return undefined
    const properties = this.#propertiesOf(element)
    if (element.name === 'switch')
      return this.#draw({ ...element, name: 'g', content: chosen(element) }, properties, inherited)
    if (element.name === 'use') return this.#copy(element, properties, inherited)
    return ELEMENTS.has(element.name) ? this.#draw(element, properties, inherited) : undefined
  }

  #draw(
    element: SvgElement,
    properties: ReadonlyMap<string, string>,
    inherited: Inherited,
    copies = inherited.isCopy,
  ): SvgElement | undefined {
    const { name } = element
    if (properties.get('display') === 'none') return undefined
    const visibility = properties.get('visibility') ?? 'inherit'
    const isHidden = visibility === 'inherit' ? inherited.isHidden : visibility !== 'visible'
    if (isHidden && !GROUPS.has(name) && !DESCRIPTIONS.has(name)) return undefined
    const color = colorOf(properties.get('color'), inherited.color)
    const attributes = this.#attributesOf(element, properties, { ...inherited, color })
    const children = { color, isHidden, isCopy: copies, depth: inherited.depth + 1 }
    const content: (SvgElement | string)[] = []
    for (const part of element.content) {
      if (typeof part === 'string') {
        if (!TEXTS.has(name) || isHidden) continue
        this.#spend(part.length)
        content.push(part)
        continue
      }
      // Browsers read the content of a title or description as HTML, where `<g/>` opens an element.
      const drawn = DESCRIPTIONS.has(name) ? undefined : this.#resolve(part, children)
      if (drawn) content.push(drawn)
    }
    const isShown = content.some((part) => typeof part === 'string' || !DESCRIPTIONS.has(part.name))
    return isHidden && !isShown ? undefined : { name, attributes, content }
  }

  /** Draws the element that a `<use>` refers to, in a group at its place. */
  #copy(element: SvgElement, properties: ReadonlyMap<string, string>, inherited: Inherited): SvgElement | undefined {
    const target = this.#byId.get(referenceOf(element) ?? '')
    if (!target) return undefined
    const { x, y, width, height, transform, ...others } = element.attributes
    const [left = 0, top = 0] = [x, y].map((text) => Number.parseFloat(text ?? '') || 0)
    const moves = [transform, left === 0 && top === 0 ? undefined : `translate(${left} ${top})`]
    const move = moves.filter((part) => part !== undefined).join(' ')
    const { viewBox } = target.attributes
    const isScaled = target.name === 'symbol' && viewBox !== undefined
    const size = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
    const copied =
      target.name === 'symbol'
        ? { ...target, name: isScaled ? 'svg' : 'g', attributes: { ...target.attributes, ...(isScaled && size) } }
        : target
    const attributes = { ...others, ...(move !== '' && { transform: move }) }
    return this.#draw({ name: 'g', attributes, content: [copied] }, properties, inherited, true)
  }

  /** Later sources take precedence: attributes, style sheets, the `style` attribute. */
  #propertiesOf({ name, attributes }: SvgElement): Map<string, string> {
    const styles = this.#styles(name, attributes)
    this.#count(styles.read)
    return new Map([
      ...Object.entries(attributes).filter(([key, value]) => isProperty(key) && value.length <= MAX_VALUE_LENGTH),
      ...styles.properties,
      ...declarationsOf(attributes.style ?? '', isProperty),
    ])
  }

  #attributesOf(
    { name, attributes }: SvgElement,
    properties: ReadonlyMap<string, string>,
    { color, isCopy }: Inherited,
  ): Record<string, string> {
    const found: Record<string, string> = {}
    const add = (key: string, value: string) => {
      if (!isSafe(value)) return
      found[key] = value
      this.#spend(key.length + value.length)
    }
    this.#spend(name.length)
    const id = isCopy ? undefined : nameOf(attributes)
    if (id !== undefined) add('id', id)
    for (const [key, value] of Object.entries(attributes)) if (key !== 'id' && PLACES.has(key)) add(key, value)
    for (const [key, value] of properties)
      if (STYLES.has(key)) add(key, PAINTS.has(key) ? this.#paintOf(value, color) : value)
    return found
  }

  /** Replaces a gradient by its first colour, and a pattern or a reference elsewhere by the colour after it or `none`. */
  #paintOf(value: string, color: string | undefined): string {
    if (/^currentcolor$/i.test(value)) return color ?? value
    const [, address, fallback = ''] = /^url\(([^)]*)\)(.*)$/is.exec(value) ?? []
    if (address === undefined) return value
    const id = address.trim().replace(/^["']?#?|["']$/g, '')
    return this.#colorOfGradient(id, color) ?? (fallback.trim() || 'none')
  }

  #colorOfGradient(id: string, color: string | undefined, depth = 0): string | undefined {
    const gradient = this.#byId.get(id)
    if (!gradient || !/^(linear|radial)Gradient$/.test(gradient.name) || depth > MAX_GRADIENTS) return undefined
    this.#countRead(gradient)
    const stop = gradient.content.find((part) => typeof part === 'object' && part.name === 'stop')
    if (typeof stop === 'object') {
      this.#countRead(stop)
      return colorOf(this.#propertiesOf(stop).get('stop-color'), color) ?? 'black'
    }
    return this.#colorOfGradient(referenceOf(gradient) ?? '', color, depth + 1)
  }

  /** Counts the attributes of an element, and its children, since a `<switch>` or a gradient searches them. */
  #countRead({ attributes, content }: SvgElement): void {
    this.#count(content.length)
    for (const [key, value] of Object.entries(attributes)) this.#count(key.length + value.length)
  }

  #count(read: number): void {
    this.#read += read
    if (this.#read > MAX_READ) throw tooRepetitive()
  }

  /** A copy may repeat long attributes, so the length is bounded before the drawing is written. */
  #spend(length: number): void {
    this.#length += length
    if (this.#length > MAX_PLAN_BYTES) throw tooLong()
  }
}

function colorOf(value: string | undefined, inherited: string | undefined): string | undefined {
  const isInherited = value === undefined || /^(inherit|currentcolor)$/i.test(value)
  return isInherited || !isSafe(value) ? inherited : value
}

/** Marks content for programs with an extension, such as Illustrator. */
const isExtension = ({ attributes }: SvgElement) => (attributes.requiredExtensions ?? '').trim() !== ''

/** Returns the alternative of a `<switch>` for readers of any language, or else the first one. */
function chosen({ content }: SvgElement): SvgElement[] {
  const shown = content.flatMap((part) => (typeof part === 'string' || isExtension(part) ? [] : [part]))
  const [alternative] = [...shown.filter(({ attributes }) => attributes.systemLanguage === undefined), ...shown]
  return alternative ? [alternative] : []
}

function referenceOf({ attributes }: SvgElement): string | undefined {
  const address = attributes.href ?? attributes['xlink:href'] ?? ''
  return address.startsWith('#') ? address.slice(1) : undefined
}

const GENERATED = /^(rect|path|circle|ellipse|polygon|g|use|layer)\d[\d-]*$/
const ESCAPED = /_x([0-9a-f]{2,5})_/gi

/**
 * Returns the name that a person gave an element. Inkscape stores the name in its list of objects as a label, beside an id
 * of its own. Illustrator escapes characters of ids.
 */
function nameOf({ id = '', 'inkscape:label': label, 'data-name': name }: SvgElement['attributes']): string | undefined {
  const decoded = id.replace(ESCAPED, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  const given = GENERATED.test(id) ? label : id.startsWith('_') ? name : undefined
  const isStable = (text: string | undefined) => text !== undefined && ID.test(text) && text.search(ESCAPED) < 0
  return [given, decoded].find(isStable) ?? (ID.test(id) ? id : undefined)
}

/** User units of absolute lengths (CSS Values 4 §6.2). */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
}

function viewBoxOf({ attributes: { viewBox, width, height } }: SvgElement): string {
  if (viewBox !== undefined && /^\s*(-?[\d.]+[\s,]+){3}[\d.]+\s*$/.test(viewBox)) return viewBox.trim()
  const [wide, high] = [width, height].map((text = '') => {
    const [, number, unit = ''] = /^\+?([\d.]+(?:e[+-]?\d+)?)\s*([a-z]*)$/.exec(text.trim()) ?? []
    return Number(number) * (UNITS[unit] ?? Number.NaN)
  })
  if (!(Number(wide) > 0 && Number(high) > 0)) throw planRefusal('has neither a viewBox nor a width and a height')
  return `0 0 ${wide} ${high}`
}
