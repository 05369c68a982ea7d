import { useState } from "react";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Unusable } from "../shared/unusable.tsx";
import { texts } from "../texts/texts.ts";
import { NewPruneRule, type TypedRule } from "./new-prune-rule.tsx";
import { type PruneOwner, type PruneRule, usePruneChanges, usePruneRules } from "./prune-calls.ts";
import { PrunePreview } from "./prune-preview.tsx";
import { ruleText, tagsText } from "./rule-text.ts";

const words = texts.pruning;

/** The prune rules of an owner; for a repository, with a preview. */
export function PruneRules({ owner }: { readonly owner: PruneOwner }) {
  const [tried, setTried] = useState<TypedRule>();
  const rules = usePruneRules(owner);
  const isRepository = owner.kind === "repository";
  const about = isRepository ? words.about.repository : words.about.namespace;
  const actions: Column<PruneRule> = {
    title: words.columns.actions,
    cell: ({ uuid }) => <Remove owner={owner} uuid={uuid} />,
  };
  return (
    <Section title={words.title} about={about}>
      <NewPruneRule owner={owner} onTry={isRepository ? setTried : undefined} onDone={() => setTried(undefined)} />
      <Paged query={rules}>
        {(pages) => {
          const rows = pages.flatMap(({ policies }) => policies);
          return (
            <>
              <Table columns={[...columns, actions]} rows={rows} keyOf={({ uuid }) => uuid} empty={words.none} />
              {isRepository && tried !== undefined && (
                <PrunePreview key={JSON.stringify(tried)} repository={owner.name} rules={rows} tried={tried} />
              )}
              {isRepository && tried === undefined && rows.length > 0 && (
                <OnDemand label={words.previewed.title}>
                  <PrunePreview repository={owner.name} rules={rows} />
                </OnDemand>
              )}
            </>
          );
        }}
      </Paged>
    </Section>
  );
}

function Remove({ owner, uuid }: { readonly owner: PruneOwner; readonly uuid: string }) {
  const { deleted, params } = usePruneChanges(owner);
  const given = { params: { ...params, policy_uuid: uuid } };
  return <ConfirmedButton label={words.remove} consequence={words.removed} change={deleted} given={given} />;
}

function selection(rule: PruneRule) {
  return <Unusable problem={rule.problem && words.unusable(rule.problem)}>{tagsText(rule)}</Unusable>;
}

const columns: readonly Column<PruneRule>[] = [
  { title: words.columns.rule, isName: true, cell: ruleText },
  { title: words.columns.tags, isText: true, cell: selection },
];
