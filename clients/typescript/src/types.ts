// Written by `npm run openapi`. Change the operation table instead.

import type { Upload } from './request.ts'

export type CreateProduct = {
  name: string
  /** Generated from the name by default. */
  externalKey?: string | undefined
  description?: string | undefined
  color?: string | undefined
  status?: "active" | "archived" | undefined
}

/** A product, called initiative in paths and some fields. */
export type Product = {
  id: number
  externalKey: string
  name: string
  description: string | null
  color: string | null
  status: "active" | "archived"
  createdAt: string
  updatedAt: string
}

export type Issue = {
  /** A JSON pointer into the body, or /query/…, /path/…, /header/…. */
  path: string
  /** A stable code of the problem. */
  code: string
  message: string
}

/** A product, called initiative in paths and some fields. */
export type ListedProduct = {
  id: number
  externalKey: string
  name: string
  description: string | null
  color: string | null
  status: "active" | "archived"
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyProduct = {
  name?: string | undefined
  description?: string | null | undefined
  color?: string | null | undefined
  status?: "active" | "archived" | undefined
}

/** An uploaded file. */
export type Asset = {
  id: number
  /** Storage key of the bytes. */
  path: string
  /** Decimal text with two places, in `sizeType`. */
  size: string
  sizeType: "kb"
  /** User who uploaded the file. */
  userId: number
  subscriptionId: number
  initiativeId: number
  usedAt: string
  description: string | null
  name: string
  /** Id of the record that the file was last attached to, or 0. `usedAt` is the type of the record unless you set `usedAt`. */
  artifactId: number
  status: string
  createdAt: string
  updatedAt: string
  /** Download path, below the address of this service. */
  file: string
  /** Media type, detected from the bytes. */
  mime: string
  /** SHA-256 of the bytes, in hex. */
  sha256: string
}

/** An uploaded file. */
export type ListedAsset = {
  id: number
  /** Storage key of the bytes. */
  path: string
  /** Decimal text with two places, in `sizeType`. */
  size: string
  sizeType: "kb"
  /** User who uploaded the file. */
  userId: number
  subscriptionId: number
  initiativeId: number
  usedAt: string
  description: string | null
  name: string
  /** Id of the record that the file was last attached to, or 0. `usedAt` is the type of the record unless you set `usedAt`. */
  artifactId: number
  status: string
  createdAt: string
  updatedAt: string
  /** Download path, below the address of this service. */
  file: string
  /** Media type, detected from the bytes. */
  mime: string
  /** SHA-256 of the bytes, in hex. */
  sha256: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyAsset = {
  description?: string | null | undefined
  /** Type of the record that uses the file. */
  usedAt?: "epic" | "feature" | "userstory" | "feedback" | "persona" | "experiment" | "document" | undefined
  /** External key of a work item, feedback item, persona, experiment or document: attaches the file to this record, and changes `usedAt` unless you send `usedAt` too. A record has at most 1,000 files. `null` detaches the file from all records. */
  artifactKey?: string | null | undefined
}

/** Settings of the workspace. */
export type Settings = {
  feedback: {
    /** New feedback items are `pending` until you set them to `approved` or `rejected`. */
    moderation: boolean
  }
  /** Origins whose pages may call the service from a browser. Without an origin in this list, only servers and pages of the service itself can. */
  cors: Array<string>
  /** Address of an idea in mail about changes, with `{key}` or `{slug}`. Null means the page of the portal that shows the idea, or else the address of the service (`IDEA_URL`), or no link. */
  ideaUrl: string | null
  mailTemplates: MailTemplateChanges
}

/** Texts of mail about changes that differ from the default. */
export type MailTemplateChanges = {
  greeting?: {
    named?: string | undefined
    unnamed?: string | undefined
  } | undefined
  status?: {
    subject?: string | undefined
    text?: string | undefined
  } | undefined
  release?: {
    subject?: string | undefined
    text?: string | undefined
  } | undefined
  reply?: {
    subject?: string | undefined
    text?: string | undefined
  } | undefined
  changelog?: {
    subject?: string | undefined
    text?: string | undefined
  } | undefined
  mention?: {
    subject?: string | undefined
    text?: string | undefined
  } | undefined
  assignment?: {
    subject?: string | undefined
    text?: string | undefined
  } | undefined
  idea?: {
    text?: string | undefined
  } | undefined
  digest?: {
    subject?: string | undefined
    text?: string | undefined
  } | undefined
}

export type ModifySettings = {
  feedback?: {
    /** New feedback items are `pending` until you set them to `approved` or `rejected`. */
    moderation?: boolean | undefined
  } | undefined
  /** Origins whose pages may call the service from a browser. Without an origin in this list, only servers and pages of the service itself can. */
  cors?: Array<string> | undefined
  /** Address of an idea in mail about changes, with `{key}` or `{slug}`. Null means the page of the portal that shows the idea, or else the address of the service (`IDEA_URL`), or no link. */
  ideaUrl?: string | null | undefined
  /** Texts of mail about changes. Changes only the texts that you send; null brings the default back. */
  mailTemplates?: ChangeMailTemplates | undefined
}

/** Texts of mail about changes. A line whose variables are all empty is left out. */
export type ChangeMailTemplates = {
  /** Greetings of a person with and without a first name. */
  greeting?: {
    /** Variables: {{firstName}}, {{lastName}}. Default, also for null: "Hello {{firstName}}," */
    named?: string | null | undefined
    /** Variables: . Default, also for null: "Hello," */
    unnamed?: string | null | undefined
  } | null | undefined
  /** A new status, or a status update. */
  status?: {
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{status}}, {{message}}. Default, also for null: "{{title}}: {{status}}" */
    subject?: string | null | undefined
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{status}}, {{message}}. Default, also for null: "\"{{title}}\" is now \"{{status}}\".\n{{message}}" */
    text?: string | null | undefined
  } | null | undefined
  /** The release of a version with the idea. */
  release?: {
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{version}}. Default, also for null: "{{version}} is released" */
    subject?: string | null | undefined
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{version}}. Default, also for null: "{{version}} is released, and contains \"{{title}}\"." */
    text?: string | null | undefined
  } | null | undefined
  /** A public reply of the team. */
  reply?: {
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{comment}}. Default, also for null: "New reply: {{title}}" */
    subject?: string | null | undefined
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{comment}}. Default, also for null: "The team has replied to you on \"{{title}}\":\n{{comment}}" */
    text?: string | null | undefined
  } | null | undefined
  /** A published changelog entry; `comment` is the beginning of its text. */
  changelog?: {
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{comment}}. Default, also for null: "{{title}}" */
    subject?: string | null | undefined
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{comment}}. Default, also for null: "{{title}}\n{{comment}}\n{{url}}" */
    text?: string | null | undefined
  } | null | undefined
  /** A comment that mentions the person. */
  mention?: {
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{comment}}. Default, also for null: "You were mentioned: {{title}}" */
    subject?: string | null | undefined
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}, {{comment}}. Default, also for null: "A comment on {{key}} \"{{title}}\" mentions you.\n{{comment}}" */
    text?: string | null | undefined
  } | null | undefined
  /** A work item that is assigned to the person. */
  assignment?: {
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}. Default, also for null: "Assigned to you: {{title}}" */
    subject?: string | null | undefined
    /** Variables: {{title}}, {{key}}, {{url}}, {{firstName}}, {{lastName}}. Default, also for null: "{{key}} \"{{title}}\" is assigned to you." */
    text?: string | null | undefined
  } | null | undefined
  /** Text below the news about an idea. */
  idea?: {
    /** Variables: {{title}}, {{key}}, {{url}}, {{stopUrl}}. Default, also for null: "{{url}}\nStop mail about this idea: {{stopUrl}}" */
    text?: string | null | undefined
  } | null | undefined
  /** The whole mail, and the subject of a mail with several news. `{{items}}` stands alone on a line. */
  digest?: {
    /** Variables: {{greeting}}, {{items}}, {{more}}, {{count}}, {{preferencesUrl}}, {{unsubscribeUrl}}, {{firstName}}, {{lastName}}. Default, also for null: "News about {{count}} items" */
    subject?: string | null | undefined
    /** Variables: {{greeting}}, {{items}}, {{more}}, {{count}}, {{preferencesUrl}}, {{unsubscribeUrl}}, {{firstName}}, {{lastName}}. Default, also for null: "{{greeting}}\n\n{{items}}\n\nAnd {{more}} more.\n\nYou get this mail because you wrote the idea, voted for the idea, commented on the idea or follow the idea or the changelog, or because a colleague named you.\n\nChoose your mail: {{preferencesUrl}}\nUnsubscribe from all mail of this workspace: {{unsubscribeUrl}}" */
    text?: string | null | undefined
  } | null | undefined
}

export type PreviewMail = {
  /** News of the sample mail. Default: all kinds. */
  kinds?: Array<"status" | "release" | "reply" | "changelog" | "mention" | "assignment"> | undefined
  /** First name of the reader; empty for a reader without a name. */
  firstName?: string | undefined
  /** Replaces the setting in this preview. */
  ideaUrl?: string | null | undefined
  /** Changes of the settings in this preview. */
  mailTemplates?: ChangeMailTemplates | undefined
}

/** A sample of mail about changes. */
export type MailPreview = {
  subject: string
  text: string
  html: string
}

/** How people of the team sign in by a provider of the workspace. */
export type SignInSettings = {
  /** Address of the OpenID provider, which is the `issuer` of its `/.well-known/openid-configuration`. Null turns the provider off. */
  issuer: string | null
  /** Id of this service at the provider. */
  clientId: string | null
  hasClientSecret: boolean
  /** Domains of addresses that sign in by the provider. A domain works when it is verified. */
  domains: Array<string>
  /** Domains that are verified. */
  verifiedDomains: Array<string>
  /** Lookups of the verified domains. Events leave them out. */
  domainChecks: Array<{
    domain: string
    /** Time of the last daily lookup; null before the first. */
    checkedAt: string | null
    /** First of the last lookups that found no record, or null. After three days and three lookups the domain is no longer verified. */
    missingSince: string | null
  }>
  /** Role of a new person who signs in by the provider. */
  role: "member" | "viewer"
  /** Whether people of the team whose address has a verified domain sign in by the provider only. The others still sign in by mail. */
  onlyProvider: boolean
}

export type ModifySignInSettings = {
  /** Address of the OpenID provider, which is the `issuer` of its `/.well-known/openid-configuration`. Null turns the provider off. */
  issuer?: string | null | undefined
  /** Id of this service at the provider. */
  clientId?: string | null | undefined
  /** Secret of this service at the provider, which no answer shows. Null for a client without a secret. */
  clientSecret?: string | null | undefined
  /** Domains of addresses that sign in by the provider. A domain works when it is verified. */
  domains?: Array<string> | undefined
  /** Role of a new person who signs in by the provider. */
  role?: "member" | "viewer" | undefined
  /** Whether people of the team whose address has a verified domain sign in by the provider only. The others still sign in by mail. */
  onlyProvider?: boolean | undefined
}

export type EraseWorkspace = {
  /** The name of the workspace, as `GET /api/v2/me` shows it. */
  confirm: string
}

/** The time from which the workspace is erased. */
export type WorkspaceErasure = {
  /** null without a scheduled erasure. */
  eraseAt: string | null
}

/** The API key of the request. */
export type Me = {
  workspace: {
    id: number
    name: string
    /** Time of the scheduled erasure; null without an erasure. */
    eraseAt: string | null
  }
  /** User that the key acts as. */
  user: {
    id: number
    email: string
    firstName: string
    lastName: string
    role: string
  }
  scopes: Array<string>
  /** External keys; null for all products. */
  products: Array<string> | null
  expiresAt: string
  /** Limits of the key and the workspace. Limits per minute have no `used`, because the platform counts per location. */
  limits: {
    /** Database rows that the workspace writes in a day (UTC). */
    rowsPerDay: {
      /** null for no limit. */
      limit: number | null
      /** null without a limit. */
      used: number | null
      /** null if the use does not end at a time. */
      resetsAt: string | null
    }
    /** Bytes that the workspace stores in the database, an estimate that a cron corrects. */
    bytes: {
      /** null for no limit. */
      limit: number | null
      /** null without a limit. */
      used: number | null
      /** null if the use does not end at a time. */
      resetsAt: string | null
    }
    /** Mailings to segments and members that the workspace sends in an hour. `resetsAt` is the time when the oldest mailing stops counting. */
    mailingsPerHour: {
      /** null for no limit. */
      limit: number | null
      /** null without a limit. */
      used: number | null
      /** null if the use does not end at a time. */
      resetsAt: string | null
    }
    /** Units of this API key in a minute. */
    unitsPerMinute: {
      limit: number
      used: null
      resetsAt: null
    }
    /** Units of all API keys of the workspace in a minute. */
    workspaceUnitsPerMinute: {
      limit: number
      used: null
      resetsAt: null
    }
    /** Bulk operations and imports of this API key in a minute. */
    bulkOperationsPerMinute: {
      limit: number
      used: null
      resetsAt: null
    }
  }
}

export type CreateUser = {
  /** Unique among the users of the workspace. */
  email: string
  firstName?: string | "" | undefined
  lastName?: string | "" | undefined
  /** Default: `member`; with a key that lacks scopes of a member `viewer`, or `idm_member` if the key lacks those too. */
  role?: "owner" | "admin" | "member" | "viewer" | "idm_member" | undefined
}

/** A person of the workspace. */
export type User = {
  id: number
  email: string
  firstName: string
  lastName: string
  /** `idm_member` is a member of the idea manager. */
  role: "owner" | "admin" | "member" | "viewer" | "idm_member"
  createdAt: string
  updatedAt: string
}

/** A person of the workspace. */
export type ListedUser = {
  id: number
  email: string
  firstName: string
  lastName: string
  /** `idm_member` is a member of the idea manager. */
  role: "owner" | "admin" | "member" | "viewer" | "idm_member"
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyUser = {
  email?: string | undefined
  firstName?: string | "" | undefined
  lastName?: string | "" | undefined
  role?: "owner" | "admin" | "member" | "viewer" | "idm_member" | undefined
}

export type CreateTeam = {
  /** Unique among the teams of the workspace. */
  name: string
  color?: string | undefined
  /** Ids of all users in the team. */
  members?: Array<number> | undefined
  /** External keys of all products of the team. */
  products?: Array<string> | undefined
}

/** A team, with its members and products. */
export type TeamDetail = {
  id: number
  name: string
  color: string | null
  createdAt: string
  updatedAt: string
  /** Ids of users. */
  members: Array<number>
  /** External keys. */
  products: Array<string>
}

/** A team of users. */
export type ListedTeam = {
  id: number
  name: string
  color: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyTeam = {
  name?: string | undefined
  color?: string | null | undefined
  /** Ids of all users in the team. */
  members?: Array<number> | undefined
  /** External keys of all products of the team. */
  products?: Array<string> | undefined
}

export type CreateApiKey = {
  name: string
  /** `<area>:read`, `<area>:write`, or `*`; only scopes of your key. */
  scopes: Array<"*" | "products:read" | "products:write" | "backlog:read" | "backlog:write" | "kpis:read" | "kpis:write" | "feedback:read" | "feedback:write" | "segments:read" | "segments:write" | "personas:read" | "personas:write" | "files:read" | "files:write" | "mail:read" | "mail:write" | "keys:read" | "keys:write" | "events:read" | "events:write" | "webhooks:read" | "webhooks:write">
  /** External keys of the products that the key is limited to. */
  products?: Array<string> | undefined
  /** User that the key acts as; by default the user of your key. Another user requires the scope `*`. */
  userId?: number | undefined
  /** `secret` (default) for programs. `publishable` for pages that everybody can read: the key only calls a portal, from `origins`. */
  kind?: "secret" | "publishable" | undefined
  /** Origins whose pages may use the publishable key, such as https://app.example.com. */
  origins?: Array<string> | undefined
  /** End of the key: at most the end of your key, and ten years from now. The default is one year from now, or the end of your key if earlier. */
  expiresAt?: string | undefined
}

export type NewApiKey = {
  id: number
  name: string
  /** User that the key acts as. */
  userId: number
  scopes: Array<string>
  /** External keys; null for all products. */
  products: Array<string> | null
  createdAt: string
  expiresAt: string
  /** Last use, exact to 15 minutes. */
  lastUsedAt: string | null
  /** End by revocation, or by rotation in the future. */
  revokedAt: string | null
  /** Id of the key that created this key, or null. */
  issuedBy: number | null
  /** Id of the key that made this key by rotation; null for a key without a predecessor. */
  rotatedBy: number | null
  kind: "secret" | "publishable"
  /** Origins of a publishable key; null for another kind. */
  origins: Array<string> | null
  /** The publishable key itself, which is no secret; null for another kind. */
  publishableKey: string | null
  /** The key itself: a JWT, shown once and not stored, or a publishable key. */
  token: string
}

export type ApiKey = {
  id: number
  name: string
  /** User that the key acts as. */
  userId: number
  scopes: Array<string>
  /** External keys; null for all products. */
  products: Array<string> | null
  createdAt: string
  expiresAt: string
  /** Last use, exact to 15 minutes. */
  lastUsedAt: string | null
  /** End by revocation, or by rotation in the future. */
  revokedAt: string | null
  /** Id of the key that created this key, or null. */
  issuedBy: number | null
  /** Id of the key that made this key by rotation; null for a key without a predecessor. */
  rotatedBy: number | null
  kind: "secret" | "publishable"
  /** Origins of a publishable key; null for another kind. */
  origins: Array<string> | null
  /** The publishable key itself, which is no secret; null for another kind. */
  publishableKey: string | null
}

export type RotateApiKey = {
  /** End of the old key; by default in 24 hours. */
  oldKeyExpiresAt?: string | undefined
}

/** A person who signed in with a browser. */
export type Session = {
  id: number
  /** Browser and system at the sign-in. */
  name: string
  /** User who signed in. */
  userId: number
  createdAt: string
  /** End without a further use: 30 days after the last use. */
  expiresAt: string
  /** Last use, exact to 15 minutes. */
  lastUsedAt: string | null
  /** End by a sign-out, a removal or a new role. */
  revokedAt: string | null
  /** Whether the request comes from this session. False in events. */
  current: boolean
}

export type Event = ProductCreatedEvent | ProductUpdatedEvent | ProductDeletedEvent | ProductRestoredEvent | WorkspaceEraseScheduledEvent | WorkspaceEraseCanceledEvent | WorkspaceRestoredEvent | SettingsUpdatedEvent | SignInSettingsUpdatedEvent | PortalUpdatedEvent | PortalSecretRotatedEvent | TeamCreatedEvent | TeamUpdatedEvent | TeamDeletedEvent | TeamRestoredEvent | UserCreatedEvent | UserUpdatedEvent | UserDeletedEvent | UserRestoredEvent | ApiKeyCreatedEvent | ApiKeyRevokedEvent | SessionCreatedEvent | SessionRevokedEvent | ExportCreatedEvent | ExportCompletedEvent | ExportFailedEvent | AssetCreatedEvent | AssetUpdatedEvent | AssetDeletedEvent | AssetRestoredEvent | EpicCreatedEvent | EpicUpdatedEvent | EpicDeletedEvent | EpicRestoredEvent | FeatureCreatedEvent | FeatureUpdatedEvent | FeatureDeletedEvent | FeatureRestoredEvent | UserstoryCreatedEvent | UserstoryUpdatedEvent | UserstoryDeletedEvent | UserstoryRestoredEvent | StoryMapCreatedEvent | StoryMapUpdatedEvent | StoryMapDeletedEvent | StoryMapRestoredEvent | StoryMapStepsMovedEvent | StoryMapCardPlacedEvent | StoryMapCardRemovedEvent | StoryMapCardsMovedEvent | StoryMapActivityCreatedEvent | StoryMapActivityUpdatedEvent | StoryMapActivityDeletedEvent | StoryMapStepCreatedEvent | StoryMapStepUpdatedEvent | StoryMapStepDeletedEvent | StoryMapSwimlaneCreatedEvent | StoryMapSwimlaneUpdatedEvent | StoryMapSwimlaneDeletedEvent | SolutionVersionCreatedEvent | SolutionVersionUpdatedEvent | SolutionVersionDeletedEvent | SolutionVersionRestoredEvent | SolutionVersionReleasedEvent | SolutionVersionUnreleasedEvent | WorkItemLinkCreatedEvent | WorkItemLinkDeletedEvent | WorkItemCommentCreatedEvent | WorkItemCommentUpdatedEvent | WorkItemCommentDeletedEvent | WorkItemCommentRestoredEvent | TagCreatedEvent | TagUpdatedEvent | TagDeletedEvent | TagRestoredEvent | FeedbackCreatedEvent | FeedbackUpdatedEvent | FeedbackDeletedEvent | FeedbackRestoredEvent | FeedbackVotedEvent | FeedbackStatusChangedEvent | FeedbackStatusUpdateCreatedEvent | FeedbackMergedEvent | FeedbackUnmergedEvent | FeedbackPromotedEvent | FeedbackSubscribedEvent | FeedbackUnsubscribedEvent | VoteCreatedEvent | VoteUpdatedEvent | VoteDeletedEvent | CommentCreatedEvent | CommentUpdatedEvent | CommentDeletedEvent | CommentRestoredEvent | FeedbackStatusCreatedEvent | FeedbackStatusUpdatedEvent | FeedbackStatusDeletedEvent | FeedbackStatusRestoredEvent | CategoryCreatedEvent | CategoryUpdatedEvent | CategoryDeletedEvent | CategoryRestoredEvent | ChangelogEntryCreatedEvent | ChangelogEntryUpdatedEvent | ChangelogEntryDeletedEvent | ChangelogEntryRestoredEvent | ChangelogEntryPublishedEvent | ChangelogEntryUnpublishedEvent | SegmentCreatedEvent | SegmentUpdatedEvent | SegmentDeletedEvent | SegmentRestoredEvent | SegmentUsersAddedEvent | SegmentUsersRemovedEvent | SegmentConfirmationsRequestedEvent | SegmentUsersConfirmedEvent | MemberCreatedEvent | MemberUpdatedEvent | MemberDeletedEvent | MemberRestoredEvent | MemberInvitedEvent | MemberJoinedEvent | MemberUnsubscribedEvent | MemberMailPreferencesUpdatedEvent | MemberChangelogFollowedEvent | MemberChangelogLeftEvent | ImportAcceptedEvent | ImportCompletedEvent | ImportFailedEvent | ImportCanceledEvent | ImportUndoAcceptedEvent | ImportUndoneEvent | EmailAcceptedEvent | EmailCompletedEvent | EmailCanceledEvent | SuppressionCreatedEvent | SuppressionDeletedEvent | MailProviderDownEvent | MailProviderRestoredEvent | KpiCreatedEvent | KpiUpdatedEvent | KpiDeletedEvent | KpiRestoredEvent | KpiRecordsInsertedEvent | KpiRecordDeletedEvent | KpiRecordsDeletedEvent | KpiTargetReachedEvent | PersonaCreatedEvent | PersonaUpdatedEvent | PersonaDeletedEvent | PersonaRestoredEvent | PersonaDocumentationUpdatedEvent | SummaryCreatedEvent | SummaryUpdatedEvent | SummaryDeletedEvent | SummaryRestoredEvent | OpportunityCreatedEvent | OpportunityUpdatedEvent | OpportunityDeletedEvent | OpportunityRestoredEvent | ExperimentCreatedEvent | ExperimentUpdatedEvent | ExperimentDeletedEvent | ExperimentRestoredEvent | ExperimentStartedEvent | ExperimentStoppedEvent | BoardSegmentCreatedEvent | BoardSegmentUpdatedEvent | BoardSegmentDeletedEvent | BoardSegmentRestoredEvent | CustomFieldCreatedEvent | CustomFieldUpdatedEvent | CustomFieldDeletedEvent | CustomFieldRestoredEvent | CustomFieldPurgedEvent | TemplateCreatedEvent | TemplateUpdatedEvent | TemplateDeletedEvent | TemplateRestoredEvent | DocumentCreatedEvent | DocumentUpdatedEvent | DocumentDeletedEvent | DocumentRestoredEvent | WebhookCreatedEvent | WebhookUpdatedEvent | WebhookDeletedEvent | WebhookRestoredEvent | WebhookDisabledEvent | WebhookTestedEvent | WebhookReplayedEvent | WebhookSecretRotatedEvent | IncomingWebhookCreatedEvent | IncomingWebhookUpdatedEvent | IncomingWebhookDeletedEvent | IncomingWebhookRestoredEvent | IncomingWebhookReplayedEvent | IncomingWebhookSecretRotatedEvent

/** Who acted. */
export type EventActor = {
  /** User who acted; null for the service itself and for a hidden author. */
  userId: number | null
  /** Id of the API key that acted, as in the list of API keys; null in the same cases. */
  keyId: number | null
  /** Current name of the key; null also if your key lacks the scope `keys:read`. */
  keyName: string | null
}

/** The cause of the event. */
export type EventOrigin = {
  /** `api`: a request, also of a person with a link of a mail. `import`: an import run or its undo. `incoming_webhook`: a delivery to an incoming webhook. `portal`: a reader of the portal. `mcp`: a tool call of an assistant. `queue` and `cron`: work of the service. Later releases can add values. */
  via: "api" | "import" | "incoming_webhook" | "queue" | "cron" | "mcp" | "portal"
  /** Id of the import run or of the incoming webhook. */
  id: number | null
}

/** Content that leaves the lists with a removed record, or returns with a restored record, without events of its own: the number of records per resource. Counts up to 10,000 are exact, and 10,001 stands for more. Resources in areas that your key cannot read are left out. */
export type EventCascade = Record<string, number>

export type CreateWebhook = {
  /** The host of the URL by default. */
  name?: string | undefined
  /** URL with https and a public host name, without a port, checked when you send it and before every attempt. The URL of an incoming webhook is shown with a mask instead of its token. */
  url: string
  /** Events, as in a modify; `["*"]` by default. */
  events?: Array<string> | undefined
  /** Origins (`origin.via`) of events that the webhook does not receive, like `import`. */
  except?: Array<"api" | "import" | "incoming_webhook" | "queue" | "cron" | "mcp" | "portal"> | undefined
  products?: Array<string> | null | undefined
  /** `active` by default. */
  status?: "active" | "paused" | undefined
  /** Id of an API key of yours that the webhook acts as, in place of the key or session of the request. A webhook stops when its key or session ends. */
  apiKeyId?: number | undefined
  /** Creates an API key of yours for the webhook, in place of `apiKeyId`; requires `keys:write`. Nobody sees its token. Rotate the key to get a token. */
  apiKey?: {
    name: string
    /** Only scopes of your key. */
    scopes: Array<"*" | "products:read" | "products:write" | "backlog:read" | "backlog:write" | "kpis:read" | "kpis:write" | "feedback:read" | "feedback:write" | "segments:read" | "segments:write" | "personas:read" | "personas:write" | "files:read" | "files:write" | "mail:read" | "mail:write" | "keys:read" | "keys:write" | "events:read" | "events:write" | "webhooks:read" | "webhooks:write">
  } | undefined
  /** Secret for the signatures, like the secret of an incoming webhook. Generated by default. */
  secret?: string | undefined
}

/** An endpoint, with its secret. */
export type NewWebhook = {
  id: number
  name: string
  url: string
  events: Array<string>
  /** Origins of events that the webhook does not receive. */
  except: Array<string>
  /** External keys; null for all products. */
  products: Array<string> | null
  /** `paused` also if the API key of the webhook has ended: modify its URL, events, products or status to deliver with your key. `disabled` after a 410 or five days of failure, until you set `active`. */
  status: "active" | "paused" | "disabled"
  /** Failed attempts since the last success. */
  failures: number
  /** Reason of the last failure. */
  lastError: string | null
  createdAt: string
  updatedAt: string
  /** Id of the API key or session that the webhook acts as. */
  apiKeyId: number
  /** Secret for signatures of deliveries (Standard Webhooks). Shown once. */
  secret: string
}

/** An endpoint that receives events. */
export type ListedWebhook = {
  id: number
  name: string
  url: string
  events: Array<string>
  /** Origins of events that the webhook does not receive. */
  except: Array<string>
  /** External keys; null for all products. */
  products: Array<string> | null
  /** `paused` also if the API key of the webhook has ended: modify its URL, events, products or status to deliver with your key. `disabled` after a 410 or five days of failure, until you set `active`. */
  status: "active" | "paused" | "disabled"
  /** Failed attempts since the last success. */
  failures: number
  /** Reason of the last failure. */
  lastError: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

/** An endpoint that receives events. */
export type Webhook = {
  id: number
  name: string
  url: string
  events: Array<string>
  /** Origins of events that the webhook does not receive. */
  except: Array<string>
  /** External keys; null for all products. */
  products: Array<string> | null
  /** `paused` also if the API key of the webhook has ended: modify its URL, events, products or status to deliver with your key. `disabled` after a 410 or five days of failure, until you set `active`. */
  status: "active" | "paused" | "disabled"
  /** Failed attempts since the last success. */
  failures: number
  /** Reason of the last failure. */
  lastError: string | null
  createdAt: string
  updatedAt: string
}

export type ModifyWebhook = {
  name?: string | undefined
  /** URL with https and a public host name, without a port, checked when you send it and before every attempt. The URL of an incoming webhook is shown with a mask instead of its token. */
  url?: string | undefined
  /** Event types like `epic.created`, all events of a resource like `epic.*`, or `*` for all events. Your API key must be able to read the events. */
  events?: Array<string> | undefined
  /** Origins (`origin.via`) of events that the webhook does not receive, like `import`. */
  except?: Array<"api" | "import" | "incoming_webhook" | "queue" | "cron" | "mcp" | "portal"> | undefined
  products?: Array<string> | null | undefined
  /** Events during a pause are delivered when the webhook is `active` again. */
  status?: "active" | "paused" | undefined
  /** Id of an API key of yours that the webhook acts as, in place of the key or session of the request. A webhook stops when its key or session ends. */
  apiKeyId?: number | undefined
}

/** Delivery of an event to an endpoint. */
export type Delivery = {
  id: number
  /** Id of the event in the log. */
  eventId: number
  /** Type of the event, like `epic.created`. */
  type: string
  /** `discarded`: the webhook was disabled or removed before the delivery. */
  status: "pending" | "delivered" | "failed" | "discarded"
  /** The last 20 attempts, oldest first. */
  attempts: Array<{
    at: string
    /** HTTP status of the response; null without a response. */
    status: number | null
    durationMs: number
    /** Beginning of the response as text, at most 1 kB. */
    response: string | null
    /** Reason of the failure; null for a success. */
    error: string | null
  }>
  /** Time of the next attempt; null without further attempts. */
  nextAttemptAt: string | null
  createdAt: string
}

export type ReplayWebhook = {
  /** Start of the range. */
  from: string
  /** End of the range, exclusive; now by default. */
  to?: string | undefined
  /** Only events whose delivery to the webhook has this status, like `failed`. */
  status?: "pending" | "delivered" | "failed" | "discarded" | undefined
}

export type CreateIncomingWebhook = {
  provider: "generic" | "jira" | "github" | "gitlab" | "groundwork"
  /** External key of the product. */
  product: string
  action: "upsert_work_item" | "create_feedback" | "insert_kpi_records"
  /** Source of each field: a path into the payload like `$.issue.labels[0].name`, `$.items[-1]`, `$["a b"]` or `$.fields[?(@.key=="size")].value`, or `=` and a text. The mapping overrides the default mapping of the provider; `generic` has no default mapping. Fields of upsert_work_item: `externalId` (required), `summary`, `description`, `type` (a word like Bug or Epic), `progress`, `externalProgress`, `color`, `businessGoal`, `startDate`, `endDate`, `tags`, `urls`, `jiraKey`, `estimate`, `businessValue`, `storyPoint`, `score`, `parent` (id of the parent in the other system), `assignees` (addresses), and `attributes.` with the name of an attribute. Fields of create_feedback: `title` (required), `externalId` (a later payload with the id changes the idea; without it every payload creates an idea), `type`, `long_description`, `target_audience`, `value_proposition`, `tags`, `email`, `name`. Fields of both: `changedAt` (time of the change, which keeps an older payload from a newer one), `removed` (true removes the record), and of a comment on the record `comment.id`, `comment.text`, `comment.author` (address), `comment.authorName`, `comment.isPrivate`, `comment.parent` (id of the comment that it replies to), `comment.createdAt`, `comment.changedAt`, `comment.removed`. Fields of insert_kpi_records: `value` and `createdAt`, or `records`, a list of both. Field of all: `author` (see `exceptAuthors`). */
  mapping?: Record<string, string> | undefined
  /** Target of the action: `type` of work items, or `kpi` of records. */
  target?: {
    /** By default the type of the Jira issue, or else `userstory`. */
    type?: "epic" | "feature" | "userstory" | undefined
    /** System of the external ids; by default the provider, or `webhook` for `generic`. */
    source?: string | undefined
    kpi?: string | undefined
  } | undefined
  /** Accounts of the sender whose events are left out, like the account through which you write changes back: login or id of GitHub, username, address or id of GitLab, account id, address or name of Jira, id of the API key or the user in deliveries of this service, or the value of `author` in `mapping`. */
  exceptAuthors?: Array<string> | undefined
  /** Id of an API key of yours that the webhook acts as, in place of the key or session of the request. A webhook stops when its key or session ends. */
  apiKeyId?: number | undefined
  /** Creates an API key of yours for the webhook, in place of `apiKeyId`; requires `keys:write`. Nobody sees its token. Rotate the key to get a token. */
  apiKey?: {
    name: string
    /** Only scopes of your key. */
    scopes: Array<"*" | "products:read" | "products:write" | "backlog:read" | "backlog:write" | "kpis:read" | "kpis:write" | "feedback:read" | "feedback:write" | "segments:read" | "segments:write" | "personas:read" | "personas:write" | "files:read" | "files:write" | "mail:read" | "mail:write" | "keys:read" | "keys:write" | "events:read" | "events:write" | "webhooks:read" | "webhooks:write">
  } | undefined
  /** Secret for signatures of the sender. Generated by default, except for `generic`: without a secret, anybody with the URL can send. */
  secret?: string | undefined
}

/** An incoming webhook, with its URL and its secret. */
export type NewIncomingWebhook = {
  id: number
  provider: "generic" | "jira" | "github" | "gitlab" | "groundwork"
  product: string
  action: "upsert_work_item" | "create_feedback" | "insert_kpi_records"
  mapping: Record<string, string>
  /** Target of the action: `type` of work items, or `kpi` of records. */
  target: {
    /** By default the type of the Jira issue, or else `userstory`. */
    type?: "epic" | "feature" | "userstory" | undefined
    /** System of the external ids; by default the provider, or `webhook` for `generic`. */
    source?: string | undefined
    kpi?: string | undefined
  }
  exceptAuthors: Array<string>
  /** URL that the sender posts to. The full URL is shown once. */
  url: string
  createdAt: string
  updatedAt: string
  /** Id of the API key or session that the webhook acts as. */
  apiKeyId: number
  /** Secret for signatures of the sender. Shown once. */
  secret: string | null
}

/** A URL that another system sends to. */
export type ListedIncomingWebhook = {
  id: number
  provider: "generic" | "jira" | "github" | "gitlab" | "groundwork"
  product: string
  action: "upsert_work_item" | "create_feedback" | "insert_kpi_records"
  mapping: Record<string, string>
  /** Target of the action: `type` of work items, or `kpi` of records. */
  target: {
    /** By default the type of the Jira issue, or else `userstory`. */
    type?: "epic" | "feature" | "userstory" | undefined
    /** System of the external ids; by default the provider, or `webhook` for `generic`. */
    source?: string | undefined
    kpi?: string | undefined
  }
  exceptAuthors: Array<string>
  /** URL that the sender posts to, shown once and masked from then on: without a secret, anybody with the URL can send. */
  url: string
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

/** A URL that another system sends to. */
export type IncomingWebhook = {
  id: number
  provider: "generic" | "jira" | "github" | "gitlab" | "groundwork"
  product: string
  action: "upsert_work_item" | "create_feedback" | "insert_kpi_records"
  mapping: Record<string, string>
  /** Target of the action: `type` of work items, or `kpi` of records. */
  target: {
    /** By default the type of the Jira issue, or else `userstory`. */
    type?: "epic" | "feature" | "userstory" | undefined
    /** System of the external ids; by default the provider, or `webhook` for `generic`. */
    source?: string | undefined
    kpi?: string | undefined
  }
  exceptAuthors: Array<string>
  /** URL that the sender posts to, shown once and masked from then on: without a secret, anybody with the URL can send. */
  url: string
  createdAt: string
  updatedAt: string
}

export type ModifyIncomingWebhook = {
  action: "upsert_work_item" | "create_feedback" | "insert_kpi_records"
  /** Source of each field: a path into the payload like `$.issue.labels[0].name`, `$.items[-1]`, `$["a b"]` or `$.fields[?(@.key=="size")].value`, or `=` and a text. The mapping overrides the default mapping of the provider; `generic` has no default mapping. Fields of upsert_work_item: `externalId` (required), `summary`, `description`, `type` (a word like Bug or Epic), `progress`, `externalProgress`, `color`, `businessGoal`, `startDate`, `endDate`, `tags`, `urls`, `jiraKey`, `estimate`, `businessValue`, `storyPoint`, `score`, `parent` (id of the parent in the other system), `assignees` (addresses), and `attributes.` with the name of an attribute. Fields of create_feedback: `title` (required), `externalId` (a later payload with the id changes the idea; without it every payload creates an idea), `type`, `long_description`, `target_audience`, `value_proposition`, `tags`, `email`, `name`. Fields of both: `changedAt` (time of the change, which keeps an older payload from a newer one), `removed` (true removes the record), and of a comment on the record `comment.id`, `comment.text`, `comment.author` (address), `comment.authorName`, `comment.isPrivate`, `comment.parent` (id of the comment that it replies to), `comment.createdAt`, `comment.changedAt`, `comment.removed`. Fields of insert_kpi_records: `value` and `createdAt`, or `records`, a list of both. Field of all: `author` (see `exceptAuthors`). */
  mapping?: Record<string, string> | undefined
  /** Target of the action: `type` of work items, or `kpi` of records. */
  target?: {
    /** By default the type of the Jira issue, or else `userstory`. */
    type?: "epic" | "feature" | "userstory" | undefined
    /** System of the external ids; by default the provider, or `webhook` for `generic`. */
    source?: string | undefined
    kpi?: string | undefined
  } | undefined
  /** Accounts of the sender whose events are left out, like the account through which you write changes back: login or id of GitHub, username, address or id of GitLab, account id, address or name of Jira, id of the API key or the user in deliveries of this service, or the value of `author` in `mapping`. */
  exceptAuthors?: Array<string> | undefined
  /** Id of an API key of yours that the webhook acts as, in place of the key or session of the request. A webhook stops when its key or session ends. */
  apiKeyId?: number | undefined
}

export type RotateIncomingWebhook = {
  /** New secret for signatures of the sender. Generated by default. */
  secret?: string | undefined
}

export type TestIncomingWebhook = {
  /** JSON that the sender would post. */
  payload: unknown
}

/** Effect of a payload. */
export type TestedIncomingWebhook = {
  action: "upsert_work_item" | "create_feedback" | "insert_kpi_records"
  /** Expected status of the receipt. */
  outcome: "processed" | "ignored" | "failed"
  /** Reason for `ignored` or `failed`, or what a delivery looks up or removes. */
  reason: string | null
  /** Request to this API that the webhook would send with its API key. */
  request: {
    method: string
    path: string
    body: unknown
  } | null
  /** Comment that the webhook would save or remove, by its id in the other system. */
  comment: {
    id: string
    removed: boolean
    body: unknown
  } | null
  /** Refused fields of the request. A delivery leaves out refused fields that you did not map. */
  issues: Array<{
    path: string
    message: string
  }>
}

/** A delivery to an incoming webhook. */
export type Receipt = {
  id: number
  /** Id from the sender, or a random id. */
  deliveryId: string
  status: "queued" | "processed" | "ignored" | "failed"
  /** Result, like `IDEA-1: Feedback item saved`. */
  outcome: string | null
  error: string | null
  /** Whether the payload is stored for another attempt. */
  replayable: boolean
  createdAt: string
}

/** An import run of a file. */
export type Import = {
  /** Id of the run; 0 for a dry run. */
  id: number
  kind: "people" | "backlog" | "feedback" | "changelog" | "suppressions"
  /** Id of the segment that the people join. */
  segmentId: number | null
  /** `partial`: some rows were rejected. `failed`: all rows were rejected, or `problem` gives the reason. */
  status: "pending" | "running" | "completed" | "partial" | "failed" | "canceled" | "undoing" | "undone"
  /** Percentage of processed rows. */
  progress: number
  totals: {
    rows: number
    created: number
    updated: number
    /** Unchanged existing records, and duplicates of earlier rows. */
    skipped: number
    rejected: number
    /** People: new suppressions, for rows that say that the person gets no mail. An undo keeps these suppressions. */
    suppressed: number
    /** Records that an undo left, because the records were changed since or are in use. */
    kept: number
  }
  onConflict: "skip" | "update"
  /** Name of the file. */
  file: string
  problem: string | null
  createdAt: string
  updatedAt: string
  completedAt: string | null
}

/** An import run, with its mapping and its rejected rows. */
export type ImportRun = {
  /** Id of the run; 0 for a dry run. */
  id: number
  kind: "people" | "backlog" | "feedback" | "changelog" | "suppressions"
  /** Id of the segment that the people join. */
  segmentId: number | null
  /** `partial`: some rows were rejected. `failed`: all rows were rejected, or `problem` gives the reason. */
  status: "pending" | "running" | "completed" | "partial" | "failed" | "canceled" | "undoing" | "undone"
  /** Percentage of processed rows. */
  progress: number
  totals: {
    rows: number
    created: number
    updated: number
    /** Unchanged existing records, and duplicates of earlier rows. */
    skipped: number
    rejected: number
    /** People: new suppressions, for rows that say that the person gets no mail. An undo keeps these suppressions. */
    suppressed: number
    /** Records that an undo left, because the records were changed since or are in use. */
    kept: number
  }
  onConflict: "skip" | "update"
  /** Name of the file. */
  file: string
  problem: string | null
  createdAt: string
  updatedAt: string
  completedAt: string | null
  /** Mapping of the columns. */
  mapping: {
    /** Product that exported the file, if the header is known. */
    preset: string | null
    /** Certainty of the preset: `certain` if the product knows at least half of the columns, `likely` if fewer, `none` without a preset. Absent for runs before release 0.3.0. */
    certainty?: "certain" | "likely" | "none" | undefined
    /** Columns that decided the preset, or that are missing. */
    presetReason?: string | undefined
    columns: Array<{
      column: string
      /** Field that the column gives. */
      field?: string | undefined
      /** Values of the file that become other values. */
      values?: Record<string, string> | undefined
      /** Attribute that the column gives. */
      attribute?: string | undefined
      /** `true`: the column is left out. */
      ignored?: boolean | undefined
      /** Level of the rows whose title stands in the column; a row is below the last row of a higher level. */
      level?: number | undefined
      /** Order of day and month in a column of dates: day first, month first, or no need for an order. Null if the order is unknown. */
      dates?: "dmy" | "mdy" | "iso" | null | undefined
    }>
    constants: Record<string, string>
    /** Name of the file, if the name says that the people get no mail, like `unsubscribed.csv`. */
    refusalList?: string | undefined
    /** Records that the run creates. */
    createMissing?: Array<"statuses" | "categories" | "tags" | "versions" | "segments"> | undefined
  }
  /** The first 100 rejected rows. `/rejected.csv` has all rejected rows. */
  rejected: Array<{
    /** Row number, from 1, without the header and empty lines. */
    row: number
    reason: string
    field: string | null
    value: string | null
  }>
  /** The first 100 values of optional fields that could not be read. The rows are imported. `/warnings.csv` has all of them. An import of people also lists what the file says about unsubscription, bounces, complaints and consent, and lists it first: `field` is `suppression` for values that end mail, and `consent` for the others; `value` is null for times and sentences. `became` is the reason of the new suppression; with null, the import does not take the value over, and mail reaches these people. */
  warnings: Array<{
    field: string
    /** Column of the file; null for a constant. */
    column: string | null
    /** Value in the file, at most 100 characters. */
    value: string | null
    /** Count of rows with this value. */
    rows: number
    /** Value of the record; null if the value was left out. */
    became: string | null
    reason: string
  }>
  /** The first 100 records that an undo left unchanged, with the row and the reason. Undos before release 0.3.0 have neither key nor id. */
  kept: Array<{
    /** Row number, from 1, without the header and empty lines. */
    row: number
    reason: string
    /** Key of the item or the changelog entry; null for people. */
    externalKey: string | null
    /** Id of the person or the suppression; null for items. */
    id: number | null
  }>
  /** Dry run: the first value of each column in the first 50 rows, in the order of `mapping.columns`; at most 100 characters. */
  firstValues?: Array<string | null> | undefined
  /** Dry run: the fields that a column can give. */
  fields?: Array<{
    name: string
    required: boolean
    /** The only values; null for any value. */
    values: Array<string> | null
  }> | undefined
  /** Dry run: records of the first 50 rows as the import would store them, with the members of the API. Work items also have `parentRow` (the row of the parent), `assignee` (the name in the file), `solutionVersions`, `externalIds` and the count of new `comments`. Ideas have the names of `category` and `status`, and the counts of new `votes` and `comments`. Changelog entries have the keys of `product`, `ideas` and `versions`. Without access to people, people have only the values of the file. */
  preview?: Array<Record<string, unknown>> | undefined
}

export type CreateExport = {
  /** `files`: the uploaded files. `events`: the log of events. Records are always part of the export, and alone by default. */
  include?: Array<"files" | "events"> | undefined
}

/** An export of the whole workspace, or a restore. */
export type WorkspaceExport = {
  id: number
  /** `backup`: a nightly export of the service. `restore`: the restore of an export; its file is deleted at the end. */
  kind: "export" | "backup" | "restore"
  /** `expired`: the file is deleted. */
  status: "queued" | "running" | "completed" | "failed" | "expired"
  include: Array<"files" | "events">
  /** Parts of the workspace that are not in the file of an export, or that a restore does not bring back: API keys, secrets, runs of imports and exports, and the parts that `include` does not name. A restore never brings events back, and brings files back if the file has them. */
  omitted: Array<"keys" | "secrets" | "imports" | "exports" | "files" | "events">
  /** Percentage of the work. */
  progress: number
  totals: {
    records: number
    files: number
    events: number
  }
  /** Bytes of the file; null until the export is complete. */
  size: number | null
  /** Reason of a failed export or restore. */
  problem: string | null
  /** Time when the file is deleted. */
  expiresAt: string | null
  createdAt: string
  completedAt: string | null
}

export type CreateEpic = {
  /** Title of the item. */
  summary: string
  progress?: "to-do" | "in-progress" | "done" | undefined
  persona?: Array<{
    personaValue: string
    personaId: number
  }> | undefined
  /** External keys of KPIs, which replace the present links. */
  kpis?: Array<string> | undefined
  /** Uploaded files by `file.id`, which replace the present files. */
  files?: Array<{
    file: {
      id: number
    }
  }> | undefined
  color?: string | null | undefined
  description?: string | null | undefined
  businessGoal?: string | null | undefined
  /** Id of a team; null for none. */
  teamId?: number | null | undefined
  /** Ids of users. */
  userId?: Array<number> | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  tags?: string | undefined
  urls?: Array<{
    url: string
  }> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  jiraId?: string | null | undefined
  jiraKey?: string | null | undefined
  externalProgress?: string | null | undefined
  estimate?: string | null | undefined
  businessValue?: string | null | undefined
  /** Score, rounded to two decimal places. */
  score?: number | undefined
  /** Keys of user stories that become children. */
  userStories?: Array<string> | undefined
  /** Keys of features that become children. */
  features?: Array<string> | undefined
}

export type WorkItemResult = {
  summary: string
  /** Id of the epic or parent epic; 0 for none. */
  epicId: number
  /** Id of the feature or parent feature; 0 for none. */
  featureId: number
  /** `impact_map` means a feature. */
  type: "epic" | "impact_map" | "userstory"
  /** Id of the story; 0 for epics and features. */
  cardId: number
  externalKey: string
}

export type ModifyEpic = {
  /** Title of the item. */
  summary?: string | undefined
  progress?: string | undefined
  backlog?: boolean | undefined
  /** External keys of KPIs, which replace the present links. */
  kpis?: Array<string> | undefined
  /** Uploaded files by `file.id`, which replace the present files. */
  files?: Array<{
    file: {
      id: number
    }
  }> | undefined
  persona?: Array<{
    personaValue?: string | undefined
    personaId?: number | undefined
  }> | undefined
  color?: string | null | undefined
  description?: string | null | undefined
  businessGoal?: string | null | undefined
  /** Id of a team; null for none. */
  teamId?: number | null | undefined
  /** Ids of users. */
  userId?: Array<number> | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  tags?: string | undefined
  urls?: Array<{
    url: string
  }> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  jiraId?: string | null | undefined
  jiraKey?: string | null | undefined
  externalProgress?: string | null | undefined
  estimate?: string | null | undefined
  businessValue?: string | null | undefined
  /** Score, rounded to two decimal places. */
  score?: number | undefined
  /** Keys of user stories that become children. */
  userStories?: Array<string> | undefined
  /** Keys of features that become children. */
  features?: Array<string> | undefined
}

export type ListedWorkItem = {
  id: number
  externalKey: string
  type: "epic" | "feature" | "userstory"
  initiativeId: number
  /** Id of the epic; 0 for none. */
  epicId: number
  /** Id of the feature; 0 for none. */
  featureId: number
  status: string
  summary: string
  color: string
  progress: string
  progressPercentage: number
  firstChild: string
  backlog: boolean
  description: string
  businessGoal: string
  persona: Array<{
    personaValue?: string | undefined
    personaId?: number | undefined
  }>
  teamId: number | null
  userId: Array<number>
  startDate: string | null
  endDate: string | null
  /** A serialized JSON array. */
  tags: string
  urls: Array<{
    url: string
  }>
  /** Further values of the item, by name. */
  attributes: Record<string, string | number | boolean>
  jiraId: string
  jiraKey: string
  externalProgress: string
  estimate: string
  businessValue: string
  storyPoint: string
  remainingTime: string
  score: number
  /** Model and inputs of the last scoring; null without a scoring. */
  scoring: {
    model: string
    inputs: Record<string, number>
    weights?: Record<string, number> | undefined
  } | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type WorkItemDetail = {
  id: number
  externalKey: string
  type: "epic" | "feature" | "userstory"
  initiativeId: number
  /** Id of the epic; 0 for none. */
  epicId: number
  /** Id of the feature; 0 for none. */
  featureId: number
  status: string
  summary: string
  color: string
  progress: string
  progressPercentage: number
  firstChild: string
  backlog: boolean
  description: string
  businessGoal: string
  persona: Array<{
    personaValue?: string | undefined
    personaId?: number | undefined
  }>
  teamId: number | null
  userId: Array<number>
  startDate: string | null
  endDate: string | null
  /** A serialized JSON array. */
  tags: string
  urls: Array<{
    url: string
  }>
  /** Further values of the item, by name. */
  attributes: Record<string, string | number | boolean>
  jiraId: string
  jiraKey: string
  externalProgress: string
  estimate: string
  businessValue: string
  storyPoint: string
  remainingTime: string
  score: number
  /** Model and inputs of the last scoring; null without a scoring. */
  scoring: {
    model: string
    inputs: Record<string, number>
    weights?: Record<string, number> | undefined
  } | null
  createdAt: string
  updatedAt: string
  features: Array<string>
  userStories: Array<string>
  /** Keys of the feedback items that were promoted or linked to the item. */
  ideas: Array<string>
  kpis: Array<string>
  files: Array<{
    file: File
  }>
}

export type File = {
  id: number
  /** Storage key of the bytes. */
  path: string
  /** Decimal text with two places, in `sizeType`. */
  size: string
  sizeType: "kb"
  /** User who uploaded the file. */
  userId: number
  subscriptionId: number
  initiativeId: number
  usedAt: string
  description: string | null
  name: string
  /** Id of the record that the file was last attached to, or 0. `usedAt` is the type of the record unless you set `usedAt`. */
  artifactId: number
  status: string
  createdAt: string
  updatedAt: string
  /** Download path, below the address of this service. */
  file: string
}

export type CreateFeature = {
  /** Title of the item. */
  summary: string
  progress?: "to-do" | "in-progress" | "done" | undefined
  persona?: Array<{
    personaValue: string
    personaId: number
  }> | undefined
  /** External keys of KPIs, which replace the present links. */
  kpis?: Array<string> | undefined
  /** Uploaded files by `file.id`, which replace the present files. */
  files?: Array<{
    file: {
      id: number
    }
  }> | undefined
  color?: string | null | undefined
  description?: string | null | undefined
  businessGoal?: string | null | undefined
  /** Id of a team; null for none. */
  teamId?: number | null | undefined
  /** Ids of users. */
  userId?: Array<number> | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  tags?: string | undefined
  urls?: Array<{
    url: string
  }> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  jiraId?: string | null | undefined
  jiraKey?: string | null | undefined
  externalProgress?: string | null | undefined
  estimate?: string | null | undefined
  businessValue?: string | null | undefined
  /** Score, rounded to two decimal places. */
  score?: number | undefined
  /** Keys of user stories that become children. */
  userStories?: Array<string> | undefined
  /** Id of the parent epic; 0 or null for none. */
  epicId?: number | null | undefined
}

export type FeatureResult = {
  summary: string
  /** Id of the epic or parent epic; 0 for none. */
  epicId: number
  /** Id of the feature or parent feature; 0 for none. */
  featureId: number
  /** `impact_map` means a feature. */
  type: "epic" | "impact_map" | "userstory"
  /** Id of the story; 0 for epics and features. */
  cardId: number
  externalKey: string
  metaData: FeatureMetaData
}

export type FeatureMetaData = {
  persona: Array<{
    personaValue: string
    personaId: number
  }>
  urls: Array<{
    url: string
  }>
  id: number
  summary: string
  /** Serialized array of user ids. */
  userId: string
  backlog: boolean
  description: string
  successCriteria: null
  nonFunctionalRequirements: null
  initiativeId: string
  teamId: number
  externalKey: string
  status: string
  detail: null
  color: string
  order: null
  /** Decimal text with two places. */
  score: string
  startDate: string
  endDate: string
  epicId: number
  estimate: string
  progress: string
  externalProgress: string
  businessValue: string
  tags: string
  timeBoxPlanningId: number
  subTimeBoxPlanningId: number
  swimlaneId: number
  roadmapId: number
  storyMapId: number
  businessObjectiveId: number
  businessGoal: string
  jiraId: string
  jiraKey: string
  jiraSelf: null
  jiraParentId: string
  createdAt: string
  updatedAt: string
}

export type ModifyFeature = {
  /** Title of the item. */
  summary?: string | undefined
  progress?: string | undefined
  backlog?: boolean | undefined
  /** External keys of KPIs, which replace the present links. */
  kpis?: Array<string> | undefined
  /** Uploaded files by `file.id`, which replace the present files. */
  files?: Array<{
    file: {
      id: number
    }
  }> | undefined
  persona?: Array<{
    personaValue?: string | undefined
    personaId?: number | undefined
  }> | undefined
  color?: string | null | undefined
  description?: string | null | undefined
  businessGoal?: string | null | undefined
  /** Id of a team; null for none. */
  teamId?: number | null | undefined
  /** Ids of users. */
  userId?: Array<number> | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  tags?: string | undefined
  urls?: Array<{
    url: string
  }> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  jiraId?: string | null | undefined
  jiraKey?: string | null | undefined
  externalProgress?: string | null | undefined
  estimate?: string | null | undefined
  businessValue?: string | null | undefined
  /** Score, rounded to two decimal places. */
  score?: number | undefined
  /** Keys of user stories that become children. */
  userStories?: Array<string> | undefined
  /** Id of the parent epic; 0 or null detaches. The stories follow. */
  epicId?: number | null | undefined
}

export type CreateUserStory = {
  /** Title of the item. */
  summary: string
  progress?: "to-do" | "in-progress" | "done" | undefined
  persona?: Array<{
    personaValue: string
    personaId: number
  }> | undefined
  /** External keys of KPIs, which replace the present links. */
  kpis?: Array<string> | undefined
  /** Uploaded files by `file.id`, which replace the present files. */
  files?: Array<{
    file: {
      id: number
    }
  }> | undefined
  color?: string | null | undefined
  description?: string | null | undefined
  businessGoal?: string | null | undefined
  /** Id of a team; null for none. */
  teamId?: number | null | undefined
  /** Ids of users. */
  userId?: Array<number> | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  tags?: string | undefined
  urls?: Array<{
    url: string
  }> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  jiraId?: string | null | undefined
  jiraKey?: string | null | undefined
  externalProgress?: string | null | undefined
  /** Id of the epic; 0 detaches. */
  epicId?: number | null | undefined
  /** Id of the feature; 0 detaches. A story has the epic of its feature. */
  featureId?: number | null | undefined
  /** Any text. A number like `3` or `0.5`, up to 1,000,000, counts as points; other texts count as no points. */
  storyPoint?: string | null | undefined
  /** Any text. */
  remainingTime?: string | null | undefined
  /** Always `userstory`; other values have no effect. */
  type?: string | undefined
  progressPercentage?: number | undefined
  firstChild?: string | undefined
}

export type ModifyUserStory = {
  /** Title of the item. */
  summary?: string | undefined
  progress?: string | undefined
  backlog?: boolean | undefined
  /** External keys of KPIs, which replace the present links. */
  kpis?: Array<string> | undefined
  /** Uploaded files by `file.id`, which replace the present files. */
  files?: Array<{
    file: {
      id: number
    }
  }> | undefined
  persona?: Array<{
    personaValue: string
    personaId: number
  }> | undefined
  color?: string | null | undefined
  description?: string | null | undefined
  businessGoal?: string | null | undefined
  /** Id of a team; null for none. */
  teamId?: number | null | undefined
  /** Ids of users. */
  userId?: Array<number> | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  tags?: string | undefined
  urls?: Array<{
    url: string
  }> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  jiraId?: string | null | undefined
  jiraKey?: string | null | undefined
  externalProgress?: string | null | undefined
  /** Id of the epic; 0 detaches. */
  epicId?: number | null | undefined
  /** Id of the feature; 0 detaches. A story has the epic of its feature. */
  featureId?: number | null | undefined
  /** Any text. A number like `3` or `0.5`, up to 1,000,000, counts as points; other texts count as no points. */
  storyPoint?: string | null | undefined
  /** Any text. */
  remainingTime?: string | null | undefined
  /** Always `userstory`; other values have no effect. */
  type?: string | undefined
  progressPercentage?: number | undefined
  firstChild?: string | undefined
}

export type Tree = {
  /** Epics in their order. */
  items: Array<TreeNode>
  /** Features and stories without a parent, in their order. */
  orphans: Array<TreeNode>
}

/** An item with the items below. */
export type TreeNode = {
  type?: "epic" | "feature" | "userstory" | undefined
  externalKey?: string | undefined
  id?: number | undefined
  summary?: string | undefined
  progress?: string | undefined
  /** A parent has the mean of the lowest items below, weighted by points. A lowest item that is done has 100. */
  progressPercentage?: number | undefined
  points?: {
    /** Points of a story; for an epic or a feature the points below, or the estimate if no item is below. */
    total: number
    /** Points of the items that are done. */
    done: number
  } | undefined
  score?: number | undefined
  /** Ids of users. Only if `fields` names `userId`. */
  userId?: Array<number> | undefined
  /** A serialized JSON array. Only if `fields` names `tags`. */
  tags?: string | undefined
  /** Keys of the versions that hold the item. Only if `fields` names `versions`. */
  versions?: Array<string> | undefined
  /** ETag for `If-Match` of a change. Only if `fields` names `etag`. */
  etag?: string | undefined
  children: Array<InnerNode>
}

/** A feature, or a story directly below the epic. */
export type InnerNode = {
  type?: "epic" | "feature" | "userstory" | undefined
  externalKey?: string | undefined
  id?: number | undefined
  summary?: string | undefined
  progress?: string | undefined
  /** A parent has the mean of the lowest items below, weighted by points. A lowest item that is done has 100. */
  progressPercentage?: number | undefined
  points?: {
    /** Points of a story; for an epic or a feature the points below, or the estimate if no item is below. */
    total: number
    /** Points of the items that are done. */
    done: number
  } | undefined
  score?: number | undefined
  /** Ids of users. Only if `fields` names `userId`. */
  userId?: Array<number> | undefined
  /** A serialized JSON array. Only if `fields` names `tags`. */
  tags?: string | undefined
  /** Keys of the versions that hold the item. Only if `fields` names `versions`. */
  versions?: Array<string> | undefined
  /** ETag for `If-Match` of a change. Only if `fields` names `etag`. */
  etag?: string | undefined
  children: Array<LowestNode>
}

/** A story, which has no children. */
export type LowestNode = {
  type?: "epic" | "feature" | "userstory" | undefined
  externalKey?: string | undefined
  id?: number | undefined
  summary?: string | undefined
  progress?: string | undefined
  /** A parent has the mean of the lowest items below, weighted by points. A lowest item that is done has 100. */
  progressPercentage?: number | undefined
  points?: {
    /** Points of a story; for an epic or a feature the points below, or the estimate if no item is below. */
    total: number
    /** Points of the items that are done. */
    done: number
  } | undefined
  score?: number | undefined
  /** Ids of users. Only if `fields` names `userId`. */
  userId?: Array<number> | undefined
  /** A serialized JSON array. Only if `fields` names `tags`. */
  tags?: string | undefined
  /** Keys of the versions that hold the item. Only if `fields` names `versions`. */
  versions?: Array<string> | undefined
  /** ETag for `If-Match` of a change. Only if `fields` names `etag`. */
  etag?: string | undefined
  children: Array<{
    type?: "epic" | "feature" | "userstory" | undefined
    externalKey?: string | undefined
    id?: number | undefined
    summary?: string | undefined
    progress?: string | undefined
    /** A parent has the mean of the lowest items below, weighted by points. A lowest item that is done has 100. */
    progressPercentage?: number | undefined
    points?: {
      /** Points of a story; for an epic or a feature the points below, or the estimate if no item is below. */
      total: number
      /** Points of the items that are done. */
      done: number
    } | undefined
    score?: number | undefined
    /** Ids of users. Only if `fields` names `userId`. */
    userId?: Array<number> | undefined
    /** A serialized JSON array. Only if `fields` names `tags`. */
    tags?: string | undefined
    /** Keys of the versions that hold the item. Only if `fields` names `versions`. */
    versions?: Array<string> | undefined
    /** ETag for `If-Match` of a change. Only if `fields` names `etag`. */
    etag?: string | undefined
  }>
}

export type BulkBacklog = Array<{
  op: "create" | "update" | "delete"
  type: "epic" | "feature" | "userstory"
  /** External key of the item to update or delete. */
  externalKey?: string | undefined
  /** Name of your choice. A later operation sends this name as `parentRef`. */
  ref?: string | undefined
  /** The `ref` of the earlier operation on the parent item. */
  parentRef?: string | undefined
  /** ETag of the item to update or delete: the operation fails if the item has changed since. */
  ifMatch?: string | undefined
  /** Body of the create or modify operation of the type. */
  body?: Record<string, unknown> | undefined
}>

export type BulkDone = {
  /** Results of the operations, in the same order. */
  results: Array<{
    index: number
    op: string
    success: boolean
    id?: number | undefined
    externalKey?: string | undefined
    ref?: string | undefined
    /** Reason of the failure. */
    message?: string | undefined
    /** Problems of the operation, with paths inside the operation. */
    issues?: Array<{
      path: string
      code: string
      message: string
    }> | undefined
  }>
  totals: {
    created: number
    updated: number
    deleted: number
    /** Present if an operation of the request is a merge. */
    merged?: number | undefined
    failed: number
  }
}

export type AttributesMode = "replace" | "merge"

export type UpsertWorkItem = {
  /** Type of the item. Fields of other types are ignored. */
  type: "epic" | "feature" | "userstory"
  /** Title of the item. */
  summary: string
  progress?: "to-do" | "in-progress" | "done" | undefined
  persona?: Array<{
    personaValue: string
    personaId: number
  }> | undefined
  /** External keys of KPIs, which replace the present links. */
  kpis?: Array<string> | undefined
  /** Uploaded files by `file.id`, which replace the present files. */
  files?: Array<{
    file: {
      id: number
    }
  }> | undefined
  color?: string | null | undefined
  description?: string | null | undefined
  businessGoal?: string | null | undefined
  /** Id of a team; null for none. */
  teamId?: number | null | undefined
  /** Ids of users. */
  userId?: Array<number> | undefined
  startDate?: string | null | undefined
  endDate?: string | null | undefined
  tags?: string | undefined
  urls?: Array<{
    url: string
  }> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  jiraId?: string | null | undefined
  jiraKey?: string | null | undefined
  externalProgress?: string | null | undefined
  /** Id of the parent epic; 0 or null for none. */
  epicId?: number | null | undefined
  /** Id of the feature; 0 detaches. A story has the epic of its feature. */
  featureId?: number | null | undefined
  /** Any text. A number like `3` or `0.5`, up to 1,000,000, counts as points; other texts count as no points. */
  storyPoint?: string | null | undefined
  /** Any text. */
  remainingTime?: string | null | undefined
  progressPercentage?: number | undefined
  firstChild?: string | undefined
  estimate?: string | null | undefined
  businessValue?: string | null | undefined
  /** Score, rounded to two decimal places. */
  score?: number | undefined
  /** Keys of user stories that become children. */
  userStories?: Array<string> | undefined
  /** Keys of features that become children. */
  features?: Array<string> | undefined
}

/** Rows as objects, with the columns of a file as members. */
export type ImportedItems = Array<Record<string, unknown>>

/** An epic, a feature or a user story of any product. */
export type ListedWorkItemOfWorkspace = {
  id: number
  externalKey: string
  type: "epic" | "feature" | "userstory"
  initiativeId: number
  /** Id of the epic; 0 for none. */
  epicId: number
  /** Id of the feature; 0 for none. */
  featureId: number
  status: string
  summary: string
  color: string
  progress: string
  progressPercentage: number
  firstChild: string
  backlog: boolean
  description: string
  businessGoal: string
  persona: Array<{
    personaValue?: string | undefined
    personaId?: number | undefined
  }>
  teamId: number | null
  userId: Array<number>
  startDate: string | null
  endDate: string | null
  /** A serialized JSON array. */
  tags: string
  urls: Array<{
    url: string
  }>
  /** Further values of the item, by name. */
  attributes: Record<string, string | number | boolean>
  jiraId: string
  jiraKey: string
  externalProgress: string
  estimate: string
  businessValue: string
  storyPoint: string
  remainingTime: string
  score: number
  /** Model and inputs of the last scoring; null without a scoring. */
  scoring: {
    model: string
    inputs: Record<string, number>
    weights?: Record<string, number> | undefined
  } | null
  createdAt: string
  updatedAt: string
  productId: number
  /** External key of the product. */
  productKey: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type MoveWorkItem = {
  /** Key of the item of the same type to move before. */
  beforeKey?: string | undefined
  /** Key of the item of the same type to move after. */
  afterKey?: string | undefined
  /** Key of the new parent epic or feature; null detaches. The place in the order stays. */
  parentKey?: string | null | undefined
}

export type Place = {
  externalKey: string
  /** Id of the epic; 0 for none. */
  epicId: number
  /** Id of the feature; 0 for none. */
  featureId: number
  /** Key of the next item of the type; null for the last. */
  beforeKey: string | null
  /** Key of the previous item of the type; null for the first. */
  afterKey: string | null
}

export type ConvertWorkItem = {
  type: "epic" | "feature" | "userstory"
}

export type Converted = {
  id: number
  externalKey: string
  type: "epic" | "feature" | "userstory"
  initiativeId: number
  /** Id of the epic; 0 for none. */
  epicId: number
  /** Id of the feature; 0 for none. */
  featureId: number
  status: string
  summary: string
  color: string
  progress: string
  progressPercentage: number
  firstChild: string
  backlog: boolean
  description: string
  businessGoal: string
  persona: Array<{
    personaValue?: string | undefined
    personaId?: number | undefined
  }>
  teamId: number | null
  userId: Array<number>
  startDate: string | null
  endDate: string | null
  /** A serialized JSON array. */
  tags: string
  urls: Array<{
    url: string
  }>
  /** Further values of the item, by name. */
  attributes: Record<string, string | number | boolean>
  jiraId: string
  jiraKey: string
  externalProgress: string
  estimate: string
  businessValue: string
  storyPoint: string
  remainingTime: string
  score: number
  /** Model and inputs of the last scoring; null without a scoring. */
  scoring: {
    model: string
    inputs: Record<string, number>
    weights?: Record<string, number> | undefined
  } | null
  createdAt: string
  updatedAt: string
  features: Array<string>
  userStories: Array<string>
  /** Keys of the feedback items that were promoted or linked to the item. */
  ideas: Array<string>
  kpis: Array<string>
  files: Array<{
    file: File
  }>
  /** Former keys of the item, the oldest first. Each key still finds the item. */
  previousKeys: Array<string>
}

export type ScoreWorkItem = {
  model: "rice" | "ice" | "wsjf" | "value-effort" | "custom"
  /** rice: `reach, impact, confidence, effort` (confidence from 0 to 100 percent, or a fraction from 0 to 1: 80 and 0.8 mean the same, 1 means 100 %); ice: `impact, confidence, ease`, each from 0 to 10; wsjf: `businessValue, timeCriticality, riskReduction, jobSize`; value-effort: `value, effort`; custom: inputs of your choice. An effort or job size must be more than 0; other inputs of rice and wsjf must not be negative. */
  inputs: Record<string, number>
  /** Weights of a custom model by input; default 1. */
  weights?: Record<string, number> | undefined
}

export type Score = {
  externalKey: string
  model: "rice" | "ice" | "wsjf" | "value-effort" | "custom"
  inputs: Record<string, number>
  weights?: Record<string, number> | undefined
  /** Score, rounded to two decimal places. */
  score: number
  explanation: string
}

/** A link between two items, as seen from one item. */
export type Link = {
  id: number
  type: "blocks" | "relates" | "duplicates"
  /** `to`: the item in the path blocks or duplicates the other item; `from`: the reverse. */
  direction: "to" | "from"
  item: {
    id: number
    externalKey: string
    type: "epic" | "feature" | "userstory"
    summary: string
    progress: string
    /** External key of the product. */
    product: string
  }
  createdAt: string
}

export type CreateLink = {
  type: "blocks" | "relates" | "duplicates"
  /** Key of the other item, in any product of the workspace. */
  to: string
}

export type AddComment = {
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  text: string
  /** Private comment: only API keys with `products:read` and API keys of the author see the comment. The event log and webhooks omit the text. */
  isPrivate?: boolean | undefined
  /** Ids of users of the workspace. */
  mentions?: Array<number> | undefined
}

/** A comment on a work item. */
export type ItemComment = {
  id: number
  /** Id of the item, which stays when the item gets another type. */
  workItemId: number
  workItemKey: string
  /** Id of the comment that this comment replies to. */
  parentId: number | null
  /** HTML; empty for a removed comment. */
  text: string
  isPrivate: boolean
  mentions: Array<number>
  user: {
    id: number
    firstName: string
    lastName: string
  }
  createdAt: string
  updatedAt: string
  /** True for a removed comment. Replies stay. */
  deleted: boolean
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  externalId: string | null
}

export type ReplyToComment = {
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  text: string
  /** Private reply, as in a new comment. By default the reply is private if the other comment is. False below a private comment is a 400. */
  isPrivate?: boolean | undefined
  /** Ids of users of the workspace. */
  mentions?: Array<number> | undefined
}

export type ModifyComment = {
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  text?: string | undefined
  /** True makes the comment and the replies below it private, and takes back mail about them that waits. False makes this comment public, and mails nobody; below a private comment it is a 400. */
  isPrivate?: boolean | undefined
  /** Ids of users of the workspace. */
  mentions?: Array<number> | undefined
}

export type UpsertComment = {
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  text: string
  /** Private comment, as in a new comment. A later request can change this, and without `isPrivate` changes nothing. A comment below a private comment is private. */
  isPrivate?: boolean | undefined
  /** Author of a new comment: the user with the address; an unknown address becomes an idea-manager member. Without an address the name stands before the text, and the author is the user of the key. */
  author?: {
    email?: string | undefined
    name?: string | undefined
  } | undefined
  /** Id in `source` of the comment that a new comment replies to. An unknown id is ignored. */
  parentExternalId?: string | undefined
  /** Time of a new comment; now by default, and at most now. */
  createdAt?: string | undefined
}

export type CreateStoryMap = {
  title: string
  description?: string | null | undefined
}

export type StoryMapDetail = {
  id: number
  title: string
  /** HTML. */
  description: string | null
  createdAt: string
  updatedAt: string
  activities: Array<{
    id: number
    title: string
    color: string | null
    steps: Array<{
      id: number
      title: string
      color: string | null
      cards: Array<{
        externalKey: string
        summary: string
        progress: string
        swimlaneId: number | null
      }>
    }>
  }>
  swimlanes: Array<{
    id: number
    title: string
    versionKey: string | null
  }>
  /** Number of user stories of the product without a card on the map. */
  unplaced: number
}

/** A map of the user stories of a product. */
export type ListedStoryMap = {
  id: number
  title: string
  /** HTML. */
  description: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyStoryMap = {
  title?: string | undefined
  description?: string | null | undefined
}

/** A story map without its ids. Swimlanes are numbered from 1. */
export type StoryMapDocument = {
  title: string
  description: string | null
  activities: Array<{
    title: string
    color: string | null
    steps: Array<{
      title: string
      color: string | null
      cards: Array<{
        externalKey: string
        swimlaneId: number | null
      }>
    }>
  }>
  swimlanes: Array<{
    id: number
    title: string
    versionKey: string | null
  }>
}

export type ImportStoryMap = {
  title: string
  description?: string | null | undefined
  activities?: Array<{
    title: string
    color?: string | null | undefined
    steps?: Array<{
      title: string
      color?: string | null | undefined
      cards?: Array<{
        externalKey: string
        /** The `id` of a swimlane of the document. */
        swimlaneId?: number | null | undefined
      }> | undefined
    }> | undefined
  }> | undefined
  swimlanes?: Array<{
    /** Id that cards send as `swimlaneId`. */
    id?: number | undefined
    title: string
    /** Key of a solution version of the product. */
    versionKey?: string | null | undefined
  }> | undefined
}

export type CreateStoryMapActivity = {
  title: string
  color?: string | undefined
  /** Id of the next neighbor. Default: at the end. */
  beforeId?: number | undefined
  /** Id of the previous neighbor. */
  afterId?: number | undefined
}

export type StoryMapActivity = {
  id: number
  storyMapId: number
  title: string
  color: string | null
  /** Id of the next neighbor; null for the last. */
  beforeId: number | null
  /** Id of the previous neighbor; null for the first. */
  afterId: number | null
}

export type ModifyStoryMapActivity = {
  title?: string | undefined
  color?: string | null | undefined
  /** Id of the next neighbor. Default: the present place. */
  beforeId?: number | undefined
  /** Id of the previous neighbor. */
  afterId?: number | undefined
}

export type CreateStoryMapStep = {
  /** Id of the activity of the step. */
  activityId: number
  title: string
  color?: string | undefined
  /** Id of the next neighbor. Default: at the end. */
  beforeId?: number | undefined
  /** Id of the previous neighbor. */
  afterId?: number | undefined
}

export type StoryMapStep = {
  id: number
  storyMapId: number
  activityId: number
  title: string
  color: string | null
  /** Id of the next neighbor; null for the last. */
  beforeId: number | null
  /** Id of the previous neighbor; null for the first. */
  afterId: number | null
}

export type ModifyStoryMapStep = {
  /** Id of another activity. The step moves to its end if no place is named. */
  activityId?: number | undefined
  title?: string | undefined
  color?: string | null | undefined
  /** Id of the next neighbor. Default: the present place. */
  beforeId?: number | undefined
  /** Id of the previous neighbor. */
  afterId?: number | undefined
}

export type CreateStoryMapSwimlane = {
  title: string
  /** Key of the solution version of the swimlane. */
  versionKey?: string | undefined
  /** Id of the next neighbor. Default: at the end. */
  beforeId?: number | undefined
  /** Id of the previous neighbor. */
  afterId?: number | undefined
}

export type StoryMapSwimlane = {
  id: number
  storyMapId: number
  title: string
  versionKey: string | null
  /** Id of the next neighbor; null for the last. */
  beforeId: number | null
  /** Id of the previous neighbor; null for the first. */
  afterId: number | null
}

export type ModifyStoryMapSwimlane = {
  title?: string | undefined
  /** Key of a solution version; null for none. */
  versionKey?: string | null | undefined
  /** Id of the next neighbor. Default: the present place. */
  beforeId?: number | undefined
  /** Id of the previous neighbor. */
  afterId?: number | undefined
}

export type PlaceStoryMapCard = {
  /** Id of the step for the card. */
  stepId: number
  /** Id of the swimlane for the card; null for none. Default: the present swimlane. */
  swimlaneId?: number | null | undefined
  /** Key of the next card in the step. */
  beforeKey?: string | undefined
  /** Key of the previous card in the step. */
  afterKey?: string | undefined
}

/** A user story on a map. */
export type StoryMapCard = {
  externalKey: string
  summary: string
  progress: string
  stepId: number
  swimlaneId: number | null
  /** Key of the next card in the step; null for the last card. */
  beforeKey: string | null
  /** Key of the previous card in the step; null for the first card. */
  afterKey: string | null
}

export type CreateSolutionVersion = {
  name: string
  description?: string | null | undefined
  startDate?: string | null | undefined
  releaseDate?: string | null | undefined
  /** `planned` or `in-progress`. Separate operations release and archive a version. */
  status?: "planned" | "in-progress" | undefined
  /** External keys of epics, features and user stories of the product, each once, in order. */
  items?: Array<string> | undefined
}

export type SolutionVersionDetail = {
  id: number
  externalKey: string
  initiativeId: number
  name: string
  /** HTML. */
  description: string | null
  status: "planned" | "in-progress" | "released" | "archived"
  startDate: string | null
  /** Planned time of the release. */
  releaseDate: string | null
  /** Time of the release. */
  releasedAt: string | null
  createdAt: string
  updatedAt: string
  /** External keys of the work items. */
  items: Array<string>
  /** Mean percentage of the lowest items in or below the version, weighted by points if any item has points. An item that is done counts 100, any other item its `progressPercentage`. */
  progress: number
  /** Points of the same items; `done` counts the items that are done. */
  points: {
    total: number
    done: number
  }
  /** The items in the order of `items`, with their titles. Only when you retrieve a version with `include=itemDetails`. */
  itemDetails?: Array<{
    externalKey: string
    type: "epic" | "feature" | "userstory"
    summary: string
    progress: string
    /** Points of a story; of an epic or a feature the points below, or the estimate if no item is below. */
    points: number
  }> | undefined
}

/** A version of a product. */
export type ListedSolutionVersion = {
  id: number
  externalKey: string
  initiativeId: number
  name: string
  /** HTML. */
  description: string | null
  status: "planned" | "in-progress" | "released" | "archived"
  startDate: string | null
  /** Planned time of the release. */
  releaseDate: string | null
  /** Time of the release. */
  releasedAt: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifySolutionVersion = {
  name?: string | undefined
  description?: string | null | undefined
  startDate?: string | null | undefined
  releaseDate?: string | null | undefined
  /** `planned` or `in-progress`. Separate operations release and archive a version. */
  status?: "planned" | "in-progress" | undefined
  /** External keys, which replace the present items. */
  items?: Array<string> | undefined
}

/** Number of people who would get a mail about a release, and of the followers without mail. */
export type ReleaseAudience = {
  /** Number of people who get a mail about the release, unless `notify` is `none`. */
  recipients: number
  /** Number of people who follow an idea of the release, each counted once, without you. */
  followers: number
  /** Number of followers who chose no mail about releases. */
  stopped: number
  /** Number of other followers with a suppressed address. */
  suppressed: number
  /** Number of ideas that are linked to an item of the version, or to an item below. */
  ideas: number
  /** False if there may be more recipients: the service looks at 5,000 items, 500 ideas, and 1,000 pairs of an idea and a follower. */
  isComplete: boolean
}

export type ReleaseSolutionVersion = {
  /** `true` releases the version with its open items. */
  force?: boolean | undefined
  /** When the voters get a mail: `later` (default), `now`, or `none`, which mails nobody. */
  notify?: "later" | "now" | "none" | undefined
  /** `true` drafts a changelog entry with the name of the version and a list of its ideas and items, 200 of each. Needs the scope `feedback:write`. */
  draftChangelog?: boolean | undefined
}

export type DuplicateSolutionVersion = {
  /** Name of the copy. */
  name: string
}

export type CreateTag = {
  /** Name of the tag. The slug is made from the name, and is unique in the product. */
  name: string
  color?: string | undefined
}

/** A tag of a product. */
export type Tag = {
  id: number
  name: string
  slug: string
  color: string | null
  /** Number of ideas with the tag and of work items with the tag in `tags`. */
  usageCount: number
  createdAt: string
  updatedAt: string
}

/** A tag of a product. */
export type ListedTag = {
  id: number
  name: string
  slug: string
  color: string | null
  /** Number of ideas with the tag and of work items with the tag in `tags`. */
  usageCount: number
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyTag = {
  /** Name of the tag. The slug is made from the name, and is unique in the product. */
  name?: string | undefined
  color?: string | null | undefined
}

export type MergeTag = {
  /** Id of another tag of the product, which stays. */
  into: number
}

export type CreateFeedbackItem = {
  title: string
  /** External key of the product. */
  product: string
  type?: "idea" | "issue" | undefined
  /** Id of a category; 0 or null for none. */
  category_id?: number | null | undefined
  target_audience?: string | undefined
  value_proposition?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  long_description?: string | undefined
  /** Names of tags; a new name becomes a product tag. */
  tags?: Array<string> | undefined
  /** Names of the collections of the item. */
  collections?: Array<string> | undefined
  /** Ids of uploaded PNG, JPEG, GIF, WebP or AVIF files, in their order. */
  cover_photos?: Array<number> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  /** Hides the author from everybody. */
  is_anonymous?: boolean | undefined
  /** Author of the item. A known user stays unchanged; an unknown address becomes an idea-manager member. Default: the user of the key. */
  user?: {
    email: string
    name?: string | undefined
  } | undefined
  /** Id of a feedback status. */
  status_id?: number | null | undefined
  is_pinned?: boolean | null | undefined
  /** `false` closes voting. Otherwise the voting window and the status decide. */
  is_voting_open?: boolean | null | undefined
  /** Votes before this time are refused. */
  voting_start_time?: string | null | undefined
  /** Votes after this time are refused. */
  voting_end_time?: string | null | undefined
  /** Decision of the moderation about a new item. Default: `pending` if the workspace moderates ideas, otherwise null. */
  visibility_level?: "pending" | "approved" | "rejected" | null | undefined
  /** Name of another system, in lowercase. Belongs to the id. */
  source?: string | null | undefined
  /** Id of the item in `source`, unique in the product. */
  external_id?: string | null | undefined
}

/** An idea or an issue. */
export type FeedbackItem = {
  id: number
  type: "idea" | "issue"
  slug: string
  external_key: string
  title: string
  target_audience: string
  value_proposition: string
  /** Id of the category, or 0. */
  category_id: number
  short_description: null
  /** HTML. */
  long_description: string
  video_url: null
  icon_url: null
  /** Further values of the item, by name. */
  attributes: Record<string, string | number | boolean>
  /** Comma-separated download paths of the cover photos, below the address of this service. */
  cover_photo_url: string
  /** Ids of the cover photos. */
  cover_photos: Array<number>
  /** `pending`, `approved` or `rejected`; null for an item that was created without moderation. A rejected item accepts no votes and no comments. */
  visibility_level: string | null
  /** Null until a value is set. */
  is_voting_open: boolean | null
  voting_start_time: string | null
  voting_end_time: string | null
  product_id: number
  /** `true` for a pinned item. */
  is_pinned: true | null
  /** `true` if the author is hidden. */
  is_anonymous: true | null
  /** Null without a status. */
  status_id: number | null
  /** Id of the author; 0 if hidden. */
  user_id: number
  created_at: string
  updated_at: string
  /** Number of votes for the item. */
  vote: number
  /** Number of public comments. */
  comment: number
  /** 1 if the user of the key has voted, else 0. */
  haveIVoted: number
  /** Id of the work item made from the item. */
  work_item_internal_id: number | null
  /** Key of the work item, like EP-1. */
  work_item_external_id: string | null
  /** Type of the work item; `active` without a work item. */
  work_item_type: string
  /** Name of the status. */
  currentStatus: string | null
  category: {
    id: number
    name: string
    description: string | null
    slug: string
  }
  /** User ids of voters for the item, newest first, at most 50. */
  votes: Array<string>
  /** Public comments, newest first, at most 50, with at most 40,000 characters together. */
  comments: Array<string>
  user: {
    firstName: string
    lastName: string
    email: string
  }
  tags: Array<{
    id: number
    key: string
    slug: string
  }>
  collections: Array<string>
  /** Status updates, newest first, at most 5. */
  status_updates: Array<ShownStatusUpdate>
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  external_id: string | null
}

/** A status update, as a feedback item shows it. */
export type ShownStatusUpdate = {
  id: number
  status: string
  message: string | null
  created_at: string
}

/** An idea or an issue. */
export type ListedFeedbackItem = {
  id: number
  type: "idea" | "issue"
  slug: string
  external_key: string
  title: string
  target_audience: string
  value_proposition: string
  /** Id of the category, or 0. */
  category_id: number
  short_description: null
  /** HTML. */
  long_description: string
  video_url: null
  icon_url: null
  /** Further values of the item, by name. */
  attributes: Record<string, string | number | boolean>
  /** Comma-separated download paths of the cover photos, below the address of this service. */
  cover_photo_url: string
  /** Ids of the cover photos. */
  cover_photos: Array<number>
  /** `pending`, `approved` or `rejected`; null for an item that was created without moderation. A rejected item accepts no votes and no comments. */
  visibility_level: string | null
  /** Null until a value is set. */
  is_voting_open: boolean | null
  voting_start_time: string | null
  voting_end_time: string | null
  product_id: number
  /** `true` for a pinned item. */
  is_pinned: true | null
  /** `true` if the author is hidden. */
  is_anonymous: true | null
  /** Null without a status. */
  status_id: number | null
  /** Id of the author; 0 if hidden. */
  user_id: number
  created_at: string
  updated_at: string
  /** Number of votes for the item. */
  vote: number
  /** Number of public comments. */
  comment: number
  /** 1 if the user of the key has voted, else 0. */
  haveIVoted: number
  /** Id of the work item made from the item. */
  work_item_internal_id: number | null
  /** Key of the work item, like EP-1. */
  work_item_external_id: string | null
  /** Type of the work item; `active` without a work item. */
  work_item_type: string
  /** Name of the status. */
  currentStatus: string | null
  category: {
    id: number
    name: string
    description: string | null
    slug: string
  }
  /** User ids of voters for the item, newest first, at most 50. */
  votes: Array<string>
  /** Public comments, newest first, at most 50, with at most 40,000 characters together. */
  comments: Array<string>
  user: {
    firstName: string
    lastName: string
    email: string
  }
  tags: Array<{
    id: number
    key: string
    slug: string
  }>
  collections: Array<string>
  /** Status updates, newest first, at most 5. */
  status_updates: Array<ShownStatusUpdate>
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  external_id: string | null
  /** Time of the removal, with `removed=include` or `only`. */
  deleted_at?: string | null | undefined
}

/** An item that is similar to another item. */
export type SimilarFeedbackItem = {
  id: number
  type: "idea" | "issue"
  slug: string
  external_key: string
  title: string
  target_audience: string
  value_proposition: string
  /** Id of the category, or 0. */
  category_id: number
  short_description: null
  /** HTML. */
  long_description: string
  video_url: null
  icon_url: null
  /** Further values of the item, by name. */
  attributes: Record<string, string | number | boolean>
  /** Comma-separated download paths of the cover photos, below the address of this service. */
  cover_photo_url: string
  /** Ids of the cover photos. */
  cover_photos: Array<number>
  /** `pending`, `approved` or `rejected`; null for an item that was created without moderation. A rejected item accepts no votes and no comments. */
  visibility_level: string | null
  /** Null until a value is set. */
  is_voting_open: boolean | null
  voting_start_time: string | null
  voting_end_time: string | null
  product_id: number
  /** `true` for a pinned item. */
  is_pinned: true | null
  /** `true` if the author is hidden. */
  is_anonymous: true | null
  /** Null without a status. */
  status_id: number | null
  /** Id of the author; 0 if hidden. */
  user_id: number
  created_at: string
  updated_at: string
  /** Number of votes for the item. */
  vote: number
  /** Number of public comments. */
  comment: number
  /** 1 if the user of the key has voted, else 0. */
  haveIVoted: number
  /** Id of the work item made from the item. */
  work_item_internal_id: number | null
  /** Key of the work item, like EP-1. */
  work_item_external_id: string | null
  /** Type of the work item; `active` without a work item. */
  work_item_type: string
  /** Name of the status. */
  currentStatus: string | null
  category: {
    id: number
    name: string
    description: string | null
    slug: string
  }
  /** User ids of voters for the item, newest first, at most 50. */
  votes: Array<string>
  /** Public comments, newest first, at most 50, with at most 40,000 characters together. */
  comments: Array<string>
  user: {
    firstName: string
    lastName: string
    email: string
  }
  tags: Array<{
    id: number
    key: string
    slug: string
  }>
  collections: Array<string>
  /** Status updates, newest first, at most 5. */
  status_updates: Array<ShownStatusUpdate>
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  external_id: string | null
  /** Voters for this item who have no vote on the item of the request, among the newest 500 voters: a merge would add their votes. */
  new_voters: number
}

export type ModifyFeedbackItem = {
  /** A new title does not change the slug. */
  title?: string | undefined
  /** New slug. Former slugs still find the item. */
  slug?: string | undefined
  type?: "idea" | "issue" | undefined
  /** Id of a category; 0 or null for none. */
  category_id?: number | null | undefined
  target_audience?: string | undefined
  value_proposition?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  long_description?: string | undefined
  /** Replaces all tags of the item; a new name becomes a product tag. */
  tags?: Array<string> | undefined
  /** Names of the collections of the item. */
  collections?: Array<string> | undefined
  /** Ids of uploaded PNG, JPEG, GIF, WebP or AVIF files, in their order. */
  cover_photos?: Array<number> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  /** Hides the author from everybody. Earlier events of the item no longer name the author or the actor. Only a key of the author can show the author again. */
  is_anonymous?: boolean | null | undefined
  /** Id of a feedback status. */
  status_id?: number | null | undefined
  is_pinned?: boolean | null | undefined
  /** `false` closes voting. Otherwise the voting window and the status decide. */
  is_voting_open?: boolean | null | undefined
  /** Votes before this time are refused. */
  voting_start_time?: string | null | undefined
  /** Votes after this time are refused. */
  voting_end_time?: string | null | undefined
  /** Decision of the moderation; null for an item without moderation. */
  visibility_level?: "pending" | "approved" | "rejected" | null | undefined
  /** When the people who follow the item get a mail about a new status: `later` (default), `now`, or `none`, which mails nobody. */
  notify?: "later" | "now" | "none" | undefined
  /** Name of another system, in lowercase. Belongs to the id. */
  source?: string | null | undefined
  /** Id of the item in `source`, unique in the product. */
  external_id?: string | null | undefined
}

export type UpsertFeedbackItem = {
  /** A new title does not change the slug. */
  title: string
  type?: "idea" | "issue" | undefined
  /** Id of a category; 0 or null for none. */
  category_id?: number | null | undefined
  target_audience?: string | undefined
  value_proposition?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  long_description?: string | undefined
  /** Names of tags; a new name becomes a product tag. */
  tags?: Array<string> | undefined
  /** Names of the collections of the item. */
  collections?: Array<string> | undefined
  /** Ids of uploaded PNG, JPEG, GIF, WebP or AVIF files, in their order. */
  cover_photos?: Array<number> | undefined
  /** Further values of the item by name: texts, numbers, true or false. Replaces all present attributes. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  /** Hides the author from everybody. */
  is_anonymous?: boolean | undefined
  /** Author of the item. A known user stays unchanged; an unknown address becomes an idea-manager member. Default: the user of the key. */
  user?: {
    email: string
    name?: string | undefined
  } | undefined
  /** Id of a feedback status. */
  status_id?: number | null | undefined
  is_pinned?: boolean | null | undefined
  /** `false` closes voting. Otherwise the voting window and the status decide. */
  is_voting_open?: boolean | null | undefined
  /** Votes before this time are refused. */
  voting_start_time?: string | null | undefined
  /** Votes after this time are refused. */
  voting_end_time?: string | null | undefined
  /** Decision of the moderation. A new item without one is `pending` if the workspace moderates ideas. */
  visibility_level?: "pending" | "approved" | "rejected" | null | undefined
  /** When the people who follow the item get a mail about a new status: `later` (default), `now`, or `none`, which mails nobody. */
  notify?: "later" | "now" | "none" | undefined
}

export type CastVote = {
  /** `none` takes the vote back. */
  type: "up" | "down" | "none"
  /** Address of the voter. An unknown address becomes an idea-manager member without an invitation. Default: the user of the key. */
  email?: string | undefined
}

/** A vote, and the new counts of the item. */
export type Vote = {
  externalKey: string
  /** Number of votes for the item. */
  vote: number
  /** Number of votes against the item. */
  downVote: number
  /** 1 if the user of the key has a vote, else 0. */
  haveIVoted: number
  /** The current vote. */
  type: "up" | "down" | "none"
}

/** A user who has voted on an item. */
export type Voter = {
  userId: number
  /** Empty for a removed user. */
  email: string
  type: "up" | "down"
  createdAt: string
}

/** A vote on a feedback item of any product. */
export type VoteOfWorkspace = {
  feedbackKey: string
  userId: number
  type: "up" | "down"
  createdAt: string
}

export type BulkCreateFeedback = Array<CreateFeedbackItem>

export type BulkFeedback = Array<{
  op: "update" | "delete" | "merge"
  /** External key of the item. */
  externalKey: string
  /** Body of the modify operation, or `{into}` of a merge. */
  body?: Record<string, unknown> | undefined
}>

/** Rows as objects, with the columns of a file as members. */
export type ImportedFeedback = Array<Record<string, unknown>>

export type MergeFeedbackItem = {
  /** Key of the item that stays. */
  into: string
}

/** An item that was merged into another item. */
export type MergedFeedbackItem = {
  id: number
  external_key: string
  title: string
  /** Number of votes for the item itself. */
  vote: number
  created_at: string
}

export type PromoteFeedbackItem = {
  /** Type of the new work item. */
  type?: "epic" | "feature" | "userstory" | undefined
  /** Key of an existing work item of the same product. */
  into?: string | undefined
}

export type LinkFeedbackItem = {
  /** Key of a work item of the same product. */
  workItem: string
}

export type CreateStatusUpdate = {
  /** Name or id of a feedback status. */
  status: number | string
  /** Plain text for the people who follow the item. */
  message?: string | null | undefined
  /** When the people who follow the item get a mail. */
  notify?: "later" | "now" | "none" | undefined
}

/** An update on the status of a feedback item. */
export type StatusUpdate = {
  id: number
  /** Name of the status at the time of the update. */
  status: string
  /** Plain text. */
  message: string | null
  notify: "later" | "now" | "none"
  user: {
    id: number
    firstName: string
    lastName: string
  }
  createdAt: string
}

/** Recipients of a status update, and the number of followers without mail. */
export type StatusUpdateAudience = {
  /** Number of people who get a mail about a status update, unless `notify` is `none`. */
  recipients: number
  /** Number of people who follow the item, without you. */
  followers: number
  /** Number of followers who chose no mail about a new status. */
  stopped: number
  /** Number of other followers with a suppressed address. */
  suppressed: number
  /** The first 20 people who get a mail, in the order of their ids. */
  people: Array<{
    id: number
    firstName: string
    lastName: string
    email: string | null
  }>
  /** False if the item has more followers: only the first 2,000 are counted. */
  isComplete: boolean
  /** Recipient of a public comment of yours on the item without mentions. */
  reply: {
    /** Author of the item, who gets a mail about the comment. */
    author: {
      id: number
      firstName: string
      lastName: string
      email: string | null
    } | null
    /** Reason for which nobody gets a mail: your user is not of the team, the item is anonymous or your own, or the author was removed, left the item, stopped mail about replies, or has a suppressed address. */
    nobodyBecause: "notOfTeam" | "anonymous" | "own" | "removed" | "left" | "stopped" | "suppressed" | null
  }
}

export type Subscribe = {
  /** Address of the person to subscribe, which needs the scope `segments:write`. An unknown address becomes an idea-manager member, who is not invited. Default: the user of the key. */
  email?: string | undefined
}

/** The subscription of a person to a feedback item. */
export type Subscription = {
  externalKey: string
  /** True if the person gets a mail when the status changes. */
  subscribed: boolean
}

/** A comment on a feedback item. */
export type FeedbackComment = {
  id: number
  feedbackKey: string
  /** Id of the comment that this comment replies to. */
  parentId: number | null
  /** HTML; empty for a removed comment. */
  text: string
  isPrivate: boolean
  mentions: Array<number>
  user: {
    id: number
    firstName: string
    lastName: string
  }
  createdAt: string
  updatedAt: string
  /** True for a removed comment. Replies stay. */
  deleted: boolean
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  externalId: string | null
}

export type CreateFeedbackCategory = {
  /** The slug is made from the name. No two categories of the workspace have the same slug. */
  name: string
  description?: string | undefined
}

/** A category of feedback items in the workspace. */
export type FeedbackCategory = {
  id: number
  name: string
  description: string | null
  slug: string
  createdAt: string
  updatedAt: string
}

/** A category of feedback items in the workspace. */
export type ListedFeedbackCategory = {
  id: number
  name: string
  description: string | null
  slug: string
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyFeedbackCategory = {
  /** The slug is made from the name. No two categories of the workspace have the same slug. */
  name?: string | undefined
  description?: string | null | undefined
}

export type MergeFeedbackCategory = {
  /** Id of the category that stays. */
  into: number
}

export type CreateFeedbackStatus = {
  /** The slug is made from the name. No two statuses of the workspace have the same slug. */
  name: string
  color?: string | undefined
  /** Default: after all other statuses. */
  order?: number | undefined
  /** Items with this status accept no votes. */
  endsVoting?: boolean | undefined
  /** An item with a work item gets the first status (by `order`) with the progress of its work item. */
  progress?: "to-do" | "in-progress" | "done" | null | undefined
}

/** A status of feedback items in the workspace. */
export type FeedbackStatus = {
  id: number
  name: string
  slug: string
  color: string | null
  order: number
  endsVoting: boolean
  /** Progress of a work item that sets this status. */
  progress: string | null
  createdAt: string
  updatedAt: string
}

/** A status of feedback items in the workspace. */
export type ListedFeedbackStatus = {
  id: number
  name: string
  slug: string
  color: string | null
  order: number
  endsVoting: boolean
  /** Progress of a work item that sets this status. */
  progress: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyFeedbackStatus = {
  /** The slug is made from the name. No two statuses of the workspace have the same slug. */
  name?: string | undefined
  color?: string | null | undefined
  order?: number | undefined
  /** Items with this status accept no votes. */
  endsVoting?: boolean | undefined
  /** An item with a work item gets the first status (by `order`) with the progress of its work item. */
  progress?: "to-do" | "in-progress" | "done" | null | undefined
}

export type CreateChangelogEntry = {
  title: string
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  content?: string | undefined
  labels?: Array<string> | undefined
  /** Id of an uploaded PNG, JPEG, GIF, WebP or AVIF file; null for no cover. */
  cover?: number | null | undefined
  /** External key of the product. Default: all products. */
  product?: string | undefined
  /** Keys of the ideas that the entry is about. */
  ideas?: Array<string> | undefined
  /** Keys of the solution versions that the entry is about. */
  versions?: Array<string> | undefined
  /** The service publishes the entry at this time, to the minute. Without a time the entry is a draft. */
  publishAt?: string | null | undefined
  /** `published` publishes the entry at once, with mail to the followers. Default: `scheduled` with `publishAt`, otherwise `draft`. */
  status?: "draft" | "scheduled" | "published" | undefined
  /** When the followers of the changelog get a mail about the publication: `later` (default) with their other news, `now`, or `none`. */
  notify?: "later" | "now" | "none" | undefined
}

export type ChangelogEntryDetail = {
  id: number
  externalKey: string
  title: string
  /** HTML. */
  content: string
  labels: Array<string>
  /** Id of the image. */
  cover: number | null
  /** External key of the product; null means all products. */
  product: string | null
  status: "draft" | "scheduled" | "published"
  notify: "later" | "now" | "none"
  /** Time of the publication of a scheduled entry. */
  publishAt: string | null
  /** Time of the publication of a published entry. */
  publishedAt: string | null
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  externalId: string | null
  createdAt: string
  updatedAt: string
  /** Keys of the linked ideas. A key that is limited to products sees only links to records of its products. */
  ideas: Array<string>
  /** Keys of the linked solution versions. A key that is limited to products sees only links to records of its products. */
  versions: Array<string>
}

/** Entry of the changelog. */
export type ListedChangelogEntry = {
  id: number
  externalKey: string
  title: string
  /** HTML. */
  content: string
  labels: Array<string>
  /** Id of the image. */
  cover: number | null
  /** External key of the product; null means all products. */
  product: string | null
  status: "draft" | "scheduled" | "published"
  notify: "later" | "now" | "none"
  /** Time of the publication of a scheduled entry. */
  publishAt: string | null
  /** Time of the publication of a published entry. */
  publishedAt: string | null
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  externalId: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

/** Rows as objects, with the columns of a file as members. */
export type ImportedChangelog = Array<Record<string, unknown>>

export type FollowChangelog = {
  /** Address of the person who follows, which needs the scope `segments:write`. An unknown address becomes an idea-manager member, who is not invited. Default: the user of the key. */
  email?: string | undefined
}

/** The subscription of a person to the changelog. */
export type ChangelogSubscription = {
  /** True if the person gets a mail about published entries. */
  subscribed: boolean
}

export type ModifyChangelogEntry = {
  title?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  content?: string | undefined
  /** Replaces all labels. */
  labels?: Array<string> | undefined
  /** Id of an uploaded PNG, JPEG, GIF, WebP or AVIF file; null for no cover. */
  cover?: number | null | undefined
  /** External key of the new product; null means all products. */
  product?: string | null | undefined
  /** Keys of ideas, which replace the present ones. */
  ideas?: Array<string> | undefined
  /** Keys of solution versions, which replace the present ones. */
  versions?: Array<string> | undefined
  /** Schedules the entry, or makes a scheduled entry a draft if null. A time for a published entry is a 409; null leaves it. */
  publishAt?: string | null | undefined
  /** `published` publishes the entry at once, as `POST …/publish` does; `draft` takes a published or a scheduled entry back. `scheduled` needs a time. */
  status?: "draft" | "scheduled" | "published" | undefined
  /** When the followers of the changelog get a mail about the publication: `later` (default) with their other news, `now`, or `none`. */
  notify?: "later" | "now" | "none" | undefined
}

export type PublishChangelogEntry = {
  /** When the followers of the changelog get a mail: `later` with their other news, `now`, or `none`. Default: the choice of the entry. */
  notify?: "later" | "now" | "none" | undefined
}

export type SearchResult = {
  type: "epic" | "feature" | "userstory" | "feedback" | "persona" | "kpi" | "document" | "changelog_entry"
  externalKey: string
  title: string
  /** Plain text around the first match in the text of the record; the beginning of the text if only the title matches. At most 240 characters. */
  snippet: string
  /** External key of the product; null for a record of all products. */
  product: string | null
  /** Quality of the match: 1 for the best record, less for the others. */
  score: number
}

export type CreateSegment = {
  /** Unique among the segments of the workspace. */
  name: string
  description?: string | undefined
  color?: string | undefined
  type?: "manual" | "dynamic" | undefined
  /** Rules that select the members; required for a dynamic segment. */
  rules?: Rules | null | undefined
  /** Whether people who join get the mail of the segment only after confirming by a link in a mail. Only for manual segments. By default false. */
  doubleOptIn?: boolean | undefined
}

/** Rules that select the members of a dynamic segment. Comparisons of text ignore case. An empty or missing attribute is not set: the attribute equals no value, and `ne`, `not_contains` and `not_in` hold. Text in `attributes.<name>` is read as a number to compare with a number, and as an ISO 8601 date for `within_days` and for dates after `gt`, `gte`, `lt` and `lte`. The value of `within_days` is a number of days up to now. `voteCount` and `commentCount` are the numbers of votes and public comments of a member, and `lastActivityAt` is the time of the latest vote, public comment or idea under the name of the member. Rules have a budget: the members of the workspace times the steps of the rules is at most 1,250,000, with at most 200 steps. A condition is a step. Each 16 characters of an attribute's name, each 100 values of a list, each different letter outside a to z, and each 40 bytes of a text to find add a step. Rules that exceed the budget are a 400. */
export type Rules = {
  /** Whether a member must meet all conditions or any condition. */
  match: "all" | "any"
  conditions: Array<Condition>
}

export type Condition = {
  /** email, firstName, lastName, role, createdAt, invitation.status, voteCount, commentCount, lastActivityAt, or `attributes.<name>` for a custom attribute. */
  attribute: string
  operator: "eq" | "ne" | "contains" | "not_contains" | "starts_with" | "gt" | "gte" | "lt" | "lte" | "in" | "not_in" | "is_set" | "is_not_set" | "within_days"
  /** Value to compare with: an array for `in` and `not_in`, nothing for `is_set` and `is_not_set`. */
  value?: string | number | boolean | Array<string | number | boolean> | null | undefined
}

/** A segment of idea-manager members. */
export type Segment = {
  id: number
  name: string
  description: string | null
  color: string | null
  /** `manual`: you add and remove the members; `dynamic`: rules select the members. */
  type: "manual" | "dynamic"
  rules: SegmentRules | null
  /** Whether people who join get the mail of the segment only after confirming by a link in a mail. */
  doubleOptIn: boolean
  /** Number of members: exact for a manual segment, the last count for a dynamic segment. */
  userCount: number
  /** Time when the count of a dynamic segment last changed. Each create, retrieval, mailing and change of the rules counts the members. */
  countedAt: string | null
  createdAt: string
  updatedAt: string
}

/** Rules of a dynamic segment, as sent. */
export type SegmentRules = {
  match: string
  conditions: Array<{
    attribute: string
    operator: string
    value?: string | number | boolean | Array<string | number | boolean> | null | undefined
  }>
}

/** A segment of idea-manager members. */
export type ListedSegment = {
  id: number
  name: string
  description: string | null
  color: string | null
  /** `manual`: you add and remove the members; `dynamic`: rules select the members. */
  type: "manual" | "dynamic"
  rules: SegmentRules | null
  /** Whether people who join get the mail of the segment only after confirming by a link in a mail. */
  doubleOptIn: boolean
  /** Number of members: exact for a manual segment, the last count for a dynamic segment. */
  userCount: number
  /** Time when the count of a dynamic segment last changed. Each create, retrieval, mailing and change of the rules counts the members. */
  countedAt: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type SegmentWithUsers = {
  id: number
  name: string
  description: string | null
  color: string | null
  /** `manual`: you add and remove the members; `dynamic`: rules select the members. */
  type: "manual" | "dynamic"
  rules: SegmentRules | null
  /** Whether people who join get the mail of the segment only after confirming by a link in a mail. */
  doubleOptIn: boolean
  /** Number of members: exact for a manual segment, the last count for a dynamic segment. */
  userCount: number
  /** Time when the count of a dynamic segment last changed. Each create, retrieval, mailing and change of the rules counts the members. */
  countedAt: string | null
  createdAt: string
  updatedAt: string
  /** Members of the segment, newest first: at most 100, and fewer if their attributes are long. */
  users: Array<Member>
}

/** A person of the workspace, in the idea manager. */
export type Member = {
  id: number
  email: string
  firstName: string
  lastName: string
  role: "owner" | "admin" | "member" | "viewer" | "idm_member"
  /** Attributes of the person, by name. */
  attributes: Record<string, string | number | boolean>
  /** Ids of the manual segments of the person. */
  segmentIds: Array<number>
  /** Invitation of the person; null for a person who was never invited. */
  invitation: {
    status: "pending" | "accepted" | "expired" | "canceled"
    sentAt: string
    expiresAt: string
    resendCount: number
  } | null
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  externalId: string | null
  createdAt: string
  updatedAt: string
}

export type FoundSegment = {
  id: number
  name: string
  description: string | null
  color: string | null
  /** `manual`: you add and remove the members; `dynamic`: rules select the members. */
  type: "manual" | "dynamic"
  rules: SegmentRules | null
  /** Whether people who join get the mail of the segment only after confirming by a link in a mail. */
  doubleOptIn: boolean
  /** Number of members: exact for a manual segment, the last count for a dynamic segment. */
  userCount: number
  /** Time when the count of a dynamic segment last changed. Each create, retrieval, mailing and change of the rules counts the members. */
  countedAt: string | null
  createdAt: string
  updatedAt: string
  /** Members of the segment, newest first: at most 100, and fewer if their attributes are long. */
  users?: Array<Member> | undefined
}

export type ModifySegment = {
  /** Unique among the segments of the workspace. */
  name?: string | undefined
  description?: string | null | undefined
  color?: string | null | undefined
  /** Present type of the segment; another type is a 409. */
  type?: "manual" | "dynamic" | undefined
  /** Rules of a dynamic segment; a change counts the members again. */
  rules?: Rules | null | undefined
  /** Whether people who join get the mail of the segment only after confirming by a link in a mail. People who are members already need no confirmation. */
  doubleOptIn?: boolean | undefined
}

export type PreviewSegment = {
  rules: Rules
}

export type SegmentPreview = {
  /** Number of members that the rules select now. */
  userCount: number
  /** Number of people without the attribute of each condition, in the order of the request: for them `ne`, `not_contains` and `not_in` hold. Null for any other operator. */
  unsetCounts: Array<number | null>
  /** Members of the segment, newest first: at most 100, and fewer if their attributes are long. */
  users: Array<Member>
}

export type CreateUsers = Array<{
  name: string
  email: string
}>

export type UsersAdded = {
  /** Results of the submitted users, in the same order. */
  inviteResults: Array<{
    success: boolean
    /** Reason why the user was not added or invited. */
    message?: string | undefined
    user: SegmentUser
  }>
  /** Number of members of the segment afterwards. */
  segmentCount: number
}

export type SegmentUser = {
  /** Id of the user, or 0 if no user was added or found. */
  id: number
  email: string
  role: string
  firstName: string
  createdAt: string
  updatedAt: string
}

export type BulkCreateUsers = Array<{
  /** First name, unless you send `firstName`. */
  name?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  email: string
  /** Attributes to merge with the present attributes; null clears an attribute. */
  attributes?: Record<string, string | number | boolean | null> | undefined
}>

export type ManageSegmentUsers = {
  action: "move" | "remove"
  userIds: Array<number>
  fromSegmentId: number
  /** Id of the target segment for `move`. */
  toSegmentId?: number | null | undefined
}

export type UsersManaged = {
  /** Number of users who left the segment. */
  changed: number
  /** Number of members of the first segment afterwards. */
  fromSegmentCount: number
  /** Number of members of the target segment afterwards; null without a target. */
  toSegmentCount: number | null
}

/** Confirmation of a member of a segment with double opt-in. */
export type SegmentConfirmation = {
  /** Id of the member. */
  userId: number
  email: string
  /** `pending`: the member gets no mail of the segment until the member confirms. */
  status: "pending" | "confirmed"
  /** Time of the last mail that asked. Null before the first mail, and for a suppressed address. */
  askedAt: string | null
  confirmedAt: string | null
}

export type RequestSegmentConfirmations = {
  userIds: Array<number>
}

export type ConfirmationsRequested = {
  /** Number of members who get the mail again. */
  requested: number
}

/** Rows as objects, with the columns of a file as members. */
export type ImportedPeople = Array<Record<string, unknown>>

export type SendEmail = {
  subject: string
  /** HTML body of the message; scripts are removed. */
  html: string
  /** Plain text of the message; by default made from the HTML. */
  text?: string | undefined
  /** Address for replies; by default the sender. */
  replyTo?: string | undefined
  /** Time to send the message, within a year; by default at once. */
  scheduledAt?: string | undefined
}

/** A recipient. */
export type Addressee = {
  email: string
}

export type PreviewEmail = {
  subject?: string | undefined
  /** HTML body of the message; scripts are removed. */
  html?: string | undefined
  /** Plain text of the message; by default made from the HTML. */
  text?: string | undefined
  /** Address for replies; by default the sender. */
  replyTo?: string | undefined
  /** Id of the member to render the message for; by default the first recipient. */
  userId?: number | undefined
}

/** Recipients of a mailing before it is sent, and the message of a member. */
export type EmailPreview = {
  /** Number of members who would get the mail now. */
  recipients: number
  /** Numbers of members who would get no mail, by reason. */
  skipped: {
    unsubscribe: number
    hard_bounce: number
    complaint: number
    manual: number
    unconfirmed: number
  }
  /** The first 100 members who would get no mail; empty if the key may not read people. */
  skippedMembers: Array<SkippedMember>
  /** Numbers of recipients without a first name, and without a last name. */
  withoutName: {
    firstName: number
    lastName: number
  }
  /** Recipients whose row in an imported file says that they get no mail: they unsubscribed, bounced, complained or gave no consent elsewhere. Import their addresses as suppressions (`POST /api/v2/suppressions/import`). */
  refusedElsewhere: {
    /** Number of these recipients. */
    people: number
    /** The newest 20 imports. A person can be in several. */
    imports: Array<{
      importId: number
      /** Name of the file. */
      file: string
      /** Columns that the import did not take over; empty if the name of the file says it. */
      columns: Array<string>
      /** Number of recipients whose row says it. */
      people: number
    }>
  }
  /** False if the segment has more members: only the first 20,000 are counted. */
  isComplete: boolean
  /** The member of the rendered message; null without a recipient. */
  member: {
    userId: number
    email: string
    /** Reason why this member gets no mail; otherwise null. */
    skipReason: "unsubscribe" | "hard_bounce" | "complaint" | "manual" | "unconfirmed" | null
  } | null
  /** The message as it arrives, with a link without effect to unsubscribe. Null without a member, a subject or HTML. */
  message: {
    from: string
    to: string
    subject: string
    html: string
    text: string
    replyTo?: string | undefined
    headers: Record<string, string>
  } | null
}

/** A member who gets no mail of the segment. */
export type SkippedMember = {
  userId: number
  email: string
  /** Reason of the suppression, or `unconfirmed` for a member who has not confirmed the segment (`doubleOptIn`). */
  reason: "unsubscribe" | "hard_bounce" | "complaint" | "manual" | "unconfirmed"
}

export type EmailMembers = {
  subject: string
  /** HTML body of the message; scripts are removed. */
  html: string
  /** Plain text of the message; by default made from the HTML. */
  text?: string | undefined
  /** Address for replies; by default the sender. */
  replyTo?: string | undefined
  /** Time to send the message, within a year; by default at once. */
  scheduledAt?: string | undefined
  /** Ids of members. */
  userIds?: Array<number> | undefined
  /** Addresses of members, instead of `userIds`. */
  emails?: Array<string> | undefined
}

export type CreateMember = {
  /** Unique among the people of the workspace. */
  email: string
  /** First name, unless you send `firstName`. */
  name?: string | "" | undefined
  firstName?: string | "" | undefined
  lastName?: string | "" | undefined
  /** Role of the member. Assign the role `owner` under users. */
  role?: "idm_member" | "viewer" | "member" | "admin" | undefined
  /** Attributes of the person, by name. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  /** Ids of manual segments to join. */
  segmentIds?: Array<number> | undefined
  /** Name of another system, in lowercase. Belongs to the id. */
  source?: string | null | undefined
  /** Id of the person in `source`, unique in the workspace. */
  externalId?: string | null | undefined
}

/** A person of the workspace, in the idea manager. */
export type ListedMember = {
  id: number
  email: string
  firstName: string
  lastName: string
  role: "owner" | "admin" | "member" | "viewer" | "idm_member"
  /** Attributes of the person, by name. */
  attributes: Record<string, string | number | boolean>
  /** Ids of the manual segments of the person. */
  segmentIds: Array<number>
  /** Invitation of the person; null for a person who was never invited. */
  invitation: {
    status: "pending" | "accepted" | "expired" | "canceled"
    sentAt: string
    expiresAt: string
    resendCount: number
  } | null
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  externalId: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyMember = {
  /** New address. Suppressions of the present address apply to the new one, too. */
  email?: string | undefined
  firstName?: string | "" | undefined
  lastName?: string | "" | undefined
  /** Attributes to merge with the present attributes; null clears an attribute. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
  /** Name of another system, in lowercase. Belongs to the id. */
  source?: string | null | undefined
  /** Id of the person in `source`, unique in the workspace. */
  externalId?: string | null | undefined
}

export type UpsertMember = {
  /** Address of the person. Another address replaces the present address. */
  email: string
  firstName?: string | "" | undefined
  lastName?: string | "" | undefined
  /** Role of a new member; default: `idm_member`. A known member keeps the role. */
  role?: "idm_member" | "viewer" | "member" | "admin" | undefined
  /** Attributes to merge with the present attributes; null clears an attribute. */
  attributes?: Record<string, string | number | boolean | null> | null | undefined
}

export type BulkCreateMembers = Array<{
  /** First name, unless you send `firstName`. */
  name?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  email: string
  /** Attributes to merge with the present attributes; null clears an attribute. */
  attributes?: Record<string, string | number | boolean | null> | undefined
  /** Ids of manual segments to join. */
  segmentIds?: Array<number> | undefined
  /** Name of another system, in lowercase. Belongs to the id. */
  source?: string | null | undefined
  /** Id of the person in `source`, unique in the workspace. */
  externalId?: string | null | undefined
}>

export type MembersCreated = {
  /** Results of the submitted users, in the same order. */
  inviteResults: Array<{
    success: boolean
    /** Reason why the user was not added or invited. */
    message?: string | undefined
    user: SegmentUser
  }>
}

export type ReinviteMembers = {
  /** Ids of members. */
  userIds?: Array<number> | undefined
  /** Addresses of members, instead of `userIds`. */
  emails?: Array<string> | undefined
  /** All members whose invitation is pending or expired, 10,000 per request. */
  all?: true | undefined
}

export type MembersReinvited = {
  /** Results of the submitted users, in the same order. */
  inviteResults: Array<{
    success: boolean
    /** Reason why the user was not added or invited. */
    message?: string | undefined
    user: SegmentUser
  }>
}

export type SendTestEmail = {
  subject: string
  /** HTML body of the message; scripts are removed. */
  html: string
  /** Plain text of the message; by default made from the HTML. */
  text?: string | undefined
  /** Address for replies; by default the sender. */
  replyTo?: string | undefined
  /** Addresses of members or other people. */
  to: Array<string>
}

/** A mailing, accepted at once and delivered by the queue. */
export type Email = {
  id: number
  /** Purpose of the mailing. */
  kind: "segment" | "members" | "test" | "invitation" | "confirmation" | "sign_in" | "feedback" | "release" | "notice" | "digest"
  segmentId: number | null
  subject: string
  replyTo: string | null
  status: "scheduled" | "queued" | "sending" | "completed" | "canceled"
  /** Numbers of recipients. Each recipient is waiting, sent, failed, suppressed or canceled. */
  totals: {
    recipients: number
    /** Messages that are not sent yet. */
    waiting: number
    /** Messages that the mail provider accepted. */
    sent: number
    failed: number
    /** Recipients who unsubscribed or were removed before sending. */
    suppressed: number
    /** Messages not sent because the mailing was canceled. */
    canceled: number
    /** Sent messages that arrived, as the provider reports. */
    delivered: number
    /** Sent messages that did not arrive. */
    bounced: number
    /** Sent messages that the recipient reported as spam. */
    complained: number
  }
  /** Percentage of the recipients that are not waiting. */
  progress: number
  scheduledAt: string | null
  createdAt: string
  updatedAt: string
  completedAt: string | null
}

/** A recipient of a mailing, with the status of the message. */
export type EmailRecipient = {
  position: number
  userId: number
  /** Current address of the recipient; empty for a removed member. */
  email: string
  status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled"
  /** Reason why the message failed, bounced or was suppressed. */
  reason: string | null
  /** Id of the message at the mail provider. */
  providerId: string | null
  updatedAt: string
}

/** A recipient with the rendered message. */
export type RenderedMessage = {
  position: number
  userId: number
  /** Current address of the recipient; empty for a removed member. */
  email: string
  status: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled"
  /** Reason why the message failed, bounced or was suppressed. */
  reason: string | null
  /** Id of the message at the mail provider. */
  providerId: string | null
  updatedAt: string
  message: {
    from: string
    to: string
    subject: string
    html: string
    text: string
    replyTo?: string | undefined
    headers: Record<string, string>
  }
}

export type CreateSuppression = {
  email: string
  /** Id of the segment whose mail stops; by default all mail of the workspace. */
  segmentId?: number | null | undefined
}

/** An address that gets no mail of a segment, or no mail at all. */
export type Suppression = {
  id: number
  email: string
  /** Id of the segment whose mail stops; null for all mail of the workspace. */
  segmentId: number | null
  reason: "unsubscribe" | "hard_bounce" | "complaint" | "manual"
  createdAt: string
}

/** Rows as objects, with the columns of a file as members. */
export type ImportedSuppressions = Array<Record<string, unknown>>

export type CreateKpi = {
  title: string
  /** Value to reach, as decimal text or a number. Default: 0.00. */
  benchmark?: string | number | undefined
  benchmarkUnit?: string | null | undefined
  /** Values that meet the benchmark: at least, at most or exactly the benchmark. */
  benchmarkType?: "MORE" | "LESS" | "EQUAL" | null | undefined
  dueDate?: string | null | undefined
  statement?: string | null | undefined
  visualization?: boolean | undefined
  dashboardVisualization?: boolean | undefined
  /** Value of a day, week or month: the last, the average or the sum of its records. */
  aggregate?: "last" | "avg" | "sum" | undefined
  /** External keys of linked work items of the product. */
  workItems?: Array<string> | undefined
}

export type KpiDetail = {
  id: number
  title: string
  externalKey: string | null
  /** Decimal text with two places. */
  benchmark: string
  benchmarkUnit: string | null
  benchmarkType: string | null
  initiativeId: number
  dueDate: string | null
  statement: string | null
  createdAt: string
  visualization: boolean
  dashboardVisualization: boolean
  /** Newest records, newest first. */
  kpi_revisions: Array<KpiRevision>
  order: number
  aggregate: "last" | "avg" | "sum"
  /** External keys of the linked work items. */
  workItems: Array<string>
}

/** Record of a KPI. */
export type KpiRevision = {
  id: number
  createdAt: string
  /** Decimal text with two places. */
  value: string
}

/** Key performance indicator of a product. */
export type ListedKpi = {
  id: number
  title: string
  externalKey: string | null
  /** Decimal text with two places. */
  benchmark: string
  benchmarkUnit: string | null
  benchmarkType: string | null
  initiativeId: number
  dueDate: string | null
  statement: string | null
  createdAt: string
  visualization: boolean
  dashboardVisualization: boolean
  /** Newest records, newest first. */
  kpi_revisions: Array<KpiRevision>
  order: number
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyKpi = {
  title?: string | undefined
  /** Value to reach, as decimal text or a number. */
  benchmark?: string | number | undefined
  benchmarkUnit?: string | null | undefined
  /** Values that meet the benchmark: at least, at most or exactly the benchmark. */
  benchmarkType?: "MORE" | "LESS" | "EQUAL" | null | undefined
  dueDate?: string | null | undefined
  statement?: string | null | undefined
  visualization?: boolean | undefined
  dashboardVisualization?: boolean | undefined
  /** Value of a day, week or month: the last, the average or the sum of its records. */
  aggregate?: "last" | "avg" | "sum" | undefined
  /** Position in the list, highest first. */
  order?: number | undefined
  /** External keys of work items. Replaces all links. */
  workItems?: Array<string> | undefined
}

/** Array of records: objects with `value` and `createdAt`, or numbers. An object with the array as `records` works too. */
export type KpiRecords = Array<Record<string, unknown>>

export type KpiWithInsertedRecords = {
  id: number
  title: string
  externalKey: string | null
  /** Decimal text with two places. */
  benchmark: string
  benchmarkUnit: string | null
  benchmarkType: string | null
  initiativeId: number
  dueDate: string | null
  statement: string | null
  createdAt: string
  visualization: boolean
  dashboardVisualization: boolean
  /** Newest records, newest first. */
  kpi_revisions: Array<KpiRevision>
  /** Present with `dryRun=true`. */
  dryRun?: {
    /** Rows of the file. */
    total: number
    /** Rows with a valid record. */
    valid: number
    /** Invalid rows. */
    rejectedCount: number
    /** Records to insert. With `mode=upsert`, records that are stored already do not count, and records of the same time count once. */
    added: number
    /** Stored records to replace. 0 without `mode=upsert`. */
    replaced: number
    /** The first 10 valid records of the file. */
    records: Array<{
      /** Decimal text with two places. */
      value: string
      createdAt: string
    }>
    /** The first 100 invalid rows, counted from 1 without the header and empty lines. */
    rejected: Array<{
      row: number
      reason: string
    }>
    /** The first 1,000 records to replace. */
    former: Array<KpiRecord>
  } | undefined
  /** Ids of the new records, with `include=inserted`. Null if all records were stored already. Absent in a dry run. */
  inserted?: {
    firstId: number
    lastId: number
  } | null | undefined
}

/** Record of a KPI. */
export type KpiRecord = {
  id: number
  /** Decimal text with two places. */
  value: string
  createdAt: string
}

/** Records of a KPI in a day, week or month. */
export type KpiInterval = {
  /** Start of the day, week or month. */
  start: string
  /** Sum, average or last value of the records, by `aggregate` of the KPI. */
  value: string
  /** Number of records. */
  count: number
  /** Decimal text with two places. */
  min: string
  /** Decimal text with two places. */
  max: string
}

export type KpiTrend = {
  externalKey: string
  /** Number of records in the range. At 0, all other figures are null. */
  count: number
  /** First record. With the `aggregate` `sum` the value is the sum of the first day (UTC). */
  first: {
    /** Decimal text with two places. */
    value: string
    createdAt: string
  } | null
  /** Latest record. With the `aggregate` `sum` the value is the sum of the last day (UTC). */
  latest: {
    /** Decimal text with two places. */
    value: string
    createdAt: string
  } | null
  /** Change from `first` to `latest`. */
  change: {
    /** Decimal text with two places. */
    absolute: string
    /** Null if `first` is 0. */
    percent: string | null
  } | null
  /** Change of the least-squares line per day, with six places; null for fewer than two days. Each day is a point: its value by `aggregate`, at its last record. */
  slopePerDay: string | null
  /** Percentage. MORE: latest / benchmark; LESS: benchmark / latest; EQUAL: 100 − |difference| / benchmark. Null for a divisor of 0. */
  attainment: string | null
  /** Null if `benchmarkType` is null. */
  reached: boolean | null
  /** Time when the line meets the benchmark. If that time is past, the slope continues from the latest value. Null if the benchmark is reached, or if the line leads away. */
  projectedDate: string | null
  /** Whether the benchmark is reached, or projected to be reached, by `dueDate`. Null without `dueDate` or `benchmarkType`. */
  onTime: boolean | null
  /** The least-squares line at the first and at the latest record. Null like `slopePerDay`. */
  line: Array<{
    at: string
    /** Decimal text with two places. */
    value: string
  }> | null
  /** Values to expect behind the latest record, as for `projectedDate`: up to `dueDate` or `projectedDate`, but at most as long as the records; else a quarter as long. Null like `slopePerDay`. */
  projection: {
    /** Percent of the future values that lie between `low` and `high`. */
    confidence: number
    /** `low` and `high` are null for two days, because two days show no deviation from the line. */
    values: Array<{
      at: string
      /** Decimal text with two places. */
      value: string
      low: string | null
      high: string | null
    }>
  } | null
}

export type CreatePersona = {
  name: string
  occupation?: string | undefined
  quote?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  description?: string | undefined
  color?: string | undefined
  /** Address of a picture. */
  avatar?: string | undefined
  /** Id of a segment of the persona board. */
  boardSegmentId?: number | undefined
  goals?: Array<string> | undefined
  pains?: Array<string> | undefined
  /** External key of the product. Default: all products. */
  product?: string | undefined
  /** Name of another system, in lowercase. Belongs to the id. */
  source?: string | null | undefined
  /** Id of the persona in `source`, unique in the workspace. */
  externalId?: string | null | undefined
}

export type PersonaDetail = {
  id: number
  externalKey: string
  name: string
  occupation: string | null
  quote: string | null
  /** HTML. */
  description: string | null
  color: string | null
  avatar: string | null
  goals: Array<string>
  pains: Array<string>
  boardSegmentId: number | null
  /** External key of the product; null means all products. */
  product: string | null
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  externalId: string | null
  createdAt: string
  updatedAt: string
  /** Values of the attached custom fields, by their ids; null means no value. */
  customFields: Record<string, string | number | boolean | Array<number> | null>
}

export type ListedPersona = {
  id: number
  externalKey: string
  name: string
  occupation: string | null
  quote: string | null
  /** HTML. */
  description: string | null
  color: string | null
  avatar: string | null
  goals: Array<string>
  pains: Array<string>
  boardSegmentId: number | null
  /** External key of the product; null means all products. */
  product: string | null
  /** Name of the other system that has the record, or null. */
  source: string | null
  /** Id of the record in `source`, or null. */
  externalId: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyPersona = {
  name?: string | undefined
  occupation?: string | null | undefined
  quote?: string | null | undefined
  description?: string | null | undefined
  color?: string | null | undefined
  avatar?: string | null | undefined
  boardSegmentId?: number | null | undefined
  /** Replaces all goals. */
  goals?: Array<string> | undefined
  /** Replaces all pains. */
  pains?: Array<string> | undefined
  /** External key of the new product; null means all products. Opportunities move with the persona. */
  product?: string | null | undefined
  /** Name of another system, in lowercase. Belongs to the id. */
  source?: string | null | undefined
  /** Id of the persona in `source`, unique in the workspace. */
  externalId?: string | null | undefined
  /** Values by the ids of custom fields of the persona: text, a number, true or false, an ISO 8601 date, an address, the id of an option, or a list of option ids; null clears a value. */
  customFields?: Record<string, string | number | boolean | Array<number> | null> | undefined
}

export type UpsertPersona = {
  name: string
  occupation?: string | null | undefined
  quote?: string | null | undefined
  description?: string | null | undefined
  color?: string | null | undefined
  avatar?: string | null | undefined
  boardSegmentId?: number | null | undefined
  /** Replaces all goals. */
  goals?: Array<string> | undefined
  /** Replaces all pains. */
  pains?: Array<string> | undefined
  /** External key of the new product; null means all products. Opportunities move with the persona. */
  product?: string | null | undefined
}

export type CreateSummary = {
  type: "pain" | "gain" | "job" | "note"
  /** HTML or plain text, sanitized when stored. */
  text: string
}

/** Pain, gain, job or note of a persona. */
export type Summary = {
  id: number
  type: "pain" | "gain" | "job" | "note"
  text: string
  createdAt: string
  updatedAt: string
}

/** Pain, gain, job or note of a persona. */
export type ListedSummary = {
  id: number
  type: "pain" | "gain" | "job" | "note"
  text: string
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifySummary = {
  type?: "pain" | "gain" | "job" | "note" | undefined
  /** HTML or plain text, sanitized when stored. */
  text?: string | undefined
}

export type CreateOpportunity = {
  /** Summary of the opportunity. */
  valuePropositionName: string
}

/** Opportunity. A persona's notes have the same shape. */
export type Opportunity = {
  id: number
  summary: string
  /** HTML. */
  description: string
  externalKey: string
  userId: null
  color: string
  urls: null
  spread: string
  intensity: string
  progress: string
  status: string
  teamId: number
  subscriptionId: number
  /** Id of the product; 0 means all products. */
  initiativeId: number
  wikiPageId: null
  order: number
  planOrder: number
  createdAt: string
  updatedAt: string
}

/** Opportunity. A persona's notes have the same shape. */
export type ListedOpportunity = {
  id: number
  summary: string
  /** HTML. */
  description: string
  externalKey: string
  userId: null
  color: string
  urls: null
  spread: string
  intensity: string
  progress: string
  status: string
  teamId: number
  subscriptionId: number
  /** Id of the product; 0 means all products. */
  initiativeId: number
  wikiPageId: null
  order: number
  planOrder: number
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyOpportunity = {
  summary?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  description?: string | undefined
  color?: string | undefined
  /** Share of people affected. */
  spread?: string | undefined
  /** Strength of the effect. */
  intensity?: string | undefined
  progress?: "to-do" | "in-progress" | "done" | undefined
  /** Id of the team; 0 or null means no team. */
  teamId?: number | null | undefined
  order?: number | undefined
  planOrder?: number | undefined
}

export type ModifyDocumentation = {
  title?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  content?: string | undefined
  /** Title, under the name in the response. `title` takes precedence. */
  summary?: string | undefined
  /** HTML, under the name in the response. `content` takes precedence. Sanitized when stored, then at most 512 KiB and 128 elements deep. */
  description?: string | undefined
}

export type CreateExperiment = {
  title: string
  /** Assumption to test. Required to start the experiment. */
  hypothesis?: string | null | undefined
  method?: string | null | undefined
  successCriteria?: string | null | undefined
  /** Decimal text or a number. */
  targetValue?: string | number | null | undefined
  /** Decimal text or a number. */
  actualValue?: string | number | null | undefined
  learnings?: string | null | undefined
  /** External key of the KPI that the experiment should change. */
  kpi?: string | null | undefined
  /** External key of the opportunity to test. */
  opportunity?: string | null | undefined
  /** External keys of personas. A modify replaces all personas of the experiment. */
  personas?: Array<string> | undefined
  /** External keys of work items of the product. A modify replaces all work items of the experiment. */
  workItems?: Array<string> | undefined
}

export type ExperimentDetail = {
  id: number
  externalKey: string
  initiativeId: number
  title: string
  hypothesis: string | null
  method: string | null
  successCriteria: string | null
  targetValue: string | null
  actualValue: string | null
  status: "draft" | "running" | "stopped"
  result: "validated" | "invalidated" | "inconclusive" | null
  decision: "persevere" | "pivot" | "stop" | null
  learnings: string | null
  kpi: string | null
  opportunity: string | null
  startedAt: string | null
  stoppedAt: string | null
  createdAt: string
  updatedAt: string
  /** External keys of the personas. */
  personas: Array<string>
  /** External keys of the work items. */
  workItems: Array<string>
}

/** Test of a hypothesis, with method and result. */
export type ListedExperiment = {
  id: number
  externalKey: string
  initiativeId: number
  title: string
  hypothesis: string | null
  method: string | null
  successCriteria: string | null
  targetValue: string | null
  actualValue: string | null
  status: "draft" | "running" | "stopped"
  result: "validated" | "invalidated" | "inconclusive" | null
  decision: "persevere" | "pivot" | "stop" | null
  learnings: string | null
  kpi: string | null
  opportunity: string | null
  startedAt: string | null
  stoppedAt: string | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyExperiment = {
  title?: string | undefined
  /** Assumption to test. Required to start the experiment. */
  hypothesis?: string | null | undefined
  method?: string | null | undefined
  successCriteria?: string | null | undefined
  /** Decimal text or a number. */
  targetValue?: string | number | null | undefined
  /** Decimal text or a number. */
  actualValue?: string | number | null | undefined
  learnings?: string | null | undefined
  /** External key of the KPI that the experiment should change. */
  kpi?: string | null | undefined
  /** External key of the opportunity to test. */
  opportunity?: string | null | undefined
  /** Result of a stopped experiment. */
  result?: "validated" | "invalidated" | "inconclusive" | undefined
  decision?: "persevere" | "pivot" | "stop" | null | undefined
  /** External keys of personas. A modify replaces all personas of the experiment. */
  personas?: Array<string> | undefined
  /** External keys of work items of the product. A modify replaces all work items of the experiment. */
  workItems?: Array<string> | undefined
}

export type StopExperiment = {
  result: "validated" | "invalidated" | "inconclusive"
  decision?: "persevere" | "pivot" | "stop" | undefined
  learnings?: string | undefined
  actualValue?: string | number | undefined
}

/** Test of a hypothesis, with method and result. */
export type Experiment = {
  id: number
  externalKey: string
  initiativeId: number
  title: string
  hypothesis: string | null
  method: string | null
  successCriteria: string | null
  targetValue: string | null
  actualValue: string | null
  status: "draft" | "running" | "stopped"
  result: "validated" | "invalidated" | "inconclusive" | null
  decision: "persevere" | "pivot" | "stop" | null
  learnings: string | null
  kpi: string | null
  opportunity: string | null
  startedAt: string | null
  stoppedAt: string | null
  createdAt: string
  updatedAt: string
}

export type CreateBoardSegment = {
  name: string
  color?: string | null | undefined
  /** Position in the list, lowest first. New records come last by default. */
  order?: number | undefined
}

/** Segment of the persona board. */
export type BoardSegment = {
  id: number
  name: string
  color: string | null
  order: number
  createdAt: string
  updatedAt: string
}

/** Segment of the persona board. */
export type ListedBoardSegment = {
  id: number
  name: string
  color: string | null
  order: number
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyBoardSegment = {
  name?: string | undefined
  color?: string | null | undefined
  /** Position in the list, lowest first. New records come last by default. */
  order?: number | undefined
}

export type CreateCustomField = {
  name: string
  /** Type of the values, fixed once a persona has a value. */
  type: "text" | "textarea" | "number" | "date" | "url" | "boolean" | "select" | "multiselect"
  /** Whether values can be changed, but not cleared. */
  required?: boolean | undefined
  /** Position in the list, lowest first. New records come last by default. */
  order?: number | undefined
  /** Labels of the options of a `select` or `multiselect`. */
  options?: Array<string> | undefined
}

/** Custom field for the personas of a workspace. */
export type CustomField = {
  id: number
  name: string
  type: "text" | "textarea" | "number" | "date" | "url" | "boolean" | "select" | "multiselect"
  required: boolean
  order: number
  options: Array<CustomFieldOption>
  createdAt: string
  updatedAt: string
}

/** Option of a select or multiselect. */
export type CustomFieldOption = {
  id: number
  label: string
}

/** Custom field for the personas of a workspace. */
export type ListedCustomField = {
  id: number
  name: string
  type: "text" | "textarea" | "number" | "date" | "url" | "boolean" | "select" | "multiselect"
  required: boolean
  order: number
  options: Array<CustomFieldOption>
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyCustomField = {
  name?: string | undefined
  /** Type of the values, fixed once a persona has a value. */
  type?: "text" | "textarea" | "number" | "date" | "url" | "boolean" | "select" | "multiselect" | undefined
  required?: boolean | undefined
  /** Position in the list, lowest first. New records come last by default. */
  order?: number | undefined
}

export type GivenOption = {
  label: string
}

export type CreateTemplate = {
  title: string
  category?: string | null | undefined
  /** HTML, sanitized when stored. `{{key}}` in the text is a placeholder for a variable. */
  content?: string | undefined
  variables?: Array<{
    key: string
    /** Display name of the variable. Default: the key. */
    label?: string | undefined
    /** Text for documents without a value. Without a default, a value is required. */
    default?: string | null | undefined
  }> | undefined
}

/** Template for documents. */
export type Template = {
  id: number
  title: string
  category: string | null
  /** HTML. */
  content: string
  variables: Array<{
    key: string
    label: string
    default: string | null
  }>
  createdAt: string
  updatedAt: string
}

/** Template for documents. */
export type ListedTemplate = {
  id: number
  title: string
  category: string | null
  /** HTML. */
  content: string
  variables: Array<{
    key: string
    label: string
    default: string | null
  }>
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyTemplate = {
  title?: string | undefined
  category?: string | null | undefined
  /** HTML, sanitized when stored. `{{key}}` in the text is a placeholder for a variable. */
  content?: string | undefined
  /** Replaces all variables. A variable that the content uses must stay. */
  variables?: Array<{
    key: string
    /** Display name of the variable. Default: the key. */
    label?: string | undefined
    /** Text for documents without a value. Without a default, a value is required. */
    default?: string | null | undefined
  }> | undefined
}

export type InstantiateTemplate = {
  /** External key of the product for the document. */
  product: string
  title: string
  /** Values of the variables, by key: text, not HTML. */
  variables?: Record<string, string> | undefined
}

/** Document of a product. */
export type Document = {
  id: number
  externalKey: string
  initiativeId: number
  title: string
  /** HTML. */
  content: string
  /** Id of the template that the document was created from. */
  template: number | null
  createdAt: string
  updatedAt: string
}

export type CreateDocument = {
  title: string
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  content?: string | undefined
}

/** Document of a product. */
export type ListedDocument = {
  id: number
  externalKey: string
  initiativeId: number
  title: string
  /** HTML. */
  content: string
  /** Id of the template that the document was created from. */
  template: number | null
  createdAt: string
  updatedAt: string
  /** Time of the removal, with `removed=include` or `only`. */
  deletedAt?: string | null | undefined
}

export type ModifyDocument = {
  title?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  content?: string | undefined
}

/** Links between personas, opportunities, experiments, KPIs, work items and ideas. */
export type Trace = {
  /** Current key of the traced record. */
  root: string
  /** The root, then the linked records, nearest first. */
  nodes: Array<TraceNode>
  /** Links between the nodes, from personas toward feedback. */
  edges: Array<TraceEdge>
  /** Whether records may be missing, due to the limit of 200 nodes or links not followed. */
  truncated: boolean
}

export type TraceNode = {
  /** Kind of record. */
  type: "persona" | "opportunity" | "experiment" | "kpi" | "epic" | "feature" | "userstory" | "feedback"
  externalKey: string
  title: string
  /** Status or progress of the record, or null. */
  status: string | null
}

export type TraceEdge = {
  from: string
  to: string
  /** Kind of the record `to`. */
  kind: "opportunity" | "experiment" | "kpi" | "work_item" | "feedback"
}

/** The public portal of the workspace. */
export type PortalSettings = {
  /** Name of the portal in its addresses (`/p/{slug}`), unique in the service. Null closes the portal. */
  slug: string | null
  /** Own host name of the portal, like `ideas.example.com`, which then shows the portal at `/`. The name works when it is verified. */
  domain: string | null
  /** Whether the TXT record of `_groundwork.{domain}` was found. */
  domainVerified: boolean
  /** Title of the portal. Null shows the name of the workspace. */
  name: string | null
  /** `public` shows the portal to everybody, `private` only to people who sign in. */
  visibility: "public" | "private"
  /** Ids of the segments whose members read a private portal. An empty list lets all members of the workspace read it. */
  segments: Array<number>
  /** External keys of the products whose ideas the portal shows. */
  products: Array<string>
  /** Ids of the statuses whose ideas the portal shows; null for all statuses, and for ideas without a status. */
  statuses: Array<number> | null
  /** Ids of the categories whose ideas the portal shows; null for all categories, and for ideas without a category. */
  categories: Array<number> | null
  /** `members` lets only members of the workspace vote, comment and submit; `anyone` makes new people members. */
  signUp: "anyone" | "members"
  /** Color of links and buttons, as `#rrggbb`. */
  accent: string
  /** Light or dark colors, or `system` for the choice of the reader. */
  mode: "system" | "light" | "dark"
  /** Id of a file with the logo: SVG or PNG of at most 64 kB. */
  logo: number | null
  /** Id of a file with the logo in dark colors. Null uses `logo`. */
  darkLogo: number | null
  /** Language of the pages, for readers whose browser asks for another language. */
  locale: "en" | "de"
  /** Whether the portal has a roadmap. */
  roadmap: boolean
  /** Whether the portal has a changelog. */
  changelog: boolean
  /** Time of the last rotation of the secret for end users; null without a secret. */
  endUserSecretRotatedAt: string | null
}

export type ModifyPortal = {
  /** Name of the portal in its addresses (`/p/{slug}`), unique in the service. Null closes the portal. */
  slug?: string | null | undefined
  /** Own host name of the portal, like `ideas.example.com`, which then shows the portal at `/`. The name works when it is verified. */
  domain?: string | null | undefined
  /** Title of the portal. Null shows the name of the workspace. */
  name?: string | null | undefined
  /** `public` shows the portal to everybody, `private` only to people who sign in. */
  visibility?: "public" | "private" | undefined
  /** Ids of the segments whose members read a private portal. An empty list lets all members of the workspace read it. */
  segments?: Array<number> | undefined
  /** External keys of the products whose ideas the portal shows. */
  products?: Array<string> | undefined
  /** Ids of the statuses whose ideas the portal shows; null for all statuses, and for ideas without a status. */
  statuses?: Array<number> | null | undefined
  /** Ids of the categories whose ideas the portal shows; null for all categories, and for ideas without a category. */
  categories?: Array<number> | null | undefined
  /** `members` lets only members of the workspace vote, comment and submit; `anyone` makes new people members. */
  signUp?: "anyone" | "members" | undefined
  /** Color of links and buttons, as `#rrggbb`. */
  accent?: string | undefined
  /** Light or dark colors, or `system` for the choice of the reader. */
  mode?: "system" | "light" | "dark" | undefined
  /** Id of a file with the logo: SVG or PNG of at most 64 kB. */
  logo?: number | null | undefined
  /** Id of a file with the logo in dark colors. Null uses `logo`. */
  darkLogo?: number | null | undefined
  /** Language of the pages, for readers whose browser asks for another language. */
  locale?: "en" | "de" | undefined
  /** Whether the portal has a roadmap. */
  roadmap?: boolean | undefined
  /** Whether the portal has a changelog. */
  changelog?: boolean | undefined
}

/** The public portal of the workspace, with its new secret. */
export type NewPortalSecret = {
  /** Name of the portal in its addresses (`/p/{slug}`), unique in the service. Null closes the portal. */
  slug: string | null
  /** Own host name of the portal, like `ideas.example.com`, which then shows the portal at `/`. The name works when it is verified. */
  domain: string | null
  /** Whether the TXT record of `_groundwork.{domain}` was found. */
  domainVerified: boolean
  /** Title of the portal. Null shows the name of the workspace. */
  name: string | null
  /** `public` shows the portal to everybody, `private` only to people who sign in. */
  visibility: "public" | "private"
  /** Ids of the segments whose members read a private portal. An empty list lets all members of the workspace read it. */
  segments: Array<number>
  /** External keys of the products whose ideas the portal shows. */
  products: Array<string>
  /** Ids of the statuses whose ideas the portal shows; null for all statuses, and for ideas without a status. */
  statuses: Array<number> | null
  /** Ids of the categories whose ideas the portal shows; null for all categories, and for ideas without a category. */
  categories: Array<number> | null
  /** `members` lets only members of the workspace vote, comment and submit; `anyone` makes new people members. */
  signUp: "anyone" | "members"
  /** Color of links and buttons, as `#rrggbb`. */
  accent: string
  /** Light or dark colors, or `system` for the choice of the reader. */
  mode: "system" | "light" | "dark"
  /** Id of a file with the logo: SVG or PNG of at most 64 kB. */
  logo: number | null
  /** Id of a file with the logo in dark colors. Null uses `logo`. */
  darkLogo: number | null
  /** Language of the pages, for readers whose browser asks for another language. */
  locale: "en" | "de"
  /** Whether the portal has a roadmap. */
  roadmap: boolean
  /** Whether the portal has a changelog. */
  changelog: boolean
  /** Time of the last rotation of the secret for end users; null without a secret. */
  endUserSecretRotatedAt: string | null
  /** Secret that signs the tokens of your users with HS256. Shown once. */
  secret: string
}

/** A portal, with the products, statuses and categories that it shows. */
export type PublicPortal = {
  slug: string
  name: string
  visibility: "public" | "private"
  signUp: "anyone" | "members"
  /** Whether new ideas wait for an approval. */
  moderation: boolean
  accent: string
  mode: "system" | "light" | "dark"
  /** Id of the file with the logo. */
  logo: number | null
  darkLogo: number | null
  locale: "en" | "de"
  roadmap: boolean
  changelog: boolean
  products: Array<{
    key: string
    name: string
    color: string | null
  }>
  statuses: Array<{
    id: number
    name: string
    slug: string
    color: string | null
  }>
  categories: Array<{
    id: number
    name: string
    slug: string
  }>
}

/** A page of ideas. */
export type PortalIdeas = {
  ideas: Array<PortalIdeaSummary>
  /** `after` of the next page, or null. */
  next: string | null
}

export type PortalIdeaSummary = {
  key: string
  slug: string
  title: string
  /** Beginning of the text, without HTML. */
  excerpt: string
  type: string
  /** External key of the product. */
  product: string
  statusId: number | null
  categoryId: number | null
  votes: number
  comments: number
  /** Whether the caller has voted. */
  voted: boolean
  pinned: boolean
  /** Name of the author; null without a name, and if anonymous. */
  author: string | null
  createdAt: string
}

/** Similar ideas, best match first. */
export type SimilarPortalIdeas = {
  ideas: Array<PortalIdeaSummary>
}

/** An idea as readers of the portal see it. */
export type PortalIdea = {
  key: string
  slug: string
  title: string
  /** Beginning of the text, without HTML. */
  excerpt: string
  type: string
  /** External key of the product. */
  product: string
  statusId: number | null
  categoryId: number | null
  votes: number
  comments: number
  /** Whether the caller has voted. */
  voted: boolean
  pinned: boolean
  /** Name of the author; null without a name, and if anonymous. */
  author: string | null
  createdAt: string
  /** HTML. */
  text: string
  targetAudience: string
  valueProposition: string
  /** Whether the idea waits for an approval. Only its author sees the idea. */
  pending: boolean
  rejected: boolean
  /** Whether the caller is the author. */
  own: boolean
  votingOpen: boolean
  /** Whether the caller gets mail about changes of the status. */
  subscribed: boolean
  files: Array<{
    id: number
    name: string
    type: string
    size: number
  }>
  /** Updates of the team, newest first. An update without a message has an empty text. */
  updates: Array<{
    status: string
    message: string
    createdAt: string
  }>
  /** Changes of the status, newest first. */
  history: Array<{
    statusId: number | null
    status: string | null
    createdAt: string
  }>
  /** Ideas that were merged into this idea. Their keys lead to this idea. */
  merged: Array<{
    key: string
    title: string
  }>
}

/** A page of public comments, oldest first. */
export type PortalComments = {
  comments: Array<PortalComment>
  /** `after` of the next page, or null. */
  next: string | null
}

export type PortalComment = {
  id: number
  parentId: number | null
  /** HTML; empty for a removed comment. */
  text: string
  /** Name of the author, or null. */
  author: string | null
  /** Whether the author belongs to the team. */
  isTeam: boolean
  /** Whether the caller is the author. */
  own: boolean
  /** True for a removed comment that has replies. */
  deleted: boolean
  createdAt: string
  updatedAt: string
}

/** The ideas with the most votes of each status. */
export type PortalRoadmap = {
  lanes: Array<{
    status: {
      id: number
      name: string
      slug: string
      color: string | null
    }
    ideas: Array<PortalIdeaSummary>
  }>
}

/** The newest 50 released versions of the products, newest first. */
export type PortalVersions = {
  versions: Array<{
    key: string
    name: string
    /** External key of the product. */
    product: string
    releasedAt: string | null
  }>
}

/** A page of published entries, the newest first. */
export type PortalChangelog = {
  entries: Array<PortalChangelogEntry>
  /** `after` of the next page, or null. */
  next: string | null
}

/** A published entry as readers of the portal see it. */
export type PortalChangelogEntry = {
  key: string
  title: string
  /** HTML. */
  html: string
  labels: Array<string>
  /** Id of the image, a file of the portal. */
  cover: number | null
  /** External key of the product; null means all products. */
  product: string | null
  /** Names of the released versions, at most 20. */
  versions: Array<string>
  /** Ideas of the portal that the entry is about, at most 20. */
  ideas: Array<{
    key: string
    title: string
    votes: number
    comments: number
  }>
  publishedAt: string
  updatedAt: string
}

/** An entry as readers of the portal would see it now, and the mail of its publication. */
export type ChangelogPreview = {
  key: string
  title: string
  /** HTML. */
  html: string
  labels: Array<string>
  /** Id of the image, a file of the portal. */
  cover: number | null
  /** External key of the product; null means all products. */
  product: string | null
  /** Names of the released versions, at most 20. */
  versions: Array<string>
  /** Ideas of the portal that the entry is about, at most 20. */
  ideas: Array<{
    key: string
    title: string
    votes: number
    comments: number
  }>
  /** Path of the download of the cover, or null. */
  coverUrl: string | null
  /** False if the portal has no changelog or does not show the product: readers see no such entry. */
  isShown: boolean
  /** Time of the publication, or null. */
  publishedAt: string | null
  /** Mail that a publication would send. */
  mail: {
    /** Number of people who get a mail about the publication, unless `notify` is `none`. */
    recipients: number
    /** True if mail about the entry has left: nobody is mailed again. */
    wasMailed: boolean
    /** Number of people who follow the changelog, without you. */
    followers: number
    /** Number of followers who chose no mail about the changelog. */
    stopped: number
    /** Number of other followers with a suppressed address. */
    suppressed: number
    /** False if the changelog has more followers: only the first 2,000 are counted. */
    isComplete: boolean
  }
}

/** The caller, with the newest 50 ideas and votes. */
export type PortalPerson = {
  /** The caller; null for an unknown visitor. */
  person: {
    name: string | null
    isTeam: boolean
  } | null
  ideas: Array<{
    key: string
    slug: string
    title: string
    /** Beginning of the text, without HTML. */
    excerpt: string
    type: string
    /** External key of the product. */
    product: string
    statusId: number | null
    categoryId: number | null
    votes: number
    comments: number
    /** Whether the caller has voted. */
    voted: boolean
    pinned: boolean
    /** Name of the author; null without a name, and if anonymous. */
    author: string | null
    createdAt: string
    pending: boolean
    rejected: boolean
  }>
  /** The newest 50 ideas that the caller has voted for. */
  votes: Array<PortalIdeaSummary>
}

export type SubmitPortalIdea = {
  /** External key of a product of the portal. */
  product: string
  title: string
  /** HTML. */
  text?: string | undefined
  /** Id of a category of the portal. */
  categoryId?: number | null | undefined
  /** Files of the idea. Everybody who sees the idea sees its files. */
  files?: Array<NewPortalFile> | undefined
}

export type NewPortalFile = {
  name: string
  /** Media type of a text. The service detects the types of other files. */
  type?: string | undefined
  /** The bytes as base64; a file has at most 5 MiB. */
  content: string
}

export type SavedPortalIdea = {
  key: string
  title: string
  /** Whether the idea waits for an approval. */
  pending: boolean
}

export type ModifyPortalIdea = {
  title?: string | undefined
  /** HTML. The stored HTML is sanitized, with at most 512 KiB and 128 nested elements. */
  text?: string | undefined
  /** Id of a category of the portal. */
  categoryId?: number | null | undefined
}

/** The votes for an idea, and whether the caller has voted. */
export type PortalVote = {
  key: string
  votes: number
  voted: boolean
}

/** Whether the caller gets mail about the idea. */
export type PortalSubscription = {
  key: string
  subscribed: boolean
}

export type AddPortalComment = {
  /** HTML. */
  text: string
  /** Id of the comment that this comment replies to. */
  parentId?: number | undefined
}

export type SavedPortalComment = {
  id: number
  parentId: number | null
  text: string
}

export type ModifyPortalComment = {
  /** HTML. */
  text: string
}

/** A record that is too long for an event. The longest texts and lists are cut or left out. */
export type Truncated = {
  truncated: true
}

export type ProductCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "product.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Product | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ProductUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "product.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Product | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ProductDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "product.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Product | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ProductRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "product.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Product | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkspaceEraseScheduledEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "workspace.erase_scheduled"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    name: string
    eraseAt: string | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkspaceEraseCanceledEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "workspace.erase_canceled"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    name: string
    eraseAt: string | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkspaceRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "workspace.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    name: string
    exportId: number
    totals: {
      records: number
      files: number
    }
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SettingsUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "settings.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Settings | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SignInSettingsUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "sign_in_settings.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: SignInSettings | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type PortalUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "portal.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: PortalSettings | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type PortalSecretRotatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "portal.secret_rotated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: PortalSettings | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TeamCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "team.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: TeamDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TeamUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "team.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: TeamDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TeamDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "team.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: TeamDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TeamRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "team.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: TeamDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type UserCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "user.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: User | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type UserUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "user.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: User | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type UserDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "user.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: User | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type UserRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "user.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: User | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ApiKeyCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "api_key.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ApiKey | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ApiKeyRevokedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "api_key.revoked"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ApiKey | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SessionCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "session.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Session | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SessionRevokedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "session.revoked"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Session | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExportCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "export.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkspaceExport | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExportCompletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "export.completed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkspaceExport | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExportFailedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "export.failed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkspaceExport | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type AssetCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "asset.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Asset | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type AssetUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "asset.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Asset | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type AssetDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "asset.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Asset | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type AssetRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "asset.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Asset | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type EpicCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "epic.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type EpicUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "epic.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type EpicDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "epic.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type EpicRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "epic.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeatureCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feature.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeatureUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feature.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeatureDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feature.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeatureRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feature.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type UserstoryCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "userstory.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type UserstoryUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "userstory.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type UserstoryDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "userstory.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type UserstoryRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "userstory.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: WorkItemDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapStepsMovedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map.steps_moved"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    fromActivityId: number
    toActivityId: number
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapCardPlacedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map.card_placed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    externalKey: string
    stepId: number
    swimlaneId: number | null
    /** Key of the next card in the step; null for the last card. */
    beforeKey: string | null
    /** Key of the previous card in the step; null for the first card. */
    afterKey: string | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapCardRemovedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map.card_removed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    externalKey: string
    stepId: number
    swimlaneId: number | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapCardsMovedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map.cards_moved"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    fromStepId: number
    toStepId: number
  } | {
    count: number
    fromSwimlaneId: number
    toSwimlaneId: number | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapActivityCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_activity.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapActivity | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapActivityUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_activity.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapActivity | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapActivityDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_activity.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapActivity | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapStepCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_step.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapStep | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapStepUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_step.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapStep | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapStepDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_step.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapStep | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapSwimlaneCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_swimlane.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapSwimlane | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapSwimlaneUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_swimlane.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapSwimlane | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type StoryMapSwimlaneDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "story_map_swimlane.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: StoryMapSwimlane | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SolutionVersionCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "solution_version.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: SolutionVersionDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SolutionVersionUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "solution_version.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: SolutionVersionDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SolutionVersionDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "solution_version.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: SolutionVersionDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SolutionVersionRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "solution_version.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: SolutionVersionDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SolutionVersionReleasedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "solution_version.released"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: SolutionVersionDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SolutionVersionUnreleasedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "solution_version.unreleased"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: SolutionVersionDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkItemLinkCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "work_item_link.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    id: number
    type: "blocks" | "relates" | "duplicates"
    /** Null for a key that is limited to products and does not cover the product of this record. */
    from: string | null
    /** Null for a key that is limited to products and does not cover the product of this record. */
    to: string | null
    fromId: number
    toId: number
    createdAt: string
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkItemLinkDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "work_item_link.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    id: number
    type: "blocks" | "relates" | "duplicates"
    /** Null for a key that is limited to products and does not cover the product of this record. */
    from: string | null
    /** Null for a key that is limited to products and does not cover the product of this record. */
    to: string | null
    fromId: number
    toId: number
    createdAt: string
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkItemCommentCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "work_item_comment.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ItemComment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkItemCommentUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "work_item_comment.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ItemComment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkItemCommentDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "work_item_comment.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ItemComment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WorkItemCommentRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "work_item_comment.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ItemComment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TagCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "tag.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Tag | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TagUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "tag.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Tag | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TagDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "tag.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Tag | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TagRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "tag.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Tag | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackItem | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackItem | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackItem | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackItem | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackVotedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.voted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    external_key: string
    user_id: number | null
    type: "up" | "down" | "none"
    vote: number
    down_vote: number
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackStatusChangedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.status_changed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    id: number
    external_key: string
    slug: string
    title: string
    /** Null without a status. */
    status_id: number | null
    /** Name of the status. */
    currentStatus: string | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackStatusUpdateCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.status_update_created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    id: number
    /** Name of the status at the time of the update. */
    status: string
    /** Plain text. */
    message: string | null
    notify: "later" | "now" | "none"
    user: {
      id: number
      firstName: string
      lastName: string
    }
    createdAt: string
    external_key: string
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackMergedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.merged"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    external_key: string
    /** Null for a key that is limited to products and does not cover the product of this record. */
    into: string | null
  } | {
    id: number
    type: "idea" | "issue"
    slug: string
    external_key: string
    title: string
    target_audience: string
    value_proposition: string
    /** Id of the category, or 0. */
    category_id: number
    short_description: null
    /** HTML. */
    long_description: string
    video_url: null
    icon_url: null
    /** Further values of the item, by name. */
    attributes: Record<string, string | number | boolean>
    /** Comma-separated download paths of the cover photos, below the address of this service. */
    cover_photo_url: string
    /** Ids of the cover photos. */
    cover_photos: Array<number>
    /** `pending`, `approved` or `rejected`; null for an item that was created without moderation. A rejected item accepts no votes and no comments. */
    visibility_level: string | null
    /** Null until a value is set. */
    is_voting_open: boolean | null
    voting_start_time: string | null
    voting_end_time: string | null
    product_id: number
    /** `true` for a pinned item. */
    is_pinned: true | null
    /** `true` if the author is hidden. */
    is_anonymous: true | null
    /** Null without a status. */
    status_id: number | null
    /** Id of the author; 0 if hidden. */
    user_id: number
    created_at: string
    updated_at: string
    /** Number of votes for the item. */
    vote: number
    /** Number of public comments. */
    comment: number
    /** 1 if the user of the key has voted, else 0. */
    haveIVoted: number
    /** Id of the work item made from the item. */
    work_item_internal_id: number | null
    /** Key of the work item, like EP-1. */
    work_item_external_id: string | null
    /** Type of the work item; `active` without a work item. */
    work_item_type: string
    /** Name of the status. */
    currentStatus: string | null
    category: {
      id: number
      name: string
      description: string | null
      slug: string
    }
    /** User ids of voters for the item, newest first, at most 50. */
    votes: Array<string>
    /** Public comments, newest first, at most 50, with at most 40,000 characters together. */
    comments: Array<string>
    user: {
      firstName: string
      lastName: string
      email: string
    }
    tags: Array<{
      id: number
      key: string
      slug: string
    }>
    collections: Array<string>
    /** Status updates, newest first, at most 5. */
    status_updates: Array<ShownStatusUpdate>
    /** Name of the other system that has the record, or null. */
    source: string | null
    /** Id of the record in `source`, or null. */
    external_id: string | null
    /** Key of the item merged into this item. Null for a key that is limited to products and does not cover the product of this record. */
    merged: string | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackUnmergedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.unmerged"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    external_key: string
    /** Null for a key that is limited to products and does not cover the product of this record. */
    from: string | null
  } | {
    id: number
    type: "idea" | "issue"
    slug: string
    external_key: string
    title: string
    target_audience: string
    value_proposition: string
    /** Id of the category, or 0. */
    category_id: number
    short_description: null
    /** HTML. */
    long_description: string
    video_url: null
    icon_url: null
    /** Further values of the item, by name. */
    attributes: Record<string, string | number | boolean>
    /** Comma-separated download paths of the cover photos, below the address of this service. */
    cover_photo_url: string
    /** Ids of the cover photos. */
    cover_photos: Array<number>
    /** `pending`, `approved` or `rejected`; null for an item that was created without moderation. A rejected item accepts no votes and no comments. */
    visibility_level: string | null
    /** Null until a value is set. */
    is_voting_open: boolean | null
    voting_start_time: string | null
    voting_end_time: string | null
    product_id: number
    /** `true` for a pinned item. */
    is_pinned: true | null
    /** `true` if the author is hidden. */
    is_anonymous: true | null
    /** Null without a status. */
    status_id: number | null
    /** Id of the author; 0 if hidden. */
    user_id: number
    created_at: string
    updated_at: string
    /** Number of votes for the item. */
    vote: number
    /** Number of public comments. */
    comment: number
    /** 1 if the user of the key has voted, else 0. */
    haveIVoted: number
    /** Id of the work item made from the item. */
    work_item_internal_id: number | null
    /** Key of the work item, like EP-1. */
    work_item_external_id: string | null
    /** Type of the work item; `active` without a work item. */
    work_item_type: string
    /** Name of the status. */
    currentStatus: string | null
    category: {
      id: number
      name: string
      description: string | null
      slug: string
    }
    /** User ids of voters for the item, newest first, at most 50. */
    votes: Array<string>
    /** Public comments, newest first, at most 50, with at most 40,000 characters together. */
    comments: Array<string>
    user: {
      firstName: string
      lastName: string
      email: string
    }
    tags: Array<{
      id: number
      key: string
      slug: string
    }>
    collections: Array<string>
    /** Status updates, newest first, at most 5. */
    status_updates: Array<ShownStatusUpdate>
    /** Name of the other system that has the record, or null. */
    source: string | null
    /** Id of the record in `source`, or null. */
    external_id: string | null
    /** Key of the item unmerged from this item. Null for a key that is limited to products and does not cover the product of this record. */
    unmerged: string | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackPromotedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.promoted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackItem | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackSubscribedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.subscribed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    external_key: string
    /** Null for an anonymous item. */
    user_id: number | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackUnsubscribedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback.unsubscribed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    external_key: string
    /** Null for an anonymous item. */
    user_id: number | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type VoteCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "vote.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: VoteOfWorkspace | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type VoteUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "vote.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: VoteOfWorkspace | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type VoteDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "vote.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: VoteOfWorkspace | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CommentCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "comment.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackComment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CommentUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "comment.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackComment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CommentDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "comment.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackComment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CommentRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "comment.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackComment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackStatusCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback_status.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackStatus | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackStatusUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback_status.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackStatus | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackStatusDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback_status.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackStatus | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type FeedbackStatusRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "feedback_status.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackStatus | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CategoryCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "category.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackCategory | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CategoryUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "category.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackCategory | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CategoryDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "category.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackCategory | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CategoryRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "category.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FeedbackCategory | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ChangelogEntryCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "changelog_entry.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ChangelogEntryDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ChangelogEntryUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "changelog_entry.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ChangelogEntryDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ChangelogEntryDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "changelog_entry.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ChangelogEntryDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ChangelogEntryRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "changelog_entry.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ChangelogEntryDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ChangelogEntryPublishedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "changelog_entry.published"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ChangelogEntryDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ChangelogEntryUnpublishedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "changelog_entry.unpublished"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ChangelogEntryDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SegmentCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "segment.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FoundSegment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SegmentUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "segment.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FoundSegment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SegmentDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "segment.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FoundSegment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SegmentRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "segment.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: FoundSegment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SegmentUsersAddedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "segment.users_added"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SegmentUsersRemovedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "segment.users_removed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SegmentConfirmationsRequestedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "segment.confirmations_requested"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SegmentUsersConfirmedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "segment.users_confirmed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Member | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Member | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Member | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Member | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberInvitedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.invited"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberJoinedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.joined"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Member | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberUnsubscribedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.unsubscribed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    email: string | null
    /** Id of the segment whose mail the member has left; 0 for all mail. */
    segmentId: number
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

/** Mail that a member wants about changes. */
export type MailPreferences = {
  /** Id of the member. */
  id: number
  digest: "off" | "daily" | "weekly"
  /** Kinds of changes that the member gets no mail about. */
  stoppedKinds: Array<"status" | "release" | "reply" | "changelog" | "mention" | "assignment">
}

export type MemberMailPreferencesUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.mail_preferences_updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: MailPreferences | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberChangelogFollowedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.changelog_followed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    /** Id of the member. */
    id: number
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MemberChangelogLeftEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "member.changelog_left"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    /** Id of the member. */
    id: number
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ImportAcceptedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "import.accepted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ImportRun | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ImportCompletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "import.completed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ImportRun | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ImportFailedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "import.failed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ImportRun | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ImportCanceledEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "import.canceled"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ImportRun | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ImportUndoAcceptedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "import.undo_accepted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ImportRun | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ImportUndoneEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "import.undone"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ImportRun | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type EmailAcceptedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "email.accepted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Email | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type EmailCompletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "email.completed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Email | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type EmailCanceledEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "email.canceled"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Email | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SuppressionCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "suppression.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Suppression | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SuppressionDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "suppression.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Suppression | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MailProviderDownEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "mail_provider.down"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    provider: string
    since: string
    reason: string
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type MailProviderRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "mail_provider.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    provider: string
    since: string
    until: string
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type KpiCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "kpi.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: KpiDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type KpiUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "kpi.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: KpiDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type KpiDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "kpi.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: KpiDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type KpiRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "kpi.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: KpiDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type KpiRecordsInsertedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "kpi.records_inserted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    /** Rejected records of the request; 0 in its further events. */
    rejected: number
    /** With `mode=upsert`: the records replace all records of their times. */
    replaced?: true | undefined
    /** At most 1,000 records; a larger insert has several events. */
    records: Array<KpiRecord>
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type KpiRecordDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "kpi.record_deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: KpiRecord | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type KpiRecordsDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "kpi.records_deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    count: number
    /** At most 1,000 records; a larger removal has several events. */
    records: Array<KpiRecord>
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type KpiTargetReachedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "kpi.target_reached"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    /** Value of the latest record; for the `aggregate` `sum`, the sum of the last day (UTC), as in the trend. */
    value: string
    /** Time of the latest record. */
    createdAt: string
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type PersonaCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "persona.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: PersonaDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type PersonaUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "persona.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: PersonaDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type PersonaDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "persona.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: PersonaDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type PersonaRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "persona.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: PersonaDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type PersonaDocumentationUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "persona.documentation_updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Opportunity | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SummaryCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "summary.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Summary | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SummaryUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "summary.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Summary | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SummaryDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "summary.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Summary | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type SummaryRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "summary.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Summary | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type OpportunityCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "opportunity.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Opportunity | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type OpportunityUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "opportunity.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Opportunity | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type OpportunityDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "opportunity.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Opportunity | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type OpportunityRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "opportunity.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Opportunity | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExperimentCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "experiment.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ExperimentDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExperimentUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "experiment.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ExperimentDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExperimentDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "experiment.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ExperimentDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExperimentRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "experiment.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ExperimentDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExperimentStartedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "experiment.started"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ExperimentDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ExperimentStoppedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "experiment.stopped"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: ExperimentDetail | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type BoardSegmentCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "board_segment.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: BoardSegment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type BoardSegmentUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "board_segment.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: BoardSegment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type BoardSegmentDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "board_segment.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: BoardSegment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type BoardSegmentRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "board_segment.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: BoardSegment | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CustomFieldCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "custom_field.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: CustomField | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CustomFieldUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "custom_field.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: CustomField | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CustomFieldDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "custom_field.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: CustomField | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CustomFieldRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "custom_field.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: CustomField | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type CustomFieldPurgedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "custom_field.purged"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: CustomField | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TemplateCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "template.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Template | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TemplateUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "template.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Template | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TemplateDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "template.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Template | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type TemplateRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "template.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Template | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type DocumentCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "document.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Document | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type DocumentUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "document.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Document | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type DocumentDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "document.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Document | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type DocumentRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "document.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Document | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WebhookCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "webhook.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Webhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WebhookUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "webhook.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Webhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WebhookDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "webhook.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Webhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WebhookRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "webhook.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Webhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WebhookDisabledEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "webhook.disabled"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Webhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WebhookTestedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "webhook.tested"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Webhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WebhookReplayedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "webhook.replayed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    id: number
    from: string | null
    to: string | null
    eventId: number | null
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type WebhookSecretRotatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "webhook.secret_rotated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: Webhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type IncomingWebhookCreatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "incoming_webhook.created"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: IncomingWebhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type IncomingWebhookUpdatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "incoming_webhook.updated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: IncomingWebhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type IncomingWebhookDeletedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "incoming_webhook.deleted"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: IncomingWebhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type IncomingWebhookRestoredEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "incoming_webhook.restored"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: IncomingWebhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type IncomingWebhookReplayedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "incoming_webhook.replayed"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: {
    id: number
    receiptId: number
  } | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type IncomingWebhookSecretRotatedEvent = {
  /** Number of the event in its workspace, without gaps. */
  id: number
  type: "incoming_webhook.secret_rotated"
  actor: EventActor
  /** Null for events from before release 0.3.0. */
  origin: EventOrigin | null
  productId: number | null
  /** External key or id of the resource. */
  resourceKey: string
  /** The record at the time of the event; null if your key cannot read its area. */
  data: IncomingWebhook | Truncated | null
  /** Former values of the changed fields; null for names and addresses of people, which the log does not store. Null if `data` is null. */
  previous: Record<string, unknown> | null
  /** Null for an event without content. */
  cascade: EventCascade | null
  createdAt: string
}

export type ProductCreatedDelivery = {
  type: "product.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Product | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ProductUpdatedDelivery = {
  type: "product.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Product | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ProductDeletedDelivery = {
  type: "product.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Product | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ProductRestoredDelivery = {
  type: "product.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Product | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkspaceEraseScheduledDelivery = {
  type: "workspace.erase_scheduled"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    name: string
    eraseAt: string | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkspaceEraseCanceledDelivery = {
  type: "workspace.erase_canceled"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    name: string
    eraseAt: string | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkspaceRestoredDelivery = {
  type: "workspace.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    name: string
    exportId: number
    totals: {
      records: number
      files: number
    }
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SettingsUpdatedDelivery = {
  type: "settings.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Settings | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SignInSettingsUpdatedDelivery = {
  type: "sign_in_settings.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: SignInSettings | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type PortalUpdatedDelivery = {
  type: "portal.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: PortalSettings | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type PortalSecretRotatedDelivery = {
  type: "portal.secret_rotated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: PortalSettings | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TeamCreatedDelivery = {
  type: "team.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: TeamDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TeamUpdatedDelivery = {
  type: "team.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: TeamDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TeamDeletedDelivery = {
  type: "team.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: TeamDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TeamRestoredDelivery = {
  type: "team.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: TeamDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type UserCreatedDelivery = {
  type: "user.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: User | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type UserUpdatedDelivery = {
  type: "user.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: User | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type UserDeletedDelivery = {
  type: "user.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: User | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type UserRestoredDelivery = {
  type: "user.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: User | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ApiKeyCreatedDelivery = {
  type: "api_key.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ApiKey | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ApiKeyRevokedDelivery = {
  type: "api_key.revoked"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ApiKey | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SessionCreatedDelivery = {
  type: "session.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Session | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SessionRevokedDelivery = {
  type: "session.revoked"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Session | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExportCreatedDelivery = {
  type: "export.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkspaceExport | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExportCompletedDelivery = {
  type: "export.completed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkspaceExport | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExportFailedDelivery = {
  type: "export.failed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkspaceExport | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type AssetCreatedDelivery = {
  type: "asset.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Asset | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type AssetUpdatedDelivery = {
  type: "asset.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Asset | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type AssetDeletedDelivery = {
  type: "asset.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Asset | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type AssetRestoredDelivery = {
  type: "asset.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Asset | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

/** Names by which another system knows the item, its parents and its assignees, at the time of the attempt. */
export type EventLinks = {
  /** Present key of an item that was converted. */
  externalKey?: string | undefined
  /** Former keys of the item, the oldest first. */
  previousKeys?: Array<string> | undefined
  /** Ids of the item in other systems, by source. */
  externalIds?: Record<string, string> | undefined
  /** Ids of the epic in other systems, by source. */
  epicExternalIds?: Record<string, string> | undefined
  /** Ids of the feature in other systems, by source. */
  featureExternalIds?: Record<string, string> | undefined
  /** Addresses of the assignees, if the key of the webhook can read people. */
  assignees?: Array<string> | undefined
}

export type EpicCreatedDelivery = {
  type: "epic.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type EpicUpdatedDelivery = {
  type: "epic.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type EpicDeletedDelivery = {
  type: "epic.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type EpicRestoredDelivery = {
  type: "epic.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type FeatureCreatedDelivery = {
  type: "feature.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type FeatureUpdatedDelivery = {
  type: "feature.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type FeatureDeletedDelivery = {
  type: "feature.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type FeatureRestoredDelivery = {
  type: "feature.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type UserstoryCreatedDelivery = {
  type: "userstory.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type UserstoryUpdatedDelivery = {
  type: "userstory.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type UserstoryDeletedDelivery = {
  type: "userstory.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type UserstoryRestoredDelivery = {
  type: "userstory.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: WorkItemDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
  links?: EventLinks | undefined
}

export type StoryMapCreatedDelivery = {
  type: "story_map.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapUpdatedDelivery = {
  type: "story_map.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapDeletedDelivery = {
  type: "story_map.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapRestoredDelivery = {
  type: "story_map.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapStepsMovedDelivery = {
  type: "story_map.steps_moved"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    fromActivityId: number
    toActivityId: number
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapCardPlacedDelivery = {
  type: "story_map.card_placed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    externalKey: string
    stepId: number
    swimlaneId: number | null
    /** Key of the next card in the step; null for the last card. */
    beforeKey: string | null
    /** Key of the previous card in the step; null for the first card. */
    afterKey: string | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapCardRemovedDelivery = {
  type: "story_map.card_removed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    externalKey: string
    stepId: number
    swimlaneId: number | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapCardsMovedDelivery = {
  type: "story_map.cards_moved"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    fromStepId: number
    toStepId: number
  } | {
    count: number
    fromSwimlaneId: number
    toSwimlaneId: number | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapActivityCreatedDelivery = {
  type: "story_map_activity.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapActivity | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapActivityUpdatedDelivery = {
  type: "story_map_activity.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapActivity | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapActivityDeletedDelivery = {
  type: "story_map_activity.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapActivity | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapStepCreatedDelivery = {
  type: "story_map_step.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapStep | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapStepUpdatedDelivery = {
  type: "story_map_step.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapStep | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapStepDeletedDelivery = {
  type: "story_map_step.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapStep | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapSwimlaneCreatedDelivery = {
  type: "story_map_swimlane.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapSwimlane | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapSwimlaneUpdatedDelivery = {
  type: "story_map_swimlane.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapSwimlane | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type StoryMapSwimlaneDeletedDelivery = {
  type: "story_map_swimlane.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: StoryMapSwimlane | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SolutionVersionCreatedDelivery = {
  type: "solution_version.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: SolutionVersionDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SolutionVersionUpdatedDelivery = {
  type: "solution_version.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: SolutionVersionDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SolutionVersionDeletedDelivery = {
  type: "solution_version.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: SolutionVersionDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SolutionVersionRestoredDelivery = {
  type: "solution_version.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: SolutionVersionDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SolutionVersionReleasedDelivery = {
  type: "solution_version.released"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: SolutionVersionDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SolutionVersionUnreleasedDelivery = {
  type: "solution_version.unreleased"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: SolutionVersionDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkItemLinkCreatedDelivery = {
  type: "work_item_link.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    id: number
    type: "blocks" | "relates" | "duplicates"
    /** Null for a key that is limited to products and does not cover the product of this record. */
    from: string | null
    /** Null for a key that is limited to products and does not cover the product of this record. */
    to: string | null
    fromId: number
    toId: number
    createdAt: string
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkItemLinkDeletedDelivery = {
  type: "work_item_link.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    id: number
    type: "blocks" | "relates" | "duplicates"
    /** Null for a key that is limited to products and does not cover the product of this record. */
    from: string | null
    /** Null for a key that is limited to products and does not cover the product of this record. */
    to: string | null
    fromId: number
    toId: number
    createdAt: string
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkItemCommentCreatedDelivery = {
  type: "work_item_comment.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ItemComment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkItemCommentUpdatedDelivery = {
  type: "work_item_comment.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ItemComment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkItemCommentDeletedDelivery = {
  type: "work_item_comment.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ItemComment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WorkItemCommentRestoredDelivery = {
  type: "work_item_comment.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ItemComment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TagCreatedDelivery = {
  type: "tag.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Tag | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TagUpdatedDelivery = {
  type: "tag.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Tag | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TagDeletedDelivery = {
  type: "tag.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Tag | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TagRestoredDelivery = {
  type: "tag.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Tag | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackCreatedDelivery = {
  type: "feedback.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackItem | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackUpdatedDelivery = {
  type: "feedback.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackItem | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackDeletedDelivery = {
  type: "feedback.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackItem | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackRestoredDelivery = {
  type: "feedback.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackItem | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackVotedDelivery = {
  type: "feedback.voted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    external_key: string
    user_id: number | null
    type: "up" | "down" | "none"
    vote: number
    down_vote: number
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackStatusChangedDelivery = {
  type: "feedback.status_changed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    id: number
    external_key: string
    slug: string
    title: string
    /** Null without a status. */
    status_id: number | null
    /** Name of the status. */
    currentStatus: string | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackStatusUpdateCreatedDelivery = {
  type: "feedback.status_update_created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    id: number
    /** Name of the status at the time of the update. */
    status: string
    /** Plain text. */
    message: string | null
    notify: "later" | "now" | "none"
    user: {
      id: number
      firstName: string
      lastName: string
    }
    createdAt: string
    external_key: string
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackMergedDelivery = {
  type: "feedback.merged"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    external_key: string
    /** Null for a key that is limited to products and does not cover the product of this record. */
    into: string | null
  } | {
    id: number
    type: "idea" | "issue"
    slug: string
    external_key: string
    title: string
    target_audience: string
    value_proposition: string
    /** Id of the category, or 0. */
    category_id: number
    short_description: null
    /** HTML. */
    long_description: string
    video_url: null
    icon_url: null
    /** Further values of the item, by name. */
    attributes: Record<string, string | number | boolean>
    /** Comma-separated download paths of the cover photos, below the address of this service. */
    cover_photo_url: string
    /** Ids of the cover photos. */
    cover_photos: Array<number>
    /** `pending`, `approved` or `rejected`; null for an item that was created without moderation. A rejected item accepts no votes and no comments. */
    visibility_level: string | null
    /** Null until a value is set. */
    is_voting_open: boolean | null
    voting_start_time: string | null
    voting_end_time: string | null
    product_id: number
    /** `true` for a pinned item. */
    is_pinned: true | null
    /** `true` if the author is hidden. */
    is_anonymous: true | null
    /** Null without a status. */
    status_id: number | null
    /** Id of the author; 0 if hidden. */
    user_id: number
    created_at: string
    updated_at: string
    /** Number of votes for the item. */
    vote: number
    /** Number of public comments. */
    comment: number
    /** 1 if the user of the key has voted, else 0. */
    haveIVoted: number
    /** Id of the work item made from the item. */
    work_item_internal_id: number | null
    /** Key of the work item, like EP-1. */
    work_item_external_id: string | null
    /** Type of the work item; `active` without a work item. */
    work_item_type: string
    /** Name of the status. */
    currentStatus: string | null
    category: {
      id: number
      name: string
      description: string | null
      slug: string
    }
    /** User ids of voters for the item, newest first, at most 50. */
    votes: Array<string>
    /** Public comments, newest first, at most 50, with at most 40,000 characters together. */
    comments: Array<string>
    user: {
      firstName: string
      lastName: string
      email: string
    }
    tags: Array<{
      id: number
      key: string
      slug: string
    }>
    collections: Array<string>
    /** Status updates, newest first, at most 5. */
    status_updates: Array<ShownStatusUpdate>
    /** Name of the other system that has the record, or null. */
    source: string | null
    /** Id of the record in `source`, or null. */
    external_id: string | null
    /** Key of the item merged into this item. Null for a key that is limited to products and does not cover the product of this record. */
    merged: string | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackUnmergedDelivery = {
  type: "feedback.unmerged"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    external_key: string
    /** Null for a key that is limited to products and does not cover the product of this record. */
    from: string | null
  } | {
    id: number
    type: "idea" | "issue"
    slug: string
    external_key: string
    title: string
    target_audience: string
    value_proposition: string
    /** Id of the category, or 0. */
    category_id: number
    short_description: null
    /** HTML. */
    long_description: string
    video_url: null
    icon_url: null
    /** Further values of the item, by name. */
    attributes: Record<string, string | number | boolean>
    /** Comma-separated download paths of the cover photos, below the address of this service. */
    cover_photo_url: string
    /** Ids of the cover photos. */
    cover_photos: Array<number>
    /** `pending`, `approved` or `rejected`; null for an item that was created without moderation. A rejected item accepts no votes and no comments. */
    visibility_level: string | null
    /** Null until a value is set. */
    is_voting_open: boolean | null
    voting_start_time: string | null
    voting_end_time: string | null
    product_id: number
    /** `true` for a pinned item. */
    is_pinned: true | null
    /** `true` if the author is hidden. */
    is_anonymous: true | null
    /** Null without a status. */
    status_id: number | null
    /** Id of the author; 0 if hidden. */
    user_id: number
    created_at: string
    updated_at: string
    /** Number of votes for the item. */
    vote: number
    /** Number of public comments. */
    comment: number
    /** 1 if the user of the key has voted, else 0. */
    haveIVoted: number
    /** Id of the work item made from the item. */
    work_item_internal_id: number | null
    /** Key of the work item, like EP-1. */
    work_item_external_id: string | null
    /** Type of the work item; `active` without a work item. */
    work_item_type: string
    /** Name of the status. */
    currentStatus: string | null
    category: {
      id: number
      name: string
      description: string | null
      slug: string
    }
    /** User ids of voters for the item, newest first, at most 50. */
    votes: Array<string>
    /** Public comments, newest first, at most 50, with at most 40,000 characters together. */
    comments: Array<string>
    user: {
      firstName: string
      lastName: string
      email: string
    }
    tags: Array<{
      id: number
      key: string
      slug: string
    }>
    collections: Array<string>
    /** Status updates, newest first, at most 5. */
    status_updates: Array<ShownStatusUpdate>
    /** Name of the other system that has the record, or null. */
    source: string | null
    /** Id of the record in `source`, or null. */
    external_id: string | null
    /** Key of the item unmerged from this item. Null for a key that is limited to products and does not cover the product of this record. */
    unmerged: string | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackPromotedDelivery = {
  type: "feedback.promoted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackItem | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackSubscribedDelivery = {
  type: "feedback.subscribed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    external_key: string
    /** Null for an anonymous item. */
    user_id: number | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackUnsubscribedDelivery = {
  type: "feedback.unsubscribed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    external_key: string
    /** Null for an anonymous item. */
    user_id: number | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type VoteCreatedDelivery = {
  type: "vote.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: VoteOfWorkspace | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type VoteUpdatedDelivery = {
  type: "vote.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: VoteOfWorkspace | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type VoteDeletedDelivery = {
  type: "vote.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: VoteOfWorkspace | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CommentCreatedDelivery = {
  type: "comment.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackComment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CommentUpdatedDelivery = {
  type: "comment.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackComment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CommentDeletedDelivery = {
  type: "comment.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackComment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CommentRestoredDelivery = {
  type: "comment.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackComment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackStatusCreatedDelivery = {
  type: "feedback_status.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackStatus | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackStatusUpdatedDelivery = {
  type: "feedback_status.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackStatus | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackStatusDeletedDelivery = {
  type: "feedback_status.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackStatus | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type FeedbackStatusRestoredDelivery = {
  type: "feedback_status.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackStatus | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CategoryCreatedDelivery = {
  type: "category.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackCategory | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CategoryUpdatedDelivery = {
  type: "category.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackCategory | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CategoryDeletedDelivery = {
  type: "category.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackCategory | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CategoryRestoredDelivery = {
  type: "category.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FeedbackCategory | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ChangelogEntryCreatedDelivery = {
  type: "changelog_entry.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ChangelogEntryDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ChangelogEntryUpdatedDelivery = {
  type: "changelog_entry.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ChangelogEntryDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ChangelogEntryDeletedDelivery = {
  type: "changelog_entry.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ChangelogEntryDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ChangelogEntryRestoredDelivery = {
  type: "changelog_entry.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ChangelogEntryDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ChangelogEntryPublishedDelivery = {
  type: "changelog_entry.published"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ChangelogEntryDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ChangelogEntryUnpublishedDelivery = {
  type: "changelog_entry.unpublished"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ChangelogEntryDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SegmentCreatedDelivery = {
  type: "segment.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FoundSegment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SegmentUpdatedDelivery = {
  type: "segment.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FoundSegment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SegmentDeletedDelivery = {
  type: "segment.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FoundSegment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SegmentRestoredDelivery = {
  type: "segment.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: FoundSegment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SegmentUsersAddedDelivery = {
  type: "segment.users_added"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SegmentUsersRemovedDelivery = {
  type: "segment.users_removed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SegmentConfirmationsRequestedDelivery = {
  type: "segment.confirmations_requested"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SegmentUsersConfirmedDelivery = {
  type: "segment.users_confirmed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberCreatedDelivery = {
  type: "member.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Member | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberUpdatedDelivery = {
  type: "member.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Member | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberDeletedDelivery = {
  type: "member.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Member | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberRestoredDelivery = {
  type: "member.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Member | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberInvitedDelivery = {
  type: "member.invited"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    /** At most 1,000 users; a change of more users has several events. */
    userIds: Array<number>
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberJoinedDelivery = {
  type: "member.joined"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Member | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberUnsubscribedDelivery = {
  type: "member.unsubscribed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    email: string | null
    /** Id of the segment whose mail the member has left; 0 for all mail. */
    segmentId: number
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberMailPreferencesUpdatedDelivery = {
  type: "member.mail_preferences_updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: MailPreferences | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberChangelogFollowedDelivery = {
  type: "member.changelog_followed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    /** Id of the member. */
    id: number
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MemberChangelogLeftDelivery = {
  type: "member.changelog_left"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    /** Id of the member. */
    id: number
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ImportAcceptedDelivery = {
  type: "import.accepted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ImportRun | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ImportCompletedDelivery = {
  type: "import.completed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ImportRun | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ImportFailedDelivery = {
  type: "import.failed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ImportRun | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ImportCanceledDelivery = {
  type: "import.canceled"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ImportRun | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ImportUndoAcceptedDelivery = {
  type: "import.undo_accepted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ImportRun | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ImportUndoneDelivery = {
  type: "import.undone"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ImportRun | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type EmailAcceptedDelivery = {
  type: "email.accepted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Email | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type EmailCompletedDelivery = {
  type: "email.completed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Email | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type EmailCanceledDelivery = {
  type: "email.canceled"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Email | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SuppressionCreatedDelivery = {
  type: "suppression.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Suppression | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SuppressionDeletedDelivery = {
  type: "suppression.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Suppression | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MailProviderDownDelivery = {
  type: "mail_provider.down"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    provider: string
    since: string
    reason: string
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type MailProviderRestoredDelivery = {
  type: "mail_provider.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    provider: string
    since: string
    until: string
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type KpiCreatedDelivery = {
  type: "kpi.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: KpiDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type KpiUpdatedDelivery = {
  type: "kpi.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: KpiDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type KpiDeletedDelivery = {
  type: "kpi.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: KpiDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type KpiRestoredDelivery = {
  type: "kpi.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: KpiDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type KpiRecordsInsertedDelivery = {
  type: "kpi.records_inserted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    /** Rejected records of the request; 0 in its further events. */
    rejected: number
    /** With `mode=upsert`: the records replace all records of their times. */
    replaced?: true | undefined
    /** At most 1,000 records; a larger insert has several events. */
    records: Array<KpiRecord>
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type KpiRecordDeletedDelivery = {
  type: "kpi.record_deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: KpiRecord | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type KpiRecordsDeletedDelivery = {
  type: "kpi.records_deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    count: number
    /** At most 1,000 records; a larger removal has several events. */
    records: Array<KpiRecord>
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type KpiTargetReachedDelivery = {
  type: "kpi.target_reached"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    /** Value of the latest record; for the `aggregate` `sum`, the sum of the last day (UTC), as in the trend. */
    value: string
    /** Time of the latest record. */
    createdAt: string
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type PersonaCreatedDelivery = {
  type: "persona.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: PersonaDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type PersonaUpdatedDelivery = {
  type: "persona.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: PersonaDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type PersonaDeletedDelivery = {
  type: "persona.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: PersonaDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type PersonaRestoredDelivery = {
  type: "persona.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: PersonaDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type PersonaDocumentationUpdatedDelivery = {
  type: "persona.documentation_updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Opportunity | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SummaryCreatedDelivery = {
  type: "summary.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Summary | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SummaryUpdatedDelivery = {
  type: "summary.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Summary | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SummaryDeletedDelivery = {
  type: "summary.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Summary | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type SummaryRestoredDelivery = {
  type: "summary.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Summary | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type OpportunityCreatedDelivery = {
  type: "opportunity.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Opportunity | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type OpportunityUpdatedDelivery = {
  type: "opportunity.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Opportunity | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type OpportunityDeletedDelivery = {
  type: "opportunity.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Opportunity | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type OpportunityRestoredDelivery = {
  type: "opportunity.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Opportunity | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExperimentCreatedDelivery = {
  type: "experiment.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ExperimentDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExperimentUpdatedDelivery = {
  type: "experiment.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ExperimentDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExperimentDeletedDelivery = {
  type: "experiment.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ExperimentDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExperimentRestoredDelivery = {
  type: "experiment.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ExperimentDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExperimentStartedDelivery = {
  type: "experiment.started"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ExperimentDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type ExperimentStoppedDelivery = {
  type: "experiment.stopped"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: ExperimentDetail | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type BoardSegmentCreatedDelivery = {
  type: "board_segment.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: BoardSegment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type BoardSegmentUpdatedDelivery = {
  type: "board_segment.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: BoardSegment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type BoardSegmentDeletedDelivery = {
  type: "board_segment.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: BoardSegment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type BoardSegmentRestoredDelivery = {
  type: "board_segment.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: BoardSegment | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CustomFieldCreatedDelivery = {
  type: "custom_field.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: CustomField | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CustomFieldUpdatedDelivery = {
  type: "custom_field.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: CustomField | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CustomFieldDeletedDelivery = {
  type: "custom_field.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: CustomField | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CustomFieldRestoredDelivery = {
  type: "custom_field.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: CustomField | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type CustomFieldPurgedDelivery = {
  type: "custom_field.purged"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: CustomField | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TemplateCreatedDelivery = {
  type: "template.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Template | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TemplateUpdatedDelivery = {
  type: "template.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Template | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TemplateDeletedDelivery = {
  type: "template.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Template | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type TemplateRestoredDelivery = {
  type: "template.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Template | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type DocumentCreatedDelivery = {
  type: "document.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Document | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type DocumentUpdatedDelivery = {
  type: "document.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Document | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type DocumentDeletedDelivery = {
  type: "document.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Document | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type DocumentRestoredDelivery = {
  type: "document.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Document | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WebhookCreatedDelivery = {
  type: "webhook.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Webhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WebhookUpdatedDelivery = {
  type: "webhook.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Webhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WebhookDeletedDelivery = {
  type: "webhook.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Webhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WebhookRestoredDelivery = {
  type: "webhook.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Webhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WebhookDisabledDelivery = {
  type: "webhook.disabled"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Webhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WebhookTestedDelivery = {
  type: "webhook.tested"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Webhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WebhookReplayedDelivery = {
  type: "webhook.replayed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    id: number
    from: string | null
    to: string | null
    eventId: number | null
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type WebhookSecretRotatedDelivery = {
  type: "webhook.secret_rotated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: Webhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type IncomingWebhookCreatedDelivery = {
  type: "incoming_webhook.created"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: IncomingWebhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type IncomingWebhookUpdatedDelivery = {
  type: "incoming_webhook.updated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: IncomingWebhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type IncomingWebhookDeletedDelivery = {
  type: "incoming_webhook.deleted"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: IncomingWebhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type IncomingWebhookRestoredDelivery = {
  type: "incoming_webhook.restored"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: IncomingWebhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type IncomingWebhookReplayedDelivery = {
  type: "incoming_webhook.replayed"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: {
    id: number
    receiptId: number
  } | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

export type IncomingWebhookSecretRotatedDelivery = {
  type: "incoming_webhook.secret_rotated"
  /** Time of the event. */
  timestamp: string
  actor: EventActor
  origin: EventOrigin | null
  data: IncomingWebhook | Truncated
  /** Previous values of the changed fields. */
  previous?: Record<string, unknown> | undefined
  cascade?: EventCascade | undefined
}

/** Input, data and codes of each operation. */
export interface Operations {
  /** Create a product. */
  createProduct: {
    input: {
      body: CreateProduct
    }
    data: Product
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List products. */
  listProducts: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "name" | "description" | "color" | "status" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "name" | "description" | "color" | "status" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only products with this status, or with any of several separated by commas. Looks at 10,000 products per page: a page can be short or empty and still have a next page. */
      status?: "active" | "archived" | Array<"active" | "archived"> | undefined
    }
    data: Array<ListedProduct>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a product. */
  getProduct: {
    input: {
      /** The product's external key. */
      product_external_key: string
    }
    data: Product
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a product. */
  modifyProduct: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: ModifyProduct
    }
    data: Product
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a product. */
  removeProduct: {
    input: {
      /** The product's external key. */
      product_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed product. */
  restoreProduct: {
    input: {
      /** The product's external key. */
      product_external_key: string
    }
    data: Product
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Upload a file. */
  createAsset: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The file. */
      file: Upload
      fields?: {
        description?: string | undefined
        /** Type of the record that uses the file. */
        usedAt?: "epic" | "feature" | "userstory" | "feedback" | "persona" | "experiment" | "document" | undefined
      } | undefined
    }
    data: Asset
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List files. */
  listAssets: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "path" | "size" | "sizeType" | "userId" | "subscriptionId" | "initiativeId" | "usedAt" | "description" | "name" | "artifactId" | "status" | "createdAt" | "updatedAt" | "file" | "mime" | "sha256" | "deletedAt" | Array<"id" | "path" | "size" | "sizeType" | "userId" | "subscriptionId" | "initiativeId" | "usedAt" | "description" | "name" | "artifactId" | "status" | "createdAt" | "updatedAt" | "file" | "mime" | "sha256" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Files of the record with this external key. */
      artifactKey?: string | undefined
    }
    data: Array<ListedAsset>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a file's record. */
  getAsset: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The file's id. */
      assetId: number
    }
    data: Asset
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "asset_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a file's record. */
  modifyAsset: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The file's id. */
      assetId: number
      body: ModifyAsset
    }
    data: Asset
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "asset_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a file. */
  removeAsset: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The file's id. */
      assetId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "asset_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed file. */
  restoreAsset: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The file's id. */
      assetId: number
    }
    data: Asset
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "asset_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Download a file. */
  downloadAsset: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The file's id. */
      assetId: number
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "asset_not_found" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve the settings of the workspace. */
  getSettings: {
    input: Record<never, never>
    data: Settings
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify the settings of the workspace. */
  modifySettings: {
    input: {
      body: ModifySettings
    }
    data: Settings
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Preview mail about changes. */
  previewMail: {
    input: {
      body: PreviewMail
    }
    data: MailPreview
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve the settings of sign-ins. */
  getSignInSettings: {
    input: Record<never, never>
    data: SignInSettings
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify the settings of sign-ins. */
  modifySignInSettings: {
    input: {
      body: ModifySignInSettings
    }
    data: SignInSettings
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Erase the workspace. */
  eraseWorkspace: {
    input: {
      body: EraseWorkspace
    }
    data: WorkspaceErasure
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Cancel the erasure of the workspace. */
  restoreWorkspace: {
    input: Record<never, never>
    data: WorkspaceErasure
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve your user and API key. */
  getMe: {
    input: Record<never, never>
    data: Me
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a user. */
  createUser: {
    input: {
      body: CreateUser
    }
    data: User
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List users. */
  listUsers: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "email" | "-email" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "email" | "-email" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "email" | "firstName" | "lastName" | "role" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "email" | "firstName" | "lastName" | "role" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only users with this role, or with any of several separated by commas. Looks at 10,000 users per page: a page can be short or empty and still have a next page. */
      role?: "owner" | "admin" | "member" | "viewer" | "idm_member" | Array<"owner" | "admin" | "member" | "viewer" | "idm_member"> | undefined
      /** The user with this address. */
      email?: string | undefined
    }
    data: Array<ListedUser>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a user. */
  getUser: {
    input: {
      /** Id of the user. */
      userId: number
    }
    data: User
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "user_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a user. */
  modifyUser: {
    input: {
      /** Id of the user. */
      userId: number
      body: ModifyUser
    }
    data: User
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "user_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a user. */
  removeUser: {
    input: {
      /** Id of the user. */
      userId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "user_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed user. */
  restoreUser: {
    input: {
      /** Id of the user. */
      userId: number
    }
    data: User
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "user_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a team. */
  createTeam: {
    input: {
      body: CreateTeam
    }
    data: TeamDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List teams. */
  listTeams: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "name" | "-name" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "name" | "-name" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "color" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "name" | "color" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Beginnings of words in the name: a team must match each beginning. Looks at the newest 10,000 matches. */
      q?: string | undefined
    }
    data: Array<ListedTeam>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a team. */
  getTeam: {
    input: {
      /** Id of the team. */
      teamId: number
    }
    data: TeamDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "team_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a team. */
  modifyTeam: {
    input: {
      /** Id of the team. */
      teamId: number
      body: ModifyTeam
    }
    data: TeamDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "team_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a team. */
  removeTeam: {
    input: {
      /** Id of the team. */
      teamId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "team_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed team. */
  restoreTeam: {
    input: {
      /** Id of the team. */
      teamId: number
    }
    data: TeamDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "team_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create an API key. */
  createApiKey: {
    input: {
      body: CreateApiKey
    }
    data: NewApiKey
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List API keys. */
  listApiKeys: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "userId" | "scopes" | "products" | "createdAt" | "expiresAt" | "lastUsedAt" | "revokedAt" | "issuedBy" | "rotatedBy" | "kind" | "origins" | "publishableKey" | Array<"id" | "name" | "userId" | "scopes" | "products" | "createdAt" | "expiresAt" | "lastUsedAt" | "revokedAt" | "issuedBy" | "rotatedBy" | "kind" | "origins" | "publishableKey"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
    }
    data: Array<ApiKey>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve an API key. */
  getApiKey: {
    input: {
      /** Id of the key. */
      apiKeyId: number
    }
    data: ApiKey
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "api_key_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Revoke an API key. */
  revokeApiKey: {
    input: {
      /** Id of the key. */
      apiKeyId: number
      /** `true` revokes only this key: the keys that it created continue to work. */
      keepIssued?: "false" | "true" | undefined
    }
    data: ApiKey
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "api_key_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Rotate an API key. */
  rotateApiKey: {
    input: {
      /** Id of the key. */
      apiKeyId: number
      body?: RotateApiKey | undefined
    }
    data: NewApiKey
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "api_key_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List sessions. */
  listSessions: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "userId" | "createdAt" | "expiresAt" | "lastUsedAt" | "revokedAt" | "current" | Array<"id" | "name" | "userId" | "createdAt" | "expiresAt" | "lastUsedAt" | "revokedAt" | "current"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Sessions of this user. The default is your user; another user requires the scope `*`. */
      userId?: number | undefined
    }
    data: Array<Session>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a session. */
  getSession: {
    input: {
      /** Id of the session. */
      sessionId: number
    }
    data: Session
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "session_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** End a session. */
  endSession: {
    input: {
      /** Id of the session. */
      sessionId: number
    }
    data: Session
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "session_not_found" | "request_timeout" | "conflict" | "already_done" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Sign out. */
  signOut: {
    input: Record<never, never>
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List events. */
  listEvents: {
    input: {
      /** Events per page. */
      limit?: number | undefined
      /** Id of the last event that you have seen; 0 starts at the first kept event, or the newest. */
      after?: number | undefined
      /** Seconds to wait for a new event. Repeat the request with `after` to follow the log. */
      wait?: number | undefined
      /** `newest` begins with the last event, and `after` continues with older events. */
      order?: "oldest" | "newest" | undefined
      /** Only events of these types, separated by commas: `epic.created`, or `epic.*` for all events of a resource. Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page. */
      type?: "product.created" | "product.updated" | "product.deleted" | "product.restored" | "workspace.erase_scheduled" | "workspace.erase_canceled" | "workspace.restored" | "settings.updated" | "sign_in_settings.updated" | "portal.updated" | "portal.secret_rotated" | "team.created" | "team.updated" | "team.deleted" | "team.restored" | "user.created" | "user.updated" | "user.deleted" | "user.restored" | "api_key.created" | "api_key.revoked" | "session.created" | "session.revoked" | "export.created" | "export.completed" | "export.failed" | "asset.created" | "asset.updated" | "asset.deleted" | "asset.restored" | "epic.created" | "epic.updated" | "epic.deleted" | "epic.restored" | "feature.created" | "feature.updated" | "feature.deleted" | "feature.restored" | "userstory.created" | "userstory.updated" | "userstory.deleted" | "userstory.restored" | "story_map.created" | "story_map.updated" | "story_map.deleted" | "story_map.restored" | "story_map.steps_moved" | "story_map.card_placed" | "story_map.card_removed" | "story_map.cards_moved" | "story_map_activity.created" | "story_map_activity.updated" | "story_map_activity.deleted" | "story_map_step.created" | "story_map_step.updated" | "story_map_step.deleted" | "story_map_swimlane.created" | "story_map_swimlane.updated" | "story_map_swimlane.deleted" | "solution_version.created" | "solution_version.updated" | "solution_version.deleted" | "solution_version.restored" | "solution_version.released" | "solution_version.unreleased" | "work_item_link.created" | "work_item_link.deleted" | "work_item_comment.created" | "work_item_comment.updated" | "work_item_comment.deleted" | "work_item_comment.restored" | "tag.created" | "tag.updated" | "tag.deleted" | "tag.restored" | "feedback.created" | "feedback.updated" | "feedback.deleted" | "feedback.restored" | "feedback.voted" | "feedback.status_changed" | "feedback.status_update_created" | "feedback.merged" | "feedback.unmerged" | "feedback.promoted" | "feedback.subscribed" | "feedback.unsubscribed" | "vote.created" | "vote.updated" | "vote.deleted" | "comment.created" | "comment.updated" | "comment.deleted" | "comment.restored" | "feedback_status.created" | "feedback_status.updated" | "feedback_status.deleted" | "feedback_status.restored" | "category.created" | "category.updated" | "category.deleted" | "category.restored" | "changelog_entry.created" | "changelog_entry.updated" | "changelog_entry.deleted" | "changelog_entry.restored" | "changelog_entry.published" | "changelog_entry.unpublished" | "segment.created" | "segment.updated" | "segment.deleted" | "segment.restored" | "segment.users_added" | "segment.users_removed" | "segment.confirmations_requested" | "segment.users_confirmed" | "member.created" | "member.updated" | "member.deleted" | "member.restored" | "member.invited" | "member.joined" | "member.unsubscribed" | "member.mail_preferences_updated" | "member.changelog_followed" | "member.changelog_left" | "import.accepted" | "import.completed" | "import.failed" | "import.canceled" | "import.undo_accepted" | "import.undone" | "email.accepted" | "email.completed" | "email.canceled" | "suppression.created" | "suppression.deleted" | "mail_provider.down" | "mail_provider.restored" | "kpi.created" | "kpi.updated" | "kpi.deleted" | "kpi.restored" | "kpi.records_inserted" | "kpi.record_deleted" | "kpi.records_deleted" | "kpi.target_reached" | "persona.created" | "persona.updated" | "persona.deleted" | "persona.restored" | "persona.documentation_updated" | "summary.created" | "summary.updated" | "summary.deleted" | "summary.restored" | "opportunity.created" | "opportunity.updated" | "opportunity.deleted" | "opportunity.restored" | "experiment.created" | "experiment.updated" | "experiment.deleted" | "experiment.restored" | "experiment.started" | "experiment.stopped" | "board_segment.created" | "board_segment.updated" | "board_segment.deleted" | "board_segment.restored" | "custom_field.created" | "custom_field.updated" | "custom_field.deleted" | "custom_field.restored" | "custom_field.purged" | "template.created" | "template.updated" | "template.deleted" | "template.restored" | "document.created" | "document.updated" | "document.deleted" | "document.restored" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.restored" | "webhook.disabled" | "webhook.tested" | "webhook.replayed" | "webhook.secret_rotated" | "incoming_webhook.created" | "incoming_webhook.updated" | "incoming_webhook.deleted" | "incoming_webhook.restored" | "incoming_webhook.replayed" | "incoming_webhook.secret_rotated" | "product.*" | "workspace.*" | "settings.*" | "sign_in_settings.*" | "portal.*" | "team.*" | "user.*" | "api_key.*" | "session.*" | "export.*" | "asset.*" | "epic.*" | "feature.*" | "userstory.*" | "story_map.*" | "story_map_activity.*" | "story_map_step.*" | "story_map_swimlane.*" | "solution_version.*" | "work_item_link.*" | "work_item_comment.*" | "tag.*" | "feedback.*" | "vote.*" | "comment.*" | "feedback_status.*" | "category.*" | "changelog_entry.*" | "segment.*" | "member.*" | "import.*" | "email.*" | "suppression.*" | "mail_provider.*" | "kpi.*" | "persona.*" | "summary.*" | "opportunity.*" | "experiment.*" | "board_segment.*" | "custom_field.*" | "template.*" | "document.*" | "webhook.*" | "incoming_webhook.*" | "*" | Array<"product.created" | "product.updated" | "product.deleted" | "product.restored" | "workspace.erase_scheduled" | "workspace.erase_canceled" | "workspace.restored" | "settings.updated" | "sign_in_settings.updated" | "portal.updated" | "portal.secret_rotated" | "team.created" | "team.updated" | "team.deleted" | "team.restored" | "user.created" | "user.updated" | "user.deleted" | "user.restored" | "api_key.created" | "api_key.revoked" | "session.created" | "session.revoked" | "export.created" | "export.completed" | "export.failed" | "asset.created" | "asset.updated" | "asset.deleted" | "asset.restored" | "epic.created" | "epic.updated" | "epic.deleted" | "epic.restored" | "feature.created" | "feature.updated" | "feature.deleted" | "feature.restored" | "userstory.created" | "userstory.updated" | "userstory.deleted" | "userstory.restored" | "story_map.created" | "story_map.updated" | "story_map.deleted" | "story_map.restored" | "story_map.steps_moved" | "story_map.card_placed" | "story_map.card_removed" | "story_map.cards_moved" | "story_map_activity.created" | "story_map_activity.updated" | "story_map_activity.deleted" | "story_map_step.created" | "story_map_step.updated" | "story_map_step.deleted" | "story_map_swimlane.created" | "story_map_swimlane.updated" | "story_map_swimlane.deleted" | "solution_version.created" | "solution_version.updated" | "solution_version.deleted" | "solution_version.restored" | "solution_version.released" | "solution_version.unreleased" | "work_item_link.created" | "work_item_link.deleted" | "work_item_comment.created" | "work_item_comment.updated" | "work_item_comment.deleted" | "work_item_comment.restored" | "tag.created" | "tag.updated" | "tag.deleted" | "tag.restored" | "feedback.created" | "feedback.updated" | "feedback.deleted" | "feedback.restored" | "feedback.voted" | "feedback.status_changed" | "feedback.status_update_created" | "feedback.merged" | "feedback.unmerged" | "feedback.promoted" | "feedback.subscribed" | "feedback.unsubscribed" | "vote.created" | "vote.updated" | "vote.deleted" | "comment.created" | "comment.updated" | "comment.deleted" | "comment.restored" | "feedback_status.created" | "feedback_status.updated" | "feedback_status.deleted" | "feedback_status.restored" | "category.created" | "category.updated" | "category.deleted" | "category.restored" | "changelog_entry.created" | "changelog_entry.updated" | "changelog_entry.deleted" | "changelog_entry.restored" | "changelog_entry.published" | "changelog_entry.unpublished" | "segment.created" | "segment.updated" | "segment.deleted" | "segment.restored" | "segment.users_added" | "segment.users_removed" | "segment.confirmations_requested" | "segment.users_confirmed" | "member.created" | "member.updated" | "member.deleted" | "member.restored" | "member.invited" | "member.joined" | "member.unsubscribed" | "member.mail_preferences_updated" | "member.changelog_followed" | "member.changelog_left" | "import.accepted" | "import.completed" | "import.failed" | "import.canceled" | "import.undo_accepted" | "import.undone" | "email.accepted" | "email.completed" | "email.canceled" | "suppression.created" | "suppression.deleted" | "mail_provider.down" | "mail_provider.restored" | "kpi.created" | "kpi.updated" | "kpi.deleted" | "kpi.restored" | "kpi.records_inserted" | "kpi.record_deleted" | "kpi.records_deleted" | "kpi.target_reached" | "persona.created" | "persona.updated" | "persona.deleted" | "persona.restored" | "persona.documentation_updated" | "summary.created" | "summary.updated" | "summary.deleted" | "summary.restored" | "opportunity.created" | "opportunity.updated" | "opportunity.deleted" | "opportunity.restored" | "experiment.created" | "experiment.updated" | "experiment.deleted" | "experiment.restored" | "experiment.started" | "experiment.stopped" | "board_segment.created" | "board_segment.updated" | "board_segment.deleted" | "board_segment.restored" | "custom_field.created" | "custom_field.updated" | "custom_field.deleted" | "custom_field.restored" | "custom_field.purged" | "template.created" | "template.updated" | "template.deleted" | "template.restored" | "document.created" | "document.updated" | "document.deleted" | "document.restored" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.restored" | "webhook.disabled" | "webhook.tested" | "webhook.replayed" | "webhook.secret_rotated" | "incoming_webhook.created" | "incoming_webhook.updated" | "incoming_webhook.deleted" | "incoming_webhook.restored" | "incoming_webhook.replayed" | "incoming_webhook.secret_rotated" | "product.*" | "workspace.*" | "settings.*" | "sign_in_settings.*" | "portal.*" | "team.*" | "user.*" | "api_key.*" | "session.*" | "export.*" | "asset.*" | "epic.*" | "feature.*" | "userstory.*" | "story_map.*" | "story_map_activity.*" | "story_map_step.*" | "story_map_swimlane.*" | "solution_version.*" | "work_item_link.*" | "work_item_comment.*" | "tag.*" | "feedback.*" | "vote.*" | "comment.*" | "feedback_status.*" | "category.*" | "changelog_entry.*" | "segment.*" | "member.*" | "import.*" | "email.*" | "suppression.*" | "mail_provider.*" | "kpi.*" | "persona.*" | "summary.*" | "opportunity.*" | "experiment.*" | "board_segment.*" | "custom_field.*" | "template.*" | "document.*" | "webhook.*" | "incoming_webhook.*" | "*"> | undefined
      /** Only events of the product with this external key, also if the product is removed. Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page. */
      product?: string | undefined
      /** Only events of this user. Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page. */
      actor?: number | undefined
      /** Only events of the API key with this id. Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page. */
      apiKey?: number | undefined
      /** Only events of this origin: `import`, or `import:17` for one run. Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page. */
      origin?: string | undefined
      /** Only events at or after this time. Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page. */
      from?: string | undefined
      /** Only events before this time. Looks at 10,000 events per page, like every page for a key that is limited to products: a page can be short or empty and still have a next page. */
      to?: string | undefined
      /** Events of the resource with this external key or id, like EP-1. */
      key?: string | undefined
    }
    data: Array<Event>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "gone" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a webhook. */
  createWebhook: {
    input: {
      body: CreateWebhook
    }
    data: NewWebhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List webhooks. */
  listWebhooks: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "name" | "-name" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "name" | "-name" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "url" | "events" | "except" | "products" | "status" | "failures" | "lastError" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "name" | "url" | "events" | "except" | "products" | "status" | "failures" | "lastError" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
    }
    data: Array<ListedWebhook>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a webhook. */
  getWebhook: {
    input: {
      /** Id of the webhook. */
      webhookId: number
    }
    data: Webhook
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a webhook. */
  modifyWebhook: {
    input: {
      /** Id of the webhook. */
      webhookId: number
      body: ModifyWebhook
    }
    data: Webhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a webhook. */
  removeWebhook: {
    input: {
      /** Id of the webhook. */
      webhookId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a webhook. */
  restoreWebhook: {
    input: {
      /** Id of the webhook. */
      webhookId: number
    }
    data: Webhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Rotate the secret of a webhook. */
  rotateWebhookSecret: {
    input: {
      /** Id of the webhook. */
      webhookId: number
    }
    data: NewWebhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Test a webhook. */
  testWebhook: {
    input: {
      /** Id of the webhook. */
      webhookId: number
    }
    data: Delivery
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Replay the events of a time range. */
  replayWebhook: {
    input: {
      /** Id of the webhook. */
      webhookId: number
      body: ReplayWebhook
    }
    data: Webhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the deliveries of a webhook. */
  listWebhookDeliveries: {
    input: {
      /** Id of the webhook. */
      webhookId: number
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-id" | "id" | Array<"-id" | "id"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "eventId" | "type" | "status" | "attempts" | "nextAttemptAt" | "createdAt" | Array<"id" | "eventId" | "type" | "status" | "attempts" | "nextAttemptAt" | "createdAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only deliveries with this status, or with any of several separated by commas. Looks at 10,000 deliveries per page: a page can be short or empty and still have a next page. */
      status?: "pending" | "delivered" | "failed" | "discarded" | Array<"pending" | "delivered" | "failed" | "discarded"> | undefined
    }
    data: Array<Delivery>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a delivery of a webhook. */
  getWebhookDelivery: {
    input: {
      /** Id of the webhook. */
      webhookId: number
      /** Id of the delivery. */
      deliveryId: number
    }
    data: Delivery
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "webhook_delivery_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Replay a delivery. */
  replayWebhookDelivery: {
    input: {
      /** Id of the webhook. */
      webhookId: number
      /** Id of the delivery. */
      deliveryId: number
    }
    data: Delivery
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "webhook_not_found" | "webhook_delivery_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create an incoming webhook. */
  createIncomingWebhook: {
    input: {
      body: CreateIncomingWebhook
    }
    data: NewIncomingWebhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List incoming webhooks. */
  listIncomingWebhooks: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "provider" | "product" | "action" | "mapping" | "target" | "exceptAuthors" | "url" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "provider" | "product" | "action" | "mapping" | "target" | "exceptAuthors" | "url" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
    }
    data: Array<ListedIncomingWebhook>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve an incoming webhook. */
  getIncomingWebhook: {
    input: {
      /** Id of the incoming webhook. */
      incomingWebhookId: number
    }
    data: IncomingWebhook
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "incoming_webhook_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify an incoming webhook. */
  modifyIncomingWebhook: {
    input: {
      /** Id of the incoming webhook. */
      incomingWebhookId: number
      body: ModifyIncomingWebhook
    }
    data: IncomingWebhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "incoming_webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove an incoming webhook. */
  removeIncomingWebhook: {
    input: {
      /** Id of the incoming webhook. */
      incomingWebhookId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "incoming_webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore an incoming webhook. */
  restoreIncomingWebhook: {
    input: {
      /** Id of the incoming webhook. */
      incomingWebhookId: number
    }
    data: IncomingWebhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "incoming_webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Rotate the URL and the secret of an incoming webhook. */
  rotateIncomingWebhookSecret: {
    input: {
      /** Id of the incoming webhook. */
      incomingWebhookId: number
      body?: RotateIncomingWebhook | undefined
    }
    data: NewIncomingWebhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "incoming_webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Preview the effect of a payload. */
  testIncomingWebhook: {
    input: {
      /** Id of the incoming webhook. */
      incomingWebhookId: number
      body: TestIncomingWebhook
    }
    data: TestedIncomingWebhook
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "incoming_webhook_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the receipts of an incoming webhook. */
  listReceipts: {
    input: {
      /** Id of the incoming webhook. */
      incomingWebhookId: number
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "deliveryId" | "status" | "outcome" | "error" | "replayable" | "createdAt" | Array<"id" | "deliveryId" | "status" | "outcome" | "error" | "replayable" | "createdAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only receipts with this status, or with any of several separated by commas. Looks at 10,000 receipts per page: a page can be short or empty and still have a next page. */
      status?: "queued" | "processed" | "ignored" | "failed" | Array<"queued" | "processed" | "ignored" | "failed"> | undefined
    }
    data: Array<Receipt>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "incoming_webhook_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Replay a receipt. */
  replayReceipt: {
    input: {
      /** Id of the incoming webhook. */
      incomingWebhookId: number
      /** Id of the receipt. */
      receiptId: number
    }
    data: Receipt
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "incoming_webhook_not_found" | "incoming_receipt_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List import runs. */
  listImports: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "kind" | "segmentId" | "status" | "progress" | "totals" | "onConflict" | "file" | "problem" | "createdAt" | "updatedAt" | "completedAt" | Array<"id" | "kind" | "segmentId" | "status" | "progress" | "totals" | "onConflict" | "file" | "problem" | "createdAt" | "updatedAt" | "completedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
    }
    data: Array<Import>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve an import run, with its progress. */
  getImport: {
    input: {
      /** Id of the import run. */
      importId: number
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "import_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Download the rejected rows of an import. */
  downloadRejectedRows: {
    input: {
      /** Id of the import run. */
      importId: number
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "import_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Download the warnings of an import. */
  downloadImportWarnings: {
    input: {
      /** Id of the import run. */
      importId: number
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "import_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Cancel an import run. */
  cancelImport: {
    input: {
      /** Id of the import run. */
      importId: number
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "import_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Undo an import run. */
  undoImport: {
    input: {
      /** Id of the import run. */
      importId: number
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "import_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Export the workspace. */
  createExport: {
    input: {
      body?: CreateExport | undefined
    }
    data: WorkspaceExport
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List exports of the workspace. */
  listExports: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "kind" | "status" | "include" | "omitted" | "progress" | "totals" | "size" | "problem" | "expiresAt" | "createdAt" | "completedAt" | Array<"id" | "kind" | "status" | "include" | "omitted" | "progress" | "totals" | "size" | "problem" | "expiresAt" | "createdAt" | "completedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
    }
    data: Array<WorkspaceExport>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve an export, with its progress. */
  getExport: {
    input: {
      /** Id of the export. */
      exportId: number
    }
    data: WorkspaceExport
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "export_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Download the file of an export. */
  downloadExport: {
    input: {
      /** Id of the export. */
      exportId: number
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "export_not_found" | "conflict" | "gone" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore an export into an empty workspace. */
  restoreExport: {
    input: {
      /** The file. */
      file: Upload
    }
    data: WorkspaceExport
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "workspace_not_empty" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create an epic. */
  createEpic: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateEpic
    }
    data: WorkItemResult
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List epics. */
  listEpics: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "order" | "-order" | "updatedAt" | "-updatedAt" | "score" | "-score" | "businessValue" | "-businessValue" | "startDate" | "-startDate" | "endDate" | "-endDate" | Array<"-createdAt" | "createdAt" | "order" | "-order" | "updatedAt" | "-updatedAt" | "score" | "-score" | "businessValue" | "-businessValue" | "startDate" | "-startDate" | "endDate" | "-endDate"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "type" | "initiativeId" | "epicId" | "featureId" | "status" | "summary" | "color" | "progress" | "progressPercentage" | "firstChild" | "backlog" | "description" | "businessGoal" | "persona" | "teamId" | "userId" | "startDate" | "endDate" | "tags" | "urls" | "attributes" | "jiraId" | "jiraKey" | "externalProgress" | "estimate" | "businessValue" | "storyPoint" | "remainingTime" | "score" | "scoring" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "type" | "initiativeId" | "epicId" | "featureId" | "status" | "summary" | "color" | "progress" | "progressPercentage" | "firstChild" | "backlog" | "description" | "businessGoal" | "persona" | "teamId" | "userId" | "startDate" | "endDate" | "tags" | "urls" | "attributes" | "jiraId" | "jiraKey" | "externalProgress" | "estimate" | "businessValue" | "storyPoint" | "remainingTime" | "score" | "scoring" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Words, or their beginnings, in summary, description, tags or keys. An item must match each word. An item whose id in another system is the whole text is found too. Looks at the newest 10,000 matches. */
      q?: string | undefined
      /** Only items with this key in Jira. Looks at the items with this key. */
      jiraKey?: string | undefined
      /** Only items of the feature with this id; 0 for no feature. Looks at the items of the feature. */
      featureId?: number | undefined
      /** Only items of the epic with this id; 0 for no epic. Looks at the items of the epic. */
      epicId?: number | undefined
      /** Only items of this progress, or of any of several separated by commas: `to-do`, `in-progress`, `done`, or another progress that items have. A progress that has commas itself is found too. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      progress?: string | Array<string> | undefined
      /** Only items with this progress in the other system. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      externalProgress?: string | undefined
      /** Only items of the team with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      teamId?: number | undefined
      /** Only items of the user with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      userId?: number | undefined
      /** Only items for the persona with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      personaId?: number | undefined
      /** Only items with this tag, compared by slug. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      tag?: string | undefined
      /** Only items in the backlog, or only other items. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      backlog?: "true" | "false" | undefined
      /** Only records with this value of the attribute `<name>`, compared as text; up to 10 attributes, which must all match. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      [attribute: `attributes.${string}`]: string | undefined
      /** Only items changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order the filter looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
    }
    data: Array<ListedWorkItem>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify an epic. */
  modifyEpic: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The epic key, like EP-1. */
      epic_external_key: string
      /** Optional. Must be the id of the epic in the path. */
      epicId?: number | undefined
      body: ModifyEpic
    }
    data: WorkItemResult
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "epic_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve an epic. */
  getEpic: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The epic key, like EP-1. */
      epic_external_key: string
    }
    data: WorkItemDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "epic_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Remove an epic. */
  removeEpic: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The epic key, like EP-1. */
      epic_external_key: string
      /** `true` removes the items below too; `false` detaches the items. */
      cascade?: "true" | "false" | undefined
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "epic_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed epic. */
  restoreEpic: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The epic key, like EP-1. */
      epic_external_key: string
    }
    data: WorkItemDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "epic_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a feature. */
  createFeature: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateFeature
    }
    data: FeatureResult
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List features. */
  listFeatures: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "order" | "-order" | "updatedAt" | "-updatedAt" | "score" | "-score" | "businessValue" | "-businessValue" | "startDate" | "-startDate" | "endDate" | "-endDate" | Array<"-createdAt" | "createdAt" | "order" | "-order" | "updatedAt" | "-updatedAt" | "score" | "-score" | "businessValue" | "-businessValue" | "startDate" | "-startDate" | "endDate" | "-endDate"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "type" | "initiativeId" | "epicId" | "featureId" | "status" | "summary" | "color" | "progress" | "progressPercentage" | "firstChild" | "backlog" | "description" | "businessGoal" | "persona" | "teamId" | "userId" | "startDate" | "endDate" | "tags" | "urls" | "attributes" | "jiraId" | "jiraKey" | "externalProgress" | "estimate" | "businessValue" | "storyPoint" | "remainingTime" | "score" | "scoring" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "type" | "initiativeId" | "epicId" | "featureId" | "status" | "summary" | "color" | "progress" | "progressPercentage" | "firstChild" | "backlog" | "description" | "businessGoal" | "persona" | "teamId" | "userId" | "startDate" | "endDate" | "tags" | "urls" | "attributes" | "jiraId" | "jiraKey" | "externalProgress" | "estimate" | "businessValue" | "storyPoint" | "remainingTime" | "score" | "scoring" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Words, or their beginnings, in summary, description, tags or keys. An item must match each word. An item whose id in another system is the whole text is found too. Looks at the newest 10,000 matches. */
      q?: string | undefined
      /** Only items with this key in Jira. Looks at the items with this key. */
      jiraKey?: string | undefined
      /** Only items of the feature with this id; 0 for no feature. Looks at the items of the feature. */
      featureId?: number | undefined
      /** Only items of the epic with this id; 0 for no epic. Looks at the items of the epic. */
      epicId?: number | undefined
      /** Only items of this progress, or of any of several separated by commas: `to-do`, `in-progress`, `done`, or another progress that items have. A progress that has commas itself is found too. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      progress?: string | Array<string> | undefined
      /** Only items with this progress in the other system. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      externalProgress?: string | undefined
      /** Only items of the team with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      teamId?: number | undefined
      /** Only items of the user with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      userId?: number | undefined
      /** Only items for the persona with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      personaId?: number | undefined
      /** Only items with this tag, compared by slug. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      tag?: string | undefined
      /** Only items in the backlog, or only other items. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      backlog?: "true" | "false" | undefined
      /** Only records with this value of the attribute `<name>`, compared as text; up to 10 attributes, which must all match. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      [attribute: `attributes.${string}`]: string | undefined
      /** Only items changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order the filter looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
    }
    data: Array<ListedWorkItem>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a feature. */
  modifyFeature: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The feature key, like FE-1. */
      feature_external_key: string
      body: ModifyFeature
    }
    data: FeatureResult
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "feature_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a feature. */
  getFeature: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The feature key, like FE-1. */
      feature_external_key: string
    }
    data: WorkItemDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "feature_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Remove a feature. */
  removeFeature: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The feature key, like FE-1. */
      feature_external_key: string
      /** `true` removes the items below too; `false` detaches the items. */
      cascade?: "true" | "false" | undefined
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "feature_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed feature. */
  restoreFeature: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The feature key, like FE-1. */
      feature_external_key: string
    }
    data: WorkItemDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "feature_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a user story. */
  createUserStory: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateUserStory
    }
    data: WorkItemResult
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List user stories. */
  listUserStories: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "order" | "-order" | "updatedAt" | "-updatedAt" | "score" | "-score" | "businessValue" | "-businessValue" | "startDate" | "-startDate" | "endDate" | "-endDate" | Array<"-createdAt" | "createdAt" | "order" | "-order" | "updatedAt" | "-updatedAt" | "score" | "-score" | "businessValue" | "-businessValue" | "startDate" | "-startDate" | "endDate" | "-endDate"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "type" | "initiativeId" | "epicId" | "featureId" | "status" | "summary" | "color" | "progress" | "progressPercentage" | "firstChild" | "backlog" | "description" | "businessGoal" | "persona" | "teamId" | "userId" | "startDate" | "endDate" | "tags" | "urls" | "attributes" | "jiraId" | "jiraKey" | "externalProgress" | "estimate" | "businessValue" | "storyPoint" | "remainingTime" | "score" | "scoring" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "type" | "initiativeId" | "epicId" | "featureId" | "status" | "summary" | "color" | "progress" | "progressPercentage" | "firstChild" | "backlog" | "description" | "businessGoal" | "persona" | "teamId" | "userId" | "startDate" | "endDate" | "tags" | "urls" | "attributes" | "jiraId" | "jiraKey" | "externalProgress" | "estimate" | "businessValue" | "storyPoint" | "remainingTime" | "score" | "scoring" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Words, or their beginnings, in summary, description, tags or keys. An item must match each word. An item whose id in another system is the whole text is found too. Looks at the newest 10,000 matches. */
      q?: string | undefined
      /** Only items with this key in Jira. Looks at the items with this key. */
      jiraKey?: string | undefined
      /** Only items of the feature with this id; 0 for no feature. Looks at the items of the feature. */
      featureId?: number | undefined
      /** Only items of the epic with this id; 0 for no epic. Looks at the items of the epic. */
      epicId?: number | undefined
      /** Only items of this progress, or of any of several separated by commas: `to-do`, `in-progress`, `done`, or another progress that items have. A progress that has commas itself is found too. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      progress?: string | Array<string> | undefined
      /** Only items with this progress in the other system. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      externalProgress?: string | undefined
      /** Only items of the team with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      teamId?: number | undefined
      /** Only items of the user with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      userId?: number | undefined
      /** Only items for the persona with this id. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      personaId?: number | undefined
      /** Only items with this tag, compared by slug. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      tag?: string | undefined
      /** Only items in the backlog, or only other items. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      backlog?: "true" | "false" | undefined
      /** Only records with this value of the attribute `<name>`, compared as text; up to 10 attributes, which must all match. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      [attribute: `attributes.${string}`]: string | undefined
      /** Only items changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order the filter looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
    }
    data: Array<ListedWorkItem>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a user story. */
  modifyUserStory: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The user-story key, like US-1. */
      card_external_key: string
      body: ModifyUserStory
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "user_story_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a user story. */
  getUserStory: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The user-story key, like US-1. */
      card_external_key: string
    }
    data: WorkItemDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "user_story_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Remove a user story. */
  removeUserStory: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The user-story key, like US-1. */
      card_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "user_story_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed user story. */
  restoreUserStory: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The user-story key, like US-1. */
      card_external_key: string
    }
    data: WorkItemDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "user_story_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve the backlog as a tree. */
  getBacklog: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Number of levels. */
      depth?: number | undefined
      /** Comma-separated names of node fields. The children are always included. Without `fields`, a node has type, externalKey, id, summary, progress, progressPercentage, points, score. Only by name: userId, tags, versions, etag. */
      fields?: string | undefined
      /** Words, or their beginnings, in summary, description, tags or keys. An item must match each word. Looks at all matches; more than 10,000 matches are a 400. */
      q?: string | undefined
      /** Only items with this key in Jira. Looks at the items with this key. */
      jiraKey?: string | undefined
      /** Only items of the feature with this id; 0 for no feature. Looks at the items of the feature. */
      featureId?: number | undefined
      /** Only items of the epic with this id; 0 for no epic. Looks at the items of the epic. */
      epicId?: number | undefined
      /** Only items of this progress, or of any of several separated by commas: `to-do`, `in-progress`, `done`, or another progress that items have. A progress that has commas itself is found too. Looks at the whole product. */
      progress?: string | Array<string> | undefined
      /** Only items with this progress in the other system. Looks at the whole product. */
      externalProgress?: string | undefined
      /** Only items of the team with this id. Looks at the whole product. */
      teamId?: number | undefined
      /** Only items of the user with this id. Looks at the whole product. */
      userId?: number | undefined
      /** Only items for the persona with this id. Looks at the whole product. */
      personaId?: number | undefined
      /** Only items with this tag, compared by slug. Looks at the whole product. */
      tag?: string | undefined
      /** Only items in the backlog, or only other items. Looks at the whole product. */
      backlog?: "true" | "false" | undefined
      /** Only records with this value of the attribute `<name>`, compared as text; up to 10 attributes, which must all match. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      [attribute: `attributes.${string}`]: string | undefined
      /** Only items changed at or after this time. Looks at the whole product. */
      updatedSince?: string | undefined
    }
    data: Tree
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create, modify and remove many items at once. */
  bulkBacklog: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** `true` checks all operations and stores nothing (dry run). */
      dryRun?: "true" | "false" | undefined
      /** `true` stores nothing if an operation fails. */
      atomic?: "true" | "false" | undefined
      body: BulkBacklog
    }
    data: BulkDone
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create or modify an item by its id in another system. */
  upsertWorkItem: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Name of the other system. For `jira` the id is the `jiraId`. */
      source: string
      /** Id of the item in the other system. */
      external_id: string
      /** `merge` keeps the attributes of the item that you do not send. */
      attributes?: AttributesMode | undefined
      /** `add` keeps the tags of the item that you do not send. */
      tags?: "replace" | "add" | undefined
      body: UpsertWorkItem
    }
    data: WorkItemDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Export the backlog. */
  exportBacklog: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
      /** `comments` adds the comments of each item (the first 500 kB). Private comments are included for keys with the scope `products:read`, and your own private comments for your keys. */
      include?: "comments" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Import a backlog from a file. */
  importBacklog: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** `true`: dry run. Nothing is imported, and the response (200) shows the result of the import. */
      dryRun?: "false" | "true" | undefined
      /** Action for rows whose record exists: `skip` keeps the record, `update` changes the record. */
      onConflict?: "skip" | "update" | undefined
      /** Records to create for unknown names of the file, separated by commas: `statuses` and `categories` of feedback items, `tags`, `versions` (solution versions) and `segments`. The default is `tags`, and all of them for an export of this service. An unknown name that is not created is a warning. A key that is limited to products creates no statuses and no categories. */
      createMissing?: string | undefined
      /** `none`: the columns are matched by their names alone, as in a file of no known product. Without the parameter, the header decides. */
      preset?: "none" | undefined
      /** Order of day and month in dates like `03/04/2026`, for columns whose cells leave the order open. Without the parameter, the other columns of the file decide. */
      dates?: "dmy" | "mdy" | undefined
      /** The file. */
      file?: Upload | undefined
      fields?: {
        /** JSON that maps columns to fields or attributes: `{"column": "field"}`, `{"column": {"attribute": "name"}}`, `{"column": {"field": "role", "values": {"theirs": "ours"}}}`, `{"column": {"field": "summary", "level": 2}}` for a title that is below the last title of level 1, `null` to ignore a column, `{"field": "=value"}` for the same value in all rows. */
        mapping?: string | undefined
      } | undefined
      body?: ImportedItems | undefined
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve an epic, a feature or a user story. */
  getWorkItem: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
    }
    data: WorkItemDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** List the work items of all products. */
  listAllWorkItems: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "type" | "initiativeId" | "epicId" | "featureId" | "status" | "summary" | "color" | "progress" | "progressPercentage" | "firstChild" | "backlog" | "description" | "businessGoal" | "persona" | "teamId" | "userId" | "startDate" | "endDate" | "tags" | "urls" | "attributes" | "jiraId" | "jiraKey" | "externalProgress" | "estimate" | "businessValue" | "storyPoint" | "remainingTime" | "score" | "scoring" | "createdAt" | "updatedAt" | "productId" | "productKey" | "deletedAt" | Array<"id" | "externalKey" | "type" | "initiativeId" | "epicId" | "featureId" | "status" | "summary" | "color" | "progress" | "progressPercentage" | "firstChild" | "backlog" | "description" | "businessGoal" | "persona" | "teamId" | "userId" | "startDate" | "endDate" | "tags" | "urls" | "attributes" | "jiraId" | "jiraKey" | "externalProgress" | "estimate" | "businessValue" | "storyPoint" | "remainingTime" | "score" | "scoring" | "createdAt" | "updatedAt" | "productId" | "productKey" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only items of this type, or of any of several separated by commas. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      type?: "epic" | "feature" | "userstory" | Array<"epic" | "feature" | "userstory"> | undefined
      /** Only items of this progress, or of any of several separated by commas: `to-do`, `in-progress`, `done`, or another text. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      progress?: string | Array<string> | undefined
      /** Only items of the product with this external key. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      product?: string | undefined
      /** Only records with this value of the attribute `<name>`, compared as text; up to 10 attributes, which must all match. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      [attribute: `attributes.${string}`]: string | undefined
    }
    data: Array<ListedWorkItemOfWorkspace>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Move an item in its order or to another parent. */
  moveWorkItem: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
      body: MoveWorkItem
    }
    data: Place
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Convert an item to another type. */
  convertWorkItem: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
      body: ConvertWorkItem
    }
    data: Converted
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Score an item. */
  scoreWorkItem: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
      body: ScoreWorkItem
    }
    data: Score
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the links of an item. */
  listLinks: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
    }
    data: Array<Link>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Link an item to another item. */
  createLink: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
      body: CreateLink
    }
    data: Link
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a link. */
  removeLink: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
      /** Id of the link. */
      linkId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "work_item_link_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Comment on a work item. */
  addItemComment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
      body: AddComment
    }
    data: ItemComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the comments on a work item. */
  listItemComments: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | Array<"createdAt" | "-createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "workItemId" | "workItemKey" | "parentId" | "text" | "isPrivate" | "mentions" | "user" | "createdAt" | "updatedAt" | "deleted" | "source" | "externalId" | Array<"id" | "workItemId" | "workItemKey" | "parentId" | "text" | "isPrivate" | "mentions" | "user" | "createdAt" | "updatedAt" | "deleted" | "source" | "externalId"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
    }
    data: Array<ItemComment>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Reply to a comment on a work item. */
  replyToItemComment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the comment. */
      itemCommentId: number
      body: ReplyToComment
    }
    data: ItemComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a comment on a work item. */
  getItemComment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the comment. */
      itemCommentId: number
    }
    data: ItemComment
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "comment_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a comment on a work item. */
  modifyItemComment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the comment. */
      itemCommentId: number
      body: ModifyComment
    }
    data: ItemComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a comment on a work item. */
  removeItemComment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the comment. */
      itemCommentId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed comment on a work item. */
  restoreItemComment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the comment. */
      itemCommentId: number
    }
    data: ItemComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create or modify a comment on a work item by its id in another system. */
  upsertItemComment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Key of an epic, a feature or a user story, or a former key from before a conversion. */
      item_external_key: string
      /** Name of the other system. */
      source: string
      /** Id of the record in the other system. */
      externalId: string
      body: UpsertComment
    }
    data: ItemComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "work_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a story map. */
  createStoryMap: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateStoryMap
    }
    data: StoryMapDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List story maps. */
  listStoryMaps: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "title" | "description" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "title" | "description" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
    }
    data: Array<ListedStoryMap>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a story map. */
  getStoryMap: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
    }
    data: StoryMapDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a story map. */
  modifyStoryMap: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      body: ModifyStoryMap
    }
    data: StoryMapDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a story map. */
  removeStoryMap: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed story map. */
  restoreStoryMap: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
    }
    data: StoryMapDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Export a story map. */
  exportStoryMap: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
    }
    data: StoryMapDocument
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Import a story map. */
  importStoryMap: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: ImportStoryMap
    }
    data: StoryMapDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create an activity of a story map. */
  createStoryMapActivity: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      body: CreateStoryMapActivity
    }
    data: StoryMapActivity
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve an activity of a story map. */
  getStoryMapActivity: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the activity. */
      activityId: number
    }
    data: StoryMapActivity
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "activity_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify an activity of a story map. */
  modifyStoryMapActivity: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the activity. */
      activityId: number
      body: ModifyStoryMapActivity
    }
    data: StoryMapActivity
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "activity_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove an activity of a story map. */
  removeStoryMapActivity: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the activity. */
      activityId: number
      /** Id of another activity of the map, for the steps. */
      moveTo?: number | undefined
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "activity_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "in_use" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a step of a story map. */
  createStoryMapStep: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      body: CreateStoryMapStep
    }
    data: StoryMapStep
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a step of a story map. */
  getStoryMapStep: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the step. */
      stepId: number
    }
    data: StoryMapStep
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "step_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a step of a story map. */
  modifyStoryMapStep: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the step. */
      stepId: number
      body: ModifyStoryMapStep
    }
    data: StoryMapStep
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "step_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a step of a story map. */
  removeStoryMapStep: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the step. */
      stepId: number
      /** Id of another step of the map, for the cards. */
      moveTo?: number | undefined
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "step_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "in_use" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a swimlane of a story map. */
  createStoryMapSwimlane: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      body: CreateStoryMapSwimlane
    }
    data: StoryMapSwimlane
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a swimlane of a story map. */
  getStoryMapSwimlane: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the swimlane. */
      swimlaneId: number
    }
    data: StoryMapSwimlane
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "swimlane_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a swimlane of a story map. */
  modifyStoryMapSwimlane: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the swimlane. */
      swimlaneId: number
      body: ModifyStoryMapSwimlane
    }
    data: StoryMapSwimlane
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "swimlane_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a swimlane of a story map. */
  removeStoryMapSwimlane: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** Id of the swimlane. */
      swimlaneId: number
      /** Id of another swimlane of the map, for the cards. */
      moveTo?: number | undefined
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "swimlane_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Place a card on a story map. */
  placeStoryMapCard: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** The user-story key, like US-1. */
      map_card_external_key: string
      body: PlaceStoryMapCard
    }
    data: StoryMapCard
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "user_story_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a card from a story map. */
  removeStoryMapCard: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the story map. */
      storyMapId: number
      /** The user-story key, like US-1. */
      map_card_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "story_map_not_found" | "user_story_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a solution version. */
  createSolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateSolutionVersion
    }
    data: SolutionVersionDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List solution versions. */
  listSolutionVersions: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "releaseDate" | "-releaseDate" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "releaseDate" | "-releaseDate" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "initiativeId" | "name" | "description" | "status" | "startDate" | "releaseDate" | "releasedAt" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "initiativeId" | "name" | "description" | "status" | "startDate" | "releaseDate" | "releasedAt" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only versions of this status, or of any of several separated by commas. Looks at 10,000 versions per page: a page can be short or empty and still have a next page. */
      status?: "planned" | "in-progress" | "released" | "archived" | Array<"planned" | "in-progress" | "released" | "archived"> | undefined
    }
    data: Array<ListedSolutionVersion>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the solution versions. */
  exportSolutionVersions: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a solution version. */
  getSolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
      /** `itemDetails` adds the title, type, progress and points of each item. */
      include?: "itemDetails" | undefined
    }
    data: SolutionVersionDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a solution version. */
  modifySolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
      body: ModifySolutionVersion
    }
    data: SolutionVersionDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a solution version. */
  removeSolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed solution version. */
  restoreSolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
    }
    data: SolutionVersionDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Count the recipients of a release. */
  getReleaseAudience: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
    }
    data: ReleaseAudience
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Release a solution version. */
  releaseSolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
      body?: ReleaseSolutionVersion | undefined
    }
    data: SolutionVersionDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "unfinished_items" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Take a release back. */
  unreleaseSolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
    }
    data: SolutionVersionDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Archive a solution version. */
  archiveSolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
    }
    data: SolutionVersionDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Duplicate a solution version. */
  duplicateSolutionVersion: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the version, like SV-1. */
      solution_version_external_key: string
      body: DuplicateSolutionVersion
    }
    data: SolutionVersionDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "solution_version_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a tag. */
  createTag: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateTag
    }
    data: Tag
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List tags. */
  listTags: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "name" | "-name" | "updatedAt" | "-updatedAt" | Array<"name" | "-name" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "slug" | "color" | "usageCount" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "name" | "slug" | "color" | "usageCount" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
    }
    data: Array<ListedTag>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a tag. */
  getTag: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the tag. */
      tagId: number
    }
    data: Tag
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "tag_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a tag. */
  modifyTag: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the tag. */
      tagId: number
      body: ModifyTag
    }
    data: Tag
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "tag_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a tag. */
  removeTag: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the tag. */
      tagId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "tag_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed tag. */
  restoreTag: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the tag. */
      tagId: number
    }
    data: Tag
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "tag_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Merge a tag into another tag. */
  mergeTag: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Id of the tag. */
      tagId: number
      body: MergeTag
    }
    data: Tag
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "tag_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a feedback item. */
  createFeedbackItem: {
    input: {
      body: CreateFeedbackItem
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve feedback items. */
  listFeedbackItems: {
    input: {
      /** Records per page. Without a limit the page has up to 1,000 records or 4 MB; follow the `next` link for more. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order. `trending` sorts by the creation time plus a week for each factor of ten in the net votes (votes for minus votes against); negative net votes subtract weeks. This is the `hot` formula of Reddit (`_sorts.pyx`: sign × log10(max(|score|, 1)) + seconds / 45,000) with a week in place of 12.5 hours. For a key that is limited to products, `most-voted`, `trending`, `recently-updated` and `updatedAt` look at 10,000 items per page: a page may be short or empty and have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "newest" | "oldest" | "most-voted" | "trending" | "recently-updated" | "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"newest" | "oldest" | "most-voted" | "trending" | "recently-updated" | "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "type" | "slug" | "external_key" | "title" | "target_audience" | "value_proposition" | "category_id" | "short_description" | "long_description" | "video_url" | "icon_url" | "attributes" | "cover_photo_url" | "cover_photos" | "visibility_level" | "is_voting_open" | "voting_start_time" | "voting_end_time" | "product_id" | "is_pinned" | "is_anonymous" | "status_id" | "user_id" | "created_at" | "updated_at" | "vote" | "comment" | "haveIVoted" | "work_item_internal_id" | "work_item_external_id" | "work_item_type" | "currentStatus" | "category" | "votes" | "comments" | "user" | "tags" | "collections" | "status_updates" | "source" | "external_id" | "deleted_at" | Array<"id" | "type" | "slug" | "external_key" | "title" | "target_audience" | "value_proposition" | "category_id" | "short_description" | "long_description" | "video_url" | "icon_url" | "attributes" | "cover_photo_url" | "cover_photos" | "visibility_level" | "is_voting_open" | "voting_start_time" | "voting_end_time" | "product_id" | "is_pinned" | "is_anonymous" | "status_id" | "user_id" | "created_at" | "updated_at" | "vote" | "comment" | "haveIVoted" | "work_item_internal_id" | "work_item_external_id" | "work_item_type" | "currentStatus" | "category" | "votes" | "comments" | "user" | "tags" | "collections" | "status_updates" | "source" | "external_id" | "deleted_at"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Current or former slug of an item. An unknown slug gives an empty array. */
      slug?: string | undefined
      /** Search words; each must begin a word in the key, title or texts. An item whose id in another system is the whole text is found too. Looks at the newest 10,000 matches. */
      q?: string | undefined
      /** Only items of the product with this external key. */
      product?: string | undefined
      /** Only items of the category with this id or slug. For a key that is limited to products, the filter looks at 10,000 items per page. */
      category?: string | undefined
      /** Only items with this tag, compared by slug. Looks at 10,000 items per page: a page can be short or empty and still have a next page. */
      tag?: string | undefined
      /** Only items by the user with this id, without anonymous items. For a key that is limited to products, the filter looks at 10,000 items per page. */
      author?: number | undefined
      /** Only items of this type. Several values are separated by commas, and a page then looks at 10,000 items. For a key that is limited to products, the filter looks at 10,000 items per page. */
      type?: "idea" | "issue" | Array<"idea" | "issue"> | undefined
      /** Only items of the status with this name or id; a status with a comma in its name has only its id. Several values are separated by commas, and a page then looks at 10,000 items. An index serves the filter in the order of creation; in other orders the filter looks at 10,000 items per page, and a page can be short or empty and still have a next page. For a key that is limited to products, the filter looks at 10,000 items per page. */
      status?: string | Array<string> | undefined
      /** Only pinned items, or only items that are not pinned. An index serves pinned items in the order of creation; otherwise the filter looks at 10,000 items per page, and a page can be short or empty and still have a next page. */
      pinned?: "true" | "false" | undefined
      /** `true`: only items with a vote of the user of the key, among the newest 10,000 votes of the user. `false`: only items without such a vote; the filter looks at 10,000 items per page, and a page can be short or empty and still have a next page. */
      voted?: "true" | "false" | undefined
      /** Only records with this value of the attribute `<name>`, compared as text; up to 10 attributes, which must all match. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      [attribute: `attributes.${string}`]: string | undefined
      /** Only items changed at or after this time. An index serves the filter in the orders `updatedAt` and `recently-updated`; in other orders the filter looks at 10,000 items per page, and a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Only items of this level; `public` means approved or not moderated. Several values are separated by commas, and a page then looks at 10,000 items. An index serves pending items in the order of creation; otherwise the filter looks at 10,000 items per page, and a page can be short or empty and still have a next page. */
      visibility_level?: "pending" | "approved" | "rejected" | "public" | Array<"pending" | "approved" | "rejected" | "public"> | undefined
    }
    data: Array<ListedFeedbackItem>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a feedback item by its key. */
  getFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a feedback item. */
  modifyFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      body: ModifyFeedbackItem
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a feedback item. */
  removeFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** List similar feedback items. */
  listSimilarFeedbackItems: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      /** Maximum number of items. */
      limit?: number | undefined
    }
    data: Array<SimilarFeedbackItem>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create or modify a feedback item by its id in another system. */
  upsertFeedbackItem: {
    input: {
      /** Name of the other system. */
      source: string
      /** Id of the record in the other system. */
      externalId: string
      /** External key of the product. */
      product: string
      /** `add` keeps the tags of the item that you do not send. */
      tags?: "replace" | "add" | undefined
      body: UpsertFeedbackItem
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Restore a removed feedback item. */
  restoreFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Vote on a feedback item. */
  castVote: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      body: CastVote
    }
    data: Vote
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the voters of a feedback item. */
  listVoters: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "userId" | "email" | "type" | "createdAt" | Array<"userId" | "email" | "type" | "createdAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
    }
    data: Array<Voter>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** List the votes on all feedback items. */
  listAllVotes: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "feedbackKey" | "userId" | "type" | "createdAt" | Array<"feedbackKey" | "userId" | "type" | "createdAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only votes of the item with this key, which is not merged. */
      feedback?: string | undefined
      /** Only votes of the user with this id. */
      userId?: number | undefined
      /** Only votes for, or only votes against. Looks at 10,000 votes per page: a page can be short or empty and still have a next page. */
      type?: "up" | "down" | Array<"up" | "down"> | undefined
      /** Only votes with a `createdAt` at or after this time. A vote of another type has a new `createdAt`. */
      updatedSince?: string | undefined
    }
    data: Array<VoteOfWorkspace>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create many feedback items at once. */
  bulkCreateFeedbackItems: {
    input: {
      /** `true` checks all operations and stores nothing (dry run). */
      dryRun?: "true" | "false" | undefined
      /** `true` stores nothing if an operation fails. */
      atomic?: "true" | "false" | undefined
      body: BulkCreateFeedback
    }
    data: BulkDone
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Modify, remove and merge many feedback items at once. */
  bulkFeedbackItems: {
    input: {
      /** `true` checks all operations and stores nothing (dry run). */
      dryRun?: "true" | "false" | undefined
      /** `true` stores nothing if an operation fails. */
      atomic?: "true" | "false" | undefined
      body: BulkFeedback
    }
    data: BulkDone
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Export feedback items. */
  exportFeedbackItems: {
    input: {
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
      /** Comma-separated lists to add to each item: `votes` (at most 10,000, each with its `type`, `up` or `down`), `comments` (the first 500 kB) and `followers`. Private comments are included for keys with the scope `products:read`, and your own private comments for your keys. `followers` are the people who get mail about the item. `incomplete` names the lists of an item that lack entries. Without `include`, each item has only the numbers of votes and public comments. */
      include?: string | undefined
      /** Only items of the product with this external key. */
      product?: string | undefined
      /** Only items in which each word begins a word of the key, title or texts, among the newest 10,000 matches. */
      q?: string | undefined
      /** Only items of the statuses with these names or ids, separated by commas. */
      status?: string | Array<string> | undefined
      /** Only items with this tag, compared by slug. */
      tag?: string | undefined
      /** Only items of these levels, separated by commas; `public` means approved or not moderated. */
      visibility_level?: "pending" | "approved" | "rejected" | "public" | Array<"pending" | "approved" | "rejected" | "public"> | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Import feedback items from a file. */
  importFeedbackItems: {
    input: {
      /** `true`: dry run. Nothing is imported, and the response (200) shows the result of the import. */
      dryRun?: "false" | "true" | undefined
      /** Action for rows whose record exists: `skip` keeps the record, `update` changes the record. */
      onConflict?: "skip" | "update" | undefined
      /** Records to create for unknown names of the file, separated by commas: `statuses` and `categories` of feedback items, `tags`, `versions` (solution versions) and `segments`. The default is `tags`, and all of them for an export of this service. An unknown name that is not created is a warning. A key that is limited to products creates no statuses and no categories. */
      createMissing?: string | undefined
      /** `none`: the columns are matched by their names alone, as in a file of no known product. Without the parameter, the header decides. */
      preset?: "none" | undefined
      /** Order of day and month in dates like `03/04/2026`, for columns whose cells leave the order open. Without the parameter, the other columns of the file decide. */
      dates?: "dmy" | "mdy" | undefined
      /** External key of the product. */
      product: string
      /** The file. */
      file?: Upload | undefined
      fields?: {
        /** JSON that maps columns to fields or attributes: `{"column": "field"}`, `{"column": {"attribute": "name"}}`, `{"column": {"field": "role", "values": {"theirs": "ours"}}}`, `{"column": {"field": "summary", "level": 2}}` for a title that is below the last title of level 1, `null` to ignore a column, `{"field": "=value"}` for the same value in all rows. */
        mapping?: string | undefined
      } | undefined
      body?: ImportedFeedback | undefined
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Merge a feedback item into another. */
  mergeFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      body: MergeFeedbackItem
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Unmerge a feedback item. */
  unmergeFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the items merged into a feedback item. */
  listMergedFeedbackItems: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      /** Maximum number of items. */
      limit?: number | undefined
    }
    data: Array<MergedFeedbackItem>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Promote a feedback item to the backlog. */
  promoteFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      body: PromoteFeedbackItem
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Link a feedback item to an existing work item. */
  linkFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      body: LinkFeedbackItem
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Unlink a feedback item from its work item. */
  unlinkFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
    }
    data: FeedbackItem
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Post a status update on a feedback item. */
  createStatusUpdate: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      body: CreateStatusUpdate
    }
    data: StatusUpdate
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the status updates on a feedback item. */
  listStatusUpdates: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "status" | "message" | "notify" | "user" | "createdAt" | Array<"id" | "status" | "message" | "notify" | "user" | "createdAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
    }
    data: Array<StatusUpdate>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Count the recipients of a status update. */
  getStatusUpdateAudience: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
    }
    data: StatusUpdateAudience
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Subscribe to a feedback item. */
  subscribeToFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      body?: Subscribe | undefined
    }
    data: Subscription
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Unsubscribe from a feedback item. */
  unsubscribeFromFeedbackItem: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Comment on a feedback item. */
  addComment: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      body: AddComment
    }
    data: FeedbackComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the comments on a feedback item. */
  listComments: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "createdAt" | "-createdAt" | "updatedAt" | "-updatedAt" | Array<"createdAt" | "-createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "feedbackKey" | "parentId" | "text" | "isPrivate" | "mentions" | "user" | "createdAt" | "updatedAt" | "deleted" | "source" | "externalId" | Array<"id" | "feedbackKey" | "parentId" | "text" | "isPrivate" | "mentions" | "user" | "createdAt" | "updatedAt" | "deleted" | "source" | "externalId"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
    }
    data: Array<FeedbackComment>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** List the comments on all feedback items. */
  listAllComments: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "feedbackKey" | "parentId" | "text" | "isPrivate" | "mentions" | "user" | "createdAt" | "updatedAt" | "deleted" | "source" | "externalId" | Array<"id" | "feedbackKey" | "parentId" | "text" | "isPrivate" | "mentions" | "user" | "createdAt" | "updatedAt" | "deleted" | "source" | "externalId"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Only comments of the item with this key, which is not merged. */
      feedback?: string | undefined
      /** Only comments of the user with this id. Looks at 10,000 comments per page: a page can be short or empty and still have a next page. */
      userId?: number | undefined
    }
    data: Array<FeedbackComment>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Reply to a comment. */
  replyToComment: {
    input: {
      /** Id of the comment. */
      commentId: number
      body: ReplyToComment
    }
    data: FeedbackComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a comment. */
  getComment: {
    input: {
      /** Id of the comment. */
      commentId: number
    }
    data: FeedbackComment
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "comment_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a comment. */
  modifyComment: {
    input: {
      /** Id of the comment. */
      commentId: number
      body: ModifyComment
    }
    data: FeedbackComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a comment. */
  removeComment: {
    input: {
      /** Id of the comment. */
      commentId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed comment. */
  restoreComment: {
    input: {
      /** Id of the comment. */
      commentId: number
    }
    data: FeedbackComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create or modify a comment by its id in another system. */
  upsertComment: {
    input: {
      /** The key of the item. */
      feedback_external_key: string
      /** Name of the other system. */
      source: string
      /** Id of the record in the other system. */
      externalId: string
      body: UpsertComment
    }
    data: FeedbackComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a feedback category. */
  createFeedbackCategory: {
    input: {
      body: CreateFeedbackCategory
    }
    data: FeedbackCategory
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List feedback categories. */
  listFeedbackCategories: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "name" | "-name" | "updatedAt" | "-updatedAt" | Array<"name" | "-name" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "description" | "slug" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "name" | "description" | "slug" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
    }
    data: Array<ListedFeedbackCategory>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a feedback category. */
  getFeedbackCategory: {
    input: {
      /** Id of the category. */
      categoryId: number
    }
    data: FeedbackCategory
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "category_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a feedback category. */
  modifyFeedbackCategory: {
    input: {
      /** Id of the category. */
      categoryId: number
      body: ModifyFeedbackCategory
    }
    data: FeedbackCategory
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "category_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a feedback category. */
  removeFeedbackCategory: {
    input: {
      /** Id of the category. */
      categoryId: number
      /** Id of another category for the items. */
      moveTo?: number | undefined
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "category_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "in_use" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed feedback category. */
  restoreFeedbackCategory: {
    input: {
      /** Id of the category. */
      categoryId: number
    }
    data: FeedbackCategory
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "category_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Merge a feedback category into another. */
  mergeFeedbackCategory: {
    input: {
      /** Id of the category. */
      categoryId: number
      body: MergeFeedbackCategory
    }
    data: FeedbackCategory
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "category_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a feedback status. */
  createFeedbackStatus: {
    input: {
      body: CreateFeedbackStatus
    }
    data: FeedbackStatus
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List feedback statuses. */
  listFeedbackStatuses: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "order" | "-order" | "updatedAt" | "-updatedAt" | Array<"order" | "-order" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "slug" | "color" | "order" | "endsVoting" | "progress" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "name" | "slug" | "color" | "order" | "endsVoting" | "progress" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
    }
    data: Array<ListedFeedbackStatus>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a feedback status. */
  getFeedbackStatus: {
    input: {
      /** Id of the status. */
      statusId: number
    }
    data: FeedbackStatus
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_status_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a feedback status. */
  modifyFeedbackStatus: {
    input: {
      /** Id of the status. */
      statusId: number
      body: ModifyFeedbackStatus
    }
    data: FeedbackStatus
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_status_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a feedback status. */
  removeFeedbackStatus: {
    input: {
      /** Id of the status. */
      statusId: number
      /** Id of another status for the items. */
      moveTo?: number | undefined
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_status_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "in_use" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed feedback status. */
  restoreFeedbackStatus: {
    input: {
      /** Id of the status. */
      statusId: number
    }
    data: FeedbackStatus
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "feedback_status_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a changelog entry. */
  createChangelogEntry: {
    input: {
      body: CreateChangelogEntry
    }
    data: ChangelogEntryDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List changelog entries. */
  listChangelogEntries: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "-publishedAt" | "publishedAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "-publishedAt" | "publishedAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "title" | "content" | "labels" | "cover" | "product" | "status" | "notify" | "publishAt" | "publishedAt" | "source" | "externalId" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "title" | "content" | "labels" | "cover" | "product" | "status" | "notify" | "publishAt" | "publishedAt" | "source" | "externalId" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only entries of this status, or of any of several separated by commas. */
      status?: "draft" | "scheduled" | "published" | Array<"draft" | "scheduled" | "published"> | undefined
      /** Only entries of the product with this external key. */
      product?: string | undefined
      /** Only entries with this label. Looks at 10,000 entries per page: a page can be short or empty and still have a next page. */
      label?: string | undefined
      /** Only entries about the idea with this key. Looks at 10,000 entries per page: a page can be short or empty and still have a next page. */
      idea?: string | undefined
      /** Only entries about the solution version with this key. Looks at 10,000 entries per page: a page can be short or empty and still have a next page. */
      version?: string | undefined
      /** Words in the title, the labels or the text, or their beginnings. Looks at the newest 10,000 matches. */
      q?: string | undefined
    }
    data: Array<ListedChangelogEntry>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the changelog. */
  exportChangelogEntries: {
    input: {
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Import changelog entries from a file. */
  importChangelogEntries: {
    input: {
      /** `true`: dry run. Nothing is imported, and the response (200) shows the result of the import. */
      dryRun?: "false" | "true" | undefined
      /** Action for rows whose record exists: `skip` keeps the record, `update` changes the record. */
      onConflict?: "skip" | "update" | undefined
      /** Records to create for unknown names of the file, separated by commas: `statuses` and `categories` of feedback items, `tags`, `versions` (solution versions) and `segments`. The default is `tags`, and all of them for an export of this service. An unknown name that is not created is a warning. A key that is limited to products creates no statuses and no categories. */
      createMissing?: string | undefined
      /** `none`: the columns are matched by their names alone, as in a file of no known product. Without the parameter, the header decides. */
      preset?: "none" | undefined
      /** Order of day and month in dates like `03/04/2026`, for columns whose cells leave the order open. Without the parameter, the other columns of the file decide. */
      dates?: "dmy" | "mdy" | undefined
      /** External key of the product of entries without a product in the file. Default: all products. */
      product?: string | undefined
      /** The file. */
      file?: Upload | undefined
      fields?: {
        /** JSON that maps columns to fields or attributes: `{"column": "field"}`, `{"column": {"attribute": "name"}}`, `{"column": {"field": "role", "values": {"theirs": "ours"}}}`, `{"column": {"field": "summary", "level": 2}}` for a title that is below the last title of level 1, `null` to ignore a column, `{"field": "=value"}` for the same value in all rows. */
        mapping?: string | undefined
      } | undefined
      body?: ImportedChangelog | undefined
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Follow the changelog. */
  followChangelog: {
    input: {
      body?: FollowChangelog | undefined
    }
    data: ChangelogSubscription
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Stop following the changelog. */
  leaveChangelog: {
    input: Record<never, never>
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a changelog entry. */
  getChangelogEntry: {
    input: {
      /** The key of the entry. */
      changelog_external_key: string
    }
    data: ChangelogEntryDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "changelog_entry_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a changelog entry. */
  modifyChangelogEntry: {
    input: {
      /** The key of the entry. */
      changelog_external_key: string
      body: ModifyChangelogEntry
    }
    data: ChangelogEntryDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "changelog_entry_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a changelog entry. */
  removeChangelogEntry: {
    input: {
      /** The key of the entry. */
      changelog_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "changelog_entry_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed changelog entry. */
  restoreChangelogEntry: {
    input: {
      /** The key of the entry. */
      changelog_external_key: string
    }
    data: ChangelogEntryDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "changelog_entry_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Publish a changelog entry. */
  publishChangelogEntry: {
    input: {
      /** The key of the entry. */
      changelog_external_key: string
      body?: PublishChangelogEntry | undefined
    }
    data: ChangelogEntryDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "changelog_entry_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Take a changelog entry back. */
  unpublishChangelogEntry: {
    input: {
      /** The key of the entry. */
      changelog_external_key: string
    }
    data: ChangelogEntryDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "changelog_entry_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Search everything. */
  searchRecords: {
    input: {
      /** Search words. A record must contain each word, or a word that begins with the search word, regardless of case and accents. */
      q: string
      /** Maximum number of records. */
      limit?: number | undefined
    }
    data: Array<SearchResult>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a segment. */
  createSegment: {
    input: {
      body: CreateSegment
    }
    data: Segment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List segments, without their users. */
  listSegments: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "name" | "-name" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "name" | "-name" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "description" | "color" | "type" | "rules" | "doubleOptIn" | "userCount" | "countedAt" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "name" | "description" | "color" | "type" | "rules" | "doubleOptIn" | "userCount" | "countedAt" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only segments of this type. With both types, separated by commas, a page looks at 10,000 segments. */
      type?: "manual" | "dynamic" | Array<"manual" | "dynamic"> | undefined
    }
    data: Array<ListedSegment>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the segments. */
  exportSegments: {
    input: {
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** List segments with their users. */
  listSegmentsWithUsers: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "name" | "-name" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "name" | "-name" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "description" | "color" | "type" | "rules" | "doubleOptIn" | "userCount" | "countedAt" | "createdAt" | "updatedAt" | "users" | Array<"id" | "name" | "description" | "color" | "type" | "rules" | "doubleOptIn" | "userCount" | "countedAt" | "createdAt" | "updatedAt" | "users"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Only segments of this type. With both types, separated by commas, a page looks at 10,000 segments. */
      type?: "manual" | "dynamic" | Array<"manual" | "dynamic"> | undefined
    }
    data: Array<SegmentWithUsers>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a segment, with or without its users. */
  getSegment: {
    input: {
      /** Id of the segment. */
      segmentId: number
      /** `users` adds the newest members. */
      include?: "users" | undefined
    }
    data: FoundSegment
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a segment. */
  modifySegment: {
    input: {
      /** Id of the segment. */
      segmentId: number
      body: ModifySegment
    }
    data: Segment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a segment. */
  removeSegment: {
    input: {
      /** Id of the segment. */
      segmentId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed segment. */
  restoreSegment: {
    input: {
      /** Id of the segment. */
      segmentId: number
    }
    data: Segment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Preview a dynamic segment. */
  previewSegment: {
    input: {
      body: PreviewSegment
    }
    data: SegmentPreview
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the users of a segment. */
  listSegmentUsers: {
    input: {
      /** Id of the segment. */
      segmentId: number
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "email" | "firstName" | "lastName" | "role" | "attributes" | "segmentIds" | "invitation" | "source" | "externalId" | "createdAt" | "updatedAt" | Array<"id" | "email" | "firstName" | "lastName" | "role" | "attributes" | "segmentIds" | "invitation" | "source" | "externalId" | "createdAt" | "updatedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
    }
    data: Array<Member>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Add users to a segment. */
  createUsersInSegment: {
    input: {
      /** Id of the segment. */
      segmentId: number
      /** Whether new and returning people get an invitation by mail. Known people get none. */
      invite?: "true" | "false" | undefined
      body: CreateUsers
    }
    data: UsersAdded
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Add up to 10,000 users with attributes to a segment. */
  bulkCreateUsersInSegment: {
    input: {
      /** Id of the segment. */
      segmentId: number
      /** Whether new and returning people get an invitation by mail. Known people get none. */
      invite?: "true" | "false" | undefined
      body: BulkCreateUsers
    }
    data: UsersAdded
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Move users to another segment, or remove users from a segment. */
  manageSegmentUsers: {
    input: {
      body: ManageSegmentUsers
    }
    data: UsersManaged
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the confirmations of a segment. */
  listSegmentConfirmations: {
    input: {
      /** Id of the segment. */
      segmentId: number
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "userId" | "email" | "status" | "askedAt" | "confirmedAt" | Array<"userId" | "email" | "status" | "askedAt" | "confirmedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only members with this status, or with any of several separated by commas. Looks at 10,000 members per page: a page can be short or empty and still have a next page. */
      status?: "pending" | "confirmed" | Array<"pending" | "confirmed"> | undefined
    }
    data: Array<SegmentConfirmation>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Ask members of a segment for their confirmation again. */
  requestSegmentConfirmations: {
    input: {
      /** Id of the segment. */
      segmentId: number
      body: RequestSegmentConfirmations
    }
    data: ConfirmationsRequested
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Import users from a file into a segment. */
  importUsersIntoSegment: {
    input: {
      /** Id of the segment. */
      segmentId: number
      /** `true`: dry run. Nothing is imported, and the response (200) shows the result of the import. */
      dryRun?: "false" | "true" | undefined
      /** Action for rows whose record exists: `skip` keeps the record, `update` changes the record. */
      onConflict?: "skip" | "update" | undefined
      /** Records to create for unknown names of the file, separated by commas: `statuses` and `categories` of feedback items, `tags`, `versions` (solution versions) and `segments`. The default is `tags`, and all of them for an export of this service. An unknown name that is not created is a warning. A key that is limited to products creates no statuses and no categories. */
      createMissing?: string | undefined
      /** `none`: the columns are matched by their names alone, as in a file of no known product. Without the parameter, the header decides. */
      preset?: "none" | undefined
      /** Order of day and month in dates like `03/04/2026`, for columns whose cells leave the order open. Without the parameter, the other columns of the file decide. */
      dates?: "dmy" | "mdy" | undefined
      /** Whether new and returning people get an invitation by mail. Known people get none. */
      invite?: "true" | "false" | undefined
      /** The file. */
      file?: Upload | undefined
      fields?: {
        /** JSON that maps columns to fields or attributes: `{"column": "field"}`, `{"column": {"attribute": "name"}}`, `{"column": {"field": "role", "values": {"theirs": "ours"}}}`, `{"column": {"field": "summary", "level": 2}}` for a title that is below the last title of level 1, `null` to ignore a column, `{"field": "=value"}` for the same value in all rows. */
        mapping?: string | undefined
      } | undefined
      body?: ImportedPeople | undefined
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Send e-mail to all members of a segment. */
  sendSegmentEmail: {
    input: {
      /** Id of the segment. */
      segmentId: number
      body: SendEmail
    }
    data: Array<Addressee>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Preview an e-mail to a segment. */
  previewSegmentEmail: {
    input: {
      /** Id of the segment. */
      segmentId: number
      body: PreviewEmail
    }
    data: EmailPreview
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Send e-mail to selected idea-manager members. */
  sendMembersEmail: {
    input: {
      body: EmailMembers
    }
    data: Array<Addressee>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a member. */
  createMember: {
    input: {
      /** Whether new and returning people get an invitation by mail. Known people get none. */
      invite?: "true" | "false" | undefined
      body: CreateMember
    }
    data: Member
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List members. */
  listMembers: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "email" | "-email" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "email" | "-email" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "email" | "firstName" | "lastName" | "role" | "attributes" | "segmentIds" | "invitation" | "source" | "externalId" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "email" | "firstName" | "lastName" | "role" | "attributes" | "segmentIds" | "invitation" | "source" | "externalId" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Words to find: each begins a word of the names or the address. Looks at the newest 10,000 matches. */
      q?: string | undefined
      /** Only the member with this address. */
      email?: string | undefined
      /** Only records with this value of the attribute `<name>`, compared as text; up to 10 attributes, which must all match. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      [attribute: `attributes.${string}`]: string | undefined
      /** Only members with this role, or with any of several separated by commas. Looks at 10,000 people per page: a page can be short or empty and still have a next page. */
      role?: "owner" | "admin" | "member" | "viewer" | "idm_member" | Array<"owner" | "admin" | "member" | "viewer" | "idm_member"> | undefined
      /** Only members of the segment with this id. Looks at the members of a manual segment, or at all people of the workspace for a dynamic segment. */
      segmentId?: number | undefined
    }
    data: Array<ListedMember>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a member. */
  getMember: {
    input: {
      /** Id of the member, equal to the id of the user. */
      memberId: number
    }
    data: Member
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "member_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a member. */
  modifyMember: {
    input: {
      /** Id of the member, equal to the id of the user. */
      memberId: number
      body: ModifyMember
    }
    data: Member
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "member_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a member. */
  removeMember: {
    input: {
      /** Id of the member, equal to the id of the user. */
      memberId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "member_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create or modify a member by the id in another system. */
  upsertMember: {
    input: {
      /** Name of the other system. */
      source: string
      /** Id of the record in the other system. */
      externalId: string
      body: UpsertMember
    }
    data: Member
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Restore a removed member. */
  restoreMember: {
    input: {
      /** Id of the member, equal to the id of the user. */
      memberId: number
    }
    data: Member
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "member_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Erase a member for good. */
  eraseMember: {
    input: {
      /** Id of the member, equal to the id of the user. */
      memberId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "member_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export a member's data. */
  exportMember: {
    input: {
      /** Id of the member, equal to the id of the user. */
      memberId: number
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "member_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the members. */
  exportMembers: {
    input: {
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create up to 10,000 members. */
  bulkCreateMembers: {
    input: {
      /** Whether new and returning people get an invitation by mail. Known people get none. */
      invite?: "true" | "false" | undefined
      body: BulkCreateMembers
    }
    data: MembersCreated
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Invite members again. */
  reinviteMembers: {
    input: {
      body: ReinviteMembers
    }
    data: MembersReinvited
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Import idea-manager members from a file. */
  importMembers: {
    input: {
      /** `true`: dry run. Nothing is imported, and the response (200) shows the result of the import. */
      dryRun?: "false" | "true" | undefined
      /** Action for rows whose record exists: `skip` keeps the record, `update` changes the record. */
      onConflict?: "skip" | "update" | undefined
      /** Records to create for unknown names of the file, separated by commas: `statuses` and `categories` of feedback items, `tags`, `versions` (solution versions) and `segments`. The default is `tags`, and all of them for an export of this service. An unknown name that is not created is a warning. A key that is limited to products creates no statuses and no categories. */
      createMissing?: string | undefined
      /** `none`: the columns are matched by their names alone, as in a file of no known product. Without the parameter, the header decides. */
      preset?: "none" | undefined
      /** Order of day and month in dates like `03/04/2026`, for columns whose cells leave the order open. Without the parameter, the other columns of the file decide. */
      dates?: "dmy" | "mdy" | undefined
      /** Whether new and returning people get an invitation by mail. Known people get none. */
      invite?: "true" | "false" | undefined
      /** The file. */
      file?: Upload | undefined
      fields?: {
        /** JSON that maps columns to fields or attributes: `{"column": "field"}`, `{"column": {"attribute": "name"}}`, `{"column": {"field": "role", "values": {"theirs": "ours"}}}`, `{"column": {"field": "summary", "level": 2}}` for a title that is below the last title of level 1, `null` to ignore a column, `{"field": "=value"}` for the same value in all rows. */
        mapping?: string | undefined
      } | undefined
      body?: ImportedPeople | undefined
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Send a test of an e-mail. */
  sendTestEmail: {
    input: {
      body: SendTestEmail
    }
    data: Array<Addressee>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List mailings. */
  listEmails: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "kind" | "segmentId" | "subject" | "replyTo" | "status" | "totals" | "progress" | "scheduledAt" | "createdAt" | "updatedAt" | "completedAt" | Array<"id" | "kind" | "segmentId" | "subject" | "replyTo" | "status" | "totals" | "progress" | "scheduledAt" | "createdAt" | "updatedAt" | "completedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Only mailings to this segment. */
      segmentId?: number | undefined
      /** Only mailings of this kind, or of any of several separated by commas. Looks at all mailings. */
      kind?: "segment" | "members" | "test" | "invitation" | "confirmation" | "sign_in" | "feedback" | "release" | "notice" | "digest" | Array<"segment" | "members" | "test" | "invitation" | "confirmation" | "sign_in" | "feedback" | "release" | "notice" | "digest"> | undefined
      /** Only mailings with this status, or with any of several separated by commas. Looks at all mailings. */
      status?: "scheduled" | "queued" | "sending" | "completed" | "canceled" | Array<"scheduled" | "queued" | "sending" | "completed" | "canceled"> | undefined
    }
    data: Array<Email>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a mailing, with its totals and progress. */
  getEmail: {
    input: {
      /** Id of the mailing. */
      emailId: number
    }
    data: Email
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "email_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Cancel a mailing. */
  cancelEmail: {
    input: {
      /** Id of the mailing. */
      emailId: number
    }
    data: Email
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "email_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the recipients of a mailing, with the status of each message. */
  listEmailRecipients: {
    input: {
      /** Id of the mailing. */
      emailId: number
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "position" | "-position" | Array<"position" | "-position"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "position" | "userId" | "email" | "status" | "reason" | "providerId" | "updatedAt" | Array<"position" | "userId" | "email" | "status" | "reason" | "providerId" | "updatedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Only recipients with this status, or with any of several separated by commas. Looks at all recipients of the mailing. */
      status?: "queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled" | Array<"queued" | "sending" | "sent" | "delivered" | "bounced" | "complained" | "failed" | "suppressed" | "canceled"> | undefined
    }
    data: Array<EmailRecipient>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "email_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a recipient with the rendered message. */
  getEmailRecipient: {
    input: {
      /** Id of the mailing. */
      emailId: number
      /** Position of the recipient in the mailing, from 0. */
      position: number
    }
    data: RenderedMessage
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "email_not_found" | "recipient_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Stop mail to an address. */
  createSuppression: {
    input: {
      body: CreateSuppression
    }
    data: Suppression
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List suppressed addresses. */
  listSuppressions: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "email" | "segmentId" | "reason" | "createdAt" | Array<"id" | "email" | "segmentId" | "reason" | "createdAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only suppressions of this address. */
      email?: string | undefined
      /** Only suppressions of this segment. Looks at all suppressions. */
      segmentId?: number | undefined
      /** Only suppressions with this reason, or with any of several separated by commas. Looks at all suppressions. */
      reason?: "unsubscribe" | "hard_bounce" | "complaint" | "manual" | Array<"unsubscribe" | "hard_bounce" | "complaint" | "manual"> | undefined
    }
    data: Array<Suppression>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the suppressed addresses. */
  exportSuppressions: {
    input: {
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Import suppressed addresses from a file. */
  importSuppressions: {
    input: {
      /** `true`: dry run. Nothing is imported, and the response (200) shows the result of the import. */
      dryRun?: "false" | "true" | undefined
      /** Action for rows whose record exists: `skip` keeps the record, `update` changes the record. */
      onConflict?: "skip" | "update" | undefined
      /** Records to create for unknown names of the file, separated by commas: `statuses` and `categories` of feedback items, `tags`, `versions` (solution versions) and `segments`. The default is `tags`, and all of them for an export of this service. An unknown name that is not created is a warning. A key that is limited to products creates no statuses and no categories. */
      createMissing?: string | undefined
      /** `none`: the columns are matched by their names alone, as in a file of no known product. Without the parameter, the header decides. */
      preset?: "none" | undefined
      /** Order of day and month in dates like `03/04/2026`, for columns whose cells leave the order open. Without the parameter, the other columns of the file decide. */
      dates?: "dmy" | "mdy" | undefined
      /** The file. */
      file?: Upload | undefined
      fields?: {
        /** JSON that maps columns to fields or attributes: `{"column": "field"}`, `{"column": {"attribute": "name"}}`, `{"column": {"field": "role", "values": {"theirs": "ours"}}}`, `{"column": {"field": "summary", "level": 2}}` for a title that is below the last title of level 1, `null` to ignore a column, `{"field": "=value"}` for the same value in all rows. */
        mapping?: string | undefined
      } | undefined
      body?: ImportedSuppressions | undefined
    }
    data: ImportRun
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "bulk_rejected" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a suppression. */
  getSuppression: {
    input: {
      /** Id of the suppression. */
      suppressionId: number
    }
    data: Suppression
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "suppression_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Allow mail to an address again. */
  removeSuppression: {
    input: {
      /** Id of the suppression. */
      suppressionId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "suppression_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a KPI. */
  createKpi: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateKpi
    }
    data: KpiDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List KPIs not linked to a backlog work item. */
  listKpis: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. Without a limit the page has up to 1,000 records or 4 MB; follow the `next` link for more. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-order" | "order" | Array<"-order" | "order"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "title" | "externalKey" | "benchmark" | "benchmarkUnit" | "benchmarkType" | "initiativeId" | "dueDate" | "statement" | "createdAt" | "visualization" | "dashboardVisualization" | "kpi_revisions" | "order" | "deletedAt" | Array<"id" | "title" | "externalKey" | "benchmark" | "benchmarkUnit" | "benchmarkType" | "initiativeId" | "dueDate" | "statement" | "createdAt" | "visualization" | "dashboardVisualization" | "kpi_revisions" | "order" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Number of the newest records of each KPI. A page has at most 16,000 records, and fewer KPIs if necessary. Default: 100, or an equal share of 16,000 in a page of more than 160 KPIs. */
      revisions?: number | undefined
      /** KPIs without work items (`false`), with work items (`true`), or all KPIs. */
      linked?: "false" | "true" | "all" | undefined
    }
    data: Array<ListedKpi>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the KPIs. */
  exportKpis: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a KPI. */
  getKpi: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
      /** Number of the newest records of each KPI. */
      revisions?: number | undefined
    }
    data: KpiDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a KPI. */
  modifyKpi: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
      body: ModifyKpi
    }
    data: KpiDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a KPI. */
  removeKpi: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed KPI. */
  restoreKpi: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
    }
    data: KpiDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Insert KPI records from a CSV, JSON or NDJSON file, or as JSON. */
  insertKpiRecords: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
      /** `true`: dry run. Nothing is stored, and the response (200) shows the result of the insert. */
      dryRun?: "false" | "true" | undefined
      /** `upsert`: a record replaces all records of the KPI with the same `createdAt`. */
      mode?: "insert" | "upsert" | undefined
      /** `inserted` adds the ids of the new records. */
      include?: "inserted" | undefined
      /** The file. */
      file?: Upload | undefined
      body?: KpiRecords | undefined
    }
    data: KpiWithInsertedRecords
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the records of a KPI. */
  listKpiRecords: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Start of the range, inclusive. */
      from?: string | undefined
      /** End of the range, exclusive. */
      to?: string | undefined
      /** Single records, or one item for each day, week (from Monday) or month in UTC. */
      interval?: "raw" | "day" | "week" | "month" | undefined
    }
    data: Array<KpiRecord | KpiInterval>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the records of a KPI. */
  exportKpiRecords: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
      /** Start of the range, inclusive. */
      from?: string | undefined
      /** End of the range, exclusive. */
      to?: string | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Remove a record of a KPI. */
  removeKpiRecord: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
      /** The id of the record. */
      recordId: number
      /** Time of the record. Without a time, the operation looks at all records of the KPI. */
      createdAt?: string | undefined
      /** The id of the last record, to remove several records. */
      through?: number | undefined
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "kpi_record_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve the trend of a KPI. */
  getKpiTrend: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The KPI's external key. */
      kpi_external_key: string
      /** Start of the range, inclusive. Default: 90 days before the end. */
      from?: string | undefined
      /** End of the range, exclusive. Default: the end of today (UTC). */
      to?: string | undefined
    }
    data: KpiTrend
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "kpi_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a persona. */
  createPersona: {
    input: {
      body: CreatePersona
    }
    data: PersonaDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List personas. */
  listPersonas: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "name" | "occupation" | "quote" | "description" | "color" | "avatar" | "goals" | "pains" | "boardSegmentId" | "product" | "source" | "externalId" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "name" | "occupation" | "quote" | "description" | "color" | "avatar" | "goals" | "pains" | "boardSegmentId" | "product" | "source" | "externalId" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only personas in this segment of the board. */
      boardSegmentId?: number | undefined
    }
    data: Array<ListedPersona>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the personas. */
  exportPersonas: {
    input: {
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a persona. */
  getPersona: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
    }
    data: PersonaDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a persona. */
  modifyPersona: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      body: ModifyPersona
    }
    data: PersonaDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a persona. */
  removePersona: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create or modify a persona by its id in another system. */
  upsertPersona: {
    input: {
      /** Name of the other system. */
      source: string
      /** Id of the record in the other system. */
      externalId: string
      body: UpsertPersona
    }
    data: PersonaDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Restore a removed persona. */
  restorePersona: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
    }
    data: PersonaDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Add a summary to a persona. */
  createSummary: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      body: CreateSummary
    }
    data: Summary
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List a persona's summaries. */
  listSummaries: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "type" | "text" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "type" | "text" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only summaries of this type, or of any of several separated by commas. Looks at 10,000 summaries per page: a page can be short or empty and still have a next page. */
      type?: "pain" | "gain" | "job" | "note" | Array<"pain" | "gain" | "job" | "note"> | undefined
    }
    data: Array<ListedSummary>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a persona's summary. */
  getSummary: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      /** The id of the summary. */
      summaryId: number
    }
    data: Summary
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "summary_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a persona's summary. */
  modifySummary: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      /** The id of the summary. */
      summaryId: number
      body: ModifySummary
    }
    data: Summary
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "summary_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a persona's summary. */
  removeSummary: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      /** The id of the summary. */
      summaryId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "summary_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a persona's removed summary. */
  restoreSummary: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      /** The id of the summary. */
      summaryId: number
    }
    data: Summary
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "summary_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create an opportunity from a persona summary. */
  createOpportunity: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      /** The id of the summary. */
      summaryId: number
      body: CreateOpportunity
    }
    data: Opportunity
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "summary_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List a persona's opportunities. */
  listOpportunities: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "summary" | "description" | "externalKey" | "userId" | "color" | "urls" | "spread" | "intensity" | "progress" | "status" | "teamId" | "subscriptionId" | "initiativeId" | "wikiPageId" | "order" | "planOrder" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "summary" | "description" | "externalKey" | "userId" | "color" | "urls" | "spread" | "intensity" | "progress" | "status" | "teamId" | "subscriptionId" | "initiativeId" | "wikiPageId" | "order" | "planOrder" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
    }
    data: Array<ListedOpportunity>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve an opportunity. */
  getOpportunity: {
    input: {
      /** The key of the opportunity. */
      opportunity_external_key: string
    }
    data: Opportunity
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "opportunity_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify an opportunity. */
  modifyOpportunity: {
    input: {
      /** The key of the opportunity. */
      opportunity_external_key: string
      body: ModifyOpportunity
    }
    data: Opportunity
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "opportunity_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove an opportunity. */
  removeOpportunity: {
    input: {
      /** The key of the opportunity. */
      opportunity_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "opportunity_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed opportunity. */
  restoreOpportunity: {
    input: {
      /** The key of the opportunity. */
      opportunity_external_key: string
    }
    data: Opportunity
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "opportunity_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a persona's notes. */
  getDocumentation: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
    }
    data: Opportunity
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Write a persona's notes. */
  modifyDocumentation: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      body: ModifyDocumentation
    }
    data: Opportunity
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create an experiment. */
  createExperiment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateExperiment
    }
    data: ExperimentDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List experiments. */
  listExperiments: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "initiativeId" | "title" | "hypothesis" | "method" | "successCriteria" | "targetValue" | "actualValue" | "status" | "result" | "decision" | "learnings" | "kpi" | "opportunity" | "startedAt" | "stoppedAt" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "initiativeId" | "title" | "hypothesis" | "method" | "successCriteria" | "targetValue" | "actualValue" | "status" | "result" | "decision" | "learnings" | "kpi" | "opportunity" | "startedAt" | "stoppedAt" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only experiments with this status. With several values, separated by commas, a page looks at 10,000 experiments. */
      status?: "draft" | "running" | "stopped" | Array<"draft" | "running" | "stopped"> | undefined
    }
    data: Array<ListedExperiment>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the experiments. */
  exportExperiments: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve an experiment. */
  getExperiment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the experiment. */
      experiment_external_key: string
    }
    data: ExperimentDetail
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "experiment_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify an experiment. */
  modifyExperiment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the experiment. */
      experiment_external_key: string
      body: ModifyExperiment
    }
    data: ExperimentDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "experiment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove an experiment. */
  removeExperiment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the experiment. */
      experiment_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "experiment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed experiment. */
  restoreExperiment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the experiment. */
      experiment_external_key: string
    }
    data: ExperimentDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "experiment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Start an experiment. */
  startExperiment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the experiment. */
      experiment_external_key: string
    }
    data: ExperimentDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "experiment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Stop an experiment. */
  stopExperiment: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the experiment. */
      experiment_external_key: string
      body: StopExperiment
    }
    data: ExperimentDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "experiment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the experiments about a persona. */
  listPersonaExperiments: {
    input: {
      /** The key of the persona. */
      persona_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. */
      sort?: "-createdAt" | "createdAt" | Array<"-createdAt" | "createdAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "initiativeId" | "title" | "hypothesis" | "method" | "successCriteria" | "targetValue" | "actualValue" | "status" | "result" | "decision" | "learnings" | "kpi" | "opportunity" | "startedAt" | "stoppedAt" | "createdAt" | "updatedAt" | Array<"id" | "externalKey" | "initiativeId" | "title" | "hypothesis" | "method" | "successCriteria" | "targetValue" | "actualValue" | "status" | "result" | "decision" | "learnings" | "kpi" | "opportunity" | "startedAt" | "stoppedAt" | "createdAt" | "updatedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. Looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
    }
    data: Array<Experiment>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "persona_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a segment of the persona board. */
  createBoardSegment: {
    input: {
      body: CreateBoardSegment
    }
    data: BoardSegment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the segments of the persona board. */
  listBoardSegments: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "order" | "-order" | "updatedAt" | "-updatedAt" | Array<"order" | "-order" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "color" | "order" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "name" | "color" | "order" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
    }
    data: Array<ListedBoardSegment>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a segment of the persona board. */
  getBoardSegment: {
    input: {
      /** The id of the segment of the persona board. */
      boardSegmentId: number
    }
    data: BoardSegment
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "board_segment_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a segment of the persona board. */
  modifyBoardSegment: {
    input: {
      /** The id of the segment of the persona board. */
      boardSegmentId: number
      body: ModifyBoardSegment
    }
    data: BoardSegment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "board_segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a segment of the persona board. */
  removeBoardSegment: {
    input: {
      /** The id of the segment of the persona board. */
      boardSegmentId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "board_segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed segment of the persona board. */
  restoreBoardSegment: {
    input: {
      /** The id of the segment of the persona board. */
      boardSegmentId: number
    }
    data: BoardSegment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "board_segment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a custom field of personas. */
  createCustomField: {
    input: {
      body: CreateCustomField
    }
    data: CustomField
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the custom fields of personas. */
  listCustomFields: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "order" | "-order" | "updatedAt" | "-updatedAt" | Array<"order" | "-order" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "name" | "type" | "required" | "order" | "options" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "name" | "type" | "required" | "order" | "options" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Leaves out the custom fields of this persona. Looks at all custom fields. */
      excludePersona?: string | undefined
    }
    data: Array<ListedCustomField>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a custom field of personas. */
  getCustomField: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
    }
    data: CustomField
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a custom field of personas. */
  modifyCustomField: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
      body: ModifyCustomField
    }
    data: CustomField
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Archive a custom field of personas. */
  removeCustomField: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore an archived custom field of personas. */
  restoreCustomField: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
    }
    data: CustomField
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Delete a custom field of personas permanently. */
  purgeCustomField: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Add an option to a custom field. */
  createCustomFieldOption: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
      body: GivenOption
    }
    data: CustomFieldOption
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Rename an option of a custom field. */
  modifyCustomFieldOption: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
      /** The id of the option. */
      optionId: number
      body: GivenOption
    }
    data: CustomFieldOption
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "option_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove an option of a custom field. */
  removeCustomFieldOption: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
      /** The id of the option. */
      optionId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "option_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "in_use" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Attach a custom field to a persona. */
  attachCustomField: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
      /** The key of the persona. */
      persona_external_key: string
    }
    data: PersonaDetail
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "persona_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Detach a custom field from a persona. */
  detachCustomField: {
    input: {
      /** The id of the custom field. */
      customFieldId: number
      /** The key of the persona. */
      persona_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "custom_field_not_found" | "persona_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Create a document template. */
  createTemplate: {
    input: {
      body: CreateTemplate
    }
    data: Template
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List document templates. */
  listTemplates: {
    input: {
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "title" | "category" | "content" | "variables" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "title" | "category" | "content" | "variables" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Only templates of this category. */
      category?: string | undefined
    }
    data: Array<ListedTemplate>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a document template. */
  getTemplate: {
    input: {
      /** The id of the template. */
      templateId: number
    }
    data: Template
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "template_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a document template. */
  modifyTemplate: {
    input: {
      /** The id of the template. */
      templateId: number
      body: ModifyTemplate
    }
    data: Template
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "template_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a document template. */
  removeTemplate: {
    input: {
      /** The id of the template. */
      templateId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "template_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed document template. */
  restoreTemplate: {
    input: {
      /** The id of the template. */
      templateId: number
    }
    data: Template
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "template_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a document from a template. */
  instantiateTemplate: {
    input: {
      /** The id of the template. */
      templateId: number
      body: InstantiateTemplate
    }
    data: Document
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "template_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Create a document. */
  createDocument: {
    input: {
      /** The product's external key. */
      product_external_key: string
      body: CreateDocument
    }
    data: Document
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List documents. */
  listDocuments: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** Records per page. */
      limit?: number | undefined
      /** Start of the page, from the `next` link. */
      cursor?: string | undefined
      /** Sort order; `-` means descending. In the order of `updatedAt` a page with a filter can look at 10,000 records, be short or empty, and still have a next page. Up to 3 keys are separated by commas (`-score,createdAt`). A page of several keys takes 5 units and looks at 10,000 records: the page can be short or empty and still have a next page. */
      sort?: "-createdAt" | "createdAt" | "updatedAt" | "-updatedAt" | Array<"-createdAt" | "createdAt" | "updatedAt" | "-updatedAt"> | undefined
      /** Comma-separated names of the fields to return. Default: all fields. */
      fields?: "id" | "externalKey" | "initiativeId" | "title" | "content" | "template" | "createdAt" | "updatedAt" | "deletedAt" | Array<"id" | "externalKey" | "initiativeId" | "title" | "content" | "template" | "createdAt" | "updatedAt" | "deletedAt"> | undefined
      /** With `true`, the header `X-Total-Count` has the number of records of all pages: `10000+` above 10,000 records. `37+` means that 37 of the first 10,000 records match a filter without an index. The next page does not count again. */
      count?: "true" | "false" | undefined
      /** Only records changed at or after this time. An index serves the filter if you sort by `updatedAt`. In any other order, and for an API key that is limited to products in lists of the workspace, the filter looks at 10,000 records per page: a page can be short or empty and still have a next page. */
      updatedSince?: string | undefined
      /** Removed records: `exclude` (default), `include`, or `only`. Removed records have the time of the removal in `deletedAt`, for 30 days; the newest 10,000 removed records are listed, and `updatedSince` compares this time. Content of a removed product, persona or idea is not listed. For an API key that is limited to products, lists of the workspace look at 10,000 records per page, and list removed records among the newest 10,000 of all products. */
      removed?: "exclude" | "include" | "only" | undefined
      /** Words in the title or text, or their beginnings. Looks at the newest 10,000 matches. */
      q?: string | undefined
    }
    data: Array<ListedDocument>
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Export the documents. */
  exportDocuments: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** `json` is one array; `ndjson` has one record per line. */
      format?: "csv" | "json" | "ndjson" | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve a document. */
  getDocument: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the document. */
      document_external_key: string
    }
    data: Document
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "document_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify a document. */
  modifyDocument: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the document. */
      document_external_key: string
      body: ModifyDocument
    }
    data: Document
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "document_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove a document. */
  removeDocument: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the document. */
      document_external_key: string
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "document_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Restore a removed document. */
  restoreDocument: {
    input: {
      /** The product's external key. */
      product_external_key: string
      /** The key of the document. */
      document_external_key: string
    }
    data: Document
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "product_not_found" | "document_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Trace the records linked to a record. */
  getTrace: {
    input: {
      /** The key of a persona, an opportunity, an experiment, a KPI, a work item or a feedback item. A former key of a work item works too. */
      traced_external_key: string
    }
    data: Trace
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "record_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve the settings of the portal. */
  getPortalSettings: {
    input: Record<never, never>
    data: PortalSettings
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify the settings of the portal. */
  modifyPortalSettings: {
    input: {
      body: ModifyPortal
    }
    data: PortalSettings
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "precondition_failed" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Rotate the secret for end users of the portal. */
  rotatePortalSecret: {
    input: Record<never, never>
    data: NewPortalSecret
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve a portal. */
  getPortal: {
    input: {
      /** Slug of the portal. */
      portal: string
    }
    data: PublicPortal
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** List the ideas of a portal. */
  listPortalIdeas: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** Number of records per page. */
      limit?: number | undefined
      /** Start of the page: `next` of the page before. */
      after?: string | undefined
      /** `top` sorts by votes, `new` by creation, `trending` by votes and creation. */
      sort?: "top" | "new" | "trending" | undefined
      /** Search words; each must begin a word of the idea. */
      q?: string | undefined
      /** Only ideas of the product with this external key; the filter looks at 10,000 ideas per page: a page can be short or empty and still have a next page. */
      product?: string | undefined
      /** Only ideas of these statuses, by id, separated by commas; several the filter looks at 10,000 ideas per page: a page can be short or empty and still have a next page. */
      status?: string | Array<string> | undefined
      /** Only ideas of the category with this id; the filter looks at 10,000 ideas per page: a page can be short or empty and still have a next page. */
      category?: number | undefined
    }
    data: PortalIdeas
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Submit an idea in a portal. */
  submitPortalIdea: {
    input: {
      /** Slug of the portal. */
      portal: string
      body: SubmitPortalIdea
    }
    data: SavedPortalIdea
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List similar ideas of a portal. */
  listSimilarPortalIdeas: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** Title or text of a new idea. */
      q: string
      /** Maximum number of ideas. */
      limit?: number | undefined
    }
    data: SimilarPortalIdeas
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve an idea of a portal. */
  getPortalIdea: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
    }
    data: PortalIdea
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify an own idea in a portal. */
  modifyPortalIdea: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
      body: ModifyPortalIdea
    }
    data: SavedPortalIdea
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** List the comments on an idea of a portal. */
  listPortalComments: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
      /** Number of records per page. */
      limit?: number | undefined
      /** Start of the page: `next` of the page before. */
      after?: string | undefined
    }
    data: PortalComments
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Comment on an idea in a portal. */
  addPortalComment: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
      body: AddPortalComment
    }
    data: SavedPortalComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Retrieve the roadmap of a portal. */
  getPortalRoadmap: {
    input: {
      /** Slug of the portal. */
      portal: string
    }
    data: PortalRoadmap
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** List the released versions of a portal. */
  listPortalVersions: {
    input: {
      /** Slug of the portal. */
      portal: string
    }
    data: PortalVersions
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** List the changelog of a portal. */
  listPortalChangelog: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** Entries per page. */
      limit?: number | undefined
      /** Start of the page: `next` of the page before. */
      after?: string | undefined
      /** Only entries with this label. Looks at 200 entries per page: a page can be short or empty and still have a next page. */
      label?: string | undefined
    }
    data: PortalChangelog
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Read the changelog of a portal as Atom. */
  getPortalAtomFeed: {
    input: {
      /** Slug of the portal. */
      portal: string
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Read the changelog of a portal as JSON Feed. */
  getPortalJsonFeed: {
    input: {
      /** Slug of the portal. */
      portal: string
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve an entry of the changelog of a portal. */
  getPortalChangelogEntry: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the entry. */
      published_external_key: string
    }
    data: PortalChangelogEntry
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "changelog_entry_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Preview a changelog entry. */
  previewChangelogEntry: {
    input: {
      /** The key of the entry. */
      changelog_external_key: string
    }
    data: ChangelogPreview
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "changelog_entry_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Retrieve the caller in a portal. */
  getPortalPerson: {
    input: {
      /** Slug of the portal. */
      portal: string
    }
    data: PortalPerson
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Download a file of a portal. */
  downloadPortalFile: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** Id of the file. */
      portalFileId: number
      /** Key of the idea that shows the file. */
      idea?: string | undefined
    }
    data: Response
    code: "validation_failed" | "unknown_reference" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "asset_not_found" | "range_not_satisfiable" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Vote for an idea in a portal. */
  votePortalIdea: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
    }
    data: PortalVote
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Take back the vote for an idea in a portal. */
  unvotePortalIdea: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
    }
    data: PortalVote
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Follow an idea in a portal. */
  subscribeToPortalIdea: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
    }
    data: PortalSubscription
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Stop following an idea in a portal. */
  unsubscribeFromPortalIdea: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
    }
    data: PortalSubscription
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Modify an own comment in a portal. */
  modifyPortalComment: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
      /** Id of the comment. */
      commentId: number
      body: ModifyPortalComment
    }
    data: SavedPortalComment
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "read_only" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured" | "storage_full"
  }
  /** Remove an own comment in a portal. */
  removePortalComment: {
    input: {
      /** Slug of the portal. */
      portal: string
      /** The key of the idea. */
      feedback_external_key: string
      /** Id of the comment. */
      commentId: number
    }
    data: Record<string, never>
    code: "validation_failed" | "unknown_reference" | "malformed_json" | "unauthorized" | "insufficient_scope" | "origin_not_allowed" | "portal_not_found" | "feedback_item_not_found" | "comment_not_found" | "request_timeout" | "conflict" | "already_done" | "erase_scheduled" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal_error" | "temporarily_unavailable" | "not_configured"
  }
  /** Check that the service runs, is configured and reaches its database. */
  health: {
    input: Record<never, never>
    data: Response
    code: "method_not_allowed" | "rate_limited" | "temporarily_unavailable" | "not_configured"
  }
}
