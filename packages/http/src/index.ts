export type { Access } from "./access.ts";
export type { Api, BodyParser, Routing, SendError } from "./api.ts";
export { beginReadsWithRequests, type ReadByRequests } from "./begin-reads.ts";
export {
  type Check,
  type ConvertQuery,
  checkOf,
  parseBody,
  queryConverter,
  type ReadTruth,
  type ReadValue,
  readerOf,
} from "./check-input.ts";
export { type ClientSide, clientGoneStatus, isClientGone } from "./client-gone.ts";
export {
  type AcceptedEncodings,
  type ContentEncoding,
  checkContentEncoding,
  compressBody,
  negotiateEncoding,
} from "./content-encoding.ts";
export { type DocumentApi, documentApi } from "./documents/document-api.ts";
export { requestErrorAnswers } from "./documents/document-errors.ts";
export type { DocumentFace, DocumentState } from "./documents/document-face.ts";
export {
  type DocumentMembers,
  type DocumentOperation,
  type DocumentTypes,
  type Headers,
  pending,
  ResultWithHeaders,
} from "./documents/document-operation.ts";
export {
  type ApiTitle,
  type JsonObject,
  type OpenApiOptions,
  openApiDocument,
  type Webhook,
} from "./documents/openapi.ts";
export {
  type ConditionHeaders,
  type ConditionsOutcome,
  type ConditionsTarget,
  checkMatch,
  checkOnlyNew,
  isConditional,
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
export type { Reading } from "./exchange.ts";
export { Exchange, type ExchangeParts, headerOf, type Input, type Route, withQuery } from "./exchange.ts";
export { askForBodies, askForBody, type RawExchange } from "./expect-continue.ts";
export { jsonPieces, LongText } from "./json-pieces.ts";
export { negotiate, parseContentType } from "./media-type.ts";
export {
  type Absent,
  type ApiTypes,
  bind,
  type Declaration,
  type DeclareOperation,
  type Method,
  type Nothing,
  type Operation,
  operationsFor,
  type PathParams,
  type PathSchema,
  type Readable,
  type ReplyTypes,
  type ResultOf,
  type TypedOperation,
} from "./operation.ts";
export { type AnyRequest, hasBody, prepareBodies } from "./prepare-bodies.ts";
export { readParams, readQuery } from "./read-path.ts";
export {
  type AskedLast,
  askedLast,
  type ClientError,
  type LastAsked,
  type RawResponse,
  type Refusal,
  type RefuseUnreadable,
  refusalOf,
  refuseExpectations,
  refuseMalformedPath,
  refuseUnreadable,
  type UnreadableAnswer,
  type WriteRefusal,
} from "./refuse-early.ts";
export { type Fallback, registerApi, registerErrors, registerFallback, registerUnknown } from "./register.ts";
export { notesOf, type RequestCut, type RequestNotes, unrouted } from "./request-notes.ts";
export { type RequestOrigin, requestOrigin } from "./request-origin.ts";
export { createRouter, type FindRoute, type RouteResult, type RouterOptions } from "./router.ts";
export { schemaProblem } from "./schema-problem.ts";
export type { ResumableBody, SentBody } from "./sending/body-reader.ts";
export type { OpenSend, OpenSendParts, SendCut, SendPace } from "./sending/open-send.ts";
export { OpenSends, type SendEnvironment, type SendFigures } from "./sending/open-sends.ts";
export { type RequestLines, takeRequestsInTurn, type WaitingLimits } from "./sending/requests-in-turn.ts";
export type { Peer } from "./sending/response-end.ts";
export { type BodyFrame, type SendEnd, sendBody } from "./sending/send-body.ts";
export { type BytesFrame, sendBytes } from "./sending/send-bytes.ts";
export { defaultSendLimits, type SendLimits } from "./sending/send-limits.ts";
export { answered, type Phase, phases, type Stage, type Step } from "./stage.ts";
export { type EarlyAnswer, traceAnswered, traceOperations } from "./trace-operations.ts";
