import { handleIn, isNetwork } from './handles.ts'
import { placeOf, wordsOf } from './name.ts'
import { isCompanyPlace, isProductPlace } from './places.ts'

/** Words in hosts and paths of forums and of question-and-answer sites. */
const FORUM_HOST = /(?:^|[.-])(?:community|discuss|discussions?|answers|ask|bbs|groups)(?=[.-])|forums?(?=[.-])/i
const FORUM_PATH =
  /\/(?:threads?|topics?|viewtopic|showthread|forums?|discussions?|questions?|comments|community|boards|messageboards?|bbs|answers)(?:[/.-]|$)|\/t\/(?:[^/]{1,200}\/)?\d/i
const QUESTION_HOST =
  /(?:^|\.)(?:(?:stackexchange|stackoverflow|superuser|serverfault|askubuntu|quora|reddit|zhihu|ycombinator)\.com)$/
/** "Example - Page 2", "Re: Example", "Thread: Example", "Example : r/boats". */
const THREAD_TITLE =
  /^\s*(?:re|aw|fwd?|thread|topic|forum|foro|ask hn|форум|тема)\s?:|[-–—|,(]\s?(?:page|seite|página|pagina|strona|стр\.?|страница)\s?\d{1,5}(?!\d)|\s:\s?r\/\w|\[(?:solved|closed|gelöst)\]/iu
/** "23 replies", "3 Antworten". Comments and votes do not count: articles and shops have them too. */
const REPLIES =
  /(?<!\d)\d{1,6}\s(?:replies|reply|answers?|upvotes|antworten|réponses|respuestas|risposte|ответ\p{L}{0,3})(?!\p{L})|(?<!\p{L})(?:originally posted by|joined:|posts:\s?\d)/iu

/**
 * Whether a page is a forum thread, a question or a post on a social network. It may mention a name but is never its
 * official page.
 */
export function isPost(joined: string, { host, path, title, snippet }: Result): boolean {
  if (isCompanyPlace(host, path) || isProductPlace(host, path)) return false
  if (QUESTION_HOST.test(host) || FORUM_HOST.test(host) || FORUM_PATH.test(path)) return true
  // On a network, every page that is not an account's own page is a post.
  if (isNetwork(host)) return handleIn(host, path) === null
  return THREAD_TITLE.test(title) || REPLIES.test(snippet) || isAskedAbout(joined, title)
}
type Result = { readonly host: string; readonly path: string; readonly title: string; readonly snippet: string }

/** "Is Example any good?", but not "Tired of rain? Example Roofing". */
function isAskedAbout(joined: string, title: string): boolean {
  const [asked, ...rest] = title.split(/[?？؟]/u)
  return rest.length > 0 && placeOf(joined, wordsOf(asked!)) >= 0
}
