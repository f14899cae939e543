import { words } from './words.ts'

/** Names of the months as registries write them; the first letters suffice where no two months share them. */
const MONTHS: readonly (readonly string[])[] = [
  words(
    `jan, januar, january, janvier, enero, ene, janeiro, gennaio, gen, januari, tammi, styczen, sty, ledna, led, ocak, oca, янв, января, sijecanj`,
  ),
  words(
    `feb, februar, february, fevrier, fev, febrero, fevereiro, febbraio, februari, helmi, luty, lut, unora, uno, subat, sub, фев, февраля, veljaca`,
  ),
  words(`mar, marz, march, mars, marzo, marco, maart, mrt, maalis, marzec, brezna, bre, mart, мар, марта, ozujak`),
  words(
    `apr, april, avril, avr, abril, abr, aprile, huhti, kwiecien, kwi, dubna, dub, nisan, nis, апр, апреля, travanj`,
  ),
  words(`may, mai, mayo, maio, mag, maggio, mei, maj, touko, kvetna, kve, mayis, май, мая, svibanj`),
  words(
    `jun, june, juni, juin, junio, junho, giu, giugno, kesa, czerwiec, cze, cervna, haziran, haz, июн, июня, lipanj`,
  ),
  words(
    `jul, july, juli, juillet, julio, julho, lug, luglio, heina, lipiec, lip, cervence, temmuz, tem, июл, июля, srpanj`,
  ),
  words(
    `aug, august, aout, ago, agosto, augustus, elo, sierpien, sie, srpna, srp, agustos, agu, авг, августа, kolovoz`,
  ),
  words(
    `sep, sept, september, septembre, septiembre, setiembre, set, setembro, settembre, syys, wrzesien, wrz, zari, eylul, eyl, сен, сентября, rujan`,
  ),
  words(
    `oct, october, okt, oktober, octobre, octubre, out, outubro, ott, ottobre, loka, pazdziernik, paz, rijna, rij, ekim, eki, окт, октября, listopada`,
  ),
  words(
    `nov, november, novembre, noviembre, novembro, marras, listopad, lis, listopadu, kasim, kas, ноя, ноября, studeni`,
  ),
  words(
    `dec, december, dez, dezember, decembre, diciembre, dic, dezembro, dicembre, joulu, grudzien, gru, prosince, pro, aralik, ara, дек, декабря, prosinac`,
  ),
]

const BY_NAME: ReadonlyMap<string, number> = new Map(
  MONTHS.flatMap((names, at) => names.map((name): [string, number] => [name, at + 1])),
)

/** 1 to 12, or undefined where the word names no month. */
export function monthOf(word: string): number | undefined {
  const name = word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
  return BY_NAME.get(name) ?? (name.length > 3 ? BY_NAME.get(name.slice(0, 3)) : undefined)
}

/** Hours ahead of UTC. Where two countries share a name, the one whose registry writes it. */
export const ZONES: ReadonlyMap<string, number> = new Map(
  words(`
    utc 0, gmt 0, z 0, wet 0, west 1, bst 1, ist 1, cet 1, cest 2, met 1, mest 2, sast 2, eet 2, eest 3, msk 3, msd
    4, idt 3, trt 3, irst 3.5, gst 4, pkt 5, uzt 5, almt 6, ict 7, wib 7, hkt 8, sgt 8, myt 8, awst 8, jst 9, kst 9,
    aest 10, aedt 11, nzst 12, nzdt 13, est -5, edt -4, cst -6, cdt -5, mst -7, mdt -6, pst -8, pdt -7, art -3, brt
    -3, brst -2, clt -4, clst -3, cot -5, pet -5, uyt -3, vet -4, bot -4, ect -5
  `).map((zone) => {
    const [name = '', hours] = zone.split(/\s+/)
    return [name, Number(hours)] as const
  }),
)
