import { findAccount } from "@plimsoll/registry/access/queries";
import { countAttachedJob } from "@plimsoll/registry/content/jobs";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { countImagesNow } from "@plimsoll/registry/security/jobs";
import { runDueJobs, systemTime } from "@plimsoll/store";
import { expect } from "vitest";
import { onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, ociManifestType, type TestDistribution } from "../fixtures/test-distribution.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { attachDocument } from "../security/fixtures/attach-document.ts";

const name = "alice/images";
const cycloneDx = "application/vnd.cyclonedx+json";
const components = [{ type: "library", name: "left-pad", version: "1.3.0", purl: "pkg:npm/left-pad@1.3.0" }];
const bom = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components });

/** A scanner that finds a vulnerability of high severity in documents, and nothing in layers. */
const scanner: ImageScanner = {
  ...basicScanner,
  state: async () => "one",
  index: async () => {},
  find: async (_, { stated = [] } = {}) => {
    const report = stated.length > 0 ? vulnerabilityReport : { ...vulnerabilityReport, package_vulnerabilities: {} };
    return { status: "scanned", report, coverage: wholeCoverage, unmatched: [] };
  },
};

/** An image under an enforced gate, and its changes. */
async function openWorld(world: TestDistribution) {
  const { registry, store, send } = world;
  const alice = await findAccount(store.db, "alice", "user");
  if (alice === undefined) throw new Error("no alice");
  const call = await registry.session(alice);
  const { digest } = await world.pushImage(name, "v1");
  await call("PUT", `/repository/${name}/pullgate`, { severity: "High" });
  const clock = { now: () => registry.time.now };
  const counting = countAttachedJob.withContext({ countImages: (ids) => countImagesNow({ store, clock }, ids) });
  return {
    ...{ call, digest },
    pull: async () => (await send("GET", `${name}/manifests/v1`)).status,
    delete: async (reference: string) => (await send("DELETE", `${name}/manifests/${reference}`)).status,
    /** Whether the image is to be counted again; it is not, after that. */
    isDue: async () => {
      await runDueJobs({ store, jobs: [counting], clock, random: () => 0, sleep: systemTime.sleep });
      const due = await store.db.updateTable("finding_count").set({ due_at: 9e15 }).where("due_at", "=", 0).execute();
      return due.some(({ numUpdatedRows }) => numUpdatedRows > 0n);
    },
    counted: () =>
      store.db
        .insertInto("finding_count")
        .columns(["manifest_id", "due_at"])
        .expression((from) =>
          from
            .selectFrom("image_manifest")
            .select((row) => ["id", row.lit(9_000_000).as("due_at")])
            .where("digest", "=", digest),
        )
        .execute(),
  };
}

onEachEngine("documents that are attached and deleted", (plain) => {
  const test = (title: string, run: (world: TestDistribution) => Promise<void>) =>
    plain(title, run, { imageScanner: scanner });

  test("count at once for gates and counts: by a referrer", async (world) => {
    const { pull, isDue, counted, digest, delete: remove } = await openWorld(world);
    await counted();
    const seen = async () => [await pull(), await isDue()];

    expect(await seen()).toEqual([200, false]);
    await attachDocument(world, name, { document: bom, mediaType: cycloneDx, subject: digest });
    expect(await seen()).toEqual([403, true]);
    const list = (await (await world.send("GET", `${name}/referrers/${digest}`)).json()) as {
      manifests: { digest: string }[];
    };
    expect(await remove(list.manifests[0]?.digest ?? "")).toBe(202);
    expect(await seen()).toEqual([200, true]);
    expect(await seen()).toEqual([200, false]);
  });

  test("count at once for gates and counts: by a tag of cosign, that is moved, deleted and restored", async (world) => {
    const { call, pull, isDue, counted, digest } = await openWorld(world);
    await counted();
    const tag = `${digest.replace(":", "-")}.sbom`;
    const path = `/repository/${name}/tag/${tag}`;
    const seen = async () => [await pull(), await isDue()];
    const other = await world.pushImage(name, "other", { layer: "other" });
    const tagged = async () =>
      (await world.send("HEAD", `${name}/manifests/${tag}`)).headers.get("docker-content-digest") ?? "";

    expect(await pull()).toBe(200);
    await attachDocument(world, name, { document: bom, mediaType: cycloneDx, tag });
    const document = await tagged();
    expect(await seen()).toEqual([403, true]);
    expect((await call("PUT", path, { manifest_digest: other.digest })).status).toBe(201);
    expect(await seen()).toEqual([200, true]);
    expect((await call("POST", `${path}/restore`, { manifest_digest: document })).status).toBe(201);
    expect(await seen()).toEqual([403, true]);
    expect((await call("DELETE", path)).status).toBe(204);
    expect(await seen()).toEqual([200, true]);
  });

  test("count at once where an index is deleted that they are attached to", async (world) => {
    const { pull, digest, delete: remove } = await openWorld(world);
    const mediaType = "application/vnd.oci.image.index.v1+json";
    const manifests = [{ mediaType: ociManifestType, digest, size: 1 }];
    const index = JSON.stringify({ schemaVersion: 2, mediaType, manifests });
    await world.send("PUT", `${name}/manifests/all`, { headers: { "content-type": mediaType }, body: index });
    expect(await pull()).toBe(200);

    await attachDocument(world, name, { document: bom, mediaType: cycloneDx, subject: digestOf(index) });
    expect(await pull()).toBe(403);
    expect(await remove(digestOf(index))).toBe(202);

    expect(await pull()).toBe(200);
  });
});
