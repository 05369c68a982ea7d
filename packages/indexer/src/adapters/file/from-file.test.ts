import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { allEcosystems, createEngine } from "@plimsoll/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createIndexer } from "../../indexer.ts";
import { memoryLayerCache } from "../../layer-cache.ts";
import { nodeReaders } from "../platform/node-readers.ts";
import { fromFile } from "./from-file.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "file-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const engine = createEngine({ ecosystems: allEcosystems });
const indexer = createIndexer({ engine, readers: nodeReaders(engine), cache: memoryLayerCache(), layersAtOnce: 1 });

async function packagesOf(name: string, content: Uint8Array): Promise<readonly string[]> {
  const file = join(folder, name);
  await writeFile(file, content);
  const found: string[] = [];
  for await (const { report } of indexer.index(fromFile(file))) {
    for (const [id, { name: own, version }] of Object.entries(report.packages))
      found.push(`${own} ${version} in ${report.environments[id]?.[0]?.packageDb}`);
  }
  return found;
}

/** A zip archive of one entry that is not compressed. */
function zipOf(name: string, content: string): Uint8Array {
  const [path, bytes] = [Buffer.from(name), Buffer.from(content)];
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt32LE(crc32(bytes), 10);
  common.writeUInt32LE(bytes.length, 14);
  common.writeUInt32LE(bytes.length, 18);
  common.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, path, bytes]);
  const central = Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), common, Buffer.alloc(14), path]);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

describe("fromFile", () => {
  it("reads a jar as one in an image is read, whatever the length of its name", async () => {
    const jar = zipOf(
      "META-INF/maven/org.example/app/pom.properties",
      "groupId=org.example\nartifactId=app\nversion=1.2\n",
    );
    const long = `${"a".repeat(120)}-1.2.jar`;

    expect(await packagesOf("app-1.2.jar", jar)).toEqual([
      expect.stringContaining("org.example:app 1.2 in app-1.2.jar"),
    ]);
    expect(await packagesOf(long, jar)).toEqual([expect.stringContaining(`org.example:app 1.2 in ${long}`)]);
  });

  it("reads the metadata of a wheel", async () => {
    const wheel = zipOf("six-1.16.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: six\nVersion: 1.16.0\n");

    expect(await packagesOf("six-1.16.0-py2.py3-none-any.whl", wheel)).toEqual([
      "six 1.16.0 in site-packages/six-1.16.0.dist-info/METADATA",
    ]);
  });

  it("says that there is no such file, and that a wheel is none", async () => {
    await expect(packagesOf("bad.whl", Buffer.from("PK\x03\x04"))).rejects.toMatchObject({ code: "malformed_archive" });
    const missing = indexer.index(fromFile(join(folder, "none")))[Symbol.asyncIterator]();
    await expect(missing.next()).rejects.toMatchObject({ code: "not_found" });
  });
});
