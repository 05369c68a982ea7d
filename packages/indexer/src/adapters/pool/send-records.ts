/**
 * The encoding of layer records as bytes: the pieces of each record, in the order of the layers. An empty line ends a record.
 */
import type { Bytes, ImageLayer } from "@plimsoll/core";
import type { RecordedLayer } from "../../make-report.ts";
import { RecordReading } from "../../values/layer-record.ts";
import type { ImageReading } from "./messages.ts";

/** The size of the encoding buffer. */
const chunkBytes = 64 * 1024;

const encoder = new TextEncoder();
const endOfLine = encoder.encode("\n");

/**
 * Encodes the records of an image's layers for {@link readRecords}. A chunk is valid until the next one is requested. Encoding whole
 * texts would keep them in memory three times until garbage is collected.
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

/** Decodes the layers with their findings. @throws errors of the bytes; SyntaxError, ScanError for a damaged record */
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
  let rest = "";
  for await (const chunk of bytes) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  return undefined;
}
