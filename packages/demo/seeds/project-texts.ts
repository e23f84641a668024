import type { Project } from './curriculum.ts'

export type ProjectText = { readonly about: string; readonly tasks: readonly string[] }

const text = (about: string, ...tasks: string[]): ProjectText => ({ about, tasks })

/** Texts by slug of the project. */
const TEXTS: Readonly<Record<string, ProjectText>> = {
  'byte-library': text(
    'You write again, from nothing, the functions on memory, characters and texts that every later program leans on.',
    'A library that is built by one command, and built anew only where a source has changed.',
    'Twenty functions of the standard library, with the same names behind a prefix and the same behaviour at their limits.',
    'A linked list with functions to add, remove, walk and free its elements.',
  ),
  'line-reader': text(
    'A function gives one line of a file at each call, however long the line is and however little is read at a time.',
    'The function, with a buffer whose size is chosen when it is compiled.',
    'Several files that are read in turn, none of which disturbs the others.',
    'No byte lost and no memory leaked, also where reading fails.',
  ),
  'formatted-output': text(
    'You print numbers, texts and addresses into a line that a format describes, with a variable number of arguments.',
    'The conversions for characters, texts, addresses, and decimal and hexadecimal numbers.',
    'The same return value as the original, also where writing fails.',
    'Field widths, precision and flags as a bonus.',
  ),
  'virtual-box': text(
    'You set up a small server in a virtual machine, and learn what keeps it running and closed to others.',
    'A system without a desktop, on encrypted partitions.',
    'Remote access on a port of its own, a firewall, and rules for strong passwords.',
    'A script that shows load, memory and disks on every terminal, every ten minutes.',
  ),
  'stack-sorter': text(
    'Numbers lie on a stack; a second stack and eleven moves are all that you have to sort them, in as few moves as you can.',
    'A program that prints the moves, and nothing where its input is not a list of different numbers.',
    'At most 700 moves for 100 numbers, and 5,500 for 500.',
    'A checker that reads moves and says whether they sort, as a bonus.',
  ),
  'signal-courier': text(
    'A client sends a text to a server with nothing but two signals of the operating system.',
    'A server that prints its number and every message that it gets, one after another.',
    'A client that loses no bit, however long the text is.',
    'An acknowledgement of each message as a bonus.',
  ),
  'maze-window': text(
    'You draw a small game in a window: a figure collects all there is in a maze and finds the way out.',
    'A map that is read from a file, and refused with a reason where it cannot be won.',
    'Textures, keys, a counter of steps, and a window that closes as it should.',
    'Enemies and animation as a bonus.',
  ),
  'hungry-threads': text(
    'Guests sit at a round table with too few forks. You let each of them eat in time, with threads and locks.',
    'A program in which nobody starves where nobody has to, and which says when somebody does within ten milliseconds.',
    'No two threads that touch the same data at once.',
    'The same with processes and semaphores as a bonus.',
  ),
  'small-shell': text(
    'Two of you write a shell: it reads a line, finds out what is meant, and runs it.',
    'Pipes, redirections, variables, quotes and the exit status of the last command.',
    'Seven built-in commands, a history, and signals that do what one is used to.',
    'A division of the work that both of you can explain, line by line.',
  ),
  'ray-room': text(
    'You follow rays of light through a room and draw what they meet: your first picture in three dimensions.',
    'Spheres, planes and cylinders, which are placed by a file that describes the scene.',
    'Light, shadow, and colours that mix as in the world outside.',
    'Reflections, textures and several lights as a bonus.',
  ),
  'address-plan': text(
    'Ten small networks do not work. You find out why, and give each machine an address that others can reach.',
    'The ten configurations, each solved within its rules.',
    'An explanation of masks, gateways and routes at the defence, for three levels that are drawn by lot.',
  ),
  'object-modules': text(
    'In three modules you learn a language with objects, from the first class to containers of any type.',
    'The three modules below, each with its exercises and their tests.',
  ),
  'object-modules-00': text(
    'Namespaces, classes, member functions, constructors and streams: the first steps with objects.',
    'A telephone book that remembers eight entries.',
    'An account that was lost, rebuilt from its log.',
  ),
  'object-modules-01': text(
    'Where objects live, what a reference is, and when a pointer is better.',
    'Objects on the stack and on the heap, each for a reason that you can give.',
    'A program that replaces words in a file without the function that would do it.',
  ),
  'object-modules-02': text(
    'Polymorphism, operators and a number type of your own, with a fixed point.',
    'A class with all operators of comparison, arithmetic and increment.',
    'A function that says whether a point lies in a triangle, with your own numbers.',
  ),
  'container-fleet': text(
    'Services in containers that you build yourself: a page, a database and what stands in front of them.',
    'A file for each container, none taken ready-made.',
    'Data that outlives the containers, and secrets that are in no image.',
    'One command that starts all of it, and one that leaves nothing behind.',
  ),
  'relay-chat': text(
    'Two of you write a chat server that clients of others can talk to, as a public specification says.',
    'Channels, private messages and operators, for any number of clients in one process.',
    'No call that waits for one client while others have something to say.',
    'Messages that arrive in pieces, put together again.',
  ),
  'grand-arena': text(
    'The last project of the common part: an application on which people play against each other in real time.',
    'Accounts, profiles, matches and a ranking, in a browser.',
    'Passwords, forms and requests that withstand the attacks that you have learnt about.',
    'Modules of your choice, planned and defended by the whole team.',
  ),
  'tiny-compiler': text(
    'You translate a small language into machine code, and learn what stands between a text and a processor.',
    'A grammar, a parser that says where an input is wrong, and a tree.',
    'Code that runs, for numbers, conditions, loops and functions.',
  ),
  'packet-radio': text(
    'You find the way of packets through networks: who answers, how late, and over which machines.',
    'A tool that measures the time to a machine and back.',
    'A tool that lists the machines on the way.',
  ),
  'kernel-from-nothing': text(
    'You boot a machine with nothing but your own code, and take it from there.',
    'A screen, a keyboard and a table of interrupts.',
    'Memory in pages, and a first process.',
  ),
  'work-experience': text(
    'Four months or more in a company, from the contract to the report.',
    'The contract and the report below, each in time.',
  ),
  'work-experience-contract': text(
    'You find a place in a company and agree on what you will learn and do there.',
    'The contract, signed by all sides.',
    'A page about your tasks and your tutor.',
  ),
  'work-experience-report': text(
    'You tell what you did in the company and what you would do differently.',
    'A report of ten pages that others could learn from.',
    'A talk of twenty minutes for those who go next.',
  ),
  'terminal-00': text(
    'You meet the terminal: files, folders, rights, and commands that do small things well.',
    'Ten short exercises, each a file that is named as the exercise says.',
  ),
  'terminal-01': text(
    'Commands become sentences: pipes, filters and what a shell keeps in variables.',
    'Eight exercises, each a line or two of shell.',
  ),
  'pool-challenge': text(
    'You find the largest empty square on a map, and then make it quick.',
    'The three parts below: reading the map, solving it, and the race.',
  ),
  'pool-challenge-map': text(
    'A map comes from a file or from the keyboard, right or wrong.',
    'A reader that refuses every map that breaks the rules.',
  ),
  'pool-challenge-solver': text(
    'Of all squares without an obstacle you find the largest; of several the highest, then the leftmost.',
    'The map with the square drawn into it.',
  ),
  'pool-challenge-race': text(
    'Maps with ten thousand lines, and a clock.',
    'The same answers, in a time that grows with the map and no faster.',
  ),
  'first-page': text(
    'You write your first page for browsers, about something that you like.',
    'A page with text, a picture and a link.',
  ),
  'first-program': text(
    'You write a first program, which asks and answers.',
    'A game in which the computer guesses a number.',
  ),
  'first-robot': text(
    'You let a small robot follow a line on the floor.',
    'A program that comes round the course without help.',
  ),
  'data-collection': text(
    'Data lie in files, pages and interfaces. You fetch them, again and again, without disturbing anybody.',
    'A program that goes on where it was stopped.',
    'A note on where each value comes from and who may use it.',
  ),
  'data-cleaning': text(
    'Nothing comes as it should: doubles, gaps, units and dates. You make tables of it that can be trusted.',
    'Rules as code, with a test for each.',
    'A report of what was dropped, and why.',
  ),
  'data-warehouse': text(
    'Two of you build tables in which questions of many years are answered in a second.',
    'A model of facts and dimensions that a newcomer understands.',
    'Ten questions with their answers, and how long they took.',
  ),
  'data-pipeline': text(
    'From the source to the picture on the wall, every night, also when something fails.',
    'Steps that can be run again without harm.',
    'A page that says whether last night was right.',
  ),
}

/** Topics of the numbered projects of the entry pool. */
const BASICS = [
  'Writing characters and counting',
  'Pointers',
  'Texts',
  'More texts',
  'Numbers and bases',
  'Recursion',
  'Arguments of a program',
  'Memory of your own',
  'Headers and structures',
  'Libraries and their rules',
  'Files',
  'Functions as values',
]
const RUSHES = ['Rectangles of characters', 'A puzzle of skyscrapers', 'Numbers in words']

export function textOf({ slug, exam }: Pick<Project, 'slug' | 'exam'>): ProjectText {
  const known = TEXTS[slug]
  if (known) return known
  const nth = Number(slug.slice(-2))
  if (exam)
    return text(
      'Some hours alone at a machine without a network: exercises that become harder, each drawn by lot.',
      'As many exercises as you can, each pushed to its own folder and judged by a program.',
    )
  if (slug.startsWith('weekend-rush'))
    return text(
      `${RUSHES[nth]}: a weekend, a team that was drawn by lot, and one subject.`,
      'A program that works before Sunday midnight.',
      'Three people each of whom can explain all of it.',
    )
  return text(
    `${BASICS[nth]}: short exercises in C, the next one a little harder than the last.`,
    'A file for each exercise, named as the exercise says.',
    'Nothing but what the exercise allows, and no warning of the compiler.',
  )
}

export function descriptionOf(project: Pick<Project, 'slug' | 'exam'>): string {
  const { about, tasks } = textOf(project)
  return `${about}\n\nTo be handed in:\n\n${tasks.map((task) => `* ${task}`).join('\n')}`
}
