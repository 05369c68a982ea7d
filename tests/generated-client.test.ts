/** A client that is generated from the OpenAPI document drives every operation; each answer is checked by the document's schema. */
import { readFileSync } from "node:fs";
import { generateClient, usualTestEngine } from "@plimsoll/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Document, OpenAPIClientAxios } from "openapi-client-axios";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { putNotificationSet } from "./support/notification-set.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, startTestService, type TestService } from "./support/scanner-service.ts";

const text = readFileSync(new URL("../docs/reference/scanner-openapi.json", import.meta.url), "utf8");
const document = JSON.parse(text) as Document;
const image = await debianImage(["zlib1g 1:1.2.13.dfsg-1 zlib"]);
const set = "0b0e0000-0000-4000-8000-000000000001";
const otherSet = "0b0e0000-0000-4000-8000-000000000002";
const unknown = `sha256:${"0".repeat(64)}`;
const digest = { digest: image.digest };
const summary = {
  ...{ name: "CVE-2023-45853", normalized_severity: "High" },
  package: { name: "zlib", version: "", kind: "SOURCE" },
  distribution: { id: "1", did: "debian", version_id: "12" },
};

describe("a client generated from the OpenAPI document", () => {
  const resources = new AsyncDisposableStack();
  const called = new Set<string>();
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document as object, "document");
  let service: TestService;
  let ref = "";
  let location = "";
  let call: (operation: string, parameters: object | null, data?: unknown) => Promise<unknown>;

  beforeAll(async () => {
    ({ location } = resources.use(await usualTestEngine.create()));
    await loadTracker(location, { zlib: { "CVE-2023-45853": { fixed: "1:1.3.dfsg-1", urgency: "high" } } });
    service = resources.use(await startTestService(location));
    await putNotificationSet(location, { id: set, manifest: image.digest, names: ["CVE-1"], more: {} });
    const api = new OpenAPIClientAxios({ definition: document, axiosConfigDefaults: { baseURL: service.url } });
    const client = (await api.init()) as unknown as Readonly<Record<string, Operation>>;
    call = async (operation, parameters, data) => {
      const { status, data: body } = (await client[operation]?.(parameters, data)) ?? {};
      called.add(operation);
      expectDeclared(ajv, operation, { status: status ?? 0, body });
      return body;
    };
  });
  afterAll(() => resources.disposeAsync());

  it("indexes, matches, looks backwards, compares, reads notifications and deletes", async () => {
    await call("indexManifest", null, service.manifestOf(image));
    const index = await call("getIndexReport", digest);
    await call("getIndexState", null);
    await call("getVulnerabilityReport", digest);
    await call("listVulnerabilityReports", null, [image.digest]);
    await call("matchIndexReport", null, index);
    await call("affectedManifests", null, [summary]);
    await call("listRelatedKeys", null, [{ ecosystem: "debian:12", name: "zlib" }]);
    await call("findImages", null, { kind: "package", value: "zlib", after: "", limit: 10 });
    await call("listFeedCoverage", null, ["debian:12"]);
    await call("listEnrichmentRecords", null, { enricher: "redhat-repositories", tags: ["rhocp"] });
    const operations = (await call("getUpdateOperations", null)) as { debian: readonly { ref: string }[] };
    ref = operations.debian[0]?.ref ?? "";
    await call("getUpdateDiff", { prev: ref });
    await call("getNotificationPage", { id: set });
    await call("deleteNotificationSet", { id: set });
    await call("deleteUpdateOperation", { digest: ref });
    await call("deleteManifest", digest);
    await call("deleteManifests", null, [image.digest]);

    const all = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods ?? {}));
    const ids = (all as readonly { readonly operationId: string }[]).map(({ operationId }) => operationId);
    expect(ids.filter((id) => !called.has(id))).toEqual([]);
  });

  it("does so with a client whose source was generated, which asks for plain JSON", async () => {
    const { settings, operations } = await generateClient(document);
    settings.BASE = service.url;
    const drive = async (id: string, parameters: Readonly<Record<string, unknown>> = {}) => {
      const answer = await operations.get(id)?.(parameters);
      driven.add(id);
      if (answer !== undefined) expectDeclared(ajv, id, { status: Number(successOf(id)), body: answer });
      return answer;
    };
    const driven = new Set<string>();
    await loadTracker(location, { zlib: { "CVE-2023-45853": { urgency: "medium" } } });
    await putNotificationSet(location, { id: otherSet, manifest: image.digest, names: ["CVE-1"], more: {} });

    await drive("indexManifest", { requestBody: service.manifestOf(image) });
    const index = await drive("getIndexReport", digest);
    await drive("getIndexState");
    await drive("getVulnerabilityReport", digest);
    await drive("listVulnerabilityReports", { requestBody: [image.digest, unknown] });
    await drive("matchIndexReport", { requestBody: index });
    await drive("affectedManifests", { requestBody: [summary] });
    await drive("listRelatedKeys", { requestBody: [{ ecosystem: "debian:12", name: "zlib" }] });
    await drive("findImages", { requestBody: { kind: "package", value: "zlib", after: "", limit: 10 } });
    await drive("listFeedCoverage", { requestBody: ["debian:12"] });
    await drive("listEnrichmentRecords", { requestBody: { enricher: "redhat-repositories", tags: ["rhocp"] } });
    const { debian } = (await drive("getUpdateOperations")) as { debian: readonly { ref: string }[] };
    await drive("getUpdateDiff", { prev: "00000000-0000-0000-0000-000000000000", cur: debian[0]?.ref });
    await drive("getNotificationPage", { id: otherSet });
    await drive("deleteNotificationSet", { id: otherSet });
    await drive("deleteUpdateOperation", { digest: debian[0]?.ref });
    await drive("deleteManifest", digest);
    await drive("deleteManifests", { requestBody: [image.digest] });

    expect([...operations.keys()].filter((id) => !driven.has(id))).toEqual([]);
  });
});

/** The status of success of an operation. */
function successOf(id: string): string | undefined {
  const methods = Object.values(document.paths ?? {}).flatMap((each) => Object.values(each ?? {}));
  const found = methods.find((each) => (each as { operationId?: string }).operationId === id);
  return Object.keys((found as { responses: object }).responses).find((status) => status.startsWith("2"));
}

type Operation = (parameters: object | null, data?: unknown) => Promise<{ status: number; data: unknown }>;

function expectDeclared(
  ajv: Ajv2020,
  id: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): void {
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods ?? {})) {
      const { operationId, responses } = operation as { operationId: string; responses: Record<string, Declared> };
      if (operationId !== id) continue;
      const mediaType = Object.keys(responses[status]?.content ?? {}).find((each) => each.endsWith("/json"));
      expect(Object.keys(responses)).toContain(String(status));
      if (mediaType === undefined) return;
      const steps = ["paths", path, method, "responses", String(status), "content", mediaType, "schema"];
      const pointer = steps
        .map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")))
        .join("/");
      const validate = ajv.getSchema(`document#/${pointer}`);
      validate?.(body);
      expect([id, validate === undefined, validate?.errors ?? []]).toEqual([id, false, []]);
    }
  }
}

interface Declared {
  readonly content?: object;
}
