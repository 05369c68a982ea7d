import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concatBytes } from "../bytes/concat-bytes.ts";
import { counted, inChunks } from "../bytes/fixtures/in-chunks.ts";
import { crc32 } from "../zip/crc32.ts";
import { decodeXz } from "./decode-xz.ts";

const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64"));

/** `xz` of "hello hello hello\n", with each of its checks and of nothing. */
const hello = "hello hello hello\n";
const files = {
  crc64: bytesOf("/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AARAAxdADQZSe6N6U9+ISGwAAAfAdnIh8FDyAABKBLJamKOH7bzfQEAAAAABFla"),
  crc32: bytesOf("/Td6WFoAAAFpIt42AgAhARYAAAB0L+Wj4AARAAxdADQZSe6N6U9+ISGwAAA7fIrfAAEkEsUl1yKQQpkNAQAAAAABWVo="),
  sha256: bytesOf(
    "/Td6WFoAAArh+wyhAgAhARYAAAB0L+Wj4AARAAxdADQZSe6N6U9+ISGwAABCS8+FRXqFiTLBKFs+P0dWxORzm/6pinNcJRmYPwUAXwABQBJmi0YjGJtLmgEAAAAAClla",
  ),
  unchecked: bytesOf("/Td6WFoAAAD/EtlBAgAhARYAAAB0L+Wj4AARAAxdADQZSe6N6U9+ISGwAAAAASASweC7RgZynnoBAAAAAABZWg=="),
  nothing: bytesOf("/Td6WFoAAATm1rRGAAAAABzfRCEftvN9AQAAAAAEWVo="),
  large: bytesOf(
    "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj698PBGhdABgCg5AvoYr+80+2zmIuzXNBXaSVdoVU6JePLNSBK+eW6NvZ6CBuwC1rxgFTfybAHnNR9quSal6kr9glH9roEf6L4gOiHf30/uBhfMMXjQq69qJTltDrHvePU56HWhz0PTuvHPjaQhoyj/vrGUNMY1idgME92wSrA01E5b8w4o52eDWobFBcWql1GNV2vv8e5E6/tSfelcZjjkoiiu8qM4W5NByglOIe56O220+mJJWELWAQ8SqpZ1TpEYOCAO/NnDfnD6rkw9BB2vNwemkpKBYk13fPelyatlEoqTRjeN4qErvE5RpnH4DIS+Sq5sUe8e+2N/DwQBXo8gV/OzN0d2dXoGcbMhP0HQuSWf1xdX51hTGEJSrKzRizLgq+MKpyg+NkRb3yw2X+qjelhM0nqtX++V4fp7+utnz06NO51ziLodtvTW7vdQfG/X1Dh7n+ulkCzC14IJ6ylhGPg+hWxXsHvwrkd24qGDseMBdV/pldmKNB68gp5T85PFqYYfAcA4ppZ0o5R5bCySROPTcd0xh4eVNKv+CbA92H9xh3Dw+qWwx0n19UV1jNiwXJttnlyWdv3YD4ayyYy7tKK2b+I+8ZMucAL4VqgSaU9dIBpilBkx+jS2x1/pksq5Y8QFvd6L/M80zZNSkLZVKy82/6671YLaq5X/zssJ4aM1sR6TSfqeylMvYMGCd0PoAU09x6QsZXriWrptpFGNpxBvqsDbc/KAcWR4TzX958hvbDhHBbGOocOqOmNwjb/BCbx+gAJ0qTF9dxuaa56iCGyi0ihVPvOeregBNZIbHkSAnIh13/yCdd9032uhP2NdRAEhCjqPm3qIqI0O4Ei8tWEJTLXKjO7D2BM0uG117N1wmxj+JfmaFXauJQaUJOfszetAGtWFbXEOf7knGkpxLSekPP5lf7Jp40NDiG13niPKQO9l77067gYxi0cSBdCwJYs/RXZMQd2eldV5wlOTuAQcEH2Rmuk8dR+kfNmz3Q8S31Fro+g2W9e3bRlKYKK8KIgZd2obeklzkCbq1V2znUdNVYZkRowLsi7If+tsumJzP8kPpncGeljU+RJJDKwY4oyjT/KwYDuP3u97hXfS7FwQ+7BlvwBxbWFFWxKra2lvakmFlI5JUBvtKrnUTe5X+D353VKiDBl0uVz8mci6918HibIphGbIoDieVFTeI4iJmXYuKIMFsABxrWrY54SYAXfhza53Zp5fuIrUz/agZ2/Ezn8rowlIsZuBgPnWn3yifD3Tu3i8vNU2TCnFShp7xYqYQN3V6jpeGVCA/rR5T5G+gUO6X13x9T4ZGiyr0ZX9kdB/b0ZRcY5OBqbIJMI0kOno2fZ4g9rdlZtwGxl26LdYmS0iH7oEtkT39XAr4scua5csw9kZk0bANFGRODip3tk6HVbZLUjtpm4U7qPZlJFiuV+Uf6TudS4pIGVhmeRJ7i0uRG9lTwiHUsMNvCUFSRIpcGA1/JcDsUwDI3mKUVAaXoowkq7Kq2VA1QAADdS2PfskSpZAABhAmQvi8Aser4K7HEZ/sCAAAAAARZWg==",
  ),
  filtered: bytesOf(
    "/Td6WFoAAATm1rRGAgEDAQAhARZ5IMTu4AARAA5dADQ/POAAIZToyNZY8MAAAAAAHwHZyIfBQ8gAASoSSwhUvB+2830BAAAAAARZWg==",
  ),
} as const;

async function read(bytes: Uint8Array, sizes?: readonly number[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of decodeXz(inChunks(bytes, sizes))) pieces.push(piece.slice());
  return concatBytes(pieces);
}
const textOf = async (bytes: Uint8Array) => new TextDecoder().decode(await read(bytes));

function changed(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0x55;
  return copy;
}

async function outcomeOf(bytes: Uint8Array): Promise<string> {
  try {
    return await textOf(bytes);
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

describe("decodeXz", () => {
  it.each([
    ["with CRC-64", files.crc64, hello],
    ["with CRC-32", files.crc32, hello],
    ["with SHA-256", files.sha256, hello],
    ["without a check", files.unchecked, hello],
    ["of nothing", files.nothing, ""],
    ["of two streams", concatBytes([files.crc64, files.crc32]), hello + hello],
    ["with padding", concatBytes([files.crc64, new Uint8Array(8), files.crc32, new Uint8Array(4)]), hello + hello],
  ])("gives the content of a file %s", async (_, bytes, content) => {
    expect(await textOf(bytes)).toBe(content);
  });

  it("decodes several chunks and repetitions of far away", async () => {
    const numbers = Array.from({ length: 200_000 }, (_, i) => `${(i * 7919) % 1000}\n`).join("");

    expect(await textOf(files.large)).toBe(numbers);
  });

  it("gives the same bytes in whatever chunks they come", async () => {
    const file = concatBytes([files.crc64, new Uint8Array(4), files.large, files.sha256]);
    const whole = await read(file);

    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 9 }), async (sizes) => {
        expect(Buffer.compare(await read(file, sizes), whole)).toBe(0);
      }),
      { numRuns: 12 },
    );
  });

  it("reads no more than it needs, and lets its source go", async () => {
    const source = counted(concatBytes(Array.from({ length: 200 }, () => files.crc64)), 64);

    for await (const piece of decodeXz(source.bytes)) {
      expect(piece.length).toBe(hello.length);
      break;
    }

    expect(source.given).toBeLessThan(5);
    expect(source.isReleased).toBe(true);
  });

  it("keeps nothing of an index: millions of blocks take no memory", async () => {
    const count = 3000;
    const { block, index } = manyBlocks(count);
    const file = concatBytes([files.crc64.subarray(0, 12), ...Array.from({ length: count }, () => block), index]);

    expect((await read(file, [4096])).length).toBe(count * hello.length);
    expect(await outcomeOf(concatBytes([file.subarray(0, 12), block, index]))).toBe("malformed_archive");
  });

  it.each([
    ["a filter before LZMA2", files.filtered, "a filter before LZMA2"],
    ["no xz", new TextEncoder().encode("hello hello hello"), "bytes that do not begin like an xz file"],
    ["nothing at all", new Uint8Array(0), "the end of the file too early"],
    ["something behind it", concatBytes([files.crc64, Uint8Array.of(1)]), "too early"],
    [
      "the index of another file",
      concatBytes([files.crc64.subarray(0, -20), files.nothing.subarray(12)]),
      "other blocks",
    ],
    ["padding of three", concatBytes([files.crc64, new Uint8Array(3)]), "too early"],
  ])("refuses %s", async (_, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message);
  });

  it.each(["crc64", "crc32", "sha256", "nothing"] as const)(
    "notices each byte that is changed or missing: %s",
    async (name) => {
      const file = files[name];
      for (let at = 0; at < file.length; at++) {
        expect([at, await outcomeOf(changed(file, at))]).toEqual([at, "malformed_archive"]);
        expect([at, await outcomeOf(file.subarray(0, at))]).toEqual([at, "malformed_archive"]);
      }
    },
  );

  it("ends for whatever bytes of a large file are changed", async () => {
    for (let at = 24; at < files.large.length; at += 97) {
      expect([at, await outcomeOf(changed(files.large, at))]).toEqual([at, "malformed_archive"]);
    }
  });
});

/** The block of `files.crc64`, and an index of many of them with its footer. */
function manyBlocks(count: number) {
  const block = files.crc64.subarray(12, -20); // its index has 8 bytes, the footer 12; the block needs no padding
  return { block, index: indexOf(count, block.length) };
}

function indexOf(count: number, unpaddedBytes: number): Uint8Array {
  const records = Array.from({ length: count }, () => [...vli(unpaddedBytes), ...vli(hello.length)]).flat();
  const body = [0, ...vli(count), ...records];
  while (body.length % 4 !== 0) body.push(0);
  const footer = [...le32((body.length + 4) / 4 - 1), 0, 4];
  const bytes = [
    ...body,
    ...le32(crc32(Uint8Array.from(body))),
    ...le32(crc32(Uint8Array.from(footer))),
    ...footer,
    0x59,
    0x5a,
  ];
  return Uint8Array.from(bytes);
}

function vli(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...vli(Math.floor(value / 128))];
}

function le32(value: number): number[] {
  return [value, value >>> 8, value >>> 16, value >>> 24].map((byte) => byte & 0xff);
}
