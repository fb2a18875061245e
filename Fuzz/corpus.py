"""Seeds for the fuzz targets, cut out of the recorded receiver logs and the board files of the repository."""
import glob, os

SENSOR_CSV = [
    "t,gx,gy,gz,ax,ay,az,mx,my,mz\n0,0.1,-0.2,1e-3,0,0,9.81,20,-3.5,40\n0.01,,,,,,,21,-3.5,40\r\n",
    "t,pressure,temperature,lat,lon,alt,hacc,vacc,speed,course\n1.5,1013.25,20,48.1,-11.5,520,2,3,1,359.9\n"
    "2,,,,,,,,,\n2.5,900,-5,-90,180,-410.5,0,0,0,0\n",
    "\ufefft, mx ,my,mz,other\n 0 ,1,2,3,text\n1,1,2,3,\n0.5,1,2,3,\n",
    "t,mx,my,mz\n0,0x10,nan,1e400\n",
    "t,lat,lon\n0,1,\n",
    "t,gx\n0,1\n",
]

GPSD = [
    '{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r\n'
    '{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","activated":"2026-11-21T10:00:00.000Z"},'
    '{"class":"DEVICE","path":"/dev/ttyS0","activated":0}]}\n',
    '{"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"time":"2026-11-21T10:00:01.250Z","leapseconds":18,'
    '"ept":0.005,"lat":46.498293369,"lon":7.567411672,"altHAE":1343.127,"altMSL":1291.1,"alt":1291.1,"epx":15.3,'
    '"epy":17.1,"epv":124.484,"track":359.9999,"magtrack":1.5,"magvar":2.5,"speed":0.091,"climb":-0.085,"eph":20.9,'
    '"sep":30.2,"geoidSep":52.0}\n',
    '{"class":"SKY","device":"/dev/ttyACM0","vdop":2.4,"hdop":1.2,"pdop":2.7,"uSat":2,"satellites":[{"PRN":10,'
    '"gnssid":0,"svid":10,"az":45,"el":30.5,"ss":35,"used":true},{"PRN":68,"gnssid":6,"svid":4,"az":0,"el":-1,'
    '"ss":0,"used":false,"health":1}]}\n',
    '{"class":"GST","device":"/dev/ttyACM0","time":"2026-11-21T10:00:01.250Z","rms":2.4,"major":1.6,"minor":1.2,'
    '"orient":20.4,"lat":1.66,"lon":1.12,"alt":2.7}\n',
    '{"class":"ATT","device":"/dev/ttyACM0","time":"2026-11-21T10:00:01Z","heading":14223.00,"mheading":359.9,'
    '"mag_st":"N","pitch":169.00,"roll":-43.00,"yaw":0.5,"rot":-1e2,"dip":1e-3}\n',
    '{"class":"DEVICE","path":"/dev/ttyACM0","activated":0}\n{"class":"ERROR","message":"no \\"such\\u0020one\\""}\n',
    '{"class":"WATCH","enable":true,"json":true}{"class":"TOFF","a":[[[{"b":[null,true,{}]}]]],"class":"TPV"}\n',
]


def pieces(log):
    """Frames and sentences of a log, each alone, and windows of some hundred bytes."""
    found, at = set(), 0
    while at < len(log):
        if log[at:at + 2] == b"\xb5\x62" and at + 8 <= len(log):
            end = at + 8 + int.from_bytes(log[at + 4:at + 6], "little")
        elif log[at] == 0xD3 and at + 6 <= len(log) and log[at + 1] & 0xFC == 0:
            end = at + 6 + (int.from_bytes(log[at + 1:at + 3], "big") & 0x3FF)
        elif log[at:at + 1] == b"$":
            end = log.find(b"\n", at) + 1 or len(log)
        else:
            at += 1
            continue
        if end - at > 1100:  # no frame: the bytes happen to look like a start
            at += 1
            continue
        found.add(log[at:end])
        at = end
    for size in (300, 900):
        for start in range(0, len(log), 4 * size):
            found.add(log[start:start + size])
    return found


def rtcm3_plan(frame):
    """A frame as the `rtcm3` target reads its input: length, payload, number of bytes between."""
    payload = frame[3:-3]
    return len(payload).to_bytes(2, "big") + payload + b"\0"


def make(folder, targets, shared, root):
    """Writes a folder of seeds for each target; returns their numbers."""
    logs = [open(path, "rb").read() for path in sorted(glob.glob(os.path.join(shared, "data", "gnss", "*.log")))]
    stream = set().union(*map(pieces, logs)) if logs else set()
    # RTCM 3 message 1005 as the standard prints it, and an empty frame.
    rtcm3 = {bytes.fromhex("d300133ed7d30202980edeef34b4bd62ac0941986f33360b98"), bytes.fromhex("d3000047ea4b")}
    rtcm3 |= {piece for piece in stream if piece[:1] == b"\xd3"}
    numbers = {bytes((i * k + k) & 255 for i in range(n)) for n in (16, 40, 80, 160) for k in range(1, 12)}
    boards = {open(path, "rb").read() for path in glob.glob(os.path.join(root, "Boards", "*.yaml"))}
    seeds = {
        "rtcm3": {rtcm3_plan(frame) for frame in rtcm3} | rtcm3,
        "ubx": {piece for piece in stream if piece[:2] == b"\xb5\x62"},
        "gpsd": {line.encode() for line in GPSD} | {"".join(GPSD).encode()},
        "cycles": numbers,
        "printed": numbers,
        "sensor-csv": {text.encode() for text in SENSOR_CSV},
        "board-file": boards,
    }
    counts = {}
    for target in targets:
        place = os.path.join(folder, target)
        os.makedirs(place, exist_ok=True)
        mine = seeds.get(target, stream | rtcm3)
        regressions = glob.glob(os.path.join(root, "Fuzz", "Regressions", target, "*"))
        mine = mine | {open(path, "rb").read() for path in regressions}
        for number, seed in enumerate(sorted(mine)):
            with open(os.path.join(place, f"seed-{number:05d}"), "wb") as file:
                file.write(seed)
        counts[target] = len(mine)
    return counts, bool(logs)
