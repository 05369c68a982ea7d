/**
 * Layer records as bytes: the pieces of each, in the order of the layers. An empty line ends a record.
 */
import type { Bytes, ImageLayer } from "@plimsoll/core";
import type { RecordedLayer } from "../../make-report.ts";
import { RecordReading } from "../../values/layer-record.ts";
import type { ImageReading } from "./messages.ts";

/** So much is encoded at once. */
const chunkBytes = 64 * 1024;

const encoder = new TextEncoder();
const endOfLine = encoder.encode("\n");

/**
 * The records of an image's layers, to be read by {@link readRecords}. A chunk holds until the next one is asked for: texts that were encoded
 * as a whole would be there three times until garbage is collected.
 */
export async function* encodeRecords(layers: readonly RecordedLayer[]): Bytes {
  const buffer = new Uint8Array(chunkBytes);
  for (const layer of layers) {
    if (layer.status !== "read") continue;
    for (const piece of layer.record.pieces) {
      yield* encodeText(piece, buffer);
      yield endOfLine;
    }
    yield endOfLine;
  }
}

function* encodeText(text: string, buffer: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < text.length; ) {
    const { read, written } = encoder.encodeInto(text.slice(at), buffer);
    yield buffer.subarray(0, written);
    at += read;
  }
}

/** The layers with what was found in them. @throws what the bytes throw; SyntaxError, ScanError when a record is damaged */
export async function readRecords(layers: ImageReading["layers"], bytes: Bytes): Promise<readonly ImageLayer[]> {
  const read: ImageLayer[] = [];
  const lines = linesOf(bytes);
  for (const layer of layers) {
    if (layer.status === "foreign") {
      read.push(layer);
      continue;
    }
    const reading = new RecordReading();
    for (let next = await lines.next(); next.value; next = await lines.next()) reading.add(JSON.parse(next.value));
    read.push({ status: "read", findings: { ...reading.findings(), digest: layer.digest } });
  }
  return read;
}

async function* linesOf(bytes: Bytes): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const chunk of bytes) {
    const lines = `${begun}${decoder.decode(chunk, { stream: true })}`.split("\n");
    begun = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
