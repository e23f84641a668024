export type { Fetch } from './attempt.ts'
export { type Campus, type CampusOptions, campusClient } from './client.ts'
export { CertificateError, ConnectionError, TimeoutError } from './connection.ts'
export {
  BadRequestError,
  CampusError,
  ConflictError,
  type FieldErrors,
  ForbiddenError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts'
export { etagOf } from './etags.ts'
export type { Page } from './pages.ts'
export type { RetryOptions } from './retries.ts'
export type { components, operations, paths } from './schema.ts'
export type { Timer } from './time.ts'
export type { Grant, TokenAnswer } from './tokens.ts'
export type {
  Answer,
  CallOptions,
  Init,
  Item,
  ListPath,
  PathsWith,
  WatchedRecord,
  WatchInit,
  WatchPath,
} from './types.ts'
export type { Change } from './watch.ts'
