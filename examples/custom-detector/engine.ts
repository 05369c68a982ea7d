/** An engine with an additional packaging system: Crystal's shard.lock. */
import { allEcosystems, createEngine } from "@plimsoll/core";
import { coalesceFiles, type Detector, type Ecosystem } from "@plimsoll/core/plugins";

const shardLock: Detector = {
  name: "crystal-shards",
  revision: 1,
  wants: (file) => file.path.endsWith("/shard.lock") && file.sizeBytes < 1 << 20,
  *detect(files) {
    for (const { path, bytes } of files) {
      const text = new TextDecoder().decode(bytes);
      for (const [, name = "", version = ""] of text.matchAll(/^ {2}(\S+):\n(?: {4}.*\n)*? {4}version: (\S+)$/gm)) {
        yield { kind: "package", packageDb: path, package: { name, version, kind: "BINARY" } };
      }
    }
  },
};

const crystal: Ecosystem = {
  name: "crystal",
  detectors: [shardLock],
  matchers: [],
  purl: [],
  coalesce: coalesceFiles(),
};

/** The threads that read layers import this module and use the export of this name. */
export const engine = createEngine({ ecosystems: [...allEcosystems, crystal], module: import.meta.url });
