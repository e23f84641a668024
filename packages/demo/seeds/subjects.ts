import { PROJECTS } from './curriculum.ts'
import { PROJECTS as KNOWN } from './network/numbers.ts'
import { type ProjectText, textOf } from './project-texts.ts'
import type { SubjectOrder } from './world.ts'

const IN_FRENCH: Readonly<Record<string, ProjectText>> = {
  'terminal-00': {
    about: 'Vous découvrez le terminal : fichiers, dossiers, droits, et des commandes qui font bien de petites choses.',
    tasks: ["Dix exercices courts, chacun dans un fichier nommé comme le dit l'énoncé."],
  },
  'terminal-01': {
    about: "Les commandes deviennent des phrases : tubes, filtres, et ce qu'un shell garde dans ses variables.",
    tasks: ["Huit exercices, chacun d'une ligne ou deux de shell."],
  },
  'byte-library': {
    about:
      'Vous réécrivez, à partir de rien, les fonctions sur la mémoire, les caractères et les textes dont tout programme aura besoin.',
    tasks: [
      'Une bibliothèque construite par une seule commande, et seulement là où une source a changé.',
      'Vingt fonctions de la bibliothèque standard, avec le même comportement à leurs limites.',
      'Une liste chaînée : ajouter, enlever, parcourir et libérer ses éléments.',
    ],
  },
  'line-reader': {
    about: "Une fonction donne une ligne d'un fichier à chaque appel, quelle que soit la longueur de la ligne.",
    tasks: [
      'La fonction, avec un tampon dont la taille est choisie à la compilation.',
      "Plusieurs fichiers lus tour à tour, sans que l'un dérange l'autre.",
      'Aucun octet perdu, aucune fuite de mémoire.',
    ],
  },
}

/** Returns the subjects of all projects, with the names that the school will have. */
export const orderSubjects = (likeTheNetwork: boolean): readonly SubjectOrder[] =>
  PROJECTS.flatMap((project) => {
    const known = likeTheNetwork ? KNOWN[project.slug] : undefined
    const named = { slug: project.slug, title: known?.name ?? project.name }
    const english: SubjectOrder = { ...named, language: 'en', ...textOf(project) }
    const french = IN_FRENCH[project.slug]
    return french ? [english, { ...named, language: 'fr', ...french }] : [english]
  })
