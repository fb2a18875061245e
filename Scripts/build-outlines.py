#!/usr/bin/env python3
"""build-outlines.py: writes the geocoder's outlines of land, lakes and seas. Scripts/build-outlines fetches the
data and runs it.

Land and lakes are Natural Earth's (https://www.naturalearthdata.com, public domain, scale 1:10,000,000),
simplified. Seas are the polygons below, drawn for this program after the limits of IHO S-23 (3rd edition, 1953)
at about one degree: where they cross land they do not count, since land is looked up first.
Sources/CGazetteer/README.md describes the file; Sources/Geocoder/Water reads it."""
import argparse, collections, hashlib, math, sqlite3, struct, sys

# Degrees by which a simplified outline may differ: 2 km.
TOLERANCE = 0.02
# The smallest ring, square degrees: an island or lake of 6 km2 at the equator.
SMALLEST = 0.0005
# The steps of coordinates in a degree.
STEPS = 100

LAND, LAKE, SEA, BASIN = range(4)

# Names of lakes, each with a place in it (latitude, longitude).
LAKES = {
    "Lake Superior": (47.7, -87.5), "Lake Huron": (44.8, -82.2), "Lake Michigan": (43.8, -87.0),
    "Lake Erie": (42.2, -81.2), "Lake Ontario": (43.7, -77.9), "Lake Saint Clair": (42.5, -82.7),
    "Lake Victoria": (-1.0, 33.0), "Lake Tanganyika": (-6.0, 29.6), "Lake Malawi": (-12.0, 34.5),
    "Lake Turkana": (3.6, 36.0), "Lake Albert": (1.7, 30.9), "Lake Kivu": (-2.0, 29.1),
    "Lake Edward": (-0.35, 29.6), "Lake Chad": (13.1, 14.3), "Lake Tana": (12.0, 37.3),
    "Lake Mweru": (-9.0, 28.7), "Lake Bangweulu": (-11.2, 29.75),
    "Lake Kariba": (-17.0, 28.0), "Lake Volta": (7.3, 0.1), "Lake Nasser": (23.0, 32.8),
    "Lake Baikal": (53.5, 108.0), "Lake Balkhash": (46.0, 74.5), "Aral Sea": (45.2, 58.6),
    "Issyk-Kul": (42.4, 77.3), "Lake Taymyr": (74.5, 102.5), "Lake Khanka": (45.0, 132.4),
    "Lake Khövsgöl": (51.0, 100.5), "Qinghai Lake": (36.9, 100.1), "Lake Tai": (31.2, 120.2),
    "Poyang Lake": (29.1, 116.3), "Tonlé Sap": (12.9, 104.1), "Lake Toba": (2.6, 98.8),
    "Lake Urmia": (37.7, 45.4), "Lake Van": (38.6, 42.9), "Lake Sevan": (40.3, 45.35),
    "Dead Sea": (31.5, 35.48), "Lake Ladoga": (60.8, 31.5), "Lake Onega": (61.7, 35.5),
    "Lake Peipus": (58.7, 27.5), "Vänern": (58.9, 13.3), "Vättern": (58.3, 14.6),
    "Mälaren": (59.45, 17.1), "Saimaa": (61.3, 28.2), "Päijänne": (61.6, 25.45),
    "Lake Inari": (69.0, 27.8), "Lake Geneva": (46.45, 6.5), "Lake Constance": (47.6, 9.45),
    "Lake Garda": (45.6, 10.65), "Lake Balaton": (46.85, 17.7), "Lake Ohrid": (41.05, 20.75),
    "Great Bear Lake": (66.0, -121.0), "Great Slave Lake": (61.7, -114.0),
    "Lake Winnipeg": (52.5, -97.8), "Lake Athabasca": (59.2, -109.5),
    "Reindeer Lake": (57.3, -102.3), "Lake Nipigon": (49.8, -88.5), "Lake Manitoba": (50.7, -98.6),
    "Lake Winnipegosis": (52.5, -100.0), "Lake of the Woods": (49.2, -94.7),
    "Dubawnt Lake": (63.1, -101.5), "Baker Lake": (64.2, -95.5), "Nettilling Lake": (66.5, -70.7),
    "Amadjuak Lake": (65.0, -71.1), "Lake Mistassini": (50.9, -73.6),
    "Lesser Slave Lake": (55.4, -115.4), "Lake Champlain": (44.5, -73.3),
    "Great Salt Lake": (41.1, -112.4), "Lake Okeechobee": (26.9, -80.8), "Lake Tahoe": (39.1, -120.0),
    "Lake Nicaragua": (11.6, -85.4), "Lake Titicaca": (-15.8, -69.4),
    "Lake Poopó": (-18.8, -67.0), "Lake Eyre": (-28.5, 137.3), "Lake Taupo": (-38.8, 175.9),
    "Rybinsk Reservoir": (58.5, 38.2),
    "IJsselmeer": (52.8, 5.3), "Iliamna Lake": (59.5, -155.0), "Uvs Lake": (50.3, 92.8),
    "Hulun Lake": (48.9, 117.4), "Oulujärvi": (64.3, 27.2), "Mirim Lagoon": (-32.8, -53.2),
}

# Lakes that Natural Earth counts as sea: what lies in the polygon and on no land.
BASINS = [
    ("Caspian Sea", [(36.2, 48.5), (36.2, 54.8), (47.6, 54.8), (47.6, 46.2), (42, 46.2)]),
    ("Lake Maracaibo", [(8.9, -72.2), (8.9, -70.9), (10.9, -71.2), (10.9, -71.9)]),
]

# Seas, the smaller before the larger that surround them. Vertices are latitude, longitude.
SEAS = [
    # Baltic
    ("Gulf of Bothnia", [(60, 16.5), (59.9, 19), (60.1, 20.2), (60, 22.8), (61, 26), (66.2, 26), (66.2, 16.5)]),
    ("Gulf of Finland", [(59.2, 23.4), (59.9, 22.9), (60.9, 24), (61, 30.6), (59.2, 30.6)]),
    ("Gulf of Riga", [(56.8, 22.6), (57.75, 22.1), (58, 22.2), (58.4, 22.5), (58.65, 23.2), (58.8, 23.6),
                      (58.8, 24.9), (56.8, 24.9)]),
    ("Kattegat", [(57.75, 10.6), (57.9, 11.5), (57.8, 12.3), (56.2, 13), (56.2, 12.4), (56.05, 12.2), (56, 10.2),
                  (57.6, 10.1)]),
    ("Skagerrak", [(57.1, 8.6), (58, 7.05), (58.5, 7.3), (59.6, 9.5), (59.6, 11.5), (57.9, 11.6), (57.75, 10.6),
                   (57.4, 9.9)]),
    ("Baltic Sea", [(53.6, 9.4), (60.35, 9.4), (60.35, 24), (53.6, 24)]),
    # Atlantic coasts of Europe
    ("Irish Sea", [(51.85, -5.3), (52.2, -6.4), (53.5, -6.5), (54.7, -5.6), (55.1, -3), (53, -2.8), (52.5, -3.9)]),
    ("Bristol Channel", [(51, -4.6), (51.65, -5), (51.8, -2.6), (51, -2.9)]),
    ("English Channel", [(48.4, -5.1), (50.07, -5.7), (50.8, -3.5), (51.1, 1.2), (51, 1.9), (50, 1.8), (49.3, -0.5),
                         (48.5, -1.3), (48.4, -4.7)]),
    ("Bay of Biscay", [(43.8, -7.9), (47.8, -4.4), (47.6, -1.5), (45, -0.4), (43, -1.2), (43, -7)]),
    ("Celtic Sea", [(47.8, -4.4), (48.4, -5), (50.1, -5.7), (51, -4.6), (51.7, -5.1), (52.2, -6.4), (51.9, -8.5),
                    (51.4, -9.8), (50.6, -11), (48.2, -9)]),
    ("Inner Seas off the West Coast of Scotland", [(54.7, -5.6), (55.3, -6.2), (55.4, -7.4), (57.8, -7.4),
                                                   (58.5, -6.3), (58.6, -5), (57, -5), (55, -4.7)]),
    ("North Sea", [(50.95, 1.2), (51, 1.9), (51.4, 4.8), (53.4, 9.9), (57.1, 9.2), (57.1, 8.6), (58, 7.05), (59, 6.8),
                   (61, 6), (61, -0.8), (60, -1.2), (59.2, -2.6), (58.6, -3.2), (57, -4.2), (54, -2), (51.4, 0)]),
    # Mediterranean and Black Sea
    ("Sea of Azov", [(45.2, 35), (45.1, 36.6), (45.3, 38.2), (47.4, 39.6), (47.4, 37), (46.2, 34.5)]),
    ("Sea of Marmara", [(40, 26.1), (40.4, 26.6), (41.05, 27.9), (41.2, 29.05), (40.7, 30), (40.2, 28)]),
    ("Black Sea", [(41.25, 29.05), (41, 28), (43, 27), (47, 30), (47, 33.8), (45.3, 36.6), (45, 38), (42.5, 42.2),
                   (40.6, 41)]),
    ("Strait of Gibraltar", [(35.7, -6.05), (36.2, -6.05), (36.2, -5.35), (35.85, -5.3)]),
    ("Alboran Sea", [(35, -5.5), (36, -5.6), (36.9, -4.5), (36.8, -2.2), (35.7, -1), (34.9, -2)]),
    ("Balearic Sea", [(38.7, 0.1), (38.75, 1.4), (39.8, 4.3), (41.8, 3.3), (41.3, 0.6), (39.5, -0.5)]),
    ("Ligurian Sea", [(43.75, 7.5), (44.6, 8.7), (44.1, 10.3), (42.9, 10.6), (43, 9.4), (42.6, 8.7)]),
    ("Tyrrhenian Sea", [(43, 9.4), (42.9, 10.7), (41.2, 13.8), (40.2, 16), (38.3, 16), (38.2, 15.6), (37.9, 12.5),
                        (38.9, 8.9), (39.2, 9.5), (41.2, 9.3), (41.4, 9.2)]),
    ("Adriatic Sea", [(39.8, 18.4), (40.1, 19.5), (42, 19.9), (45.9, 14.5), (45.8, 12), (44, 12), (42, 14), (41, 16.5),
                      (40.2, 18.3)]),
    ("Ionian Sea", [(36.7, 15), (38.2, 15.65), (39, 16.3), (40.7, 17), (39.9, 18.4), (39.8, 20.3), (38.5, 22.9),
                    (36.6, 22.8), (36.4, 22.4)]),
    ("Aegean Sea", [(36.5, 22.9), (35.9, 23.2), (35.5, 23.7), (35.3, 25), (35.2, 26.3), (35.6, 27.2), (36.3, 28.1),
                    (36.9, 28.3), (38, 27.5), (39.5, 27), (40, 26.2), (41, 26.3), (41.1, 22.5), (38, 22.9)]),
    ("Mediterranean Sea", [(30, -5.6), (36.1, -5.6), (37, -3), (39, -1.5), (43.9, 3), (44.5, 9), (45.9, 12),
                           (45.9, 15), (42, 21), (41, 26), (37.2, 36.5), (30, 36.5)]),
    # Arctic
    ("White Sea", [(68.15, 39.8), (68.65, 43.3), (67, 44.6), (65.5, 42), (63.5, 41), (63.5, 36), (64, 33.5),
                   (67, 31.5), (67.5, 38)]),
    ("Norwegian Sea", [(61, 6), (61, -0.9), (62.2, -6.8), (65, -13.5), (71, -8.5), (76.5, 16.6), (74.4, 19),
                       (71.2, 25.8), (68, 20), (63, 12)]),
    ("Greenland Sea", [(66.4, -23.1), (66, -16), (65.1, -13.6), (71, -8.5), (76.6, 16.7), (80, 16), (81.5, -11),
                       (80, -25), (70, -33), (68.2, -29.4)]),
    ("Barents Sea", [(71.2, 25.8), (74.4, 19), (76.5, 16.8), (80, 20), (80.7, 45), (80.7, 65), (76.9, 68.5),
                     (70.6, 57.3), (69.8, 60.5), (67, 56), (68, 44), (68.65, 43.3), (68.15, 39.8), (67, 33),
                     (69, 27)]),
    ("Kara Sea", [(70.6, 57.3), (76.9, 68.5), (80.8, 65), (81.2, 95.5), (78.5, 104), (77, 104), (73, 90), (66, 80),
                  (66, 66), (68.5, 61), (69.8, 60.3)]),
    ("Laptev Sea", [(77.5, 104), (81.2, 95.6), (79, 139), (76.2, 139), (73, 141), (71.5, 141), (70, 130), (72, 108),
                    (76, 104)]),
    ("East Siberian Sea", [(72.6, 141), (76, 139), (79, 139), (76, 180), (68, 180), (68, 160), (70.5, 141)]),
    ("Chukchi Sea", [(76, -180), (72, -156.4), (70, -156), (66.5, -160), (65.9, -168.2), (66, -172), (66.5, -180)]),
    ("Beaufort Sea", [(71.4, -156.5), (76.3, -124.5), (72, -124.5), (69, -127), (68, -141), (70, -156.5)]),
    ("Lincoln Sea", [(81.3, -65), (83.1, -70), (83.7, -35), (82, -45), (81, -62)]),
    ("Hudson Strait", [(60.3, -64.5), (61.6, -64.5), (63, -70), (64.5, -79), (62.4, -77.6), (60, -73), (58, -70),
                       (58, -66)]),
    ("James Bay", [(50.8, -83), (54.95, -83), (54.95, -78), (50.8, -78)]),
    ("Hudson Bay", [(54.9, -83), (56, -96), (65, -96), (66.5, -86), (63.7, -80), (62.4, -77.6), (58.5, -75.5),
                    (54.9, -78)]),
    ("Baffin Bay", [(70, -70), (74, -81), (76.5, -81), (78.3, -77), (78.3, -70), (76, -55), (70, -50)]),
    ("Davis Strait", [(60, -64.7), (60, -44), (66, -50), (70, -50), (70, -70), (66, -67)]),
    ("Labrador Sea", [(60, -64.7), (60, -43.8), (47.6, -52.7), (49, -55), (51.6, -55.7), (53, -58), (57, -63)]),
    ("Northwestern Passages", [(66, -120), (69, -127), (72, -124.5), (76.3, -123.5), (81, -100), (82.5, -85),
                               (78, -77), (76.5, -80.5), (74, -80.5), (71, -73), (66, -80), (66, -96)]),
    # America
    ("Bay of Fundy", [(43.9, -66.4), (44.8, -67.2), (46.3, -65), (45.8, -63), (44.8, -65)]),
    ("Gulf of Saint Lawrence", [(47.6, -59.3), (45.5, -61.2), (45.6, -65), (48.9, -68.5), (50.6, -66.5), (51.8, -57),
                                (51.6, -55.6), (49, -57)]),
    ("Gulf of Mexico", [(25.1, -80.6), (23.2, -80.8), (22.7, -83), (21.85, -85), (21.5, -87), (18, -90), (17.8, -98),
                        (30.8, -98), (31, -83), (28, -81.3)]),
    ("Caribbean Sea", [(21.5, -87.2), (21.85, -85), (22.6, -82), (20.3, -74.2), (19.8, -73.3), (19.4, -70),
                       (18.6, -68.3), (18.4, -67.1), (18.35, -65.5), (18.6, -64), (17.2, -61.6), (15, -60.9),
                       (13.1, -59.5), (10.8, -60.8), (9.9, -62), (8.3, -76.5), (8.8, -80), (9.5, -84.2),
                       (15.5, -89.5), (18.5, -88.6)]),
    ("Gulf of California", [(22.9, -109.9), (23.2, -106.3), (27, -108.5), (31.9, -112.5), (32.2, -115.2), (28, -113.4),
                            (24.5, -111)]),
    ("Gulf of Alaska", [(54.4, -132.8), (58.3, -136), (61.2, -146), (61.5, -150), (58, -156), (54.6, -164.8)]),
    ("Bering Sea", [(51.5, -180), (51.8, -176), (52.7, -169.5), (54.6, -164.8), (56.5, -159), (58.8, -156.8),
                    (63, -159.5), (65.8, -168.2), (66, -171), (66.4, -180)]),
    ("Bering Sea", [(51.4, 180), (52.8, 173), (54.8, 165.5), (56, 162.5), (60, 162.5), (62.5, 173), (66.4, 180)]),
    ("Río de la Plata", [(-34.9, -54.95), (-36.3, -56.75), (-35.5, -57.6), (-34.2, -58.7), (-33.8, -58.3)]),
    # East Asia
    ("Seto Inland Sea", [(34.05, 130.95), (34.95, 133.5), (34.85, 135.5), (34.25, 135.1), (33.9, 134.7), (33.2, 132.4),
                         (33.2, 131.5)]),
    ("Bohai Sea", [(37.8, 120.7), (38.75, 121.1), (41.1, 122.5), (40.5, 119.8), (39, 117.4), (36.9, 118.6)]),
    ("Yellow Sea", [(31.7, 121.7), (33.3, 126.2), (34.3, 126.7), (37, 127.1), (39.9, 125.7), (40.2, 124), (38.75, 121.1),
                    (37.8, 120.7), (36.5, 119.5), (34.5, 118.9)]),
    ("Taiwan Strait", [(25.35, 119.4), (25.3, 121.2), (24, 120.8), (22.2, 120.7), (23.3, 117.1), (24.5, 117.8)]),
    ("East China Sea", [(31.8, 121.5), (33.3, 126.2), (33.4, 127), (32.7, 128.8), (32.2, 130.4), (31.2, 130.6),
                        (28.4, 129.5), (26.5, 128), (24.4, 123.2), (25, 121.9), (25.3, 121.1), (25.4, 119.4),
                        (28, 120.7)]),
    ("Sea of Japan", [(35.3, 129.2), (34.3, 130.3), (33.9, 130.95), (34.5, 132), (35.2, 135.5), (36.5, 137.3),
                      (39, 140.3), (41.3, 140.4), (43, 141.4), (45.5, 141.9), (46, 142.2), (48, 142.5), (51.7, 142),
                      (52.3, 141.3), (51.5, 140.3), (47, 137.8), (43.4, 132), (42, 130), (40, 127), (37, 128.7)]),
    ("Sea of Okhotsk", [(51, 156.8), (50, 155.7), (45.5, 150), (43.6, 146), (43.4, 145), (44, 143), (45.5, 141.9),
                        (46, 142.1), (49, 143), (52.3, 141.4), (53, 140), (54, 134.8), (59, 142), (60, 150),
                        (63, 155), (63, 165), (58, 162.5), (54, 156.3)]),
    ("Gulf of Tonkin", [(17, 107), (18.5, 108.8), (19.8, 109.7), (20.4, 110.3), (21.8, 109.8), (21.8, 107.5),
                        (20, 105.3), (18, 105.6)]),
    ("Gulf of Thailand", [(6.2, 102), (8.6, 104.75), (10.7, 105), (13.8, 101.2), (13.8, 99.7), (9, 98.9), (7, 100)]),
    ("Philippine Sea", [(34.7, 139), (27, 142.2), (20.5, 145), (13.4, 144.7), (9.5, 138.1), (7.4, 134.5), (2.5, 128.5),
                        (5.5, 125.4), (8, 125.9), (11, 124.9), (13, 123.6), (18.5, 121.8), (21.9, 120.9), (24.5, 121.6),
                        (24.4, 123.4), (26.5, 128), (28.6, 129.5), (31.3, 130.9), (33.5, 133.5), (35, 137)]),
    ("Sulu Sea", [(7.9, 116.9), (11.8, 119.4), (12.1, 121.9), (10.5, 122.5), (8.5, 123.4), (7, 122), (5.2, 119.7),
                  (5.3, 118.6), (6.5, 117.3)]),
    ("Celebes Sea", [(5.3, 119), (6.9, 122.1), (7.5, 124), (5.6, 125.4), (3.7, 125.5), (1.6, 125.1), (0.7, 122),
                     (1, 119), (4, 117.2), (4.9, 118.5)]),
    ("South China Sea", [(22.8, 113), (23.4, 117), (22.1, 120.7), (21.9, 120.9), (18.5, 121.4), (16, 120.3),
                         (13.8, 120.8), (12, 120), (8.5, 117.3), (7, 117), (4, 114), (2, 112), (1.2, 109.6),
                         (-1.5, 110), (-3, 110), (-3, 105.8), (-2, 104.6), (0.5, 103.5), (1.35, 104), (4, 103),
                         (6.2, 102), (8.6, 104.75), (11, 108.5), (16, 107.8), (18.4, 108.8), (20, 110.2),
                         (21.8, 110)]),
    # Indonesian seas
    ("Makassar Strait", [(1, 118.9), (1, 121), (-1, 119.9), (-3.5, 119.4), (-5.5, 119.5), (-4.1, 116.2), (-2, 116.3),
                         (1, 117.8)]),
    ("Java Sea", [(-3, 105.8), (-3, 110.3), (-3.3, 114.6), (-4.1, 116.2), (-5.5, 119.5), (-7, 117), (-7.1, 114.5),
                  (-7, 110), (-6.3, 106.5), (-5.9, 105.7)]),
    ("Bali Sea", [(-7.1, 114.5), (-7, 117.2), (-8.5, 117.2), (-8.5, 114.4)]),
    ("Flores Sea", [(-5.4, 119.5), (-5.4, 122.9), (-8.3, 122.9), (-8.6, 121), (-8.5, 117.2), (-7, 117)]),
    ("Banda Sea", [(-3.3, 126.1), (-3, 128.5), (-3.9, 131), (-5.5, 133), (-7.1, 131.7), (-8, 129.5), (-8.3, 127),
                   (-8.2, 125), (-8.3, 122.9), (-5.4, 122.9), (-4, 122.3), (-1.8, 123.5), (-1.9, 125)]),
    ("Ceram Sea", [(-1.8, 125), (-1.6, 127.5), (-0.9, 130.8), (-2.6, 132.7), (-4.1, 133), (-3.5, 130.9), (-3, 129),
                   (-3.2, 126.1)]),
    ("Molucca Sea", [(1.6, 125.1), (3.7, 125.5), (4.6, 126.9), (2.5, 128.5), (1, 127.7), (-1.7, 127.5), (-1.8, 124.9),
                     (-1, 123.4), (0.5, 123.5)]),
    ("Halmahera Sea", [(0.6, 128.2), (0.6, 130.9), (-0.9, 130.8), (-1.3, 128.5)]),
    ("Savu Sea", [(-8.7, 119.4), (-8.5, 123), (-8.6, 125), (-9.4, 124), (-10.3, 123.6), (-10.7, 121.5),
                  (-10.2, 119.4)]),
    ("Timor Sea", [(-8.4, 127.2), (-8.3, 129.5), (-11.1, 132), (-12.2, 131.2), (-14.9, 129.8), (-14, 126.9),
                   (-10.9, 122.9), (-9.4, 125)]),
    ("Gulf of Carpentaria", [(-11, 136.8), (-10.7, 142.4), (-17.9, 142), (-17.9, 138.5), (-14, 135)]),
    ("Arafura Sea", [(-7.2, 131.7), (-5.5, 133.2), (-4.1, 133.2), (-4.6, 138.2), (-8, 138.6), (-8.8, 142),
                     (-10.7, 142.4), (-11, 136.8), (-12.3, 135), (-11.5, 132), (-8.3, 130)]),
    # Pacific
    ("Bismarck Sea", [(-5.6, 145.7), (-5.7, 148.3), (-5.5, 150.8), (-4.2, 152.3), (-2.6, 150.8), (-1.4, 149.5),
                      (-1.8, 146.5), (-1.4, 144), (-3.3, 142.8), (-4.3, 144.5)]),
    ("Solomon Sea", [(-10.7, 150.7), (-11.5, 153.6), (-9.8, 159.6), (-8.3, 159.5), (-6.8, 156), (-5.2, 154.6),
                     (-4.3, 152.4), (-5.6, 150.8), (-5.9, 148.2), (-6.4, 146.9), (-9, 148)]),
    ("Coral Sea", [(-10.7, 142.4), (-8.5, 143.5), (-10.4, 150.6), (-11.5, 153.6), (-9.8, 159.6), (-10.8, 162.4),
                   (-14.7, 166.7), (-20.2, 169.9), (-22.4, 168.5), (-30, 167.9), (-30, 153), (-25, 151.8),
                   (-20, 147.5), (-15, 144.7)]),
    ("Bass Strait", [(-38.9, 143.5), (-38, 144.5), (-37.6, 149.4), (-39.8, 148.5), (-41, 148.3), (-41.4, 146.5),
                     (-40.7, 144.5)]),
    ("Tasman Sea", [(-30, 153), (-30, 167.9), (-34.4, 172.9), (-37, 174.9), (-41, 175), (-41.7, 173), (-44, 169),
                    (-46.8, 168), (-50.8, 166), (-43.6, 146.9), (-41, 148), (-39.8, 148.4), (-37.5, 149.8)]),
    ("Great Australian Bight", [(-35.1, 117.5), (-34, 122), (-31.3, 126), (-31.2, 132), (-32.3, 138), (-34.9, 138.8),
                                (-37.9, 143.5), (-41, 145), (-43.6, 146.9)]),
    # Indian Ocean
    ("Gulf of Suez", [(27.6, 33.7), (27.9, 34.3), (29.9, 32.9), (30.1, 32.4), (29, 32.2)]),
    ("Gulf of Aqaba", [(28, 34.3), (28, 34.8), (29.65, 35.2), (29.65, 34.7)]),
    ("Red Sea", [(12.5, 43.4), (12.6, 42.5), (15, 39), (20, 36.8), (24, 34.9), (27.7, 33.3), (28.2, 34.7), (26, 37),
                 (20, 41.5), (15, 43.2)]),
    ("Gulf of Aden", [(12.5, 43.4), (13, 45), (14.5, 48.8), (15.4, 51.2), (11.8, 51.3), (10.3, 47), (10.3, 44.5),
                      (11.4, 42.4), (12.5, 43)]),
    ("Persian Gulf", [(26, 56.1), (27.3, 56.7), (28.2, 51.5), (30.7, 49.8), (30.4, 47.6), (28, 48), (25, 49.4),
                      (23.8, 51.5), (23.8, 54.5), (25.3, 55.8)]),
    ("Gulf of Oman", [(22.5, 59.8), (25.3, 61.5), (26, 58), (27.3, 56.7), (26.1, 56.1), (25, 56.2), (23.5, 57.5)]),
    ("Laccadive Sea", [(14.8, 74.2), (10.5, 72.3), (8, 73), (-0.7, 73.2), (5.9, 80.6), (7.5, 79.9), (9, 79.4), (9.3, 78.5),
                       (8.2, 77.5), (10.5, 76.3)]),
    ("Arabian Sea", [(22.5, 59.8), (25.3, 61.5), (25.5, 66.7), (24, 69), (22.5, 72.8), (19, 73), (14.8, 74.2),
                     (10.5, 72.3), (8, 73), (-0.7, 73.2), (11.8, 51.3), (15.4, 51.2), (17.2, 54.8), (20.5, 57.6)]),
    ("Malacca Strait", [(5.6, 95.3), (7.9, 98.4), (7, 100.2), (4, 101.2), (1.4, 103.6), (0.9, 103.3), (2.3, 100.2),
                        (5, 97.3)]),
    ("Andaman Sea", [(5.6, 95.3), (6.5, 93.8), (10.5, 92.4), (13.6, 92.9), (16.2, 94.4), (17.5, 96.5), (14, 98.7),
                     (8.2, 98.5), (7.9, 98.4)]),
    ("Bay of Bengal", [(5.9, 80.6), (5.6, 95.3), (6.5, 93.8), (10.5, 92.4), (13.6, 92.9), (16.2, 94.5), (19, 94.6),
                       (22.7, 92), (22.7, 88), (16, 80.5), (10.3, 79.6), (9.3, 79.2), (7, 81.6)]),
    ("Mozambique Channel", [(-10.4, 40.4), (-11.4, 43.3), (-11.9, 49.2), (-16, 47), (-20, 45), (-25.6, 45.3),
                            (-26.9, 32.8), (-20, 34.5), (-15, 40.4)]),
    ("Gulf of Guinea", [(4.4, -7.6), (-0.7, 8.7), (0.6, 9.6), (4.6, 9.8), (6.8, 3), (6, -5)]),
    # Southern
    ("Drake Passage", [(-55.9, -67.3), (-54.8, -64), (-61.2, -55), (-63.3, -57.5), (-65, -66)]),
    ("Scotia Sea", [(-54.8, -64), (-54.2, -38), (-60.7, -45), (-61.2, -55)]),
    ("Weddell Sea", [(-63.3, -56.5), (-66, -61), (-72, -62), (-79, -62), (-79, -28), (-73, -15), (-70, -10),
                     (-64, -35)]),
    ("Bellingshausen Sea", [(-73.5, -74), (-69, -71), (-68.5, -75), (-68.8, -90), (-71.5, -102), (-74, -101)]),
    ("Amundsen Sea", [(-76, -99), (-71.5, -102), (-72.5, -126), (-75.5, -127)]),
    ("Ross Sea", [(-71.3, 170.2), (-77, 162), (-80, 160), (-80, 180), (-72.5, 180)]),
    ("Ross Sea", [(-72.5, -180), (-80, -180), (-80, -150), (-77, -157)]),
    # Oceans
    ("Southern Ocean", [(-60, -180), (-60, 180), (-90, 180), (-90, -180)]),
    ("Arctic Ocean", [(66, -180), (66, -165), (66, -120), (66, -30), (68, -28), (66.5, -12), (70, 20), (66, 40),
                      (66, 180), (90, 180), (90, -180)]),
    ("Indian Ocean", [(30, 20), (-60, 20), (-60, 147), (-44, 147), (-38, 146), (-15, 143), (-10.5, 142), (-9, 126),
                      (-8.5, 123), (-8.3, 118), (-8, 112), (-7, 107), (-6, 105.7), (-3, 103.5), (1.5, 102.5), (7, 99.8),
                      (13, 98.9), (30, 97)]),
    ("North Pacific Ocean", [(0, 97), (0, 180), (66, 180), (66, 97)]),
    ("North Pacific Ocean", [(0, -180), (0, -76), (7, -76.5), (8.3, -77.3), (9.2, -79.2), (8.8, -80.2), (9.3, -82),
                             (11, -84.5), (13.5, -86), (15, -90), (17, -95), (20, -100), (25, -104), (35, -105),
                             (50, -115), (60, -140), (66, -165), (66, -180)]),
    ("South Pacific Ocean", [(0, 97), (-60, 147), (-60, 180), (0, 180)]),
    ("South Pacific Ocean", [(0, -180), (-60, -180), (-60, -67.3), (-56, -67.3), (-55, -69), (-53, -70.5), (-50, -72.5),
                             (-40, -71), (-30, -69.5), (-15, -72), (0, -76)]),
    ("North Atlantic Ocean", [(0, -120), (70, -120), (70, 40), (0, 40)]),
    ("South Atlantic Ocean", [(0, -76), (-60, -76), (-60, 20), (0, 20)]),
]


# --- Natural Earth's files

def shapes(path):
    """The rings of each record of polygons, as lists of (longitude, latitude)."""
    with open(path, "rb") as file:
        data = file.read()
    at, found = 100, []
    while at < len(data):
        words = struct.unpack(">i", data[at + 4:at + 8])[0]
        body = data[at + 8:at + 8 + 2 * words]
        rings = []
        if struct.unpack("<i", body[:4])[0]:
            parts, points = struct.unpack("<ii", body[36:44])
            starts = [*struct.unpack(f"<{parts}i", body[44:44 + 4 * parts]), points]
            xy = struct.unpack(f"<{2 * points}d", body[44 + 4 * parts:44 + 4 * parts + 16 * points])
            rings = [list(zip(xy[2 * a:2 * b:2], xy[2 * a + 1:2 * b:2])) for a, b in zip(starts, starts[1:])]
        found.append(rings)
        at += 8 + 2 * words
    return found


def column(path, name):
    """One column of a table of dBASE."""
    with open(path, "rb") as file:
        data = file.read()
    count, header, width = struct.unpack("<IHH", data[4:12])
    offset, at = 1, 32
    while data[at:at + 11].split(b"\0")[0].decode() != name:
        offset += data[at + 16]
        at += 32
    length = data[at + 16]
    rows = (data[header + i * width + offset:header + i * width + offset + length] for i in range(count))
    return [row.decode().strip(" \0") for row in rows]


# --- geometry

def area(ring):
    return 0.5 * abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:])))


def contains(ring, x, y):
    inside = False
    for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1]):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def simplified(line):
    """Douglas and Peucker's, without recursion."""
    keep = [False] * len(line)
    keep[0] = keep[-1] = True
    stack = [(0, len(line) - 1)]
    while stack:
        first, last = stack.pop()
        (ax, ay), (bx, by) = line[first], line[last]
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy)
        farthest, at = TOLERANCE, None
        for i in range(first + 1, last):
            x, y = line[i][0] - ax, line[i][1] - ay
            distance = abs(x * dy - y * dx) / length if length else math.hypot(x, y)
            if distance > farthest:
                farthest, at = distance, i
        if at is not None:
            keep[at] = True
            stack += [(first, at), (at, last)]
    return [p for p, k in zip(line, keep) if k]


def simplified_rings(rings):
    """Simplified rings whose common borders stay common: each border is simplified once."""
    users = collections.defaultdict(set)
    for number, ring in enumerate(rings):
        for a, b in zip(ring, ring[1:]):
            users[min(a, b), max(a, b)].add(number)
    result = []
    for number, ring in enumerate(rings):
        ring = ring[:-1] if ring[0] == ring[-1] else ring
        count = len(ring)
        using = [users[min(ring[i], ring[(i + 1) % count]), max(ring[i], ring[(i + 1) % count])] for i in range(count)]
        ends = [i for i in range(count) if using[i] != using[i - 1]]
        # A ring without a neighbour is cut at its extremes, which any order of its vertices has.
        if len(ends) < 2:
            ends = sorted({ring.index(min(ring)), ring.index(max(ring))})
        out = []
        for first, last in zip(ends, ends[1:] + [ends[0] + count]):
            arc = [ring[i % count] for i in range(first, last + 1)]
            # The same direction for both neighbours.
            back = arc[-1] < arc[0]
            arc = simplified(arc[::-1] if back else arc)
            out += (arc[::-1] if back else arc)[:-1]
        result.append(out)
    return result


def step(degrees):
    return max(-18000, min(18000, round(degrees * STEPS)))


def quantized(ring):
    out = []
    for x, y in ring:
        point = step(x), step(y)
        if not out or point != out[-1]:
            out.append(point)
    while len(out) > 1 and out[0] == out[-1]:
        out.pop()
    return out


# --- the file

def land(countries, places):
    """Rings by code of ISO. A territory that Natural Earth counts to its state has the code of its places."""
    codes = column(countries[:-4] + ".dbf", "ISO_A2_EH")
    numbered = [(code, ring) for code, rings in zip(codes, shapes(countries)) for ring in rings if area(ring) >= SMALLEST]
    simple = simplified_rings([ring for _, ring in numbered])
    by_square = collections.defaultdict(list)
    for latitude, longitude, iso in places:
        by_square[math.floor(longitude), math.floor(latitude)].append((longitude, latitude, iso))
    found = collections.defaultdict(list)
    for (code, _), ring in zip(numbered, simple):
        ring = quantized(ring)
        if len(ring) < 3:
            continue
        code = "" if code == "-99" else code
        west, east = min(x for x, _ in ring) // STEPS, max(x for x, _ in ring) // STEPS
        south, north = min(y for _, y in ring) // STEPS, max(y for _, y in ring) // STEPS
        # A large ring is of its own state.
        if (east - west) * (north - south) < 150:
            votes = collections.Counter(
                iso for i in range(west, east + 1) for j in range(south, north + 1)
                for x, y, iso in by_square.get((i, j), ()) if contains(ring, x * STEPS, y * STEPS))
            if votes:
                code = min(votes.items(), key=lambda item: (-item[1], item[0]))[0]
        found[code].append(ring)
    return found


def lakes(path):
    records = shapes(path)
    kept = {}
    for name, (latitude, longitude) in LAKES.items():
        # The place may be on an island or beside an arm.
        near = [rings for rings in records if rings and (
            contains(rings[0], longitude, latitude)
            or any(math.hypot(x - longitude, y - latitude) < 0.3 for x, y in rings[0]))]
        if not near:
            sys.exit(f"build-outlines: no lake is at {latitude}, {longitude} for {name}")
        rings = max(near, key=lambda rings: (contains(rings[0], longitude, latitude), area(rings[0])))
        simple = simplified_rings([r for r in rings if area(r) >= SMALLEST])
        kept[name] = [ring for ring in map(quantized, simple) if len(ring) > 2]
    return kept


def encoded(kind, name, rings):
    name = name.encode()
    # Vertices are at even offsets.
    out = struct.pack("<BBH", kind, len(name), len(rings)) + name + b"\0" * (len(name) & 1)
    for ring in rings:
        xs, ys = [x for x, _ in ring], [y for _, y in ring]
        out += struct.pack("<hhhhH", min(xs), max(xs), min(ys), max(ys), len(ring))
        out += b"".join(struct.pack("<hh", x, y) for x, y in ring)
    return out


def build(countries, lakes_path, gazetteer, out):
    base = sqlite3.connect(f"file:{gazetteer}?mode=ro", uri=True)
    places = [(latitude / 1e5, longitude / 1e5, iso) for latitude, longitude, iso in base.execute(
        "SELECT place.latitude, place.longitude, iso FROM place JOIN country ON country.id = place.country")]
    records = [encoded(LAND, code, rings) for code, rings in sorted(land(countries, places).items())]
    records += [encoded(LAKE, name, rings) for name, rings in sorted(lakes(lakes_path).items())]
    drawn = lambda polygon: [quantized([(x, y) for y, x in polygon])]
    records += [encoded(BASIN, name, drawn(polygon)) for name, polygon in BASINS]
    records += [encoded(SEA, name, drawn(polygon)) for name, polygon in SEAS]
    data = b"LSOL" + struct.pack("<HH", 1, len(records)) + b"".join(records)
    with open(out, "wb") as file:
        file.write(data)
    return len(records), len(data), hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="build-outlines", usage="build-outlines OUT.bin")
    parser.add_argument("--countries", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--lakes", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--gazetteer", required=True, help=argparse.SUPPRESS)
    parser.add_argument("out", metavar="OUT.bin")
    options = parser.parse_args()
    try:
        count, size, digest = build(options.countries, options.lakes, options.gazetteer, options.out)
    except (OSError, sqlite3.Error) as error:
        sys.exit(f"build-outlines: {options.out}: {error}")
    print(f"{options.out}: {count} outlines, {size} bytes, SHA-256 {digest}")
