/**
 * Headers of a tar archive of regular files.
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06
 */
const blockBytes = 512;

/** The end of an archive. */
export const tarEnd: Uint8Array = new Uint8Array(2 * blockBytes);

/** The header of an executable file. A name that is too long for the header gets a pax record before it. */
export function tarHeader(name: string, sizeBytes: number): Uint8Array {
  const bytes = Buffer.byteLength(name);
  if (bytes <= 100) return header(name, sizeBytes, "0");
  const record = paxRecord("path", name);
  return Buffer.concat([
    header("path", record.length, "x"),
    record,
    tarPadding(record.length),
    header(name.replace(/[^\x20-\x7e]/g, "_").slice(0, 100), sizeBytes, "0"),
  ]);
}

/** The zero bytes between a content and the next header. */
export function tarPadding(sizeBytes: number): Uint8Array {
  return new Uint8Array((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
}

function header(name: string, sizeBytes: number, type: string): Uint8Array {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, 100);
  block.write("0000755\0", 100);
  block.write("0000000\0".repeat(2), 108);
  block.write(`${sizeBytes.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0        ", 136);
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** `LENGTH KEY=VALUE\n`, where the length includes itself. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (`${length}`.length + rest !== length) length++;
  return Buffer.from(`${length} ${key}=${value}\n`);
}
