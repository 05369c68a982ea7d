import { type FileHandle, link, rename, rm, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, makeFolders } from "@plimsoll/store";

/** How many bytes are gathered before they are written. */
const batchBytes = 1024 * 1024;

/**
 * Writes a stream to the end of a file, in large steps: the next step is gathered while one is written.
 * @param onWritten called with each chunk when it is written
 */
export async function writeChunks(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  onWritten: (chunk: Uint8Array) => void = () => {},
): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  let batch: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source) {
      batch.push(chunk);
      bytes += chunk.length;
      if (bytes < batchBytes) continue;
      await writing;
      writing = writeAll(file, batch, onWritten);
      writing.catch(() => {}); // it is awaited before the next write and in the end
      [batch, bytes] = [[], 0];
    }
  } finally {
    await writing;
  }
  if (bytes > 0) await writeAll(file, batch, onWritten);
}

/** A single call may write less than it is given. */
async function writeAll(
  file: FileHandle,
  chunks: readonly Uint8Array[],
  onWritten: (chunk: Uint8Array) => void,
): Promise<void> {
  let rest: readonly Uint8Array[] = chunks.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest);
    rest = withoutFirst(rest, bytesWritten);
  }
  chunks.forEach(onWritten);
}

function withoutFirst(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let skip = bytes;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(skip, chunk.length);
    skip -= skipped;
    return skipped === chunk.length ? [] : [chunk.subarray(skipped)];
  });
}

/** A checked file that becomes a blob. */
interface PlacedFile {
  readonly path: string;
  /** Returns a free name in the same file system. What is there in the end is deleted with the upload. */
  readonly spare: () => string;
  /** The name of the blob. */
  readonly place: string;
}

/**
 * Gives a file the name of its blob. A file that has the name is replaced, without a moment in which there is none: its content may be
 * damaged. Whoever reads it keeps it. A folder in its place, or a file in the place of its folder, gives way.
 * @returns the folders to flush to disk so that the name survives a power failure, the innermost first
 */
export async function placeFile({ path, spare, place }: PlacedFile): Promise<readonly string[]> {
  const folder = dirname(place);
  const created = await makeFolders(folder).catch(async (cause: unknown) => {
    await removeFileAt(folder, cause);
    return makeFolders(folder);
  });
  await link(path, place).catch(async (error: unknown) => {
    if (!hasCode(error, "EEXIST")) throw error;
    await replace({ path, spare, place });
  });
  const highest = created === undefined ? folder : dirname(created);
  const changed: string[] = [];
  for (let each = folder; each.length >= highest.length; each = dirname(each)) changed.push(each);
  return changed;
}

async function replace({ path, spare, place }: PlacedFile): Promise<void> {
  const second = spare();
  await link(path, second);
  await rename(second, place).catch(async (error: unknown) => {
    if (!hasCode(error, "EISDIR", "ENOTEMPTY", "EEXIST", "EPERM")) throw error;
    await rename(place, spare());
    await rename(second, place);
  });
  await rm(second, { force: true }); // there still if both were names of one file
}

/**
 * Removes a file, or a link that leads in a circle, from the place of a folder. A link to a folder that is away stays, and so does a folder
 * that another request has created meanwhile.
 */
async function removeFileAt(folder: string, cause: unknown): Promise<void> {
  const isInTheWay = await stat(folder).then(
    (found) => !found.isDirectory(),
    (error: unknown) => hasCode(error, "ELOOP"),
  );
  if (!isInTheWay) throw cause;
  await unlink(folder).catch((error: unknown) => {
    if (!hasCode(error, "EISDIR", "EPERM", "ENOENT")) throw error;
  });
}
