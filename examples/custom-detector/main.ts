/** Indexes an image with an additional packaging system: a detector for Crystal's shard.lock. */
import { openScanner, parseSource } from "@plimsoll/scanner";
import { engine } from "./engine.ts";

const [, , source = `dir:${import.meta.dirname}/root`] = process.argv;

await using scanner = await openScanner({ db: ":memory:", engine });
for await (const { report } of scanner.indexAll(await parseSource(source))) {
  for (const { name, version } of Object.values(report.packages)) console.log(name, version);
}
