import { memoryTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildHookOperations } from "../build-hooks/register-build-hooks.ts";
import { distributionOperations } from "../distribution/operations.ts";
import { tokenOperations } from "../distribution/token-service.ts";
import { preflightOperations } from "../http/preflight.ts";
import { keyServerOperations } from "../key-server/register-key-server.ts";
import { registryOperations } from "../operations.ts";
import { pageOperations } from "../pages/register-pages.ts";
import {
  digestOf,
  openProtocols,
  type ProtocolRequest,
  type ProtocolWorld,
  worldPassword,
} from "./fixtures/protocol-world.ts";
import { type CallerName, callers } from "./fixtures/read-golden.ts";
import { type ProtocolRow, readProtocols } from "./fixtures/read-protocols.ts";
import { kindsAfter, lastEntry } from "./fixtures/rehearse.ts";
import { openWorld, userNames, type World } from "./fixtures/world.ts";

const rows = readProtocols();
const declared = [
  ...distributionOperations.map((each) => ({ ...each, path: `/v2${each.path}` })),
  ...tokenOperations,
  ...preflightOperations,
  ...buildHookOperations,
  ...keyServerOperations,
  ...pageOperations,
];

describe("the golden table of protocols and pages", () => {
  it("is what is declared, with a row for every operation", () => {
    const found = declared.map(({ id, method, path, success }) => ({ id, method, path, success }));

    expect(found).toEqual(rows.map(({ id, method, path, success }) => ({ id, method, path, success })));
  });

  it("names no operation as another of the registry is named", () => {
    const ids = [...registryOperations, ...declared].map(({ id }) => id);

    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("has only entries of the usage log that are declared", () => {
    const kinds = new Map(declared.map(({ id, audit = [] }) => [id, new Set<string>(audit)]));

    expect(rows.filter(({ id, log }) => log.some((kind) => !kinds.get(id)?.has(kind)))).toEqual([]);
  });
});

const config = "{}";
const layer = "a layer";
const loose = "a blob that no manifest has";
const manifestType = "application/vnd.oci.image.manifest.v1+json";
const part = (mediaType: string, text: string) => ({ mediaType, digest: digestOf(text), size: text.length });
const manifest = JSON.stringify({
  schemaVersion: 2,
  mediaType: manifestType,
  config: part("application/vnd.oci.image.config.v1+json", config),
  layers: [part("application/vnd.oci.image.layer.v1.tar", layer)],
});
const name = "acme/app";
const pushed = {
  method: "PUT",
  url: `/v2/${name}/manifests/golden`,
  headers: { "content-type": manifestType },
  body: manifest,
};
const kid = "a".repeat(43);

describe("the operations of protocols and pages", () => {
  let world: World;
  let protocols: ProtocolWorld;

  beforeAll(async () => {
    world = await openWorld(memoryTestEngine);
    protocols = await openProtocols(world);
    await pushContent();
    const { db } = world.registry.store;
    const approved = await db
      .selectFrom("service_key")
      .selectAll()
      .where("kid", "=", "approved-key")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("service_key")
      .values({ ...approved, kid })
      .execute();
  });
  afterAll(async () => {
    await protocols[Symbol.asyncDispose]();
    await world.registry[Symbol.asyncDispose]();
  });

  it.each(rows)("$id answers each caller as written", async (row) => {
    const statuses: number[] = [];
    const logged: string[] = [];
    for (const caller of callers) {
      const request = await requestOf(row, caller);
      const last = await lastEntry(world.registry.store.db);
      const { status } = await protocols.ask(caller, request);
      statuses.push(status);
      if (status === row.success) logged.push((await kindsAfter(world.registry.store.db, last)).join(" "));
    }

    expect(statuses).toEqual(row.statuses);
    expect(new Set(logged)).toEqual(new Set(logged.length === 0 ? [] : [row.log.join(" ")]));
  });

  const changes = rows.filter(({ method }) => !["GET", "HEAD", "OPTIONS"].includes(method));
  const refused = [
    ...rows.map((row) => ({ ...row, condition: { "if-match": '"stale"' }, why: "that is not the current one" })),
    ...changes.map((row) => ({ ...row, condition: { "if-none-match": "*" }, why: "where there must be none" })),
  ];

  it.each(refused)("$id does nothing for a version $why", async ({ condition, ...row }) => {
    const { headers, ...request } = { ...(await requestOf(row, "admin")), ...proofs[row.id] };
    const before = await lastEntry(world.registry.store.db);
    const { status } = await protocols.ask("admin", { ...request, headers: { ...headers, ...condition } });

    expect(status).toBe(row.method === "OPTIONS" ? 200 : 412); // OPTIONS is about no version: RFC 9110, section 13.2.1
    const logged = await kindsAfter(world.registry.store.db, before);
    expect(logged.filter((kind) => !kind.endsWith("_failed"))).toEqual([]);
  });

  /** Restores for each caller what an operation deletes. */
  async function requestOf({ id, method, path }: ProtocolRow, caller: CallerName): Promise<ProtocolRequest> {
    if (method === "DELETE" && path.startsWith("/v2/")) await pushContent();
    const digest = digestOf({ listReferrers: manifest, deleteBlob: loose }[id] ?? layer);
    const upload = path.includes("{upload}") ? (await start()).split("/").at(-1) : "";
    const url = path
      .replace("{name}", name)
      .replace("{reference}", "golden")
      .replace("{digest}", digest)
      .replace("{upload}", upload ?? "")
      .replace("{service}", path.startsWith("/keys/") ? "scanner" : "corp")
      .replace("{trigger_uuid}", world.ids.trigger ?? "")
      .replace("{kid}", kid);
    return { method, url: `${url}${queries[id] ?? ""}`, ...(parts[id]?.(caller) ?? {}) };
  }

  async function pushContent(): Promise<void> {
    for (const content of [config, layer, loose]) {
      const url = `/v2/${name}/blobs/uploads/?digest=${digestOf(content)}`;
      await done({ method: "POST", url, body: content });
    }
    await done(pushed);
  }

  async function start(): Promise<string> {
    return (await done({ method: "POST", url: `/v2/${name}/blobs/uploads/` })).location;
  }

  async function done(request: ProtocolRequest) {
    const answer = await protocols.ask("admin", request);
    if (answer.status >= 300) throw new Error(`${request.method} ${request.url}: ${answer.status}`);
    return answer;
  }
});

const queries: Readonly<Record<string, string>> = {
  completeUpload: `?digest=${digestOf("new")}`,
  getRegistryToken: "?service=registry",
  showAuthorizePage: "?client_id=unknown&redirect_uri=https://example.com&response_type=token&scope=repo:read",
  showInvitePage: "?code=unknown",
};

type Parts = Pick<ProtocolRequest, "headers" | "form" | "body">;

/** The headers and bodies of requests that need them. */
const parts: Readonly<Record<string, (caller: CallerName) => Parts>> = {
  pushManifest: () => ({ headers: pushed.headers, body: manifest }),
  continueUpload: () => ({ body: "new", headers: { "content-type": "application/octet-stream" } }),
  completeUpload: () => ({ body: "new", headers: { "content-type": "application/octet-stream" } }),
  requestRegistryToken: (caller) => ({
    form: { grant_type: "password", service: "registry", ...credentialsOf(caller) },
  }),
  signInOnPage: (caller) => ({ form: credentialsOf(caller) }),
  ...Object.fromEntries(
    ["signOutOnPage", "authorizeApplication", "denyApplication", "askToGrantToken", "exchangeCode"].map((id) => [
      id,
      () => ({ form: { client_id: "unknown" } }),
    ]),
  ),
  nameOutsideUser: () => ({ form: { user: "unknown", username: "zoe" } }),
  attachOutsideLogin: () => ({ form: {} }),
  detachOutsideLogin: () => ({ form: {} }),
  answerInvitePage: () => ({ form: { code: "unknown" } }),
  confirmEmailAddress: () => ({ form: { code: "unknown" } }),
  recoverAccount: () => ({ form: { code: "unknown", password: "password2" } }),
};

const jwt = [{ alg: "RS256" }, {}, {}].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
const proof = { authorization: `Bearer ${jwt}`, "content-type": "application/json" };

/** Requests with a proof as operations need it before they look at conditions. */
const proofs: Readonly<Record<string, Parts>> = {
  submitServiceKey: { headers: proof, body: JSON.stringify({ kty: "RSA", n: "AQAB", e: "AQAB" }) },
  removeServiceKey: { headers: proof },
};

function credentialsOf(caller: CallerName): Readonly<Record<string, string>> {
  return { username: caller === "anonymous" ? "unknown" : userNames[caller], password: worldPassword };
}
