import { slugOf } from '@campus/engine/base/text/slugs'

/** The id, name and slug of a record that public programs contain (docs/compatibility.md). */
export type Known = { readonly as: number; readonly name: string; readonly slug: string }

type KnownCampus = Known & { readonly timeZone: string; readonly country: string; readonly city: string }

export const CURSUS: Readonly<Record<string, Known>> = {
  // `former-curriculum` is last, since id 1 is taken until `core` gets another id.
  core: { as: 21, name: '42cursus', slug: '42cursus' },
  'entry-pool': { as: 9, name: 'C Piscine', slug: 'c-piscine' },
  'discovery-programme': { as: 103, name: 'Discovery Programme', slug: 'discovery-programme' },
  'data-engineering': { as: 104, name: 'Data Engineering', slug: 'data-engineering' },
  'former-curriculum': { as: 1, name: '42', slug: '42' },
}

/** Additional cursus, without users. Programs know the last two by their ids only. */
export const FURTHER_CURSUS: readonly (Known & { readonly kind: string })[] = [
  { as: 3, name: 'Discovery Piscine', slug: 'discovery-piscine', kind: 'piscine' },
  { as: 4, name: 'Piscine C', slug: 'piscine-c', kind: 'piscine_deprecated' },
  { as: 79, name: 'Cursus 79', slug: 'cursus-79', kind: 'piscine' },
  { as: 80, name: 'Cursus 80', slug: 'cursus-80', kind: 'piscine' },
]

const campus = (as: number, name: string, timeZone: string, country: string, city = name, slug = slugOf(city)) => {
  return { as, name, slug, timeZone, country, city }
}

export const CAMPUSES: Readonly<Record<string, KnownCampus>> = {
  grenoble: campus(1, 'Paris', 'Europe/Paris', 'France'),
  recife: campus(28, 'Rio de Janeiro', 'America/Sao_Paulo', 'Brazil'),
  adelaide: campus(36, 'Adelaide', 'Australia/Adelaide', 'Australia'),
}

/** Additional campuses, with the language of mails to their people. */
export const FURTHER_CAMPUSES: readonly (KnownCampus & { readonly language: string })[] = [
  { ...campus(12, '19', 'Europe/Brussels', 'Belgium', 'Brussels'), language: 'fr' },
  { ...campus(14, 'Amsterdam', 'Europe/Amsterdam', 'Netherlands'), language: 'en' },
  { ...campus(16, 'Khouribga', 'Africa/Casablanca', 'Morocco'), language: 'fr' },
  { ...campus(21, 'Benguerir', 'Africa/Casablanca', 'Morocco'), language: 'fr' },
  { ...campus(22, 'Madrid', 'Europe/Madrid', 'Spain'), language: 'es' },
  { ...campus(29, 'Seoul', 'Asia/Seoul', 'Korea, Republic of'), language: 'en' },
  { ...campus(31, 'Angouleme', 'Europe/Paris', 'France', 'Angoulême'), language: 'fr' },
  { ...campus(35, 'Amman', 'Asia/Amman', 'Jordan'), language: 'en' },
]

const project = (as: number, name: string, slug: string): Known => ({ as, name, slug })

export const PROJECTS: Readonly<Record<string, Known>> = {
  'byte-library': project(1314, 'Libft', '42cursus-libft'),
  'line-reader': project(1327, 'get_next_line', '42cursus-get_next_line'),
  'formatted-output': project(1316, 'ft_printf', '42cursus-ft_printf'),
  'virtual-box': project(1994, 'Born2beroot', 'born2beroot'),
  'stack-sorter': project(1471, 'push_swap', '42cursus-push_swap'),
  'signal-courier': project(2005, 'minitalk', 'minitalk'),
  'maze-window': project(2009, 'so_long', 'so_long'),
  'core-exam-02': project(1320, 'Exam Rank 02', 'exam-rank-02'),
  'hungry-threads': project(1334, 'Philosophers', '42cursus-philosophers'),
  'small-shell': project(1331, 'minishell', '42cursus-minishell'),
  'core-exam-03': project(1321, 'Exam Rank 03', 'exam-rank-03'),
  'ray-room': project(1315, 'miniRT', 'minirt'),
  'address-plan': project(2007, 'NetPractice', 'netpractice'),
  'object-modules-00': project(1338, 'CPP Module 00', 'cpp-module-00'),
  'object-modules-01': project(1339, 'CPP Module 01', 'cpp-module-01'),
  'object-modules-02': project(1340, 'CPP Module 02', 'cpp-module-02'),
  'core-exam-04': project(1322, 'Exam Rank 04', 'exam-rank-04'),
  'container-fleet': project(1983, 'Inception', 'inception'),
  'relay-chat': project(1336, 'ft_irc', 'ft_irc'),
  'core-exam-05': project(1323, 'Exam Rank 05', 'exam-rank-05'),
  'grand-arena': project(1337, 'ft_transcendence', 'ft_transcendence'),
  'terminal-00': project(1255, 'C Piscine Shell 00', 'c-piscine-shell-00'),
  'terminal-01': project(1256, 'C Piscine Shell 01', 'c-piscine-shell-01'),
  'basics-00': project(1257, 'C Piscine C 00', 'c-piscine-c-00'),
  'basics-01': project(1258, 'C Piscine C 01', 'c-piscine-c-01'),
  'basics-02': project(1259, 'C Piscine C 02', 'c-piscine-c-02'),
  'basics-03': project(1260, 'C Piscine C 03', 'c-piscine-c-03'),
  'basics-04': project(1261, 'C Piscine C 04', 'c-piscine-c-04'),
  'basics-05': project(1262, 'C Piscine C 05', 'c-piscine-c-05'),
  'basics-06': project(1263, 'C Piscine C 06', 'c-piscine-c-06'),
  'basics-07': project(1270, 'C Piscine C 07', 'c-piscine-c-07'),
  'basics-08': project(1264, 'C Piscine C 08', 'c-piscine-c-08'),
  'basics-09': project(1265, 'C Piscine C 09', 'c-piscine-c-09'),
  'basics-10': project(1266, 'C Piscine C 10', 'c-piscine-c-10'),
  'basics-11': project(1267, 'C Piscine C 11', 'c-piscine-c-11'),
  'weekend-rush-00': project(1308, 'C Piscine Rush 00', 'c-piscine-rush-00'),
  'weekend-rush-01': project(1310, 'C Piscine Rush 01', 'c-piscine-rush-01'),
  'weekend-rush-02': project(1309, 'C Piscine Rush 02', 'c-piscine-rush-02'),
  'pool-exam-00': project(1301, 'C Piscine Exam 00', 'c-piscine-exam-00'),
  'pool-exam-01': project(1302, 'C Piscine Exam 01', 'c-piscine-exam-01'),
  'pool-exam-02': project(1303, 'C Piscine Exam 02', 'c-piscine-exam-02'),
  'pool-challenge': project(1305, 'C Piscine BSQ', 'c-piscine-bsq'),
}

/** Additional projects, without teams. */
export const FURTHER_PROJECTS: readonly (Known & { readonly cursus: number; readonly exam: boolean })[] = [
  { ...project(1268, 'C Piscine C 12', 'c-piscine-c-12'), cursus: 9, exam: false },
  { ...project(1271, 'C Piscine C 13', 'c-piscine-c-13'), cursus: 9, exam: false },
  { ...project(1304, 'C Piscine Final Exam', 'c-piscine-final-exam'), cursus: 9, exam: true },
  { ...project(1324, 'Exam Rank 06', 'exam-rank-06'), cursus: 21, exam: true },
]
