/** A layer of gigabytes pushed to a registry that reads it meanwhile, and pulled: the registry stays small. */
import { createHash, randomFillSync } from "node:crypto";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { skipNote } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const skip = process.env.PLIMSOLL_TEST_LARGE ? undefined : "PLIMSOLL_TEST_LARGE is not set";
const gigabyte = 1024 ** 3;
const mostMemoryBytes = 250e6;

const layers = [
  {
    name: "of 2 GB as it is", // longer than a signed number of 32 bits can say
    mediaType: "application/vnd.oci.image.layer.v1.tar",
    fileBytes: 2 * gigabyte,
    open: () => tarOf(2 * gigabyte),
  },
  {
    name: "of 768 MB in gzip",
    mediaType: "application/vnd.oci.image.layer.v1.tar+gzip",
    fileBytes: 0.75 * gigabyte,
    open: () => Readable.from(tarOf(0.75 * gigabyte)).pipe(createGzip({ level: 0, chunkSize: 1024 ** 2 })),
  },
];

describe(`a registry${skipNote(skip)}`, () => {
  it.skipIf(skip !== undefined).each(layers)(
    "takes, reads and gives a layer $name in little memory",
    async ({ open, mediaType, fileBytes }) => {
      using folder = tempFolder();
      await using registry = await startRegistry(folder.path);

      const { digest, sizeBytes } = await pushLayer(registry, open());
      const pulled = await pull(registry, digest);
      const scan = await scanOf(registry, { digest, mediaType, size: sizeBytes });

      expect(sizeBytes).toBeGreaterThanOrEqual(fileBytes);
      expect(pulled).toEqual({ digest, sizeBytes });
      expect(scan).toMatchObject({ status: "scanned", data: { Layer: { Features: [{ Name: "openssl" }] } } });
      expect(await registry.process.peakMemoryBytes()).toBeLessThan(mostMemoryBytes);
    },
    300_000,
  );

  it.skipIf(skip !== undefined)(
    "serves several pushes and pulls at once in little more",
    async () => {
      using folder = tempFolder();
      await using registry = await startRegistry(folder.path);
      const atOnce = Array.from({ length: 8 });

      const pushed = await Promise.all(atOnce.map(() => pushLayer(registry, tarOf(64 * 1024 ** 2))));
      const pulled = await Promise.all(pushed.map(({ digest }) => pull(registry, digest)));

      expect(pulled).toEqual(pushed);
      expect(await registry.process.peakMemoryBytes()).toBeLessThan(2 * mostMemoryBytes);
    },
    300_000,
  );
});

interface Transferred {
  readonly digest: string;
  readonly sizeBytes: number;
}

const authorization = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;

/** Streams a blob in one request of unknown length, as clients do with what they compress meanwhile. */
async function pushLayer({ process }: RegistryProcess, layer: AsyncIterable<Uint8Array>): Promise<Transferred> {
  const headers = { authorization };
  const meter = new Meter();
  const begun = await fetch(`${process.url}/v2/alice/large/blobs/uploads/`, { method: "POST", headers });
  const upload = new URL(begun.headers.get("location") ?? "", process.url).href;
  const streamed = { method: "PATCH", headers, body: meter.measure(layer), duplex: "half" } as unknown as RequestInit;
  const sent = await fetch(upload, streamed);
  const done = await fetch(`${upload}?digest=${meter.digest()}`, { method: "PUT", headers });
  expect([sent.status, done.status]).toEqual([202, 201]);
  return { digest: meter.digest(), sizeBytes: meter.sizeBytes };
}

async function pull({ process }: RegistryProcess, digest: string): Promise<Transferred> {
  const response = await fetch(`${process.url}/v2/alice/large/blobs/${digest}`, { headers: { authorization } });
  const meter = new Meter();
  for await (const _ of meter.measure(response.body ?? []));
  return { digest: meter.digest(), sizeBytes: meter.sizeBytes };
}

/** Puts an image of one layer and asks what was found in it. */
async function scanOf(registry: RegistryProcess, layer: object): Promise<unknown> {
  const config = JSON.stringify({ os: "linux", architecture: "amd64" });
  const pushed = await pushLayer(registry, Readable.from([Buffer.from(config)]));
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const type = "application/vnd.oci.image.config.v1+json";
  const described = { mediaType: type, digest: pushed.digest, size: pushed.sizeBytes };
  const body = JSON.stringify({ schemaVersion: 2, mediaType, config: described, layers: [layer] });
  const headers = { authorization, "content-type": mediaType };
  const put = await fetch(`${registry.process.url}/v2/alice/large/manifests/1`, { method: "PUT", headers, body });
  expect(put.status).toBe(201);
  const digest = put.headers.get("docker-content-digest");
  return registry.call("GET", `/repository/alice/large/manifest/${digest}/security?vulnerabilities=true`);
}

/** Counts and hashes what passes by. */
class Meter {
  readonly #hash = createHash("sha256");
  sizeBytes = 0;

  async *measure(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      this.#hash.update(chunk);
      this.sizeBytes += chunk.length;
      yield chunk;
    }
  }

  digest(): string {
    return `sha256:${this.#hash.copy().digest("hex")}`;
  }
}

/** A layer with a package, and a file half of which is random and half of which is not. */
async function* tarOf(fileBytes: number): AsyncGenerator<Uint8Array> {
  const status = "Package: openssl\nStatus: install ok installed\nArchitecture: amd64\nVersion: 3.0.11-1~deb12u1\n";
  const release = 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n';
  yield* tarFile("etc/os-release", Buffer.from(release));
  yield* tarFile("var/lib/dpkg/status", Buffer.from(status));
  yield tarHeader("var/large", fileBytes);
  const random = randomFillSync(Buffer.alloc(1024 ** 2));
  const zeros = Buffer.alloc(1024 ** 2);
  for (let at = 0; at < fileBytes; at += 2 * 1024 ** 2) {
    random.writeBigUInt64LE(BigInt(at)); // no two pieces are the same
    yield Buffer.from(random);
    yield zeros;
  }
  yield Buffer.alloc(1024);
}

function* tarFile(name: string, content: Uint8Array): Generator<Uint8Array> {
  yield tarHeader(name, content.length);
  yield content;
  yield Buffer.alloc((512 - (content.length % 512)) % 512);
}

/** A header of ustar. @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html */
function tarHeader(name: string, sizeBytes: number): Uint8Array {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${sizeBytes.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
