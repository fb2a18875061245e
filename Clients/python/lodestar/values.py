"""The values that a client receives. `None` means unknown. The unit is in the attribute's name."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Optional, Tuple

from .contract import SocketEstimate

Vector = Tuple[float, float, float]
Quaternion = Tuple[float, float, float, float]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def civil_time(nanoseconds: Optional[int]) -> Optional[datetime]:
    """The date and time in UTC, cut to microseconds, of nanoseconds since 1970."""
    if nanoseconds is None:
        return None
    return _EPOCH + timedelta(microseconds=nanoseconds // 1000)


@dataclass(frozen=True)
class Heading:
    """The direction of the board's forward axis."""

    #: The clock of the source: the daemon's monotonic clock, of a simulation or recording its own time.
    timestamp_nanoseconds: int
    #: Civil time since 1970.
    utc_nanoseconds: Optional[int]
    #: Clockwise from magnetic north, 0 to below 360.
    magnetic_degrees: float
    #: Clockwise from true north, 0 to below 360; needs a place and a date.
    true_degrees: Optional[float]
    #: Bound of 95 % of the magnetic heading's errors.
    accuracy_degrees: Optional[float]
    #: Bound of 95 % of the true heading's errors.
    true_accuracy_degrees: Optional[float]
    #: Deviation of the compass by the vehicle's iron, positive east; the headings include its correction.
    deviation_degrees: Optional[float]
    #: Clockwise seen from above.
    rate_of_turn_degrees_per_second: Optional[float]
    #: True if the magnetic model of the true heading is outside its years of validity.
    is_declination_out_of_date: bool
    #: uncalibrated, assumed, poor, fair or good.
    calibration: Optional[str]
    #: clean, disturbed, recovering or 'magnet nearby'.
    disturbance: Optional[str]
    #: True if the values do not come from sensors.
    is_simulated: bool

    @property
    def utc(self) -> Optional[datetime]:
        """Civil time, cut to microseconds."""
        return civil_time(self.utc_nanoseconds)


@dataclass(frozen=True)
class Location:
    """A position of the receiver, WGS-84."""

    #: The time of the fix on the clock of the source; different for each fix.
    timestamp_nanoseconds: int
    #: Civil time since 1970 of the estimate with the fix.
    utc_nanoseconds: Optional[int]
    #: Positive north.
    latitude_degrees: float
    #: Positive east.
    longitude_degrees: float
    #: Radius of 68 % probability.
    horizontal_accuracy_metres: Optional[float]
    #: Above mean sea level.
    altitude_metres: Optional[float]
    #: Above the WGS-84 ellipsoid.
    ellipsoidal_altitude_metres: Optional[float]
    #: One sigma.
    vertical_accuracy_metres: Optional[float]
    #: Over ground.
    speed_metres_per_second: Optional[float]
    #: One sigma.
    speed_accuracy_metres_per_second: Optional[float]
    #: Upward.
    vertical_speed_metres_per_second: Optional[float]
    #: Course over ground, clockwise from true north.
    course_degrees: Optional[float]
    #: One sigma.
    course_accuracy_degrees: Optional[float]
    #: dead reckoning, simulated, network, 2D, 3D, differential, RTK float or RTK fixed.
    fix_kind: Optional[str]
    #: Satellites in the solution.
    satellites_used: Optional[int]
    #: Dilution of precision, dimensionless.
    horizontal_dilution: Optional[float]
    #: Dilution of precision, dimensionless.
    vertical_dilution: Optional[float]
    #: Age of the differential corrections.
    correction_age_seconds: Optional[float]
    #: True if the values do not come from sensors.
    is_simulated: bool

    @property
    def utc(self) -> Optional[datetime]:
        """Civil time, cut to microseconds."""
        return civil_time(self.utc_nanoseconds)


@dataclass(frozen=True)
class Attitude:
    """The rotation of the body (forward, right, down) to the earth (magnetic north, east, down)."""

    #: Scalar first.
    quaternion: Quaternion
    #: False if the board is assumed level: a magnetometer alone gives no roll and pitch.
    is_level_known: bool
    #: The sensors in use: '9-axis', 'gyroscope and accelerometer', 'accelerometer and magnetometer',
    #: 'magnetometer' or 'accelerometer'.
    mode: Optional[str]
    #: Without gravity: magnetic north, east, down.
    acceleration_metres_per_second_squared: Optional[Vector]
    #: Up, above the mean height in the waves.
    heave_metres: Optional[float]

    @property
    def roll_degrees(self) -> Optional[float]:
        """Right side down."""
        if not self.is_level_known:
            return None
        w, x, y, z = self.quaternion
        return math.degrees(math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)))

    @property
    def pitch_degrees(self) -> Optional[float]:
        """Bow up."""
        if not self.is_level_known:
            return None
        w, x, y, z = self.quaternion
        return math.degrees(math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))))


@dataclass(frozen=True)
class Estimate:
    """The result of the fusion at one time."""

    #: The clock of the source: the daemon's monotonic clock, of a simulation or recording its own time.
    timestamp_nanoseconds: int
    #: Civil time since 1970.
    utc_nanoseconds: Optional[int]
    #: None without a magnetic heading.
    heading: Optional[Heading]
    #: The last position; the same in all estimates until the next fix.
    location: Optional[Location]
    #: None without an inertial unit and a magnetometer.
    attitude: Optional[Attitude]
    #: Over ground: true north, east, down.
    velocity_metres_per_second: Optional[Vector]
    #: The magnetic field in body axes after calibration: forward, right, down.
    field_microtesla: Optional[Vector]
    #: The source of headings: live, awaited, late, lost, contradicted or ended; None for a board without one.
    heading_state: Optional[str]
    #: When that state began, on the clock of the source.
    heading_state_since_nanoseconds: Optional[int]
    #: The same of the source of positions.
    position_state: Optional[str]
    #: When that state began, on the clock of the source.
    position_state_since_nanoseconds: Optional[int]
    #: True if the values do not come from sensors.
    is_simulated: bool
    #: The whole message body with its keys, numbers and units: radians, metres, nanoseconds.
    as_sent: SocketEstimate

    @property
    def utc(self) -> Optional[datetime]:
        """Civil time, cut to microseconds."""
        return civil_time(self.utc_nanoseconds)


@dataclass(frozen=True)
class Samples:
    """Measurements of one instant in sensor axes. `Source.mounting` rotates them to the body's axes."""

    #: The clock of the source, as all times of this value.
    timestamp_nanoseconds: int
    #: Time of specific force and angular rate.
    inertial_timestamp_nanoseconds: Optional[int]
    #: Acceleration minus gravity.
    specific_force_metres_per_second_squared: Optional[Vector]
    #: Angular rate.
    angular_rate_radians_per_second: Optional[Vector]
    #: Time of the magnetic field.
    field_timestamp_nanoseconds: Optional[int]
    #: Magnetic field.
    field_microtesla: Optional[Vector]
    #: Time of the pressure.
    pressure_timestamp_nanoseconds: Optional[int]
    #: Air pressure.
    pressure_hectopascal: Optional[float]
    #: The barometer's temperature.
    temperature_celsius: Optional[float]


@dataclass(frozen=True)
class Source:
    """The source of the daemon's estimates."""

    #: True if a board is open, or a recording or simulation plays.
    is_open: bool
    has_magnetometer: bool
    #: True if another compass sends headings.
    has_compass: bool
    has_receiver: bool
    #: True if the estimates do not come from sensors.
    is_simulated: bool
    #: True if sensors measure now: false for a simulation and for a recording.
    is_live: bool
    #: What is missing and the remedy, while no source is open.
    fault: Optional[str]
    #: The rotation from the samples' axes to the body's, scalar first.
    mounting: Optional[Quaternion]
    #: The origin of the positions: 'receiver /dev/ttyAMA0', 'recording PATH' or 'simulation'.
    position: Optional[str]


@dataclass(frozen=True)
class Access:
    """The access that the machine's policy gives this program."""

    #: The name by which the policy identifies this program.
    application: str
    #: notDetermined, restricted, denied, always or whenInUse.
    authorization: str
    #: full, or reduced: the middle of a coarse grid cell.
    accuracy: str
    #: The system switch.
    is_enabled: bool
    #: Why the program has less access than the policy's rules for it give, with the remedy.
    fault: Optional[str]

    @property
    def is_granted(self) -> bool:
        """True if the daemon sends estimates to this program."""
        return self.is_enabled and self.authorization in ("always", "whenInUse")

    @property
    def remedy(self) -> Optional[str]:
        """What to do where no access is granted; None where it is."""
        if self.is_granted:
            return None
        if self.fault is not None:
            return self.fault
        policy = "/etc/corelocation/policy.d/*.yaml, then run 'sudo systemctl reload lodestar'"
        if not self.is_enabled:
            return f"location services are switched off: set 'enabled: true' in {policy}"
        state = "is not decided" if self.authorization == "notDetermined" else f"is '{self.authorization}'"
        return (
            f"the authorization of the application '{self.application}' {state}: "
            f"set 'authorization: always' and 'users: [NAME]' for it in {policy}"
        )
