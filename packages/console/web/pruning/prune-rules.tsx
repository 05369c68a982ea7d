import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { usePages } from "../api/use-pages.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { chosenOf, SelectField, TextField } from "../shared/fields.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import { PageButtons } from "../shared/page-buttons.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { Unusable } from "../shared/unusable.tsx";
import { texts } from "../texts/texts.ts";

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

type PreviewedTag = ResultOf<"GET /repository/{repository}/autoprunepreview">["tags"][number];

const prunePreviewWords = texts.pruning.previewed;

interface Props {
  readonly repository: string;
  /** The rules of the repository. */
  readonly rules: readonly PruneRule[];
  /** A new rule to preview together with them. */
  readonly tried?: TypedRule;
}

/** The effect of the rules on each tag now, and its reason. */
function PrunePreview({ repository, rules, tried }: Props) {
  const [page, setPage] = useState(1);
  const preview = useOperation(
    "GET /repository/{repository}/autoprunepreview",
    { params: { repository }, query: { page, ...(tried !== undefined && queryOf(tried)) } },
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <p>{tried === undefined ? prunePreviewWords.about : prunePreviewWords.aboutTried(ruleText(tried))}</p>
      <Answered query={preview}>
        {({ tags, has_additional: hasMore }) => (
          <>
            <Table columns={columnsOf(rules)} rows={tags} keyOf={({ name }) => name} empty={prunePreviewWords.none} />
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
    { title: prunePreviewWords.columns.tag, isName: true, cell: ({ name }) => name },
    { title: prunePreviewWords.columns.pushed, cell: ({ start }) => <Time at={Date.parse(start)} /> },
    {
      title: prunePreviewWords.columns.deleted,
      cell: ({ deleted }) => (deleted ? <strong>{prunePreviewWords.deleted}</strong> : prunePreviewWords.stays),
    },
    { title: prunePreviewWords.columns.why, isText: true, cell: (tag) => whyOf(tag, rules) },
  ];
}

function whyOf({ judgements, kept }: PreviewedTag, rules: readonly PruneRule[]): string {
  const said = judgements.map(({ policy, reason, rank }) =>
    prunePreviewWords.reasons[reason](nameOfRule(policy, rules), rank),
  );
  return [...said, ...(kept === undefined ? [] : [prunePreviewWords.kept[kept]])].join("; ");
}

function nameOfRule(id: string, rules: readonly PruneRule[]): string {
  if (id === "tried") return prunePreviewWords.tried;
  const rule = rules.find(({ uuid }) => uuid === id);
  return rule === undefined ? prunePreviewWords.ofNamespace : `“${ruleText(rule)}”`;
}

/** The text of a rule's condition for keeping tags. */
function ruleText({ method, value }: Pick<PruneRule, "method" | "value">): string {
  return words.keep[method](value);
}

/** The text of a rule's selection of tags. */
function tagsText({ tagPattern, tagPatternMatches }: Pick<PruneRule, "tagPattern" | "tagPatternMatches">) {
  if (tagPattern === null) return words.allTags;
  return tagPatternMatches ? words.like(tagPattern) : words.unlike(tagPattern);
}

/** A rule from the form, without an id. */
type TypedRule = Omit<PruneRule, "uuid">;

interface NewRuleProps {
  readonly owner: PruneOwner;
  /** Previews a rule before it is added; undefined if there is no preview. */
  readonly onTry: ((rule: TypedRule) => void) | undefined;
  readonly onDone: () => void;
}

/** Adds a rule that deletes tags. It can be previewed first. */
function NewPruneRule({ owner, onTry, onDone }: NewRuleProps) {
  const { created, params } = usePruneChanges(owner);
  const other = onTry && { label: words.preview, act: (typed: Typed) => onTry(ruleOf(typed)) };
  return (
    <ChangeForm
      label={words.add}
      change={created}
      given={(typed) => ({ params, body: ruleOf(typed) })}
      onDone={onDone}
      other={other}
    >
      <SelectField name="method" label={words.method} options={words.methods} />
      <TextField name="value" label={words.value} rule={words.valueRule} required maxLength={20} />
      <TextField name="pattern" label={words.pattern} maxLength={256} />
      <SelectField name="matches" label={words.matches} options={words.matchesOptions} />
    </ChangeForm>
  );
}

function ruleOf(typed: Typed): TypedRule {
  const method = chosenOf(words.methods, typed("method"));
  const value = typed("value");
  return {
    method,
    value: method === "number_of_tags" && value.trim() !== "" ? Number(value) : value,
    tagPattern: typed("pattern") || null,
    tagPatternMatches: typed("matches") === "yes",
  };
}

/** A rule as the management API shows it. */
type PruneRule = ResultOf<"GET /repository/{repository}/autoprunepolicy/">["policies"][number];

/** The owner of rules: an organization, a repository (`NAMESPACE/NAME`), or the visitor. */
type PruneOwner =
  | { readonly kind: "organization"; readonly name: string }
  | { readonly kind: "repository"; readonly name: string }
  | { readonly kind: "user" };

/** The parameters of an owner's operations. Each operation uses the parameter that its path contains. */
function paramsOf(owner: PruneOwner) {
  const name = owner.kind === "user" ? "" : owner.name;
  return { orgname: name, repository: name };
}

/** Queries the rules of an owner. */
function usePruneRules(owner: PruneOwner) {
  const [isUser, isRepository] = [owner.kind === "user", owner.kind === "repository"];
  const ofOthers = isRepository
    ? "GET /repository/{repository}/autoprunepolicy/"
    : "GET /organization/{orgname}/autoprunepolicy/";
  const given = { params: paramsOf(owner), query: {} };
  return usePages(isUser ? "GET /user/autoprunepolicy/" : ofOthers, given);
}

/** Changes of an owner's rules. */
function usePruneChanges(owner: PruneOwner) {
  const [isUser, isRepository] = [owner.kind === "user", owner.kind === "repository"];
  const affected = [
    "GET /organization/{orgname}/autoprunepolicy/",
    "GET /repository/{repository}/autoprunepolicy/",
    "GET /user/autoprunepolicy/",
    "GET /repository/{repository}/autoprunepreview",
  ] as const;
  const create = isRepository
    ? "POST /repository/{repository}/autoprunepolicy/"
    : "POST /organization/{orgname}/autoprunepolicy/";
  const remove = isRepository
    ? "DELETE /repository/{repository}/autoprunepolicy/{policy_uuid}"
    : "DELETE /organization/{orgname}/autoprunepolicy/{policy_uuid}";
  const created = useChange(isUser ? "POST /user/autoprunepolicy/" : create, affected);
  const deleted = useChange(isUser ? "DELETE /user/autoprunepolicy/{policy_uuid}" : remove, affected);
  return { created, deleted, params: paramsOf(owner) };
}
