"""What the daemon sends and receives, as JSON.

Written by Scripts/build-contract; do not edit.
Unknown values are absent, and unknown keys and words are of a newer daemon: ignore them.
Names begin with Socket, Host and Client at the Unix socket, with Web at the WebSocket.
"""

from __future__ import annotations

from typing import Dict, List, Literal, TypedDict, Union


class _Estimate(TypedDict):
    #: s on the machine's monotonic clock, of a simulation or recording on its own
    t: float


class Estimate(_Estimate, total=False):
    """The newest estimate, also a line of 'location' and 'heading'. Unknown values are absent."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str
    #: degrees, 0 to below 360
    magneticHeading: float
    #: degrees, 0 to below 360
    trueHeading: float
    #: degrees, radius of 95 % of the magnetic or true heading's errors
    headingAccuracy: float
    #: degrees, radius of 95 % of the magnetic or true heading's errors
    trueHeadingAccuracy: float
    #: degrees, right side down, bow up
    roll: float
    #: degrees, right side down, bow up
    pitch: float
    #: degrees/s, clockwise seen from above
    rateOfTurn: float
    #: m/s² without gravity, north magnetic
    accelerationNorth: float
    #: m/s² without gravity, north magnetic
    accelerationEast: float
    #: m/s² without gravity, north magnetic
    accelerationDown: float
    #: m, up, above the mean height
    heave: float
    #: m significant; s: [sea state](WeatherAndSea.md)
    waveHeight: float
    #: m significant; s: [sea state](WeatherAndSea.md)
    wavePeakPeriod: float
    #: m significant; s: [sea state](WeatherAndSea.md)
    waveMeanPeriod: float
    #: degrees from true north from which the waves come
    waveDirection: float
    #: degrees, positive east, once learnt; included in the headings
    deviation: float
    #: degrees of the compass clockwise of the heading by course
    compassContradiction: float
    #: degrees of gravity against the tilt in the last half minute
    tiltContradiction: float
    #: 'unproven', 'proven', 'contradicted' by the other sensors
    magnetometerAxes: Literal["unproven", "proven", "contradicted"]
    #: 'unproven', 'proven', 'contradicted' by the other sensors
    gyroscopeAxes: Literal["unproven", "proven", "contradicted"]
    #: 'unproven', 'proven', 'contradicted' by the other sensors
    accelerometerAxes: Literal["unproven", "proven", "contradicted"]
    #: the same of its unit and chip, of the samples' times, in a vehicle on wheels
    barometer: Literal["unproven", "proven", "contradicted"]
    #: the same of its unit and chip, of the samples' times, in a vehicle on wheels
    stamps: Literal["unproven", "proven", "contradicted"]
    #: the same of its unit and chip, of the samples' times, in a vehicle on wheels
    forwardAxis: Literal["unproven", "proven", "contradicted"]
    #: what is contradicted, with what fits
    inputFault: str
    #: degrees from the bow to the second antenna, learnt; 95 %
    antennaDirection: float
    #: degrees from the bow to the second antenna, learnt; 95 %
    antennaDirectionAccuracy: float
    #: why the headings of two antennas are not used
    antennaFault: str
    #: degrees, WGS-84
    latitude: float
    #: degrees, WGS-84
    longitude: float
    #: m, 68 % radius; m, one sigma
    horizontalAccuracy: float
    #: m above mean sea level; above the WGS-84 ellipsoid
    altitude: float
    #: m above mean sea level; above the WGS-84 ellipsoid
    ellipsoidalAltitude: float
    #: m, 68 % radius; m, one sigma
    verticalAccuracy: float
    #: m/s, up; over ground
    verticalSpeed: float
    #: hPa, the sea-level pressure
    qnh: float
    #: m/s, up; over ground
    speed: float
    #: degrees from true north; absent below its own error, as at rest
    course: float
    #: Kind of the fix
    fix: Literal[
        "none",
        "dead reckoning",
        "simulated",
        "network",
        "2D",
        "3D",
        "differential",
        "RTK float",
        "RTK fixed",
    ]
    #: hPa in three hours; 0 to 8, WMO code table 0200
    pressureTendency: float
    #: hPa in three hours; 0 to 8, WMO code table 0200
    pressureCharacteristic: int
    #: s since the newest fix, while the position is carried through an outage
    outage: float
    #: the source: awaited, late, lost, contradicted, ended; absent: live, or none
    headingState: Literal["live", "awaited", "late", "lost", "contradicted", "ended"]
    #: 't' at which that state began
    headingStateSince: float
    #: the source: awaited, late, lost, contradicted, ended; absent: live, or none
    positionState: Literal["live", "awaited", "late", "lost", "contradicted", "ended"]
    #: 't' at which that state began
    positionStateSince: float
    #: How the board moves
    motion: Literal["stationary", "walking", "running", "cycling", "driving", "on water"]
    #: 0 to 1; 't' at which that state began
    motionProbability: float
    #: 0 to 1; 't' at which that state began
    motionSince: float
    #: 'uncalibrated', 'assumed', 'poor', 'fair', 'good'
    calibration: Literal["uncalibrated", "assumed", "poor", "fair", "good"]
    #: 'clean', 'disturbed', 'recovering', 'magnet nearby'
    disturbance: Literal["clean", "disturbed", "recovering", "magnet nearby"]
    #: µT, degrees below the horizontal, as measured
    fieldStrength: float
    #: µT, degrees below the horizontal, as measured
    dip: float
    #: the same by the magnetic model
    modelFieldStrength: float
    #: the same by the magnetic model
    modelDip: float
    #: The sensors in use
    attitudeMode: Literal[
        "none",
        "9-axis",
        "gyroscope and accelerometer",
        "gyroscope, accelerometer and course",
        "gyroscope, accelerometer and antennas",
        "accelerometer and magnetometer",
        "magnetometer",
        "accelerometer",
    ]
    #: 'true' if the values are not from a sensor, else absent
    simulated: bool


class _Sky(TypedDict):
    satellites: List[Satellite]


class Sky(_Sky, total=False):
    """The satellites in view."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class _Satellite(TypedDict):
    system: Literal["GPS", "SBAS", "Galileo", "BeiDou", "QZSS", "GLONASS", "NavIC"]
    #: within the system
    number: int
    used: bool


class Satellite(_Satellite, total=False):
    #: degrees
    elevation: float
    #: degrees
    azimuth: float
    #: dB-Hz
    signal: float


class CorrectionsMessages(TypedDict):
    type: int
    received: int


class _Corrections(TypedDict):
    bytes: int
    interruptions: int
    messages: List[CorrectionsMessages]


class Corrections(_Corrections, total=False):
    #: s
    age: float


class ReceiverCondition(TypedDict, total=False):
    """What the receiver reports of itself."""

    antenna: Literal["good", "open", "short"]
    interference: Literal["none", "warning", "critical"]
    #: 0 to 255
    interferenceLevel: int
    spoofing: Literal["none", "indicated", "multiple"]
    #: 0 bad to 10 good
    quality: int
    qualitySignals: int
    qualityAntennaPower: int
    qualityProcessor: int
    #: Why there is no fix; none while there is one
    fixLoss: Literal[
        "none",
        "disconnected",
        "silent",
        "unreadable",
        "antenna open",
        "antenna short",
        "interference",
        "restarted",
        "no signal",
        "few satellites",
        "searching",
        "unknown",
    ]
    satellitesReceived: int
    #: s
    timeToFirstFix: float
    firstFixSince: Literal["start", "first byte"]
    firstFixAssisted: bool
    fixLossText: str
    corrections: Corrections


class _PositionSource(TypedDict):
    name: str
    isUsed: bool
    fix: Literal[
        "none",
        "dead reckoning",
        "simulated",
        "network",
        "2D",
        "3D",
        "differential",
        "RTK float",
        "RTK fixed",
    ]


class PositionSource(_PositionSource, total=False):
    """One of several sources of positions."""

    #: m, 68 %
    accuracy: float
    #: s, where it is silent
    age: int
    #: m from the used one
    distance: int
    #: why it is not used
    reason: str


class _Source(TypedDict):
    isOpen: bool
    hasMagnetometer: bool
    hasReceiver: bool
    isSimulated: bool
    #: sensors measure now
    isLive: bool


class Source(_Source, total=False):
    """The source of the values."""

    hasCompass: bool
    #: why none is open
    fault: str
    #: devices that are out of service or unsteady
    troubles: List[str]
    receiver: ReceiverCondition
    receivers: List[PositionSource]


class Permission(TypedDict):
    mayCalibrate: bool
    mayRead: bool


class _Status(TypedDict):
    version: str
    #: s
    uptime: float
    source: Source
    permission: Permission


class Status(_Status, total=False):
    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str
    storageFault: str


class _Health(TypedDict):
    #: version
    version: str
    #: Time since the daemon's start
    uptime: float
    #: Kind of the source; none while none is open
    source: Literal["sensors", "recording", "simulation", "none"]
    #: trouble
    trouble: str
    #: 1 while the clock is neither synchronised nor agrees with a battery clock
    clockUnset: bool
    #: 1 while the state, or a part of it, is not stored
    storageFault: bool
    devices: List[DeviceHealth]


class Health(_Health, total=False):
    """The health of board and computer."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str
    #: The kernel's bound of the clock's error
    clockError: float
    #: Age of the magnetometer's stored calibration
    calibrationAge: float
    #: diskFree
    diskFree: float


class _DeviceHealth(TypedDict):
    #: Letters, digits and _, the same after each start
    key: str
    name: str
    bus: str
    state: Literal["live", "awaited", "late", "lost", "contradicted", "ended", "resting"]
    #: Samples, epochs or headings of the device
    samples: int
    #: Failed transfers or rejected sentences of the device
    errors: int
    #: How often the device was in service after a loss
    restarts: int


class DeviceHealth(_DeviceHealth, total=False):
    #: Age of the device's newest sample
    age: float
    fault: str


class _DeviationRow(TypedDict):
    compass: float
    deviation: float


class DeviationRow(_DeviationRow, total=False):
    """Angles in degrees, positive east."""

    #: what remains with the correction
    left: float
    sigma: float


class _DeviationCard(TypedDict):
    rows: List[DeviationRow]


class DeviationCard(_DeviationCard, total=False):
    """The deviation of the calibration in use; without one no rows, and the reason."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str
    reason: str
    origin: Literal["course", "swing"]
    #: ISO 8601
    made: str
    #: s
    age: float
    #: degrees
    coverage: float
    #: headings of 24 with straight legs
    legs: int
    #: degrees, the greatest
    sigma: float


class _Failure(TypedDict):
    #: one line: what failed, why, and what to do
    error: str


class Failure(_Failure, total=False):
    """A refusal."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class Done(TypedDict, total=False):
    """The command was carried out."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class Code(TypedDict):
    """The one-time code of a link of 'lodestar token'."""

    code: str


class Begin(TypedDict, total=False):
    """What the calibration is for; without it the use of the board's activity."""

    use: Literal["any attitude", "level", None]


class _AccessToken(TypedDict):
    id: str
    name: str
    token: str


class AccessToken(_AccessToken, total=False):
    """A new token, which a request sends as 'Authorization: Bearer TOKEN'."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class _WebEstimate(TypedDict):
    type: Literal["estimate"]
    estimate: Estimate


class WebEstimate(_WebEstimate, total=False):
    """At most ten a second."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class _WebField(TypedDict):
    type: Literal["field"]
    #: µT: forward, right, down
    points: List[List[float]]


class WebField(_WebField, total=False):
    """The field as measured, along the body's axes."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class _WebSky(TypedDict):
    type: Literal["sky"]
    satellites: List[Satellite]


class WebSky(_WebSky, total=False):
    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class _WebSource(TypedDict):
    type: Literal["source"]
    source: Source


class WebSource(_WebSource, total=False):
    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class _WebPermission(TypedDict):
    type: Literal["permission"]
    permission: Permission


class WebPermission(_WebPermission, total=False):
    """After a token was revoked."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str


class _WebCalibration(TypedDict):
    type: Literal["calibration"]
    state: Literal["idle", "collecting", "ready", "saved", "failed"]


class WebCalibration(_WebCalibration, total=False):
    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str
    #: 1 where the result is good
    coverage: float
    quality: Literal["uncalibrated", "assumed", "poor", "fair", "good"]
    message: str
    #: degrees, one sigma
    predictedHeadingError: float
    use: Literal["any attitude", "level"]


class State(TypedDict, total=False):
    """The state of MQTT: main values, fewer decimals, and what the receiver reports."""

    #: ISO 8601, UTC, milliseconds; absent while the civil time is not known
    time: str
    #: degrees, 0 to below 360
    magneticHeading: float
    #: degrees, 0 to below 360
    trueHeading: float
    #: degrees, radius of 95 % of the magnetic or true heading's errors
    headingAccuracy: float
    #: degrees, radius of 95 % of the magnetic or true heading's errors
    trueHeadingAccuracy: float
    #: degrees, right side down, bow up
    roll: float
    #: degrees, right side down, bow up
    pitch: float
    #: degrees/s, clockwise seen from above
    rateOfTurn: float
    #: m significant; s: [sea state](WeatherAndSea.md)
    waveHeight: float
    #: m significant; s: [sea state](WeatherAndSea.md)
    wavePeakPeriod: float
    #: m significant; s: [sea state](WeatherAndSea.md)
    waveMeanPeriod: float
    #: degrees from true north from which the waves come
    waveDirection: float
    #: degrees, WGS-84
    latitude: float
    #: degrees, WGS-84
    longitude: float
    #: m, 68 % radius; m, one sigma
    horizontalAccuracy: float
    #: m above mean sea level; above the WGS-84 ellipsoid
    altitude: float
    #: m, 68 % radius; m, one sigma
    verticalAccuracy: float
    #: m/s, up; over ground
    speed: float
    #: degrees from true north; absent below its own error, as at rest
    course: float
    #: Kind of the fix
    fix: Literal[
        "none",
        "dead reckoning",
        "simulated",
        "network",
        "2D",
        "3D",
        "differential",
        "RTK float",
        "RTK fixed",
    ]
    #: Satellites in the solution
    satellites: int
    #: hPa, of the barometer
    pressure: float
    #: hPa in three hours; 0 to 8, WMO code table 0200
    pressureTendency: float
    #: hPa in three hours; 0 to 8, WMO code table 0200
    pressureCharacteristic: int
    #: the source: awaited, late, lost, contradicted, ended; absent: live, or none
    headingState: Literal["live", "awaited", "late", "lost", "contradicted", "ended"]
    #: the source: awaited, late, lost, contradicted, ended; absent: live, or none
    positionState: Literal["live", "awaited", "late", "lost", "contradicted", "ended"]
    #: How the board moves
    motion: Literal["stationary", "walking", "running", "cycling", "driving", "on water"]
    #: 'uncalibrated', 'assumed', 'poor', 'fair', 'good'
    calibration: Literal["uncalibrated", "assumed", "poor", "fair", "good"]
    #: 'clean', 'disturbed', 'recovering', 'magnet nearby'
    disturbance: Literal["clean", "disturbed", "recovering", "magnet nearby"]
    #: 'true' if the values are not from a sensor, else absent
    simulated: bool
    antenna: Literal["good", "open", "short"]
    interference: Literal["none", "warning", "critical"]
    #: 0 to 255
    interferenceLevel: int
    spoofing: Literal["none", "indicated", "multiple"]
    #: 0 bad to 10 good
    quality: int
    qualitySignals: int
    qualityAntennaPower: int
    qualityProcessor: int
    #: Why there is no fix; none while there is one
    fixLoss: Literal[
        "none",
        "disconnected",
        "silent",
        "unreadable",
        "antenna open",
        "antenna short",
        "interference",
        "restarted",
        "no signal",
        "few satellites",
        "searching",
        "unknown",
    ]
    satellitesReceived: int
    #: s
    timeToFirstFix: float
    firstFixSince: Literal["start", "first byte"]
    firstFixAssisted: bool


class DiscoveryDev(TypedDict):
    ids: List[str]
    name: str
    mf: str
    mdl: str
    sw: str


class DiscoveryO(TypedDict):
    name: str
    sw: str


class DiscoveryCmps(TypedDict):
    #: the platform
    p: str


class Discovery(TypedDict):
    """Device discovery of Home Assistant, in its abbreviations."""

    dev: DiscoveryDev
    o: DiscoveryO
    qos: int
    cmps: Dict[str, DiscoveryCmps]


class _SocketEstimate(TypedDict):
    #: ns
    timestamp: int
    isLevelKnown: bool
    isDeclinationOutOfDate: bool
    isSimulated: bool


class SocketEstimate(_SocketEstimate, total=False):
    """SI units, radians, exact to the last bit. A new fix has another fixTimestamp."""

    #: ns since 1970
    utc: int
    #: quaternion w, x, y, z: body (forward, right, down) to magnetic north, east, down
    attitude: List[Union[float, str]]
    #: rad
    magneticHeading: Union[float, str]
    #: rad
    trueHeading: Union[float, str]
    #: rad
    headingAccuracy: Union[float, str]
    #: rad
    trueHeadingAccuracy: Union[float, str]
    #: rad
    deviation: Union[float, str]
    #: rad
    compassContradiction: Union[float, str]
    #: rad
    tiltContradiction: Union[float, str]
    #: state of the heading by two antennas
    antennas: str
    #: verdicts on the sensors' axes, and the fault
    inputs: str
    #: rad/s, clockwise seen from above
    rateOfTurn: Union[float, str]
    #: rad
    declination: Union[float, str]
    attitudeMode: Literal[
        "none",
        "9-axis",
        "gyroscope and accelerometer",
        "gyroscope, accelerometer and course",
        "gyroscope, accelerometer and antennas",
        "accelerometer and magnetometer",
        "magnetometer",
        "accelerometer",
    ]
    #: m/s² without gravity: magnetic north, east, down
    acceleration: List[Union[float, str]]
    #: m
    heaveMetres: Union[float, str]
    #: m
    waveHeightMetres: Union[float, str]
    #: s
    wavePeakPeriodSeconds: Union[float, str]
    #: s
    waveMeanPeriodSeconds: Union[float, str]
    waveDirection: Union[float, str]
    pressureTendencyHectopascal: Union[float, str]
    pressureCharacteristic: int
    #: µT: horizontal, down, as measured
    earthField: List[Union[float, str]]
    #: µT: horizontal, down, by the magnetic model
    modelField: List[Union[float, str]]
    #: µT in body axes: forward, right, down
    field: List[Union[float, str]]
    fixKind: Literal[
        "none",
        "dead reckoning",
        "simulated",
        "network",
        "2D",
        "3D",
        "differential",
        "RTK float",
        "RTK fixed",
    ]
    #: latitude, longitude: rad, WGS-84
    position: List[Union[float, str]]
    #: m
    horizontalAccuracyMetres: Union[float, str]
    #: m
    altitudeMetres: Union[float, str]
    #: hPa
    qnhHectopascal: Union[float, str]
    #: m
    ellipsoidalAltitudeMetres: Union[float, str]
    #: m
    verticalAccuracyMetres: Union[float, str]
    #: m/s
    verticalSpeedMetresPerSecond: Union[float, str]
    #: m/s
    speedMetresPerSecond: Union[float, str]
    #: rad
    course: Union[float, str]
    #: m/s: true north, east, down
    velocity: List[Union[float, str]]
    #: m², upper triangle by rows: north, east, down
    positionCovarianceSquareMetres: List[Union[float, str]]
    #: m²/s², upper triangle: north, east, down
    velocityCovarianceSquareMetresPerSecondSquared: List[Union[float, str]]
    #: m/s
    speedAccuracyMetresPerSecond: Union[float, str]
    #: rad
    courseAccuracy: Union[float, str]
    #: dilution of precision
    horizontalDilution: Union[float, str]
    #: dilution of precision
    verticalDilution: Union[float, str]
    #: s
    correctionAgeSeconds: Union[float, str]
    #: ns, of the fix
    fixTimestamp: int
    #: s
    outageSeconds: Union[float, str]
    #: latitude, longitude: rad; a fix that was not used
    rejectedPosition: List[Union[float, str]]
    #: m
    rejectedAccuracyMetres: Union[float, str]
    #: satellites in the solution
    satellitesUsed: int
    motionState: Literal["stationary", "walking", "running", "cycling", "driving", "on water"]
    #: 0 to 1
    motionProbability: Union[float, str]
    #: ns
    motionSince: int
    headingState: Literal["live", "awaited", "late", "lost", "contradicted", "ended"]
    #: ns
    headingStateSince: int
    positionState: Literal["live", "awaited", "late", "lost", "contradicted", "ended"]
    #: ns
    positionStateSince: int
    calibration: Literal["uncalibrated", "assumed", "poor", "fair", "good"]
    disturbance: Literal["clean", "disturbed", "recovering", "magnet nearby"]


class _SocketSamples(TypedDict):
    #: ns on the daemon's monotonic clock, of a simulation or recording on its own
    timestamp: int


class SocketSamples(_SocketSamples, total=False):
    """Samples of one instant in sensor axes."""

    #: ns on the daemon's monotonic clock, of a simulation or recording on its own
    inertialTimestamp: int
    #: m/s², specific force
    force: List[Union[float, str]]
    #: rad/s
    rate: List[Union[float, str]]
    #: ns on the daemon's monotonic clock, of a simulation or recording on its own
    fieldTimestamp: int
    #: µT
    field: List[Union[float, str]]
    #: ns on the daemon's monotonic clock, of a simulation or recording on its own
    pressureTimestamp: int
    #: hPa
    pressure: Union[float, str]
    #: °C, the barometer's own
    celsius: Union[float, str]


class _SocketSkySatellites(TypedDict):
    #: u-blox's gnssId
    system: int
    number: int
    isUsed: bool


class SocketSkySatellites(_SocketSkySatellites, total=False):
    elevation: Union[float, str]
    azimuth: Union[float, str]
    signal: Union[float, str]
    isHealthy: bool


class _SocketSky(TypedDict):
    #: ns on the daemon's monotonic clock, of a simulation or recording on its own
    timestamp: int
    satellites: List[SocketSkySatellites]


class SocketSky(_SocketSky, total=False):
    #: ns since 1970, UTC
    utc: int
    horizontalDilution: Union[float, str]
    verticalDilution: Union[float, str]
    positionDilution: Union[float, str]
    geometricDilution: Union[float, str]
    timeDilution: Union[float, str]


class SocketReceiverSky(TypedDict):
    sky: SocketSky


class SocketReceiverBytes(TypedDict):
    #: the receiver's bytes in base 64
    bytes: str


class _SocketReceiverTimeTime(TypedDict):
    #: ns since 1970, UTC
    utc: int
    #: ns on the daemon's monotonic clock, of a simulation or recording on its own
    arrival: int
    #: ns since 1970, UTC
    systemUTC: int
    hasFix: bool


class SocketReceiverTimeTime(_SocketReceiverTimeTime, total=False):
    isResolved: bool


class SocketReceiverTime(TypedDict):
    time: SocketReceiverTimeTime


class _SocketReceiverPulsePulse(TypedDict):
    #: ns on the daemon's monotonic clock, of a simulation or recording on its own
    instant: int
    isPaired: bool


class SocketReceiverPulsePulse(_SocketReceiverPulsePulse, total=False):
    #: ns since 1970, UTC
    second: int
    #: ns since 1970, UTC
    systemUTC: int
    #: ps
    quantisationError: int
    #: s
    jitter: Union[float, str]


class SocketReceiverPulse(TypedDict):
    pulse: SocketReceiverPulsePulse


class SocketConditionQuality(TypedDict, total=False):
    overall: int
    signals: int
    antennaPower: int
    processor: int


class _SocketConditionFixLoss(TypedDict):
    cause: Literal[
        "disconnected",
        "silent",
        "unreadable",
        "antenna open",
        "antenna short",
        "interference",
        "restarted",
        "no signal",
        "few satellites",
        "searching",
        "unknown",
    ]
    hadFix: bool


class SocketConditionFixLoss(_SocketConditionFixLoss, total=False):
    satellites: int


class SocketConditionFirstFix(TypedDict):
    seconds: Union[float, str]
    begin: Literal["start", "first byte"]
    isAssisted: bool


class _SocketConditionCorrections(TypedDict):
    bytes: int
    messages: Dict[str, int]
    interruptions: int


class SocketConditionCorrections(_SocketConditionCorrections, total=False):
    ageSeconds: Union[float, str]


class SocketCondition(TypedDict, total=False):
    """What the receiver reports of itself."""

    antenna: int
    interference: int
    interferenceLevel: int
    spoofing: int
    quality: SocketConditionQuality
    fixLoss: SocketConditionFixLoss
    hasFix: bool
    firstFix: SocketConditionFirstFix
    corrections: SocketConditionCorrections


class SocketSourcePositionReceiverReceiver(TypedDict):
    #: its port
    _0: str


class SocketSourcePositionReceiver(TypedDict):
    receiver: SocketSourcePositionReceiverReceiver


class SocketSourcePositionRecordingRecording(TypedDict):
    #: its file
    _0: str


class SocketSourcePositionRecording(TypedDict):
    recording: SocketSourcePositionRecordingRecording


class SocketSourcePositionSimulationSimulation(TypedDict):
    pass


class SocketSourcePositionSimulation(TypedDict):
    simulation: SocketSourcePositionSimulationSimulation


class _SocketSourceTroubles(TypedDict):
    device: str


class SocketSourceTroubles(_SocketSourceTroubles, total=False):
    quantity: Literal["field", "inertia", "pressure"]
    state: str
    fault: str
    losses: str


class _SocketSource(TypedDict):
    isOpen: bool
    hasMagnetometer: bool
    hasReceiver: bool
    isSimulated: bool
    isLive: bool


class SocketSource(_SocketSource, total=False):
    """The source of the estimates."""

    hasCompass: bool
    fault: str
    failure: Literal["passing", "lasting"]
    #: quaternion w, x, y, z from sensor axes to the body's
    mounting: List[Union[float, str]]
    position: SocketSourcePosition
    troubles: List[SocketSourceTroubles]
    receiver: SocketCondition
    receivers: List[PositionSource]
    storageFault: str
    storesCalibrations: bool
    devices: List[str]
    sensors: List[str]


class _SocketAccess(TypedDict):
    authorization: Literal["notDetermined", "restricted", "denied", "always", "whenInUse"]
    accuracy: Literal["full", "reduced"]
    isEnabled: bool


class SocketAccess(_SocketAccess, total=False):
    """What the policy gives the application."""

    fault: str
    resumesAutomatically: bool
    strictBackground: bool
    headings: bool
    denial: str


class _SocketCalibration(TypedDict):
    softIron: List[List[Union[float, str]]]
    hardIron: List[Union[float, str]]
    quality: Literal["uncalibrated", "assumed", "poor", "fair", "good"]


class SocketCalibration(_SocketCalibration, total=False):
    """A calibration: SIMD rows in µT."""

    predictedHeadingError: Union[float, str]
    predictedLevelError: Union[float, str]
    use: Literal["any attitude", "level"]
    residualMicrotesla: Union[float, str]


class CalibrationReport(TypedDict, total=False):
    progress: Union[float, str]
    use: Literal["any attitude", "level"]
    inUse: SocketCalibration


class Fault(TypedDict):
    """Why a request was refused."""

    code: Literal[
        "malformed",
        "tooLong",
        "version",
        "order",
        "application",
        "access",
        "tooMany",
        "unusable",
        "notKept",
        "undecided",
        "bluetooth",
        "noSensor",
        "declined",
        "inUse",
        "other",
    ]
    message: str


class ProfilesProfiles(TypedDict):
    path: str
    text: str


class _Profiles(TypedDict):
    part: str
    board: str
    profiles: List[ProfilesProfiles]
    refusals: List[str]


class Profiles(_Profiles, total=False):
    """The stored calibrations of a sensor, newest first."""

    bus: str
    address: int
    iioName: str
    serial: str
    changeFault: str


class _Place(TypedDict):
    latitude: float
    longitude: float


class Place(_Place, total=False):
    """Degrees; 'radians' where those are not exact."""

    radians: List[float]


class ConditionCircleCircle(TypedDict):
    center: Place
    radiusMetres: Union[float, str]


class ConditionCircle(TypedDict):
    circle: ConditionCircleCircle


class ConditionPolygonPolygon(TypedDict):
    vertices: List[Place]


class ConditionPolygon(TypedDict):
    polygon: ConditionPolygonPolygon


class _ConditionBeaconBeacon0(TypedDict):
    uuid: str


class ConditionBeaconBeacon0(_ConditionBeaconBeacon0, total=False):
    major: int
    minor: int


class ConditionBeaconBeacon(TypedDict):
    _0: ConditionBeaconBeacon0


class ConditionBeacon(TypedDict):
    beacon: ConditionBeaconBeacon


class _Region(TypedDict):
    identifier: str
    condition: Condition


class Region(_Region, total=False):
    notifiesOnEntry: bool
    notifiesOnExit: bool


class _PlaceFix(TypedDict):
    position: Place
    horizontalAccuracyMetres: Union[float, str]
    #: ns since 1970, UTC
    time: int
    isSimulated: bool


class PlaceFix(_PlaceFix, total=False):
    altitudeMetres: Union[float, str]
    ellipsoidalAltitudeMetres: Union[float, str]
    verticalAccuracyMetres: Union[float, str]
    speedMetresPerSecond: Union[float, str]
    courseDegrees: Union[float, str]
    motion: Literal["stationary", "walking", "running", "cycling", "driving", "on water"]


class _ConditionEvent(TypedDict):
    monitor: str
    identifier: str
    state: Literal["unknown", "satisfied", "unsatisfied", "unmonitored"]
    #: ns since 1970, UTC
    time: int


class ConditionEvent(_ConditionEvent, total=False):
    refinement: Condition
    fault: Literal[
        "limitExceeded",
        "unsupportedRegion",
        "unsupportedCondition",
        "persistenceUnavailable",
        "denied",
    ]


class EventKindRegionStartedRegionStarted(TypedDict):
    _0: Region


class EventKindRegionStarted(TypedDict):
    regionStarted: EventKindRegionStartedRegionStarted


class _EventKindRegionFailedRegionFailed(TypedDict):
    _1: Literal[
        "limitExceeded",
        "unsupportedRegion",
        "unsupportedCondition",
        "persistenceUnavailable",
        "denied",
    ]


class EventKindRegionFailedRegionFailed(_EventKindRegionFailedRegionFailed, total=False):
    _0: Region


class EventKindRegionFailed(TypedDict):
    regionFailed: EventKindRegionFailedRegionFailed


class EventKindRegionStateRegionState(TypedDict):
    _0: Region
    _1: Literal["unknown", "satisfied", "unsatisfied", "unmonitored"]


class EventKindRegionState(TypedDict):
    regionState: EventKindRegionStateRegionState


class EventKindEnteredEntered(TypedDict):
    _0: Region


class EventKindEntered(TypedDict):
    entered: EventKindEnteredEntered


class EventKindExitedExited(TypedDict):
    _0: Region


class EventKindExited(TypedDict):
    exited: EventKindExitedExited


class _EventKindVisitVisit0(TypedDict):
    position: Place
    horizontalAccuracyMetres: Union[float, str]


class EventKindVisitVisit0(_EventKindVisitVisit0, total=False):
    #: ns since 1970, UTC
    arrival: int
    #: ns since 1970, UTC
    departure: int


class EventKindVisitVisit(TypedDict):
    _0: EventKindVisitVisit0


class EventKindVisit(TypedDict):
    visit: EventKindVisitVisit


class EventKindSignificantChangeSignificantChange(TypedDict):
    _0: PlaceFix


class EventKindSignificantChange(TypedDict):
    significantChange: EventKindSignificantChangeSignificantChange


class EventKindConditionCondition(TypedDict):
    _0: ConditionEvent


class EventKindCondition(TypedDict):
    condition: EventKindConditionCondition


class _Event(TypedDict):
    sequence: int
    #: ns since 1970, UTC
    time: int
    kind: EventKind


class Event(_Event, total=False):
    """An event of monitoring, sent until it is acknowledged."""

    #: ns since 1970, UTC
    since: int
    fix: PlaceFix


class _RegistrationsMonitors(TypedDict):
    condition: Condition
    lastEvent: ConditionEvent


class RegistrationsMonitors(_RegistrationsMonitors, total=False):
    fault: Literal[
        "limitExceeded",
        "unsupportedRegion",
        "unsupportedCondition",
        "persistenceUnavailable",
        "denied",
    ]


class Registrations(TypedDict):
    regions: Dict[str, Region]
    visits: bool
    significantChanges: bool
    monitors: Dict[str, Dict[str, RegistrationsMonitors]]


class _Welcome(TypedDict):
    version: int
    pid: int
    source: SocketSource
    access: SocketAccess


class Welcome(_Welcome, total=False):
    calibration: CalibrationReport
    #: one estimate as a JSON text
    lastFix: str


class Hello(TypedDict):
    """The first message."""

    version: int
    #: the name for the policy
    application: str
    client: str
    pid: int


class _Demand(TypedDict):
    fixes: bool
    headings: bool


class Demand(_Demand, total=False):
    """What the daemon shall measure and send."""

    magneticHeadings: bool
    #: s
    headingInterval: float
    #: s
    fixInterval: float
    #: m
    desiredAccuracyMetres: float
    activity: Literal["other", "automotiveNavigation", "fitness", "otherNavigation", "airborne"]


class ClientHello(TypedDict):
    type: Literal["hello"]
    body: Hello


class ClientLook(TypedDict):
    type: Literal["look"]
    #: number of the request; its answer has the same
    id: int


class ClientDemand(TypedDict):
    type: Literal["demand"]
    body: Demand


class ClientSamples(TypedDict):
    type: Literal["samples"]
    body: bool


class ClientReceiver(TypedDict):
    type: Literal["receiver"]
    body: bool


class ClientCalibrateBodyBeginBegin(TypedDict, total=False):
    use: Literal["any attitude", "level"]


class ClientCalibrateBodyBegin(TypedDict):
    begin: ClientCalibrateBodyBeginBegin


class ClientCalibrateBodyFinishFinish(TypedDict):
    pass


class ClientCalibrateBodyFinish(TypedDict):
    finish: ClientCalibrateBodyFinishFinish


class ClientCalibrateBodyCancelCancel(TypedDict):
    pass


class ClientCalibrateBodyCancel(TypedDict):
    cancel: ClientCalibrateBodyCancelCancel


class ClientCalibrateBodyResetReset(TypedDict):
    pass


class ClientCalibrateBodyReset(TypedDict):
    reset: ClientCalibrateBodyResetReset


class ClientCalibrateBodyUseUse(TypedDict):
    _0: SocketCalibration


class ClientCalibrateBodyUse(TypedDict):
    use: ClientCalibrateBodyUseUse


class ClientCalibrate(TypedDict):
    type: Literal["calibrate"]
    #: number of the request; its answer has the same
    id: int
    body: ClientCalibrateBody


class ClientProfilesBodyListList(TypedDict, total=False):
    generation: int


class ClientProfilesBodyList(TypedDict):
    list: ClientProfilesBodyListList


class ClientProfilesBodyRollbackRollback(TypedDict):
    generation: int


class ClientProfilesBodyRollback(TypedDict):
    rollback: ClientProfilesBodyRollbackRollback


class _ClientProfilesBodyStoreStore0(TypedDict):
    text: str
    name: str
    isChecked: bool
    mayBeForeign: bool


class ClientProfilesBodyStoreStore0(_ClientProfilesBodyStoreStore0, total=False):
    after: int


class ClientProfilesBodyStoreStore(TypedDict):
    _0: ClientProfilesBodyStoreStore0


class ClientProfilesBodyStore(TypedDict):
    store: ClientProfilesBodyStoreStore


class ClientProfiles(TypedDict):
    type: Literal["profiles"]
    #: number of the request; its answer has the same
    id: int
    body: ClientProfilesBody


class ClientMonitorBodyStartRegionStartRegion(TypedDict):
    _0: Region


class ClientMonitorBodyStartRegion(TypedDict):
    startRegion: ClientMonitorBodyStartRegionStartRegion


class ClientMonitorBodyStopRegionStopRegion(TypedDict):
    identifier: str


class ClientMonitorBodyStopRegion(TypedDict):
    stopRegion: ClientMonitorBodyStopRegionStopRegion


class ClientMonitorBodyRequestStateRequestState(TypedDict):
    _0: Region


class ClientMonitorBodyRequestState(TypedDict):
    requestState: ClientMonitorBodyRequestStateRequestState


class ClientMonitorBodyStartVisitsStartVisits(TypedDict):
    pass


class ClientMonitorBodyStartVisits(TypedDict):
    startVisits: ClientMonitorBodyStartVisitsStartVisits


class ClientMonitorBodyStopVisitsStopVisits(TypedDict):
    pass


class ClientMonitorBodyStopVisits(TypedDict):
    stopVisits: ClientMonitorBodyStopVisitsStopVisits


class ClientMonitorBodyStartSignificantChangesStartSignificantChanges(TypedDict):
    pass


class ClientMonitorBodyStartSignificantChanges(TypedDict):
    startSignificantChanges: ClientMonitorBodyStartSignificantChangesStartSignificantChanges


class ClientMonitorBodyStopSignificantChangesStopSignificantChanges(TypedDict):
    pass


class ClientMonitorBodyStopSignificantChanges(TypedDict):
    stopSignificantChanges: ClientMonitorBodyStopSignificantChangesStopSignificantChanges


class ClientMonitorBodyOpenMonitorOpenMonitor(TypedDict):
    name: str


class ClientMonitorBodyOpenMonitor(TypedDict):
    openMonitor: ClientMonitorBodyOpenMonitorOpenMonitor


class ClientMonitorBodyCloseMonitorCloseMonitor(TypedDict):
    name: str


class ClientMonitorBodyCloseMonitor(TypedDict):
    closeMonitor: ClientMonitorBodyCloseMonitorCloseMonitor


class ClientMonitorBodyAddConditionAddCondition(TypedDict):
    monitor: str
    identifier: str
    condition: Condition
    assuming: Literal["unknown", "satisfied", "unsatisfied", "unmonitored"]


class ClientMonitorBodyAddCondition(TypedDict):
    addCondition: ClientMonitorBodyAddConditionAddCondition


class ClientMonitorBodyRemoveConditionRemoveCondition(TypedDict):
    monitor: str
    identifier: str


class ClientMonitorBodyRemoveCondition(TypedDict):
    removeCondition: ClientMonitorBodyRemoveConditionRemoveCondition


class ClientMonitorBodyAcknowledgeAcknowledge(TypedDict):
    sequence: int


class ClientMonitorBodyAcknowledge(TypedDict):
    acknowledge: ClientMonitorBodyAcknowledgeAcknowledge


class ClientMonitor(TypedDict):
    type: Literal["monitor"]
    #: number of the request; its answer has the same
    id: int
    body: ClientMonitorBody


class ClientListen(TypedDict):
    type: Literal["listen"]
    body: bool


class ClientRegistrations(TypedDict):
    type: Literal["registrations"]
    #: number of the request; its answer has the same
    id: int


class ClientAuthorize(TypedDict):
    type: Literal["authorize"]
    body: Literal["whenInUse", "always"]


class ClientFullAccuracyBody(TypedDict):
    purpose: str


class ClientFullAccuracy(TypedDict):
    type: Literal["fullAccuracy"]
    #: number of the request; its answer has the same
    id: int
    body: ClientFullAccuracyBody


class ClientLease(TypedDict):
    type: Literal["lease"]
    body: bool


class HostWelcome(TypedDict):
    type: Literal["welcome"]
    body: Welcome


class HostEstimate(TypedDict):
    type: Literal["estimate"]
    body: SocketEstimate


class HostSamples(TypedDict):
    type: Literal["samples"]
    body: SocketSamples


class HostReceiver(TypedDict):
    type: Literal["receiver"]
    body: SocketReceiver


class HostSource(TypedDict):
    type: Literal["source"]
    body: SocketSource


class HostLooked(TypedDict):
    type: Literal["looked"]
    #: number of the request; its answer has the same
    id: int
    body: SocketSource


class HostLastFix(TypedDict):
    type: Literal["lastFix"]
    #: one estimate as a JSON text
    body: str


class HostCalibration(TypedDict):
    type: Literal["calibration"]
    body: CalibrationReport


class HostAccess(TypedDict):
    type: Literal["access"]
    body: SocketAccess


class HostEvent(TypedDict):
    type: Literal["event"]
    body: Event


class HostJournal(TypedDict):
    type: Literal["journal"]
    body: int


class HostNotice(TypedDict):
    type: Literal["notice"]
    body: str


class _HostDone(TypedDict):
    type: Literal["done"]
    #: number of the request; its answer has the same
    id: int


class HostDone(_HostDone, total=False):
    body: Fault


class HostProfiles(TypedDict):
    type: Literal["profiles"]
    #: number of the request; its answer has the same
    id: int
    body: Profiles


class HostRegistrations(TypedDict):
    type: Literal["registrations"]
    #: number of the request; its answer has the same
    id: int
    body: Registrations


class HostRefused(TypedDict):
    type: Literal["refused"]
    body: Fault


class HostGoodbye(TypedDict):
    type: Literal["goodbye"]
    body: str


WebMessage = Union[
    "WebEstimate",
    "WebField",
    "WebSky",
    "WebSource",
    "WebPermission",
    "WebCalibration",
]
SocketReceiver = Union[
    "SocketReceiverSky",
    "SocketReceiverBytes",
    "SocketReceiverTime",
    "SocketReceiverPulse",
]
SocketSourcePosition = Union[
    "SocketSourcePositionReceiver",
    "SocketSourcePositionRecording",
    "SocketSourcePositionSimulation",
]
Condition = Union[
    "ConditionCircle",
    "ConditionPolygon",
    "ConditionBeacon",
]
EventKind = Union[
    "EventKindRegionStarted",
    "EventKindRegionFailed",
    "EventKindRegionState",
    "EventKindEntered",
    "EventKindExited",
    "EventKindVisit",
    "EventKindSignificantChange",
    "EventKindCondition",
]
ClientCalibrateBody = Union[
    "ClientCalibrateBodyBegin",
    "ClientCalibrateBodyFinish",
    "ClientCalibrateBodyCancel",
    "ClientCalibrateBodyReset",
    "ClientCalibrateBodyUse",
]
ClientProfilesBody = Union[
    "ClientProfilesBodyList",
    "ClientProfilesBodyRollback",
    "ClientProfilesBodyStore",
]
ClientMonitorBody = Union[
    "ClientMonitorBodyStartRegion",
    "ClientMonitorBodyStopRegion",
    "ClientMonitorBodyRequestState",
    "ClientMonitorBodyStartVisits",
    "ClientMonitorBodyStopVisits",
    "ClientMonitorBodyStartSignificantChanges",
    "ClientMonitorBodyStopSignificantChanges",
    "ClientMonitorBodyOpenMonitor",
    "ClientMonitorBodyCloseMonitor",
    "ClientMonitorBodyAddCondition",
    "ClientMonitorBodyRemoveCondition",
    "ClientMonitorBodyAcknowledge",
]
ClientMessage = Union[
    "ClientHello",
    "ClientLook",
    "ClientDemand",
    "ClientSamples",
    "ClientReceiver",
    "ClientCalibrate",
    "ClientProfiles",
    "ClientMonitor",
    "ClientListen",
    "ClientRegistrations",
    "ClientAuthorize",
    "ClientFullAccuracy",
    "ClientLease",
]
HostMessage = Union[
    "HostWelcome",
    "HostEstimate",
    "HostSamples",
    "HostReceiver",
    "HostSource",
    "HostLooked",
    "HostLastFix",
    "HostCalibration",
    "HostAccess",
    "HostEvent",
    "HostJournal",
    "HostNotice",
    "HostDone",
    "HostProfiles",
    "HostRegistrations",
    "HostRefused",
    "HostGoodbye",
]
