/** Builds tar members byte by byte, for unusual archives. Ordinary archives are made with `tar-stream`. */

/** A member, and how its header is written. */
export interface OddMember {
  readonly name: string | Uint8Array;
  /** The type flag; a file by default. */
  readonly type?: string;
  readonly content?: string | Uint8Array;
  readonly linkName?: string | Uint8Array;
  readonly mode?: number;
  /** `ustar` by default. */
  readonly format?: "gnu" | "ustar" | "v7";
  /** Bytes that overwrite the header, by offset; the checksum is computed afterwards. */
  readonly fields?: Readonly<Record<number, string | Uint8Array>>;
  /** How the checksum is computed; by default of unsigned bytes. */
  readonly checksum?: "signed" | "unsigned" | "wrong";
}

const blockBytes = 512;
const zeros = octal(0, 8);
const noTime = octal(0, 12);
const magics = { gnu: "ustar  \0", ustar: "ustar\x0000", v7: "" };

/** An archive of members and of raw bytes; ends with two zero blocks. */
export function buildTar(...parts: readonly (OddMember | Uint8Array)[]): Uint8Array {
  return concatBytes([...parts.map(partBytes), new Uint8Array(2 * blockBytes)]);
}

/** The same without the end mark. */
export function buildTarWithoutEnd(...parts: readonly (OddMember | Uint8Array)[]): Uint8Array {
  return concatBytes(parts.map(partBytes));
}

/** A pax extended header: `x` for the next member, `g` for all that follow. Records are written unchecked. */
export function paxMember(
  records: readonly (readonly [string, string | Uint8Array])[],
  type: "g" | "x" = "x",
): OddMember {
  const content = concatBytes(records.map(([key, value]) => paxRecord(key, value)));
  return { name: "./PaxHeaders/0", type, content };
}

/** A GNU long name (`L`) or long link name (`K`). */
export function longNameMember(name: string, type: "K" | "L" = "L"): OddMember {
  return { name: "././@LongLink", type, content: `${name}\0`, format: "gnu" };
}

/** Joins byte arrays. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((bytes, part) => bytes + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function partBytes(part: OddMember | Uint8Array): Uint8Array {
  if (part instanceof Uint8Array) return part;
  const content = toBytes(part.content ?? "");
  const member = new Uint8Array(blockBytes + Math.ceil(content.length / blockBytes) * blockBytes);
  writeHeader(member.subarray(0, blockBytes), part, content.length);
  member.set(content, blockBytes);
  return member;
}

function writeHeader(block: Uint8Array, member: OddMember, sizeBytes: number): void {
  const put = (offset: number, value: string | Uint8Array): void => block.set(toBytes(value), offset);
  put(0, member.name);
  put(100, octal(member.mode ?? 0o644, 8));
  put(108, zeros);
  put(116, zeros);
  put(124, octal(sizeBytes, 12));
  put(136, noTime);
  put(156, member.type ?? "0");
  put(157, member.linkName ?? "");
  put(257, magics[member.format ?? "ustar"]);
  for (const [offset, value] of Object.entries(member.fields ?? {})) put(Number(offset), value);
  put(148, " ".repeat(8));
  put(
    148,
    `${checksum(block, member.checksum ?? "unsigned")
      .toString(8)
      .padStart(6, "0")}\0 `,
  );
}

function checksum(block: Uint8Array, kind: "signed" | "unsigned" | "wrong"): number {
  let sum = kind === "wrong" ? 1 : 0;
  for (const byte of block) sum += kind === "signed" && byte > 127 ? byte - 256 : byte;
  return sum;
}

function paxRecord(key: string, value: string | Uint8Array): Uint8Array {
  const body = concatBytes([toBytes(` ${key}=`), toBytes(value), toBytes("\n")]);
  let length = body.length + 1;
  while (length !== body.length + String(length).length) length = body.length + String(length).length;
  return concatBytes([toBytes(String(length)), body]);
}

function octal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, "0")}\0`;
}

function toBytes(value: string | Uint8Array): Uint8Array {
  return typeof value === "string" ? Buffer.from(value) : value;
}
