import { Avatar } from '../../parts/avatar'
import type { ListedPersona } from './requests'

/** The policy of the page allows only pictures of the service. */
export const isOwnPicture = (address: string | null): boolean =>
  address !== null && URL.canParse(address) && new URL(address).origin === location.origin

interface PictureProps {
  persona: Pick<ListedPersona, 'name' | 'avatar'>
  isLarge?: boolean
}

/** The picture, or the initials. Decoration: the name stands beside the circle. */
export const Picture = ({ persona: { name, avatar }, isLarge = false }: PictureProps) =>
  avatar !== null && isOwnPicture(avatar) ? (
    <img class={isLarge ? 'portrait large' : 'portrait'} src={avatar} alt="" loading="lazy" />
  ) : (
    <Avatar name={name} />
  )
