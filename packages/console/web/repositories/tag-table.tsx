import { Link } from "wouter";
import { imagePath } from "../places.ts";
import { Digest } from "../shared/digest.tsx";
import { Time } from "../shared/time.tsx";
import { formatSize } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";

/** A tag as a list has it. */
export interface ListedTag {
  readonly name: string;
  readonly start_ts: number;
  readonly end_ts?: number;
  readonly manifest_digest: string;
  readonly size: number | null;
  readonly child_manifest_count?: number;
}

interface Props {
  readonly namespace: string;
  readonly repository: string;
  readonly tags: readonly ListedTag[];
}

const words = texts.repository;

/** Tags with their images. */
export function TagTable({ namespace, repository, tags }: Props) {
  const { columns } = words;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{columns.tag}</th>
          <th scope="col">{columns.digest}</th>
          <th scope="col" className="number">
            {columns.size}
          </th>
          <th scope="col">{columns.changed}</th>
          <th scope="col">{columns.expires}</th>
        </tr>
      </thead>
      <tbody>
        {tags.map((tag) => (
          <tr key={tag.name}>
            <th scope="row">
              <Link href={imagePath(namespace, repository, { kind: "tag", tag: tag.name })}>{tag.name}</Link>
            </th>
            <td>
              <Digest digest={tag.manifest_digest} />
            </td>
            <td className="number">{sizeOf(tag)}</td>
            <td>
              <Time at={tag.start_ts * 1000} />
            </td>
            <td>{tag.end_ts === undefined ? words.never : <Time at={tag.end_ts * 1000} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function sizeOf({ size, child_manifest_count: children }: ListedTag): string {
  if (children !== undefined) return words.index(children);
  return size === null ? "–" : formatSize(size);
}
