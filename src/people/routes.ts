import * as confirmations from './confirmations/operations'
import * as erasure from './erasure/operations'
import * as peopleImports from './imports/operations'
import * as suppressionImports from './imports/suppression-lists/operations'
import * as invitations from './invitations/operations'
import * as mail from './mail/operations'
import * as mailPreview from './mail/preview/operations'
import * as members from './members/operations'
import * as personalData from './personal-data/operations'
import * as segmentUsers from './segment-users/operations'
import * as segments from './segments/operations'
import * as suppressions from './suppressions/operations'

export const peopleOperations = [
  segments.createSegment,
  segments.listSegments,
  segments.exportSegments,
  segmentUsers.listSegmentsWithUsers,
  segmentUsers.getSegment,
  segments.modifySegment,
  segments.removeSegment,
  segments.restoreSegment,
  segmentUsers.previewSegment,
  segmentUsers.listSegmentUsers,
  segmentUsers.createUsersInSegment,
  segmentUsers.bulkCreateUsersInSegment,
  segmentUsers.manageSegmentUsers,
  confirmations.listSegmentConfirmations,
  confirmations.requestSegmentConfirmations,
  peopleImports.importUsersIntoSegment,
  mail.sendSegmentEmail,
  mailPreview.previewSegmentEmail,
  mail.sendMembersEmail,

  members.createMember,
  members.listMembers,
  members.getMember,
  members.modifyMember,
  members.upsertMember,
  members.removeMember,
  members.restoreMember,
  erasure.eraseMember,
  personalData.exportMember,
  members.exportMembers,
  members.bulkCreateMembers,
  invitations.reinviteMembers,
  peopleImports.importMembers,

  mail.sendTestEmail,
  mail.listEmails,
  mail.getEmail,
  mail.cancelEmail,
  mail.listEmailRecipients,
  mail.getEmailRecipient,
  suppressions.createSuppression,
  suppressions.listSuppressions,
  suppressions.exportSuppressions,
  suppressionImports.importSuppressions,
  suppressions.getSuppression,
  suppressions.removeSuppression,
] as const
