import { describe, expect, it } from "vitest";
import { pushRefusal } from "./push-refusal.ts";

const to = 'Error: pushing image "localhost/build:latest" to "docker://registry.example/a/b:latest"';

describe("pushRefusal", () => {
  // What buildah 1.28 prints for answers of a registry.
  it.each<[string, string, string | undefined]>([
    [
      "403 to an upload",
      `${to}: writing blob: initiating layer upload to /v2/a/b/ in r: denied: no room`,
      "denied: no room",
    ],
    [
      "403 to a manifest",
      `${to}: writing manifest: uploading manifest latest to r/a/b: denied: locked`,
      "denied: locked",
    ],
    [
      "400 to a manifest, in each format",
      `${to}: Uploading manifest failed, attempted the following formats: oci(writing manifest: uploading manifest latest to r/a/b: manifest invalid: no layers), docker(writing manifest: x)`,
      "manifest invalid: no layers",
    ],
    [
      "413 to a blob",
      `${to}: writing blob: uploading layer chunked: size invalid: too large`,
      "size invalid: too large",
    ],
    [
      "413 of a proxy",
      `${to}: writing manifest: uploading manifest latest to r/a/b: StatusCode: 413, <html>`,
      "StatusCode: 413",
    ],
    ["401", `${to}: writing blob: initiating layer upload to /v2/a/b/ in r: unauthorized: sign in`, undefined],
    [
      "405",
      `${to}: writing manifest: uploading manifest latest to r/a/b: unsupported: read-only`,
      "unsupported: read-only",
    ],
    ["429", `${to}: writing blob: initiating layer upload to /v2/a/b/ in r: toomanyrequests: wait`, undefined],
    [
      "429 of a proxy",
      `${to}: writing manifest: uploading manifest latest to r/a/b: StatusCode: 429, <html>`,
      undefined,
    ],
    [
      "500",
      `${to}: writing blob: uploading layer chunked: received unexpected HTTP status: 500 Internal Server Error`,
      undefined,
    ],
    ["no answer", `${to}: pinging container registry r: Get "http://r/v2/": dial tcp: connection refused`, undefined],
    ["no error", "Storing signatures", undefined],
  ])("reads the answer %s", (_, line, refusal) => {
    expect(pushRefusal(["Getting image source signatures", line])).toBe(refusal);
  });
});
