"""Values of the daemon as messages of ROS 2: dictionaries with the fields of each type.

Without input, output and ROS. The messages are those that `lodestar record` writes:
- REP 103: the body is x forward, y left, z up, the earth x east, y north, z up; SI units
- REP 105: the frame is `base_link`; header.stamp is the time of the measurement
- REP 145: `imu/data_raw` is as measured, `imu/data` has the orientation; a covariance that begins
  with -1 belongs to a value that is not known, and one of zeros is not known
"""

from __future__ import annotations

import collections
import math
from typing import Any, Callable, Deque, Dict, List, Mapping, Optional, Sequence, Tuple

from lodestar import Access, Estimate, Location, Samples, Source

Message = Dict[str, Any]
#: A topic and its message.
Published = Tuple[str, Message]
Quaternion = Tuple[float, float, float, float]
Vector = Tuple[float, float, float]

#: The types of the topics.
TOPICS = {
    "imu/data": "sensor_msgs/msg/Imu",
    "imu/data_raw": "sensor_msgs/msg/Imu",
    "imu/mag": "sensor_msgs/msg/MagneticField",
    "pressure": "sensor_msgs/msg/FluidPressure",
    "temperature": "sensor_msgs/msg/Temperature",
    "fix": "sensor_msgs/msg/NavSatFix",
    "time_reference": "sensor_msgs/msg/TimeReference",
    "/diagnostics": "diagnostic_msgs/msg/DiagnosticArray",
}

#: The fields of messages that are messages.
_PARTS = {
    "std_msgs/msg/Header": {"stamp": "builtin_interfaces/msg/Time"},
    "sensor_msgs/msg/Imu": {
        "header": "std_msgs/msg/Header",
        "orientation": "geometry_msgs/msg/Quaternion",
        "angular_velocity": "geometry_msgs/msg/Vector3",
        "linear_acceleration": "geometry_msgs/msg/Vector3",
    },
    "sensor_msgs/msg/MagneticField": {
        "header": "std_msgs/msg/Header",
        "magnetic_field": "geometry_msgs/msg/Vector3",
    },
    "sensor_msgs/msg/FluidPressure": {"header": "std_msgs/msg/Header"},
    "sensor_msgs/msg/Temperature": {"header": "std_msgs/msg/Header"},
    "sensor_msgs/msg/NavSatFix": {
        "header": "std_msgs/msg/Header",
        "status": "sensor_msgs/msg/NavSatStatus",
    },
    "sensor_msgs/msg/TimeReference": {
        "header": "std_msgs/msg/Header",
        "time_ref": "builtin_interfaces/msg/Time",
    },
    "diagnostic_msgs/msg/DiagnosticArray": {
        "header": "std_msgs/msg/Header",
        "status": "diagnostic_msgs/msg/DiagnosticStatus",
    },
    "diagnostic_msgs/msg/DiagnosticStatus": {"values": "diagnostic_msgs/msg/KeyValue"},
}

#: The 68 % radius of a circular error in standard deviations.
_SIGMAS_IN_RADIUS = math.sqrt(-2 * math.log1p(-0.68))
#: The age at which a sample no longer belongs to an estimate, nanoseconds.
_SAMPLE_VALIDITY = 500_000_000
_UNKNOWN = [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
_ZEROS = [0.0] * 9
#: The interval of messages without a fix while the position is lost, nanoseconds.
_NO_FIX_INTERVAL = 1_000_000_000


def build(
    class_of: Callable[[str], Any], kind: str, values: Mapping[str, Any], octet: Any = int
) -> Any:
    """An object of a message's class. `octet` makes the value of a field of the type `byte`."""
    parts = _PARTS.get(kind, {})
    fields: Dict[str, Any] = {}
    for key, value in values.items():
        if key in parts:
            many = isinstance(value, list)
            made = [build(class_of, parts[key], one, octet) for one in (value if many else [value])]
            fields[key] = made if many else made[0]
        elif kind == "diagnostic_msgs/msg/DiagnosticStatus" and key == "level":
            fields[key] = octet(value)
        else:
            fields[key] = value
    return class_of(kind)(**fields)


def time_message(nanoseconds: int) -> Message:
    seconds, rest = divmod(max(0, nanoseconds), 1_000_000_000)
    return {"sec": seconds, "nanosec": rest}


def multiply(a: Sequence[float], b: Sequence[float]) -> Quaternion:
    """The product of two quaternions, scalar first."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def rotate(q: Sequence[float], v: Sequence[float]) -> Vector:
    """A vector rotated by a quaternion, scalar first."""
    w, x, y, z = q
    tx, ty, tz = 2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])
    return (
        v[0] + w * tx + y * tz - z * ty,
        v[1] + w * ty + z * tx - x * tz,
        v[2] + w * tz + x * ty - y * tx,
    )


def _from_angles(heading: float, pitch: float, roll: float) -> Quaternion:
    """The body in north, east, down: heading about z, pitch about y, roll about x."""
    half = [(math.cos(angle / 2), math.sin(angle / 2)) for angle in (heading, pitch, roll)]
    (ch, sh), (cp, sp), (cr, sr) = half
    return (
        ch * cp * cr + sh * sp * sr,
        ch * cp * sr - sh * sp * cr,
        ch * sp * cr + sh * cp * sr,
        sh * cp * cr - ch * sp * sr,
    )


def _roll_and_pitch(q: Sequence[float]) -> Tuple[float, float]:
    w, x, y, z = q
    down = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))
    roll = 0.0 if abs(down[0]) > 0.999_999_9 else math.atan2(down[1], down[2])
    return roll, math.atan2(-down[0], math.hypot(down[1], down[2]))


def orientation(estimate: Estimate) -> Optional[Quaternion]:
    """The body in east, north, up, scalar first; None where the tilt is not known.

    North is true where the true heading is known, else magnetic.
    """
    attitude = estimate.attitude
    if attitude is None or not attitude.is_level_known:
        return None
    body = attitude.quaternion
    sent = estimate.as_sent
    heading = sent.get("trueHeading", sent.get("magneticHeading"))
    if isinstance(heading, (int, float)):
        roll, pitch = _roll_and_pitch(body)
        body = _from_angles(heading, pitch, roll)
    # Half a turn about (1, 1, 0) takes north, east, down to east, north, up; half a turn about x
    # takes left and up to right and down.
    half = math.sqrt(0.5)
    q = multiply(multiply((0.0, half, half, 0.0), body), (0.0, 1.0, 0.0, 0.0))
    return q if q[0] >= 0 else (-q[0], -q[1], -q[2], -q[3])


def _vector(v: Sequence[float]) -> Message:
    return {"x": v[0], "y": v[1], "z": v[2]}


class Converter:
    """Makes the messages of samples and estimates, in their order.

    `offset(timestamp)` is civil time less the clock of the source at that time, nanoseconds.
    """

    def __init__(self, offset: Callable[[int], int], frame: str = "base_link") -> None:
        #: From the samples' axes to the body's (forward, right, down), scalar first.
        self.mounting: Quaternion = (1.0, 0.0, 0.0, 0.0)
        #: The origin of the positions, for TimeReference; None where its time is no reference.
        self.time_source: Optional[str] = None
        self._offset = offset
        self._frame = frame
        # The newest: a sample may be read before an estimate that is older.
        self._inertial: Deque[Samples] = collections.deque(maxlen=16)
        # An estimate may be read before the sample of its time.
        self._waiting: Optional[Tuple[Estimate, Quaternion]] = None
        self._last_fix: Optional[int] = None
        self._last_lack: Optional[int] = None

    def _header(self, timestamp: int) -> Message:
        stamp = time_message(timestamp + self._offset(timestamp))
        return {"stamp": stamp, "frame_id": self._frame}

    def _axes(self, v: Sequence[float]) -> Vector:
        """A vector in sensor axes along the axes of ROS's body."""
        body = rotate(self.mounting, v)
        return (body[0], -body[1], -body[2])

    def of_samples(self, samples: Samples) -> List[Published]:
        """The messages of one instant."""
        published: List[Published] = []
        if samples.inertial_timestamp_nanoseconds is not None:
            self._inertial.append(samples)
            imu = self._imu(samples.inertial_timestamp_nanoseconds, samples)
            published.append(("imu/data_raw", imu))
            if self._waiting is not None:
                if samples.timestamp_nanoseconds >= self._waiting[0].timestamp_nanoseconds:
                    published += self._of_waiting()
        if samples.field_microtesla is not None and samples.field_timestamp_nanoseconds is not None:
            tesla = [axis * 1e-6 for axis in self._axes(samples.field_microtesla)]
            field = {
                "header": self._header(samples.field_timestamp_nanoseconds),
                "magnetic_field": _vector(tesla),
                "magnetic_field_covariance": list(_ZEROS),
            }
            published.append(("imu/mag", field))
        if samples.pressure_timestamp_nanoseconds is not None:
            header = self._header(samples.pressure_timestamp_nanoseconds)
            if samples.pressure_hectopascal is not None:
                pascal = samples.pressure_hectopascal * 100
                message: Message = {"header": header, "fluid_pressure": pascal, "variance": 0.0}
                published.append(("pressure", message))
            if samples.temperature_celsius is not None:
                message = {
                    "header": header,
                    "temperature": samples.temperature_celsius,
                    "variance": 0.0,
                }
                published.append(("temperature", message))
        return published

    def _imu(self, timestamp: int, samples: Optional[Samples]) -> Message:
        force = samples.specific_force_metres_per_second_squared if samples else None
        rate = samples.angular_rate_radians_per_second if samples else None
        return {
            "header": self._header(timestamp),
            "orientation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
            "orientation_covariance": list(_UNKNOWN),
            "angular_velocity": _vector(self._axes(rate) if rate else (0.0, 0.0, 0.0)),
            "angular_velocity_covariance": list(_ZEROS if rate else _UNKNOWN),
            "linear_acceleration": _vector(self._axes(force) if force else (0.0, 0.0, 0.0)),
            "linear_acceleration_covariance": list(_ZEROS if force else _UNKNOWN),
        }

    def of_estimate(self, estimate: Estimate) -> List[Published]:
        """The messages of an estimate: the attitude, and a fix that is new."""
        published = self._of_waiting()
        turned = orientation(estimate)
        if turned is not None and _is_current(estimate.heading_state):
            self._waiting = (estimate, turned)
            now = estimate.timestamp_nanoseconds
            age = now - self._inertial[-1].timestamp_nanoseconds if self._inertial else 0
            # Without samples there is none to wait for.
            if not 0 < age < _SAMPLE_VALIDITY:
                published += self._of_waiting()
        published += self._of_position(estimate)
        return published

    def _of_waiting(self) -> List[Published]:
        waiting, self._waiting = self._waiting, None
        return [] if waiting is None else [("imu/data", self._imu_of(*waiting))]

    def _imu_of(self, estimate: Estimate, turned: Quaternion) -> Message:
        now = estimate.timestamp_nanoseconds
        ages = ((now - one.timestamp_nanoseconds, one) for one in reversed(self._inertial))
        newest = next((one for age, one in ages if 0 <= age < _SAMPLE_VALIDITY), None)
        imu = self._imu(now, newest)
        imu["orientation"] = {"x": turned[1], "y": turned[2], "z": turned[3], "w": turned[0]}
        imu["orientation_covariance"] = list(_ZEROS)
        sent = estimate.as_sent
        accuracy = sent.get("trueHeadingAccuracy", sent.get("headingAccuracy"))
        if isinstance(accuracy, (int, float)):
            # Two sigma; roll and pitch have no error of their own, and are more certain.
            for index in (0, 4, 8):
                imu["orientation_covariance"][index] = accuracy * accuracy / 4
        return imu

    def _of_position(self, estimate: Estimate) -> List[Published]:
        location, now = estimate.location, estimate.timestamp_nanoseconds
        if estimate.position_state in ("lost", "ended", "awaited"):
            if self._last_lack is not None and 0 <= now - self._last_lack < _NO_FIX_INTERVAL:
                return []
            self._last_lack = now
            return [("fix", self._fix(now, None, estimate))]
        self._last_lack = None
        if location is None or location.fix_kind in (None, "none", "dead reckoning"):
            return []
        time = location.timestamp_nanoseconds
        if time == self._last_fix:
            return []
        self._last_fix = time
        published: List[Published] = [("fix", self._fix(time, location, estimate))]
        if self.time_source is not None and location.utc_nanoseconds is not None:
            reference = time_message(location.utc_nanoseconds + time - now)
            message = {
                "header": self._header(time),
                "time_ref": reference,
                "source": self.time_source,
            }
            published.append(("time_reference", message))
        return published

    def _fix(self, timestamp: int, location: Optional[Location], estimate: Estimate) -> Message:
        fix: Message = {
            "header": self._header(timestamp),
            "status": {"status": -1, "service": 1},
            "latitude": math.nan,
            "longitude": math.nan,
            "altitude": math.nan,
            "position_covariance": list(_ZEROS),
            "position_covariance_type": 0,
        }
        if location is None:
            return fix
        statuses = {"differential": 1, "RTK float": 2, "RTK fixed": 2}
        fix["status"]["status"] = statuses.get(str(location.fix_kind), 0)
        fix["latitude"] = location.latitude_degrees
        fix["longitude"] = location.longitude_degrees
        if location.ellipsoidal_altitude_metres is not None:
            fix["altitude"] = location.ellipsoidal_altitude_metres
        covariance = estimate.as_sent.get("positionCovarianceSquareMetres")
        if covariance is not None and all(isinstance(one, (int, float)) for one in covariance):
            nn, ne, nd, ee, ed, dd = (float(one) for one in covariance)
            fix["position_covariance"] = [ee, ne, -ed, ne, nn, -nd, -ed, -nd, dd]
            fix["position_covariance_type"] = 3
        elif location.horizontal_accuracy_metres is not None:
            sigma = location.horizontal_accuracy_metres / _SIGMAS_IN_RADIUS
            vertical = location.vertical_accuracy_metres
            # The usual ratio of the dilutions, where the receiver states none.
            up = 2 * sigma if vertical is None else vertical
            fix["position_covariance"] = [sigma**2, 0.0, 0.0, 0.0, sigma**2, 0.0, 0.0, 0.0, up**2]
            fix["position_covariance_type"] = 1 if vertical is None else 2
        return fix


def _is_current(state: Optional[str]) -> bool:
    """Whether values of a source in that state are measured now, or carried on for some seconds."""
    return state not in ("lost", "ended", "awaited")


# Diagnostics

OK, WARN, ERROR, STALE = 0, 1, 2, 3
_LEVELS = {
    "live": OK,
    "late": WARN,
    "contradicted": WARN,
    "lost": ERROR,
    "ended": ERROR,
    "awaited": STALE,
}


def diagnostics(
    nanoseconds: int,
    *,
    fault: Optional[str] = None,
    source: Optional[Source] = None,
    access: Optional[Access] = None,
    estimate: Optional[Estimate] = None,
    age: Optional[float] = None,
) -> Message:
    """The state of the daemon and of its sources of heading and position.

    `fault`: why there is no connection; `age`: seconds since the newest estimate, None before it.
    """
    statuses = [_daemon_status(fault, source, access)]
    is_stale = fault is not None or estimate is None or age is None or age > 3
    for name in ("heading", "position"):
        statuses.append(_source_status(name, None if is_stale else estimate))
    header = {"stamp": time_message(nanoseconds), "frame_id": ""}
    return {"header": header, "status": statuses}


def _status(name: str, level: int, message: str, values: Mapping[str, Any]) -> Message:
    pairs = [{"key": key, "value": str(one)} for key, one in values.items() if one is not None]
    return {
        "level": level,
        "name": f"lodestar: {name}",
        "message": message,
        "hardware_id": "lodestar",
        "values": pairs,
    }


def _daemon_status(
    fault: Optional[str], source: Optional[Source], access: Optional[Access]
) -> Message:
    level, message = OK, "sensors measure"
    if fault is not None:
        level, message = ERROR, fault
    elif access is not None and not access.is_granted:
        level, message = ERROR, access.remedy or "no access"
    elif source is None or not source.is_open:
        level = ERROR if source is not None and source.fault else STALE
        message = (source.fault if source else None) or "no source is open"
    elif source.is_simulated:
        level, message = WARN, "simulated: the values do not come from sensors"
    elif not source.is_live:
        level, message = WARN, "a recording plays"
    values: Dict[str, Any] = {}
    if access is not None:
        values.update(authorization=access.authorization, accuracy=access.accuracy)
    if source is not None:
        values.update(position=source.position, simulated=source.is_simulated)
    return _status("daemon", level, message, values)


def _source_status(name: str, estimate: Optional[Estimate]) -> Message:
    if estimate is None:
        return _status(name, STALE, "no estimate arrives", {})
    state = estimate.heading_state if name == "heading" else estimate.position_state
    if state is None:
        return _status(name, OK, "the board has none", {})
    level, message = _LEVELS.get(state, WARN), state
    values: Dict[str, Any] = {"state": state}
    if name == "heading" and estimate.heading is not None:
        heading = estimate.heading
        values.update(
            accuracy_degrees=heading.accuracy_degrees,
            calibration=heading.calibration,
            disturbance=heading.disturbance,
        )
        if level == OK and heading.calibration in ("uncalibrated", "poor"):
            level, message = WARN, f"calibration: {heading.calibration}"
        elif level == OK and heading.disturbance not in (None, "clean"):
            level, message = WARN, f"field: {heading.disturbance}"
    elif name == "position" and estimate.location is not None and _is_current(state):
        location = estimate.location
        values.update(
            fix=location.fix_kind,
            satellites=location.satellites_used,
            accuracy_metres=location.horizontal_accuracy_metres,
        )
    if level == OK and estimate.is_simulated:
        level, message = WARN, "simulated"
    return _status(name, level, message, values)
