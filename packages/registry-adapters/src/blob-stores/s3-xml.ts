import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import type { XmlElement } from "@rgrove/parse-xml";
import { loadLibrary } from "../load-library.ts";

/** An XML element of a store's response. */
export interface S3Element {
  /** The text of the first child of that name; undefined where there is none. */
  text(name: string): string | undefined;
  /** The children of that name. */
  all(name: string): readonly S3Element[];
}

/** The root element of a response. @throws BlobStoreError `unavailable` for a response that is not XML */
export async function readXml(text: string): Promise<S3Element> {
  const root = await tryReadXml(text);
  if (root === undefined) {
    throw new BlobStoreError("unavailable", `the blob store answered something that is not XML: ${text.slice(0, 100)}`);
  }
  return root;
}

/** The root element of a response; undefined if the response is not XML, such as the page of a proxy. */
export async function tryReadXml(text: string): Promise<S3Element | undefined> {
  const { parseXml } = await loadLibrary("@rgrove/parse-xml", import("@rgrove/parse-xml"));
  try {
    const { root } = parseXml(text.trim());
    return root === null ? undefined : elementOf(root);
  } catch {
    return undefined;
  }
}

/** `XmlNode.TYPE_ELEMENT`. */
const elementType = "element";

function elementOf(element: XmlElement): S3Element {
  const named = (name: string) =>
    element.children.filter(
      (child): child is XmlElement => child.type === elementType && (child as XmlElement).name === name,
    );
  return {
    text: (name) => named(name)[0]?.text,
    all: (name) => named(name).map(elementOf),
  };
}
