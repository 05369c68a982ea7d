import type { TObject, TSchema } from "typebox";
import type { DocumentApi } from "./document-api.ts";
import { type DocumentOperation, typeNameOf } from "./document-operation.ts";
import { resultName } from "./document-stages.ts";

/** The title, version and description of an API. */
export interface ApiTitle {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

/** A request that the service sends. */
export interface Webhook {
  readonly id: string;
  readonly summary: string;
  /** The schema of the body. Its title determines the media types. */
  readonly request: TSchema;
}

/** Options of {@link openApiDocument}. */
export interface OpenApiOptions {
  readonly title: ApiTitle;
  /** The schema of error bodies. Its title determines the media types. */
  readonly error: TSchema;
  readonly webhooks?: readonly Webhook[];
}

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/**
 * The OpenAPI document of an API, generated from its declarations. A schema with a `title` becomes a component of that name.
 * @see https://spec.openapis.org/oas/v3.1.1.html
 * @example
 * import { Type } from "typebox";
 *
 * declare const api: DocumentApi;
 * const title = { title: "Things", version: "1.0.0", description: "Everything on the shelf." };
 * const problem = Type.Object({ code: Type.String(), message: Type.String() }, { title: "error" });
 * console.log(JSON.stringify(openApiDocument(api, { title, error: problem })));
 */
export function openApiDocument(api: DocumentApi, { title, error, webhooks = [] }: OpenApiOptions): JsonObject {
  const components: JsonObject = {};
  const paths: Record<string, JsonObject> = {};
  const refusal = { description: "Refused", content: contentOf(api, error, components) };
  for (const operation of api.operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationObject(operation, { api, components, refusal }),
    };
  }
  return {
    openapi: "3.1.1",
    info: { ...title, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    paths,
    webhooks: Object.fromEntries(webhooks.map((webhook) => [webhook.id, webhookObject(webhook, api, components)])),
    components: {
      schemas: components,
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
    },
    security: [{ bearer: [] }, {}],
  };
}

function webhookObject({ id, summary, request }: Webhook, api: DocumentApi, components: JsonObject): JsonObject {
  return {
    post: {
      operationId: id,
      summary,
      requestBody: { required: true, content: contentOf(api, request, components) },
      responses: { "2XX": { description: "Delivered" }, 410: { description: "There is no receiver any more" } },
    },
  };
}

interface DescribedApi {
  readonly api: DocumentApi;
  readonly components: JsonObject;
  readonly refusal: JsonObject;
}

function operationObject(operation: DocumentOperation, { api, components, refusal }: DescribedApi): JsonObject {
  const { body, internal, params, query } = operation;
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.path.split("/")[1]],
    "x-internal": internal ? true : undefined,
    parameters: [...parametersOf("path", params, components), ...parametersOf("query", query, components)],
    requestBody: body && { required: true, content: bodyOf(operation, body, { api, components }) },
    responses: {
      [operation.success]: successOf(operation, api, components),
      ...Object.fromEntries(refusalsOf(operation).map((status) => [status, refusal])),
      ...(operation.unchanged && { [operation.unchanged]: { description: unchangedMeanings[operation.unchanged] } }),
      default: refusal,
    },
  };
}

const unchangedMeanings = { 304: "Unchanged", 412: "Unchanged, or changed where If-Match is given" } as const;

/** The error statuses of an operation: its own, and those that every operation may have. */
function refusalsOf({ refusals, body }: DocumentOperation): readonly number[] {
  const common = body === undefined ? [401, 405, 412, 431] : [401, 405, 412, 413, 431];
  return [...new Set([...refusals, ...common])].sort((a, b) => a - b);
}

function successOf(operation: DocumentOperation, api: DocumentApi, components: JsonObject): JsonObject {
  const trailer = operation.trailer
    ? { [api.errorTrailer]: "A trailer: the error that occurred while the body was written" }
    : {};
  const headers = Object.entries({ ...operation.headers, ...trailer });
  return {
    description: "Success",
    headers:
      headers.length > 0
        ? Object.fromEntries(headers.map(([name, description]) => [name, { description, schema: { type: "string" } }]))
        : undefined,
    content: operation.result && resultOf(operation, operation.result, { api, components }),
  };
}

function contentOf(api: DocumentApi, schema: TSchema, components: JsonObject): JsonObject {
  const hoisted = hoist(schema, components);
  return Object.fromEntries(api.mediaTypes(typeNameOf(schema)).map((mediaType) => [mediaType, { schema: hoisted }]));
}

function bodyOf(
  { publishedBody }: DocumentOperation,
  body: TSchema,
  { api, components }: { readonly api: DocumentApi; readonly components: JsonObject },
): JsonObject {
  return contentOf(api, publishedBody ?? body, components);
}

function resultOf(
  operation: DocumentOperation,
  result: TSchema,
  { api, components }: { readonly api: DocumentApi; readonly components: JsonObject },
): JsonObject {
  if (!operation.lines) return contentOf(api, result, components);
  const line = hoist(result, components);
  const schemaOf = (mediaType: string) => (mediaType === "application/json" ? { type: "array", items: line } : line);
  const offered = api.mediaTypes(resultName(operation));
  return Object.fromEntries(offered.map((mediaType) => [mediaType, { schema: schemaOf(mediaType) }]));
}

function parametersOf(place: "path" | "query", schema: TObject | undefined, components: JsonObject): JsonObject[] {
  const required = new Set<string>(schema?.required);
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.has(name),
    schema: hoist(property as TSchema, components),
  }));
}

/** Replaces titled schemas, including the given one, by references to components. */
function hoist(schema: unknown, components: JsonObject): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components));
  if (typeof schema !== "object" || schema === null) return schema;
  const plain = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, hoist(member, components)]));
  if (typeof plain.title !== "string" || !/^\w+$/.test(plain.title)) return plain;
  components[plain.title] = plain;
  return { $ref: `#/components/schemas/${plain.title}` };
}
