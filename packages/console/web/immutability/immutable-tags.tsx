import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { SelectField, TextField } from "../shared/fields.tsx";
import type { RuleOwner } from "../shared/owner.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Unusable } from "../shared/unusable.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.immutability;

/** The patterns that make tags of a repository, or of all repositories of an organization, immutable. */
export function ImmutableTags({ owner }: { readonly owner: RuleOwner }) {
  const { list, create, params, affected } = policyCalls(owner);
  const policies = useOperation(list, { params });
  const change = useChange(create, affected);
  const given = (typed: Typed) => ({
    params,
    body: { tagPattern: typed("pattern"), tagPatternMatches: typed("matches") === "yes" },
  });
  return (
    <Section title={words.title} about={owner.kind === "organization" ? words.aboutOrganization : words.about}>
      <ChangeForm label={words.add} change={change} given={given}>
        <TextField name="pattern" label={words.pattern} rule={words.patternRule} required maxLength={256} />
        <SelectField name="matches" label={words.matches} options={words.matchesOptions} />
      </ChangeForm>
      <Answered query={policies}>{(shown) => <Policies owner={owner} shown={shown} />}</Answered>
    </Section>
  );
}

interface Shown {
  readonly policies: readonly Policy[];
  /** The policies of the organization, on the page of a repository. */
  readonly inherited?: readonly Policy[];
}

function Policies({
  owner,
  shown: { policies, inherited = [] },
}: {
  readonly owner: RuleOwner;
  readonly shown: Shown;
}) {
  const isInherited = (policy: Policy) => inherited.includes(policy);
  const actions: Column<Policy> = {
    title: words.columns.actions,
    cell: (policy) => (isInherited(policy) ? words.inherited : <Remove owner={owner} uuid={policy.uuid} />),
  };
  const rows = [...policies, ...inherited];
  return <Table columns={[...columns, actions]} rows={rows} keyOf={({ uuid }) => uuid} empty={words.none} />;
}

function Remove({ owner, uuid }: { readonly owner: RuleOwner; readonly uuid: string }) {
  const { remove, params, affected } = policyCalls(owner);
  const change = useChange(remove, affected);
  const given = { params: { ...params, policy_uuid: uuid } };
  return <ConfirmedButton label={words.remove} consequence={words.removed} change={change} given={given} />;
}

const columns: readonly Column<Policy>[] = [
  {
    title: words.columns.pattern,
    isName: true,
    cell: ({ tagPattern, tagPatternMatches, problem }) => (
      <Unusable problem={problem && words.unusable(problem)}>
        {tagPatternMatches ? words.like(tagPattern) : words.unlike(tagPattern)}
      </Unusable>
    ),
  },
];

/** A policy as the management API shows it. */
type Policy = ResultOf<"GET /repository/{repository}/immutabilitypolicy/">["policies"][number];

/** The operations on an owner's policies, and their parameters. Each operation uses the parameter that its path contains. */
function policyCalls({ kind, name }: RuleOwner) {
  const isOf = kind === "organization";
  return {
    list: isOf ? "GET /organization/{orgname}/immutabilitypolicy/" : "GET /repository/{repository}/immutabilitypolicy/",
    create: isOf
      ? "POST /organization/{orgname}/immutabilitypolicy/"
      : "POST /repository/{repository}/immutabilitypolicy/",
    remove: isOf
      ? "DELETE /organization/{orgname}/immutabilitypolicy/{policy_uuid}"
      : "DELETE /repository/{repository}/immutabilitypolicy/{policy_uuid}",
    params: { orgname: name, repository: name },
    affected: ["GET /organization/{orgname}/immutabilitypolicy/", "GET /repository/{repository}/immutabilitypolicy/"],
  } as const;
}
