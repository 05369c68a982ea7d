/**
 * Single requests and their responses: for existing content, missing content, and malformed requests.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#endpoints
 */
import { engineTitle, testTransports, usualTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  digestOf,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
  type TestSend,
} from "../fixtures/test-distribution.ts";

describe.each(testTransports)("over %s", (transport) => {
  let world: TestDistribution;
  beforeAll(async () => {
    world = await openTestDistribution({ engine: usualTestEngine, transport });
    await world.pushImage(there, "latest");
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const there = "alice/there";
  const missing = digestOf("missing");
  const upload = "blobs/uploads/3e6bf5a5-4dd1-4e24-a3f4-b5dd2a1a3b5d";
  const manifest = { headers: { "content-type": ociManifestType }, body: "blablabla" };
  const large = { headers: { "content-type": ociManifestType }, body: Buffer.alloc(8 * 1024 * 1024 + 1, " ") };

  type Row = readonly [method: string, path: string, answer: string, options?: TestSend];

  const workflows: Readonly<Record<string, readonly Row[]>> = {
    "determining support": [
      ["GET", "/v2/", "200"],
      ["GET", "/v2", "200"],
      ["GET", "/v2/", "401 UNAUTHORIZED", { as: "" }],
    ],
    pull: [
      ["GET", `${there}/manifests/latest`, "200"],
      ["HEAD", `${there}/manifests/latest`, "200"],
      ["GET", `${there}/manifests/missing`, "404 MANIFEST_UNKNOWN"],
      ["HEAD", `${there}/manifests/missing`, "404"],
      ["GET", `${there}/manifests/${missing}`, "404 MANIFEST_UNKNOWN"],
      ["GET", `${there}/manifests/.INVALID_MANIFEST_NAME`, "404 MANIFEST_UNKNOWN"],
      ["HEAD", `${there}/manifests/.INVALID_MANIFEST_NAME`, "404"],
      ["GET", `${there}/manifests/${"a".repeat(129)}`, "404 MANIFEST_UNKNOWN"],
      ["GET", `${there}/manifests/sha256:baddigeststring`, "400 DIGEST_INVALID"],
      ["GET", `${there}/blobs/${missing}`, "404 BLOB_UNKNOWN"],
      ["HEAD", `${there}/blobs/${missing}`, "404"],
      ["GET", `${there}/blobs/sha256:baddigeststring`, "400 DIGEST_INVALID"],
      ["GET", "alice/new/manifests/latest", "404 NAME_UNKNOWN"],
      ["GET", `alice/new/blobs/${missing}`, "404 NAME_UNKNOWN"],
      ["GET", "Alice/There/manifests/latest", "400 NAME_INVALID"],
    ],
    push: [
      ["PUT", `${there}/manifests/latest`, "400 MANIFEST_INVALID", manifest],
      ["PUT", `${there}/manifests/sha256:totallywrong`, "400 DIGEST_INVALID", manifest],
      ["PUT", `${there}/manifests/${missing}`, "400 MANIFEST_INVALID", manifest],
      ["PUT", `${there}/manifests/.INVALID_MANIFEST_NAME`, "400 TAG_INVALID", manifest],
      ["PUT", `${there}/manifests/latest`, "413 SIZE_INVALID", large],
      ["POST", `${there}/blobs/uploads`, "202"],
      ["POST", `${there}/blobs/uploads/?digest=sha256:baddigeststring`, "400 DIGEST_INVALID"],
      ["GET", `${there}/${upload}`, "404 BLOB_UPLOAD_UNKNOWN"],
      ["PATCH", `${there}/${upload}`, "404 BLOB_UPLOAD_UNKNOWN", { body: "content" }],
      ["PUT", `${there}/${upload}?digest=${missing}`, "404 BLOB_UPLOAD_UNKNOWN", { body: "content" }],
    ],
    "content discovery": [
      ["GET", `${there}/tags/list`, "200"],
      ["GET", `${there}/tags/list?n=0`, "200"],
      ["GET", `${there}/tags/list?n=many`, "400 INVALID_REQUEST"],
      ["GET", `${there}/tags/list?n=1&last=latest`, "200"],
      ["GET", "alice/new/tags/list", "404 NAME_UNKNOWN"],
      ["GET", `${there}/referrers/${missing}`, "200"],
      ["GET", `${there}/referrers/${missing}?artifactType=`, "200"],
      ["GET", `${there}/referrers/sha256:baddigeststring`, "400 DIGEST_INVALID"],
      ["GET", `alice/new/referrers/${missing}`, "200"],
      ["GET", `alice/new/referrers/${missing}`, "401 UNAUTHORIZED", { as: "" }],
    ],
    "content management": [
      ["DELETE", `${there}/manifests/missing`, "404 MANIFEST_UNKNOWN"],
      ["DELETE", `${there}/manifests/${missing}`, "404 MANIFEST_UNKNOWN"],
      ["DELETE", `${there}/manifests/.INVALID_MANIFEST_NAME`, "404 MANIFEST_UNKNOWN"],
      ["DELETE", `${there}/blobs/${missing}`, "404 BLOB_UNKNOWN"],
      ["DELETE", `${there}/${upload}`, "404 BLOB_UPLOAD_UNKNOWN"],
      ["DELETE", "alice/new/manifests/latest", "404 NAME_UNKNOWN"],
      ["DELETE", `alice/new/blobs/${missing}`, "404 NAME_UNKNOWN"],
      ["DELETE", `${there}/tags/list`, "405 UNSUPPORTED"],
    ],
  };

  describe.each(Object.keys(workflows))(`%s on ${engineTitle(usualTestEngine)}`, (workflow) => {
    const rows = workflows[workflow]?.map(([method, path, answer, options = {}]) => ({
      method,
      path,
      answer,
      options,
    }));

    it.each(rows ?? [])("$method $path is answered with $answer", async ({ method, path, answer, options }) => {
      const response = await world.send(method, path, options);

      const text = await response.text();
      const isRefusal = response.status >= 400 && text !== "";
      const code = isRefusal ? ` ${(JSON.parse(text) as { errors: { code: string }[] }).errors[0]?.code}` : "";
      expect(`${response.status}${code}`).toBe(answer);
    });
  });
});
