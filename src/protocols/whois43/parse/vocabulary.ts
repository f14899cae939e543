import { splitList } from './split-list.ts'

/**
 * The keys and headings that registries use. Accents, case, punctuation and numbering are ignored
 * (`normalizeKey`). One list per meaning; a key is in one list only.
 */

/** Fields of the domain. */
export const FIELD_WORDS = {
  domain: splitList(`
    domain, domain name, domainname, complete domain name, domaine, dominio, nome de dominio, nombre de dominio,
    nombre dominio, nom de domaine, nome do dominio, domena, domain name ascii, full domain name, 도메인이름, ドメイン名, 域名,
    도메인, nazwa domeny, domain nimi, domeniu, alan adi
  `),
  /** The domain in another spelling. */
  alias: splitList(`
    query, object, ascii, ascii domain, domain ace, ace, puny name, punycode, internationalized domain name,
    unicode domain, idn, domain name unicode, u label, a label
  `),
  created: splitList(`
    created, created on, created at, creation date, created date, create date, create time, creation time, creation,
    date created, date of creation, creation date dd mm yyyy, domain created, domain created on, domain create date,
    domain creation date, registered, registered on, registered at, registered date, registered since,
    registration date, registration time, registration, registrated, date registered, date of registration,
    domain registered, domain registered on, domain registration date, registration date utc, domain dateregistered,
    dateregistered, first registration date, first registered, first registration, original created,
    original registration date, record created, record created on, record activated, domain record activated,
    domain record created, activated, activated on, activation, activation date, activation time, date activated,
    entry created, domain name commencement date, commencement date, date approved, approved, approval date,
    assigned, assigned on, delegated since, granted, granted on, inserted, insert date, start date,
    domain activation date, domain start date, date, connected date, domain add date, reg date, regdate, crdate,
    fecha de registro, fecha registro, fecha de creacion, fecha creacion, fecha de alta, fecha de activacion,
    creado, fecha de creacion del dominio, registrado, registrado el, data de registo, data de registro,
    data de criacao, criado, criado em, data registrazione, data di creazione, creato, date de creation,
    date creation, date d enregistrement, cree le, creee le, date de debut, enregistre le, registriert,
    registriert am, erstellt, angelegt, geregistreerd, aangemaakt, datum registratie, registrovano, vytvoreno,
    datum registracije, data rejestracji, utworzona, utworzono, rekisteroity, myontamispaiva, created on date,
    record created at, datum registrace, дата регистрации, дата создания, создан, зарегистрирован, дата реєстрації,
    등록일, 登録年月日, 登録日, 接続年月日, 注册日期, 注册时间, 註冊日期, 登記日期, olusturulma tarihi, kayit tarihi, ngay dang ky, tarikh daftar,
    data inregistrarii, domain registration, record registered, registration created, issue date
  `),
  updated: splitList(`
    updated, updated on, updated at, updated date, update date, update time, last updated, last updated on,
    last updated date, last updated at, last update, last update date, last update on, lastupdate, lastupdated,
    last modified, last modified on, last modified date, last modification, last modification date, last changed,
    last change, last changed on, lastmod, date modified, date updated, date changed, date of last update,
    date of last change, modified, modified on, modified date, modification date, modification, changed, changed on,
    changed date, change date, domain last updated, domain last updated date, domain updated, domain updated on,
    domain last modified, domain datelastmodified, datelastmodified, domain record last updated, domain last update,
    record last updated, record last updated on, record last update, record last modified, record modified,
    record updated, record updated on, entry updated, updated date utc, domain last change,
    last updated by registrar on, ultima actualizacion, ultima modificacion, fecha de ultima actualizacion,
    fecha de actualizacion, fecha de ultima modificacion, fecha de modificacion, actualizado, modificado,
    data de atualizacao, ultima atualizacao, alterado, alterado em, ultima alteracao, ultimo aggiornamento,
    ultima modifica, modificato, derniere mise a jour, derniere modification, date de mise a jour,
    date de modification, modifie le, mise a jour, mis a jour le, geandert, geandert am, letzte anderung,
    letzte aktualisierung, laatst gewijzigd, gewijzigd, zmeneno, datum poslednje izmene, ostatnia modyfikacja,
    zmodyfikowana, muutettu, дата изменения, изменен, обновлен, дата обновления, 최근 정보 변경일, 最終更新, 更新日期, 更新时间,
    son guncelleme, guncelleme tarihi, last edited on, last edit, latest update, domain changed, domain modified,
    domain modified on, dernieremodification
  `),
  expires: splitList(`
    expires, expires on, expires at, expires date, expire, expire on, expire date, expire time, expired, expired on,
    expired date, expiry, expiry date, expiry time, expiry on, expiration, expiration date, expiration time,
    expiration on, exp date, expdate, date of expiry, date of expiration, date expires, expiration date dd mm yyyy,
    registry expiry date, registry expiration date, registrar registration expiration date, registration expiration,
    registrar expiration date, registration expiration date, registration expires, registration expires on,
    registration expiry date, domain expires, domain expires on, domain expiry, domain expiry date,
    domain expiration date, domain expiration, domain expire date, domain name expiration date, record expires,
    record expires on, record expired, record expires at, record will expire on, record expiry, will expire on,
    valid until, valid till, valid to, valid date, valid thru, validity, validity date, validity till, valid,
    paid till, paid until, paid up to, paid to, paid through, domain datebilleduntil, datebilleduntil, renewal date,
    renewal, renewal on, next renewal, next renewal date, date renewal, renew by, renewal due, due date,
    expiration date utc, end date, domain end date, fecha de vencimiento, fecha vencimiento, fecha de expiracion,
    fecha expiracion, fecha de caducidad, vence, vence el, vencimiento, expira, expira el, expira em, valido hasta,
    data de expiracao, data de vencimento, data scadenza, data di scadenza, scadenza, date d expiration,
    date expiration, expire le, date d echeance, date de fin, lauft ab, gultig bis, ablaufdatum, vervaldatum,
    verloopt, datum isteka, expirace, datum expirace, platnost do, data wygasniecia, wygasa, vanhenemispaiva,
    paattyy, дата окончания, истекает, оплачен до, дата истечения, 사용 종료일, 有効期限, 有效期, 到期日期, 过期时间, 到期时间, 屆滿日期,
    bitis tarihi, son kullanma tarihi, data expirarii, ngay het han, domain valid until, domain paid till,
    option expires, record expiration date, expires after, currently expires, currently expires on
  `),
  status: splitList(`
    status, statuses, status code, domain status, domainstatus, domain statuses, domain state,
    domain name status, state, registration status, epp status, eppstatus, domaintype, domain type, query status,
    ren status, object status, current status, flags, flag, dom status, status information, registry status, estado,
    estado del dominio, estatus, estatus del dominio, estado do dominio, stato, statut, statut du domaine, etat,
    etat du domaine, stav, stan, tila, статус, состояние, 状態, ロック状態, 상태, 域名状态, 狀態, durum, domain lock,
    domain status code, status du domaine
  `),
  nameserver: splitList(`
    name server, name servers, nameserver, nameservers, nserver, nservers, ns, ns name, ns hostname, ns host,
    nsname, dns, dns name, dns server, dns servers, dns hostname, dns host, dns service, dnsservers, domain server,
    domain servers, domain nameserver, domain nameservers, domain name server, domain name servers,
    name server information, name servers information, nameserver information, nameservers information,
    nameserver info, name server name, name server hostname, nameserver hostname, name server host, name server db,
    name server s, nameserver s, domain nameserver s, host, hosts, hostname, host name, host names, hostnames,
    servers, server, primary server, primary server hostname, primary name server, primary nameserver, primary ns,
    primary dns, primary dns server, primary server name, primary host, primary hostname, master server,
    master name server, master dns, secondary server, secondary server hostname, secondary name server,
    secondary nameserver, secondary name servers, secondary ns, secondary dns, secondary dns server,
    secondary server name, secondary host, secondary hostname, slave server, slave dns, third server hostname,
    fourth server hostname, fifth server hostname, sixth server hostname, third server, fourth server, fifth server,
    tertiary name server, tertiary server, third name server, fourth name server, additional name server,
    other name server, other name servers, domain servers in listed order, name servers in listed order,
    nameservers in listed order, nameserver in listed order, name servers in the listed order,
    domain name servers in listed order, domain name servers listed in order, name servers listed in order,
    dns servers in listed order, domain servers listed in order, servers in listed order, name server list,
    list of name servers, current nameservers, domain dns, domain host, domain hosts, delegation, delegated to,
    name servers for this domain, zone servers, servidor dns, servidores dns, servidor de nombre,
    servidores de nombre, servidor es de nombres de dominio, servidor de nombres, servidores de nombres, servidor,
    servidores, nombre servidor, servidores de nomes, servidor de nomes, servidor de dominio, serveur de noms,
    serveurs de noms, serveur dns, serveurs dns, serveur, serveurs, server dei nomi, server dns,
    nameserver s in listed order, nazwy serwerow, serwery nazw, nimipalvelin, nimipalvelimet, dns palvelin,
    dns serveri, jmenne servery, nameservery, серверы, серверы имен, нс сервер, 호스트이름, ネームサーバ, dns服务器, 域名服务器, 名稱伺服器,
    isim sunucusu, alan adi sunucusu, ns records, ns record, nsrecord, name servers set
  `),
  dnssec: splitList(`
    dnssec, dnssec signed, dnssec status, domain signed, signed, dnssec enabled, dnssec delegation,
    dnssec information, secure dns, securedns, delegation signed, signed delegation, dnssec state, domain dnssec,
    zone signed, dns sec
  `),
  /** Present only for a signed delegation. */
  ds: splitList(`
    ds, ds rdata, ds record, ds records, dsrecord, ds key tag, ds keytag, ds digest, ds created, ds data, dnssec ds,
    dnssec ds data, dnssec ds record, dnssec ds records, dnssec keys, dnskey, keyset, keys, signing key, 署名鍵,
    keytag, key tag, dsl id, ds list, key tag ds, dnssec key tag, dnskey rdata, ds rr, ds set, dnssec digest,
    dnssec key
  `),
  description: splitList(`descr, description`),
} as const satisfies Record<string, readonly string[]>

/** Roles: who a section or a key prefix is about. */
export const ROLE_WORDS = {
  registrant: splitList(`
    registrant, registrants, registrant s, registrant contact, registrant details, domain registrant,
    registered for, registered to, registree, registrant owner, owner, owner s, owner contact, owner c,
    domain owner, domain owners, domain owners registrant, domain name owner, holder, holder c, holder contact,
    domain holder, domain name holder, holder of domain name, holder of the domain, name holder,
    domain name registrant, licensee, licence holder, domain user, organization using domain name,
    organisation using domain name, domain organization, legal c, titular, titular do dominio, titular del dominio,
    dueno, propietario, proprietario, registrante, intestatario, assegnatario, titulaire, proprietaire, detenteur,
    inhaber, domaininhaber, domain inhaber, domeinhouder, houder, drzitel, majitel, vlasnik, nositelj, nosilec,
    wlasciciel, abonent, haltija, haldaja, innehavare, registrant c, detinator, sahibi, владелец,
    администратор домена, держатель, 등록인, 登録者名, 登録者, 注册人, 注册者, 注册者姓名, 註冊人, organization holding, registrant info,
    reg contact, domain holder contact
  `),
  admin: splitList(`
    admin, administrative, administrativ, administration, administrator, admin c, adm, admin contact,
    administrative contact, administrative contacts, admin contact s, administrativ contact, administrative c,
    administrative contact ac, ac, contacto administrativo, contato administrativo, contatto amministrativo,
    contact administratif, administrativer ansprechpartner, administrativni kontakt, administrador,
    responsable administrativo, entidade gestora, administrative contact agent,
    administrative contact technical contact, 책임자, 公開連絡窓口, 登録担当者, onsite, on site, onsite contact, on site contact,
    contact person, authorised contact, public contact, responsible person, responsible contact,
    legal representative, administrativno, yonetici
  `),
  tech: splitList(`
    tech, technical, technical c, tech c, tech contact, technical contact, technical contacts, tech contact s,
    technical contact s, zone, zone c, zone contact, technical contact zone contact, contacto tecnico,
    contato tecnico, contatto tecnico, contatti tecnici, contact technique, technischer ansprechpartner,
    tehnicki kontakt, responsable tecnico, responsavel tecnico, hostmaster, registrar technical contact,
    registrar technical contacts, 技術連絡担当者, teknik
  `),
  billing: splitList(`
    billing, billing c, billing contact, billing contacts, invoicing party, invoice contact, financial contact,
    contacto financiero, contacto de cobranza, contacto de pago, contacto de facturacion, bill, payer,
    contact de facturation, mali
  `),
  registrar: splitList(`
    registrar, registrar s, registrar name, sponsoring registrar, current registrar, current registar, registar,
    registrar of record, registrar information, registrar contact, registrar details, registrar organization,
    registered by, registered through, registered via, registration service provider, registration service,
    registration service provided by, registrar service provider, authorized agency, authorised agency,
    authorized registrar, accredited registrar, managing registrar, registrar agent, domain registrar,
    domain manager, domain managers, registration provider, registrar company, service provider, provider, isp,
    registrierstelle, registrar registrador, registrador, entidad registradora, registrado por, agente registrador,
    agent registrador, bureau d enregistrement, registreerder, registrator, registraator, rejestrator,
    registrador de dominio, регистратор, 등록대행자, 注册商, 注册服务机构, 所属注册服务机构, 註冊機構, 受理註冊機構, kayit operatoru, kayit firmasi,
    registrarname, registration agent, registered with, registrar entity
  `),
  reseller: splitList(`
    reseller, registration agent reseller, reseller name, sub reseller, retailer, revendeur
  `),
  abuse: splitList(`
    abuse, abuse contact, abuse c, registrar abuse contact, registrar abuse, abuse contact information,
    registrar abuse reporting
  `),
  nameservers: [],
  keys: [],
  dates: splitList(`
    relevant dates, dates, important dates, additional information, additional info, domain dates,
    registration dates, domain details, details, other information
  `),
  /** A heading over the domain's own fields. */
  domain: splitList(`
    domain information, domain info, domain data, domain registration information, registration information,
    domain record, informacion del dominio, information, whois information, domain name information
  `),
  /** Not about the domain's contacts: hosts of the same name, the WHOIS service itself. */
  other: splitList(`
    server name, contact information, public contact information, whois, domicile, variants, active variants,
    inactive variants, notice, notes, note, disclaimer, terms of use, legal stuff, database, registrant type,
    data validation, pending timer events, trademark, ip addresses, previous registrar,
    sponsor, mntner, key set, irt
  `),
} as const satisfies Record<string, readonly string[]>

/** Attributes of a contact. */
export const ATTRIBUTE_WORDS = {
  name: splitList(`
    name, full name, contact name, personname, person, person name, names, name last first, nom, nombre,
    nome, contact, role, english name, name en, nazwa, jmeno, naam, nimi, nombre completo,
    person loc, name loc, legal name, chinese name, 이름, 名前
  `),
  firstName: splitList(`first name, firstname, fname, given name, givenname, forename, prenom, nombres`),
  lastName: splitList(`last name, lastname, lname, family name, familyname, surname, apellidos`),
  organization: splitList(`
    organization, organisation, org, org name, orgname, organization name, organisation name,
    organization legal name, company, company name, company english name, o, organizacion, organizacao,
    organizzazione, societe, organisme, firma, empresa, entidad, organizace, organizacija, organization loc,
    organization english name, department, department name, network service name, institution, business name,
    corporation, company chinese name, 組織名, 기관명, 组织, nom de l organisation, company name english, companyname, organization s name
  `),
  country: splitList(`
    country, country code, ccode, countrycode, cc, country economy, country loc, country iso, nation, pais, paese, pays,
    land, zeme, drzava, kraj, maa, ulke, country co, address country, country name, 国, 국가, страна
  `),
  url: splitList(`
    url, website, web site, web, www, homepage, home page, web page, webpage, site, link, url registration services,
    referral url, info, service url, registration url, sitio web, uri, web url
  `),
  ianaId: splitList(`iana id, ianaid, iana, iana number`),
  email: splitList(`
    email, e mail, mail, e mailbox, email address, e mail address, mailbox, correo, correo electronico, courriel,
    emails, contact email
  `),
  phone: splitList(`
    phone, phone number, telephone, tel, telefono, telefone, voice, phone no, tel no, telephone number, phones,
    contact phone, telefon, mobile, gsm
  `),
  abuseEmail: splitList(`
    abuse email, abuse contact email, abuse e mail, abuse mail, abuse mailbox, abuse contact e mail, abuse emails,
    email abuse
  `),
  abusePhone: splitList(`
    abuse phone, abuse contact phone, abuse telephone, abuse tel, abuse contact telephone, abuse phone number,
    phone abuse, abuse contact tel
  `),
  handle: splitList(`
    handle, nic hdl, nic hdl br, nic handle, nic handle if known, contact hdl, contact id, contactid, id,
    norid handle, handle id, code, roid, hdl, contact handle, nichdl, identifier, id contact, nsset, ns list, nsl id
  `),
  kind: splitList(`type, contact type, ownertype, kind`),
  /** Its last line may be the country. */
  address: splitList(`
    address, postal address, post address, direccion, endereco, indirizzo, adresse, adres, adresa
  `),
  /** Contact details that are not stored; they show that a section continues. */
  other: splitList(`
    street, street address, city, province, state province, postal code, postalcode, zip, zip code,
    zipcode, fax, fax no, fax number, fax ext, phone ext, ciudad, ville,
    localite, mnt by, source, remarks, notify, anonymous, obsoleted, organization id, id number, tax id, number,
    language, po box, address loc, city loc, county, attention,
    position, title, district, region, postbox, register number, fax num, facsimile, facsimile number,
    postal area, id type, ip address, netaddress, company number, iban, vat, ident, telephone ext,
    zip postal code, pid, hold, dom public
  `),
} as const satisfies Record<string, readonly string[]>

/** Words without meaning between role and attribute: `Registrant Contact Name`. */
export const FILLERS: ReadonlySet<string> = new Set(
  splitList(`
    contact, contacts, information, info, details, detail, data, c, s, domain, the, of, registry, and, en, de, del,
    du, d, customer, current
  `),
)

/** Keys that start a linked object at the beginning of a paragraph, in RPSL-style registries. */
export const OBJECT_KEYS: ReadonlySet<string> = new Set(
  splitList(`
    nic hdl, nic hdl br, nic handle, contact hdl, person, personname, role, contact, contact id, contact type,
    contactid, handle, norid handle, nsset, keyset, key set, ns list, organisation, server name, host id, mntner,
    irt, ds list, contact handle
  `),
)

/** Values of `contact:` or `contact type:` that give the role. */
export const CONTACT_KINDS: ReadonlyMap<string, 'registrant' | 'admin' | 'tech' | 'billing'> = new Map([
  ...splitList('registrant, owner, holder, titular').map((word) => [word, 'registrant'] as const),
  ...splitList('administrative, admin, administrator').map((word) => [word, 'admin'] as const),
  ...splitList('technical, tech, zone').map((word) => [word, 'tech'] as const),
  ...splitList('billing, financial').map((word) => [word, 'billing'] as const),
])
