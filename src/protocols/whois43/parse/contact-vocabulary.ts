import { splitList } from './split-list.ts'

/** Placeholders for a withheld name, normalized as in `isWithheld`. */
export const REDACTIONS: ReadonlySet<string> = new Set(
  splitList(`
    redacted, n a, na, none, null, nil, not available, not disclosed, not published, not shown, not applicable,
    unknown, hidden, withheld, private, personal information, personal data, data protected, data redacted,
    gdpr masked, gdpr redacted, gdpr protected, statutory masking enabled, non public data, not defined, undefined,
    undisclosed, masked, on request, confidential, non disclosed, no data, nodata, protected, restricted, empty,
    ei kuvata, non diffusible, non disponible, no disponible, nao publicado, oculto, nicht angegeben, unavailable,
    domain data redacted, blocked
  `),
)

/** Prefixes of longer placeholder texts. */
export const REDACTION_STARTS: readonly string[] = splitList(`
    redacted, data redacted, not disclosed, not shown, not available, not published, non public, hidden upon,
    hidden by, hidden for, information not, data protected, data not disclosed, statutory masking, gdpr, visit www,
    please visit, please query, please contact, please ask, see http, for contact, contact the registr,
    the information about, the registrant is an individual, the registrant is a non, personal information,
    personal data, select contact, withheld, whois data not, not displayed, not provided, not visible, not given,
    only available, this information, this data, to get this, contact data, query the rdds, protected by gdpr,
    ano nymous, restricted data, available on request, information redacted, private by, domain data protected,
    identity protected, in accordance with, no registrant, masked, non diffusible, opt out
  `)

/** Words and legal forms that occur in names of organizations but not of persons. */
export const ORGANISATION_WORDS: ReadonlySet<string> = new Set(
  splitList(`
    inc, incorporated, llc, llp, lp, ltd, ltda, limited, plc, corp, corporation, co, company, companies, gmbh, mbh,
    ag, kg, ug, ohg, ev, sa, sas, sarl, sàrl, srl, srls, spa, sp, spzoo, zoo, snc, sl, slu, sab, cv, bv, nv, vof,
    bvba, sprl, asbl, vzw, ab, as, asa, aps, oy, oyj, ou, oü, uab, sia, doo, ood, eood, sro, kft, zrt, nyrt, bt,
    ooo, ооо, зао, оао, пао, ао, тоо, фоп, tov, тов, pty, pte, sdn, bhd, berhad, kk, gk, gie, ehf, hf, sdad, ltee,
    lda, eireli, pjsc, jsc, cjsc, ojsc, limitada, pvt, wll, fzc, fze, dmcc, sti, aş, cia, scrl, scs, spol, zspo, rl,
    tbk, pt, university, universität, universite, université, universidad, universidade, college, school, institute,
    institut, instituto, academy, foundation, fundacion, stiftung, stichting, stiftelsen, association, asociacion,
    associazione, verein, society, union, federation, council, committee, commission, ministry, ministere,
    ministerio, department, agency, authority, government, office, bureau, organisation, organization, bank, group,
    gruppo, groupe, holding, holdings, services, service, solutions, systems, technologies, technology, telecom,
    communications, networks, network, media, international, registry, registrar, nic, hosting, telekom, club,
    church, museum, police, embassy, parliament, centre, center, enterprises, industries, partners, studio, trust,
    fund, municipality, regering, landskapsregering, nominet, dominios, domains, internet, online
  `),
)
