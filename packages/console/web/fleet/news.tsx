import { Link } from "wouter";
import { listImagesWithNewVulnerabilities } from "../api/generated/secscan.ts";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { vulnerabilityPath } from "../places.ts";
import { SeverityBadge } from "../severities/severity-badge.tsx";
import { Answered } from "../shared/answered.tsx";
import { Section } from "../shared/section.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { Time } from "../shared/time.tsx";
import { formatCount } from "../shared/units.ts";
import { texts } from "../texts/texts.ts";
import { ImageLink } from "./image-link.tsx";

type Image = ResultOf<typeof listImagesWithNewVulnerabilities>["images"][number];

const words = texts.fleet;

/** The images of the visitor in which vulnerabilities were found since yesterday. */
export function News() {
  const news = useOperation(listImagesWithNewVulnerabilities, { query: { limit: 10 } });
  return (
    <Section title={words.news}>
      <Answered query={news}>
        {({ images }) =>
          images.length === 0 ? (
            <p className="empty">{words.noNews}</p>
          ) : (
            <Table columns={columns} rows={images} keyOf={(each) => `${each.repository} ${each.manifest_digest}`} />
          )
        }
      </Answered>
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
          <Link href={vulnerabilityPath(name)}>{name}</Link> <SeverityBadge severity={severity} />
        </span>
      )),
  },
];
