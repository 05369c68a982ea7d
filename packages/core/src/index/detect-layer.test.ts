import { createHash } from "node:crypto";
import { buildTar, type OddMember, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../bytes/limits.ts";
import { createGunzip } from "../inflate/gunzip.ts";
import { readLayer } from "../layer/read-layer.ts";
import { parseDigest } from "../model/digest.ts";
import type { Detector, FileEntry } from "../plugins/detector.ts";
import { detectLayer, wantedByAny } from "./detect-layer.ts";

/** What a layer of these members is asked of a detector that wants one kind, and the paths that it gets. */
async function detectKind(kind: FileEntry["kind"], members: readonly OddMember[]) {
  const asked = new Set<string>();
  const got: string[] = [];
  const detector: Detector = {
    name: "one-kind",
    revision: 1,
    wants(info) {
      asked.add(JSON.stringify(info));
      return info.kind === kind;
    },
    detect(files) {
      for (const { path } of files) got.push(path);
      return [];
    },
  };
  const detectors = [detector];
  const contents = await readLayer({
    open: () => streamBytes(buildTar(...members)),
    reopens: true,
    expected: {},
    wants: wantedByAny({ detectors }),
    decompressors: { gzip: createGunzip() },
    createHasher: (algorithm) => {
      const hash = createHash(algorithm);
      return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
    },
    limits: defaultLimits,
  });
  detectLayer({ detectors, limits: defaultLimits }, parseDigest(`sha256:${"0".repeat(64)}`), contents);
  return { asked: [...asked].map((info): FileEntry => JSON.parse(info)), got };
}

const members: readonly OddMember[] = [
  { name: "file", content: "content", mode: 0o600 },
  { name: "hard", type: "1", linkName: "file", mode: 0o755 },
  { name: "symbolic", type: "2", linkName: "file", mode: 0o777 },
];

describe("detectLayer", () => {
  it.each([
    ["file", ["file"]],
    ["hard-link", ["hard"]],
    ["symbolic-link", ["symbolic"]],
  ] as const)("gives what a detector wants of the kind %s", async (kind, paths) => {
    expect((await detectKind(kind, members)).got).toEqual(paths);
  });

  it("passes the same description of a file to every call of wants", async () => {
    for (const kind of ["file", "hard-link", "symbolic-link"] as const) {
      expect((await detectKind(kind, members)).asked).toEqual([
        { path: "file", kind: "file", sizeBytes: 7, mode: 0o600 },
        { path: "hard", kind: "hard-link", sizeBytes: 0, mode: 0o755 },
        { path: "symbolic", kind: "symbolic-link", sizeBytes: 0, mode: 0o777 },
      ]);
    }
  });
});
