import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";

/** A file of an archive. */
export interface JarFile {
  /** Its path in the archive. */
  readonly name: string;
  /** Its path on disk. */
  readonly path: string;
}

/** Creates a Java archive of files without compression. */
export function packJar(files: readonly JarFile[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, path } of files) {
    const [title, content] = [Buffer.from(name), readFileSync(path)];
    const about = aboutOf(title, content);
    const local = Buffer.concat([bytes("504b0304"), about, title, content]);
    const place = Buffer.alloc(14); // no comment, first disk, no attributes, then the offset of the file
    place.writeUInt32LE(offset, 10);
    entries.push(Buffer.concat([bytes("504b01020a00"), about, place, title]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("504b0506", "hex");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** The fields that a file's header and its entry in the directory share. */
function aboutOf(title: Buffer, content: Buffer): Buffer {
  const about = Buffer.alloc(26);
  about.writeUInt16LE(10, 0); // version 1.0; no flags, stored, no time
  about.writeUInt16LE(0x21, 8); // 1980-01-01
  about.writeUInt32LE(crc32(content), 10);
  about.writeUInt32LE(content.length, 14);
  about.writeUInt32LE(content.length, 18);
  about.writeUInt16LE(title.length, 22);
  return about;
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, "hex");
}
