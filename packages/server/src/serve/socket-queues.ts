import { readFile } from "node:fs/promises";
import { isIPv4, isIPv6 } from "node:net";
import type { Peer } from "@plimsoll/http";

/** The tables of this process's network: one line for each connection. */
const tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];

/**
 * How many bytes Linux has queued for each connection that its other end has not received. Zero where the system does not tell.
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export async function queuedForSockets(peers: readonly (Peer | undefined)[]): Promise<readonly number[]> {
  const texts = await Promise.all(tables.map((table) => readFile(table, "latin1").catch(() => "")));
  const queues = new Map(texts.flatMap(parseQueues));
  return peers.map((peer) => (peer && queues.get(nameOf(peer))) ?? 0);
}

/** The lengths of the queues in a table by local port, remote address and remote port, all in hexadecimal digits. */
export function parseQueues(table: string): readonly (readonly [name: string, bytes: number])[] {
  const found = table.matchAll(/^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+):([\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm);
  return Array.from(found, ([, local = "", remote = "", port = "", queued = "0"]) => [
    `${local} ${withoutMapping(remote)} ${port}`,
    Number.parseInt(queued, 16),
  ]);
}

/** An IPv4 address in an IPv6 table. */
function withoutMapping(address: string): string {
  return address.startsWith("0000000000000000FFFF0000") ? address.slice(24) : address;
}

function nameOf({ localPort = 0, remoteAddress = "", remotePort = 0 }: Peer): string {
  return `${hex(localPort)} ${addressName(remoteAddress)} ${hex(remotePort)}`;
}

function hex(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

/** An address as Linux prints it: groups of four bytes, each as a number of the machine's byte order, which is little-endian. */
function addressName(address: string): string {
  const [unscoped = ""] = address.split("%");
  const plain = unscoped.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isIPv4(plain)) return inWords(plain.split(".").map(Number));
  return isIPv6(plain) ? inWords(bytesOf(plain)) : "";
}

function inWords(bytes: readonly number[]): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, at) =>
    Buffer.from(bytes.slice(4 * at, 4 * at + 4).toReversed()),
  );
  return Buffer.concat(words).toString("hex").toUpperCase();
}

function bytesOf(address: string): readonly number[] {
  const [before = "", after] = address.split("::");
  const groups = (text: string) => text.split(":").filter((each) => each !== "");
  const [first, last] = [groups(before), groups(after ?? "")];
  const missing = after === undefined ? 0 : 8 - first.length - last.length;
  const all = [...first, ...Array.from({ length: missing }, () => "0"), ...last];
  return [...Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex")];
}
