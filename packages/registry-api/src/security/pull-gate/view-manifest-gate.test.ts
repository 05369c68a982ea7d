import { findImageRepository } from "@plimsoll/registry/access/queries";
import { noPorts } from "@plimsoll/registry/ports";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { expect } from "vitest";
import { onEachEngine } from "../../fixtures/each-engine.ts";
import { digestOf, ociManifestType } from "../../fixtures/test-distribution.ts";
import { vulnerabilityReport, wholeCoverage } from "../../fixtures/test-reports.ts";
import { viewManifestGate } from "./view-manifest-gate.ts";

const name = "alice/images";
const openVex = "application/vnd.openvex+json";
const scanner: ImageScanner = {
  ...basicScanner,
  state: async () => "one",
  index: async () => {},
  find: async () => ({ status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage }),
};

onEachEngine("viewManifestGate", (test) => {
  test(
    "says of a document in the namespace of a user that there is no gate of an organization",
    async (world) => {
      const { registry, store, blobs, send } = world;
      const image = await world.pushImage(name, "v1");
      const document = JSON.stringify({
        ...{ "@context": "https://openvex.dev/ns/v0.2.0", "@id": "https://example.com/vex/1", author: "Ada" },
        ...{ timestamp: "2026-11-01T00:00:00Z", version: 1 },
        statements: [
          {
            ...{ vulnerability: { name: "CVE-2022-25883" }, products: [{ "@id": `pkg:oci/app@${image.digest}` }] },
            ...{ status: "not_affected", justification: "vulnerable_code_not_in_execute_path" },
          },
        ],
      });
      const [config, digest] = [await world.pushBlob(name, "{}"), await world.pushBlob(name, document)];
      const body = JSON.stringify({
        ...{ schemaVersion: 2, mediaType: ociManifestType, artifactType: openVex },
        config: { mediaType: "application/vnd.oci.empty.v1+json", digest: config, size: 2 },
        layers: [{ mediaType: openVex, digest, size: Buffer.byteLength(document) }],
        subject: { mediaType: ociManifestType, digest: image.digest, size: 1 },
      });
      const headers = { "content-type": ociManifestType };
      await send("PUT", `${name}/manifests/${digestOf(body)}`, { headers, body });
      const repository = await findImageRepository(store.db, "alice", "images");
      if (repository === undefined) throw new Error("the repository is not there");
      const context = { ...noPorts, db: store.db, blobs, imageScanner: scanner, now: registry.time.now };

      const { signal } = new AbortController();
      const { documents } = await viewManifestGate(context, { repository, reference: image.digest }, signal);

      const reason = "alice is a user, and only organizations have a gate for all their images";
      expect(documents.map((each) => [each.organization, each.repository])).toEqual([
        [{ counts: false, reason }, expect.objectContaining({ counts: true, by: "alice" })],
      ]);
    },
    { imageScanner: scanner },
  );
});
