import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { createZipReader } from "../../zip/zip-reader.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { parseMetadata } from "./metadata.ts";

/**
 * The metadata of an installed distribution: from a wheel, from setuptools in an egg or beside it, or one file from distutils. Installers that bundle
 * programs rename the folder of a wheel, or copy one file of it.
 * @see https://packaging.python.org/en/latest/specifications/recording-installed-packages/
 * @see https://setuptools.pypa.io/en/latest/deprecated/python_eggs.html
 */
const places = /(?:\.(?:dist|egg)-info\/(?:METADATA|PKG-INFO)|\.egg\/EGG-INFO\/PKG-INFO|\.egg-info)$/;

/** Finds installed Python packages. */
export const pythonDetector: FileDetector = {
  name: "python-metadata",
  revision: 2,
  wants: ({ path }: FileEntry) => places.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const { name, version = "" } = parseMetadata(file.bytes);
    if (name === undefined) yield unreadable(file.path, "expected the name of a Python package, found none");
    else yield provenPackage(file, { name, version });
  },
};

const isArchive = /\.egg$/i;
const metadataPath = "EGG-INFO/PKG-INFO";
/** The largest metadata that are read from an archive. They have a few kilobytes, and only their head is parsed. */
const maxMetadataBytes = 4 * 1024 ** 2;

/** Finds installed Python packages in eggs that are archives. */
export const eggDetector: FileDetector = {
  name: "python-egg",
  revision: 1,
  wants: ({ path }: FileEntry) => isArchive.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const zip = createZipReader();
    const archive = { location: file.path, bytes: file.parts ?? file.bytes };
    const [entry] = zip.list(archive, { wants: (name) => name === metadataPath });
    const metadata = entry && parseMetadata(zip.read(archive, entry, maxMetadataBytes));
    if (metadata?.name === undefined) yield unreadable(file.path, `expected ${metadataPath} with a name, found none`);
    else yield provenPackage(file, { version: "", ...metadata, name: metadata.name, within: metadataPath });
  },
};
