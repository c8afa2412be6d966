import { render } from 'preact'
import { App } from './app.tsx'
import { followLinks } from './navigation.ts'
import { followSession } from './session.ts'
import { followTheme } from './theme.ts'
import './style/main.css'

followTheme()
followSession()
followLinks()
const page = document.getElementById('app') ?? document.body
page.replaceChildren()
render(<App />, page)
