import { defined } from '@campus/engine/base/defined'
import { namesOf } from '@campus/engine/base/narrow'
import { faker as german } from '@faker-js/faker/locale/de'
import { faker as australian } from '@faker-js/faker/locale/en_AU'
import { faker as spanish } from '@faker-js/faker/locale/es'
import { faker as french } from '@faker-js/faker/locale/fr'
import { faker as polish } from '@faker-js/faker/locale/pl'
import { faker as brazilian } from '@faker-js/faker/locale/pt_BR'
import type { Random } from './random.ts'

const FAKERS = { french, brazilian, australian, spanish, german, polish }
const DRAWS = 600
const FROM_ELSEWHERE = 0.12

// Faker's French first names are old-fashioned.
const FRENCH_FIRST_NAMES =
  `Léa Hugo Chloé Lucas Manon Enzo Inès Théo Camille Nathan Jade Louis Zoé Raphaël Sarah Gabriel Louise
  Arthur Alice Jules Lina Adam Eva Maël Rose Sacha Anaïs Noé Clara Tom Juliette Ethan Margaux Baptiste Élise Maxime Océane
  Antoine Maëlys Clément Romane Quentin Noémie Valentin Agathe Axel Lucie Mohamed Nina Rayan Mathilde Yanis Pauline Bastien
  Amélie Rémi Charlotte Loïc Justine Matthieu Aïcha Grégoire Marie-Lou Jean-Baptiste`.split(/\s+/)

export type Origin = keyof typeof FAKERS

const ORIGINS = namesOf(FAKERS)

type NamePool = { readonly firstNames: readonly string[]; readonly lastNames: readonly string[] }

/** Combines first and last names of several countries, which are drawn once. */
export class Names {
  readonly #random: Random
  readonly #pools: ReadonlyMap<Origin, NamePool>

  constructor(random: Random) {
    this.#random = random
    this.#pools = new Map(ORIGINS.map((origin) => [origin, drawPool(origin, random)]))
  }

  next(home: Origin): { readonly firstName: string; readonly lastName: string; readonly otherName: string } {
    const origin = this.#random.chance(FROM_ELSEWHERE) ? this.#random.pick(ORIGINS) : home
    const { firstNames, lastNames } = defined(this.#pools.get(origin))
    const lastName = this.#common(lastNames)
    return {
      firstName: this.#common(firstNames),
      // Brazilians have a last name of each parent.
      lastName: origin === 'brazilian' ? `${this.#common(lastNames)} ${lastName}` : lastName,
      otherName: this.#common(firstNames),
    }
  }

  /** Picks a name from the list. The first names of the list are the most common. */
  #common(list: readonly string[]): string {
    return defined(list[Math.floor(this.#random.next() ** 1.6 * list.length)])
  }
}

function drawPool(origin: Origin, random: Random): NamePool {
  const faker = FAKERS[origin]
  faker.seed(random.integer(0, 2 ** 31))
  const draw = (name: () => string) => [...new Set(Array.from({ length: DRAWS }, name))]
  return {
    firstNames: origin === 'french' ? FRENCH_FIRST_NAMES : draw(() => faker.person.firstName()),
    lastNames: draw(() => faker.person.lastName()),
  }
}
