// The dashboard. It talks to the public REST API and to its live events, and to nothing else.
import './parts/valid-language.ts'
import { render } from 'preact'
import { App } from './frame/app-frame.tsx'
import { Notices } from './frame/notices.tsx'
import { startRouter } from './frame/router.ts'
import { Tools } from './frame/tools.tsx'
import { Confirmation } from './parts/confirm.tsx'

function mount(id: string, content: preact.ComponentChild): void {
  const place = document.getElementById(id)
  if (!place) return
  place.replaceChildren()
  render(content, place)
}

startRouter()
mount('page', <App />)
mount('tools', <Tools />)
mount(
  'notices',
  <>
    <Notices />
    <Confirmation />
  </>,
)
