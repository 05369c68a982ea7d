import { onSelf } from "@plimsoll/registry/access/on-account";
import { readersOf } from "@plimsoll/registry/security/namespace-security/readers";
import { operation } from "../../operation.ts";
import { viewAttention } from "./view-attention.ts";
import { Attention } from "./views.ts";

const attentionOperation = operation({
  id: "getAttention",
  method: "GET",
  path: "/user/attention",
  tag: "user",
  isOwn: true,
  access: readersOf(onSelf("repo:read")),
  summary:
    "What needs the caller: new vulnerabilities, failed builds, mirrors and jobs, quotas near their limit, damaged blobs, feeds that are missing, old or failed.",
  success: 200,
  result: Attention,
  handle: ({ subject: { caller } }, context) => viewAttention(context, caller),
});

/** The operation that lists what a user has to act on. */
export const attentionOperations = [attentionOperation];
