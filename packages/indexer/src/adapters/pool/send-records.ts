/**
 * The encoding of layer records as bytes: the pieces of each record, in the order of the layers. An empty line ends a record.
 */
import type { Bytes } from "@plimsoll/core";
import type { LayerFindings } from "@plimsoll/core/image";
import type { ImageLayer, JoinedFiles } from "@plimsoll/core/internal";
import type { FoundImage, RecordedImage } from "../../make-report.ts";
import { RecordReading } from "../../values/layer-record.ts";
import type { ImageReading, RecordedHead } from "./messages.ts";

/** The size of the encoding buffer. */
const chunkBytes = 64 * 1024;

const encoder = new TextEncoder();
const endOfLine = encoder.encode("\n");

/**
 * Encodes the records of an image's layers for {@link readRecords}. A chunk is valid until the next one is requested. Encoding whole
 * texts would keep them in memory three times until garbage is collected.
 */
export async function* encodeRecords({ layers, joined = [] }: Pick<RecordedImage, "layers" | "joined">): Bytes {
  const buffer = new Uint8Array(chunkBytes);
  const ofLayers = layers.flatMap((layer) => (layer.status === "read" ? [layer] : []));
  for (const { record } of [...ofLayers, ...joined]) {
    for (const piece of record.pieces) {
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

/** The findings of an image's layers, and of files that were read together. */
type FoundRecords = Pick<FoundImage, "layers" | "joined">;

/** Decodes the layers with their findings. @throws errors of the bytes; SyntaxError, ScanError for a damaged record */
export async function readRecords(image: Pick<ImageReading, "layers" | "joined">, bytes: Bytes): Promise<FoundRecords> {
  const lines = linesOf(bytes);
  const layers: ImageLayer[] = [];
  for (const layer of image.layers) {
    layers.push(layer.status === "foreign" ? layer : { status: "read", findings: await nextRecord(layer, lines) });
  }
  const joined: JoinedFiles[] = [];
  for (const { files, record } of image.joined) joined.push({ files, record: await nextRecord(record, lines) });
  return { layers, joined };
}

async function nextRecord({ digest }: RecordedHead, lines: AsyncGenerator<string, undefined>): Promise<LayerFindings> {
  const reading = new RecordReading();
  for (let next = await lines.next(); next.value; next = await lines.next()) reading.add(JSON.parse(next.value));
  return { ...reading.findings(), digest };
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
