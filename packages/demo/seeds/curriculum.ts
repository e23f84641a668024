import { defined } from '@campus/engine/base/defined'
import { slugOf } from '@campus/engine/base/text/slugs'
import { CORE, DATA_ENGINEERING, DISCOVERY, ENTRY_POOL, SKILLS } from './school.ts'

export type Project = {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly cursus: number
  /** Usual duration. */
  readonly days: number
  /** Maximum number of members of a team. */
  readonly people: number
  /** Number of evaluations. 0 for parents and exams. */
  readonly corrections: number
  readonly exam: boolean
  readonly parent: number | null
  /** Id of the project that must be validated before. */
  readonly after: number | null
  readonly difficulty: number
  readonly skills: readonly number[]
}

type Details = {
  readonly people?: number
  readonly after?: string
  readonly parts?: readonly string[]
  readonly exam?: true
}
type Outline = readonly [name: string, days: number, details?: Details]

/** Outlines of the numbered projects of a series. */
const series = (name: string, first: number, last: number, days: number, details: Details = {}): Outline[] =>
  Array.from({ length: last - first + 1 }, (_, nth) => [
    `${name} ${String(first + nth).padStart(2, '0')}`,
    days,
    details,
  ])

type Course = readonly [cursus: number, corrections: number, outlines: readonly Outline[]]

const COURSES: readonly Course[] = [
  [
    CORE,
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
    1,
    [
      ...series('Terminal', 0, 1, 2),
      ...series('Basics', 0, 5, 3),
      ...series('Basics', 6, 11, 4),
      ...series('Weekend Rush', 0, 2, 2, { people: 3 }),
      ...series('Pool Exam', 0, 2, 1, { exam: true }),
      ['Pool Challenge', 8, { parts: ['Pool Challenge Map', 'Pool Challenge Solver', 'Pool Challenge Race'] }],
    ],
  ],
  [DISCOVERY, 1, ['First Page', 'First Program', 'First Robot'].map((name): Outline => [name, 3])],
  [
    DATA_ENGINEERING,
    2,
    [
      ['Data Collection', 10],
      ['Data Cleaning', 10, { after: 'data-collection' }],
      ['Data Warehouse', 20, { people: 2, after: 'data-cleaning' }],
      ['Data Pipeline', 20, { people: 2, after: 'data-warehouse' }],
    ],
  ],
]

/** Every project, in the usual order of students. */
export const PROJECTS: readonly Project[] = layOut()

const NEEDED: ReadonlySet<number | null> = new Set(PROJECTS.map(({ after }) => after))

/** Whether another project requires this project. */
export const isNeeded = ({ id }: Project): boolean => NEEDED.has(id)

/** The core curriculum up to its last common project. */
export const COMMON_CORE = PROJECTS.slice(0, PROJECTS.findIndex(({ slug }) => slug === 'grand-arena') + 1)

function layOut(): Project[] {
  const projects: Project[] = []
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
      after: projects.find((project) => project.slug === after)?.id ?? null,
      difficulty: Math.round(days * 105),
      skills: [0, 5].map((step) => ((id + step) % SKILLS.length) + 1),
    })
    for (const [index, part] of parts.entries()) {
      const before = after && index > 0 ? slugOf(defined(parts[index - 1])) : after
      add(cursus, corrections, [part, Math.ceil(days / parts.length), before ? { after: before } : {}], id)
    }
  }
  for (const [cursus, corrections, outlines] of COURSES) {
    for (const outline of outlines) add(cursus, corrections, outline, null)
  }
  return projects
}
