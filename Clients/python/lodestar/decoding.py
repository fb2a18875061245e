"""Bodies of messages to values. Unknown keys are ignored; a wrong type is a ProtocolError with the key."""

from __future__ import annotations

import math
import struct
from typing import Any, Dict, List, Mapping, Optional, Tuple, cast

from .contract import SocketEstimate
from .errors import ProtocolError
from .values import Access, Attitude, Estimate, Heading, Location, Quaternion, Samples, Source, Vector


class Reader:
    """Reads the keys of a JSON object."""

    def __init__(self, body: Any, what: str) -> None:
        self._what = what
        if not isinstance(body, dict):
            raise ProtocolError(f"the message '{what}' cannot be read: its body is not an object")
        self.body: Dict[str, Any] = body

    def number(self, key: str) -> Optional[float]:
        value = self.body.get(key)
        return None if value is None else self._number(value, key)

    def degrees(self, key: str) -> Optional[float]:
        """Radians on the wire."""
        radians = self.number(key)
        return None if radians is None else math.degrees(radians)

    def numbers(self, key: str, count: int) -> Optional[Tuple[float, ...]]:
        value = self.body.get(key)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != count:
            raise self._fault(key, f"{count} numbers")
        return tuple([self._number(element, key) for element in value])

    def vector(self, key: str) -> Optional[Vector]:
        return cast(Optional[Vector], self.numbers(key, 3))

    def quaternion(self, key: str) -> Optional[Quaternion]:
        return cast(Optional[Quaternion], self.numbers(key, 4))

    def integer(self, key: str, bits: int = 64, signed: bool = True) -> Optional[int]:
        value = self.body.get(key)
        if value is None:
            return None
        low, high = (-(1 << (bits - 1)), 1 << (bits - 1)) if signed else (0, 1 << bits)
        if type(value) is not int or not low <= value < high:
            raise self._fault(key, "an integer")
        return value

    def timestamp(self, key: str) -> Optional[int]:
        return self.integer(key, signed=False)

    def text(self, key: str) -> Optional[str]:
        value = self.body.get(key)
        if value is not None and not isinstance(value, str):
            raise self._fault(key, "a text")
        return value

    def flag(self, key: str) -> bool:
        """False where the key is absent."""
        value = self.body.get(key, False)
        if not isinstance(value, bool):
            raise self._fault(key, "true or false")
        return value

    def required_text(self, key: str) -> str:
        value = self.text(key)
        if value is None:
            raise self._fault(key, "a text")
        return value

    def required_timestamp(self, key: str) -> int:
        value = self.timestamp(key)
        if value is None:
            raise self._fault(key, "an integer")
        return value

    def _number(self, value: Any, key: str) -> float:
        try:
            if type(value) is float and math.isfinite(value):
                return value
            if type(value) is int:
                return float(value)
            if type(value) is str and value.startswith("0x"):
                # A number that is not finite is the text of its bits.
                return cast(float, struct.unpack(">d", int(value[2:], 16).to_bytes(8, "big"))[0])
        except (OverflowError, ValueError):
            pass
        raise self._fault(key, "a number")

    def _fault(self, key: str, expected: str) -> ProtocolError:
        return ProtocolError(f"the message '{self._what}' cannot be read: '{key}' is not {expected}")


def estimate(body: Any, what: str = "estimate") -> Estimate:
    read = Reader(body, what)
    timestamp = read.required_timestamp("timestamp")
    utc = read.integer("utc")
    is_simulated = read.flag("isSimulated")
    return Estimate(
        timestamp_nanoseconds=timestamp,
        utc_nanoseconds=utc,
        heading=_heading(read, timestamp, utc, is_simulated),
        location=_location(read, timestamp, utc, is_simulated),
        attitude=_attitude(read),
        velocity_metres_per_second=read.vector("velocity"),
        field_microtesla=read.vector("field"),
        heading_state=read.text("headingState"),
        heading_state_since_nanoseconds=read.timestamp("headingStateSince"),
        position_state=read.text("positionState"),
        position_state_since_nanoseconds=read.timestamp("positionStateSince"),
        is_simulated=is_simulated,
        as_sent=cast(SocketEstimate, read.body),
    )


def _heading(read: Reader, timestamp: int, utc: Optional[int], is_simulated: bool) -> Optional[Heading]:
    magnetic = read.degrees("magneticHeading")
    if magnetic is None:
        return None
    return Heading(
        timestamp_nanoseconds=timestamp,
        utc_nanoseconds=utc,
        magnetic_degrees=magnetic,
        true_degrees=read.degrees("trueHeading"),
        accuracy_degrees=read.degrees("headingAccuracy"),
        true_accuracy_degrees=read.degrees("trueHeadingAccuracy"),
        deviation_degrees=read.degrees("deviation"),
        rate_of_turn_degrees_per_second=read.degrees("rateOfTurn"),
        is_declination_out_of_date=read.flag("isDeclinationOutOfDate"),
        calibration=read.text("calibration"),
        disturbance=read.text("disturbance"),
        is_simulated=is_simulated,
    )


def _location(read: Reader, timestamp: int, utc: Optional[int], is_simulated: bool) -> Optional[Location]:
    position = read.numbers("position", 2)
    if position is None:
        return None
    fix_timestamp = read.timestamp("fixTimestamp")
    return Location(
        timestamp_nanoseconds=timestamp if fix_timestamp is None else fix_timestamp,
        utc_nanoseconds=utc,
        latitude_degrees=math.degrees(position[0]),
        longitude_degrees=math.degrees(position[1]),
        horizontal_accuracy_metres=read.number("horizontalAccuracyMetres"),
        altitude_metres=read.number("altitudeMetres"),
        ellipsoidal_altitude_metres=read.number("ellipsoidalAltitudeMetres"),
        vertical_accuracy_metres=read.number("verticalAccuracyMetres"),
        speed_metres_per_second=read.number("speedMetresPerSecond"),
        speed_accuracy_metres_per_second=read.number("speedAccuracyMetresPerSecond"),
        vertical_speed_metres_per_second=read.number("verticalSpeedMetresPerSecond"),
        course_degrees=read.degrees("course"),
        course_accuracy_degrees=read.degrees("courseAccuracy"),
        fix_kind=read.text("fixKind"),
        satellites_used=read.integer("satellitesUsed"),
        horizontal_dilution=read.number("horizontalDilution"),
        vertical_dilution=read.number("verticalDilution"),
        correction_age_seconds=read.number("correctionAgeSeconds"),
        is_simulated=is_simulated,
    )


def _attitude(read: Reader) -> Optional[Attitude]:
    quaternion = read.quaternion("attitude")
    if quaternion is None:
        return None
    return Attitude(
        quaternion=quaternion,
        is_level_known=read.flag("isLevelKnown"),
        mode=read.text("attitudeMode"),
        acceleration_metres_per_second_squared=read.vector("acceleration"),
        heave_metres=read.number("heaveMetres"),
    )


def samples(body: Any) -> Samples:
    read = Reader(body, "samples")
    timestamp = read.required_timestamp("timestamp")

    def time(key: str, *values: object) -> Optional[int]:
        """A sample without its own timestamp has that of the message."""
        if all(value is None for value in values):
            return None
        own = read.timestamp(key)
        return timestamp if own is None else own

    force, rate, field = read.vector("force"), read.vector("rate"), read.vector("field")
    pressure = read.number("pressure")
    return Samples(
        timestamp_nanoseconds=timestamp,
        inertial_timestamp_nanoseconds=time("inertialTimestamp", force, rate),
        specific_force_metres_per_second_squared=force,
        angular_rate_radians_per_second=rate,
        field_timestamp_nanoseconds=time("fieldTimestamp", field),
        field_microtesla=field,
        pressure_timestamp_nanoseconds=time("pressureTimestamp", pressure),
        pressure_hectopascal=pressure,
        temperature_celsius=read.number("celsius"),
    )


def source(body: Any, what: str = "source") -> Source:
    read = Reader(body, what)
    return Source(
        is_open=read.flag("isOpen"),
        has_magnetometer=read.flag("hasMagnetometer"),
        has_compass=read.flag("hasCompass"),
        has_receiver=read.flag("hasReceiver"),
        is_simulated=read.flag("isSimulated"),
        is_live=read.flag("isLive"),
        fault=read.text("fault"),
        mounting=read.quaternion("mounting"),
        position=_origin(read.body.get("position")),
    )


def _origin(position: Any) -> Optional[str]:
    """`{"receiver":{"_0":"/dev/ttyAMA0"}}` as one text."""
    if not isinstance(position, Mapping) or len(position) != 1:
        return None
    kind, values = next(iter(position.items()))
    words: List[str] = [kind]
    if isinstance(values, Mapping) and isinstance(values.get("_0"), str):
        words.append(values["_0"])
    return " ".join(words)


def access(body: Any, application: str, what: str = "access") -> Access:
    read = Reader(body, what)
    return Access(
        application=application,
        authorization=read.required_text("authorization"),
        accuracy=read.required_text("accuracy"),
        is_enabled=read.flag("isEnabled"),
        fault=read.text("fault"),
    )
