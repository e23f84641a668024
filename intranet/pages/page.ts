import type { LookAgain } from '@campus/engine/changes/streams/page-notices'
import type { PageWatch } from '@campus/engine/changes/streams/watch-in-process'
import { type FieldErrors, HttpError, notFound } from '@campus/engine/errors'
import type { Caller } from '@campus/engine/http/caller'
import type { StreamForm } from '@campus/engine/http/stream-types'
import { withByteOrderMark } from '@campus/engine/rest/export/csv'
import type { Call } from '@campus/engine/rest/in-process'
import type { Form } from './form.ts'
import type { Html } from './html.ts'
import type { PageContext, PersonPageContext } from './page-context.ts'
import type { ScriptName } from './scripts.ts'

export type { Form } from './form.ts'
export type { PageContext, PersonPageContext } from './page-context.ts'

/** Audience of a page: everybody, signed-in users, also users who must set up a second factor, or staff. */
export type PageAccess = 'anybody' | 'signed-in' | 'enrolling' | 'staff'

export type PageOptions = {
  readonly status?: number
  readonly isNarrow?: boolean
  /** Frame of the page: the site (default), only its name for a page with one question, or none for a screen at the wall. */
  readonly frame?: 'site' | 'bare' | 'none'
  readonly trail?: readonly { readonly path: string; readonly label: string }[]
  /** The page must work without them. */
  readonly scripts?: readonly ScriptName[]
  /** Whether submitting a form of this page may redirect to an application. */
  readonly leadsToApplication?: boolean
  /** CSP sources that may frame this page. */
  readonly frameAncestors?: readonly string[]
  readonly referrerPolicy?: 'same-origin' | 'origin'
  /** CSP sources of pictures besides the service, such as `blob:`. */
  readonly imageSources?: readonly string[]
  readonly stylesheets?: readonly string[]
  readonly refreshTo?: string
}

export type PageContent = PageOptions & { readonly kind: 'view'; readonly title: string; readonly main: Html }

export type Redirect = { readonly kind: 'redirect'; readonly to: string; readonly notice: string | undefined }

/** CSV begins with a byte order mark. */
export type Download = {
  readonly kind: 'download'
  readonly name: string
  readonly type: string
  readonly parts: AsyncIterable<string>
}

export type Part = { readonly kind: 'part'; readonly type: string; readonly text: string }

export type Watch = { readonly kind: 'watch' } & Pick<PageWatch, 'caller' | 'address' | 'holder'>

export type WholeList = {
  readonly kind: 'list'
  readonly caller: Caller
  readonly call: Call
  readonly form: StreamForm
}

export type Outcome = PageContent | Redirect | Download | Part | Watch | WholeList

export const pageContent = (title: string, main: Html, options: PageOptions = {}): PageContent => ({
  kind: 'view',
  title,
  main,
  ...options,
})

export const redirectTo = (to: string, { notice }: { readonly notice?: string } = {}): Redirect => ({
  kind: 'redirect',
  to,
  notice,
})

/** The first line has the names of the columns. */
export const downloadCsv = (name: string, lines: AsyncIterable<string>): Download => ({
  kind: 'download',
  name,
  type: 'text/csv; charset=utf-8',
  parts: withByteOrderMark(lines),
})

export const part = (type: string, text: string): Part => ({ kind: 'part', type, text })

export type FormState = { readonly form: Form | undefined; readonly errors: FieldErrors }
export const NOT_SENT: FormState = { form: undefined, errors: {} }

type RouteOptions<Access extends PageAccess> = {
  readonly path: string
  readonly access: Access
  /** False if opening the page issues something or uses it up, which a HEAD must not do. */
  readonly hasHead?: boolean
  /** When a page that is requested as a stream of events is to be loaded again. */
  readonly isLive?: LookAgain
  /** Name of the field of the form that takes a file. */
  readonly fileField?: string
  /** Whether a form without our token is a request of an application, which is redirected to the page with its fields. */
  readonly takesForeignForms?: boolean
}

export type PageRoute = RouteOptions<PageAccess> & {
  readonly method: 'GET' | 'POST'
  /** Explains a form whose token is stale, as when a result is reloaded after the key was renewed. Must change nothing. */
  readonly showStale?: ((context: PageContext) => Promise<Outcome | undefined>) | undefined
  /** The form is empty for GET. */
  readonly answer: (context: PageContext, form: Form) => Promise<Outcome>
}

type ContextFor<Access extends PageAccess> = Access extends 'anybody' ? PageContext : PersonPageContext
type Answer<Access extends PageAccess, Rest extends unknown[]> = (
  context: ContextFor<Access>,
  ...rest: Rest
) => Outcome | Promise<Outcome>

/** The route was mounted with its access, so a user is signed in if the access requires it. */
function admitted<Access extends PageAccess>(context: PageContext): ContextFor<Access>
function admitted(context: PageContext): PageContext {
  return context
}

export const page = <Access extends PageAccess>(
  options: RouteOptions<Access> & { readonly show: Answer<Access, []> },
): readonly PageRoute[] => [
  { ...options, method: 'GET', answer: async (context) => options.show(admitted<Access>(context)) },
]

/**
 * Returns the routes of a page with a form that is sent to the page's own path. `show` renders the errors of a 422 from
 * `submit` beside the fields, with the values that were sent.
 */
export const formPage = <Access extends PageAccess>(
  options: RouteOptions<Access> & {
    readonly show: Answer<Access, [state: FormState]>
    readonly submit: Answer<Access, [form: Form]>
    readonly showStale?: (context: ContextFor<Access>) => Promise<Outcome | undefined>
  },
): readonly PageRoute[] => {
  const { show, submit, showStale } = options
  return [
    {
      ...options,
      method: 'GET',
      showStale: undefined,
      answer: async (context) => show(admitted<Access>(context), NOT_SENT),
    },
    {
      ...options,
      method: 'POST',
      showStale: showStale && ((context) => showStale(admitted<Access>(context))),
      async answer(context, form) {
        try {
          return await submit(admitted<Access>(context), form)
        } catch (error) {
          if (!(error instanceof HttpError && error.errors)) throw error
          const again = await show(admitted<Access>(context), { form, errors: error.errors })
          return again.kind === 'view' ? { ...again, status: error.status } : again
        }
      },
    },
  ]
}

/** Returns the route of a form without a page of its own, such as a button. */
export const formAction = <Access extends PageAccess>(
  options: RouteOptions<Access> & { readonly submit: Answer<Access, [form: Form]> },
): readonly PageRoute[] => [
  {
    ...options,
    method: 'POST',
    answer: async (context, form) => options.submit(admitted<Access>(context), form),
  },
]

export const pathOf = (context: Pick<PageContext, 'path'> | undefined): string => context?.path.split('?', 1)[0] ?? ''

export function recordId({ params }: Pick<PageContext, 'params'>): number {
  const id = idOf(params.id ?? '')
  if (id === undefined) throw notFound('There is no page at this address.')
  return id
}

/** Returns the id in a field of a form, or 0 if it is not a valid id. No record has the id 0. */
export const idIn = (form: Pick<Form, 'text'>, field: string): number => idOf(form.text(field)) ?? 0

function idOf(text: string): number | undefined {
  const id = Number(text)
  return /^\d{1,10}$/.test(text) && id <= 2_147_483_647 ? id : undefined
}
