/// The address formats of countries, as data.
///
/// - Source: the tables of Google's Address Data Service (libaddressinput) and of OpenCage
///   (address-formatting), compared with each other.
extension AddressFormat {
  /// A form and the countries that have it.
  typealias Row<Form> = (form: Form, countries: String)

  /// The lines of an address and the countries that write them, by ISO 3166-1 alpha-2. A line ends
  /// at `|`. `A` is the street with its number, `D` a section of the city, `C` the city, `S` the
  /// state and `Z` the postal code.
  static let lines: [Row<String>] = [
    // The postal code precedes the city, and the state is not written.
    (
      "A|Z C",
      "AD AL AT BA BE BG CH CU CY CZ DE DK DZ EE ET FI FO FR GE GL GR HR HT IS LI LT LU MA MC ME MK "
        + "NL NO NP PL PR PT PY RS SE SI SK TN BL GF GP MF MQ NC PF PM RE WF YT"
    ),
    ("A|Z C S", "ES IT SM UY VA"),
    ("A|Z C|S", "AR CL TZ"),
    ("A|Z C/S", "TR"),
    ("A|Z S C", "RO"),
    ("A|D|Z C", "MG MD"),
    ("A|D|Z C|S", "MY"),
    ("A|D|Z C, S", "MX"),
    ("A|Z|C", "EC"),
    ("A|S, C|Z", "CR"),
    // The postal code follows the city or the state.
    ("A|C, S Z", "AS GU MP UM US VI"),
    ("A|C S Z", "AU CA CC CX NF"),
    ("A|C Z", "BM IL IM JO LS SA SG"),
    ("A|C|Z", "FK GB GG GS IO JE KE MT PN SH SZ TC"),
    ("A|C, Z", "AO LV"),
    ("A|C|S|Z", "EG RU UA"),
    ("A|C|S Z", "ID VN"),
    ("A|C Z|S", "PE"),
    ("A|C Z, S", "VE"),
    ("A|C, S, Z", "CO"),
    ("A|D|C Z", "LK NZ"),
    ("A|D|C-Z", "PK"),
    ("A|D|C - Z", "BD"),
    ("A|D|C - Z|S", "IN"),
    ("A|D|C - S|Z", "BR"),
    ("A|D|C Z|S", "NG"),
    ("A|D|C|Z", "ZA"),
    ("A|D|C|S|Z", "IE"),
    ("A|D, C|S Z", "TH"),
    ("A|D, C|Z S", "PH"),
    // The city precedes the street.
    ("C|A|Z", "HU"),
    ("Z C|D|A", "BY KG KZ UZ"),
    // No postal code.
    ("A|C|S", "AE HK PA"),
    ("A|D|C", "BW TT"),
    ("A|C", "BF BI BJ BZ CD CI CM GH MW RW TG UG ZM ZW"),
    // The largest part first in the country's own script; the Latin form is another.
    ("A|D|C|S, Z", "CN"),
    ("A|D|C, S|Z", "JP"),
    ("A|D|C|S|Z", "KR"),
    ("A|D|C, S Z", "TW"),
  ]

  /// The same for addresses in Chinese characters, kana or hangul.
  static let nativeLines: [Row<String>] = [
    ("Z|SCD|A", "CN"),
    ("S|C|A", "HK"),
    ("〒Z|SCD|A", "JP"),
    ("S C D|A|Z", "KR"),
    ("Z|SCD|A", "TW"),
  ]

  /// For a country that the tables do not have: the form of most countries.
  static let standardLines = "A|D|Z C|S"

  /// How the house number is written, and the countries that do so; elsewhere it follows the street
  /// after a space.
  static let numbers: [Row<HouseNumberOrder>] = [
    (
      .first,
      "AD AE AS AU AZ BF BL BM BZ CA CC CI CX DZ EG FK FR GB GF GG GH GP GS GU HK HM IE IL IM IO JE "
        + "KE KR LK LS LU MC MF MG MP MQ MT MW MY NA NC NF NG NZ PF PH PK PM PN RE RW SA SG SH SZ TC TF "
        + "TH TN TT TW TZ UG UM US VI WF YT ZA ZM ZW"
    ),
    (.firstWithComma, "BD BJ CD IN TG VN"),
    (.lastWithComma, "BR BY ES IT KG KZ MD MZ RU SM UA VA"),
  ]
}
