/** Teaches the engine a packaging system of your own: a detector for Crystal's shard.lock. */
import { allEcosystems, coalesceFiles, createEngine, type Detector, type Ecosystem } from "@plimsoll/core";
import { semverVersions } from "@plimsoll/core/versions/semver";
import { openScanner, parseSource } from "@plimsoll/scanner";

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
  versions: semverVersions,
  detectors: [shardLock],
  coalesce: coalesceFiles,
  matchers: [],
  updaters: [],
};

const engine = createEngine({ ecosystems: [...allEcosystems, crystal] });
const [, , source = `dir:${import.meta.dirname}/root`] = process.argv;

await using scanner = await openScanner({ db: ":memory:", engine });
for await (const { report } of scanner.indexAll(await parseSource(source))) {
  for (const { name, version } of Object.values(report.packages)) console.log(name, version);
}
