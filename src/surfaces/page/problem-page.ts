import { type Html, markup } from './html.ts'
import { type About, closePage, openPage, ring } from './shell.ts'

/** What a person sees who asked for something that cannot be looked up. */
export const problemPage = (about: About, asked: string, message: string): Html =>
  markup`${openPage({
    about,
    title: 'Onoma: this cannot be looked up',
    description: 'This cannot be looked up.',
    asked,
  })}
    <main id="main">
      <section class="entry">
        <h1 class="head long"><bdi>${asked}</bdi></h1>
        <p class="sum"><span class="s bad">${ring}not a name</span> ${message}</p>
      </section>
    </main>
    ${closePage(about)}`
