import type { Action, ActionInput, Created, FoundAssociation, QueryAction, Renderer, Values } from '../../actions.ts'
import type { Message } from '../../base/languages/say.ts'
import type { Aggregates, DeclaredAggregates } from '../../database/aggregates.ts'
import type { Handle } from '../../database/database.ts'
import type { FieldErrors, HttpError } from '../../errors.ts'
import type { Access } from './access.ts'
import type { Association, JoinTable, ThroughOne } from './association.ts'
import type { Calls } from './calls.ts'
import type { ChangeCondition } from './change-condition.ts'
import type { Column, Field, Parameter } from './fields/field.ts'
import type { SqlValue } from './fields/kinds.ts'
import type { CustomFilter } from './filters.ts'
import type { CreateValues, UpdateValues } from './payload-values.ts'

/** Declares a resource. Its routes, statements, JSON and documents are derived from the declaration. */
export type Declaration<F extends Record<string, Field>, P extends Payload<F> = Payload<F>> = {
  /** The resource's name on the wire and, unless `table` says otherwise, of its table: `books`, `loans`. */
  readonly name: string
  /** The key that wraps a payload: the name without its last letter, `location`, unless said. */
  readonly singular?: string
  /** Another word for the name that clients write before what names a record: `user` in `/v2/user/:id`. */
  readonly alsoNamed?: string
  /** One sentence that says what a record is. */
  readonly summary: string
  readonly table?: string
  /** In wire order, with wire names. */
  readonly fields: F
  /** Other shapes of the record than `record`, which has every field that is not hidden. */
  readonly representations?: Readonly<Record<string, Names<F>>>
  /** How it is sent to applications that subscribe to changes, where that is not as the API answers it. */
  readonly webhook?: WebhookFields
  /** The representation that each action answers; `record` unless said. */
  readonly answers?: Readonly<Partial<Record<'index' | 'show' | 'create', string>>>
  /** Records come as `{ singular: record }`. */
  readonly wrapped?: boolean
  /** A column that stands for the id in paths: a slug or a login. */
  readonly identifiedBy?: Name<F>
  /** A small reference table, embedded from memory. */
  readonly cachedInMemory?: boolean
  /** Why a copy of another service goes without its records, in one clause. */
  readonly unmirrored?: string
  /** Grows with the number of people and with the years: no request for a list of it reads the whole table. */
  readonly large?: boolean
  /** Records changes by groups of rows, so that a cached record stays valid when most other records change. */
  readonly recordsRows?: boolean
  /** Aggregates that the database maintains on writes, so that totals of large tables are fast. */
  readonly aggregates?: DeclaredAggregates
  /** Describes texts that stay when a user of a record is anonymized, since they do not identify the user. */
  readonly retainedTexts?: string
  /** For `embeddedOnly` resources, the id only. */
  readonly index?: Index<F>
  /** A column that names a time zone: graphs below the record count in it unless another is asked for. */
  readonly timeZone?: Name<F>
  readonly graph?: { readonly fields: readonly Name<F>[]; readonly default: Name<F> }
  readonly parents?: readonly DeclaredParent[]
  readonly views?: readonly ListView[]
  /** Also `POST /v2/search/<name>`: the list, asked for in the body, and answered in this representation. */
  readonly searched?: { readonly access: Access; readonly representation: string }
  /** Shown at this path to the person whom the token stands for. */
  readonly owner?: { readonly path: string; readonly representation: string }
  /** While this column is set, the record is shown only to those who have this access; lists still name it. */
  readonly restricted?: { readonly whileSet: Name<F>; readonly access: Access }
  /**
   * Records whose column `unless` is not true (all records without `unless`) exist only for callers with this access. Callers
   * who have it for their own records alone see only those whose column `application` holds the id of the calling application.
   */
  readonly concealed?: { readonly unless?: Name<F>; readonly application?: Name<F>; readonly access: Access }
  /** All that it accepts unless said, where records are created or updated. */
  readonly payload?: P
  /**
   * The parents whose rows are locked before a record that is to be changed or deleted, by the columns that refer to them or by a
   * join table: its actions lock them, too, and who deletes a parent locks it before its records (docs/architecture.md, Order of locks).
   */
  readonly lockedAfter?: readonly (Name<F> | Links)[]
  /**
   * Throws unless the caller may write such a record, beyond the access of the action. Asked before a write, wherever the record
   * is written, and before each of its own actions, and again after an insert or update.
   */
  readonly authorize?: Authorize
  /**
   * The changes that have a name beside `create`, `update` and `destroy`, for those who subscribe to them: what becomes of which
   * column. Each is the name of an event of webhooks and of the change feed.
   */
  readonly events?: Readonly<Record<string, ChangeCondition<Name<F>>>>
  /** Changes of such a record about which receivers are called (spec: webhooks 1). */
  readonly calls?: Calls<Name<F>>
  /** References to a record, as `table.column`. Any other reference restricts deletion. */
  readonly dependents?: Dependents
  readonly actions: Actions<CreateValues<F, P>, UpdateValues<F, P>> | typeof embeddedOnly
}

export type WebhookFields = {
  /** Fields to send instead of the record's fields, or besides them. */
  readonly instead?: Readonly<Record<string, Field>>
  readonly adds?: Readonly<Record<string, Field>>
  /** How it is shown within a record of another resource, as the representation `in_webhook`: beside another representation, if one is named. */
  readonly embedded?: Readonly<Record<string, Field>>
  readonly besides?: string
}

/** `id` is 0 where there is no record yet. */
export type Authorize = (tx: Handle, input: Pick<ActionInput, 'id' | 'values' | 'caller'>) => Promise<void>

/** Effect of a deletion on the rows that reference the record. */
type Dependents = {
  /** They belong to it alone and go with it. */
  readonly deleted?: readonly string[]
  /** They stay, and point at nothing. */
  readonly released?: readonly string[]
}

/** Has no routes: seen and written only as part of other records. */
export const embeddedOnly = 'embedded only'

type Name<F> = keyof F & string
/** Fields by name: a list, or the default list in the order of the declaration, without `except` and with `and`. */
export type Names<F> = readonly Name<F>[] | { readonly except: readonly Name<F>[]; readonly and?: readonly Name<F>[] }

/** Sorts, filters and ranges of a list (spec: lists 26). */
type Index<F> = {
  /** All columns, unless others are named here, or exceptions. */
  readonly sort?: Names<F>
  /** The newest first, `-id`, unless said. */
  readonly defaultSort?: readonly (Name<F> | `-${Name<F>}`)[]
  /** The sort list unless said. */
  readonly filter?: Names<F>
  /** The sort list unless said. */
  readonly range?: Names<F>
  /** Filters that are more than a column's value. */
  readonly customFilters?: Readonly<Record<string, CustomFilter>>
  /** `search[name]=text`: the columns that may hold the text. */
  readonly search?: Readonly<Record<string, readonly Name<F>[]>>
  /** Columns of large tables without an index, because they are rarely queried and each index slows writes. */
  readonly unindexed?: Names<F>
}

/** Routes below other records: `/v2/users/:user_id/loans`. */
export type Parent = {
  readonly chain: readonly { readonly resource: string; readonly association: Association | FoundAssociation }[]
  readonly actions: readonly NestedAction[]
  /** A last segment, as `as_corrector`. */
  readonly suffix?: string | undefined
  /** Another ending of the path than the resource's name, as `register`. */
  readonly as?: string | undefined
  /** Another representation than the resource's index answers. */
  readonly representation?: string | undefined
  /** Also at `/v2/me/…`, for the token's resource owner; or only there. */
  readonly me?: boolean | 'only' | undefined
  /** Also as a parameter of the resource's own list: `?bloc_id=3` lists what lies below that one. */
  readonly asParameter?: boolean | undefined
  /** A filter that the lists are narrowed by. */
  readonly only?: readonly [name: string, value: string] | undefined
  readonly parameters?: ListParameters | undefined
  /** Replacement for tokens that act for a person. */
  readonly forPersons?: ForPersons | undefined
}

/** A declared parent. Without an association, the only column that references the parent is used. */
export type DeclaredParent = Omit<Parent, 'chain'> & {
  readonly chain: readonly {
    readonly resource: string
    readonly association?: Association | FoundAssociation | undefined
  }[]
}

/** Another association with the last of the chain, and another filter, for tokens that stand for a person. */
export type ForPersons = { readonly association: Association; readonly only: readonly [name: string, value: string] }

/** `only` is the one record that there may be below the parent, without an id in the path. */
export type NestedAction = 'index' | 'graph' | 'show' | 'only' | 'create' | 'update' | 'destroy' | 'members'

/** The index once more at a path of its own, with a filter set. */
export type ListView = {
  readonly path: string
  readonly filter: readonly [name: string, value: string]
  readonly access: Access
  readonly parameters?: ListParameters
}

/** Query parameters of one list besides those of every list. */
export type ListParameters = {
  readonly named: Readonly<Record<string, ListParameter>>
  /** The parameter that does not go with the others, and what is wrong with it, if anything. */
  readonly together?: (
    values: Readonly<Record<string, SqlValue>>,
  ) => readonly [name: string, fault: Message] | undefined
}

export type ListParameter = QueryParameter & {
  /** A filter of the resource, or the least or the greatest value of one of its columns. */
  readonly asks: { readonly filter: string } | { readonly from: string } | { readonly upTo: string }
}

/** A parameter that the query of a route takes by its own name. */
export type QueryParameter = Column & {
  readonly required?: boolean
  /** A value that could be sent, for the documents. */
  readonly example?: string | number
}

/** A field of a payload that no column holds. */
export type ExtraParameter = Parameter & {
  readonly ignored?: boolean
  /** SQL that is true of a row where it holds the value already, in SQL of its kind: then the field changes nothing. */
  readonly rowEquals?: (row: string, value: string) => string
}

export type Payload<F> = {
  /** All columns but those that the database gives (`GIVEN`), unless others are named here, or exceptions. */
  readonly accepts?: Names<F>
  /** Required in this payload (fields are where they say `required`): a parameter of `extra`, or a column that others write without. */
  readonly requires?: readonly Name<F>[]
  /** Accepted though no column holds them: for the action of the domain, or, where they are `ignored`, for clients that send them. */
  readonly extra?: Readonly<Record<string, ExtraParameter>>
  /** The fields, at any depth, that hold files of a multipart body. */
  readonly files?: readonly string[]
  /** Names of the fields in other systems, in lower case without accents, which imports recognize. */
  readonly alsoCalled?: Readonly<Partial<Record<Name<F>, readonly string[]>>>
  /** A body without the wrapper is the payload itself. */
  readonly mayBeBare?: boolean
  /** Null in place of the whole payload stands for one without any field. */
  readonly nullable?: boolean
  /** `<assoc>_attributes`: records of another resource that are written with this one. */
  readonly nested?: Readonly<Record<string, DeclaredNested>>
  /** `<assoc>_attributes` of one other record: it is created first, and the column `by` of this one points at it. */
  readonly pointed?: Readonly<Record<string, { readonly resource: string; readonly by: Name<F> }>>
  /** `<name>_ids`: associations through a join table. */
  readonly links?: Readonly<Record<string, JoinTable>>
  /** Sending one of these triggers the action of the domain, even with the value that is there. */
  readonly triggersOn?: readonly Name<F>[]
  /** Fields that default to the time of the request. */
  readonly beginsNow?: readonly Name<F>[]
  /** Field from which `slug` is generated if none is sent. */
  readonly slugFrom?: Name<F>
  /** A slug that is made so and taken already gets a number: `variables-2`. Otherwise it is refused. */
  readonly numbersSlugs?: boolean
  /** Checks a value beyond its kind, at the time of the request. Returns the error, if any. */
  readonly rules?: Readonly<Partial<Record<Name<F>, (value: SqlValue, now: Date) => Message | undefined>>>
  /** Checks valid values together. Returns errors by field. */
  readonly together?: (values: Readonly<Record<string, SqlValue>>, creating: boolean) => FieldErrors
  /** Fields that are immutable while other records refer to the record, each by one of these ways. */
  readonly immutableWhile?: Readonly<Partial<Record<Name<F>, readonly (readonly Reference[])[]>>>
  /** Field and error for the violation of each named constraint. */
  readonly checks?: Readonly<Record<string, readonly [field: Name<F>, text: Message]>>
  /** Validates the record with its parts, once these are written, by itself or as part of another. Throws 422. */
  readonly validateAfter?: (tx: Handle, id: number) => Promise<void>
}

/** A step from a record to those that refer to it: their column `by` holds its `key`, the id unless said. */
export type Reference = { readonly table: string; readonly by: string; readonly key?: string }

type DeclaredNested = {
  readonly resource: string
  /** Its column that holds this record's id: `<singular>_id` unless said. */
  readonly by?: string
  /** Accepted with a new record only. */
  readonly atCreation?: boolean
  /** Instead of the plain insert, update and delete of an element. */
  readonly actions?: {
    readonly create?: Action<never>
    readonly update?: Action<never>
    readonly destroy?: Action
  }
}

export type WriteAction<V = Values> = {
  readonly access: Access
  /** All that a payload may hold where the caller may only write records of their own; everything unless said. */
  readonly ownMay?: readonly string[]
  /** Instead of the plain insert, update or delete. */
  readonly perform?: Action<V>
  /** After its parts (`<assoc>_attributes`, `<name>_ids`) are written too. */
  readonly finish?: Action<V>
}

export type CreateAction<V = Values> = Omit<WriteAction<V>, 'perform'> & {
  /** Instead of the plain insert. */
  readonly perform?: (tx: Handle, input: ActionInput<V>) => Promise<number | Created>
  /** The same for several payloads at once, so that many records take few statements; a fault of one excludes no other. */
  readonly performAll?: (tx: Handle, inputs: readonly ActionInput<V>[]) => Promise<readonly (Created | HttpError)[]>
  /** Several records from one payload, instead of `perform`: the answer is a list of them. */
  readonly performSeveral?: (tx: Handle, input: ActionInput<V>) => Promise<readonly number[]>
  /** Called before several records are created one by one in one request (see `bulk`). */
  readonly prepareSeveral?:
    | ((tx: Handle, sent: readonly Readonly<Record<string, unknown>>[]) => Promise<void>)
    | undefined
  /** Texts that the answer has beside the record, with what they are: null where an answer is repeated. */
  readonly oneTimeValues?: Readonly<Record<string, string>>
}

export type Actions<C = Values, U = Values> = {
  readonly index: Access
  readonly show: Access
  /** Defaults to the access of the index. */
  readonly graph?: Access
  readonly create?: CreateAction<C> & {
    /** Below its parents only, not under the resource's own name. */
    readonly onlyBelow?: boolean
  }
  readonly update?: WriteAction<U>
  readonly destroy?: WriteAction
  /** `PATCH` and `PUT /v2/<name>/:id/<member>`, as in `correction_points/add`; answered 204 unless they respond. */
  readonly members?: Readonly<Record<string, MemberAction>>
  /** `POST /v2/<name>/<bulk>`: several at once under the resource's name, all or nothing. */
  readonly bulk?: {
    readonly name: string
    readonly access: Access
    /** Before the first of them, with all payloads as they were sent: locks what they need in an order of its own. */
    readonly prepare?: CreateAction['prepareSeveral']
  }
  /** `GET /v2/<name>/:id/<path>`: a page of the domain's own making that is no list, with its JSON Schema. */
  readonly queryActions?: Readonly<Record<string, QueryActionDeclaration>>
}

export type QueryActionDeclaration = {
  readonly access: Access
  /** Description of the response, in one clause. */
  readonly description?: string | undefined
  /** Optional query parameters. */
  readonly parameters?: Readonly<Record<string, Column>>
  readonly read: QueryAction
  readonly schema: Field['schema']
}

export type MemberAction = {
  readonly access: Access
  /** Description of the action, in one clause. */
  readonly description?: string | undefined
  /** Instead of `PATCH` and `PUT`. */
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  /** Fields of the payload. The payload is optional if no field is required. */
  readonly accepts?: Readonly<Record<string, Parameter>>
  /** The payload has no wrapper of its own: its names stand at the top level. One that is wrapped is understood too. */
  readonly unwrapped?: boolean
  /** Required columns that identify the record instead of an id in the path, which is then `/v2/<name>/<action>`. */
  readonly namedBy?: readonly string[]
} & (
  | { readonly perform: Action }
  /** Answered 200 with what it responds, as JSON. */
  | {
      readonly respond: (tx: Handle, input: ActionInput & Renderer) => Promise<string>
      readonly schema: Field['schema']
    }
)

/** `<assoc>_attributes`: records of another resource, whose column `by` holds this record's id. */
export type Nested = DeclaredNested & { readonly by: string }

/** `<name>_ids`: the rows of a join table, whose `foreignKey` holds this record's id. */
export type Links = ThroughOne & { readonly resource: string }

/** A declaration of whatever fields, whose actions take whatever its payload gives. */
export type Declared = Omit<Declaration<Record<string, Field>>, 'actions'> & Pick<Resource, 'actions'>

type ReadyIndex = Omit<Index<Record<string, Field>>, 'sort' | 'defaultSort' | 'filter' | 'range' | 'unindexed'> & {
  readonly sort: readonly string[]
  readonly defaultSort: readonly string[]
  readonly filter?: readonly string[]
  readonly range?: readonly string[]
  readonly unindexed?: readonly string[]
}

type ReadyPayload = Omit<Payload<Record<string, Field>>, 'accepts' | 'requires' | 'nested' | 'links'> & {
  readonly accepts: readonly string[]
  readonly requires: readonly string[]
  readonly nested?: Readonly<Record<string, Nested>>
  readonly links?: Readonly<Record<string, Links>>
}

/** A declaration, checked and ready for the engine. */
export type Resource = Omit<
  Declaration<Record<string, Field>>,
  'singular' | 'table' | 'wrapped' | 'cachedInMemory' | 'aggregates' | 'index' | 'parents' | 'payload' | 'actions'
> & {
  readonly singular: string
  readonly aggregates?: Aggregates
  readonly index: ReadyIndex
  readonly actions: Actions | typeof embeddedOnly
  readonly table: string
  readonly wrapped: boolean
  readonly cachedInMemory: boolean
  readonly parents?: readonly Parent[]
  readonly payload?: ReadyPayload
  /** The fields of a representation, in order. Throws when there is no such representation. */
  representationFields(representation: string): readonly (readonly [string, Field])[]
  /** The column behind a stored field, or undefined when it has none. */
  stored(name: string): (Column & { readonly column: string }) | undefined
}

/** The representation that answers a creation. */
export const createRepresentation = ({ answers = {} }: Pick<Resource, 'answers'>) =>
  answers.create ?? answers.show ?? 'record'
