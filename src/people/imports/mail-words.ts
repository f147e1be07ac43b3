/**
 * Words of columns about unsubscription, bounces, complaints and consent, as they stand in exports of HubSpot, Mailchimp,
 * listmonk, Intercom, Brevo, SendGrid, Klaviyo, ActiveCampaign, Customer.io, Salesforce, Zendesk, Shopify, Stripe and in lists
 * of people's own, in many languages. A column matches if its name contains a word, without regard to case, accents and
 * signs; `whole` names match alone.
 */
export const REFUSAL_WORDS = {
  parts:
    'unsub optout optedout optsout donotemail donotmail donotcontact dontemail noemail nomarketing bounce ' +
    'markedemailasspam spamreport spamcomplaint reportedspam complain blocklist blacklist suppress cleantime ' +
    'cleancampaign cleanedat emailblocked undeliverable quarantined globalunsub emailinvalid invalidemail ' +
    'revokedat withdrawnat abgemeldet abmeld abbestell ausgetragen widersproch widerspruch widerruf ' +
    'werbesperre mailsperre sperrliste unzustellbar keinewerbung keinnewsletter keinemails beschwerde desabonn ' +
    'desinscri listenoire plainte nepascontacter nonremis rejete desuscri dadodebaja fechadebaja bajadel ' +
    'cancelosuscrip suscripcioncancelad rebot queja listanegra nocontactar noenviar disiscri ' +
    'iscrizionecancellat rimbalz reclamo noncontattare descadastr cancelouassinatura cancelouinscri ' +
    'naocontatar naocontactar reclamac devolvid uitgeschreven uitschrijf afgemeld afmeld nietmailen klacht ' +
    'wypisan rezygnac odbici skarg avregistr avprenumer avanmald studs afmeldt avmeldt frameld klagomal ' +
    'peruutettutilaus odhlasen odhlaseni stiznost leiratkoz dezabon отпис отказ жалоб відпис απεγγραφ ' +
    'abonelikten sikayet geridon zrezygn anulowanosubskryp czarnalist czarnejlist iscrizioneannullat annullataiscriz ' +
    'fechabaja odjavlj odjavaod karaliste черныйсписок черномсписк чорнийсписок markkinointikiel ' +
    'القائمةالسوداء 配信拒否 受信拒否 ブラックリスト 黑名单 黑名單 拒收 블랙리스트 配信停止 購読解除 配信不可 オプトアウト バウンス 退订 取消订阅 退訂 取消訂閱 退信 投诉 수신거부 구독취소 구독해지 반송 ' +
    'إلغاءالاشتراك',
  whole:
    'cleaned blocked spam gesperrt gekundigt austritt baja cancelado cancelada bloqueado bloque annullato ' +
    'cancellato rejected ikkemail geblokkeerd sparrad sparret sperret zablokowany bloccato odjavljen הוסר 退会',
} as const

export const CONSENT_WORDS = {
  parts:
    'consent optin optedin marketingcontact acceptsmarketing acceptsemail emailmarketing marketingemails ' +
    'allowmarketing emailpermission marketingpermission mailpermission confirmtime subscriptionstatus ' +
    'subscribed subscriberstatus emailstatus newsletter sendemail receiveemail emailpreference mailinglist ' +
    'gdpr dsgvo rgpd rodo einwillig zustimm werbeerlaubnis consentement accordmarketing consentimiento suscrit ' +
    'consenso iscrittoalla consentimento inscritona toestemming ingeschreven zgoda samtyck samtykk suostumus ' +
    'souhlas hozzajarul consimtamant согласи згода συγκαταθεσ onaydurum iletiizni nieuwsbrief nyhetsbrev nyhedsbrev ' +
    'uutiskirje infolettre rundbrief infobrief boletin biuletyn zpravodaj hirlevel ebulten рассылк розсилк ' +
    'メルマガ メールマガジン ニュースレター オプトイン 뉴스레터 电子报 電子報 ניוזלטר النشرةالبريدية emailsubscribe ' +
    '同意 購読 订阅状态 수신동의 موافقة',
  whole: 'optin abonne abonniert iscritto inscrito permission listsubscribed confirmed 订阅 구독',
} as const

/** Columns of a subscription, which may be paid: only a no or an ended subscription says something about mail. */
export const SUBSCRIPTION_WORDS = 'подписка підписка'

/** Columns whose values decide: most lists with a status say nothing about mail. */
export const STATUS_WORDS =
  'status state liststatus memberstatus contactstatus estado statut stato marketingstatus globalstatus mailstatus'

/** Answers that leave a refusal without effect. */
export const NO_WORDS =
  'false no n 0 f off none never null nein falsch non faux falso nao nee nie nej nei ei ne hayir нет ні όχι ' +
  'いいえ 否 아니요 لا valid active aktiv actif activo enabled subscribed abonniert deliverable delivered ok na'

/** Answers that say no, in any column. */
export const PLAIN_NO_WORDS = 'false no n 0 off nein falsch non faux falso nao nee nie nej nei ei ne hayir нет ні'

/** Answers that give consent. A date or a number of a date does too. */
export const YES_WORDS =
  'true yes y 1 t on x ja wahr oui vrai si verdadero vero sim verdadeiro tak joo kylla ano igen da evet да ' +
  'так ναι はい 是 예 نعم subscribed optedin optin doubleoptin singleoptin granted given accepted allowed ' +
  'confirmed active aktiv actif activo enabled marketingcontact abonniert erteilt eingewilligt zugestimmt ' +
  'abonne suscrito iscritto inscrito ingeschreven valid weekly daily monthly'

/** Values of a status that ends mail. */
export const ENDED_WORDS = 'cleaned blocked disabled archived inactiveemail notsubscribed nonsubscribed'

/** Parts of words that name the reason of a refusal. Other refusals are unsubscriptions. */
export const REASON_WORDS = {
  complaint:
    'complain spam abuse beschwerde plainte queja reclamo reclamac klacht skarg klagomal stiznost жалоб sikayet 投诉',
  hard_bounce:
    'bounce cleaned cleantime cleancampaign undeliverable quarantin emailinvalid invalidemail invalidaddress bademail unzustellbar nonremis ' +
    'rejete rejected rebot rimbalz devolvid odbici studs geridon inactiveemail 配信不可 バウンス 退信 반송',
  manual:
    'manual donotemail donotmail donotcontact dontemail noemail nomarketing blocklist blacklist suppress blocked gesperrt ' +
    'werbesperre mailsperre sperrliste keinewerbung keinemails listenoire nepascontacter listanegra nocontactar noenviar ' +
    'noncontattare naocontatar naocontactar nietmailen bloque disabled archived notsubscribed nonsubscribed nonmarketing ' +
    'ineligible czarnalist karaliste черныйсписок чорнийсписок markkinointikiel geblokkeerd sparrad 配信拒否 受信拒否 ' +
    'ブラックリスト 黑名单 黑名單 拒收 블랙리스트 القائمةالسوداء',
} as const
