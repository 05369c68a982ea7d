/** A registry whose scanner runs elsewhere: packages that attached SBOMs state are matched there, or listed where that cannot be. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseDigest } from "@plimsoll/core/digest";
import { readSbom } from "@plimsoll/core/sbom";
import { usualTestEngine } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { imageScanner } from "../packages/server/src/registry/image-scanner.ts";
import { remoteIndexer, remoteReports } from "../packages/server/src/serve/remote-services.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, startTestService, type TestService } from "./support/scanner-service.ts";

const image = await debianImage(["bash 5.2.15-2 bash"]);
const document = parseDigest(`sha256:${"d".repeat(64)}`);
const bom = {
  ...{ bomFormat: "CycloneDX", specVersion: "1.6" },
  components: [{ type: "library", name: "left-pad", version: "1.3.0", purl: "pkg:npm/left-pad@1.3.0" }],
};
const { packages } = readSbom(Buffer.from(JSON.stringify(bom)), "app.cdx.json");
const stated = packages.map((each) => ({ ...each, document }));

async function scannerAt(matcher: string, indexer = matcher) {
  return imageScanner({
    indexer: remoteIndexer({ name: "indexer", addresses: [indexer] }),
    matcher: remoteReports({ name: "matcher", addresses: [matcher] }),
    layers: { addressOf: () => "" } as never,
    clock: { now: () => Date.now() },
    feedMaxAgeDays: 1,
  });
}

/** What indexes the image, and its layers as the registry names them. */
function submitted(service: TestService) {
  const manifest = service.manifestOf(image) as { readonly layers: readonly { readonly hash: string }[] };
  const layers = manifest.layers.map(({ hash }) => ({ digest: parseDigest(hash), mediaType: "" }));
  return { body: JSON.stringify(manifest), layers };
}

describe("a scanner elsewhere", () => {
  it("matches what attached SBOMs state, together with what the layers show", async () => {
    await using database = await usualTestEngine.create();
    await loadTracker(database.location, { bash: { "CVE-2026-1": { urgency: "high" } } });
    await using service = await startTestService(database.location);
    const { body, layers } = submitted(service);
    const headers = { "content-type": "application/json" };
    await fetch(`${service.url}/indexer/api/v1/index_report`, { method: "POST", headers, body });
    const scanner = await scannerAt(service.url);

    const found = await scanner.find({ digest: image.digest, layers }, { stated });

    if (found.status !== "scanned") throw new Error(found.status);
    const names = Object.values(found.report.packages).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["bash", "left-pad"]));
    expect(Object.values(found.report.vulnerabilities).map(({ name }) => name)).toContain("CVE-2026-1");
    expect(found.unmatched).toEqual([]);
  });

  it("that knows digests alone has them listed", async () => {
    await using database = await usualTestEngine.create();
    await using service = await startTestService(database.location);
    const { body, layers } = submitted(service);
    const headers = { "content-type": "application/json" };
    await fetch(`${service.url}/indexer/api/v1/index_report`, { method: "POST", headers, body });
    const asked: string[] = [];
    const older = createServer(async (request, response) => {
      asked.push(request.url ?? "");
      if (request.method === "POST") return void response.writeHead(404).end("{}");
      const answer = await fetch(`${service.url}${request.url}`, { headers: { accept: request.headers.accept ?? "" } });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    await new Promise<void>((resolve) => older.listen(0, "127.0.0.1", resolve));
    await using _ = { [Symbol.asyncDispose]: async () => void older.close() };
    const scanner = await scannerAt(`http://127.0.0.1:${(older.address() as AddressInfo).port}`, service.url);

    const found = await scanner.find({ digest: image.digest, layers }, { stated });

    expect(found).toMatchObject({ status: "scanned", unmatched: [{ package: { name: "left-pad" } }] });
    expect(asked).toEqual([
      "/matcher/api/v1/internal/index_report",
      `/matcher/api/v1/vulnerability_report/${image.digest}`,
    ]);
  });
});
