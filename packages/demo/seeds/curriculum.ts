import { defined } from '@campus/engine/base/defined'
import { CORE, DATA_ENGINEERING, DISCOVERY, ENTRY_POOL, SKILLS } from './school.ts'

/** A project as the school teaches it. */
export type Project = {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly cursus: number
  /** How long it usually takes. */
  readonly days: number
  /** The most members that a team may have. */
  readonly people: number
  /** How many evaluations it needs; 0 for parents and exams. */
  readonly corrections: number
  readonly exam: boolean
  readonly parent: number | null
  /** The project that must be validated before. */
  readonly after: number | null
  readonly difficulty: number
  readonly skills: readonly number[]
}

type Outline = readonly [
  name: string,
  days: number,
  details?: {
    readonly people?: number
    readonly after?: string
    readonly parts?: readonly string[]
    readonly exam?: true
  },
]

const COURSES: readonly (readonly [
  cursus: number,
  prefix: string,
  corrections: number,
  outlines: readonly Outline[],
])[] = [
  [
    CORE,
    '',
    2,
    [
      ['Byte Library', 14],
      ['Line Reader', 8, { after: 'byte-library' }],
      ['Formatted Output', 8, { after: 'byte-library' }],
      ['Virtual Box', 6, { after: 'byte-library' }],
      ['Stack Sorter', 12, { after: 'line-reader' }],
      ['Signal Courier', 7, { after: 'line-reader' }],
      ['Maze Window', 12, { after: 'formatted-output' }],
      ['Core Exam 02', 1, { exam: true }],
      ['Hungry Threads', 12, { after: 'stack-sorter' }],
      ['Small Shell', 26, { people: 2, after: 'stack-sorter' }],
      ['Core Exam 03', 1, { exam: true }],
      ['Ray Room', 24, { people: 2, after: 'small-shell' }],
      ['Address Plan', 9, { after: 'small-shell' }],
      [
        'Object Modules',
        30,
        { after: 'small-shell', parts: ['Object Modules 00', 'Object Modules 01', 'Object Modules 02'] },
      ],
      ['Core Exam 04', 1, { exam: true }],
      ['Container Fleet', 14, { after: 'object-modules-00' }],
      ['Relay Chat', 26, { people: 2, after: 'object-modules-02' }],
      ['Core Exam 05', 1, { exam: true }],
      ['Grand Arena', 50, { people: 3, after: 'relay-chat' }],
      ['Tiny Compiler', 30, { after: 'container-fleet' }],
      ['Packet Radio', 20, { after: 'address-plan' }],
      ['Kernel from Nothing', 60, { people: 2, after: 'grand-arena' }],
      ['Work Experience', 120, { after: 'relay-chat', parts: ['Work Experience Contract', 'Work Experience Report'] }],
    ],
  ],
  [
    ENTRY_POOL,
    '',
    1,
    [
      ['Terminal 00', 2],
      ['Terminal 01', 2],
      ...['Basics 00', 'Basics 01', 'Basics 02', 'Basics 03', 'Basics 04', 'Basics 05'].map(
        (name): Outline => [name, 3],
      ),
      ...['Basics 06', 'Basics 07', 'Basics 08', 'Basics 09', 'Basics 10', 'Basics 11'].map(
        (name): Outline => [name, 4],
      ),
      ...['Weekend Rush 00', 'Weekend Rush 01', 'Weekend Rush 02'].map((name): Outline => [name, 2, { people: 3 }]),
      ...['Pool Exam 00', 'Pool Exam 01', 'Pool Exam 02'].map((name): Outline => [name, 1, { exam: true }]),
      ['Pool Challenge', 8, { parts: ['Pool Challenge Map', 'Pool Challenge Solver', 'Pool Challenge Race'] }],
    ],
  ],
  [DISCOVERY, '', 1, ['First Page', 'First Program', 'First Robot'].map((name): Outline => [name, 3])],
  [
    DATA_ENGINEERING,
    'Data ',
    2,
    [
      ['Collection', 10],
      ['Cleaning', 10, { after: 'data-collection' }],
      ['Warehouse', 20, { people: 2, after: 'data-cleaning' }],
      ['Pipeline', 20, { people: 2, after: 'data-warehouse' }],
    ],
  ],
]

/** Every project, in the order in which they are usually done. */
export const PROJECTS: readonly Project[] = layOut()

const NEEDED: ReadonlySet<number | null> = new Set(PROJECTS.map(({ after }) => after))
const LAST_OF_ALL = defined(PROJECTS.find(({ slug }) => slug === 'grand-arena'))

/** Whether others build on it. */
export const isNeeded = ({ id }: Project): boolean => NEEDED.has(id)

/** Whether it is among what everybody does in the core curriculum before they may go on to what they like. */
export const isOfTheCommonCore = ({ cursus, id }: Project): boolean => cursus === CORE && id <= LAST_OF_ALL.id

function layOut(): Project[] {
  const projects: Project[] = []
  const idOf = (slug: string) => projects.find((project) => project.slug === slug)?.id ?? null
  const add = (cursus: number, corrections: number, [name, days, details = {}]: Outline, parent: number | null) => {
    const { people = 1, after, parts = [], exam = false } = details
    const id = projects.length + 1
    projects.push({
      id,
      name,
      slug: slugOf(name),
      cursus,
      days,
      people,
      exam,
      parent,
      corrections: exam || parts.length > 0 ? 0 : corrections + (people > 2 ? 1 : 0),
      after: after ? idOf(after) : null,
      difficulty: Math.round(days * 105),
      skills: [0, 5].map((step) => ((id + step) % SKILLS.length) + 1),
    })
    // Where the whole has its place in the order, so have its parts.
    for (const [index, part] of parts.entries()) {
      const before = after && index > 0 ? slugOf(defined(parts[index - 1])) : after
      add(cursus, corrections, [part, Math.ceil(days / parts.length), before ? { after: before } : {}], id)
    }
  }
  for (const [cursus, prefix, corrections, outlines] of COURSES) {
    for (const [name, ...rest] of outlines) add(cursus, corrections, [prefix + name, ...rest], null)
  }
  return projects
}

function slugOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-')
}
