import { Link } from "wouter";
import type { ResultOf } from "../api/operation.ts";
import { vulnerabilityPath } from "../places.ts";
import { SeverityBadge } from "../severities/severity-bar.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { ImageLink } from "./image-link.tsx";

type Image = NonNullable<ResultOf<"GET /user/attention">["images"]>["entries"][number];

const words = texts.fleet;

/** An image with the repositories that have it: what is found in one of them is in all. */
interface FoundImage {
  readonly first: Image;
  readonly places: readonly Image[];
}

/** The visitor's images in which vulnerabilities were found since yesterday, each once. */
export function News({ images }: { readonly images: readonly Image[] }) {
  const places = [...Map.groupBy(images, (each) => each.manifest_digest).values()];
  const rows = places.flatMap(([first, ...others]) => (first ? [{ first, places: [first, ...others] }] : []));
  return (
    <Section title={words.news}>
      <Table columns={columns} rows={rows} keyOf={({ first }) => first.manifest_digest} empty={words.noNews} />
    </Section>
  );
}

const titles = words.newsColumns;

const columns: readonly Column<FoundImage>[] = [
  {
    title: titles.image,
    isName: true,
    cell: ({ places }) =>
      places.map(({ repository, manifest_digest: digest, tags }) => (
        <div key={repository}>
          <ImageLink repository={repository} digest={digest} tags={tags} />
        </div>
      )),
  },
  { title: titles.found, cell: ({ first }) => <Time at={Date.parse(first.found)} /> },
  { title: titles.count, isNumber: true, cell: ({ first }) => formatCount(first.count) },
  {
    title: titles.first,
    cell: ({ first: { vulnerabilities } }) =>
      vulnerabilities.map(({ name, severity }) => (
        <span key={name} className="line-of-fact">
          <SeverityBadge severity={severity} /> <Link href={vulnerabilityPath(name)}>{name}</Link>
        </span>
      )),
  },
];
