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

/** The visitor's images in which vulnerabilities were found since yesterday. */
export function News({ images }: { readonly images: readonly Image[] }) {
  return (
    <Section title={words.news}>
      <Table
        columns={columns}
        rows={images}
        keyOf={(each) => `${each.repository} ${each.manifest_digest}`}
        empty={words.noNews}
      />
    </Section>
  );
}

const titles = words.newsColumns;

const columns: readonly Column<Image>[] = [
  {
    title: titles.image,
    isName: true,
    cell: ({ repository, manifest_digest: digest, tags }) => (
      <ImageLink repository={repository} digest={digest} tags={tags} />
    ),
  },
  { title: titles.found, cell: ({ found }) => <Time at={Date.parse(found)} /> },
  { title: titles.count, isNumber: true, cell: ({ count }) => formatCount(count) },
  {
    title: titles.first,
    cell: ({ vulnerabilities }) =>
      vulnerabilities.map(({ name, severity }) => (
        <span key={name} className="line-of-fact">
          <SeverityBadge severity={severity} /> <Link href={vulnerabilityPath(name)}>{name}</Link>
        </span>
      )),
  },
];
