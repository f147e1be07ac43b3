import { Banner } from '../components/banner'
import { Field } from '../components/field'
import { type Frame, pathOf } from '../components/frame'
import { Layout } from '../components/layout'

export interface ProfileProps {
  firstName: string
  lastName: string
  email: string
  isSaved: boolean
  error: string | null
}

function NameField({
  id,
  label,
  value,
  autocomplete,
}: {
  id: string
  label: string
  value: string
  autocomplete: string
}) {
  return (
    <Field id={id} label={label}>
      <input class="input" id={id} name={id} value={value} maxlength={100} autocomplete={autocomplete} />
    </Field>
  )
}

export function ProfilePage({ frame, profile }: { frame: Frame; profile: ProfileProps }) {
  const { profilePage } = frame.texts
  return (
    <Layout frame={frame} title={profilePage.heading}>
      <div class="sheet">
        <form class="card stack loose" method="post" action={pathOf(frame, '/profile')}>
          <div>
            <h1>{profilePage.heading}</h1>
            <p class="muted">{profilePage.lede}</p>
          </div>
          {profile.error ? <Banner tone="red" icon="triangle-alert" title={profile.error} /> : ''}
          {profile.isSaved ? <Banner tone="green" icon="check" title={profilePage.saved} /> : ''}
          <NameField id="firstName" label={profilePage.firstName} value={profile.firstName} autocomplete="given-name" />
          <NameField id="lastName" label={profilePage.lastName} value={profile.lastName} autocomplete="family-name" />
          <Field id="email" label={profilePage.mail}>
            <input class="input" id="email" value={profile.email} readonly />
          </Field>
          <button type="submit" class="btn primary">
            {profilePage.save}
          </button>
        </form>
        <p class="gap-top">
          <a href={pathOf(frame, '/preferences')}>{profilePage.preferences}</a>
        </p>
      </div>
    </Layout>
  )
}
