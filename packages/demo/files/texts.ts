import type { Page } from './write-pdf.ts'

/** The first page of every subject. `assets/cover.png` is its picture. */
const COVER: Page = {
  title: 'Subject · Sujet',
  paragraphs: [
    'The demonstration school',
    'A real school puts its own subjects in the place of these: an upload by curl or by an application takes a minute.',
  ],
}

type Titles = {
  readonly handIn: string
  readonly evaluation: readonly string[]
  readonly evaluated: string
  readonly about: string
}

const TITLES: Readonly<Record<'en' | 'fr', Titles>> = {
  en: {
    about: 'I. What it is about',
    handIn: 'II. What to hand in',
    evaluated: 'III. How it is evaluated',
    evaluation: [
      'Everything is in your repository when you call your team finished. What is not there does not exist; what does not build is not evaluated.',
      'Your peers evaluate you, and you will evaluate theirs. They follow the scale of the project and ask you to change a detail on the spot.',
      'A team whose marks reach the minimum has validated the project.',
    ],
  },
  fr: {
    about: "I. De quoi il s'agit",
    handIn: 'II. Ce qui est à rendre',
    evaluated: 'III. Comment vous êtes évalués',
    evaluation: [
      "Tout est dans votre dépôt quand vous déclarez votre équipe terminée. Ce qui n'y est pas n'existe pas ; ce qui ne compile pas n'est pas évalué.",
      'Vos pairs vous évaluent, et vous les évaluerez. Ils suivent le barème du projet et vous demandent de changer un détail sur-le-champ.',
      'Une équipe dont les notes atteignent le minimum a validé le projet. En cas de doute, la version anglaise fait foi.',
    ],
  },
}

export type SubjectText = { readonly title: string; readonly about: string; readonly tasks: readonly string[] }

export function subjectPages({ title, about, tasks }: SubjectText, language: 'en' | 'fr'): readonly Page[] {
  const titles = TITLES[language]
  return [
    COVER,
    { title, paragraphs: [titles.about, about] },
    { title: titles.handIn, paragraphs: tasks.map((task, index) => `${index + 1}. ${task}`) },
    { title: titles.evaluated, paragraphs: titles.evaluation },
  ]
}
