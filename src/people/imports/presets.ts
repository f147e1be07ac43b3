import { type ImportPreset, ignoreColumns, mapToAttributes } from '../../workspace/imports/kind'

const groundworkPreset: ImportPreset = {
  name: 'groundwork',
  product: 'Groundwork',
  isOwnExport: true,
  identifyingColumns: ['email', 'firstName', 'lastName', 'role', 'createdAt', 'updatedAt'],
  columns: {
    createdAt: 'memberSince',
    segments: 'segmentNames',
    ...ignoreColumns(
      'id',
      'segmentIds',
      'invitation',
      'invitation.status',
      'invitation.sentAt',
      'invitation.expiresAt',
    ),
    ...ignoreColumns('invitation.resendCount', 'updatedAt'),
  },
}

const mailchimpPreset: ImportPreset = {
  name: 'mailchimp',
  product: 'Mailchimp',
  constants: { externalSource: 'mailchimp' },
  identifyingColumns: ['MEMBER_RATING', 'LEID', 'EUID'],
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
    // The EUID belongs to the address.
    LEID: 'externalId',
    ...mapToAttributes('Address', 'Birthday', 'MEMBER_RATING', 'TIMEZONE', 'REGION', 'NOTES', 'TAGS'),
    ...ignoreColumns('OPTIN_IP', 'CONFIRM_IP', 'LATITUDE', 'LONGITUDE', 'GMTOFF', 'DSTOFF', 'LAST_CHANGED', 'EUID'),
    ...ignoreColumns('UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON_OTHER', 'CLEAN_CAMPAIGN_TITLE'),
    ...ignoreColumns('CLEAN_CAMPAIGN_ID'),
  },
}

const hubspotPreset: ImportPreset = {
  name: 'hubspot',
  product: 'HubSpot',
  constants: { externalSource: 'hubspot' },
  identifyingColumns: [['Record ID', 'Contact ID'], 'Email'],
  columns: {
    'Record ID': 'externalId',
    'Contact ID': 'externalId',
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
    ...mapToAttributes('Last Activity Date', 'Lead Status', 'Lifecycle Stage', 'Marketing contact status'),
    ...mapToAttributes('Create Date', 'Company Name', 'Job Title', 'City', 'Postal Code'),
    ...mapToAttributes('Lead Source', 'Street Address', 'Country', 'Associated Company Domain'),
    ...ignoreColumns('Associated Company IDs', 'Last Modified Date'),
  },
}

/** Intercom writes the time zone into the names of date columns. */
const intercomPreset: ImportPreset = {
  name: 'intercom',
  product: 'Intercom',
  constants: { externalSource: 'intercom' },
  identifyingColumns: ['Email', 'Signed up', 'Last seen'],
  columns: {
    ID: 'externalId',
    'User ID': { field: 'externalId', givesWay: true },
    Name: 'name',
    'First name': 'firstName',
    'Last name': 'lastName',
    Email: 'email',
    'Last clicked on link in email': { attribute: 'lastClickedEmail' },
    'Browser Language': { attribute: 'language' },
    Segment: { attribute: 'segments' },
    Tag: { attribute: 'tags' },
    'Company name': { attribute: 'company' },
    ...mapToAttributes('Phone', 'Owner', 'Lead category', 'Conversation Rating', 'First seen', 'Signed up'),
    ...mapToAttributes(
      'Last seen',
      'Last contacted',
      'Last heard from',
      'Last opened email',
      'Web sessions',
      'Country',
    ),
    ...mapToAttributes('Region', 'City', 'Timezone', 'Language Override', 'Job Title', 'Company size'),
    ...mapToAttributes('Company website', 'Company industry', 'Unsubscribed from Emails', 'Marked email as spam'),
    ...mapToAttributes('Has hard bounced', 'Referral URL'),
    ...ignoreColumns('Browser', 'Browser Version', 'OS', 'Twitter Followers'),
  },
}

export const peoplePresets: readonly ImportPreset[] = [groundworkPreset, mailchimpPreset, hubspotPreset, intercomPreset]
