import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "@plimsoll/core/report";
import { type BuiltImage, blobsOf, buildImage, buildLayer } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openRegistryReports } from "./registry-reports.ts";

const image = buildImage({ layers: [await buildLayer({ "etc/os-release": "NAME=app\n" })] });

const empty = { packages: {}, distributions: {}, repository: {}, environments: {} };
const scanned = {
  status: "scanned",
  report: { manifest_hash: image.digest, ...empty, vulnerabilities: {}, package_vulnerabilities: {}, enrichments: {} },
};

/** A registry with one image; asked for its report it answers one after the other, the last one again and again. */
async function serve(built: BuiltImage, ...answers: readonly (Json | undefined)[]) {
  return serveDenying(undefined, built, answers);
}

/** As {@link serve}. @param denial the message with which the registry denies the pull */
async function serveDenying(denial: string | undefined, built: BuiltImage, answers: readonly (Json | undefined)[]) {
  const blobs = new Map<string, Uint8Array>(blobsOf(built).map(({ digest, bytes }) => [digest, bytes]));
  const left = [...answers];
  const server = createServer(({ url = "" }, response) => {
    if (url.includes("/_plimsoll/report/")) {
      const answer = left.length > 1 ? left.shift() : left[0];
      response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
    } else if (url.includes("/manifests/") && denial !== undefined) {
      response.writeHead(403).end(JSON.stringify({ errors: [{ code: "DENIED", message: denial }] }));
    } else if (url.includes("/manifests/")) {
      response.writeHead(200, { "content-type": built.mediaType, "docker-content-digest": built.digest });
      response.end(built.bytes);
    } else response.end(blobs.get(url.split("/").at(-1) ?? ""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const reference = `127.0.0.1:${(server.address() as AddressInfo).port}/acme/app:1`;
  return { reference, [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

describe("openRegistryReports", () => {
  it("says how the scan of each image stands", async () => {
    const failed = { status: "failed", reason: "a layer ends too early" };
    await using registry = await serve(image, { status: "queued" }, failed, scanned as Json);
    await using reports = await openRegistryReports(registry.reference);

    const answers = [];
    for (let asked = 0; asked < 3; asked++) answers.push(await reports.find(image.digest));

    expect(reports.images).toMatchObject([{ manifestDigest: image.digest }]);
    expect(answers).toMatchObject([
      { kind: "queued" },
      { kind: "unscanned", status: "failed", reason: "a layer ends too early" },
      { kind: "scanned", report: { manifestDigest: image.digest } },
    ]);
  });

  it("has the report of an image that the registry denies, and the registry's reason", async () => {
    const reason = "the pull gate of the organization denies the image\u001b[2J";
    await using registry = await serveDenying(reason, image, [{ ...scanned, digest: image.digest } as unknown as Json]);
    await using reports = await openRegistryReports(registry.reference);

    const found = await reports.find(image.digest);

    expect(reports.images).toEqual([{ reference: registry.reference, manifestDigest: image.digest }]);
    expect(reports.denials).toEqual([
      `the registry denies the pull of ${registry.reference}: the pull gate of the organization denies the image\\x1b[2J`,
    ]);
    expect(found).toMatchObject({ kind: "scanned", report: { manifestDigest: image.digest } });
  });

  it("refuses what a registry of others denies", async () => {
    await using registry = await serveDenying("no", image, [undefined]);

    const opening = openRegistryReports(registry.reference);

    await expect(opening).rejects.toMatchObject({
      code: "unauthorized",
      message: expect.stringContaining("403 DENIED"),
    });
  });

  it("says of a registry of others that it has no reports", async () => {
    await using registry = await serve(image, undefined);
    await using reports = await openRegistryReports(registry.reference);

    const refused = reports.find(image.digest);

    await expect(refused).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("has no reports of images"),
    });
  });

  it("refuses an answer that says nothing", async () => {
    await using registry = await serve(image, []);
    await using reports = await openRegistryReports(registry.reference);

    await expect(reports.find(image.digest)).rejects.toMatchObject({ code: "malformed_report" });
  });
});
