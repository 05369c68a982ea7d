import { Digest } from "../shared/digest.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import type { ShownManifest } from "./shown-manifest.ts";

const words = texts.image.layers;

/** The steps that made an image, with the layer that each brought. */
export function LayerTable({ layers }: { readonly layers: NonNullable<ShownManifest["layers"]> }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{words.step}</th>
          <th scope="col">{words.digest}</th>
          <th scope="col" className="number">
            {words.size}
          </th>
        </tr>
      </thead>
      <tbody>
        {layers.map(({ index, command, comment, blob_digest: digest, compressed_size: sizeBytes }) => (
          <tr key={index}>
            <td>
              <code className="step">{command?.join(" ") ?? comment ?? "–"}</code>
            </td>
            <td>{sizeBytes === 0 ? words.empty : <Digest digest={digest} />}</td>
            <td className="number">{formatSize(sizeBytes ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
