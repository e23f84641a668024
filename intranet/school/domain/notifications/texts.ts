import { say } from '@campus/engine/base/languages/say'
import type { NotificationDetails, NotificationKind } from '../../../services/notifications/notify.ts'

type Texts = {
  readonly [Kind in NotificationKind]: {
    /** Label in the settings of a user. */
    readonly label: () => string
    readonly text: (details: NotificationDetails[Kind], timeOf: (at: Date) => string) => string
    /** Path of the page with details. */
    readonly path: (details: NotificationDetails[Kind]) => string
  }
}

const ofEvaluation = ({ evaluationId }: { readonly evaluationId: number }) => `/evaluations/${evaluationId}`

export const NOTIFICATIONS: Texts = {
  evaluation_booked: {
    label: () => say('An evaluation is booked'),
    text: ({ scale, at }, timeOf) => say('{scale} is booked for {time}.', { scale, time: timeOf(new Date(at)) }),
    path: ofEvaluation,
  },
  evaluation_cancelled: {
    label: () => say('An evaluation is cancelled'),
    text: ({ scale, at }, timeOf) => say('{scale} on {time} is cancelled.', { scale, time: timeOf(new Date(at)) }),
    path: () => '/evaluations',
  },
  evaluation_soon: {
    label: () => say('An evaluation begins in a quarter of an hour'),
    text: ({ scale, at }, timeOf) => say('{scale} begins soon: {time}.', { scale, time: timeOf(new Date(at)) }),
    path: ofEvaluation,
  },
  team_locked: {
    label: () => say('A team is locked'),
    text: ({ team }) => say('{team} is locked: its members are settled.', { team }),
    path: ({ teamId }) => `/teams/${teamId}`,
  },
  project_marked: {
    label: () => say('A project is marked'),
    text: ({ team, mark }) => say('{team} has its mark: {mark}.', { team, mark: String(mark) }),
    path: ({ teamId }) => `/teams/${teamId}`,
  },
  account_closed: {
    label: () => say('The account is closed'),
    text: () => say('Your account was closed.'),
    path: () => '/security',
  },
  account_opened: {
    label: () => say('The account is open again'),
    text: () => say('Your account is open again.'),
    path: () => '/security',
  },
  application_warned: {
    label: () => say('An application needs attention'),
    text: ({ application }) => say('A webhook of {application} was switched off.', { application }),
    path: ({ applicationId }) => `/applications/${applicationId}`,
  },
  announcement: {
    label: () => say('Staff say something to the campus'),
    text: ({ text }) => text,
    path: () => '/notifications',
  },
}

/** Returns the text and the path of a notification, or undefined for a kind of another release. */
export function notificationText(
  { kind, details }: { readonly kind: string; readonly details: unknown },
  timeOf: (at: Date) => string,
): { readonly text: string; readonly path: string } | undefined {
  const texts = Object.entries(NOTIFICATIONS).find(([name]) => name === kind)?.[1]
  if (!texts) return undefined
  // `notify` types the details by kind.
  return {
    text: Reflect.apply(texts.text, undefined, [details, timeOf]),
    path: Reflect.apply(texts.path, undefined, [details]),
  }
}
