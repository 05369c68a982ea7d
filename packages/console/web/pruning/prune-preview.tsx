import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { PageButtons } from "../shared/page-buttons.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import type { TypedRule } from "./new-prune-rule.tsx";
import type { PruneRule } from "./prune-calls.ts";
import { ruleText } from "./rule-text.ts";

type PreviewedTag = ResultOf<"GET /repository/{repository}/autoprunepreview">["tags"][number];

const words = texts.pruning.previewed;

interface Props {
  readonly repository: string;
  /** The rules of the repository. */
  readonly rules: readonly PruneRule[];
  /** A new rule to preview together with them. */
  readonly tried?: TypedRule;
}

/** The effect of the rules on each tag now, and its reason. */
export function PrunePreview({ repository, rules, tried }: Props) {
  const [page, setPage] = useState(1);
  const preview = useOperation(
    "GET /repository/{repository}/autoprunepreview",
    { params: { repository }, query: { page, ...(tried !== undefined && queryOf(tried)) } },
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <p>{tried === undefined ? words.about : words.aboutTried(ruleText(tried))}</p>
      <Answered query={preview}>
        {({ tags, has_additional: hasMore }) => (
          <>
            <Table columns={columnsOf(rules)} rows={tags} keyOf={({ name }) => name} empty={words.none} />
            <PageButtons page={page} hasMore={hasMore} onPage={setPage} />
          </>
        )}
      </Answered>
    </>
  );
}

function queryOf({ method, value, tagPattern, tagPatternMatches }: TypedRule) {
  return { method, value: String(value), tagPatternMatches, tagPattern: tagPattern ?? undefined };
}

function columnsOf(rules: readonly PruneRule[]): readonly Column<PreviewedTag>[] {
  return [
    { title: words.columns.tag, isName: true, cell: ({ name }) => name },
    { title: words.columns.pushed, cell: ({ start }) => <Time at={Date.parse(start)} /> },
    { title: words.columns.deleted, cell: ({ deleted }) => (deleted ? <strong>{words.deleted}</strong> : words.stays) },
    { title: words.columns.why, isText: true, cell: (tag) => whyOf(tag, rules) },
  ];
}

function whyOf({ judgements, kept }: PreviewedTag, rules: readonly PruneRule[]): string {
  const said = judgements.map(({ policy, reason, rank }) => words.reasons[reason](nameOfRule(policy, rules), rank));
  return [...said, ...(kept === undefined ? [] : [words.kept[kept]])].join("; ");
}

function nameOfRule(id: string, rules: readonly PruneRule[]): string {
  if (id === "tried") return words.tried;
  const rule = rules.find(({ uuid }) => uuid === id);
  return rule === undefined ? words.ofNamespace : `“${ruleText(rule)}”`;
}
