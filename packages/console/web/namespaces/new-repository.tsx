import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useLocation } from "wouter";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useVisitorCalls } from "../api/use-call.ts";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { repositoryPath } from "../places.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { CheckField, chosenOf, parseCommaList, SelectField, TextField } from "../shared/fields.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.newRepository;

interface Props {
  readonly namespace: string;
  readonly isOrganization: boolean;
  /** Whether the visitor administers the namespace, whose robots push to mirrors. */
  readonly isAdmin: boolean;
}

/** A form that creates a repository and, for admins, makes it a mirror at once. Its page is opened then. */
export function NewRepository({ namespace, isOrganization, isAdmin }: Props) {
  const [, navigate] = useLocation();
  const mayMirror = useRegistryConfig().data?.features.REPO_MIRROR === true && isAdmin;
  const creation = useCreation({ namespace, isOrganization });
  const given = (typed: Typed): Wanted => ({
    name: typed("name").trim(),
    visibility: chosenOf(words.visibilities, typed("visibility")),
    description: typed("description"),
    reference: typed("reference").trim(),
    tags: parseCommaList(typed("tags")),
    verifiesTls: typed("verify") === "on",
  });
  return (
    <OnDemand label={words.title}>
      <ChangeForm
        layout="fields"
        label={words.create}
        change={creation}
        given={given}
        onDone={({ name, isMirror }) => navigate(`${repositoryPath(namespace, name)}${isMirror ? "?view=mirror" : ""}`)}
      >
        <TextField name="name" label={words.name} rule={words.nameRule} required maxLength={255} autoComplete="off" />
        <SelectField name="visibility" label={words.visibility} options={words.visibilities} />
        <TextField name="description" label={words.description} maxLength={25_000} />
        {mayMirror && (
          <>
            <TextField name="reference" label={words.reference} rule={words.referenceRule(namespace)} maxLength={512} />
            <TextField name="tags" label={texts.mirrors.tags} rule={texts.mirrors.tagsRule} defaultValue="*" />
            <CheckField name="verify" label={texts.mirrors.verify} isChecked />
          </>
        )}
      </ChangeForm>
    </OnDemand>
  );
}

/** The input of the form. */
interface Wanted {
  readonly name: string;
  readonly visibility: "public" | "private";
  readonly description: string;
  /** The repository to copy from; empty: none. */
  readonly reference: string;
  readonly tags: readonly string[];
  readonly verifiesTls: boolean;
}

/** How often a new mirror is synchronized, in seconds. */
const daily = 86_400;

/** The changes that make a repository and its mirror. What was made stays, and is not made again, if a later one is refused. */
function useCreation({ namespace, isOrganization }: Omit<Props, "isAdmin">) {
  const { change } = useVisitorCalls();
  const queries = useQueryClient();
  const made = useRef("");
  const makeRobot = async () => {
    const params = { orgname: namespace, robot_shortname: robot };
    const list = isOrganization ? "GET /organization/{orgname}/robots" : "GET /user/robots";
    const create = isOrganization
      ? "PUT /organization/{orgname}/robots/{robot_shortname}"
      : "PUT /user/robots/{robot_shortname}";
    const { robots } = await change(list, { params, query: { token: false, permissions: false } });
    if (robots.some(({ name }) => name === `${namespace}+${robot}`)) return;
    await change(create, { params, body: { description: words.robot } });
  };
  return useOneAtATime({
    mutationFn: async ({ name, visibility, description, reference, tags, verifiesTls }: Wanted) => {
      const params = { repository: `${namespace}/${name}` };
      if (made.current !== name) {
        await change("POST /repository", { body: { namespace, repository: name, visibility, description } });
        made.current = name;
      }
      if (reference === "") return { name, isMirror: false };
      await makeRobot();
      const body = {
        external_reference: reference,
        root_rule: { rule_kind: "tag_glob_csv" as const, rule_value: [...tags] },
        sync_start_date: `${new Date().toISOString().slice(0, 19)}Z`,
        sync_interval: daily,
        robot_username: `${namespace}+${robot}`,
        external_registry_config: { verify_tls: verifiesTls },
        is_enabled: true,
      };
      await change("POST /repository/{repository}/mirror", { params, body });
      await change("POST /repository/{repository}/mirror/sync-now", { params });
      return { name, isMirror: true };
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ["GET /repository"] }),
  });
}

/** The short name of the robot that pushes to new mirrors. */
const robot = "mirror";
