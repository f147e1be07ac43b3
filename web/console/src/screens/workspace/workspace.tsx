import { maySee } from '../../api/me'
import type { ScreenProps } from '../screens'
import { SettingsPage } from '../settings/settings-page'
import { SettingsForm } from './settings-form'
import { texts } from './texts/texts'
import { Usage } from './usage'

export default function Workspace({ me, main }: ScreenProps) {
  const { id, name } = me.workspace
  return (
    <SettingsPage me={me} main={main} path="/settings/workspace">
      <section class="card pad stack" aria-labelledby="workspace-about">
        <h2 class="h3" id="workspace-about">
          {texts.about}
        </h2>
        <dl class="dl">
          <div class="pair">
            <dt>{texts.name}</dt>
            <dd>{name}</dd>
          </div>
          <div class="pair">
            <dt>{texts.number}</dt>
            <dd>{id}</dd>
          </div>
        </dl>
      </section>
      <Usage />
      <SettingsForm may={maySee(me, 'products:write')} />
    </SettingsPage>
  )
}
