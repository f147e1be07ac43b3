import * as allVotes from './all-votes/operations'
import * as categories from './categories/operations'
import * as changelogFollowing from './changelog/following/operations'
import * as changelogImports from './changelog/imports/operations'
import * as changelog from './changelog/operations'
import * as feedbackChanges from './changes/operations'
import * as comments from './comments/operations'
import * as feedbackBulk from './ideas/bulk/operations'
import * as feedbackExport from './ideas/export/operations'
import * as ideas from './ideas/operations'
import * as feedbackImports from './imports/operations'
import * as merging from './merging/operations'
import * as promotion from './promotion/operations'
import * as search from './search/operations'
import * as audience from './status-updates/audience/operations'
import * as statusUpdates from './status-updates/operations'
import * as statuses from './statuses/operations'
import * as subscriptions from './subscriptions/operations'
import * as votes from './votes/operations'

export const feedbackOperations = [
  ideas.createFeedbackItem,
  ideas.listFeedbackItems,
  ideas.getFeedbackItem,
  ideas.listSimilarFeedbackItems,
  ideas.modifyFeedbackItem,
  ideas.upsertFeedbackItem,
  ideas.removeFeedbackItem,
  ideas.restoreFeedbackItem,
  votes.castVote,
  votes.listVoters,
  allVotes.listAllVotes,
  feedbackBulk.bulkCreateFeedbackItems,
  feedbackChanges.bulkFeedbackItems,
  feedbackExport.exportFeedbackItems,
  feedbackImports.importFeedbackItems,
  merging.mergeFeedbackItem,
  merging.unmergeFeedbackItem,
  merging.listMergedFeedbackItems,
  promotion.promoteFeedbackItem,
  promotion.linkFeedbackItem,
  promotion.unlinkFeedbackItem,
  statusUpdates.createStatusUpdate,
  statusUpdates.listStatusUpdates,
  audience.getStatusUpdateAudience,
  subscriptions.subscribeToFeedbackItem,
  subscriptions.unsubscribeFromFeedbackItem,
  comments.addComment,
  comments.listComments,
  comments.listAllComments,
  comments.replyToComment,
  comments.getComment,
  comments.modifyComment,
  comments.removeComment,
  comments.restoreComment,
  comments.upsertComment,

  categories.createFeedbackCategory,
  categories.listFeedbackCategories,
  categories.getFeedbackCategory,
  categories.modifyFeedbackCategory,
  categories.removeFeedbackCategory,
  categories.restoreFeedbackCategory,
  categories.mergeFeedbackCategory,

  statuses.createFeedbackStatus,
  statuses.listFeedbackStatuses,
  statuses.getFeedbackStatus,
  statuses.modifyFeedbackStatus,
  statuses.removeFeedbackStatus,
  statuses.restoreFeedbackStatus,

  changelog.createChangelogEntry,
  changelog.listChangelogEntries,
  changelog.exportChangelogEntries,
  changelogImports.importChangelogEntries,
  changelogFollowing.followChangelog,
  changelogFollowing.leaveChangelog,
  changelog.getChangelogEntry,
  changelog.modifyChangelogEntry,
  changelog.removeChangelogEntry,
  changelog.restoreChangelogEntry,
  changelog.publishChangelogEntry,
  changelog.unpublishChangelogEntry,

  search.searchRecords,
] as const
