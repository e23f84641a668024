import { type PlanElement, writePlan } from '../../school/domain/school/clean-plan.ts'
import { avatar, facePath } from '../avatar.ts'
import { empty } from '../components.ts'
import { type Html, html, raw, say } from '../html.ts'
import { pathOfPerson } from './parts.ts'
import { type Area, isTaken, type ShownArea } from './read-seats.ts'
import type { Seat } from './seats.ts'
import { dotOf } from './shares.ts'

type Options = {
  readonly found?: Seat | undefined
  readonly hasLinks: boolean
}

export const seatMap = (shown: ShownArea | undefined, options: Options): Html =>
  shown === undefined
    ? empty(say('Nobody is logged in at this campus now.'))
    : html`${shown.plan ? planOf(shown.area, shown.plan, options) : rowsOf(shown.area, options)}${legendOf(shown.area.seats)}`

const rowsOf = ({ rows = [], label }: Area, options: Options): Html => html`
  <div class="scroll" tabindex="0" role="group" aria-label="${label}"><dl class="seats">${rows.map(
    ({ row, seats }) => html`
    <div><dt>${row === '' ? '' : say('Row {row}', { row })}</dt>
      <dd><ol>${seats.map((seat) => html`<li id="seat-${seat.host}">${seatOf(seat, options)}</li>`)}</ol></dd></div>`,
  )}</dl></div>`

function seatOf(seat: Seat, { found, hasLinks }: Options): Html {
  const { sitting, post, host, coalition } = seat
  if (!sitting) return html`<span class="seat" title="${say('{host}: free', { host })}">${post}</span>`
  const { user } = sitting
  const inside = html`${avatar(user, 'medium')}<span class="seat-login">${user.login}</span>${
    coalition
      ? html`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect width="1" height="1" fill="${coalition.color ?? 'gray'}"/></svg>`
      : ''
  }`
  const seated = say('{name}: {value}', { name: host, value: user.displayname })
  const title = `${seated}${coalition ? ` (${coalition.name})` : ''}`
  const classes = `seat taken${seat === found ? ' found' : ''}`
  return hasLinks
    ? html`<a class="${classes}" href="${pathOfPerson(user.login)}" title="${title}"${seat === found ? html` aria-current="true"` : ''}>${inside}</a>`
    : html`<span class="${classes}" title="${title}">${inside}</span>`
}

function planOf({ seats, label }: Area, plan: PlanElement, options: Options): Html {
  const known = new Map(seats.map((seat) => [seat.host, seat]))
  const svg = writePlan(plan, (element, written) => {
    const seat = known.get(element.attributes.id ?? '')
    if (!seat) return undefined
    // Only the first shape with this id is a seat, so that a person is drawn once.
    known.delete(seat.host)
    return String(shapeOf(seat, element, raw(written), options))
  })
  return html`<div class="plan scroll" tabindex="0" role="group" aria-label="${label}">${raw(svg)}</div>`
}

function shapeOf(seat: Seat, element: PlanElement, written: Html, { found, hasLinks }: Options): Html {
  const { host, sitting, coalition } = seat
  if (!sitting) return html`<g class="plan-seat">${html`<title>${say('{host}: free', { host })}</title>`}${written}</g>`
  const { user } = sitting
  const box = boxOf(element)
  const inside = html`<title>${say('{name}: {value}', { name: host, value: user.displayname })}</title>${written}${
    box
      ? html`<g${element.attributes.transform === undefined ? '' : html` transform="${element.attributes.transform}"`}><rect class="plan-taken" x="${box.x}" y="${box.y}" width="${box.side}" height="${box.side}" fill="${coalition?.color ?? 'gray'}"/><image class="plan-face" href="${facePath(user, 'micro')}" x="${box.x + box.side * 0.06}" y="${box.y + box.side * 0.06}" width="${box.side * 0.88}" height="${box.side * 0.88}"/></g>`
      : ''
  }`
  const classes = `plan-seat taken${seat === found ? ' found' : ''}`
  return hasLinks
    ? html`<a class="${classes}" href="${pathOfPerson(user.login)}" aria-label="${say('{name}: {value}', { name: host, value: user.displayname })}">${inside}</a>`
    : html`<g class="${classes}">${inside}</g>`
}

type Box = { readonly x: number; readonly y: number; readonly side: number }

/** Returns the square in the middle of a shape, or undefined for shapes whose place is known only when they are drawn. */
function boxOf({ name, attributes }: PlanElement): Box | undefined {
  const [x = 0, y = 0, width, height] = ['x', 'y', 'width', 'height'].map((key) => numberIn(attributes[key]))
  if (name === 'rect' && width && height) {
    const side = Math.min(width, height)
    return { x: x + (width - side) / 2, y: y + (height - side) / 2, side }
  }
  const [cx = 0, cy = 0, r, rx, ry] = ['cx', 'cy', 'r', 'rx', 'ry'].map((key) => numberIn(attributes[key]))
  const radius = name === 'circle' ? r : name === 'ellipse' && rx && ry ? Math.min(rx, ry) : undefined
  return radius ? { x: cx - radius, y: cy - radius, side: radius * 2 } : undefined
}

function numberIn(text: string | undefined): number | undefined {
  const number = Number.parseFloat(text ?? '')
  return Number.isFinite(number) ? number : undefined
}

function legendOf(seats: readonly Seat[]): Html | '' {
  const houses = Map.groupBy(
    seats.flatMap(({ coalition }) => coalition ?? []),
    ({ id }) => id,
  )
  if (houses.size === 0) return ''
  return html`<ul class="legend">${[...houses.values()].map(
    (all) => html`<li>${dotOf(all[0]?.color ?? null)} ${all[0]?.name} <span class="quiet">${all.length}</span></li>`,
  )}</ul>`
}

export const occupancyOf = ({ seats }: Area): string =>
  say('{taken, number} of {all, number}', { taken: seats.filter(isTaken).length, all: seats.length })
