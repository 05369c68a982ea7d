import { useChange } from "../api/use-change.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { ExpiryField, endOfDay } from "./expiry-field.tsx";
import { affectedByRules, type Rule, type RuleOwner, useRuleRemoval, useRules } from "./suppress-form.tsx";

const words = texts.ignoreRules;
const { columns: titles } = words;

interface Props {
  readonly owner: RuleOwner;
  readonly mayChange: boolean;
}

/** The rules of a repository or an organization: what they suppress, why, until when, and when they were last used. */
export function Rules({ owner, mayChange }: Props) {
  const actions: Column<Rule> = { title: titles.actions, cell: (rule) => <RemoveRule owner={owner} rule={rule} /> };
  return (
    <Section title={words.title} about={words.about}>
      <Answered query={useRules(owner)}>
        {({ rules }) =>
          rules.length === 0 ? (
            <p className="empty">{"organization" in owner ? words.noneOfOrganization : words.none}</p>
          ) : (
            <Table columns={[...columns, ...(mayChange ? [actions] : [])]} rows={rules} keyOf={({ uuid }) => uuid} />
          )
        }
      </Answered>
      {mayChange && "organization" in owner && <NewOrganizationRule organization={owner.organization} />}
    </Section>
  );
}

function RemoveRule({ owner, rule }: { readonly owner: RuleOwner; readonly rule: Rule }) {
  const { ofOrganization, ofRepository } = useRuleRemoval();
  const { vulnerability, uuid: rule_uuid } = rule;
  const shown = { label: words.remove, consequence: words.removed(vulnerability) };
  if ("organization" in owner) {
    const params = { orgname: owner.organization, rule_uuid };
    return <ConfirmedButton {...shown} change={ofOrganization} given={{ params }} />;
  }
  const params = { repository: owner.repository, rule_uuid };
  return <ConfirmedButton {...shown} change={ofRepository} given={{ params }} />;
}

const columns: readonly Column<Rule>[] = [
  { title: titles.vulnerability, isName: true, cell: ({ vulnerability }) => vulnerability },
  {
    title: titles.about,
    cell: ({ package: purl, image }) => [purl ?? words.everyPackage, ...(image === null ? [] : [image])].join(", "),
  },
  { title: titles.reason, cell: ({ reason }) => reason },
  { title: titles.author, cell: ({ author }) => author },
  {
    title: titles.expires,
    cell: ({ expires, has_expired: hasEnded }) => (
      <>
        <Time at={Date.parse(expires)} /> {hasEnded && <strong>{words.expired}</strong>}
      </>
    ),
  },
  {
    title: titles.used,
    cell: ({ last_used: used }) => (used === null ? <strong>{words.unused}</strong> : <Time at={Date.parse(used)} />),
  },
];

/** Suppresses a vulnerability in all images of an organization, with a reason and an end. */
function NewOrganizationRule({ organization }: { readonly organization: string }) {
  const change = useChange("POST /organization/{orgname}/ignorerules", affectedByRules);
  const given = (typed: Typed) => {
    const purl = typed("package");
    const rule = {
      vulnerability: typed("vulnerability"),
      reason: typed("reason"),
      expires: endOfDay(typed("expires")),
    };
    return { params: { orgname: organization }, body: { ...rule, package: purl || undefined } };
  };
  return (
    <ChangeForm label={words.add} change={change} given={given}>
      <TextField name="vulnerability" label={words.vulnerability} required maxLength={256} />
      <TextField name="package" label={words.purl} maxLength={1024} rule={words.purlRule} />
      <TextField name="reason" label={words.reason} required maxLength={1000} />
      <ExpiryField />
    </ChangeForm>
  );
}
