import { leftOut, type Preset } from '../../workspace/imports/kind'

/** What Groundwork's own export of members has besides what an import takes. */
const groundwork: Preset = {
  name: 'groundwork',
  own: true,
  telling: ['email', 'firstName', 'lastName', 'role', 'createdAt', 'updatedAt'],
  columns: {
    ...leftOut('id', 'segmentIds', 'invitation', 'invitation.status', 'invitation.sentAt', 'invitation.expiresAt'),
    ...leftOut('invitation.resendCount', 'createdAt', 'updatedAt'),
  },
}

/** An audience as Mailchimp exports it: merge fields, then its own columns. Where people opened mail from is not kept. */
const mailchimp: Preset = {
  name: 'mailchimp',
  telling: ['MEMBER_RATING', 'LEID', 'EUID'],
  columns: {
    'Email Address': 'email',
    'First Name': 'firstName',
    'Last Name': 'lastName',
    Address: { attribute: 'address' },
    'Phone Number': { attribute: 'phone' },
    Birthday: { attribute: 'birthday' },
    MEMBER_RATING: { attribute: 'memberRating' },
    OPTIN_TIME: { attribute: 'optedInAt' },
    CONFIRM_TIME: { attribute: 'confirmedAt' },
    TIMEZONE: { attribute: 'timezone' },
    CC: { attribute: 'country' },
    REGION: { attribute: 'region' },
    NOTES: { attribute: 'notes' },
    TAGS: { attribute: 'tags' },
    UNSUB_TIME: { attribute: 'unsubscribedAt' },
    UNSUB_REASON: { attribute: 'unsubscribeReason' },
    CLEAN_TIME: { attribute: 'cleanedAt' },
    ...leftOut('OPTIN_IP', 'CONFIRM_IP', 'LATITUDE', 'LONGITUDE', 'GMTOFF', 'DSTOFF', 'LAST_CHANGED', 'LEID', 'EUID'),
    ...leftOut('UNSUB_CAMPAIGN_TITLE', 'UNSUB_CAMPAIGN_ID', 'UNSUB_REASON_OTHER', 'CLEAN_CAMPAIGN_TITLE'),
    ...leftOut('CLEAN_CAMPAIGN_ID'),
  },
}

/** Contacts as HubSpot exports a view of them. */
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
    'Last Activity Date': { attribute: 'lastActivityDate' },
    'Lead Status': { attribute: 'leadStatus' },
    'Lifecycle Stage': { attribute: 'lifecycleStage' },
    'Marketing contact status': { attribute: 'marketingContactStatus' },
    'Create Date': { attribute: 'createDate' },
    'Associated Company': { attribute: 'company' },
    'Company Name': { attribute: 'companyName' },
    'Job Title': { attribute: 'jobTitle' },
    'Website URL': { attribute: 'website' },
    City: { attribute: 'city' },
    'State/Region': { attribute: 'region' },
    'Country/Region': { attribute: 'country' },
    'Postal Code': { attribute: 'postalCode' },
    ...leftOut('Associated Company IDs'),
  },
}

/** People as Intercom exports them; its dates have the time zone in their names. What they browse with is not kept. */
const intercom: Preset = {
  name: 'intercom',
  telling: ['Email', 'Signed up', 'Last seen'],
  columns: {
    Name: 'name',
    'First name': 'firstName',
    'Last name': 'lastName',
    Email: 'email',
    Phone: { attribute: 'phone' },
    'User ID': { attribute: 'userId' },
    Owner: { attribute: 'owner' },
    'Lead category': { attribute: 'leadCategory' },
    'Conversation Rating': { attribute: 'conversationRating' },
    'First seen': { attribute: 'firstSeen' },
    'Signed up': { attribute: 'signedUp' },
    'Last seen': { attribute: 'lastSeen' },
    'Last contacted': { attribute: 'lastContacted' },
    'Last heard from': { attribute: 'lastHeardFrom' },
    'Last opened email': { attribute: 'lastOpenedEmail' },
    'Last clicked on link in email': { attribute: 'lastClickedEmail' },
    'Web sessions': { attribute: 'webSessions' },
    Country: { attribute: 'country' },
    Region: { attribute: 'region' },
    City: { attribute: 'city' },
    Timezone: { attribute: 'timezone' },
    'Browser Language': { attribute: 'language' },
    'Language Override': { attribute: 'languageOverride' },
    'Job Title': { attribute: 'jobTitle' },
    Segment: { attribute: 'segments' },
    Tag: { attribute: 'tags' },
    'Company name': { attribute: 'company' },
    'Company size': { attribute: 'companySize' },
    'Company website': { attribute: 'companyWebsite' },
    'Company industry': { attribute: 'companyIndustry' },
    'Unsubscribed from Emails': { attribute: 'unsubscribedFromEmails' },
    'Marked email as spam': { attribute: 'markedEmailAsSpam' },
    'Has hard bounced': { attribute: 'hasHardBounced' },
    'Referral URL': { attribute: 'referralUrl' },
    ...leftOut('Browser', 'Browser Version', 'OS', 'Twitter Followers'),
  },
}

export const peoplePresets: readonly Preset[] = [groundwork, mailchimp, hubspot, intercom]
