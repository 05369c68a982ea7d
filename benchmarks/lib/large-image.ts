/** An image with as many findings as one may have, in a registry whose database has the advisories for them. */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Advisory } from "@plimsoll/core";
import type { FeedItem } from "@plimsoll/core/plugins";
import { call, type ServedRegistry } from "./registry.ts";

const [names, versionsOfEach, advisoriesOfEach] = [500, 40, 1];
const exceptions = 200;
const manifestType = "application/vnd.oci.image.manifest.v1+json";

/** One advisory for each package of {@link pushLargeImage}. */
export async function* largeAdvisories(): AsyncGenerator<FeedItem<Advisory>> {
  for (let name = 0; name < names; name++) {
    for (let index = 0; index < advisoriesOfEach; index++) {
      const cve = `CVE-2026-${10_000 + name * advisoriesOfEach + index}`;
      const item: Advisory = {
        ...{ id: `npm/${cve}`, name: cve, aliases: [], ecosystem: "npm", packageName: `package-${name}` },
        ...{ packageKind: "BINARY", status: "affected", versions: [], ranges: [{ fixed: "2.0.0" }] },
        ...{ updater: "benchmark", description: `What is wrong is described under ${cve}.`, links: [] },
        normalizedSeverity: "Critical",
      };
      yield { kind: "item", item };
    }
  }
}

const sha = (bytes: Uint8Array | string) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Pushes an image whose SBOM states 20,000 packages, as many as are read, with a finding each. @returns its digest */
export async function pushLargeImage(registry: ServedRegistry, repository: string): Promise<string> {
  const push = pushTo(registry, repository);
  const config = await push.blob(Buffer.from("{}"), "application/vnd.oci.image.config.v1+json");
  const layer = await push.blob(Buffer.alloc(1024), "application/vnd.oci.image.layer.v1.tar");
  const digest = await push.manifest({ config, layers: [layer] }, "large");
  await isScanned(registry, repository, digest);
  const components = Array.from({ length: names * versionsOfEach }, (_, at) => {
    const [name, version] = [`package-${at % names}`, `1.${Math.floor(at / names)}.0`];
    const filler = "x".repeat(600); // up to the limit of 16 MiB for attached SBOMs
    return { type: "library", name, version, purl: `pkg:npm/${name}@${version}`, description: filler };
  });
  const sbom = { bomFormat: "CycloneDX", specVersion: "1.6", components };
  const vex = { "@context": "https://openvex.dev/ns/v0.2.0", statements: Array.from({ length: 20_000 }, statement) };
  const subject = { mediaType: manifestType, digest, size: 1 };
  for (const [document, mediaType] of [
    [sbom, "application/vnd.cyclonedx+json"],
    [vex, "application/vnd.openvex+json"],
  ] as const) {
    const attached = await push.blob(Buffer.from(JSON.stringify(document)), mediaType);
    await push.manifest({ artifactType: mediaType, config, layers: [attached], subject });
  }
  return digest;
}

function statement(_: unknown, at: number) {
  const vulnerability = { name: `CVE-2025-${10_000 + at}` };
  return { vulnerability, products: [`pkg:npm/package-${at % names}`], status: "not_affected" };
}

/** Gives a repository a gate with 200 exceptions, none of which is for a finding of {@link pushLargeImage}. */
export async function addGate(registry: ServedRegistry, repository: string): Promise<void> {
  const path = `/api/v1/repository/${repository}/pullgate`;
  const authorization = registry.bearer;
  await call(registry, { method: "PUT", path, authorization, body: { mode: "dry_run", severity: "Low" } });
  const expires = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
  for (let at = 0; at < exceptions; at++) {
    const body = { vulnerability: `CVE-1999-${1000 + at}`, reason: "it is not here", expires };
    await call(registry, { method: "POST", path: `${path}/exceptions`, authorization, body });
  }
}

function pushTo(registry: ServedRegistry, repository: string) {
  const authorization = registry.basic;
  return {
    async blob(body: Buffer, mediaType: string) {
      const path = `/v2/${repository}/blobs/uploads/?digest=${sha(body)}`;
      await call(registry, { method: "POST", path, authorization, body, contentType: "application/octet-stream" });
      return { mediaType, digest: sha(body), size: body.length };
    },
    async manifest(members: object, tag?: string) {
      const body = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: manifestType, ...members }));
      const path = `/v2/${repository}/manifests/${tag ?? sha(body)}`;
      await call(registry, { method: "PUT", path, authorization, body, contentType: manifestType });
      return sha(body);
    },
  };
}

/** Waits until an image is scanned. @throws if its scan fails */
export async function isScanned(registry: ServedRegistry, repository: string, digest: string): Promise<void> {
  const path = `/api/v1/repository/${repository}/manifest/${digest}/security?vulnerabilities=false`;
  const get = { method: "GET", path, authorization: registry.bearer } as const;
  for (let attempt = 0; attempt < 300; attempt++) {
    const { status } = (await call(registry, get)) as { readonly status: string };
    if (status === "scanned") return;
    if (status !== "queued") throw new Error(`the image of the benchmark is ${status}`);
    await delay(200);
  }
  throw new Error("the image of the benchmark was not scanned in a minute");
}
