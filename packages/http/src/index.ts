export type { Api } from "./api.ts";
export { type Check, type ConvertQuery, checkOf, parseBody, queryConverter, type ReadTruth } from "./check-input.ts";
export { checkContentEncoding } from "./content-encoding.ts";
export {
  type ConditionHeaders,
  type ConditionsOutcome,
  judgeConditions,
  noneMatchNames,
  rangeCounts,
} from "./entity-tag.ts";
export {
  type ErrorAnswer,
  type ErrorTable,
  findAnswer,
  RequestError,
  type RequestErrorCode,
  requestErrorCodes,
} from "./errors.ts";
export { askForBodies, askForBody, type RawExchange } from "./expect-continue.ts";
export { type AnyRequest, hasBody } from "./has-body.ts";
export { jsonPieces } from "./json-pieces.ts";
export { negotiate, parseContentType } from "./media-type.ts";
export { type ApiTitle, openApiDocument } from "./openapi.ts";
export {
  type Absent,
  type BoundOperation,
  bind,
  type Content,
  type Declaration,
  type Headers,
  type Input,
  type Method,
  type Operation,
  type Outcome,
  operation,
} from "./operation.ts";
export { prepareBodies } from "./prepare-bodies.ts";
export {
  type AskedLast,
  askedLast,
  type Refusal,
  type RefuseUnreadable,
  refusalOf,
  refuseExpectations,
  refuseMalformedPath,
  refuseUnreadable,
  type UnreadableAnswer,
  type WriteRefusal,
} from "./refuse-early.ts";
export { registerApi, registerErrors, registerUnknown, requestErrorAnswers } from "./register.ts";
export { remember } from "./remember.ts";
export { notesOf, type RequestNotes } from "./request-notes.ts";
export { type RequestOrigin, requestOrigin } from "./request-origin.ts";
