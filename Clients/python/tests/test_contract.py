"""The decoders read only keys that the daemon's contract has, and the sent messages are of it."""

import unittest
from typing import Any, Callable, Dict, Set, get_type_hints

from lodestar import contract, decoding


class Recorder(Dict[str, Any]):
    """An object that notes which keys are read."""

    def __init__(self, values: Dict[str, Any]) -> None:
        super().__init__(values)
        self.read: Set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        self.read.add(key)
        return super().get(key, default)


class ContractTests(unittest.TestCase):
    def check(self, decode: Callable[[Any], Any], kind: type, values: Dict[str, Any]) -> Set[str]:
        body = Recorder(values)
        decode(body)
        keys = set(get_type_hints(kind))
        self.assertLessEqual(body.read, keys)
        self.assertLessEqual(set(values), body.read)
        return keys - body.read

    def test_decoders_read_keys_of_the_contract(self) -> None:
        estimate = {
            "timestamp": 1,
            "magneticHeading": 1,
            "position": [0, 0],
            "attitude": [1, 0, 0, 0],
        }
        self.check(decoding.estimate, contract.SocketEstimate, estimate)
        unread = self.check(
            decoding.samples,
            contract.SocketSamples,
            {"timestamp": 1, "force": [0, 0, 0], "field": [0, 0, 0], "pressure": 1},
        )
        self.assertEqual(unread, set())
        self.check(decoding.source, contract.SocketSource, {"isOpen": True})
        access = {"authorization": "always", "accuracy": "full", "isEnabled": True}
        self.check(lambda body: decoding.access(body, "a"), contract.SocketAccess, access)


if __name__ == "__main__":
    unittest.main()
