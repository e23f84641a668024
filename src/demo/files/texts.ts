import type { Page } from './write-pdf.ts'

/** What the projects of the demonstration school have attached, in place of what a real school writes. */
export const SUBJECTS: Readonly<Record<'en' | 'fr', { readonly title: string; readonly pages: readonly Page[] }>> = {
  en: {
    title: 'Subject',
    pages: [
      {
        title: 'Subject',
        paragraphs: [
          'This is the subject of a project of the demonstration school. A real school puts its own in this place: an upload by curl or by an application takes a minute.',
          'Contents: I. What it is about. II. What to hand in. III. How it is evaluated. IV. Going further.',
        ],
      },
      {
        title: 'I. What it is about',
        paragraphs: [
          'You build something small that works, that you understand to the last line, and that you can explain to somebody who has never seen it.',
          'Read this document to its end before you begin. Ask your neighbours first, then the forum, and the staff last.',
        ],
      },
      {
        title: 'II. What to hand in',
        paragraphs: [
          'Everything is in your repository when you call your team finished: the sources, their tests, and a page that says how to build and try it.',
          'What is not in the repository does not exist. What does not build is not evaluated.',
        ],
      },
      {
        title: 'III. How it is evaluated',
        paragraphs: [
          'Your peers evaluate you, and you will evaluate theirs. They follow the scale of the project and ask you to change a detail on the spot.',
          'A team whose marks reach the minimum has validated the project.',
        ],
      },
      {
        title: 'IV. Going further',
        paragraphs: [
          'What goes beyond the subject counts only when all that it asks for is complete. Surprise your evaluators, and keep it simple.',
        ],
      },
    ],
  },
  fr: {
    title: 'Sujet',
    pages: [
      {
        title: 'Sujet',
        paragraphs: [
          "Ceci est le sujet d'un projet de l'école de démonstration. Une vraie école met le sien à cette place : l'envoyer par curl ou par une application prend une minute.",
          "Sommaire : I. De quoi il s'agit. II. Ce qui est à rendre. III. Comment vous êtes évalués. IV. Pour aller plus loin.",
        ],
      },
      {
        title: "I. De quoi il s'agit",
        paragraphs: [
          "Vous construisez quelque chose de petit qui marche, que vous comprenez jusqu'à la dernière ligne et que vous savez expliquer à quelqu'un qui ne l'a jamais vu.",
          "Lisez ce document jusqu'à la fin avant de commencer. Demandez d'abord à vos voisins, puis au forum, et à l'équipe en dernier.",
        ],
      },
      {
        title: 'II. Ce qui est à rendre',
        paragraphs: [
          'Tout est dans votre dépôt quand vous déclarez votre équipe terminée : les sources, leurs tests, et une page qui dit comment construire et essayer.',
          "Ce qui n'est pas dans le dépôt n'existe pas. Ce qui ne compile pas n'est pas évalué.",
        ],
      },
      {
        title: 'III. Comment vous êtes évalués',
        paragraphs: [
          'Vos pairs vous évaluent, et vous les évaluerez. Ils suivent le barème du projet et vous demandent de changer un détail sur-le-champ.',
          'Une équipe dont les notes atteignent le minimum a validé le projet.',
        ],
      },
      {
        title: 'IV. Pour aller plus loin',
        paragraphs: [
          "Ce qui dépasse le sujet ne compte que si tout ce qu'il demande est complet. Étonnez vos évaluateurs, et restez simples.",
        ],
      },
      {
        title: 'Traduction',
        paragraphs: ['En cas de doute, la version anglaise fait foi.'],
      },
    ],
  },
}

export const STARTER_CODE = `#include <stdio.h>

/* Begin here. Hand in what builds without a warning. */
int	main(void)
{
	printf("Hello, campus.\\n");
	return (0);
}
`

export const NOTES = `Notes of the introduction

* The project is done in the time that its session says; a retry is open to everybody.
* Bring questions to the weekly hour; answers are written down in the forum.
* Whoever has validated the project may evaluate it.
`
