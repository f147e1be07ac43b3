import { asAttributes, leftOut, type Preset } from '../../workspace/imports/kind'

/** Columns of Groundwork's member export that an import ignores. */
const groundwork: Preset = {
  name: 'groundwork',
  own: true,
  telling: ['email', 'firstName', 'lastName', 'role', 'createdAt', 'updatedAt'],
  columns: {
    ...leftOut('id', 'segmentIds', 'invitation', 'invitation.status', 'invitation.sentAt', 'invitation.expiresAt'),
    ...leftOut('invitation.resendCount', 'createdAt', 'updatedAt'),
  },
}

/** An audience export of Mailchimp: merge fields and Mailchimp's own columns. Skips the locations of opened mail. */
const mailchimp: Preset = {
  name: 'mailchimp',
  telling: ['MEMBER_RATING', 'LEID', 'EUID'],
  columns: {
    'Email Address': 'email',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    'Phone Number': { attribute: 'phone' },
    OPTIN_TIME: { attribute: 'optedInAt' },
    CONFIRM_TIME: { attribute: 'confirmedAt' },
    CC: { attribute: 'country' },
    UNSUB_TIME: { attribute: 'unsubscribedAt' },
    UNSUB_REASON: { attribute: 'unsubscribeReason' },
    CLEAN_TIME: { attribute: 'cleanedAt' },
    ...asAttributes('Address', 'Birthday', 'MEMBER_RATING', 'TIMEZONE', 'REGION', 'NOTES', 'TAGS'),
    ...leftOut('OPTIN_IP', 'CONFIRM_IP', 'LATITUDE', 'LONGITUDE', 'GMTOFF', 'DSTOFF', 'LAST_CHANGED', 'LEID', 'EUID'),
    ...leftOut('UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON_OTHER', 'CLEAN_CAMPAIGN_TITLE'),
    ...leftOut('CLEAN_CAMPAIGN_ID'),
  },
}

const hubspot: Preset = {
  name: 'hubspot',
  telling: ['Record ID', 'Email'],
  columns: {
    'Record ID': { attribute: 'hubspotId' },
    'First Name': 'firstName',
    'Last Name': 'lastName',
    Email: 'email',
    'Phone Number': { attribute: 'phone' },
    'Mobile Phone Number': { attribute: 'mobilePhone' },
    'Contact owner': { attribute: 'owner' },
    'Associated Company': { attribute: 'company' },
    'Website URL': { attribute: 'website' },
    'State/Region': { attribute: 'region' },
    'Country/Region': { attribute: 'country' },
    ...asAttributes('Last Activity Date', 'Lead Status', 'Lifecycle Stage', 'Marketing contact status'),
    ...asAttributes('Create Date', 'Company Name', 'Job Title', 'City', 'Postal Code'),
    ...leftOut('Associated Company IDs'),
  },
}

/** A user export of Intercom, whose date columns have the time zone in their names. Skips data about browsers. */
const intercom: Preset = {
  name: 'intercom',
  telling: ['Email', 'Signed up', 'Last seen'],
  columns: {
    Name: 'name',
    'First name': 'firstName',
    'Last name': 'lastName',
    Email: 'email',
    'Last clicked on link in email': { attribute: 'lastClickedEmail' },
    'Browser Language': { attribute: 'language' },
    Segment: { attribute: 'segments' },
    Tag: { attribute: 'tags' },
    'Company name': { attribute: 'company' },
    ...asAttributes('Phone', 'User ID', 'Owner', 'Lead category', 'Conversation Rating', 'First seen', 'Signed up'),
    ...asAttributes('Last seen', 'Last contacted', 'Last heard from', 'Last opened email', 'Web sessions', 'Country'),
    ...asAttributes('Region', 'City', 'Timezone', 'Language Override', 'Job Title', 'Company size'),
    ...asAttributes('Company website', 'Company industry', 'Unsubscribed from Emails', 'Marked email as spam'),
    ...asAttributes('Has hard bounced', 'Referral URL'),
    ...leftOut('Browser', 'Browser Version', 'OS', 'Twitter Followers'),
  },
}

export const peoplePresets: readonly Preset[] = [groundwork, mailchimp, hubspot, intercom]
