import { Digest } from "../shared/digest.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { ShownManifest } from "./shown-manifest.ts";

type Layer = NonNullable<ShownManifest["layers"]>[number];

/** The build steps of an image, each with its layer. */
export function LayerTable({ layers }: { readonly layers: readonly Layer[] }) {
  return <Table columns={columns} rows={layers} keyOf={({ index }) => String(index)} />;
}

const words = texts.image.layers;

const columns: readonly Column<Layer>[] = [
  {
    title: words.step,
    isText: true,
    cell: ({ command, comment }) => <code className="step">{command?.join(" ") ?? comment ?? "–"}</code>,
  },
  {
    title: words.digest,
    cell: ({ compressed_size: sizeBytes, blob_digest: digest }) =>
      sizeBytes === 0 ? words.empty : <Digest digest={digest} />,
  },
  { title: words.size, isNumber: true, cell: ({ compressed_size: sizeBytes }) => formatSize(sizeBytes ?? 0) },
];
