import { createHash } from "node:crypto";
import { findAccount } from "@plimsoll/registry/access/queries";
import { expect } from "vitest";
import { onEachEngine } from "../../fixtures/each-engine.ts";
import { ociManifestType, type TestDistribution } from "../../fixtures/test-distribution.ts";

const name = "alice/images";
const sbomType = "application/vnd.cyclonedx+json";

/** Pushes an artifact whose configuration is that of another image, as it was pushed before. */
async function attach(world: TestDistribution, subject: string, { reference = "", to = subject } = {}) {
  const { send } = world;
  const image = JSON.parse(await (await send("GET", `${name}/manifests/v1`)).text());
  const { config, layers } = image;
  const described = to === "" ? {} : { subject: { mediaType: ociManifestType, digest: to, size: 1 } };
  const body = JSON.stringify({
    ...{ schemaVersion: 2, mediaType: ociManifestType, artifactType: sbomType },
    config,
    layers,
    ...described,
  });
  const digest = `sha256:${createHash("sha256").update(body).digest("hex")}`;
  const headers = { "content-type": ociManifestType };
  const answer = await send("PUT", `${name}/manifests/${reference || digest}`, { headers, body });
  expect(answer.status).toBe(201);
  return digest;
}

onEachEngine("listRepoManifestReferrers", (test) => {
  test("lists what names the image, and what stands under cosign's tags", async (world) => {
    const { registry, store, pushImage } = world;
    const { digest } = await pushImage(name, "v1", { layer: "one" });
    const other = await pushImage(name, "v2", { layer: "two" });
    const sbom = await attach(world, digest);
    const signature = await attach(world, "", { reference: `${digest.replace(":", "-")}.sig` });
    await attach(world, other.digest);
    const alice = await findAccount(store.db, "alice", "user");
    if (alice === undefined) throw new Error("no alice");
    const call = await registry.session(alice);
    const path = `/repository/${name}/manifest/${digest}/referrers`;

    const { status, body } = await call("GET", path);

    expect(status).toBe(200);
    expect(body.referrers.map((each: { readonly digest: string }) => each.digest)).toEqual([sbom, signature].sort());
    expect(body.referrers[0]).toMatchObject({ artifact_type: sbomType, media_type: ociManifestType });
    expect((await call("GET", `${path}?next_page=nonsense`)).status).toBe(400);
    expect((await call("GET", `/repository/${name}/manifest/sha256:${"0".repeat(64)}/referrers`)).status).toBe(404);
    expect((await registry.anonymous("GET", path)).status).toBe(401);
  });
});
