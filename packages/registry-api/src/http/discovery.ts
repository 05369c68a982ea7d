import { anyone } from "@plimsoll/registry/access/on-account";
import { scopes } from "@plimsoll/registry/access/scopes";
import { baseUrl, type Features, type Origin, type RegistrySettings } from "@plimsoll/registry/settings";
import { type TObject, type TSchema, Type } from "typebox";
import { isBodyOptional, operation, type RegistryOperation } from "../operation.ts";
import { tagDescriptions } from "../tag-descriptions.ts";
import { ApiError } from "./api-error.ts";
import { offeredOperations } from "./management-api.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** A document of Swagger 2.0. */
interface SwaggerDocument extends JsonObject {
  readonly swagger: "2.0";
  readonly basePath: string;
  readonly paths: JsonObject;
  readonly definitions: JsonObject;
}

/** Which operations the document lists. */
interface DiscoveryOptions {
  /** Whether to include operations outside the documented API, and those of superusers. */
  readonly internal: boolean;
}

/**
 * The description of the management API for explorers, in Swagger 2.0, derived from the declarations. Nearly all of it is the same for
 * all origins and is created once.
 * @see https://github.com/OAI/OpenAPI-Specification/blob/main/versions/2.0.md
 */
export function discoveryDocuments(
  operations: readonly RegistryOperation[],
  settings: RegistrySettings,
  { internal }: DiscoveryOptions,
): (origin: Origin) => SwaggerDocument {
  const listed = operations.filter((each) => internal || !(each.internal || each.tag === "superuser"));
  const tags = [...new Set(listed.map(({ tag }) => tag))].sort();
  const byTag = [...listed].sort((one, other) => tags.indexOf(one.tag) - tags.indexOf(other.tag));
  const paths = pathsOf(byTag);
  const definitions = definitionsOf(listed);
  const described = tags.map((name) => ({ name, description: tagDescriptions[name] }));
  return (origin) => ({
    swagger: "2.0",
    host: origin.host,
    basePath: "/",
    schemes: [origin.scheme],
    info: {
      version: "v1",
      title: `${settings.title} API`,
      description:
        "Everything of the registry that is not pushing and pulling: accounts, repositories, policies, logs.",
      contact: settings.contact === undefined ? undefined : { email: settings.contact },
    },
    securityDefinitions: {
      oauth2_implicit: {
        type: "oauth2",
        flow: "implicit",
        authorizationUrl: `${baseUrl(origin)}/oauth/authorize`,
        scopes: scopesOf(settings.features),
      },
    },
    consumes: ["application/json"],
    produces: ["application/json"],
    paths,
    definitions,
    tags: described,
  });
}

/** The scopes of the document; without superusers, it has no scope for them. */
function scopesOf({ superusers }: Features): JsonObject {
  const offered = Object.entries(scopes).filter(([scope]) => superusers || scope !== "super:user");
  return Object.fromEntries(offered.map(([scope, { description }]) => [scope, description]));
}

function pathsOf(operations: readonly RegistryOperation[]): JsonObject {
  const byPath = Map.groupBy(operations, ({ path }) => `/api/v1${path}`);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      {
        "x-path": path,
        "x-tag": group[0]?.tag,
        ...Object.fromEntries(group.map((each) => [each.method.toLowerCase(), operationObject(each)])),
      },
    ]),
  );
}

function operationObject(operation: RegistryOperation): JsonObject {
  const { id, summary, tag, access, internal, freshLogin, isOwn, version } = operation;
  return {
    operationId: id,
    description: `${summary} For ${access.who}.`,
    tags: [tag],
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation.query),
      ...bodyParameter(operation),
      ...(version ? [conditionOn(version)] : []),
    ],
    responses: { ...responsesOf(operation), 412: version && changedMeanwhile },
    ...(access.scope && { security: [{ oauth2_implicit: [access.scope] }] }),
    ...(access.scope === undefined && !access.anonymous && { security: [{ oauth2_implicit: [] }] }),
    "x-internal": internal || undefined,
    "x-plimsoll": isOwn || undefined,
    "x-requires-fresh-login": freshLogin || undefined,
  };
}

function pathParameters({ path, about = {} }: RegistryOperation): readonly JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    type: "string",
    required: true,
    description: about[name] ?? knownParameters[name] ?? name.replaceAll("_", " "),
  }));
}

const knownParameters: Readonly<Record<string, string>> = {
  repository: "The full path of the repository, namespace/name, with %2F for each slash",
  orgname: "The name of the organization",
  teamname: "The name of the team",
  username: "The name of the user or robot",
  manifestref: "The digest of the manifest",
  robot_shortname: "The name of the robot without the namespace",
};

function queryParameters(query: TObject | undefined): readonly JsonObject[] {
  const required = new Set<string>(query?.required ?? []);
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => {
    const { type, description, enum: words } = schema as { type?: string; description?: string; enum?: string[] };
    return {
      name,
      in: "query",
      type: type ?? "string",
      required: required.has(name),
      description: description || undefined,
      enum: words,
    };
  });
}

function bodyParameter(operation: RegistryOperation): readonly JsonObject[] {
  if (operation.body === undefined) return [];
  const required = !isBodyOptional(operation);
  return [{ name: "body", in: "body", required, schema: reference(bodyName(operation.id)) }];
}

function conditionOn({ id }: RegistryOperation): JsonObject {
  return {
    name: "If-Match",
    in: "header",
    type: "string",
    required: false,
    description: `The ETag that ${id} returned: the change is made only if there was no other change since then`,
  };
}

const changedMeanwhile = { description: "Changed since it was read", schema: reference("ApiError") };

const refusals = {
  400: "Bad Request",
  401: "Session required",
  403: "Unauthorized access",
  404: "Not found",
} as const;

const successes: Readonly<Record<number, string>> = {
  200: "Successful invocation",
  201: "Successful creation",
  202: "Accepted",
  204: "Done",
};

function responsesOf(operation: RegistryOperation): JsonObject {
  const { method, success, result } = operation;
  const errors = Object.entries(refusals).map(([status, description]) => [
    status,
    { description, schema: reference("ApiError") },
  ]);
  const description = method === "DELETE" ? "Deleted" : successes[success];
  const done = { description, ...(result && { schema: reference(resultName(operation)) }) };
  return { [success]: done, ...Object.fromEntries(errors) };
}

function definitionsOf(operations: readonly RegistryOperation[]): JsonObject {
  return Object.fromEntries([
    ["ApiError", swaggerSchema(ApiError)],
    ...operations.flatMap((operation) => [
      ...(operation.body ? [[bodyName(operation.id), swaggerSchema(operation.body)]] : []),
      ...(operation.result ? [[resultName(operation), swaggerSchema(operation.result)]] : []),
    ]),
  ]);
}

function bodyName(id: string): string {
  return `${id}Body`;
}

function resultName({ id, resultModel }: RegistryOperation): string {
  return resultModel ?? `${id}Result`;
}

function reference(name: string): JsonObject {
  return { $ref: `#/definitions/${name}` };
}

/** Converts a JSON schema to Swagger 2.0, which has no alternatives, constants, patterns of names or `null`. */
function swaggerSchema(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { anyOf, const: constant, patternProperties, ...rest } = value as JsonSchema;
    const { enum: words } = rest;
    return {
      ...(constant !== undefined && { enum: [constant] }),
      ...(patternProperties && { additionalProperties: Object.values(patternProperties)[0] }),
      ...(Array.isArray(anyOf) && alternative(anyOf)),
      ...rest,
      ...(Array.isArray(words) && { enum: distinctWords(words) }),
    };
  });
}

/** Removes words that differ from an earlier one only in case, because generated clients name constants after them. The first is the contract's. */
function distinctWords(words: readonly unknown[]): readonly unknown[] {
  const written = words.map((word) => String(word).toLowerCase());
  return words.filter((_, index) => written.indexOf(written[index] ?? "") === index);
}

interface JsonSchema extends JsonObject {
  readonly anyOf?: readonly { readonly type?: string }[];
  readonly const?: unknown;
  readonly patternProperties?: JsonObject;
}

/** The schema of a union with `null`; several other schemas become any value. */
function alternative(anyOf: readonly { readonly type?: string }[]): JsonObject {
  const others = anyOf.filter(({ type }) => type !== "null");
  return {
    ...(others.length === 1 && others[0]),
    ...(others.length < anyOf.length && { "x-nullable": true }),
  };
}

const DiscoveryOperationSwaggerDocument = Type.Object({
  swagger: Type.Literal("2.0"),
  basePath: Type.String(),
  paths: Type.Record(Type.String(), Type.Unknown()),
  definitions: Type.Record(Type.String(), Type.Unknown()),
});

/** The operation that describes the operations whose features are on. Those of superusers are listed only on request. */
export function discoveryOperations(others: readonly RegistryOperation[]): readonly RegistryOperation[] {
  const discovery: RegistryOperation = operation({
    id: "discovery",
    method: "GET",
    path: "/discovery",
    summary: "The operations of this API, for explorers.",
    tag: "discovery",
    access: anyone,
    query: Type.Object({ internal: Type.Optional(Type.Boolean({ description: "Include internal operations" })) }),
    success: 200,
    result: DiscoveryOperationSwaggerDocument,
    async handle({ query }, { settings, request: { origin } }) {
      const documents = query.internal === true ? internal : shown;
      return documents(settings)(origin);
    },
  });
  const documents = (kind: { readonly internal: boolean }) =>
    oncePerRegistry((settings) =>
      discoveryDocuments(offeredOperations([...others, discovery], settings), settings, kind),
    );
  const [shown, internal] = [documents({ internal: false }), documents({ internal: true })];
  return [discovery];
}

/** Computes a value once for each registry of the process. */
function oncePerRegistry<Value>(make: (settings: RegistrySettings) => Value): (settings: RegistrySettings) => Value {
  const known = new WeakMap<RegistrySettings, Value & object>();
  return (settings) => {
    const value = known.get(settings) ?? make(settings);
    known.set(settings, value as Value & object);
    return value;
  };
}
