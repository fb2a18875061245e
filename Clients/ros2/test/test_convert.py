"""The conversions, with values that are computed by hand. Run: python3 -m unittest discover test"""

import math
import unittest
from types import SimpleNamespace
from typing import Any, Dict, List

from lodestar import decoding
from lodestar_ros import bridge, convert

SECOND = 1_000_000_000


def estimate(at: float = 1.0, **keys: Any) -> Any:
    body: Dict[str, Any] = {"timestamp": int(at * SECOND), "isLevelKnown": True}
    return decoding.estimate({**body, **keys})


def converter() -> convert.Converter:
    return convert.Converter(lambda timestamp: 1_700_000_000 * SECOND)


def published(messages: List[convert.Published], topic: str) -> List[convert.Message]:
    return [message for name, message in messages if name == topic]


FIX = {"position": [math.radians(54), math.radians(10)], "fixKind": "3D", "positionState": "live"}


class OrientationTests(unittest.TestCase):
    def check(self, q: Any, heading: float, expected: List[float]) -> None:
        found = convert.orientation(estimate(attitude=q, magneticHeading=heading))
        assert found is not None
        for one, other in zip(found, expected):
            self.assertAlmostEqual(one, other, 12)

    def test_a_level_board_that_points_east_has_no_rotation(self) -> None:
        half = math.sqrt(0.5)
        self.check([half, 0, 0, half], math.pi / 2, [1, 0, 0, 0])

    def test_north_is_a_quarter_turn_to_the_left_of_east(self) -> None:
        half = math.sqrt(0.5)
        self.check([1, 0, 0, 0], 0, [half, 0, 0, half])

    def test_the_true_heading_is_preferred(self) -> None:
        one = estimate(attitude=[1, 0, 0, 0], magneticHeading=0.0, trueHeading=math.pi / 2)
        self.assertAlmostEqual(convert.orientation(one)[0], 1, 12)

    def test_an_unknown_tilt_has_none(self) -> None:
        one = estimate(attitude=[1, 0, 0, 0], isLevelKnown=False)
        self.assertIsNone(convert.orientation(one))
        self.assertEqual(converter().of_estimate(one), [])


class ImuTests(unittest.TestCase):
    def test_samples_turn_to_forward_left_up(self) -> None:
        made = converter()
        # A quarter turn about the sensor's z axis: its x is the body's right.
        made.mounting = (math.sqrt(0.5), 0, 0, math.sqrt(0.5))
        samples = decoding.samples({"timestamp": 5, "force": [1, 2, 3], "field": [10, 20, 30]})
        raw = published(made.of_samples(samples), "imu/data_raw")[0]
        for axis, value in zip("xyz", (-2, -1, -3)):
            self.assertAlmostEqual(raw["linear_acceleration"][axis], value, 12)
        self.assertEqual(raw["angular_velocity_covariance"][0], -1)
        self.assertEqual(raw["orientation_covariance"][0], -1)
        self.assertEqual(raw["linear_acceleration_covariance"][0], 0)
        self.assertEqual(raw["header"]["stamp"], {"sec": 1_700_000_000, "nanosec": 5})
        field = published(made.of_samples(samples), "imu/mag")[0]["magnetic_field"]
        self.assertAlmostEqual(field["x"], -20e-6, 15)

    def test_the_variance_is_that_of_half_the_stated_accuracy(self) -> None:
        one = estimate(attitude=[1, 0, 0, 0], magneticHeading=0.0, headingAccuracy=0.2)
        imu = published(converter().of_estimate(one), "imu/data")[0]
        self.assertAlmostEqual(imu["orientation_covariance"][8], 0.01, 12)

    def test_an_old_sample_is_not_combined_with_an_estimate(self) -> None:
        made = converter()
        made.of_samples(decoding.samples({"timestamp": SECOND, "rate": [1, 0, 0]}))
        for at, known in ((1.0, 0), (1.6, -1)):
            imu = published(made.of_estimate(estimate(at, attitude=[1, 0, 0, 0])), "imu/data")[0]
            self.assertEqual(imu["angular_velocity_covariance"][0], known)

    def test_an_estimate_waits_for_the_sample_of_its_time(self) -> None:
        made = converter()
        made.of_samples(decoding.samples({"timestamp": SECOND, "rate": [1, 0, 0]}))
        one = estimate(1.01, attitude=[1, 0, 0, 0])
        self.assertEqual(published(made.of_estimate(one), "imu/data"), [])
        samples = decoding.samples({"timestamp": 1010 * SECOND // 1000, "rate": [2, 0, 0]})
        imu = published(made.of_samples(samples), "imu/data")[0]
        self.assertEqual(imu["angular_velocity"]["x"], 2)
        # Where it does not arrive, the next estimate ends the wait.
        self.assertEqual(made.of_estimate(estimate(1.02, attitude=[1, 0, 0, 0])), [])
        later = published(made.of_estimate(estimate(1.03, attitude=[1, 0, 0, 0])), "imu/data")
        self.assertEqual(later[0]["header"]["stamp"]["nanosec"], 20_000_000)

    def test_a_lost_heading_has_no_orientation(self) -> None:
        one = estimate(attitude=[1, 0, 0, 0], headingState="lost")
        self.assertEqual(published(converter().of_estimate(one), "imu/data"), [])


class FixTests(unittest.TestCase):
    def test_a_covariance_turns_to_east_north_up(self) -> None:
        keys = {**FIX, "positionCovarianceSquareMetres": [1, 2, 3, 4, 5, 6]}
        fix = published(converter().of_estimate(estimate(**keys)), "fix")[0]
        self.assertEqual(fix["position_covariance"], [4, 2, -5, 2, 1, -3, -5, -3, 6])
        self.assertEqual(fix["position_covariance_type"], 3)
        self.assertAlmostEqual(fix["latitude"], 54, 12)
        self.assertTrue(math.isnan(fix["altitude"]))

    def test_a_radius_of_68_percent_is_1_51_sigma(self) -> None:
        keys = {**FIX, "horizontalAccuracyMetres": 1.5096}
        fix = published(converter().of_estimate(estimate(**keys)), "fix")[0]
        self.assertAlmostEqual(fix["position_covariance"][0], 1, 4)
        self.assertAlmostEqual(fix["position_covariance"][8], 4, 3)
        self.assertEqual(fix["position_covariance_type"], 1)

    def test_a_fix_is_published_once_and_none_of_a_lost_receiver(self) -> None:
        made = converter()
        counts = []
        for at, state in ((1, "live"), (1.5, "live"), (2, "lost"), (2.5, "lost"), (3.1, "lost")):
            one = estimate(at, **{**FIX, "fixTimestamp": SECOND, "positionState": state})
            fixes = published(made.of_estimate(one), "fix")
            counts.append([fix["status"]["status"] for fix in fixes])
        self.assertEqual(counts, [[0], [], [-1], [], [-1]])

    def test_a_position_that_is_carried_on_is_no_fix(self) -> None:
        one = estimate(**{**FIX, "fixKind": "dead reckoning"})
        self.assertEqual(published(converter().of_estimate(one), "fix"), [])

    def test_the_time_of_a_receiver_is_a_reference_that_of_a_simulation_is_not(self) -> None:
        made = converter()
        keys = {**FIX, "utc": 1_800_000_000 * SECOND, "fixTimestamp": SECOND - 500}
        self.assertEqual(published(made.of_estimate(estimate(**keys)), "time_reference"), [])
        made = converter()
        made.time_source = "receiver"
        reference = published(made.of_estimate(estimate(**keys)), "time_reference")[0]
        expected = {"sec": 1_799_999_999, "nanosec": 999_999_500}
        self.assertEqual(reference["time_ref"], expected)


class DiagnosticsTests(unittest.TestCase):
    def levels(self, **keys: Any) -> List[int]:
        return [one["level"] for one in convert.diagnostics(0, **keys)["status"]]

    def test_states_have_the_levels_of_rep_107(self) -> None:
        source = decoding.source({"isOpen": True, "isLive": True, "hasReceiver": True})
        for state, level in (("live", 0), ("late", 1), ("contradicted", 1), ("lost", 2),
                             ("ended", 2), ("awaited", 3)):
            one = estimate(headingState=state, positionState=state)
            self.assertEqual(self.levels(source=source, estimate=one, age=0), [0, level, level])
            self.assertEqual(self.levels(source=source, estimate=one, age=4), [0, 3, 3])
        self.assertEqual(self.levels(fault="no daemon"), [2, 3, 3])

    def test_a_simulation_is_a_warning(self) -> None:
        source = decoding.source({"isOpen": True, "isSimulated": True})
        one = estimate(headingState="live", positionState="live", isSimulated=True)
        self.assertEqual(self.levels(source=source, estimate=one, age=0), [1, 1, 1])


class BridgeTests(unittest.TestCase):
    def test_the_first_time_of_another_clock_is_now(self) -> None:
        clock = bridge.CivilClock()
        first = clock.offset(5)
        self.assertEqual(clock.offset(SECOND), first)
        self.assertNotEqual(clock.offset(100 * SECOND), first)

    def test_a_level_is_an_octet_of_the_class(self) -> None:
        classes = {kind: SimpleNamespace for kind in ("diagnostic_msgs/msg/DiagnosticArray",
                   "diagnostic_msgs/msg/DiagnosticStatus", "diagnostic_msgs/msg/KeyValue",
                   "std_msgs/msg/Header", "builtin_interfaces/msg/Time")}
        values = convert.diagnostics(5, fault="no daemon")
        kind = convert.TOPICS["/diagnostics"]
        made = convert.build(classes.__getitem__, kind, values, lambda one: bytes([one]))
        self.assertEqual([one.level for one in made.status], [b"\x02", b"\x03", b"\x03"])
        self.assertEqual(made.header.stamp.nanosec, 5)


if __name__ == "__main__":
    unittest.main()
