import { ApiError } from '../../text/errors'

/** Thrown when the secret of the portal or the member of an end user has changed since it was read. */
export class EndUserChanged extends ApiError {
  constructor() {
    super('temporarily_unavailable', 'The end user changed during the request. Repeat the request.', {
      headers: { 'Retry-After': '1' },
    })
  }
}

type EndUserRefusal = `end_user_${'changed' | 'removed' | 'of_team' | 'unknown' | 'address_taken'}`

export function endUserRefusalError(reason: EndUserRefusal): ApiError {
  switch (reason) {
    case 'end_user_changed':
      return new EndUserChanged()
    case 'end_user_removed':
      return new ApiError(
        'insufficient_scope',
        'This person was removed from the workspace, and the portal is closed to them.',
      )
    case 'end_user_of_team':
      return new ApiError(
        'insufficient_scope',
        'The token in x-end-user names a person of the team of the workspace. People of the team sign in at the portal.',
      )
    case 'end_user_unknown':
      return new ApiError(
        'insufficient_scope',
        'This portal takes no new people. Create a member with the address of this person first.',
      )
    case 'end_user_address_taken':
      return new ApiError(
        'conflict',
        'Another end user has the address in the claim email. Sign another address, or change the externalId of that member.',
      )
  }
}
