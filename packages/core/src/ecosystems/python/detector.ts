import type { FileDetector, FileInfo, Finding, LayerFile } from "../../plugins.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { ownText } from "../linux/text.ts";
import { parseMetadata } from "./metadata.ts";

/**
 * The files that describe an installed distribution: of a wheel, of setuptools in an egg or beside it, of distutils as one file.
 * @see https://packaging.python.org/en/latest/specifications/recording-installed-packages/
 * @see https://setuptools.pypa.io/en/latest/deprecated/python_eggs.html
 */
const places = /(?:\.dist-info\/METADATA|\.egg-info\/PKG-INFO|\.egg\/EGG-INFO\/PKG-INFO|\.egg-info)$/;

/** Finds installed Python packages. */
export const pythonDetector: FileDetector = {
  name: "python-metadata",
  revision: 1,
  wants: ({ path }: FileInfo) => places.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const { name, version = "" } = parseMetadata(file.bytes);
    if (name === undefined) yield unreadable(file.path, "expected the name of a Python package, found none");
    else yield provenPackage(file, { name: ownText(name), version: ownText(version) });
  },
};
