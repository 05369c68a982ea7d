import { parseJson } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { type DocumentApi, RequestError } from "@plimsoll/http";
import { discardBody, type OutboundResponse, readBody, retryClock, withRetries } from "@plimsoll/outbound";
import type { OpenedRegistry } from "@plimsoll/registry-api";
import type { FastifyInstance } from "fastify";
import { callService, isRepeatable, type RemoteService, refusalOf, unavailable } from "./call-service.ts";
import { type JsonEntry, readJsonEntries } from "./json-entries.ts";
import { scannerPaths } from "./scanner-paths.ts";

/** A body of a request, in one of the forms that services accept. */
export interface BodyForm {
  /** By default `application/json`. */
  readonly contentType?: string;
  readonly body: Json;
  /** By default that of the request. */
  readonly path?: string;
}

/** A request for a document of another service. */
export interface DocumentRequest {
  /** The path, with its query. */
  readonly path: string;
  /** Our own form of the document, if there is one. Any other form is accepted too: which the other service offers depends on its vendor. */
  readonly own?: string;
  /** Absent for GET. The first form that the service does not refuse is used. */
  readonly forms?: readonly BodyForm[];
  /** The statuses, besides 404, that are no failures of the service. */
  readonly answers?: readonly number[];
  readonly method?: "POST" | "DELETE";
  readonly signal?: AbortSignal;
  /** How long to wait for the beginning of the response. */
  readonly patienceMs?: number;
}

/** The answer of another service: a document, or the reason of one of the accepted refusals. */
type DocumentAnswer =
  | { readonly kind: "document"; readonly json: Json }
  | { readonly kind: "none"; readonly status: number; readonly reason: string };

/** The most bytes of a document, and the time limit of all of it. */
const maxDocumentBytes = 256 * 1024 * 1024;
const documentMs = 300_000;

/** One more attempt for a connection that broke, a service that is starting, and one that ends. All requests may be repeated. */
const retry = { attempts: 2, firstDelayMs: 250, maxDelayMs: 250, maxRetryAfterMs: 0, ...retryClock };
const adviceOf = (error: unknown) => ({ isPassing: isRepeatable(error) });

/** Fetches a JSON document. There is `none` for 202, 404 and the statuses in `answers`. @throws ScanError `service_unavailable` */
export async function fetchDocument(service: RemoteService, request: DocumentRequest): Promise<DocumentAnswer> {
  const { path, signal } = request;
  const ask = async (): Promise<DocumentAnswer> => {
    const since = service.outage?.changes;
    const response = await callInForms(service, request);
    const answer = await readAnswer(response, path).catch((cause: unknown) => {
      signal?.throwIfAborted();
      throw unavailable(service, cause, since);
    });
    service.outage?.worked(since);
    return answer;
  };
  return withRetries(retry, ask, { adviceOf, signal });
}

/** As {@link fetchDocument}; undefined if there is none. @throws ScanError `service_unavailable` */
export async function fetchJson(service: RemoteService, request: DocumentRequest): Promise<Json | undefined> {
  const answer = await fetchDocument(service, request);
  return answer.kind === "document" ? answer.json : undefined;
}

async function readAnswer(response: OutboundResponse, path: string): Promise<DocumentAnswer> {
  const { status } = response;
  if (status >= 400) return { kind: "none", status, reason: await refusalOf(response) };
  if (status !== 202) {
    return { kind: "document", json: parseJson(await readDocument(response, path), path, "malformed_report") };
  }
  await discardBody(response);
  return { kind: "none", status, reason: "" };
}

function readDocument({ body }: OutboundResponse, path: string): Promise<Uint8Array> {
  const tooLarge = () => new Error(`${body.host}: expected at most ${maxDocumentBytes} bytes of ${path}, found more`);
  return readBody(body, { maxBytes: maxDocumentBytes, tooLarge, withinMs: documentMs });
}

function isOwnForm({ headers }: OutboundResponse, own: string | undefined): boolean {
  return own !== undefined && (headers["content-type"] ?? "").split(";")[0] === own;
}

/** The most characters of one entry of a streamed response. */
const maxEntryLength = 32 * 1024 * 1024;

/** Options of {@link openEntries}. */
interface EntriesOptions {
  /** Called for each list or object of the document when it begins, even if it is empty. */
  readonly onSection?: (name: string) => void;
  /** Called with the form of the body that the service has accepted. */
  readonly onForm?: (form: BodyForm) => void;
  /** Called before the first entry, with whether the document is in our own form. */
  readonly onAnswer?: (answer: { readonly isOwn: boolean }) => void;
}

/**
 * Streams the entries of a large response. Without a document, 404 is a failure, and the statuses in `answers` are empty documents.
 * @throws ScanError `service_unavailable`, also while iterating
 */
export async function* openEntries(
  service: RemoteService,
  request: DocumentRequest,
  { onSection, onForm, onAnswer }: EntriesOptions = {},
): AsyncGenerator<JsonEntry> {
  const { path, signal } = request;
  const since = service.outage?.changes;
  const ask = () => callInForms(service, request, onForm);
  const response = await withRetries(retry, ask, { adviceOf, signal });
  onAnswer?.({ isOwn: isOwnForm(response, request.own) });
  try {
    if (response.status === 404) throw new Error(`${response.url.host} answered 404 to ${path}`);
    if (response.status < 400) yield* readJsonEntries(response.body, { what: path, maxEntryLength, onSection });
    service.outage?.worked(since);
  } catch (cause) {
    signal?.throwIfAborted();
    throw unavailable(service, cause, since);
  } finally {
    await discardBody(response);
  }
}

/** The statuses with which a service refuses a form of a request, so that another one may do. */
const otherForm: readonly number[] = [301, 307, 308, 400, 405, 415];

/** Sends a request, with its body in one form after the other until one is accepted. The answer to the last one counts. */
async function callInForms(
  service: RemoteService,
  request: DocumentRequest,
  onForm?: (form: BodyForm) => void,
): Promise<OutboundResponse> {
  const { forms = [], answers = [] } = request;
  for (const form of forms.slice(0, -1)) {
    const response = await call(service, { ...request, answers: [...answers, ...otherForm] }, form);
    if (response.status !== 404 && !otherForm.includes(response.status)) {
      onForm?.(form);
      return response;
    }
    if (answers.includes(response.status) && response.status !== 415) return response;
    await discardBody(response);
  }
  const last = forms.at(-1);
  const response = await call(service, request, last);
  if (last !== undefined) onForm?.(last);
  return response;
}

/** How long to wait for the beginning of a response. */
const answerMs = 30_000;

function call(service: RemoteService, request: DocumentRequest, form?: BodyForm): Promise<OutboundResponse> {
  const { path, own, method, signal, answers, patienceMs = answerMs } = request;
  return callService(service, form?.path ?? path, {
    accept: own === undefined ? anyForm : `${own}, ${anyForm}`,
    patienceMs,
    body: form && JSON.stringify(form.body),
    contentType: form?.contentType,
    answers,
    method,
    signal,
  });
}

/** The contract's form of a document, whatever the vendor in its media type is. */
const anyForm = "application/json;q=0.9, */*;q=0.1";

/** The stage of a server's shutdown: it serves; it answers but closes connections; it rejects new requests. */
export interface ServiceStage {
  kind: "serving" | "draining" | "refusing";
}

/** The `Retry-After` of a rejected request: by then, a load balancer has noticed the shutdown. */
const retryAfterSeconds = 1;

/**
 * Applies the stage to requests. While the server drains, HTTP/1.1 connections are closed after their next response. After that,
 * requests are rejected, each in the form of the API that it belongs to.
 */
export function followStage(
  app: FastifyInstance,
  stage: Readonly<ServiceStage>,
  { api, registry }: { readonly api: DocumentApi; readonly registry?: OpenedRegistry | undefined },
): void {
  const isOfScanner = scannerPaths(api);
  app.addHook("onRequest", (request, reply, done) => {
    if (stage.kind === "serving") return done();
    if (request.raw.httpVersionMajor < 2) reply.raw.setHeader("connection", "close");
    if (stage.kind === "draining") return done();
    const isOfRegistry = registry !== undefined && !isOfScanner(request.url);
    if (!isOfRegistry) return done(stoppingError());
    reply.hijack();
    registry.refuseUnavailable(request, { raw: reply.raw }, retryAfterSeconds);
  });
}

function stoppingError(): RequestError {
  return new RequestError("unavailable", "the service is stopping: send the request again", { retryAfterSeconds });
}
