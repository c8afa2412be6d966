import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus } from './keep-focus.ts'
import { followLinks } from './navigation.ts'
import { followSession } from './session.ts'
import { followTheme } from './theme.ts'
import './style/main.css'

followTheme()
followSession()
followLinks()
const page = document.getElementById('app') ?? document.body
page.replaceChildren()
keepFocus(page)
render(<App />, page)
