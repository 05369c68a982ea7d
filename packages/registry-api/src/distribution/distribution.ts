import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { jsonPieces, sendBody, sendBytes } from "@plimsoll/http";
import type { ImageRepository } from "@plimsoll/registry/access/queries";
import type { BlobStore } from "@plimsoll/registry/ports/blob-store";
import type { LayerObservations } from "@plimsoll/registry/push/observe-layers";
import type { PullThrough } from "@plimsoll/registry/push/pull-through";
import type { PullDecisions } from "@plimsoll/registry/security/pull-gate/pull-decisions";
import { SerializedJson } from "@plimsoll/registry/values/serialized-json";
import { cooperativeYield } from "@plimsoll/store";
import type { ServedRegistry } from "../http/served-registry.ts";
import type { DistributionAuth, DistributionCaller } from "./auth-port.ts";

/** The context of the protocol's handlers. */
export interface Distribution {
  readonly registry: ServedRegistry;
  readonly blobs: BlobStore;
  readonly auth: DistributionAuth;
  readonly observations: LayerObservations;
  readonly decisions: PullDecisions;
  /** Scans a manifest that was just pushed, for a limited time. Never fails. A scan that is not finished then stays in the queue. */
  readonly scanPushed?: (manifestId: string) => Promise<void>;
  /** Absent where no organization can be a cache of another registry. */
  readonly pullThrough?: PullThrough;
}

/** The path names a repository. */
export type OfName = { readonly name: string };

/** The path names a repository, and a blob or an image of it. */
export type OfDigest = OfName & { readonly digest: string };

/** The path names a repository, and an image of it by its digest or a tag. */
export type OfReference = OfName & { readonly reference: string };

/** The path names a repository, and an upload to it. */
export type OfUpload = OfName & { readonly upload: string };

/** A request and its response. */
export interface Exchange<Named = OfName, Query = unknown> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parameters of the query that the operation declares. */
  readonly query: Query;
  /** The parameters of the path. */
  readonly params: Named;
  readonly caller: DistributionCaller;
  readonly ip: string;
  /** Epoch milliseconds of the request. */
  readonly now: number;
}

/** Who pushes, as the rules know them. */
export function pusherOf<Named>({ caller: { principal }, ip, now }: Exchange<Named>) {
  return { principal, ip, now };
}

/**
 * Answers a request, whose caller was admitted to `subject`.
 * @throws DistributionError, RegistryError, BlobStoreError: they become error responses
 */
export type Endpoint<Named = OfName, Subject = ImageRepository, Query = unknown> = (
  distribution: Distribution,
  exchange: Exchange<Named, Query>,
  subject: Subject,
) => Promise<void>;

/** Answers with JSON. */
export async function sendJson(response: ServerResponse, body: unknown, mediaType = "application/json"): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const head = () => response.writeHead(200, { "content-type": mediaType, "content-length": bytes.length });
  await sendBytes(response, bytes, { head });
}

/** The levels of a long document at which lists may be long. */
const levels = 4;

/** The memory of a long document, roughly: it is counted as long as its client reads. */
const longDocumentBytes = 512 * 1024;

/** Answers with JSON that may have megabytes: it is written in portions, between which other requests are answered. */
export async function sendLongJson(response: ServerResponse, body: object | SerializedJson): Promise<void> {
  const type = { "content-type": "application/json" };
  if (!(body instanceof SerializedJson)) {
    const head = () => response.writeHead(200, type);
    return void (await sendBody(response, portionsOf(body), { head, heldBytes: longDocumentBytes }));
  }
  const { lengthBytes } = body;
  const head = () => response.writeHead(200, { ...type, "content-length": lengthBytes });
  await sendBody(response, body, { head, heldBytes: lengthBytes, lengthBytes });
}

async function* portionsOf(body: object): AsyncGenerator<Uint8Array> {
  const yieldToOthers = cooperativeYield();
  for await (const portion of jsonPieces(body, levels)) {
    yield Buffer.from(portion);
    await yieldToOthers();
  }
}

/** Answers without a body. A 304 gets no `content-length`, because there it would be that of the content. */
export function sendEmpty(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | number | readonly string[]>>,
): void {
  const length = status === 304 || status === 204 ? {} : { "content-length": 0 };
  response.writeHead(status, { ...length, ...headers } as OutgoingHttpHeaders).end();
}
