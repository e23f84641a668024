/** Texts of a topic. Each topic replaces `{project}`, `{tool}`, `{room}` and `{day}` by other words. */
export type Subject = {
  readonly name: string
  readonly kind?: 'stack_overflow'
  readonly tag?: string
  readonly opening: string
  readonly answers: readonly string[]
}

export const SLOTS = {
  tool: ['Valgrind', 'Docker', 'Git', 'Vim', 'Make', 'GDB', 'CMake', 'the linter'],
  room: ['the cluster', 'the lounge', 'room B2', 'the fab lab', 'the quiet room'],
  day: ['on Monday', 'on Tuesday', 'on Wednesday', 'on Thursday', 'on Friday', 'this weekend'],
} as const

export const SUBJECTS: readonly Subject[] = [
  {
    name: 'Looking for a team for {project}',
    tag: 'Teams',
    opening: 'I would like to start **{project}** {day} and I still need somebody. I prefer to work on site, mornings.',
    answers: [
      'I am in, I sent you a message.',
      'How far have you read the subject?',
      'Still free? I could start {day}.',
    ],
  },
  {
    name: '{project}: what exactly must be freed?',
    kind: 'stack_overflow',
    tag: 'Help',
    opening:
      '{tool} says that nothing is lost, yet my last evaluator found a leak on the error path. How do you test that?',
    answers: [
      'Make the allocation fail on purpose: wrap it and return null every n-th time.',
      'Run it with `--leak-check=full` and with wrong arguments too.',
      'Read the subject again: what is still reachable at exit counts.',
    ],
  },
  {
    name: '{tool} after the update of {room}',
    tag: 'Help',
    opening: 'Since the machines in {room} were updated, {tool} stops with an error at start. Is it only me?',
    answers: [
      'Same here, two rows further.',
      'Log out and in again, that helped me.',
      'Staff know, it is fixed {day}.',
    ],
  },
  {
    name: 'Evaluations {day} in the morning?',
    tag: 'Evaluations',
    opening:
      'There are hardly any slots before noon. Whoever is there {day}: please open one or two, I return the favour.',
    answers: ['Opened two at nine.', 'I can take {project}.', 'Only in the afternoon, sorry.'],
  },
  {
    name: 'Is {project} worth it before the internship?',
    tag: 'Careers',
    opening: 'I have four weeks left. Do companies ask about it, or should I rather repeat the basics?',
    answers: [
      'Mine asked about nothing else.',
      'Do it, but set yourself an end date.',
      'The basics, honestly. Everything else you learn there.',
    ],
  },
  {
    name: 'Room to share near the campus',
    tag: 'Housing',
    opening: 'A room of 14 m² becomes free at the end of the month, ten minutes by bike, quiet house, no agency.',
    answers: ['Is it furnished?', 'May I see it {day}?', 'Has it been taken?'],
  },
  {
    name: 'Tutoring on {project} {day}',
    tag: 'Events',
    opening: 'Two of us explain the difficult parts of **{project}** in {room}, {day} from four. Bring your questions.',
    answers: ['Will there be notes afterwards?', 'Thanks, that helped a lot!', 'I shall be a little late.'],
  },
  {
    name: 'How do you keep your notes?',
    opening: 'I lose everything that I read between two projects. Paper, a repository, something else?',
    answers: [
      'One Markdown file per project, in the same repository.',
      'Paper. I never read it again, but writing helps.',
      'I write the evaluation questions that I was asked.',
    ],
  },
  {
    name: 'Music in {room}',
    opening: 'Please use headphones in {room}, also late in the evening. Some of us sit there for an exam.',
    answers: ['Thank you for saying it.', 'It was my phone, sorry.', 'There is the lounge for that.'],
  },
  {
    name: '{project}: subject and scale disagree',
    kind: 'stack_overflow',
    tag: 'Help',
    opening: 'The subject allows it, the scale asks for the contrary. Which of them counts in an evaluation?',
    answers: [
      'The subject always counts. Tell staff, they correct the scale.',
      'I had that last month; the corrector called a tutor.',
      'It is already reported, the next version says so.',
    ],
  },
  {
    name: 'Chess tournament {day}',
    tag: 'Events',
    opening: 'Five rounds of ten minutes in {room}, {day} at six. Beginners are welcome, boards are there.',
    answers: ['Count me in.', 'Can one come for three rounds only?', 'Who won last time?'],
  },
  {
    name: 'First steps with {tool}',
    tag: 'Help',
    opening: 'I have avoided {tool} so far. What did you wish that somebody had told you in the first week?',
    answers: [
      'Read its manual once from the beginning, it takes an evening.',
      'Start with the three commands that you need every day.',
      'Ask somebody to watch over your shoulder.',
    ],
  },
  {
    name: 'Lost in {room}: a grey notebook',
    tag: 'Lost and found',
    opening: 'I left it there {day}. It holds half of **{project}**, so whoever finds it may also finish it.',
    answers: ['It is at the reception.', 'Look under the printer.', 'Found a blue one, if that helps.'],
  },
  {
    name: 'What changes in the curriculum this term',
    tag: 'News',
    opening:
      '**{project}** has a new subject, and the time until the next try is shorter. Running teams keep the old rules.',
    answers: ['Does that hold for teams that are locked?', 'Finally!', 'Where can the old subject be read?'],
  },
  {
    name: 'Company visit {day}',
    tag: 'Careers',
    opening: 'Six places for a visit to a robotics company, {day}. Write two lines on why you would like to come.',
    answers: ['Interested!', 'Is it also for those in the first year?', 'Thank you for organising this.'],
  },
  {
    name: 'Tests for {project}',
    tag: 'Teams',
    opening:
      'I put my tests into a repository that everybody may read. They are strict on purpose: tell me what is missing.',
    answers: [
      'They found two faults in mine, thank you.',
      'The third one fails on the other campus.',
      'Added one for empty input.',
    ],
  },
]

export const COMMENTS = [
  'Thank you!',
  'I had the same question.',
  'That worked, thanks.',
  'Could you show the exact message?',
  'See you there.',
  'Not any more, I am afraid.',
  'Which campus is this about?',
  'Good idea.',
  '+1',
  'I asked staff, they will answer here.',
]

/** Names for `{project}` if there are no projects. */
export const PROJECTS = ['Ray Caster', 'Small Shell', 'Mail Room', 'Web Server', 'Line Reader']

export const TAGS = {
  topics: ['Teams', 'Help', 'Evaluations', 'Careers', 'Housing', 'Events', 'Lost and found', 'News'],
  people: [
    'Mentor',
    'Tutor',
    'First aid',
    'Chess club',
    'Robotics club',
    'Open day helper',
    'Student council',
    'Choir',
  ],
  archived: ['Founding year', 'Former tutor'],
} as const
