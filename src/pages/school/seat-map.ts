import { empty } from '../empty.ts'
import { type Html, html } from '../html.ts'
import { say } from '../say.ts'
import { pathOfPerson } from './parts.ts'
import { floorsOf, type Sitting } from './seats.ts'

/** Who sits where: a card for each floor, a line for each row. */
export const seatMap = (sittings: readonly Sitting[]): Html =>
  sittings.length === 0
    ? empty(say('Nobody is logged in at this campus now.'))
    : html`<div class="floors">${floorsOf(sittings).map(
        ({ floor, rows }) => html`
  <section class="card">
    <h3>${floor === undefined ? say('Elsewhere') : say('Floor {floor}', { floor })}</h3>
    <dl class="seats">${rows.map(
      ({ row, seats }) => html`
      <div><dt>${row === '' ? '' : say('Row {row}', { row })}</dt>
        <dd><ol>${seats.map(
          ({ post, sitting: { host, user } }) => html`
          <li><a href="${pathOfPerson(user.login)}" title="${host}"><span class="post">${post}</span> ${user.login}</a></li>`,
        )}</ol></dd></div>`,
    )}</dl>
  </section>`,
      )}</div>`
