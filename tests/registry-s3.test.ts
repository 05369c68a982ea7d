/** The registry with its blobs in a real S3-compatible store, which `PLIMSOLL_TEST_S3` names. */
import { randomBytes } from "node:crypto";
import { digestOf } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { realS3Settings } from "./support/s3-settings.ts";
import { tempFolder } from "./support/temp-folder.ts";

const mebibyte = 1024 ** 2;
const s3 = realS3Settings();

/** A registry that keeps its blobs in the store, under keys of its own. */
function startOnS3(folder: string): Promise<RegistryProcess> {
  return startRegistry(folder, { ...s3, s3Redirect: "true" });
}

/** Speaks to the registry as its first user, and follows no redirect. */
function clientOf({ process, token }: RegistryProcess) {
  const authorization = `Basic ${btoa(`$oauthtoken:${token}`)}`;
  const ask = (address: string, init: RequestInit = {}) =>
    fetch(new URL(address, process.url), {
      redirect: "manual",
      ...init,
      headers: { authorization, ...(init.headers as object) },
    });
  const begin = async (repository: string) => {
    const begun = await ask(`/v2/alice/${repository}/blobs/uploads/`, { method: "POST" });
    return new URL(begun.headers.get("location") ?? "", process.url).href;
  };
  const patch = (upload: string, content: Uint8Array<ArrayBuffer>, from: number) => {
    const headers = { "content-range": `${from}-${from + content.length - 1}` };
    return ask(upload, { method: "PATCH", headers, body: content });
  };
  const received = async (upload: string) => Number((await ask(upload)).headers.get("range")?.split("-")[1]) + 1;
  return { ask, begin, patch, received };
}

/** A request that brings some bytes and never ends. */
function unfinished(content: Uint8Array): RequestInit {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(content) });
  return { method: "PATCH", body, duplex: "half" } as RequestInit;
}

describe.skipIf(s3 === undefined)("a registry on a real S3 store", () => {
  it("takes an upload in chunks over its own death, mounts it, and sends clients to the store for it", async () => {
    using folder = tempFolder();
    await using registry = await startOnS3(folder.path);
    const { ask, begin, patch, received } = clientOf(registry);
    const content = new Uint8Array(randomBytes(30 * mebibyte));
    const digest = digestOf(content);
    const upload = await begin("one");

    const first = await patch(upload, content.subarray(0, 3 * mebibyte), 0);
    const cut = ask(upload, unfinished(content.subarray(3 * mebibyte, 15 * mebibyte))).catch(() => undefined);
    await expect.poll(() => received(upload)).toBeGreaterThan(11 * mebibyte); // one part more
    await registry.process.restart();
    await cut;
    await registry.process.listening();
    const from = await received(upload);
    const rest = await patch(upload, content.subarray(from), from);
    const done = await ask(`${upload}?digest=${digest}`, { method: "PUT" });
    const mounted = await ask(`/v2/alice/two/blobs/uploads/?mount=${digest}&from=alice/one`, { method: "POST" });
    const sent = await ask(`/v2/alice/two/blobs/${digest}`);
    const pulled = await fetch(sent.headers.get("location") ?? "");

    expect(from).toBeGreaterThan(11 * mebibyte);
    expect([first, rest, done, mounted, sent].map(({ status }) => status)).toEqual([202, 202, 201, 201, 307]);
    expect(digestOf(new Uint8Array(await pulled.arrayBuffer()))).toBe(digest);
  });
});
