"""The node `lodestar`: publishes the daemon's values with rclpy."""

from __future__ import annotations

import asyncio
import importlib
import signal
import sys
import threading
from typing import Any, Dict, List, Optional

import lodestar
import rclpy
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data

from . import convert
from .bridge import Bridge

#: Topics whose messages are lost rather than repeated.
_FAST = {"imu/data", "imu/data_raw", "imu/mag", "pressure", "temperature"}


def message_class(kind: str) -> Any:
    """The class of a type, such as `sensor_msgs/msg/Imu`."""
    package, _, name = kind.split("/")
    return getattr(importlib.import_module(f"{package}.msg"), name)


class LodestarNode(Node):  # type: ignore[misc]
    """Parameters: `socket`, `application`, `frame_id`, `interval`."""

    def __init__(self) -> None:
        super().__init__("lodestar")
        defaults = {
            "socket": "",
            "application": "org.lodestar.ros2",
            "frame_id": "base_link",
            "interval": 0.0,
        }
        values: Dict[str, Any] = {}
        for name, default in defaults.items():
            values[name] = self.declare_parameter(name, default).value
        self._outputs = {
            topic: self.create_publisher(
                message_class(kind), topic, qos_profile_sensor_data if topic in _FAST else 10
            )
            for topic, kind in convert.TOPICS.items()
        }
        self.bridge = Bridge(
            self.publish,
            socket=values["socket"] or None,
            application=values["application"],
            frame=values["frame_id"],
            interval=float(values["interval"]),
        )

    def publish(self, topic: str, values: convert.Message) -> None:
        kind = convert.TOPICS[topic]
        message = convert.build(message_class, kind, values, octet=lambda number: bytes([number]))
        self._outputs[topic].publish(message)


async def _run(node: LodestarNode) -> None:
    task = asyncio.ensure_future(node.bridge.run())
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        pass


def main(arguments: Optional[List[str]] = None) -> int:
    rclpy.init(args=arguments)
    node = LodestarNode()
    # Parameters and time are served by this thread; the daemon's values are published by the other.
    threading.Thread(target=rclpy.spin, args=(node,), daemon=True).start()
    try:
        asyncio.run(_run(node))
    except lodestar.LodestarError as error:
        node.get_logger().fatal(str(error))
        return 1
    finally:
        rclpy.try_shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
