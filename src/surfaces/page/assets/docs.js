// Runs examples in place, and filters the navigation of the reference while somebody types.
const answerBox = document.querySelector('[data-answer]')

function show(label, status, body) {
  const [line, block] = answerBox.children
  line.children[0].textContent = label
  line.children[1].textContent = status
  block.firstElementChild.textContent = body
}

const indent = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

async function run(url, options) {
  show('Answer', 'asking…', '')
  try {
    const response = await fetch(url, { ...options, headers: { ...options.headers, accept: 'application/json' } })
    show('Answer', `${response.status} ${response.statusText}`, indent(await response.text()))
  } catch {
    show('Answer', 'none', 'The service cannot be reached. Check the connection and run it again.')
  }
}

if (answerBox) {
  document.querySelector('a[data-run]')?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void run(event.currentTarget.href, {})
  })
  document.querySelector('form[data-run]')?.addEventListener('submit', (event) => {
    event.preventDefault()
    const { run: url, body } = event.currentTarget.dataset
    void run(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  })
}

const field = document.querySelector('#contents input')
const items = [...document.querySelectorAll('#contents li')]
field?.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const item of items) {
    const text = `${item.textContent} ${item.firstElementChild.title}`.toLowerCase()
    item.hidden = !words.every((word) => text.includes(word))
  }
  for (const list of document.querySelectorAll('#contents ul')) {
    const isEmpty = [...list.children].every(({ hidden }) => hidden)
    list.hidden = isEmpty
    list.previousElementSibling.hidden = isEmpty
  }
})
