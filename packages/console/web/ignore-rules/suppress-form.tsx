import { type FormEvent, useState } from "react";
import { useCurrentUser } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange, useChanges } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { Failure } from "../shared/failure.tsx";
import { SelectField, TextField } from "../shared/fields.tsx";
import { texts } from "../texts/texts.ts";
import { ExpiryField, endOfDay } from "./expiry-field.tsx";

const words = texts.ignoreRules;

/** A finding that may be suppressed. */
export interface Suppressible {
  /** `NAMESPACE/NAME` */
  readonly repository: string;
  /** The digest of the image manifest. */
  readonly digest: string;
  readonly vulnerability: string;
  readonly packageName: string;
  /** Undefined if the kind of package has no package URL. */
  readonly purl: string | undefined;
}

/** Suppresses a finding of an image, with a reason and an end. */
export function SuppressForm(finding: Suppressible) {
  const [isOpen, setOpen] = useState(false);
  const user = useCurrentUser().data;
  if (!user) return undefined;
  if (isOpen) return <Form {...finding} />;
  return (
    <button type="button" onClick={() => setOpen(true)}>
      {words.suppress}
    </button>
  );
}

function Form({ repository, digest, vulnerability, packageName, purl }: Suppressible) {
  const added = useNewRule();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const isOfPackage = typed.get("package") === "package" && purl !== undefined;
    const body = {
      vulnerability,
      package: isOfPackage ? withoutVersion(purl) : undefined,
      image: typed.get("image") === "image" ? digest : undefined,
      reason: String(typed.get("reason")),
      expires: endOfDay(String(typed.get("expires"))),
    };
    added.mutate({ params: { repository }, body });
  };
  return (
    <form className="fields suppress" onSubmit={submit}>
      <TextField name="reason" label={words.reason} required maxLength={1000} ref={focusFirst} />
      <ExpiryField />
      {purl !== undefined && <SelectField name="package" label={words.package} options={words.packages(packageName)} />}
      <SelectField name="image" label={words.image} options={words.images} />
      {added.isError && <Failure error={added.error} />}
      {added.isSuccess ? (
        <p role="status">{words.added}</p>
      ) : (
        <button type="submit" className="primary" disabled={added.isPending}>
          {words.add}
        </button>
      )}
    </form>
  );
}

interface ChosenProps extends Pick<Suppressible, "repository"> {
  readonly findings: readonly Pick<Suppressible, "vulnerability" | "purl">[];
}

/** Suppresses several findings in all images of a repository, each in its package alone, with one reason and one end. */
export function SuppressChosen({ repository, findings }: ChosenProps) {
  const added = useChanges("POST /repository/{repository}/ignorerules", affectedByRules);
  const rules = findings.map(({ vulnerability, purl }) => ({ vulnerability, package: purl && withoutVersion(purl) }));
  const given = (typed: Typed) =>
    [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()].map((rule) => ({
      params: { repository },
      body: { ...rule, reason: typed("reason"), expires: endOfDay(typed("expires")) },
    }));
  return (
    <ChangeForm label={words.suppressChosen} change={added} given={given}>
      <TextField name="reason" label={words.reason} required maxLength={1000} />
      <ExpiryField />
    </ChangeForm>
  );
}

/** A package URL without version, qualifiers and subpath: `pkg:deb/debian/zlib1g`. */
export function withoutVersion(purl: string): string {
  return purl.replace(/[@?#].*$/, "");
}

/** The form replaces the button that had the focus: its first field takes it over. */
function focusFirst(field: HTMLInputElement | null): void {
  field?.focus();
}

/** A rule in a list. */
export type Rule = ResultOf<"GET /repository/{repository}/ignorerules">["rules"][number];

/** The owner of the images that rules apply to: a repository, `NAMESPACE/NAME`, or an organization. */
export type RuleOwner = { readonly repository: string } | { readonly organization: string };

/** Queries the rules of an owner. */
export function useRules(owner: RuleOwner) {
  const isOrganization = "organization" in owner;
  const ofOrganization = useOperation(
    "GET /organization/{orgname}/ignorerules",
    { params: { orgname: isOrganization ? owner.organization : "" } },
    { enabled: isOrganization },
  );
  const ofRepository = useOperation(
    "GET /repository/{repository}/ignorerules",
    { params: { repository: isOrganization ? "" : owner.repository } },
    { enabled: !isOrganization },
  );
  return isOrganization ? ofOrganization : ofRepository;
}

/** The operations whose answers a change of a rule makes stale. */
export const affectedByRules = [
  "GET /organization/{orgname}/ignorerules",
  "GET /repository/{repository}/ignorerules",
  "GET /repository/{repository}/manifest/{manifestref}/security/findings",
  "GET /repository/{repository}/tag/",
] as const;

/** Adds rules of a repository. */
function useNewRule() {
  return useChange("POST /repository/{repository}/ignorerules", affectedByRules);
}

/** Removes rules of a repository or of an organization. */
export function useRuleRemoval() {
  const ofOrganization = useChange("DELETE /organization/{orgname}/ignorerules/{rule_uuid}", affectedByRules);
  const ofRepository = useChange("DELETE /repository/{repository}/ignorerules/{rule_uuid}", affectedByRules);
  return { ofOrganization, ofRepository };
}
